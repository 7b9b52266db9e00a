/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_tessera_heap.h.
 */
#include "clients/lvgl/lv_tessera_heap.h"

#include <stddef.h>

struct piece {
    uint32_t bytes; /* with this header */
    bool is_taken;
};

static struct {
    uint8_t *first;
    uint32_t bytes;
} heap;

static struct piece *piece_at(uint32_t offset) { return (struct piece *)(void *)(heap.first + offset); }

void lvt_heap_begin(void *first, uint32_t bytes)
{
    heap.first = first;
    heap.bytes = bytes / HEAP_GRAIN * HEAP_GRAIN;
    if (heap.bytes > 0) *piece_at(0) = (struct piece){heap.bytes, false};
}

bool lvt_heap_holds(const void *data)
{
    const uintptr_t at = (uintptr_t)data, begin = (uintptr_t)heap.first;
    return heap.bytes > 0 && at >= begin && at - begin < heap.bytes;
}

/* Free pieces after a free one become part of it. */
static void join(struct piece *piece, uint32_t offset)
{
    while (offset + piece->bytes < heap.bytes && !piece_at(offset + piece->bytes)->is_taken)
        piece->bytes += piece_at(offset + piece->bytes)->bytes;
}

void *lvt_heap_take(uint32_t bytes)
{
    if (bytes > heap.bytes) return NULL;
    const uint32_t wanted = (bytes + 2u * HEAP_GRAIN - 1u) / HEAP_GRAIN * HEAP_GRAIN;
    for (uint32_t offset = 0; offset < heap.bytes; offset += piece_at(offset)->bytes) {
        struct piece *piece = piece_at(offset);
        if (piece->is_taken) continue;
        join(piece, offset);
        if (piece->bytes < wanted) continue;
        if (piece->bytes > wanted) *piece_at(offset + wanted) = (struct piece){piece->bytes - wanted, false};
        *piece = (struct piece){wanted, true};
        return heap.first + offset + HEAP_GRAIN;
    }
    return NULL;
}

void lvt_heap_give(void *data)
{
    struct piece *piece = piece_at((uint32_t)((uint8_t *)data - heap.first) - HEAP_GRAIN);
    piece->is_taken = false;
}
