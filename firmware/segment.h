/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pages of which segment belong to whom: one map for all segments, memory and aperture alike.
 *
 * The map is book-keeping outside the memory: a list of used ranges per segment in address order, its
 * nodes indexed by owner (an allocation is in at most one segment). It knows nothing of content, time or
 * the GPU. During planning it runs ahead of the allocation table: it says where things are meant to be.
 */
#ifndef FIRMWARE_SEGMENT_H
#define FIRMWARE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base.h"

enum { SEGMENT_NO_OWNER = 0xffff };

struct segment {
    uint16_t pages;
    uint16_t used_pages;
    uint16_t head; /* owner of the lowest range, or SEGMENT_NO_OWNER */
};

struct segment_map {
    struct segment segment[SEGMENT_LIMIT]; /* [id - 1] */
    uint16_t first[ALLOCATION_LIMIT];
    uint16_t count[ALLOCATION_LIMIT];
    uint16_t next[ALLOCATION_LIMIT];
    uint16_t previous[ALLOCATION_LIMIT];
    uint8_t where[ALLOCATION_LIMIT]; /* segment id, 0 = nowhere */
};

/* What a search asks for. */
struct segment_request {
    uint32_t pages;
    uint32_t alignment_pages; /* power of two */
    bool is_from_end;         /* highest place instead of lowest */
};

/* How much it would hurt to take an owner's range: false = never; else `rank`, higher hurts more. */
struct segment_judge {
    bool (*may_leave)(const void *context, uint32_t owner, uint64_t *rank);
    const void *context;
};

void segment_map_init(struct segment_map *map, const uint16_t pages[SEGMENT_LIMIT]);

/* Take or give back a range. Inserting asserts that the range is free. O(ranges) / O(1). */
void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t first, uint32_t count);
void segment_remove(struct segment_map *map, uint32_t owner);

/* Best fit: the smallest hole that can hold the request; the first (last if from the end) among equals.
 * False: no hole fits. Changes nothing. O(ranges). */
bool segment_find_hole(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                       uint32_t *first);

/* The place whose present owners hurt least: over all runs of neighbouring ranges that may leave, the one
 * with the lowest highest rank, then the fewest pages lost. False: no such place exists in the segment, whatever
 * were evicted. `rank` returns that highest rank. Changes nothing. O(ranges * ranges in the widest run). */
bool segment_find_window(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                         const struct segment_judge *judge, uint32_t *first, uint64_t *rank);

/* The owner of the lowest range of segment `id` that ends after `page`, or SEGMENT_NO_OWNER. */
uint32_t segment_owner_from(const struct segment_map *map, uint32_t id, uint32_t page);

/* Validator: ranges inside their segments, in order, disjoint, counts right. */
bool segment_check(const struct segment_map *map);

#endif
