/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the profile charges every cycle to the function and the chain of callers that it belongs to, whatever calls,
 * returns, jumps and traps look like. Method: a program is made up, of functions in two parts of an image that have
 * every kind of call and return at known places; a walk through it retires its instructions and keeps books of its own,
 * by function and by chain, with which the profile's rows and its file are compared.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

enum { FUNCTIONS = 12, BYTES = 0x100, FIRST_PART = 7, DEEPEST = 7, CHAINS = 4096, STEPS = 30000 };
enum { CALL, SHORT_CALL, FAR_CALL, SHORT_FAR_CALL, ALTERNATE_CALL, CALLS };
enum { RETURN, SHORT_RETURN, ALTERNATE_RETURN, RETURNS };

/* What lies where in each function; the rest does nothing. */
static const struct site {
    uint32_t offset, word, bytes;
} calls[CALLS] = {{0x40, 0x000000ef, 4},
                  {0x50, 0x2001, 2},
                  {0x60, 0x000500e7, 4},
                  {0x70, 0x9502, 2},
                  {0x80, 0x000002ef, 4}},
  returns[RETURNS] = {{0x90, 0x00008067, 4}, {0x98, 0x8082, 2}, {0xa0, 0x00028067, 4}};
enum { TAIL = 0xa8, SHORT_TAIL = 0xac, FAR_TAIL = 0xb0, TRAP_RETURN = 0xc0 };
/* Each function begins with a branch, to anywhere in it, and so does what follows a call. From ROW and SHORT_ROW on
 * instructions do nothing, until a branch; after TRAPPED stands one more. */
enum {
    ROW = 0x04,
    ROW_END = 0x20,
    TRAPPED = 0x24,
    SHORT_ROW = 0xd0,
    SHORT_ROW_END = 0xde,
    BRANCH = 0x63,
    SHORT_BRANCH = 0xe001
};

static const uint32_t base[2] = {0x400, 0x20001000};
static uint8_t image[2][FUNCTIONS * BYTES];
static char names[FUNCTIONS][8];
static struct profile *profile;
static uint32_t seed = 3, steps, last;
static uint64_t cycle;
static unsigned passed, failed;

static struct book {
    uint64_t calls, instructions, self, total;
} books[FUNCTIONS];
static struct chain {
    char text[160];
    uint64_t cycles;
} chains[CHAINS];
static uint32_t stack[DEEPEST + 4], depth, chain_count;

static uint32_t pick(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 4) * limit >> 28);
}

static void check(bool is_right, const char *what)
{
    passed += is_right;
    failed += !is_right;
    if (!is_right) printf("FAILED: %s\n", what);
}

/* ------------------------------------------------------------------ the image, in the place of sim/symbols.c */

static uint32_t start_of(uint32_t function)
{
    return function < FIRST_PART ? base[0] + function * BYTES : base[1] + (function - FIRST_PART) * BYTES;
}

const char *symbols_find(const struct symbols *symbols, uint32_t address, uint32_t *offset)
{
    (void)symbols;
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        if (address < start_of(i) || address - start_of(i) >= BYTES) continue;
        *offset = address - start_of(i);
        return names[i];
    }
    return NULL;
}

const uint8_t *symbols_code(const struct symbols *symbols, unsigned part, uint32_t *address, uint32_t *bytes)
{
    (void)symbols;
    if (part > 1) return NULL;
    *address = base[part];
    *bytes = (part == 0 ? FIRST_PART : FUNCTIONS - FIRST_PART) * BYTES;
    return image[part];
}

static void put(uint32_t function, uint32_t offset, uint32_t word, uint32_t bytes)
{
    uint8_t *at = function < FIRST_PART ? &image[0][function * BYTES] : &image[1][(function - FIRST_PART) * BYTES];
    for (uint32_t i = 0; i < bytes; i++) at[offset + i] = (uint8_t)(word >> (8 * i));
}

