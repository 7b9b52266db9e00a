/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding places for the members of a group and, if necessary, for all members of a portion.
 *
 * The members of a portion are what its groups name. Pinned members never move (ALC-11). Any other member may get
 * another place, because nothing of a plan is carried out before the plan is complete. What the portion inherits in
 * a binding register (MARK_KEPT) may move only where the policy allows it; the register is then loaded again
 * (docs/memory.md, "What is bound may move").
 */
#ifndef FIRMWARE_FITTING_H
#define FIRMWARE_FITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "plan/placement.h"
#include "plan/residency.h"

/* How a group is tried, the easiest way first. */
enum effort {
    EFFORT_MOVED,    /* place all of it again in list order, what is inherited last; try nothing else */
    EFFORT_PACKED,   /* place all of it again by time, without what is inherited */
    EFFORT_USUAL,    /* in list order, then largest first */
    EFFORT_SLIDING,  /* the same, and what is bound may slide aside */
    EFFORT_CLEAR,    /* evict all that may leave and move the group's members, which are then paged again */
    EFFORT_PRESSING, /* also evict soft-pinned allocations (ALC-09) */
    EFFORT_EXACT,    /* every order, if the group is small enough (exact_fit.h) */
    /* The last three again, together with the members that the portion inherits. */
    EFFORT_BOUND_CLEAR,
    EFFORT_BOUND_PRESSING,
    EFFORT_BOUND_EXACT
};

static inline bool effort_moves_bound(enum effort effort)
{
    return effort == EFFORT_MOVED || effort == EFFORT_SLIDING || effort >= EFFORT_BOUND_CLEAR;
}

/* Patch entries that are fitted together, and how. */
struct group {
    const struct job *job;
    uint32_t first, end;     /* [first, end) of the patch list */
    const uint16_t *carried; /* SLOT_LIMIT more entries, or SLOT_EMPTY: what the portion inherits */
    uint32_t journal;        /* length of the residency's journal without the group */
    enum effort effort;      /* it is tried that hard */
};

/* Make the marked group resident beside everything else that is marked. Its own members are MARK_FRESH. False: the
 * journal is as it was before the group.
 *
 * Other efforts than the usual one are for the first group of a portion. Those that move what is bound are for
 * policies with moves_bound.
 *
 * Cost: O(members * requirement). By size or time O(ranks * (members * requirement + patch entries)), and
 * O(allocations) where everything is evicted. The exact effort: pack_group(). */
bool fitting_group(const struct group *group, struct residency *residency);

#endif
