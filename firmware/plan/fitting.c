/* SPDX-License-Identifier: Apache-2.0
 *
 * A group is tried in list order, largest first, or by time (how long it stays bound), beside what is there or with
 * all taken out that may go; at last in every order (exact_fit.c). How one allocation finds its place is in
 * placement.c.
 */
#include "plan/fitting.h"

#include "plan/limits.h"
#include "plan/placement.h"
#include "platform/turn.h"
#include "plan/exact_fit.h"

/* The members, one after the other: those of the list, then those that are inherited, where they may move. */
static uint32_t member_count(const struct group *group, const struct residency *residency)
{
    return group->end - group->first + (residency->plan.group == STANDING_MOVES_BOUND ? (uint32_t)SLOT_LIMIT : 0u);
}

/* NULL: an unbind, or nothing is bound there. */
static const struct patch *member(const struct group *group, uint32_t i)
{
    const uint32_t count = group->end - group->first;
    const uint32_t entry = i < count ? group->first + i : group->carried[i - count];
    if (entry == SLOT_EMPTY || group->job->patches[entry].allocation == PATCH_NULL) return NULL;
    return &group->job->patches[entry];
}

static bool fit_in_order(const struct group *group, struct residency *residency, bool is_pressing)
{
    const uint32_t count = member_count(group, residency);
    for (uint32_t i = 0; i < count; i++) {
        const struct patch *patch = member(group, i);
        yield_in_loop(i + 1u);
        if (patch != NULL && !placement_require(residency, patch->allocation, is_pressing)) return false;
    }
    return true;
}

/* Largest first, or by time: what stays bound longest first, of equals the largest. By passes over these ranks; what
 * is resident already costs nothing to require. */
static bool fit_by_rank(const struct group *group, struct residency *residency, bool is_pressing, bool is_by_time)
{
    const struct job *job = group->job;
    const uint32_t count = member_count(group, residency);
    uint16_t soon[SLOT_LIMIT] = {0}; /* rows that are programmed again, the higher the sooner */
    if (is_by_time)
        for (uint32_t i = job->patch_count; i-- > group->end; yield_in_loop(i))
            soon[job->patches[i].slot] = (uint16_t)(job->patch_count - i);
    for (uint32_t limit = UINT32_MAX, highest; limit != 0u; limit = highest) {
        highest = 0;
        for (uint32_t pass = 0; pass < 2u; pass++) /* which is it; all of that rank */
            for (uint32_t i = 0; i < count; i++) {
                const struct patch *patch = member(group, i);
                yield_if_late();
                if (patch == NULL) continue;
                uint32_t rank = (UINT16_MAX - (uint32_t)soon[patch->slot]) << 16 |
                                residency->world.table.entry[patch->allocation].pages;
                if (pass == 0u && rank < limit) highest = max_u32(highest, rank);
                if (pass != 0u && rank == highest && !placement_require(residency, patch->allocation, is_pressing))
                    return false;
            }
    }
    return true;
}

/* A resident member that nothing before the group has used, so that it may be given another place. */
static bool is_loose(const struct residency *residency, uint32_t allocation)
{
    const uint32_t loose = residency->plan.group == STANDING_MOVES_BOUND ? MARK_FRESH | MARK_KEPT : MARK_FRESH;
    return residency->world.map.link[allocation].where != 0u && (residency->plan.mark[allocation] & loose) != 0u &&
           (residency->world.table.entry[allocation].flags & ALLOCATION_STAYS) == 0u;
}

/* Take out what may leave, and the loose members, so that all can be placed again between what must stay, without gaps
 * left by anything else. */
__attribute__((cold)) static void take_out(struct residency *residency, bool is_pressing)
{
    const struct index_set *residents = residency->world.map.residents;
    INDEX_SET_EACH (i, residents) {
        yield_if_late();
        bool may_leave = residency_is_evictable(residency, i) && !limits_spare(residency, i) &&
                         (is_pressing || !allocation_is_soft_pinned(&residency->world.table, i));
        if (may_leave || is_loose(residency, i)) residency_plan_eviction(residency, i);
    }
}