static void make_image(void)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        for (uint32_t at = 0; at < BYTES; at += 4) put(i, at, 0x00000013, 4);
        for (uint32_t at = SHORT_ROW; at < SHORT_ROW_END; at += 2) put(i, at, 0x0001, 2);
        put(i, 0, BRANCH, 4), put(i, ROW_END, BRANCH, 4), put(i, TRAPPED + 4, BRANCH, 4);
        put(i, SHORT_ROW_END, SHORT_BRANCH, 2);
        for (uint32_t k = 0; k < CALLS; k++) {
            put(i, calls[k].offset, calls[k].word, calls[k].bytes);
            if (calls[k].bytes == 2) put(i, calls[k].offset + 2, SHORT_BRANCH, 2);
            else put(i, calls[k].offset + 4, BRANCH, 4);
        }
        for (uint32_t k = 0; k < RETURNS; k++) put(i, returns[k].offset, returns[k].word, returns[k].bytes);
        put(i, TAIL, 0x0000006f, 4);
        put(i, SHORT_TAIL, 0xa001, 2);
        put(i, FAR_TAIL, 0x00050067, 4);
        put(i, TRAP_RETURN, 0x30200073, 4);
    }
}

/* ------------------------------------------------------------------ the walk */

static void charge(uint64_t cycles)
{
    char text[160] = "";
    size_t used = 0;
    books[stack[depth - 1]].self += cycles;
    for (uint32_t i = 0; i < depth; i++) {
        bool is_again = false;
        for (uint32_t k = 0; k < i; k++) is_again |= stack[k] == stack[i];
        if (!is_again) books[stack[i]].total += cycles;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i != 0 ? ";" : "", names[stack[i]]);
    }
    uint32_t at = 0;
    while (at < chain_count && strcmp(chains[at].text, text) != 0) at++;
    if (at == chain_count && chain_count < CHAINS) memcpy(chains[chain_count++].text, text, sizeof text);
    chains[at].cycles += cycles;
}

static void retire(uint32_t pc)
{
    uint64_t more = 1 + pick(9);
    cycle += more;
    steps++;
    last = pc;
    books[stack[depth - 1]].instructions++;
    charge(more);
    profile_retire(profile, pc, cycle);
}

static void enter(uint32_t function)
{
    stack[depth++] = function;
    books[function].calls++;
}

/* Some instructions in a row, four bytes or two, and the branch at its end. */
static void pass(uint32_t start)
{
    if (pick(2) == 0)
        for (uint32_t at = ROW + 4 * pick(7); at <= ROW_END; at += 4) retire(start + at);
    else
        for (uint32_t at = SHORT_ROW + 2 * pick(7); at <= SHORT_ROW_END; at += 2) retire(start + at);
}

/* One of two, so that chains of callers are few. */
static uint32_t other(uint32_t function) { return (2 * function + 1 + pick(2)) % FUNCTIONS; }

/* A trap after an instruction that does nothing: another function, which ends with MRET. */
static void trap(uint32_t start)
{
    uint32_t handler = pick(2) * (FUNCTIONS - 1);
    retire(start + TRAPPED);
    enter(handler);
    retire(start_of(handler));
    retire(start_of(handler) + TRAP_RETURN);
    depth--;
    retire(start + TRAPPED + 4);
}

/* The function from its start to its return, whoever is its caller; or to the return of what it ends in. */
static void run(uint32_t function)
{
    uint32_t start = start_of(function);
    retire(start);
    for (uint32_t i = 0, count = pick(5); i < count && steps < STEPS; i++) {
        pass(start);
        if (pick(5) == 0) trap(start);
        if (depth >= DEEPEST) continue;
        const struct site *site = &calls[pick(CALLS)];
        retire(start + site->offset);
        uint32_t called = other(function);
        enter(called);
        run(called);
        depth--;
        retire(start + site->offset + site->bytes); /* where it returns to */
    }
    uint32_t next = other(function);
    if (pick(4) == 0 && next != function) { /* it ends in another one, which returns for it */
        static const uint32_t tails[] = {TAIL, SHORT_TAIL, FAR_TAIL};
        retire(start + tails[pick(3)]);
        stack[depth - 1] = next;
        books[next].calls++;
        run(next);
        return;
    }
    retire(start + returns[pick(RETURNS)].offset);
}

