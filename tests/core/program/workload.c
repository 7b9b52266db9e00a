/* SPDX-License-Identifier: Apache-2.0
 *
 * The project's own benchmark of the control core: what firmware does (lists, tables, checksums, copies) and a
 * little of what it does not (matrices, text), in one checksum.
 *
 * Built for the host, it prints the checksum. Built for the core, it is given that number as EXPECTED and the
 * limit of cycles per instruction as CPI_LIMIT (thousandths), fails as test 1 or 2 when one does not hold, and
 * prints cycles, instructions and their ratio.
 */
#include <stdint.h>
#include <string.h>

#if defined(SPEED) /* ../speed: for ever, without devices */
#elif defined(EXPECTED)
#include "bench.h"
#else
#include <stdio.h>
#endif

enum { NODES = 64, SIDE = 12, TEXT_BYTES = 256, ROUNDS = 8 };

struct node {
    struct node *next;
    int32_t key;
    uint32_t payload;
};

static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    return random_state ^= random_state << 5;
}

/* Insertion into a sorted list, then a walk: pointer chasing with unpredictable branches. */
static uint32_t work_list(void)
{
    static struct node nodes[NODES];
    struct node *head = NULL;
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i].key = (int32_t)(next_random() % 1000) - 500;
        nodes[i].payload = i;
        struct node **link = &head;
        while (*link && (*link)->key < nodes[i].key) link = &(*link)->next;
        nodes[i].next = *link;
        *link = &nodes[i];
    }
    uint32_t sum = 0, place = 1;
    for (const struct node *node = head; node; node = node->next) sum += place++ * node->payload;
    return sum;
}

static uint32_t work_matrix(void)
{
    static int32_t a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned j = 0; j < SIDE; j++) {
            a[i][j] = (int16_t)next_random();
            b[i][j] = (int16_t)next_random();
        }
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned j = 0; j < SIDE; j++) {
            uint32_t sum = 0;
            for (unsigned k = 0; k < SIDE; k++) sum += (uint32_t)(a[i][k] * (int16_t)b[k][j]);
            c[i][j] = (int32_t)sum >> 3;
        }
    uint32_t sum = 0;
    for (unsigned i = 0; i < SIDE; i++) sum ^= (uint32_t)c[i][i] * (i + 1);
    return sum;
}

static uint16_t crc16(uint16_t crc, uint8_t byte)
{
    for (unsigned i = 0; i < 8; i++, byte >>= 1) {
        uint16_t carry = (crc ^ byte) & 1;
        crc >>= 1;
        if (carry) crc ^= 0xa001;
    }
    return crc;
}

/* Numbers and words in a text, counted by a state machine; the text is upper-cased, copied, compared. */
static uint32_t work_text(void)
{
    static const char alphabet[] = "ab 12,x.9 -z7";
    static char text[TEXT_BYTES], copy[TEXT_BYTES];
    for (unsigned i = 0; i < TEXT_BYTES - 1; i++) text[i] = alphabet[next_random() % (sizeof alphabet - 1)];
    text[TEXT_BYTES - 1] = 0;
    enum { SPACE, WORD, NUMBER, SIGN } state = SPACE;
    uint32_t counts[4] = {0, 0, 0, 0};
    uint16_t crc = 0xffff;
    for (const char *p = text; *p; p++) {
        char c = *p;
        switch (state) {
        case SPACE: state = c == '-' ? SIGN : c >= '0' && c <= '9' ? NUMBER : c >= 'a' ? WORD : SPACE; break;
        case SIGN: state = c >= '0' && c <= '9' ? NUMBER : SPACE; break;
        case WORD:
            if (c < 'a') state = SPACE;
            break;
        default:
            if (c != '.' && (c < '0' || c > '9')) state = c >= 'a' ? WORD : SPACE;
            break;
        }
        counts[state]++;
        crc = crc16(crc, (uint8_t)c);
    }
    strcpy(copy, text);
    for (char *p = copy; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 32);
    return crc + (counts[WORD] << 16) + (counts[NUMBER] << 20) + (counts[SIGN] << 24) +
           (strcmp(copy, text) < 0 ? 1u : 0u) + (uint32_t)strlen(copy);
}

/* A bitmap allocator, as the segments have: first fit, with division for the statistics. */
static uint32_t work_bitmap(void)
{
    uint32_t map[8] = {0}, sum = 0;
    for (unsigned round = 0; round < 24; round++) {
        unsigned want = 1 + next_random() % 9, run = 0, i;
        for (i = 0; i < 256 && run < want; i++) run = map[i / 32] >> i % 32 & 1 ? 0 : run + 1;
        if (run < want) continue;
        for (unsigned j = i - want; j < i; j++) map[j / 32] |= 1u << j % 32;
        sum += i * 100 / want;
        if (round % 3 == 2) map[next_random() % 8] &= next_random();
    }
    return sum;
}

static uint32_t workload(void)
{
    uint32_t sum = 0;
    random_state = 0x12345678;
    for (unsigned round = 0; round < ROUNDS; round++) {
        sum = sum * 31 + work_list();
        sum = sum * 31 + work_matrix();
        sum = sum * 31 + work_text();
        sum = sum * 31 + work_bitmap();
    }
    return sum;
}

#if defined(SPEED)
volatile uint32_t speed_sum; /* so that nothing is removed */
int main(void)
{
    speed_sum = workload();
    return 0;
}
#elif defined(EXPECTED)
int main(void)
{
    uint32_t instructions = bench_instructions(), cycles = bench_cycles();
    uint32_t sum = workload();
    cycles = bench_cycles() - cycles;
    instructions = bench_instructions() - instructions;
    uint32_t cpi = (uint32_t)(1000ull * cycles / instructions);
    bench_number(cycles);
    bench_text(" cycles, ");
    bench_number(instructions);
    bench_text(" instructions, CPI in thousandths ");
    bench_number(cpi);
    bench_put('\n');
    return sum != EXPECTED ? 1 : cpi > CPI_LIMIT ? 2 : 0;
}
#else
int main(void)
{
    printf("%uu\n", (unsigned)workload());
    return 0;
}
#endif
