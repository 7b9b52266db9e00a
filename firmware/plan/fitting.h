/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding places for the members of a group, and if need be for those of a whole portion, beside what is marked.
 *
 * A portion's members are what its groups name. Pinned ones never move. The engine has not touched any other member
 * yet: nothing of a plan is carried out before it is complete, so all of them may be given another place. What the
 * portion inherits in a binding register (MARK_KEPT) may, too, where the policy has it so: the register is bound anew
 * then (docs/memory.md, "What is bound may move").
 */
#ifndef FIRMWARE_FITTING_H
#define FIRMWARE_FITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "plan/placement.h"
#include "plan/residency.h"

/* How hard a group is tried, in the order in which that is done. */
enum effort {
    EFFORT_MOVED,    /* all of it is placed anew in list order, what is inherited last, and nothing else is tried */
    EFFORT_PACKED,   /* the same by time, without what is inherited */
    EFFORT_USUAL,    /* in list order, then largest first */
    EFFORT_SLIDING,  /* the same, and what is bound may slide aside */
    EFFORT_CLEAR,    /* evict all that can be and move its own members, at the price of paging them again */
    EFFORT_PRESSING, /* also: push out soft-pinned allocations */
    EFFORT_EXACT,    /* every order, if the group is small enough (exact_fit.h) */
    /* The last three again; the members that the portion inherits are placed anew with the group's. */
    EFFORT_BOUND_CLEAR,
    EFFORT_BOUND_PRESSING,
    EFFORT_BOUND_EXACT
};

static inline bool effort_moves_bound(enum effort effort)
{
    return effort == EFFORT_MOVED || effort == EFFORT_SLIDING || effort >= EFFORT_BOUND_CLEAR;
}

/* Entries of a patch list that are fitted together, and how far that is. */
struct group {
    const struct job *job;
    uint32_t first, end;     /* [first, end) of the list */
    const uint16_t *carried; /* SLOT_LIMIT more, SLOT_EMPTY for none: what the portion inherits */
    uint32_t journal;        /* the residency's journal is that long without it */
    enum effort effort;      /* it is tried that hard ... */
    uint32_t tried;          /* ... in the usual way: those before this entry have a place since an earlier step */
};

/* What fitting_group does when that in list order comes to nothing, or for another effort than the usual one. */
bool fitting_group_harder(const struct group *group, struct residency *residency);

/* In list order, from the member on that has no place yet. */
static inline bool fitting_group_listed(struct group *group, struct residency *residency)
{
    const struct patch *const list = group->job->patches;
    uint32_t i = group->tried;
    residency->may_move_bound = residency->has_yielded = false;
    residency->may_yield = true;
    while (i < group->end &&
           (list[i].allocation == PATCH_NULL || placement_require(residency, list[i].allocation, false)))
        i++;
    residency->may_yield = false;
    group->tried = i;
    return i == group->end;
}

/* Make the group, which is marked, resident beside what else is; what it alone uses is MARK_FRESH. False leaves the
 * journal as it was before the group, but where residency->has_yielded: then the same call is to be made again, in
 * another step, with nothing planned in between. Only list order, the first of the usual effort, may rest: what has a
 * place by then keeps it, and the search goes on for the member that has none. Efforts other than the usual one are for
 * the first group of a portion; those that move what is bound for policies that do.
 * O(members * requirement); by rank or time O(ranks * (members * requirement + patch entries)), and O(allocations)
 * where all that can be is evicted; the exact one pack_group(). */
static inline bool fitting_group(struct group *group, struct residency *residency)
{
    if (group->effort == EFFORT_USUAL) {
        if (fitting_group_listed(group, residency)) return true;
        if (residency->has_yielded) return false;
    }
    return fitting_group_harder(group, residency);
}

#endif
