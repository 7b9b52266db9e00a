/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pages of which segment belong to which allocation: one map for all segments, memory and aperture.
 *
 * The map is a list of used ranges per segment, in address order. Its nodes are indexed by owner, because an
 * allocation is in at most one segment (SEG-21). It does not know content, time or the GPU. During planning it is
 * ahead of the allocation table: it says where things will be. All sizes and places are pages.
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
    uint16_t head, tail; /* owners of the lowest and the highest range, or `none` */
    uint16_t hole_limit; /* no hole is larger than this */
    uint16_t packed;     /* no hole is below this owner's range; `none`: unknown */
};

/* A range in its segment's list, with what a search reads when it passes. */
struct segment_link {
    uint16_t next;         /* owner of the next higher range, or `none` */
    uint8_t gap;           /* free pages below the range, at most GAP_MANY */
    uint8_t where;         /* segment id, 0 = nowhere */
    uint16_t first, count; /* pages */
};

struct segment_map {
    struct segment_link *link; /* by owner. One more at the end ends a walk */
    uint16_t *previous;        /* by owner: owner of the next lower range, or `none` */
    uint32_t none;             /* number of owners there can be; means no owner */
    struct index_set *residents;
    struct segment segment[SEGMENT_LIMIT]; /* [id - 1] */
};

/* What a search asks for. */
struct segment_request {
    uint32_t pages;
    uint32_t alignment_pages; /* power of two */
    bool is_from_end;         /* the highest place instead of the lowest */
};

/* A place: the range starts at page `first`, after the range of `before` (`none`: it is the lowest). */
struct segment_place {
    uint32_t first, before;
};

void segment_map_init(struct segment_map *map, struct tables *tables, const uint16_t pages[SEGMENT_LIMIT]);

/* Take or give back a range. Taking asserts that the range is free and that `before` is right. O(1). */
void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t count,
                    const struct segment_place *place);
void segment_remove(struct segment_map *map, uint32_t owner);

/* The place of a range that is known to be free, for segment_insert. O(ranges). */
struct segment_place segment_place_at(const struct segment_map *map, uint32_t id, uint32_t first);

/* Where does the request fit between two owners (`none`: the segment's end)? Owners between them count as gone.
 * False: it does not fit. O(1). */
bool segment_fits_between(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                          uint32_t before, uint32_t after, uint32_t *first);

/* Best fit: the smallest hole that holds the request. Among equal holes the first, or the last if from the end.
 * False: no hole fits.
 *
 * Cost: five instructions for each range after the packed ones, and about twenty more for each hole that is large
 * enough. O(1) if there are too few free pages, or if a search for as many has failed since the last release. */
bool segment_find_hole(struct segment_map *map, uint32_t id, const struct segment_request *request,
                       struct segment_place *place);

/* Room was made for `owner` and for nothing else since the segment's hole limit was `limit`. So only the holes
 * beside it can be larger. O(1). */
void segment_lower_hole_limit(struct segment_map *map, uint32_t owner, uint32_t limit);

/* The owner above `before` in segment `id`. Above `none`: the lowest. O(1). */
static inline uint32_t segment_owner_after(const struct segment_map *map, uint32_t id, uint32_t before)
{
    return before == map->none ? map->segment[id - 1u].head : map->link[before].next;
}

/* The page after the owner's range. */
static inline uint32_t segment_end(const struct segment_map *map, uint32_t owner)
{
    return (uint32_t)map->link[owner].first + map->link[owner].count;
}

/* First page, and the page after the last, between two owners of segment `id`; `none`: the segment's start or end.
 * O(1). */
static inline uint32_t segment_run_start(const struct segment_map *map, uint32_t before)
{
    return before == map->none ? 0u : segment_end(map, before);
}
static inline uint32_t segment_run_end(const struct segment_map *map, uint32_t id, uint32_t after)
{
    return after == map->none ? map->segment[id - 1u].pages : map->link[after].first;
}

/* Does the owner's range overlap `pages` pages from `first` on? */
static inline bool segment_is_in(const struct segment_map *map, uint32_t owner, uint32_t first, uint32_t pages)
{
    return segment_end(map, owner) > first && map->link[owner].first < first + pages;
}

/* The owner of the lowest range of segment `id` that ends after `page`, or `none`. O(ranges). */
uint32_t segment_owner_from(const struct segment_map *map, uint32_t id, uint32_t page);

/* For tests: ranges are inside their segments, in order and disjoint, and the counts are right. */
bool segment_check(const struct segment_map *map);

#endif
