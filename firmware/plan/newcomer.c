/* SPDX-License-Identifier: Apache-2.0
 *
 * To bring one allocation in, the segments it may use are tried in order of preference, first for a hole (best fit),
 * then for the room that costs least (room.c). Only those who stand in the newcomer's place are evicted, so no eviction
 * happens that does not make room, and a place is found whenever one exists.
 */
#include "plan/newcomer.h"

#include "memory/bank.h"
#include "plan/commit.h"
#include "plan/room.h"

/* ------------------------------------------------------------------ where it may go */

struct candidate {
    uint32_t id;
    bool is_from_end;
};

/* Segments in the order in which they are tried: preferences that suit the use, then the rest of the set. */
static uint32_t list_candidates(const struct allocation *entry, uint32_t set,
                                struct candidate list[PREFERENCE_COUNT + SEGMENT_LIMIT])
{
    bool from_end = (entry->flags & ALLOCATION_FROM_END) != 0u;
    uint32_t count = 0, seen = 0;
    for (uint32_t left = entry->preferred; left != 0u; left >>= PREFERENCE_BITS) {
        uint32_t field = left & ((1u << PREFERENCE_BITS) - 1u);
        uint32_t id = field & (PREFERENCE_FROM_END - 1u);
        if (id == 0u || (set >> (id - 1u) & 1u) == 0u) continue;
        list[count++] = (struct candidate){id, (field & PREFERENCE_FROM_END) != 0u};
        seen |= 1u << (id - 1u);
    }
    for (uint32_t id = 1, left = set & ~seen; left != 0u; id++, left >>= 1)
        if ((left & 1u) != 0u) list[count++] = (struct candidate){id, from_end};
    return count;
}

bool newcomer_estimate(struct residency *residency, struct room_loss *lost, bool *takes_spared)
{
    struct room_rules rules = {.keeps = MARK_KEPT | MARK_GROUP | MARK_BOUND, .limit = UINT64_MAX};
    const struct segment_request request = {residency->short_pages, 1, false};
    struct room room;
    if (residency->short_pages == 0u) return false;
    while (!room_find(residency, residency->short_id, &request, &rules, &room))
        if (!room_search_harder(residency, &rules)) return false;
    *lost = room_loss(residency, &room, &request);
    *takes_spared = rules.takes_spared;
    return true;
}

/* Beside the newcomer placed last: where room was made for several, that is the next one's. */
static bool find_beside(const struct residency *residency, uint32_t id, const struct segment_request *request,
                        struct segment_place *place)
{
    const struct segment_map *map = &residency->map;
    const uint32_t last = residency->placed_last;
    if (last == SEGMENT_NO_OWNER || map->link[last].where != id) return false;
    place->before = request->is_from_end ? map->previous[last] : last;
    const uint32_t after = request->is_from_end ? last : map->link[last].next;
    return segment_fits_between(map, id, request, place->before, after, &place->first);
}

static void note_place(struct residency *residency, uint32_t allocation)
{
    const uint32_t last = residency->placed_last;
    if (last == SEGMENT_NO_OWNER) return;
    bool is_beside = residency->map.previous[allocation] == last || residency->map.link[allocation].next == last;
    if (is_beside) residency->placed_last = allocation;
}

static bool find_hole(struct residency *residency, uint32_t id, const struct segment_request *request,
                      struct segment_place *place)
{
    struct segment_map *map = &residency->map;
    if (find_beside(residency, id, request, place)) return true;
    if (!segment_find_hole(map, id, request, place)) return false;
    uint32_t after = place->before == SEGMENT_NO_OWNER ? map->segment[id - 1u].head : map->link[place->before].next;
    return room_place_between(residency, id, request, place->before, after, &place->first);
}

/* The cheapest room in any of the candidates; *rules says in the end who may leave. */
static bool find_best_room(struct residency *residency, const struct candidate *list, uint32_t count,
                           struct segment_request *request, struct room_rules *rules, struct room *best)
{
    best->id = 0;
    do
        for (uint32_t i = 0; i < count; i++) {
            struct room room;
            request->is_from_end = list[i].is_from_end;
            if (!room_find(residency, list[i].id, request, rules, &room)) continue;
            if (room.cost < rules->limit) *best = room;
            rules->limit = best->cost;
        }
    while (best->id == 0u && room_search_harder(residency, rules));
    return best->id != 0u;
}

/* Pages of those who have to come next in this portion, too, and may go where this one goes. */
static uint32_t pages_ahead(const struct residency *residency, uint32_t id)
{
    const uint32_t used = residency->portion_pages;
    uint32_t pages = 0, left = residency->portion_limit > used ? residency->portion_limit - used : 0u;
    left = min_u32(left, residency->map.segment[id - 1u].pages / 4u);
    for (uint32_t i = residency->ahead_first; i < residency->ahead_end; i++) {
        const struct patch *patch = &residency->ahead[i];
        if (patch->allocation == PATCH_NULL || residency->map.link[patch->allocation].where != 0u) continue;
        if (residency->next_use[patch->allocation] != i) continue; /* counted already */
        const struct allocation *entry = &residency->table.entry[patch->allocation];
        uint32_t set = allocation_segments(&residency->table, patch->allocation, (patch->flags & PATCH_WRITE) != 0u);
        if ((set >> (id - 1u) & 1u) == 0u || entry->alignment_pages_log2 != 0u || entry->pages > left) break;
        pages += entry->pages;
        left -= entry->pages;
    }
    return pages;
}

/* A place that was made, and what its segment's hole limit was before. */
struct made_place {
    uint32_t id, hole_limit;
    struct segment_place place;
};

