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
    }
    for (uint32_t owner = 0; owner < ALLOCATION_LIMIT; owner++) map->where[owner] = 0;
}

void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t first, uint32_t count)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && owner < ALLOCATION_LIMIT);
    ASSERT(map->where[owner] == 0u && count > 0u);
    struct segment *segment = &map->segment[id - 1u];
    ASSERT(first <= segment->pages && count <= segment->pages - first);

    uint32_t before = SEGMENT_NO_OWNER, after = segment->head;
    while (after != SEGMENT_NO_OWNER && map->first[after] < first) {
        before = after;
        after = map->next[after];
    }
    ASSERT(before == SEGMENT_NO_OWNER || end_of(map, before) <= first);
    ASSERT(after == SEGMENT_NO_OWNER || first + count <= map->first[after]);

    map->first[owner] = (uint16_t)first;
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
    struct segment *segment = &map->segment[map->where[owner] - 1u];
    uint32_t before = map->previous[owner], after = map->next[owner];
    if (before == SEGMENT_NO_OWNER) segment->head = (uint16_t)after;
    else map->next[before] = (uint16_t)after;
    if (after != SEGMENT_NO_OWNER) map->previous[after] = (uint16_t)before;
    map->where[owner] = 0;
    segment->used_pages = (uint16_t)(segment->used_pages - map->count[owner]);
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

bool segment_find_hole(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                       uint32_t *first)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && request->pages > 0u);
    ASSERT(is_power_of_two(request->alignment_pages));
    const struct segment *segment = &map->segment[id - 1u];
    uint32_t best_pages = UINT32_MAX, low = 0, owner = segment->head;
    bool is_last = false;
    while (!is_last) {
        is_last = owner == SEGMENT_NO_OWNER;
        uint32_t high = is_last ? segment->pages : map->first[owner];
        uint32_t place;
        bool is_better = high - low < best_pages || (request->is_from_end && high - low == best_pages);
        if (is_better && place_in_run(request, low, high, &place)) {
            best_pages = high - low;
            *first = place;
        }
        if (!is_last) {
            low = end_of(map, owner);
            owner = map->next[owner];
        }
    }
    return best_pages != UINT32_MAX;
}

bool segment_find_window(const struct segment_map *map, uint32_t id, const struct segment_request *request,
                         const struct segment_judge *judge, uint32_t *first, uint64_t *rank)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && request->pages > 0u);
    const struct segment *segment = &map->segment[id - 1u];
    uint64_t best_rank = UINT64_MAX;
    uint32_t best_lost = UINT32_MAX;
    bool is_found = false;
    for (uint32_t start = segment->head; start != SEGMENT_NO_OWNER; start = map->next[start]) {
        /* Let `start` leave, then its upper neighbours one by one, until the request fits. */
        uint32_t low = map->previous[start] == SEGMENT_NO_OWNER ? 0u : end_of(map, map->previous[start]);
        uint64_t highest = 0;
        uint32_t lost = 0;
        for (uint32_t owner = start; owner != SEGMENT_NO_OWNER; owner = map->next[owner]) {
            uint64_t owner_rank;
            if (!judge->may_leave(judge->context, owner, &owner_rank)) break;
            if (owner_rank > highest) highest = owner_rank;
            lost += map->count[owner];
            if (highest > best_rank || (highest == best_rank && lost > best_lost)) break;
            uint32_t after = map->next[owner], place;
            uint32_t high = after == SEGMENT_NO_OWNER ? segment->pages : map->first[after];
            if (!place_in_run(request, low, high, &place)) continue;
            if (!is_found || highest < best_rank || lost < best_lost || request->is_from_end) {
                is_found = true;
                best_rank = highest;
                best_lost = lost;
                *first = place;
            }
            break;
        }
    }
    *rank = best_rank;
    return is_found;
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
            end = end_of(map, owner);
            used += map->count[owner];
            previous = owner;
            owners_seen++;
        }
        if (used != segment->used_pages) return false;
    }
    return owners_seen == owners_placed;
}
