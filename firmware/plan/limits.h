/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits of clients in plans (SET_CLIENT): no plan gives a client more than its maximum of a segment, and no plan takes
 * from a client what is within its minimum for another. Nothing of this costs anything while no client has a limit
 * (world->limits).
 *
 * A maximum is met at each placement: first in a segment where the client has room under its maximum; else its own
 * allocations leave, the lowest in rank and oldest first. What it has above a maximum that was lowered leaves when a
 * plan of its own begins, or when others need the room.
 *
 * For a minimum, allocations of each client that has one are guarded while a plan for another is made: in each segment
 * so many that the others could all leave and the minimum would be kept. The most recently used are guarded. They may
 * slide. What is pending destroy is not guarded. Pages, not places, are guaranteed.
 */
#ifndef FIRMWARE_LIMITS_H
#define FIRMWARE_LIMITS_H

#include "plan/residency.h"

/* For limits_begin. Yields. O(clients with minimums * residents). */
void limits_guard(struct residency *residency);

/* A plan for a context of this client begins. residency_finish ends it. */
static inline void limits_begin(struct residency *residency, uint32_t client)
{
    residency->plan.planner_client = client;
    if (residency->world.limits == CLIENT_LIMITS_MINIMUM) limits_guard(residency);
}

/* May the allocation come to segment `id` as far as limits are concerned? Pinned, it also has to leave the room that
 * other clients' minimums need: O(residents). Else O(journal). Yields. */
bool limits_allow(const struct residency *residency, uint32_t allocation, uint32_t id);

/* A plan begins; nothing is placed. What its client has above a maximum leaves, as far as it may. Yields.
 * O(residents * evictions). */
void limits_meet(struct residency *residency);

/* Allocations of its client leave the segment, until it may come. False: not enough of them may leave, and what is
 * planned has to be undone. With `is_pressing` soft-pinned allocations may leave too. Yields. */
bool limits_make_way(struct residency *residency, uint32_t allocation, uint32_t id, bool is_pressing);

/* Has every member's client, where the member is now, no more than limits allow? Yields. */
bool limits_keep(const struct residency *residency, const uint16_t *members, uint32_t count);

/* Nothing is gained when this one leaves: the last placement has failed for a maximum alone, and it is another
 * client's. O(1). */
static inline bool limits_spare(const struct residency *residency, uint32_t allocation)
{
    return residency->plan.hindrance == HINDRANCE_MAXIMUM &&
           residency->world.table.entry[allocation].client != residency->plan.planner_client;
}

/* Pages of segment `id` that the minimums of other clients, and what is pinned of these, leave for `client`. Yields. */
uint32_t limits_left(const struct world *world, uint32_t id, uint32_t client);

/* Pages of the client in segment `id` that are pinned or shown. Yields. O(residents). */
uint32_t limits_fixed(const struct world *world, uint32_t id, uint32_t client);

#endif
