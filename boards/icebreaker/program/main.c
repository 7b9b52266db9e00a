/* SPDX-License-Identifier: Apache-2.0
 *
 * The program on the small system's core: what the paging node of the chip does in hardware. It takes packets from a
 * ring in local memory, as gpu.def has them, gives each to the mover and says how far it has come in NODE1.HEAD, .FENCE
 * and .ERROR. An error stops it until the host holds the core and lets it go again.
 */
#include "gpu_spec.h"
#include "small.h"

#define SMALL_REGISTER(offset) (*(volatile uint32_t *)(GPU_LIMIT(ADDR_REGISTERS) + (offset)))
#define NODE1(name) SMALL_REGISTER(NODE_##name##_OFFSET + NODE_STRIDE)
_Static_assert(0x40000000u + NODE_ERROR_OFFSET + NODE_STRIDE == 0x4000031cu, "link.ld knows NODE1.ERROR");

static volatile const uint32_t *ring_word(uint32_t index)
{
    uint32_t at = SMALL_RING_AT + 4u * (index % SMALL_RING_WORDS);
    return (volatile const uint32_t *)(GPU_LIMIT(ADDR_SEGMENT1) + at);
}

/* The command in the mover's registers; returns FAULT_*. */
static uint32_t move(uint32_t operation)
{
    uint32_t state;
    SMALL_REGISTER(MOVER_GO) = operation;
    do state = SMALL_REGISTER(MOVER_GO);
    while (state & MOVER_BUSY);
    return state >> MOVER_FAULT_LSB;
}

static uint32_t is_reachable(uint32_t address)
{
    return (address ^ GPU_LIMIT(ADDR_SEGMENT1)) >> MOVER_ADDRESS_BITS == 0;
}

/* Source, target, bytes of a row and number of rows; 0 if the mover's registers cannot hold them. */
static uint32_t set_rows(uint32_t source, uint32_t target, uint32_t row_bytes, uint32_t rows)
{
    SMALL_REGISTER(MOVER_SOURCE) = source;
    SMALL_REGISTER(MOVER_TARGET) = target;
    SMALL_REGISTER(MOVER_ROW_BYTES) = row_bytes;
    SMALL_REGISTER(MOVER_ROWS) = rows;
    return is_reachable(source) && is_reachable(target) && row_bytes >> MOVER_ADDRESS_BITS == 0 &&
           rows <= MOVER_MOST_ROWS;
}

static uint32_t copy(const uint32_t *packet)
{
    uint32_t bytes = packet[PKT_COPY_BYTES_WORD];
    if (!set_rows(packet[PKT_COPY_SOURCE_WORD], packet[PKT_COPY_TARGET_WORD], bytes, 1)) return FAULT_BAD_OPERAND;
    return bytes == 0 ? FAULT_NONE : move(MOVER_COPY);
}

static uint32_t fill(const uint32_t *packet)
{
    uint32_t target = packet[PKT_FILL_TARGET_WORD], bytes = packet[PKT_FILL_BYTES_WORD];
    if (!set_rows(target, target, bytes, 1)) return FAULT_BAD_OPERAND;
    SMALL_REGISTER(MOVER_PATTERN) = packet[PKT_FILL_PATTERN_WORD];
    return bytes == 0 ? FAULT_NONE : move(MOVER_FILL);
}

static uint32_t copy_2d(const uint32_t *packet)
{
    uint32_t size = packet[PKT_COPY_2D_ROW_BYTES_WORD], pitches = packet[PKT_COPY_2D_SOURCE_PITCH_WORD];
    uint32_t row_bytes = FIELD_GET(size, PKT_COPY_2D_ROW_BYTES), rows = FIELD_GET(size, PKT_COPY_2D_ROWS);
    if (!set_rows(packet[PKT_COPY_2D_SOURCE_WORD], packet[PKT_COPY_2D_TARGET_WORD], row_bytes, rows) ||
        FIELD_GET(pitches, PKT_COPY_2D_SOURCE_PITCH) > MOVER_MOST_PITCH ||
        FIELD_GET(pitches, PKT_COPY_2D_TARGET_PITCH) > MOVER_MOST_PITCH)
        return FAULT_BAD_OPERAND;
    SMALL_REGISTER(MOVER_PITCHES) = pitches;
    return row_bytes == 0 || rows == 0 ? FAULT_NONE : move(MOVER_COPY);
}

/* Words of a packet, 0 for one that the small system does not know. */
static uint32_t words_of(uint32_t opcode)
{
    switch (opcode) {
    case PKT_FENCE: return PKT_FENCE_WORDS;
    case PKT_COPY: return PKT_COPY_WORDS;
    case PKT_FILL: return PKT_FILL_WORDS;
    case PKT_COPY_2D: return PKT_COPY_2D_WORDS;
    default: return 0;
    }
}

/* Every command is waited for, so BARRIER asks for nothing, and a FENCE finds everything visible. REVERSE and a
 * FENCE's INTERRUPT are among the bits that the small system does not know. */
static uint32_t execute(const uint32_t *packet)
{
    uint32_t opcode = packet[0] & 0xffu, flags = packet[0] & ~0xffu;
    if (opcode != PKT_FENCE) flags &= ~FIELD_PUT(1, PKT_COPY_BARRIER);
    if (flags != 0) return FAULT_BAD_OPERAND;
    if (opcode == PKT_COPY) return copy(packet);
    if (opcode == PKT_FILL) return fill(packet);
    if (opcode == PKT_COPY_2D) return copy_2d(packet);
    NODE1(FENCE) = packet[PKT_FENCE_VALUE_WORD];
    return FAULT_NONE;
}

__attribute__((noreturn)) void main(void);
void main(void)
{
    uint32_t head = 0;
    SMALL_REGISTER(HOST_BOOT_STATUS_OFFSET) = 1;
    for (;;) {
        uint32_t packet[PKT_COPY_2D_WORDS], fault = FAULT_BAD_OPCODE;
        while ((uint16_t)head == SMALL_REGISTER(HOST_SUBMIT_TAIL_OFFSET)) {}
        uint32_t words = words_of(*ring_word(head) & 0xffu);
        while ((uint16_t)(SMALL_REGISTER(HOST_SUBMIT_TAIL_OFFSET) - head) < words) {}
        for (uint32_t i = 0; i < words; i++) packet[i] = *ring_word(head + i);
        if (words != 0) fault = execute(packet);
        if (fault != FAULT_NONE) {
            NODE1(ERROR) = fault;
            for (;;) {}
        }
        head += words;
        NODE1(HEAD) = head;
    }
}