static void begin_place(const struct residency *residency, uint32_t id, struct made_place *made)
{
    made->id = id;
    made->hole_limit = residency->map.segment[id - 1u].hole_limit;
}

/* Room for the newcomer and for those who come next, in the segment where a page of it costs least: what a search takes
 * hardly depends on what is searched for. False: nothing is planned. */
static bool make_room_ahead(struct residency *residency, const struct candidate *list, uint32_t count,
                            const struct segment_request *request, struct made_place *made)
{
    const struct room_rules rules = {.keeps = MARK_ANY, .is_near = true, .limit = UINT64_MAX};
    uint64_t least = UINT64_MAX;
    uint32_t pages = 0;
    struct room best;
    const struct candidate *to = NULL;
    if (request->alignment_pages != 1u) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t ahead = pages_ahead(residency, list[i].id);
        const struct segment_request wide = {request->pages + ahead, 1, list[i].is_from_end};
        struct room room;
        if (ahead == 0u) continue;
        residency->is_single = true; /* unless there is such a room */
        if (!room_find(residency, list[i].id, &wide, &rules, &room)) continue;
        const uint64_t cost = (room.cost >> 32) << 32 | (uint32_t)room.cost / wide.pages;
        if (cost >= least) continue;
        least = cost;
        best = room;
        pages = ahead;
        to = &list[i];
    }
    if (to == NULL) return false;
    residency->is_single = false;
    const struct segment_request wide = {request->pages + pages, 1, to->is_from_end};
    begin_place(residency, to->id, made);
    (void)room_clear(residency, &best, &wide, &made->place);
    if (to->is_from_end) made->place.first += pages;
    residency->short_pages += pages;
    return true;
}

/* Room for the newcomer alone, in the cheapest of the candidates. */
static bool make_room(struct residency *residency, const struct candidate *list, uint32_t count, bool is_pressing,
                      struct segment_request *request, struct made_place *made)
{
    struct room_rules rules = {.keeps = MARK_ANY,
                               .is_pressing = is_pressing,
                               .may_slide = residency->policy == (uint32_t)POLICY_LOOKAHEAD,
                               .limit = UINT64_MAX};
    struct room best;
    if (!find_best_room(residency, list, count, request, &rules, &best)) return false;
    begin_place(residency, best.id, made);
    if (room_clear(residency, &best, request, &made->place)) return true;
    rules.may_slide = false;
    rules.limit = UINT64_MAX;
    return room_find(residency, best.id, request, &rules, &best) && room_clear(residency, &best, request, &made->place);
}

static bool place(struct residency *residency, uint32_t allocation, uint32_t set, bool is_pressing)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    struct candidate list[PREFERENCE_COUNT + SEGMENT_LIMIT];
    if (residency->fail_step != 0u && ++residency->steps >= residency->fail_step) return false;
    const uint32_t count = list_candidates(entry, set, list);
    struct segment_request request = {entry->pages, 1u << entry->alignment_pages_log2, false};
    for (uint32_t i = 0; i < count; i++) {
        struct segment_place place;
        request.is_from_end = list[i].is_from_end;
        if (!bank_find_hole(&residency->table, entry, &residency->map, list[i].id, &place) &&
            !find_hole(residency, list[i].id, &request, &place))
            continue;
        residency_plan_arrival(residency, allocation, list[i].id, &place);
        note_place(residency, allocation);
        return true;
    }
    struct made_place made;
    const bool is_together = residency->is_hurried && !residency->is_single && count != 0u && !is_pressing;
    if (is_together && make_room_ahead(residency, list, count, &request, &made)) residency->placed_last = allocation;
    else if (!make_room(residency, list, count, is_pressing, &request, &made)) return false;
    residency_plan_arrival(residency, allocation, made.id, &made.place);
    residency->short_pages += entry->pages;
    residency->short_id = made.id;
    segment_lower_hole_limit(&residency->map, allocation, max_u32(made.hole_limit, residency->slide_gap));
    return true;
}

bool newcomer_require(struct residency *residency, uint32_t allocation, bool is_pressing)
{
    ASSERT(allocation < ALLOCATION_LIMIT && residency->mark[allocation] != 0u);
    bool is_written = (residency->mark[allocation] & MARK_WRITE) != 0u;
    uint32_t set = allocation_segments(&residency->table, allocation, is_written);
    uint32_t where = residency->map.link[allocation].where;
    if (where != 0u && (set >> (where - 1u) & 1u) != 0u) return true;

    /* It sits where this use is not allowed: it must move, unless its address is already loaded or the
     * plan itself has put it there. */
    const uint32_t dropped = (uint32_t)ALLOCATION_DOOMED | (uint32_t)ALLOCATION_LOST;
    ASSERT((residency->table.entry[allocation].flags & dropped) != dropped); /* dead, and needed after all? */
    uint32_t count = residency->journal_count;
    if (where != 0u) {
        const struct allocation *entry = &residency->table.entry[allocation];
        bool is_placed_by_plan = residency_is_planned(residency, allocation);
        if (is_placed_by_plan || (residency->mark[allocation] & MARK_KEPT) != 0u) return false;
        if ((entry->flags & ALLOCATION_PINNED) != 0u) return false;
        residency_plan_eviction(residency, allocation);
    }
    uint32_t without = residency->journal_count;
    if (place(residency, allocation, set, is_pressing)) {
        if (commit_meet_limit(residency, is_pressing)) return true;
        residency_rollback(residency, without);
        set &= ~residency->table.aperture_set; /* no room under the apertures' common limit */
        if (set != 0u && place(residency, allocation, set, is_pressing)) return true;
    }
    residency_rollback(residency, count);
    return false;
}
