/* SPDX-License-Identifier: Apache-2.0
 *
 * See sections.h.
 */
#include "lib/tdump/sections.h"

#include <string.h>

#include "lib/tdump/command_memory.h"
#include "lib/tdump/portions.h"

bool sections_register(struct tessera *tessera, uint32_t offset, uint32_t *value)
{
    struct transport *transport = tessera->transport;
    *value = 0;
    return transport->register_read(transport->context, offset, value) == TRANSPORT_OK;
}

bool sections_memory(struct tessera *tessera, uint32_t address, void *data, size_t bytes)
{
    struct transport *transport = tessera->transport;
    return transport->memory_read(transport->context, address, data, bytes) == TRANSPORT_OK;
}

/* What a host may do with a register. */
enum { HOST_NA = 0, HOST_WO = 0, HOST_RO = 1, HOST_RW = 1, HOST_W1C = 1 };
static const struct {
    uint16_t offset, block;
    bool is_readable;
} rows[] = {
#define REG(block, name, offset, host, core, reset, doc) {block##_BASE + (offset), block##_BASE, HOST_##host != 0},
#include "gpu.def"
};

/* Reading it changes nothing, and every device has it: not a board's own block, not the examiner, and of the debug unit
 * its state alone. */
static bool is_readable(uint32_t offset)
{
    if (offset == HOST_LOAD_DATA_OFFSET || (offset >= BOARD_BASE && offset < DISPLAY_BASE)) return false;
    if (offset >= DEBUG_BASE && offset < BOARD_BASE) return offset == DEBUG_STATUS_OFFSET;
    const bool is_second = offset >= NODE_BASE + NODE_STRIDE && offset < NODE_BASE + NODE_COUNT * NODE_STRIDE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (offset - (is_second ? NODE_STRIDE : 0) == rows[i].offset && (!is_second || rows[i].block == NODE_BASE))
            return rows[i].is_readable;
    return false;
}

void sections_registers(struct tessera *tessera, struct bytes *bytes)
{
    uint32_t most = 0, count = 0;
    for (uint32_t offset = 0; offset < TDUMP_REGISTERS_BYTES; offset += 4) most += is_readable(offset) ? 2 : 0;
    uint32_t *words = bytes_begin(bytes, TDUMP_REGISTERS, most);
    if (words == NULL) return;
    for (uint32_t offset = 0; offset < TDUMP_REGISTERS_BYTES; offset += 4)
        if (is_readable(offset) && sections_register(tessera, offset, &words[count + 1])) {
            words[count] = offset;
            count += 2;
        }
    bytes_shorten(bytes, words, most - count);
}

/* A ring in system memory. */
static void add_host_ring(struct tessera *tessera, struct bytes *bytes, enum tdump_ring_name name, uint32_t address,
                          uint32_t log2, uint32_t head, uint32_t tail, uint32_t entry_words)
{
    const size_t words = (size_t)entry_words << log2;
    uint32_t *ring = tail - head <= 1u << log2 ? bytes_begin(bytes, TDUMP_RING, RING_WORDS + words) : NULL;
    if (ring == NULL) return;
    ring[RING_NAME] = (uint32_t)name;
    ring[RING_LOG2] = log2;
    ring[RING_HEAD] = head;
    ring[RING_TAIL] = tail;
    if (!sections_memory(tessera, address, ring + RING_WORDS, words * sizeof *ring))
        bytes_take_back(bytes, RING_WORDS + words);
}

void sections_host_rings(struct tessera *tessera, struct bytes *bytes)
{
    uint32_t head = 0, tail = 0;
    if (sections_register(tessera, HOST_SUBMIT_HEAD_OFFSET, &head))
        add_host_ring(tessera, bytes, TDUMP_RING_SUBMIT, SUBMIT_RING_ADDRESS, SUBMIT_RING_LOG2, head,
                      tessera->submit_tail, GPU_LIMIT(MESSAGE_WORDS));
    if (sections_register(tessera, HOST_COMPLETE_TAIL_OFFSET, &tail))
        add_host_ring(tessera, bytes, TDUMP_RING_COMPLETE, COMPLETE_RING_ADDRESS, COMPLETE_RING_LOG2,
                      tessera->complete_head, tail, GPU_LIMIT(COMPLETION_WORDS));
}

