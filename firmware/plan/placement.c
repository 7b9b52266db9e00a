/* SPDX-License-Identifier: Apache-2.0
 *
 * To bring one allocation in, the segments it may use are tried in order of preference, those that the policy favours
 * before the others: first for a hole (best fit), then for the room that the policy makes (policy.h).
 */
#include "plan/placement.h"

#include "memory/bank.h"
#include "plan/commit.h"
#include "plan/limits.h"
#include "plan/policy.h"
#include "platform/turn.h"

/* Each preference once, and each segment that none names. */
enum { CANDIDATE_LIMIT = PREFERENCE_COUNT + SEGMENT_LIMIT };

/* Segments in the documents' order: preferences that suit the use, then the rest of the set. */
static uint32_t list_candidates(const struct allocation_table *table, uint32_t allocation, uint32_t set,
                                struct candidate list[CANDIDATE_LIMIT])
{
    const struct allocation *entry = &table->entry[allocation];
    bool from_end = (entry->flags & ALLOCATION_FROM_END) != 0u;
    uint32_t count = 0, seen = 0;
    for (uint32_t left = allocation_details(table, entry)->preferred; left != 0u; left >>= PREFERENCE_BITS) {
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

/* Those of the segments in `first` come first; the order stays otherwise. Returns how many they are. */
static uint32_t bring_forward(struct candidate *list, uint32_t count, uint32_t first)
{
    uint32_t front = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct candidate candidate = list[i];
        if ((first >> (candidate.id - 1u) & 1u) == 0u) continue;
        for (uint32_t k = i; k > front; k--) list[k] = list[k - 1u];
        list[front++] = candidate;
    }
    return front;
}

/* The policy makes room in one of these segments. As long as nothing has to leave nothing has to be known: it is told
 * what is queued from the first time on (splitter.c), and where that could not be seen to come, before the next plan.
 */
static bool ask_policy(struct residency *residency, const struct incoming *incoming, struct made_room *made)
{
    struct outlook *outlook = &residency->outlook;
    if ((outlook->news & NEWS_QUEUE) != 0u) outlook->future = FUTURE_STALE;
    outlook->news &= ~(uint32_t)NEWS_QUEUE;
    outlook->is_tight = true;
    return residency->policy->make_room(residency, &residency->policy_state, residency_planning(residency), incoming,
                                        made);
}

/* In a hole of one of these segments, or where the policy makes room in one of them. */
static bool place_in(struct residency *residency, uint32_t allocation, const struct candidate *list, uint32_t count,
                     bool is_pressing)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    struct segment_request request = {entry->pages,
                                      1u << residency->world.table.details[allocation].alignment_pages_log2, false};
    for (uint32_t i = 0; i < count; i++) {
        struct segment_place place;
        request.is_from_end = list[i].is_from_end;
        if (!bank_find_hole(&residency->world.table, entry, &residency->world.map, list[i].id, &place) &&
            !segment_find_hole(&residency->world.map, list[i].id, &request, &place))
            continue;
        residency_plan_arrival(residency, allocation, list[i].id, &place);
        return true;
    }
    const struct incoming incoming = {list, count, request.pages, request.alignment_pages, is_pressing};
    struct made_room made;
    if (count == 0u) return false;
    yield_if_late();
    if (!ask_policy(residency, &incoming, &made)) return false;
    residency_plan_arrival(residency, allocation, made.id, &made.place);
    segment_lower_hole_limit(&residency->world.map, allocation, made.hole_limit);
    return true;
}

