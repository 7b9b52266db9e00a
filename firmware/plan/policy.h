/* SPDX-License-Identifier: Apache-2.0
 *
 * What is evicted: the interface between the planner and its policies.
 *
 * The planner (splitter.c, fitting.c, placement.c) walks a DMA buffer's patch list, puts what it names into holes of
 * the segment map, and splits the buffer where no more fits. When no hole holds an allocation, the planner asks the
 * policy to make room. A policy must have start, begin and make_room. The other functions tell the policy what it
 * may want to know; NULL if it does not.
 *
 * Types say what a policy may do. It reads the residency, which is const to it. It changes its state, and what the
 * state's tables hold. In make_room it plans, with what residency.h offers for struct planning. It may not
 *   - write through a pointer of the residency, except an allocation's traffic
 *   - evict what is marked, pinned or placed by this plan (residency_is_evictable)
 *   - evict soft-pinned residents, unless is_pressing (ALC-09)
 *   - move what is MARK_KEPT, unless the group is STANDING_MOVES_BOUND
 *   - leave anything planned where make_room returns false
 *
 * Order of calls:
 *
 *   start      once, when the policy is selected
 *   accepts    for each accepted job
 *   begin      for each portion, then flush
 *   frees      as marks are set and plans are undone
 *   foresee    before the first make_room, if the queue has changed
 *   favours, make_room   for some groups
 *   passes     after foresee, to the end of the portion
 *
 * flush, foresee and make_room may take long: their loops yield (platform/turn.h).
 *
 * Between portions the host may evict and change priorities (NEWS_PLACES). No function here is called
 * from within another.
 */
#ifndef FIRMWARE_POLICY_H
#define FIRMWARE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "memory/segment.h"

struct planning;
struct policy_state;
struct residency;

/* A segment in which the allocation may be, in the order to try. */
struct candidate {
    uint32_t id;
    bool is_from_end;
};

/* An allocation that no candidate has a hole for. */
struct incoming {
    const struct candidate *list;
    uint32_t count;
    uint32_t pages, alignment_pages;
    bool is_pressing; /* soft-pinned residents may leave for it (ALC-09) */
};

/* Where room was made. The free pages there are the allocation's. */
struct made_room {
    uint32_t id;
    struct segment_place place;
    uint32_t hole_limit; /* no hole of the segment is larger, except beside this place */
};

struct policy {
    /* May what a binding register holds move between two portions? Only where the second portion's first group finds
     * no other place; the register is then loaded again. False: it stays, even if the job fails. Not in the
     * documents. */
    bool moves_bound;

    /* The policy is now in use. Its memory holds what another policy left there. */
    void (*start)(const struct residency *residency, struct policy_state *state);

    /* A portion begins at patch entry `now`. The journal is empty. The marks are those of the last portion, which is
     * now submitted. O(1). */
    void (*begin)(const struct residency *residency, struct policy_state *state, uint32_t now);

    /* Take in what the last portion used. The marks are cleared after it. Nothing is planned before. NULL: nothing to
     * take in. */
    void (*flush)(const struct residency *residency, struct policy_state *state);

    /* Make room by evictions, and by moves of what stays inside its segment. False: there is no room, whatever
     * leaves, and nothing is planned. */
    bool (*make_room)(const struct residency *residency, struct policy_state *state, struct planning *planning,
                      const struct incoming *incoming, struct made_room *made);

    /* An allocation is placed in a segment of `set`: which segments are tried first, by holes and by make_room,
     * whatever the host prefers? Also asked about what is in memory, as if it were placed again. NULL: the
     * documents' order. */
    uint32_t (*favours)(const struct residency *residency, uint32_t allocation, uint32_t set);

    /* A job was accepted, and its patch entries say how much is read and written through them (patch->traffic).
     * Called only where the bus is slow. May change state->called_in, so that the planner moves what is in an
     * aperture. NULL: not needed. */
    void (*accepts)(const struct residency *residency, struct policy_state *state, const struct job *job);

    /* The host has locked it. May be NULL. */
    void (*locks)(const struct residency *residency, struct policy_state *state, uint32_t allocation);

    /* Marks have changed. `is_free` false: an unmarked allocation is about to be marked, or evicted by the planner.
     * True: its marks, eviction or move were undone. Not called before a foresee that is due, which makes earlier
     * calls void. May not call the plan's functions. May be NULL. */
    void (*frees)(const struct residency *residency, struct policy_state *state, uint32_t allocation, bool is_free);

    /* The walk has passed patch entries [first, end) of the current job. Called before room is made for later
     * entries, and at the end of the portion. Not called before a foresee that is due. May be NULL. */
    void (*passes)(const struct residency *residency, struct policy_state *state, const struct job *job, uint32_t first,
                   uint32_t end);

    /* What will be used when. First call: job NULL, and `time` is the end of the known future. Then each queued job,
     * the last one first, which begins at `time`. Last the current job at time 0, down to the entry that the walk is
     * at. Of each job the entries [first, end). Time is counted
     * in patch locations from the current job's first. NULL: the policy does not look ahead, and jobs are not chosen
     * for its sake. */
    void (*foresee)(const struct residency *residency, struct policy_state *state, const struct job *job,
                    uint32_t first, uint32_t end, uint32_t time);

    /* The patch location that names it next, counted from 1, where the walk is. 0: no queued job names it. For the
     * trace. NULL: the policy does not look ahead. O(1). */
    uint32_t (*next_use)(const struct residency *residency, uint32_t allocation);

    /* Of an allocation that is pending destroy: is it unused by everything accepted and not submitted? Not asked
     * about what is marked. NULL: unknown while it exists. */
    bool (*is_over)(const struct residency *residency, uint32_t allocation);
};

static inline bool policy_looks_ahead(const struct policy *policy) { return policy->foresee != NULL; }

#endif