/* Of a function in a function that is called here, and returns for both. */
static void leave_at_once(uint32_t start)
{
    uint32_t outer = pick(FUNCTIONS), inner = pick(FUNCTIONS);
    retire(start + calls[FAR_CALL].offset);
    enter(outer);
    retire(start_of(outer));
    retire(start_of(outer) + calls[SHORT_CALL].offset);
    enter(inner);
    retire(start_of(inner));
    retire(start_of(inner) + returns[SHORT_RETURN].offset);
    depth -= 2;
    retire(start + calls[FAR_CALL].offset + calls[FAR_CALL].bytes);
}

/* ------------------------------------------------------------------ what the profile says of it */

static void judge(const char *path)
{
    struct profile_row rows[FUNCTIONS + 2];
    uint32_t count = profile_rows(profile, rows, FUNCTIONS + 2), ran = 0, lines = 0, known = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < FUNCTIONS; i++) ran += books[i].instructions != 0;
    check(count == ran, "every function that ran has a row");
    for (uint32_t i = 0; i < count; i++) {
        const struct profile_row *row = &rows[i];
        const struct book *book = &books[atoi(row->function + 1)];
        check(i == 0 || rows[i - 1].self_cycles >= row->self_cycles, "the most cycles first");
        check(row->calls == book->calls, "calls");
        check(row->instructions == book->instructions, "instructions");
        check(row->self_cycles == book->self, "its own cycles");
        check(row->total_cycles == book->total, "its cycles with those of whom it called");
        sum += row->self_cycles;
    }
    check(sum == profile_cycles(profile), "the sum");
    check(profile_rows(profile, rows, 3) == 3, "no more rows than asked for");
    check(profile_write_folded(profile, path), "the file is written");
    FILE *file = fopen(path, "r");
    char line[256], text[160];
    uint64_t cycles;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%159s %" SCNu64, text, &cycles) != 2) continue;
        lines++;
        for (uint32_t i = 0; i < chain_count; i++)
            known += strcmp(chains[i].text, text) == 0 && chains[i].cycles == cycles;
    }
    if (file != NULL) fclose(file);
    check(lines == chain_count && known == chain_count, "every chain of callers and its cycles");
}

int main(int argc, char **argv)
{
    if (argc != 2) return printf("usage: test_profile FILE\n"), 2;
    make_image();
    profile = profile_create((const struct symbols *)image);
    check(profile != NULL, "a profile");
    check(profile_create(NULL) == NULL, "none without an image");
    profile_retire(profile, 0x10, 5); /* no code of the image: nothing */
    check(profile_cycles(profile) == 0, "no cycles yet");
    cycle = 1000;
    profile_reset(profile, cycle);
    for (uint32_t round = 0; round < 3; round++) { /* each ends somewhere, held in reset */
        depth = 0;
        enter(pick(FUNCTIONS));
        for (steps = 0; steps < STEPS / 3;) {
            uint32_t root = stack[0], start = start_of(root);
            retire(start);
            retire(start + calls[CALL].offset);
            enter(pick(FUNCTIONS));
            run(stack[1]);
            depth = 1;
            retire(start + calls[CALL].offset + 4);
            leave_at_once(start);
            uint32_t next = other(root); /* nothing has called the first: another one in its place */
            if (next == root || steps + 1 >= STEPS / 3) continue;
            retire(start + returns[RETURN].offset);
            stack[0] = next;
            books[next].calls++;
        }
        cycle += 12345;
        profile_reset(profile, cycle);
    }
    judge(argv[1]);
    profile_free(profile);
    profile_free(NULL);
    printf("%u steps, %u chains\n%u passed, %u failed\n", 3 * steps, chain_count, passed, failed);
    return failed != 0;
}