/* First the segments where its client has room under its maximum, then those where allocations of its own make way. */
static bool place_within_limits(struct residency *residency, uint32_t allocation, const struct candidate *list,
                                uint32_t count, bool is_pressing)
{
    const uint32_t journal = residency->plan.journal_count;
    struct candidate allowed[CANDIDATE_LIMIT] = {{0}};
    uint32_t allowed_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (limits_allow(residency, allocation, list[i].id)) allowed[allowed_count++] = list[i];
    if (place_in(residency, allocation, allowed, allowed_count, is_pressing)) return true;
    bool is_over = allowed_count == 0u;
    for (uint32_t i = 0; i < count; i++) {
        const bool has_way = !limits_allow(residency, allocation, list[i].id) &&
                             limits_make_way(residency, allocation, list[i].id, is_pressing);
        if (has_way && place_in(residency, allocation, &list[i], 1, is_pressing)) return true;
        is_over = is_over && !has_way;
        residency_rollback(residency, journal);
    }
    enum hindrance *hindrance = &residency->plan.hindrance;
    if (is_over) *hindrance = HINDRANCE_MAXIMUM;
    else if (*hindrance != HINDRANCE_NONE || allowed_count < count || residency->plan.guarded != NULL)
        *hindrance = HINDRANCE_LIMIT;
    return false;
}

/* First where the policy favours it, then in the others; under pressure in all alike, whatever is a hole first. */
static bool place(struct residency *residency, uint32_t allocation, uint32_t set, bool is_pressing)
{
    struct candidate list[CANDIDATE_LIMIT];
    yield_if_late();
    if (residency->plan.fail_step != 0u && residency->plan.steps + 1u >= residency->plan.fail_step) return false;
    const uint32_t favoured = residency_favoured(residency, allocation, set);
    const uint32_t count = list_candidates(&residency->world.table, allocation, set, list);
    uint32_t front = favoured == set ? count : bring_forward(list, count, favoured);
    if (is_pressing) front = count;
    const bool is_placed =
        residency->world.limits != CLIENT_LIMITS_NONE
            ? place_within_limits(residency, allocation, list, count, is_pressing)
            : place_in(residency, allocation, list, front, is_pressing) ||
                  (front < count && place_in(residency, allocation, list + front, count - front, is_pressing));
    bit_clear(residency->policy_state.called_in, allocation);
    residency->plan.steps++;
    return is_placed;
}

/* There is no room under the apertures' common limit. */
static bool place_in_memory(struct residency *residency, uint32_t allocation, uint32_t set, bool is_pressing)
{
    set &= ~residency->world.table.aperture_set;
    return set != 0u && place(residency, allocation, set, is_pressing);
}

bool placement_require(struct residency *residency, uint32_t allocation, bool is_pressing)
{
    ASSERT(allocation < residency->world.table.limit && residency->plan.mark[allocation] != 0u);
    bool is_written = (residency->plan.mark[allocation] & MARK_WRITE) != 0u;
    uint32_t set = allocation_segments(&residency->world.table, allocation, is_written) & ~residency->plan.avoided_set;
    uint32_t where = residency->world.map.link[allocation].where;
    const bool is_allowed = where != 0u && (set >> (where - 1u) & 1u) != 0u;
    if (is_allowed && !residency_is_called_in(residency, allocation)) return true;

    /* It sits where this use is not allowed, or not wanted: it must move, unless its address is already loaded or the
     * plan itself has put it there. */
    const uint32_t dropped = (uint32_t)ALLOCATION_PENDING_DESTROY | (uint32_t)ALLOCATION_LOST;
    ASSERT((residency->world.table.entry[allocation].flags & dropped) != dropped); /* dead, and needed after all? */
    uint32_t count = residency->plan.journal_count;
    if (where != 0u) {
        const struct allocation *entry = &residency->world.table.entry[allocation];
        bool is_placed_by_plan = residency_is_planned(&residency->plan, allocation);
        const bool is_held =
            (residency->plan.mark[allocation] & MARK_KEPT) != 0u && residency->plan.group != STANDING_MOVES_BOUND;
        if (is_placed_by_plan || is_held) return is_allowed;
        if ((entry->flags & ALLOCATION_STAYS) != 0u) return is_allowed;
        residency_plan_eviction(residency, allocation);
    }
    uint32_t without = residency->plan.journal_count;
    if (place(residency, allocation, set, is_pressing)) {
        if (commit_meet_limit(residency, is_pressing)) return true;
        residency_rollback(residency, without);
        if (place_in_memory(residency, allocation, set, is_pressing)) return true;
    }
    residency_rollback(residency, count);
    return is_allowed;
}
