/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pages of which segment belong to which allocation: one map for all segments, memory and aperture alike.
 *
 * The map is book-keeping outside the memory: a list of used ranges per segment in address order, its
 * nodes indexed by owner (an allocation is in at most one segment). It knows nothing of content, time or
 * the GPU. During planning it runs ahead of the allocation table: it says where things are meant to be.
 */
#ifndef FIRMWARE_SEGMENT_H
#define FIRMWARE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "memory/tables.h"

enum { GAP_MANY = 0xff };

struct segment {
    uint16_t pages;
    uint16_t used_pages;
    uint16_t head, tail; /* owners of the lowest and the highest range, or `none` of the map */
    uint16_t hole_limit; /* no hole is larger than this */
    uint16_t packed;     /* no hole lies below this owner's range or a lower one; `none`: not known */
};

/* A range in its segment's list, together what a search passing over it has to look at. */
struct segment_link {
    uint16_t next;         /* owner of the next higher range, or `none` of the map */
    uint8_t gap;           /* free pages below the range, GAP_MANY for as many or more */
    uint8_t where;         /* segment id, 0 = nowhere */
    uint16_t first, count; /* pages */
};

struct segment_map {
    struct segment_link *link; /* by owner; behind them one of no allocation, which ends a walk */
    uint16_t *previous;        /* by owner: that of the next lower range, or `none` */
    uint32_t none;             /* stands for no owner: how many there can be */
    struct index_set *residents;
    struct segment segment[SEGMENT_LIMIT]; /* [id - 1] */
};

/* What a search asks for. */
struct segment_request {
    uint32_t pages;
    uint32_t alignment_pages; /* power of two */
    bool is_from_end;         /* highest place instead of lowest */
};

/* A place for it: the range starts at page `first`, next above owner `before` (`none` of the map: lowest). */
struct segment_place {
    uint32_t first, before;
};

void segment_map_init(struct segment_map *map, struct tables *tables, const uint16_t pages[SEGMENT_LIMIT]);

/* Take or give back a range. Taking asserts that the range is free and `before` right. O(1). */
void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t count,
                    const struct segment_place *place);
void segment_remove(struct segment_map *map, uint32_t owner);

/* The place of a range that is known to be free, for taking it. O(ranges). */
struct segment_place segment_place_at(const struct segment_map *map, uint32_t id, uint32_t first);

/* Where the request goes inside the free run between two owners (`none`: the segment's end); false
 * when it does not fit. The owners between them are taken as gone. O(1). */
bool segment_fits_between(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                          uint32_t before, uint32_t after, uint32_t *first);

/* Best fit: the smallest hole that can hold the request; the first (last if from the end) among equals.
 * False: no hole fits. Five instructions per range behind those that are packed and twenty-odd per hole that is large
 * enough; O(1) when there are too few free pages or a search for as many has failed since the last release. */
bool segment_find_hole(struct segment_map *map, uint32_t id, const struct segment_request *request,
                       struct segment_place *place);

/* Room was made for `owner` and for nothing else since the segment's hole limit was `limit`: then only the
 * holes beside it can be larger than that. O(1). */
void segment_lower_hole_limit(struct segment_map *map, uint32_t owner, uint32_t limit);

/* The owner above another of segment `id`; above `none`, the lowest. O(1). */
static inline uint32_t segment_owner_after(const struct segment_map *map, uint32_t id, uint32_t before)
{
    return before == map->none ? map->segment[id - 1u].head : map->link[before].next;
}

/* The page behind the owner's range. */
static inline uint32_t segment_end(const struct segment_map *map, uint32_t owner)
{
    return (uint32_t)map->link[owner].first + map->link[owner].count;
}

/* The first page, and the one behind the last, of what lies between two owners of segment `id`, or an owner and the
 * segment's end (`none`). O(1). */
static inline uint32_t segment_run_start(const struct segment_map *map, uint32_t before)
{
    return before == map->none ? 0u : segment_end(map, before);
}
static inline uint32_t segment_run_end(const struct segment_map *map, uint32_t id, uint32_t after)
{
    return after == map->none ? map->segment[id - 1u].pages : map->link[after].first;
}

/* Does the owner's range have one of the `pages` from `first` on? */
static inline bool segment_is_in(const struct segment_map *map, uint32_t owner, uint32_t first, uint32_t pages)
{
    return segment_end(map, owner) > first && map->link[owner].first < first + pages;
}

/* The owner of the lowest range of segment `id` that ends after `page`, or `none`. */
uint32_t segment_owner_from(const struct segment_map *map, uint32_t id, uint32_t page);

/* Validator: ranges inside their segments, in order, disjoint, counts right. */
bool segment_check(const struct segment_map *map);

#endif
