/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of the tables that are as long as the limits of this boot say: what the image leaves of core memory, and
 * of the firmware's region behind caches. It is given out once, at boot, and never comes back. What is touched most is
 * asked for first, so that it is what lies in core memory.
 */
#ifndef FIRMWARE_TABLES_H
#define FIRMWARE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "memory/index_set.h"

/* What all tables take at the default limits, which core memory has room for on a chip without the region; and what of
 * it has room there on a chip with one: the table of allocations, asked for first (linker/room.sh). Of all, those that
 * a chip without the region does not have: timelines, accounts of clients. */
enum { TABLES_DEFAULT_BYTES = 83784, TABLES_CORE_BYTES = 16384, TABLES_REGION_BYTES = 6880 };

/* The limits of this boot: HOST.ALLOCATIONS, CONTEXTS, LIST_ENTRIES and DMA_BYTES. */
struct table_limits {
    uint32_t allocations;  /* entries of every table of allocations, a multiple of 32 */
    uint32_t contexts;     /* the same of contexts */
    uint32_t list_entries; /* of an allocation list, and of a patch list; a multiple of 32 */
    uint32_t dma_bytes;    /* of a DMA buffer, a multiple of 128 */
};

struct tables {
    struct table_limits limits;
    struct hal_memory part[2]; /* what is left: core memory, then the region */
    uint32_t taken;            /* bytes given out in all */
    bool is_short;             /* something had no room: what was given for it must not be used */
};

/* No limit is 0, or above its *_MAXIMUM. */
void tables_init(struct tables *tables, const struct table_limits *limits, const struct hal_memory part[2]);

/* Memory of `bytes`, all zero, aligned to 8 bytes; in the first part that has room. NULL, and is_short from then on:
 * none has. */
void *tables_take(struct tables *tables, uint32_t bytes);

/* An empty set of allocations. */
struct index_set *tables_take_set(struct tables *tables);

#endif
