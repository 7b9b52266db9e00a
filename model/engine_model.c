/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of an engine node: fetch from the ring, RUN, fences, errors. The packets themselves are in
 * engine_packets.c.
 *
 * Order of the checks of one packet: opcode, privilege, whole packet present, reserved bits; then, in
 * engine_packets.c, operands and bindings, then memory. A packet of zero extent is checked like any other.
 */
#include "engine_model.h"

#include <stddef.h>

#include "engine_packets.h"

/* ------------------------------------------------------------------ the node */

enum { PRIVILEGE_USER, PRIVILEGE_RING };
enum { WORDS_MAX = 16 };

/* What one packet did to the flow of the node. */
enum flow { FLOW_NEXT, FLOW_WAIT, FLOW_FAULT };

struct shape {
    uint8_t words, privilege;
};
static const struct shape shapes[256] = {
#define PKT(name, opcode, words, privilege, doc) [opcode] = {words, PRIVILEGE_##privilege},
#include "gpu.def"
};

/* Bits of a packet's word that belong to fields; all others are reserved. */
static uint32_t field_bits(uint32_t opcode, uint32_t word)
{
    uint32_t bits = word == 0 ? 0xffu : 0;
#define PKT_FIELD(pkt, index, name, lsb, width, kind, doc) \
    if (opcode == PKT_##pkt && word == (index)) bits |= field_place(0xffffffffu, lsb, width);
#include "gpu.def"
    return bits;
}

static bool reserved_bits_are_zero(const uint32_t *words)
{
    uint32_t opcode = words[0] & 0xffu;
    for (uint32_t word = 0; word < shapes[opcode].words; word++)
        if ((words[word] & ~field_bits(opcode, word)) != 0) return false;
    return true;
}

static void record_fault(struct engine_node *node, uint32_t fault, uint32_t address, uint32_t offset, uint32_t word)
{
    node->error = fault;
    node->error_address = address;
    node->error_packet = offset;
    node->error_word = word;
}

/* Opcode, privilege, length, reserved bits: what is wrong before anything is executed. */
static uint32_t check_packet(const uint32_t *words, uint32_t words_left, bool is_in_run, bool is_privileged)
{
    struct shape shape = shapes[words[0] & 0xffu];
    if (shape.words == 0) return FAULT_BAD_OPCODE;
    if (is_in_run && ((words[0] & 0xffu) == PKT_RUN || (shape.privilege == PRIVILEGE_RING && !is_privileged)))
        return FAULT_PRIVILEGE;
    if (shape.words > words_left) return FAULT_TRUNCATED;
    return reserved_bits_are_zero(words) ? FAULT_NONE : FAULT_BAD_OPERAND;
}

/* Execute [node->run_done, bytes) of a RUN. FLOW_WAIT leaves run_done at the WAIT_FENCE. */
static enum flow run(struct engine_model *engine, unsigned node_index, uint32_t offset, uint32_t bytes,
                     bool is_privileged, bool may_wait)
{
    struct engine_node *node = &engine->node[node_index];
    while (node->run_done < bytes) {
        uint32_t at = offset + node->run_done, words_left = (bytes - node->run_done) / 4u, address = 0;
        const uint32_t *words = engine->command + at / 4u;
        uint32_t fault = check_packet(words, words_left, true, is_privileged);
        if (fault == FAULT_NONE && (words[0] & 0xffu) == PKT_WAIT_FENCE && may_wait &&
            !fence_reached(engine->node[1u - node_index].fence, words[PKT_WAIT_FENCE_VALUE_WORD]))
            return FLOW_WAIT;
        if (engine->on_packet != NULL && fault == FAULT_NONE) engine->on_packet(engine->context, node_index, at, words);
        if (fault == FAULT_NONE && (words[0] & 0xffu) != PKT_WAIT_FENCE)
            fault = engine_packet_execute(engine, node_index, words, !is_privileged, &address);
        if (fault != FAULT_NONE) {
            record_fault(node, fault, address, at, words[0]);
            return FLOW_FAULT;
        }
        node->packets++;
        node->run_done += 4u * shapes[words[0] & 0xffu].words;
    }
    return FLOW_NEXT;
}

static bool run_range_is_legal(const struct engine_model *engine, uint32_t offset, uint32_t bytes)
{
    return offset % 4u == 0 && bytes % 4u == 0 && offset <= engine->command_bytes &&
           bytes <= engine->command_bytes - offset;
}

uint32_t engine_model_run(struct engine_model *engine, unsigned node_index, uint32_t offset, uint32_t bytes,
                          bool is_privileged)
{
    struct engine_node *node = &engine->node[node_index];
    record_fault(node, FAULT_NONE, 0, 0, 0);
    if (!run_range_is_legal(engine, offset, bytes)) {
        record_fault(node, FAULT_BAD_OPERAND, 0, offset, 0);
        return FAULT_BAD_OPERAND;
    }
    node->run_done = 0;
    node->has_palette = false;
    (void)run(engine, node_index, offset, bytes, is_privileged, false);
    node->run_done = 0;
    return node->error;
}

/* One ring packet whose words are all there. */
static enum flow ring_packet(struct engine_model *engine, unsigned node_index, uint32_t offset, const uint32_t *words)
{
    struct engine_node *node = &engine->node[node_index];
    uint32_t opcode = words[0] & 0xffu, address = 0;
    uint32_t fault = check_packet(words, WORDS_MAX, false, true);
    bool is_resumed = node->is_in_run;
    if (fault == FAULT_NONE && opcode == PKT_WAIT_FENCE &&
        !fence_reached(engine->node[1u - node_index].fence, words[PKT_WAIT_FENCE_VALUE_WORD]))
        return FLOW_WAIT;
    if (fault == FAULT_NONE && !is_resumed && engine->on_packet != NULL)
        engine->on_packet(engine->context, node_index, offset, words);
    if (fault == FAULT_NONE && opcode == PKT_RUN) {
        uint32_t run_offset = words[PKT_RUN_ADDRESS_WORD], run_bytes = words[PKT_RUN_BYTES_WORD];
        if (!is_resumed && run_bytes != 0u) node->has_palette = false;
        node->is_in_run = true;
        if (run_range_is_legal(engine, run_offset, run_bytes))
            return run(engine, node_index, run_offset, run_bytes, FIELD_GET(words[0], PKT_RUN_PRIVILEGED) != 0, true);
        fault = FAULT_BAD_OPERAND;
    } else if (fault == FAULT_NONE && opcode != PKT_WAIT_FENCE) {
        fault = engine_packet_execute(engine, node_index, words, false, &address);
    }
    if (fault == FAULT_NONE) return FLOW_NEXT;
    record_fault(node, fault, address, offset, words[0]);
    return FLOW_FAULT;
}

bool engine_model_step(struct engine_model *engine, unsigned node_index)
{
    struct engine_node *node = &engine->node[node_index];
    if (!node->is_enabled || node->is_halted || node->tail == node->head) return false;
    if (node->is_paused && !node->is_in_run) return false;
    uint32_t mask = field_mask(node->ring_log2_words), available = node->tail - node->head;
    uint32_t words[WORDS_MAX] = {0};
    for (uint32_t i = 0; i < WORDS_MAX && i < available; i++)
        words[i] = engine->command[node->ring_base / 4u + ((node->head + i) & mask)];
    uint32_t length = shapes[words[0] & 0xffu].words;
    if (length > available) return false;
    uint32_t run_before = node->run_done;
    switch (ring_packet(engine, node_index, node->ring_base + 4u * (node->head & mask), words)) {
    case FLOW_WAIT: return node->run_done != run_before;
    case FLOW_FAULT:
        node->is_halted = true;
        node->irq |= FIELD_PUT(1, NODE_IRQ_ERROR);
        return true;
    case FLOW_NEXT:
    default:
        node->packets++;
        node->head += length;
        node->run_done = 0;
        node->is_in_run = false;
        return true;
    }
}

void engine_model_reset(struct engine_model *engine, unsigned node_index)
{
    struct engine_node *node = &engine->node[node_index];
    node->head = node->tail;
    node->run_done = 0;
    node->is_in_run = false;
    node->is_halted = false;
    node->has_palette = false;
    record_fault(node, FAULT_NONE, 0, 0, 0);
    for (unsigned slot = 0; slot < GPU_LIMIT(SLOTS); slot++) node->bindings[slot] = (struct engine_binding){0, 0, 0, 0};
}
