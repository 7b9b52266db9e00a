/* SPDX-License-Identifier: Apache-2.0
 *
 * What is evicted, and where an allocation without a hole goes: the seam between the planner and its policies.
 *
 * The planner (splitter.c, fitting.c, placement.c) walks a DMA buffer's patch list, puts what it names into holes of
 * the segment map, and cuts the buffer where no more fits. Whenever no hole holds an allocation it asks the policy to
 * make room. That is what a policy is for: start, begin and make_room must be there. The others tell it what it may
 * want to know, and are NULL if it does not.
 *
 *   may read    the map, the table, the marks, what is known of time, the shares: all of struct residency
 *   may change  its own residency->policy_state and tables, an allocation's traffic; residency->candidates, which
 *               counts what it has looked at; and the plan, by residency_plan_own_eviction and residency_plan_move, in
 *               make_room alone
 *   must leave  whatever is marked, pinned or placed by this plan (residency_is_evictable); soft-pinned residents
 *               too, unless is_pressing; in its place what is MARK_KEPT, unless residency->may_move_bound; nothing
 *               planned where make_room says false
 *
 * The order of calls: start, when the policy becomes the one at work; accepts for each job; then for each portion
 * begin, flush until it is done, frees as marks come and plans are undone, favours and make_room for some groups,
 * which may want to go on in another step (residency_yields); before the first make_room, maybe before flush is done,
 * foresee, if what is queued is new, and from then on passes, to the end of the portion. Between portions the host's
 * wishes may evict and change priorities (residency->is_disturbed). No function here is called from within another.
 */
#ifndef FIRMWARE_POLICY_H
#define FIRMWARE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "memory/segment.h"

struct residency;

/* A segment in which the allocation may be, in the order in which they are tried. */
struct candidate {
    uint32_t id;
    bool is_from_end;
};

/* An allocation to be placed for which no candidate has a hole. */
struct incoming {
    const struct candidate *list;
    uint32_t count;
    uint32_t pages, alignment_pages;
    bool is_pressing; /* soft-pinned residents may leave for it */
};

/* Where room was made; what is free there is the allocation's. */
struct made_room {
    uint32_t id;
    struct segment_place place;
    uint32_t hole_limit; /* no hole of the segment is larger, but for those beside this place */
};

struct policy {
    /* Not in the documents: what a binding register holds may be given another place between two portions, where the
     * first group of the second finds none beside it; the register is bound anew. False: it stays, whatever fails. */
    bool moves_bound;

    /* The policy is the one at work from here on; policy_state holds whatever another has left there. */
    void (*start)(struct residency *residency);

    /* A portion begins at patch entry `now`: the journal is empty; the marks are still those of the last portion, whose
     * ages have changed with its submission. O(1). */
    void (*begin)(struct residency *residency, uint32_t now);

    /* Take in what the last portion has used, a piece in a call; true: all is taken in, and the marks are cleared next.
     * Nothing is planned until then. NULL: there is nothing to take in. */
    bool (*flush)(struct residency *residency);

    /* Make room for the allocation by evictions (and moves of what stays, inside its segment). False: there is no room,
     * whoever leaves, or, where it has asked residency_yields and been told so, the same call is made again in another
     * step; nothing is planned then. */
    bool (*make_room)(struct residency *residency, const struct incoming *incoming, struct made_room *made);

    /* An allocation is to be placed in one of the segments of `set`: which are tried first, whatever the host prefers,
     * holes and make_room? Asked of what is in memory: if it were to be placed again? NULL: the documents' order. */
    uint32_t (*favours)(const struct residency *residency, uint32_t allocation, uint32_t set);

    /* A job has been accepted: its patch entries say how much is read and written through them (patch->traffic). Only
     * behind a slow bus, and only if this is not NULL. May change residency->called_in, which makes the plan place
     * anew what lies in an aperture. */
    void (*accepts)(struct residency *residency, const struct job *job);

    /* The host has locked it. May be NULL. */
    void (*locks)(struct residency *residency, uint32_t allocation);

    /* What has no mark is about to be marked, or evicted by the planner (`is_free` false); or its marks, its eviction
     * or its move have been undone (true); not while foresee is still to come, which makes all that was told before
     * void. Calls nothing of the plan. May be NULL. */
    void (*frees)(struct residency *residency, uint32_t allocation, bool is_free);

    /* The walk has passed the patch entries [first, end) of the current job: told before room is made for what comes
     * behind them, and at the end of the portion; not before foresee, where that is still to come. May be NULL. */
    void (*passes)(struct residency *residency, const struct job *job, uint32_t first, uint32_t end);

    /* What will be used when. NULL: the policy does not look ahead, and the scheduler does not choose for its sake.
     * Called before the first make_room that needs it: with job NULL at first, `time` being where the known future
     * ends; then for each queued job, the last one first, which begins at `time`; at last for the current one, at 0,
     * down to the entry before which the walk stands. Of each the entries [first, end), or its last ones first in
     * several calls. Time is counted in patch locations from the current job's first. */
    void (*foresee)(struct residency *residency, const struct job *job, uint32_t first, uint32_t end, uint32_t time);

    /* Which patch location names it next, 1 being the one where the walk stands? 0: none that is queued. For the trace.
     * NULL: the policy does not look ahead. O(1). */
    uint32_t (*next_use)(const struct residency *residency, uint32_t allocation);

    /* Of one that is pending destroy: does nothing accepted use it behind the portions submitted so far? Never of what
     * is marked. NULL: as long as it lives that is not known. */
    bool (*is_over)(const struct residency *residency, uint32_t allocation);
};

static inline bool policy_looks_ahead(const struct policy *policy) { return policy->foresee != NULL; }

#endif
