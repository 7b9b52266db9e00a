/* SPDX-License-Identifier: Apache-2.0
 *
 * See heap.h. Blocks lie one after another, each with its size in front of it; the lowest bit says that it is taken.
 */
#include "heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, IS_TAKEN = 1 };

static uint8_t *heap_begin, *heap_end;
static size_t heap_taken, heap_peak;

static size_t *head_of(uint8_t *block) { return (size_t *)(void *)block; }
static size_t size_of(uint8_t *block) { return *head_of(block) & ~(size_t)IS_TAKEN; }

void heap_give(void *memory, size_t bytes)
{
    heap_begin = memory;
    heap_end = heap_begin + (bytes & ~(size_t)(HEAD - 1));
    *head_of(heap_begin) = (size_t)(heap_end - heap_begin);
}

size_t heap_most(void) { return heap_peak; }

/* A free block with the free ones after it. */
static void join(uint8_t *block)
{
    while (block + size_of(block) < heap_end && (*head_of(block + size_of(block)) & IS_TAKEN) == 0)
        *head_of(block) += size_of(block + size_of(block));
}

/* Not by the name malloc inside: a compiler makes a call of calloc out of malloc and memset, in calloc too. */
static void *take(size_t bytes)
{
    if (bytes > (size_t)(heap_end - heap_begin)) return NULL;
    const size_t needed = ((bytes + HEAD - 1) & ~(size_t)(HEAD - 1)) + HEAD;
    for (uint8_t *block = heap_begin; block < heap_end; block += size_of(block)) {
        if ((*head_of(block) & IS_TAKEN) != 0) continue;
        join(block);
        const size_t room = size_of(block);
        if (room < needed) continue;
        if (room > needed) *head_of(block + needed) = room - needed;
        *head_of(block) = needed | IS_TAKEN;
        heap_taken += needed;
        if (heap_taken > heap_peak) heap_peak = heap_taken;
        return block + HEAD;
    }
    return NULL;
}

void *malloc(size_t bytes) { return take(bytes); }

void *calloc(size_t count, size_t bytes)
{
    if (bytes != 0 && count > SIZE_MAX / bytes) return NULL;
    void *data = take(count * bytes);
    if (data != NULL) memset(data, 0, count * bytes);
    return data;
}

static void give(void *data)
{
    if (data == NULL) return;
    uint8_t *block = (uint8_t *)data - HEAD;
    *head_of(block) &= ~(size_t)IS_TAKEN;
    heap_taken -= size_of(block);
}

void free(void *data) { give(data); }

void *realloc(void *data, size_t bytes)
{
    void *other = take(bytes);
    if (data == NULL || other == NULL) return other;
    const size_t room = size_of((uint8_t *)data - HEAD) - HEAD;
    memcpy(other, data, room < bytes ? room : bytes);
    give(data);
    return other;
}
