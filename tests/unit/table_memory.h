/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for the tables of a test that makes a struct residency, or part of it, itself: at the default limits, with
 * anything in it at first. One at a time, and a copy of it to compare with or to go back to.
 */
#ifndef TESSERA_TABLE_MEMORY_H
#define TESSERA_TABLE_MEMORY_H

#include <string.h>

#include "memory/tables.h"

enum { ALLOCATION_LIMIT = ALLOCATION_DEFAULT, SEGMENT_NO_OWNER = ALLOCATION_LIMIT, CONTEXT_LIMIT = CONTEXT_DEFAULT };

enum { TABLE_MEMORY_BYTES = 80000 };
static _Alignas(16) unsigned char table_bytes[TABLE_MEMORY_BYTES];
static struct tables table_memory_given;

static inline struct tables *table_memory(void)
{
    const struct hal_memory part[2] = {{table_bytes, sizeof table_bytes}, {NULL, 0}};
    memset(table_bytes, 0xa5, sizeof table_bytes);
    const struct table_limits limits = {ALLOCATION_LIMIT, CONTEXT_LIMIT, LIST_DEFAULT, DMA_BYTES_DEFAULT};
    tables_init(&table_memory_given, &limits, part);
    return &table_memory_given;
}

/* A state, which points into one memory, is copied with it: each of its pointers there follows. */
static inline void table_memory_move(void *to, const void *from, size_t bytes, unsigned char *to_bytes,
                                     const unsigned char *from_bytes)
{
    memcpy(to, from, bytes);
    memcpy(to_bytes, from_bytes, TABLE_MEMORY_BYTES);
    for (size_t i = 0; i + sizeof(uintptr_t) <= bytes; i += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (unsigned char *)to + i, sizeof word);
        const uintptr_t offset = word - (uintptr_t)from_bytes;
        if (offset >= TABLE_MEMORY_BYTES) continue;
        word = (uintptr_t)to_bytes + offset;
        memcpy((unsigned char *)to + i, &word, sizeof word);
    }
}

/* *copy := *state, with a memory of its own; *state := *copy again. Both are of one type. */
#define TABLE_MEMORY_KEEP \
    static _Alignas(16) unsigned char table_copy_bytes[TABLE_MEMORY_BYTES]; \
    static void table_memory_keep(void *copy, const void *state, size_t bytes) \
    { \
        table_memory_move(copy, state, bytes, table_copy_bytes, table_bytes); \
    }
#define TABLE_MEMORY_BACK \
    static void table_memory_back(void *state, const void *copy, size_t bytes) \
    { \
        table_memory_move(state, copy, bytes, table_bytes, table_copy_bytes); \
    }

#endif
