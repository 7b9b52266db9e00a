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

/* Entries of a patch list that are fitted together. */
struct group {
    const struct job *job;
    uint32_t first, end;     /* [first, end) of the list */
    const uint16_t *carried; /* SLOT_LIMIT more, SLOT_EMPTY for none: what the portion inherits */
};

/* Make the group, which is marked, resident beside what else is; what it alone uses is MARK_FRESH. False leaves the
 * journal as it was. Efforts other than the usual one are for the first group of a portion; those that move what is
 * bound for policies that do. O(members * requirement); by rank or time O(ranks * (members * requirement + patch
 * entries)), and O(allocations) where all that can be is evicted; the exact one pack_group(). */
bool fitting_group(const struct group *group, struct residency *residency, enum effort effort);

#endif
