/* SPDX-License-Identifier: Apache-2.0
 *
 * Range allocator of the segments: an address-ordered list of used ranges, holes are what lies between.
 * Lists are short (residents of a segment) and every search is a walk, so the bound is plain to see; no
 * state depends on history, which is what makes planning and undoing exact.
 */
#include "segment.h"

/* ------------------------------------------------------------------ lists */

static uint32_t end_of(const struct segment_map *map, uint32_t owner)
{
    return (uint32_t)map->first[owner] + map->count[owner];
}

void segment_map_init(struct segment_map *map, const uint16_t pages[SEGMENT_LIMIT])
{
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        map->segment[i].pages = pages[i];
        map->segment[i].used_pages = 0;
        map->segment[i].head = SEGMENT_NO_OWNER;
        map->segment[i].hole_limit = pages[i];
    }
    for (uint32_t owner = 0; owner < ALLOCATION_LIMIT; owner++) map->where[owner] = 0;
}

static uint32_t owner_after(const struct segment_map *map, uint32_t id, uint32_t owner)
{
    return owner == SEGMENT_NO_OWNER ? map->segment[id - 1u].head : map->next[owner];
}

/* The free run between two neighbours, either of which may be the segment's end. */
static uint32_t run_start(const struct segment_map *map, uint32_t before)
{
    return before == SEGMENT_NO_OWNER ? 0u : end_of(map, before);
}

static uint32_t run_end(const struct segment_map *map, uint32_t id, uint32_t after)
{
    return after == SEGMENT_NO_OWNER ? map->segment[id - 1u].pages : map->first[after];
}

void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t count,
                    const struct segment_place *place)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && owner < ALLOCATION_LIMIT);
    ASSERT(map->where[owner] == 0u && count > 0u);
    struct segment *segment = &map->segment[id - 1u];
    uint32_t before = place->before, after = owner_after(map, id, before);
    ASSERT(before == SEGMENT_NO_OWNER || map->where[before] == id);
    ASSERT(run_start(map, before) <= place->first);
    ASSERT(place->first <= run_end(map, id, after) && count <= run_end(map, id, after) - place->first);

    map->first[owner] = (uint16_t)place->first;
    map->count[owner] = (uint16_t)count;
    map->where[owner] = (uint8_t)id;
    map->next[owner] = (uint16_t)after;
    map->previous[owner] = (uint16_t)before;
    if (before == SEGMENT_NO_OWNER) segment->head = (uint16_t)owner;
    else map->next[before] = (uint16_t)owner;
    if (after != SEGMENT_NO_OWNER) map->previous[after] = (uint16_t)owner;
    segment->used_pages = (uint16_t)(segment->used_pages + count);
}

void segment_remove(struct segment_map *map, uint32_t owner)
{
    ASSERT(owner < ALLOCATION_LIMIT && map->where[owner] != 0u);
    uint32_t id = map->where[owner];
    struct segment *segment = &map->segment[id - 1u];
    uint32_t before = map->previous[owner], after = map->next[owner];
    if (before == SEGMENT_NO_OWNER) segment->head = (uint16_t)after;
    else map->next[before] = (uint16_t)after;
    if (after != SEGMENT_NO_OWNER) map->previous[after] = (uint16_t)before;
    map->where[owner] = 0;
    segment->used_pages = (uint16_t)(segment->used_pages - map->count[owner]);
    segment->hole_limit =
        (uint16_t)max_u32(segment->hole_limit, run_end(map, id, after) - run_start(map, before));
}

struct segment_place segment_place_at(const struct segment_map *map, uint32_t id, uint32_t first)
{
    uint32_t before = SEGMENT_NO_OWNER, after = map->segment[id - 1u].head;
    while (after != SEGMENT_NO_OWNER && map->first[after] < first) {
        before = after;
        after = map->next[after];
    }
    return (struct segment_place){first, before};
}

