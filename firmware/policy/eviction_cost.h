/* SPDX-License-Identifier: Apache-2.0
 *
 * Cost of an eviction, for the look-ahead policy: the pages that the paging node would copy, per time until the
 * allocation is needed again. A price is a *step* on a logarithmic scale.
 *
 * Prices are kept, so that a search for room need not price every resident again. A sweep prices the residents of a
 * segment, and holds for a portion: time moves on, but what the portion has not used is needed when it was needed
 * before. What the portion uses is priced once, when the next portion begins. While the firmware limits
 * (cost_model.h) a sweep holds until the queue is looked at again, which is usually for a job.
 */
#ifndef FIRMWARE_EVICTION_COST_H
#define FIRMWARE_EVICTION_COST_H

#include "plan/tuning.h"
#include "policy/lookahead_state.h"

/* A step is about a fifth: whole octaves of pages per time, and the two bits after the leading one. Time is counted
 * in patch locations (policy.h, foresee). */
enum { STEPS_PER_OCTAVE = 4, STEP_COUNT = PRICE_STEPS };

/* lookahead->price[i]: a step, or one of these, and PRICE_MOVED. */
enum {
    PRICE_SOFT = STEP_COUNT, /* leaves only under pressure, and is priced then (ALC-09) */
    PRICE_FIXED,             /* pinned (ALC-11) */
    PRICE_PROTECTED,         /* plus half a step: in memory, of a context within its share */
    PRICE_STEP = 0x7f,
    PRICE_STALE = PRICE_STEP, /* the walk has passed it: price_flush sets its price */
    PRICE_MOVED = 0x80        /* the plan has moved it */
};

/* The step that it would have without protection. */
static inline uint32_t price_unprotected(uint32_t price)
{
    return price < (uint32_t)PRICE_PROTECTED ? price : (price - PRICE_PROTECTED) * 2u;
}

/* The segment where it is, or where it was before the present plan evicted it. */
static inline uint32_t price_segment(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->world.map.link[allocation].where;
    return where != 0u ? where : residency->world.table.entry[allocation].segment;
}

/* Price per page of each step. A page needed again at once costs 262144. */
extern const uint32_t price_of_step[STEP_COUNT];

/* The step of a resident that is not pinned, at time lookahead->now, without protection. */
uint32_t price_step(const struct residency *residency, uint32_t allocation);

/* Is what is pending destroy unused from now on (policy.h, is_over)? O(unfinished jobs). */
bool price_is_over(const struct residency *residency, uint32_t allocation);

/* Does it stay while others can leave: in memory, of a context within its share, and not offered? */
static inline bool price_is_protected(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    return share_is_protected(&residency->world.shares, allocation_owner(entry)) && entry->offer == 0u &&
           !allocation_is_aperture(&residency->world.table, residency->world.map.link[allocation].where);
}

/* A portion begins. While the firmware limits, prices stay valid, and what the last portion marked is counted again:
 * price_flush (policy.h, flush). Otherwise all prices are invalid. The same after the host
 * has changed something, and when the policy is to be told what is queued. */
void price_begin(const struct residency *residency, struct policy_state *state);
void price_flush(const struct residency *residency, struct policy_state *state);
/* Did the last sweep of segment `id` find more residents than a search looks at? */
enum { FEW_RESIDENTS = 48 };
static inline bool price_has_many(const struct residency *residency, uint32_t id)
{
    return lookahead_in(residency)->prices[id - 1u].residents > (uint32_t)FEW_RESIDENTS;
}

/* All prices are invalid. */
void price_forget(struct policy_state *state);

/* Make the prices of segment `id` valid. O(1), or O(residents) if they must be swept. */
void price_keep(const struct residency *residency, struct policy_state *state, uint32_t id);
/* The prices of a segment, which must be valid. */
const struct price_list *price_kept(struct policy_state *state, uint32_t id);

/* The step up to which `pages` pages are free or may leave, anywhere in the segment. STEP_COUNT: there are not so
 * many. */
uint32_t price_threshold(const struct residency *residency, uint32_t id, uint32_t pages);

/* The same without free pages. */
uint32_t price_level(const struct residency *residency, uint32_t id, uint32_t pages);

/* Stop counting an unmarked resident that is where the table says: it is about to be marked or to leave. O(1). */
void price_take_out(const struct residency *residency, struct policy_state *state, uint32_t allocation);
/* Count it: it is now unmarked, and is where the table says. A stale price is computed again.
 * Cost as price_is_over. */
void price_take_in(const struct residency *residency, struct policy_state *state, uint32_t allocation);

#endif
