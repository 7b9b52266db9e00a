/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs that a resident leaves, for the look-ahead policy: the pages that the paging node copies for it, per
 * time until it is needed again. A price is told as a *step* on a logarithmic scale.
 *
 * Prices are kept, because a search for room would otherwise price every resident anew. A sweep prices a segment's
 * residents; it is good for a portion: time moves on, but what the portion has not used is needed when it was needed
 * before. What the portion uses is priced once, when the next portion begins. While the firmware limits (cost_model.h)
 * a sweep is good until the queue is looked at again: as a rule for a job.
 */
#ifndef FIRMWARE_EVICTION_COST_H
#define FIRMWARE_EVICTION_COST_H

#include "plan/tuning.h"
#include "policy/lookahead_state.h"

/* A step is about a fifth: whole octaves of pages per time, and the two bits behind the leading one. Time counts in
 * patch locations (policy.h, foresee). */
enum { STEPS_PER_OCTAVE = 4, STEP_COUNT = PRICE_STEPS };

/* lookahead->price[i]: a step, or what is no price, and whether the plan has moved it. */
enum {
    PRICE_SOFT = STEP_COUNT, /* leaves only under pressure, and is priced then */
    PRICE_FIXED,             /* pinned */
    PRICE_PROTECTED,         /* and half a step: in memory, of a context within its share */
    PRICE_STEP = 0x7f,
    PRICE_STALE = PRICE_STEP, /* of what the walk has passed: price_flush prices it */
    PRICE_MOVED = 0x80        /* the plan has moved it */
};

/* What it would cost if it were not protected. */
static inline uint32_t price_unprotected(uint32_t price)
{
    return price < (uint32_t)PRICE_PROTECTED ? price : (price - PRICE_PROTECTED) * 2u;
}

/* Where it is, or, evicted by the plan at hand, was. */
static inline uint32_t price_segment(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->map.link[allocation].where;
    return where != 0u ? where : residency->table.entry[allocation].segment;
}

/* Each step's price per page; a page needed again at once costs 262144. */
extern const uint32_t price_of_step[STEP_COUNT];

/* Of a resident that is not pinned, as things stand at lookahead->now, whatever protects it. */
uint32_t price_step(const struct residency *residency, uint32_t allocation);

/* policy.h, is_over: of one that is pending destroy. O(unfinished jobs). */
bool price_is_over(const struct residency *residency, uint32_t allocation);

/* A resident of a memory segment that stays while others can leave: of a context within its share, and not offered. */
static inline bool price_is_protected(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    return share_is_protected(&residency->shares, allocation_owner(entry)) && entry->offer == 0u &&
           !allocation_is_aperture(&residency->table, residency->map.link[allocation].where);
}

/* A portion begins. While the firmware limits prices go on, and what the last one has marked, and is about to be
 * unmarked, counts from here on (price_flush, policy.h: some residents in a call); otherwise, or if the host has
 * changed something or what is queued is to be told, no price is good any more. */
void price_begin(struct residency *residency);
bool price_flush(struct residency *residency);
/* The last sweep of segment `id` found so many that a search does not look at each of them. */
enum { FEW_RESIDENTS = 48 };
static inline bool price_has_many(const struct residency *residency, uint32_t id)
{
    return lookahead_in(residency)->prices[id - 1u].residents > (uint32_t)FEW_RESIDENTS;
}

/* No price is good any more. */
void price_forget(struct residency *residency);

/* The prices of segment `id` are good from here on. O(1), or O(residents) when they have to be swept. False: that goes
 * on in another step (residency_yields). */
bool price_keep(struct residency *residency, uint32_t id);
/* They are. */
const struct price_list *price_kept(struct residency *residency, uint32_t id);

/* The step up to which so many pages are free or may leave, wherever they are; STEP_COUNT: there are not so many. */
uint32_t price_threshold(const struct residency *residency, uint32_t id, uint32_t pages);

/* The same of what may leave alone, whatever is free. */
uint32_t price_level(const struct residency *residency, uint32_t id, uint32_t pages);

/* An unmarked resident that stands where the table says is about to be marked or to leave: it is counted no more.
 * O(1). */
void price_take_out(struct residency *residency, uint32_t allocation);
/* It has just come to be one: it counts, with a new price if that is stale. A sweep of its segment that rests begins
 * anew. As price_is_over. */
void price_take_in(struct residency *residency, uint32_t allocation);

#endif
