/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocation table: what the host created, where its content is now, and who still needs it.
 *
 * The table says where an allocation *is* (or will be when the paging node has done what has been built
 * for it); where a plan wants it to be is the segment map's business (segment.h). Host pages always stay
 * with the allocation, so content that the GPU has not written needs no copy when it leaves.
 */
#ifndef FIRMWARE_ALLOCATION_H
#define FIRMWARE_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base.h"
#include "job.h"

/* allocation.flags: the host's ALLOCATION_* flags of the table and these states of ours. */
enum allocation_state {
    ALLOCATION_EXISTS = 0x1000, /* the entry is in use */
    ALLOCATION_DIRTY = 0x2000,  /* the copy in its memory segment is newer than the host's pages */
    ALLOCATION_LOCKED = 0x4000, /* between LOCK and UNLOCK */
    ALLOCATION_LOST = 0x8000    /* content vanished in a reset; destroy it */
};

enum { OFFER_DISCARDED = 4 }; /* allocation.offer: the content is gone */

enum {
    PREFERENCE_COUNT = 5, /* preferences of an allocation */
    PREFERENCE_BITS = 3,  /* each: segment id, then the direction bit */
    PREFERENCE_FROM_END = 4 /* its direction bit */

};

struct allocation {
    uint32_t pages_address; /* system byte address of the page list (MDL), one word per page */
    uint32_t priority;      /* lower is evicted first; never 0 */
    uint32_t last_fence;    /* render fence of the last portion that used it: busy mark and age in one */
    uint32_t pattern;       /* of the fill at the first page-in, while ALLOCATION_UNDEFINED */
    uint32_t flags;
    uint16_t pages;
    uint16_t first_page;           /* in `segment`; in a free entry the next free one */
    uint16_t references;           /* patch locations of accepted, unfinished jobs that name it */
    uint16_t preferred;            /* PREFERENCE_COUNT fields, highest preference lowest; id 0 = none */
    uint16_t pitch;                /* swizzled: row bytes of level 0 */
    uint16_t height;               /* swizzled: rows of level 0 */
    uint8_t levels;                /* swizzled: mip levels */
    uint8_t segment;               /* id 1..SEGMENT_COUNT, 0 = only in the host's pages */
    uint8_t read_set;              /* bit 0 = segment 1 */
    uint8_t write_set;
    uint8_t alignment_pages_log2;
    uint8_t generation;            /* grows at each creation, so that stale handles are recognised */
    uint8_t context;               /* owner: context table index + 1, 0 = none */
    uint8_t offer;                 /* 0 not offered, 1 low .. 3 high, OFFER_DISCARDED */
};

struct allocation_table {
    struct allocation entry[ALLOCATION_LIMIT];
    uint16_t free_head;
    uint16_t live_count;
    uint16_t segment_pages[SEGMENT_LIMIT]; /* sizes, to refuse what can never fit */
    uint32_t system_pages;                 /* page numbers at or above are refused */
};

void allocation_table_init(struct allocation_table *table, const uint16_t segment_pages[SEGMENT_LIMIT],
                           uint32_t system_pages);

/* Create from a CREATE_ALLOCATION message (host words, untrusted); `context` is the owner's table index + 1
 * or 0. False with the reason in `why` and nothing changed. Reads the whole page list: O(pages). */
bool allocation_create(struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t context,
                       uint32_t *handle, struct refusal *why);

/* The entry must be unreferenced and in no segment. */
void allocation_destroy(struct allocation_table *table, uint32_t index);

/* Handle to index; false if there is no such allocation (0 included). O(1). */
bool allocation_find(const struct allocation_table *table, uint32_t handle, uint32_t *index);
uint32_t allocation_handle(const struct allocation_table *table, uint32_t index);

/* Bytes that accesses may touch: whole pages. */
uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index);
bool allocation_is_locked(const struct allocation_table *table, uint32_t index);  /* submit: STATUS_LOCKED */
bool allocation_is_offered(const struct allocation_table *table, uint32_t index); /* submit: STATUS_OFFERED */
bool allocation_is_lost(const struct allocation_table *table, uint32_t index);    /* submit: STATUS_CONTENT_LOST */

/* Evicted only after everything else that can be, and only once a buffer is split to its minimum. */
bool allocation_is_soft_pinned(const struct allocation_table *table, uint32_t index);

/* Segments that may hold it for this use: bit 0 = segment 1. */
uint32_t allocation_segments(const struct allocation_table *table, uint32_t index, bool is_written);

/* Every rule of the table: sizes, states that exclude each other, free list. For tests. */
bool allocation_table_check(const struct allocation_table *table);

#endif