/* The ring of a node; NULL: it cannot be seen. */
static const uint32_t *add_node_ring(struct tessera *tessera, struct bytes *bytes, struct command_memory *command,
                                     uint32_t node)
{
    const uint32_t bank = node * (uint32_t)NODE_STRIDE, most = 12;
    uint32_t base = 0, log2 = 0, head = 0, tail = 0;
    if (!sections_register(tessera, NODE_RING_BASE_OFFSET + bank, &base) ||
        !sections_register(tessera, NODE_RING_SIZE_OFFSET + bank, &log2) ||
        !sections_register(tessera, NODE_HEAD_OFFSET + bank, &head) ||
        !sections_register(tessera, NODE_TAIL_OFFSET + bank, &tail) || log2 == 0 || log2 > most ||
        tail - head > 1u << log2)
        return NULL;
    const size_t words = (size_t)1 << log2;
    uint32_t *ring = bytes_begin(bytes, TDUMP_RING, RING_WORDS + words);
    if (ring == NULL) return NULL;
    ring[RING_NAME] = node == 0 ? TDUMP_RING_RENDER : TDUMP_RING_PAGING;
    ring[RING_LOG2] = log2;
    ring[RING_HEAD] = head;
    ring[RING_TAIL] = tail;
    if (command_memory_read(command, base, ring + RING_WORDS, (uint32_t)words)) return ring;
    bytes_take_back(bytes, RING_WORDS + words);
    return NULL;
}

/* A portion that is of the guilty DMA buffer and ends at its byte *end (TDUMP_NOWHERE: anywhere), which becomes that
 * where it begins; of the paging node, any. False: it is not, and not there. */
static bool add_portion(struct bytes *bytes, struct command_memory *command, uint32_t node,
                        const struct portion_found *found, const struct stream_view *guilty, uint32_t *end)
{
    const uint32_t count = found->bytes / 4u;
    uint32_t *words = bytes_begin(bytes, TDUMP_PORTION, PORTION_WORDS + count), start = TDUMP_NOWHERE;
    if (words == NULL) return false;
    words[PORTION_NODE] = node;
    words[PORTION_AT] = found->at;
    words[PORTION_BYTES] = found->bytes;
    words[PORTION_FENCE] = found->fence;
    if (!command_memory_read(command, found->at, words + PORTION_WORDS, count) ||
        (node == 0 && !portions_match(guilty, words + PORTION_WORDS, count, *end, &start))) {
        bytes_take_back(bytes, PORTION_WORDS + count);
        return false;
    }
    words[PORTION_START] = *end = start;
    return true;
}

/* Those of the guilty DMA buffer, from that with its last fence back to its first byte: other contexts' are between
 * them, and DMA buffers before it may look the same. */
static void add_guilty_portions(struct bytes *bytes, struct command_memory *command, const struct portion_found *found,
                                uint32_t count, const struct stream_view *guilty, uint32_t fence)
{
    uint32_t end = TDUMP_NOWHERE, first = count;
    while (first > 0 && found[first - 1u].fence != fence) first--;
    for (; first > 0 && end != 0; first--)
        if (!add_portion(bytes, command, 0, &found[first - 1u], guilty, &end) && end == TDUMP_NOWHERE) break;
}

void sections_nodes(struct tessera *tessera, struct bytes *bytes, const struct stream_view *guilty, uint32_t fence)
{
    struct command_memory command;
    if (!command_memory_open(&command, tessera->transport)) return;
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        struct portion_found found[PORTIONS_FOUND_MAX];
        uint32_t end = TDUMP_NOWHERE;
        const uint32_t *ring = add_node_ring(tessera, bytes, &command, node);
        if (ring == NULL) continue;
        const uint32_t count = portions_find(ring + RING_WORDS, ring[RING_LOG2], ring[RING_TAIL], node == 1, found);
        if (node == 0 && guilty != NULL) add_guilty_portions(bytes, &command, found, count, guilty, fence);
        if (node == 1 && count != 0) (void)add_portion(bytes, &command, node, &found[count - 1u], NULL, &end);
    }
    command_memory_close(&command);
}

void sections_inside(struct tessera *tessera, struct bytes *bytes, enum tdump_tag tag, enum transport_view view)
{
    uint32_t seen[TDUMP_EVENTS_MAX * EVENT_WORDS];
    const struct transport_inside *inside = &tessera->transport->inside;
    const uint32_t most = view == TRANSPORT_EVENTS ? TDUMP_EVENTS_MAX * EVENT_WORDS : TDUMP_INSTRUCTIONS_MAX;
    const uint32_t count = inside->look != NULL ? inside->look(inside->context, view, 0, seen, most) : 0;
    uint32_t *words = count != 0 ? bytes_begin(bytes, tag, count) : NULL;
    if (words != NULL) memcpy(words, seen, count * sizeof *words);
}
