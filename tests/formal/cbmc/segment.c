/* SPDX-License-Identifier: Apache-2.0
 * A place in a free run of a segment, for every size, alignment and end; then a range put between any two neighbours
 * where that says, and taken out again: inside the run, aligned, and the ends are as they were.
 * cbmc: -DBEFORE=1 -DAFTER=3 --unwind 4 --unsigned-overflow-check
 * cbmc: -DBEFORE=3 -DAFTER=NONE --unwind 4 --unsigned-overflow-check
 */
#include "cbmc.h"
#include "memory/segment.c"

enum { BELOW = 1, NEW = 2, ABOVE = 3, NONE = 32, ID = 1 };

int main(void)
{
    static struct segment_link link[NONE + 1];
    static uint16_t previous[NONE];
    static uint32_t residents[2 + NONE / 32]; /* an index_set */
    static struct segment_map map = {
        .link = link, .previous = previous, .none = NONE, .residents = (struct index_set *)(residents + 1)};
    struct segment *segment = &map.segment[ID - 1];
    struct segment_request request = {nondet_u32(), 0, nondet_bool()};
    const uint32_t log2 = nondet_u32();
    ASSUME(log2 <= 12u && request.pages >= 1u && request.pages <= UINT16_MAX); /* as allocation_create leaves them */
    request.alignment_pages = 1u << log2;
    segment->pages = nondet_u16();
    struct segment_link *below = &map.link[BELOW], *above = &map.link[ABOVE];
    *below = (struct segment_link){ABOVE, nondet_u8(), ID, nondet_u16(), nondet_u16()};
    *above = (struct segment_link){NONE, nondet_u8(), ID, nondet_u16(), nondet_u16()};
    map.previous[BELOW] = NONE, map.previous[ABOVE] = BELOW;
    segment->head = BELOW, segment->tail = ABOVE, segment->packed = NONE;
    segment->hole_limit = nondet_u16();
    ASSUME(below->count >= 1u && above->count >= 1u && (uint32_t)below->first + below->count <= above->first);
    ASSUME((uint32_t)above->first + above->count <= segment->pages);
    segment->used_pages = (uint16_t)(below->count + above->count);
    const uint32_t used = segment->used_pages;
    struct segment_place place = {0, BEFORE};
    const uint32_t after = AFTER;
    if (!segment_fits_between(&map, ID, &request, place.before, after, &place.first)) return 0;
    const uint32_t low = run_start(&map, place.before), high = run_end(&map, ID, after);
    PROVE(place.first >= low && place.first + request.pages <= high && high <= segment->pages);
    PROVE((place.first & (request.alignment_pages - 1u)) == 0u);
    segment_insert(&map, ID, NEW, request.pages, &place);
    PROVE(map.link[NEW].first == place.first && map.link[NEW].count == request.pages && map.link[NEW].where == ID);
    PROVE(map.link[BEFORE].next == NEW && map.previous[NEW] == BEFORE && map.link[NEW].next == after);
    PROVE(segment->used_pages == used + request.pages && segment->used_pages <= segment->pages);
    segment_remove(&map, NEW);
    PROVE(segment->used_pages == used && segment->head == BELOW && segment->tail == ABOVE && map.link[NEW].where == 0u);
    PROVE(segment->hole_limit >= high - low);
    return 0;
}