/* Small enough, it is placed if there is any way to: everything that may leave, leaves, and all orders are tried. */
__attribute__((cold)) static bool fit_exactly(const struct group *group, struct residency *residency)
{
    uint16_t members[PACK_MEMBERS];
    uint32_t journal = residency->plan.journal_count, packed = 0;
    const uint32_t count = member_count(group, residency);
    bool is_possible = true;
    take_out(residency, true);
    for (uint32_t i = 0; i < count; i++) {
        const struct patch *patch = member(group, i);
        uint32_t k = 0;
        yield_if_late();
        if (patch == NULL) continue;
        if (residency->world.map.link[patch->allocation].where != 0u) { /* kept in place; is this use allowed there? */
            is_possible = is_possible && placement_require(residency, patch->allocation, true);
            continue;
        }
        while (k < packed && members[k] != patch->allocation) k++;
        if (k < packed) continue;
        is_possible = is_possible && packed < (uint32_t)PACK_MEMBERS;
        if (!is_possible) break;
        members[packed++] = patch->allocation;
    }
    if (is_possible && pack_group(residency, members, packed) && limits_keep(residency, members, packed)) {
        residency_trim(residency, journal);
        return true;
    }
    residency_rollback(residency, journal);
    return false;
}

enum order { ORDER_LIST, ORDER_TIME, ORDER_SIZE };

/* Place the group's members again, in one order or another, when everything that may go has gone. */
__attribute__((cold)) static bool refit(const struct group *group, struct residency *residency, bool is_pressing,
                                        enum order order)
{
    uint32_t count = residency->plan.journal_count;
    take_out(residency, is_pressing);
    const bool fits = order == ORDER_LIST ? fit_in_order(group, residency, is_pressing)
                                          : fit_by_rank(group, residency, is_pressing, order == ORDER_TIME);
    if (fits) residency_trim(residency, count);
    else residency_rollback(residency, count);
    return fits;
}

/* The same, of the list alone, when nothing presses. */
static bool fit_listed(const struct group *group, struct residency *residency)
{
    const struct patch *const list = group->job->patches;
    for (uint32_t i = group->first; i < group->end; i++) {
        yield_in_loop(i);
        if (list[i].allocation != PATCH_NULL && !placement_require(residency, list[i].allocation, false)) return false;
    }
    return true;
}

/* May what is bound move for the group? For none but the portion's first. */
static void allow_bound(struct plan *plan, bool is_allowed)
{
    ASSERT(!is_allowed || plan->group != STANDING_LATER);
    if (is_allowed) plan->group = STANDING_MOVES_BOUND;
    else if (plan->group == STANDING_MOVES_BOUND) plan->group = STANDING_FIRST;
}

bool fitting_group(const struct group *group, struct residency *residency)
{
    enum effort effort = group->effort;
    allow_bound(&residency->plan, effort_moves_bound(effort));
    if (effort == EFFORT_USUAL && fit_listed(group, residency)) return true;
    if (effort >= EFFORT_BOUND_CLEAR) effort = effort - EFFORT_BOUND_CLEAR + EFFORT_CLEAR;
    const bool is_pressing = effort >= EFFORT_PRESSING;
    if (effort == EFFORT_EXACT) return fit_exactly(group, residency);
    if (effort == EFFORT_MOVED) return refit(group, residency, is_pressing, ORDER_LIST);
    if (effort == EFFORT_PACKED) return refit(group, residency, is_pressing, ORDER_TIME);
    if (effort != EFFORT_USUAL && fit_in_order(group, residency, is_pressing)) return true;
    residency_rollback(residency, group->journal);
    if (residency_gives_up_soon(residency)) return false;
    if (fit_by_rank(group, residency, is_pressing, false)) return true;
    residency_rollback(residency, group->journal);
    return effort >= EFFORT_CLEAR &&
           (refit(group, residency, is_pressing, ORDER_TIME) || refit(group, residency, is_pressing, ORDER_SIZE));
}
