/* SPDX-License-Identifier: Apache-2.0
 *
 * A group is tried in list order, largest first, or by time (how long it stays bound), beside what is there or with
 * all taken out that may go; at last in every order (exact_fit.c). How one allocation finds its place is in
 * placement.c.
 */
#include "plan/fitting.h"

#include "plan/placement.h"
#include "plan/exact_fit.h"

static bool fit_in_order(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                         bool is_pressing)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL &&
            !placement_require(residency, job->patches[i].allocation, is_pressing))
            return false;
    return true;
}

/* Largest first, or by time: what stays bound longest first, of equals the largest. By passes over these ranks; what
 * is resident already costs nothing to require. */
static bool fit_by_rank(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                        bool is_pressing, bool is_by_time)
{
    uint16_t soon[SLOT_LIMIT] = {0}; /* rows that are programmed again, the higher the sooner */
    if (is_by_time)
        for (uint32_t i = job->patch_count; i-- > end;) soon[job->patches[i].slot] = (uint16_t)(job->patch_count - i);
    for (uint32_t limit = UINT32_MAX, highest; limit != 0u; limit = highest) {
        highest = 0;
        for (uint32_t pass = 0; pass < 2u; pass++) /* which is it; all of that rank */
            for (uint32_t i = first; i < end; i++) {
                const struct patch *patch = &job->patches[i];
                if (patch->allocation == PATCH_NULL) continue;
                uint32_t rank =
                    (UINT16_MAX - (uint32_t)soon[patch->slot]) << 16 | residency->table.entry[patch->allocation].pages;
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
    return residency->map.link[allocation].where != 0u && (residency->mark[allocation] & MARK_FRESH) != 0u &&
           (residency->table.entry[allocation].flags & ALLOCATION_PINNED) == 0u;
}

/* Take out what may leave, and the loose members, so that all can be placed anew between what must stay, without gaps
 * left by anything else. */
__attribute__((cold)) static void take_out(struct residency *residency, bool is_pressing)
{
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) {
        bool may_leave =
            residency_is_evictable(residency, i) && (is_pressing || !allocation_is_soft_pinned(&residency->table, i));
        if (may_leave || is_loose(residency, i)) residency_plan_eviction(residency, i);
    }
}

/* Small enough, it is placed if there is any way to: everything that may leave, leaves, and all orders are tried. */
__attribute__((cold)) static bool fit_exactly(const struct job *job, uint32_t first, uint32_t end,
                                              struct residency *residency)
{
    uint16_t members[PACK_MEMBERS];
    uint32_t count = residency->journal_count, member_count = 0;
    bool is_possible = true;
    take_out(residency, true);
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation, k = 0;
        if (allocation == PATCH_NULL) continue;
        if (residency->map.link[allocation].where != 0u) { /* kept in place; is it where this use is allowed? */
            is_possible = is_possible && placement_require(residency, allocation, true);
            continue;
        }
        while (k < member_count && members[k] != allocation) k++;
        if (k < member_count) continue;
        is_possible = is_possible && member_count < (uint32_t)PACK_MEMBERS;
        if (!is_possible) break;
        members[member_count++] = (uint16_t)allocation;
    }
    if (is_possible && pack_group(residency, members, member_count)) {
        residency_trim(residency, count);
        return true;
    }
    residency_rollback(residency, count);
    return false;
}

/* Place the group's members anew, in one order or the other, when everything that may go has gone. */
__attribute__((cold)) static bool fit_anew(const struct job *job, uint32_t first, uint32_t end,
                                           struct residency *residency, bool is_pressing, bool is_by_time)
{
    uint32_t count = residency->journal_count;
    take_out(residency, is_pressing);
    bool fits = fit_by_rank(job, first, end, residency, is_pressing, is_by_time);
    if (fits) residency_trim(residency, count);
    else residency_rollback(residency, count);
    return fits;
}

bool fitting_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency, enum effort effort)
{
    const uint32_t count = residency->journal_count;
    const bool is_pressing = effort >= EFFORT_PRESSING;
    if (effort == EFFORT_EXACT) return fit_exactly(job, first, end, residency);
    if (effort == EFFORT_PACKED) return fit_anew(job, first, end, residency, is_pressing, true);
    if (fit_in_order(job, first, end, residency, is_pressing)) return true;
    residency_rollback(residency, count);
    if (fit_by_rank(job, first, end, residency, is_pressing, false)) return true;
    residency_rollback(residency, count);
    return effort != EFFORT_USUAL && (fit_anew(job, first, end, residency, is_pressing, true) ||
                                      fit_anew(job, first, end, residency, is_pressing, false));
}
