/* SPDX-License-Identifier: Apache-2.0
 *
 * Command ring of a node. `tail` counts words for ever; the place in command RAM is its low bits, and the
 * node's HEAD counts the same way, so that full and empty never look alike.
 */
#include "driver/engine.h"

enum { RESET_POLLS = 1000000 };

static uint32_t node_register(const struct engine *engine, uint32_t offset)
{
    return offset + engine->node * (uint32_t)NODE_STRIDE;
}

static uint32_t read(const struct engine *engine, uint32_t offset)
{
    return hal_register_read(node_register(engine, offset));
}

static void write(const struct engine *engine, uint32_t offset, uint32_t value)
{
    hal_register_write(node_register(engine, offset), value);
}

static uint32_t ring_offset(const struct engine *engine, uint32_t count)
{
    return engine->ring + (count & (engine->words - 1u)) * 4u;
}

static void reset(const struct engine *engine)
{
    write(engine, NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_RESET));
    uint32_t polls = 0;
    while (FIELD_GET(read(engine, NODE_CONTROL_OFFSET), NODE_CONTROL_RESET) != 0u)
        if (++polls == RESET_POLLS) hal_panic(PANIC_DRIVER, engine->node);
}

void engine_stop(struct engine *engine, uint32_t fence)
{
    reset(engine); /* also clears ENABLE */
    write(engine, NODE_FENCE_OFFSET, fence);
    engine->tail = engine->kicked = read(engine, NODE_HEAD_OFFSET);
    write(engine, NODE_TAIL_OFFSET, engine->tail);
}

void engine_start(const struct engine *engine)
{
    write(engine, NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_ENABLE));
}

void engine_init(struct engine *engine, uint32_t node, uint32_t ring, uint32_t words, uint32_t fence)
{
    ASSERT(is_power_of_two(words) && words <= GPU_LIMIT(RING_WORDS)); /* counts run freely */
    *engine = (struct engine){.node = node, .ring = ring, .words = words};
    uint32_t log2_words = 0;
    while ((1u << log2_words) < words) log2_words++;
    engine_stop(engine, fence);
    write(engine, NODE_RING_BASE_OFFSET, ring);
    write(engine, NODE_RING_SIZE_OFFSET, log2_words);
    engine_start(engine);
}

uint32_t engine_room(const struct engine *engine)
{
    uint32_t used = engine->tail - read(engine, NODE_HEAD_OFFSET);
    ASSERT(used <= engine->words);
    return engine->words - used;
}

bool engine_is_empty(const struct engine *engine) { return engine_room(engine) == engine->words; }

void engine_push(struct engine *engine, const struct packet *packet)
{
    for (uint32_t i = 0; i < packet->words; i++)
        hal_command_write(ring_offset(engine, engine->tail + i), packet->word[i]);
    engine->tail += packet->words;
}

void engine_kick(struct engine *engine)
{
    if (engine->kicked == engine->tail) return;
    hal_barrier();
    write(engine, NODE_TAIL_OFFSET, engine->tail);
    engine->kicked = engine->tail;
}

uint32_t engine_fence(const struct engine *engine)
{
    uint32_t causes = read(engine, NODE_IRQ_OFFSET);
    if (causes != 0u) write(engine, NODE_IRQ_OFFSET, causes);
    return read(engine, NODE_FENCE_OFFSET);
}

bool engine_error(const struct engine *engine, struct engine_error *error)
{
    if (FIELD_GET(read(engine, NODE_STATUS_OFFSET), NODE_STATUS_HALTED) == 0u) return false;
    error->code = FIELD_GET(read(engine, NODE_ERROR_OFFSET), NODE_ERROR_CODE);
    error->address = read(engine, NODE_ERROR_ADDRESS_OFFSET);
    error->packet = read(engine, NODE_ERROR_PACKET_OFFSET);
    error->word = read(engine, NODE_ERROR_WORD_OFFSET);
    return true;
}

void engine_pause(const struct engine *engine, bool is_paused)
{
    write(engine, NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_ENABLE) | FIELD_PUT(is_paused, NODE_CONTROL_PAUSE));
}

bool engine_is_paused(const struct engine *engine)
{
    return FIELD_GET(read(engine, NODE_STATUS_OFFSET), NODE_STATUS_PAUSED) != 0u;
}

/* ------------------------------------------------------------------ withholding */

static uint32_t packet_length(uint32_t word)
{
    switch (word & 0xffu) {
    case PKT_NOP: return PKT_NOP_WORDS;
    case PKT_FENCE: return PKT_FENCE_WORDS;
    case PKT_WAIT_FENCE: return PKT_WAIT_FENCE_WORDS;
    case PKT_RUN: return PKT_RUN_WORDS;
    case PKT_GUARD: return PKT_GUARD_WORDS;
    case PKT_UNMAP: return PKT_UNMAP_WORDS;
    case PKT_BIND: return PKT_BIND_WORDS;
    default: break;
    }
    ASSERT(false); /* nothing else is ever pushed */
    return 1;
}

void engine_note(struct engine *engine, uint32_t fence, bool continues_buffer)
{
    uint32_t bit = fence % (uint32_t)ENGINE_SUBMISSIONS_MAX, *word = &engine->continues[bit / 32u];
    *word = (*word & ~(1u << bit % 32u)) | (uint32_t)continues_buffer << bit % 32u;
}

static bool continues(const struct engine *engine, uint32_t fence)
{
    uint32_t bit = fence % (uint32_t)ENGINE_SUBMISSIONS_MAX;
    return bit_is_set(engine->continues, bit);
}

/* WAIT_FENCE, RUNs and FENCE of a submission lie side by side: [start, end). */
static void erase(const struct engine *engine, uint32_t start, uint32_t end)
{
    for (uint32_t at = start; at != end; at++) hal_command_write(ring_offset(engine, at), PKT_NOP);
}

uint32_t engine_withhold(struct engine *engine)
{
    uint32_t last_kept = read(engine, NODE_FENCE_OFFSET), at = read(engine, NODE_HEAD_OFFSET), start = at;
    bool has_start = false, has_run = false, is_withholding = false;
    while (at != engine->tail) {
        uint32_t word = hal_command_read(ring_offset(engine, at)), opcode = word & 0xffu, packet = at;
        at += packet_length(word);
        if (!has_start && (opcode == PKT_WAIT_FENCE || opcode == PKT_RUN)) start = packet;
        has_start = has_start || opcode == PKT_WAIT_FENCE || opcode == PKT_RUN;
        has_run = has_run || opcode == PKT_RUN;
        if (opcode != PKT_FENCE) continue;
        uint32_t fence = hal_command_read(ring_offset(engine, packet + (uint32_t)PKT_FENCE_VALUE_WORD));
        /* A FENCE without its RUN: that has been executed. */
        is_withholding = is_withholding || (has_run && !continues(engine, fence));
        if (is_withholding) erase(engine, start, at);
        else last_kept = fence;
        has_start = has_run = false;
    }
    ASSERT(!has_start); /* a submission is pushed whole */
    return last_kept;
}