uint32_t segment_owner_from(const struct segment_map *map, uint32_t id, uint32_t page)
{
    uint32_t owner = map->segment[id - 1u].head;
    while (owner != SEGMENT_NO_OWNER && end_of(map, owner) <= page) owner = map->next[owner];
    return owner;
}

/* ------------------------------------------------------------------ searches */

/* Where the request goes inside the free run [low, high); false when it does not fit. */
static bool place_in_run(const struct segment_request *request, uint32_t low, uint32_t high, uint32_t *first)
{
    uint32_t lowest = align_up(low, request->alignment_pages);
    if (lowest > high || request->pages > high - lowest) return false;
    *first = request->is_from_end ? align_down(high - request->pages, request->alignment_pages) : lowest;
    return true;
}

bool segment_fits_between(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                          uint32_t before, uint32_t after, uint32_t *first)
{
    return place_in_run(request, run_start(map, before), run_end(map, id, after), first);
}

bool segment_find_hole(struct segment_map *map, uint32_t id, const struct segment_request *request,
                       struct segment_place *place)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && request->pages > 0u);
    ASSERT(is_power_of_two(request->alignment_pages));
    struct segment *segment = &map->segment[id - 1u];
    const uint32_t pages = request->pages;
    if (pages > segment->hole_limit || pages > (uint32_t)segment->pages - segment->used_pages) return false;
    /* The one loop over all residents: kept short. */
    uint32_t best = UINT32_MAX, largest = 0, low = 0, before = SEGMENT_NO_OWNER, owner = segment->head;
    for (;;) {
        uint32_t high = owner == SEGMENT_NO_OWNER ? segment->pages : map->first[owner];
        uint32_t hole = high - low, first;
        if (hole > largest) largest = hole;
        if (hole >= pages && (hole < best || (request->is_from_end && hole == best)) &&
            place_in_run(request, low, high, &first)) {
            best = hole;
            *place = (struct segment_place){first, before};
            if (hole == pages && !request->is_from_end) return true; /* it cannot be better */
        }
        if (owner == SEGMENT_NO_OWNER) break;
        low = high + map->count[owner];
        before = owner;
        owner = map->next[owner];
    }
    segment->hole_limit = (uint16_t)largest;
    return best != UINT32_MAX;
}

void segment_lower_hole_limit(struct segment_map *map, uint32_t owner, uint32_t limit)
{
    uint32_t id = map->where[owner];
    uint32_t below = map->first[owner] - run_start(map, map->previous[owner]);
    uint32_t above = run_end(map, id, map->next[owner]) - end_of(map, owner);
    map->segment[id - 1u].hole_limit = (uint16_t)max_u32(limit, max_u32(below, above));
}

/* ------------------------------------------------------------------ validator */

bool segment_check(const struct segment_map *map)
{
    uint32_t owners_seen = 0, owners_placed = 0;
    for (uint32_t owner = 0; owner < ALLOCATION_LIMIT; owner++) owners_placed += map->where[owner] != 0u;
    for (uint32_t id = 1; id <= SEGMENT_LIMIT; id++) {
        const struct segment *segment = &map->segment[id - 1u];
        uint32_t previous = SEGMENT_NO_OWNER, end = 0, used = 0;
        for (uint32_t owner = segment->head; owner != SEGMENT_NO_OWNER; owner = map->next[owner]) {
            if (owner >= ALLOCATION_LIMIT || owners_seen >= ALLOCATION_LIMIT) return false;
            if (map->where[owner] != id || map->previous[owner] != previous || map->count[owner] == 0u) return false;
            if (map->first[owner] < end || end_of(map, owner) > segment->pages) return false;
            if (map->first[owner] - end > segment->hole_limit) return false;
            end = end_of(map, owner);
            used += map->count[owner];
            previous = owner;
            owners_seen++;
        }
        if (used != segment->used_pages || segment->pages - end > segment->hole_limit) return false;
    }
    return owners_seen == owners_placed;
}
