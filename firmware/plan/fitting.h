/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding places for the members of a group, and if need be for those of a whole portion, beside what is marked.
 *
 * A portion's members are what its groups name. Those that it inherits in place (MARK_KEPT), and pinned ones, never
 * move. The engine has not touched any other member yet: nothing of a plan is carried out before it is complete, so
 * all of them may be given another place.
 */
#ifndef FIRMWARE_FITTING_H
#define FIRMWARE_FITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "plan/residency.h"

/* How hard a group is tried, in the order in which that is done. */
enum effort {
    EFFORT_PACKED,   /* all of it is placed anew, by time, and nothing else is tried */
    EFFORT_USUAL,    /* in list order, then largest first */
    EFFORT_CLEAR,    /* also: evict all that can be and move its own members, at the price of paging them again */
    EFFORT_PRESSING, /* also: push out soft-pinned allocations */
    EFFORT_EXACT     /* every order, if the group is small enough (exact_fit.h) */
};

/* Make the group at [first, end) of the patch list, which is marked, resident beside what else is; what it alone uses
 * is MARK_FRESH. False leaves the journal as it was. Efforts other than the usual one are for the first group of a
 * portion. O(members * requirement); by rank or time O(ranks * (members * requirement + patch entries)), and
 * O(allocations) where all that can be is evicted; the exact one pack_group(). */
bool fitting_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                   enum effort effort);

#endif
