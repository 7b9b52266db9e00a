/* SPDX-License-Identifier: Apache-2.0
 *
 * Range allocator of the segments: an address-ordered list of used ranges, holes are what lies between. Every search
 * is a walk over the list, so the bound is plain to see; no result depends on history, which is what makes planning and
 * undoing exact. What is known of the list only shortens a walk: no hole is larger than hole_limit, and none lies below
 * `packed`. The walk of segment_find_hole reads a byte and a link of each range: five instructions.
 */
#include "memory/segment.h"

/* ------------------------------------------------------------------ lists */

void segment_map_init(struct segment_map *map, struct tables *tables, const uint16_t pages[SEGMENT_LIMIT])
{
    const uint32_t limit = tables->limits.allocations;
    map->none = limit;
    map->residents = tables_take_set(tables);
    map->link = tables_take(tables, (limit + 1u) * (uint32_t)sizeof *map->link);
    map->previous = tables_take(tables, limit * (uint32_t)sizeof *map->previous);
    if (tables->is_short) return;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        map->segment[i].pages = pages[i];
        map->segment[i].used_pages = 0;
        map->segment[i].head = map->segment[i].tail = narrow_u16(map->none);
        map->segment[i].hole_limit = pages[i];
        map->segment[i].packed = narrow_u16(map->none);
    }
    map->link[limit] = (struct segment_link){.next = narrow_u16(limit), .gap = GAP_MANY};
}

/* From now on the two are neighbours, with a hole or none between them. Either may be the segment's end. */
__attribute__((noinline)) static void join(struct segment_map *map, uint32_t id, uint32_t before, uint32_t after)
{
    struct segment *segment = &map->segment[id - 1u];
    if (before == map->none) segment->head = (uint16_t)after;
    else map->link[before].next = (uint16_t)after;
    if (after == map->none) {
        segment->tail = (uint16_t)before;
        return;
    }
    map->previous[after] = (uint16_t)before;
    map->link[after].gap = (uint8_t)min_u32(map->link[after].first - segment_run_start(map, before), GAP_MANY);
}

void segment_insert(struct segment_map *map, uint32_t id, uint32_t owner, uint32_t count,
                    const struct segment_place *place)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && owner < map->none);
    ASSERT(map->link[owner].where == 0u && count > 0u);
    struct segment *segment = &map->segment[id - 1u];
    uint32_t before = place->before, after = segment_owner_after(map, id, before);
    ASSERT(before == map->none || map->link[before].where == id);
    ASSERT(segment_run_start(map, before) <= place->first);
    ASSERT(place->first <= segment_run_end(map, id, after) && count <= segment_run_end(map, id, after) - place->first);

    map->link[owner].first = (uint16_t)place->first;
    map->link[owner].count = (uint16_t)count;
    map->link[owner].where = (uint8_t)id;
    index_set_add(map->residents, owner);
    join(map, id, before, owner);
    join(map, id, owner, after);
    segment->used_pages = (uint16_t)(segment->used_pages + count);
}

void segment_remove(struct segment_map *map, uint32_t owner)
{
    ASSERT(owner < map->none && map->link[owner].where != 0u);
    uint32_t id = map->link[owner].where;
    struct segment *segment = &map->segment[id - 1u];
    uint32_t before = map->previous[owner], after = map->link[owner].next;
    const uint32_t packed = segment->packed;
    if (packed != map->none && map->link[owner].first <= map->link[packed].first) segment->packed = (uint16_t)before;
    join(map, id, before, after);
    map->link[owner].where = 0;
    index_set_drop(map->residents, owner);
    segment->used_pages = (uint16_t)(segment->used_pages - map->link[owner].count);
    segment->hole_limit =
        (uint16_t)max_u32(segment->hole_limit, segment_run_end(map, id, after) - segment_run_start(map, before));
}

struct segment_place segment_place_at(const struct segment_map *map, uint32_t id, uint32_t first)
{
    uint32_t before = map->none, after = map->segment[id - 1u].head;
    while (after != map->none && map->link[after].first < first) {
        before = after;
        after = map->link[after].next;
    }
    return (struct segment_place){first, before};
}

uint32_t segment_owner_from(const struct segment_map *map, uint32_t id, uint32_t page)
{
    uint32_t owner = map->segment[id - 1u].head;
    while (owner != map->none && segment_end(map, owner) <= page) owner = map->link[owner].next;
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
    return place_in_run(request, segment_run_start(map, before), segment_run_end(map, id, after), first);
}

/* The next range from `owner` on with a hole of at least `gap` pages below it; map->none: none. */
static uint32_t next_with_gap(const struct segment_map *map, uint32_t owner, uint32_t gap)
{
    const struct segment_link *link = &map->link[owner];
    while (link->gap < gap) link = &map->link[link->next];
    return (uint32_t)(link - map->link);
}

/* The lowest range with a hole below it, or map->none. */
static uint32_t first_with_hole(struct segment_map *map, struct segment *segment)
{
    uint32_t packed = segment->packed;
    const struct segment_link *link = &map->link[packed == map->none ? segment->head : map->link[packed].next];
    for (; link->gap == 0u; link = &map->link[link->next]) packed = (uint32_t)(link - map->link);
    segment->packed = (uint16_t)packed;
    return (uint32_t)(link - map->link);
}

bool segment_find_hole(struct segment_map *map, uint32_t id, const struct segment_request *request,
                       struct segment_place *place)
{
    ASSERT(id >= 1u && id <= SEGMENT_LIMIT && request->pages > 0u);
    ASSERT(is_power_of_two(request->alignment_pages));
    struct segment *segment = &map->segment[id - 1u];
    const uint32_t pages = request->pages, gap = min_u32(pages, GAP_MANY);
    uint32_t best = UINT32_MAX, left = (uint32_t)segment->pages - segment->used_pages; /* in holes not looked at */
    if (pages > segment->hole_limit || pages > left) return false;
    for (uint32_t owner = first_with_hole(map, segment);; owner = map->link[owner].next) {
        owner = next_with_gap(map, owner, gap);
        bool is_last = owner == map->none;
        uint32_t before = is_last ? segment->tail : map->previous[owner], first;
        uint32_t low = segment_run_start(map, before), high = is_last ? segment->pages : map->link[owner].first;
        uint32_t hole = high - low;
        if ((hole < best || (request->is_from_end && hole == best)) && place_in_run(request, low, high, &first)) {
            best = hole;
            *place = (struct segment_place){first, before};
            if (best == pages && !request->is_from_end) return true; /* it cannot be better */
        }
        left -= hole;
        if (is_last || left < pages) break;
    }
    /* Holes that cannot be aligned are holes all the same. */
    if (best == UINT32_MAX && request->alignment_pages == 1u) segment->hole_limit = (uint16_t)(pages - 1u);
    return best != UINT32_MAX;
}

void segment_lower_hole_limit(struct segment_map *map, uint32_t owner, uint32_t limit)
{
    uint32_t id = map->link[owner].where;
    uint32_t below = map->link[owner].first - segment_run_start(map, map->previous[owner]);
    uint32_t above = segment_run_end(map, id, map->link[owner].next) - segment_end(map, owner);
    map->segment[id - 1u].hole_limit = (uint16_t)max_u32(limit, max_u32(below, above));
}

/* ------------------------------------------------------------------ validator */

bool segment_check(const struct segment_map *map)
{
    uint32_t owners_seen = 0, owners_placed = 0;
    for (uint32_t owner = 0; owner < map->none; owner++) {
        if (index_set_has(map->residents, owner) != (map->link[owner].where != 0u)) return false;
        owners_placed += map->link[owner].where != 0u;
    }
    for (uint32_t id = 1; id <= SEGMENT_LIMIT; id++) {
        const struct segment *segment = &map->segment[id - 1u];
        uint32_t previous = map->none, end = 0, used = 0;
        bool is_packed = segment->packed != map->none;
        for (uint32_t owner = segment->head; owner != map->none; owner = map->link[owner].next) {
            if (owner >= map->none || owners_seen >= map->none) return false;
            if (map->link[owner].where != id || map->previous[owner] != previous) return false;
            if (map->link[owner].count == 0u) return false;
            if (map->link[owner].first < end || segment_end(map, owner) > segment->pages) return false;
            if (map->link[owner].first - end > segment->hole_limit) return false;
            if (map->link[owner].gap != min_u32(map->link[owner].first - end, GAP_MANY)) return false;
            if (is_packed && map->link[owner].gap != 0u) return false;
            if (owner == segment->packed) is_packed = false;
            end = segment_end(map, owner);
            used += map->link[owner].count;
            previous = owner;
            owners_seen++;
        }
        if (is_packed || previous != segment->tail || used != segment->used_pages) return false;
        if (segment->pages - end > segment->hole_limit) return false;
    }
    return owners_seen == owners_placed;
}
