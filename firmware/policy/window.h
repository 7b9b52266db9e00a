/* SPDX-License-Identifier: Apache-2.0
 *
 * Making room in one segment: where an allocation goes when no hole holds it, what is evicted, and what only moves.
 *
 * A region is between two residents that must stay where they are. A window is a run of neighbours in a region, with
 * the holes between and beside them. The search passes over the segment in address order, and finds the window with
 * the lowest cost. Cost is the highest priority in the window. Between equal priorities it is the sum over the
 * losses of the pages that the bus would carry, per time until the next use.
 *
 * Of the window the cheapest residents leave, as many as necessary. The others slide together, at a small cost a
 * page. Residents of contexts within their shares (share.h) leave only if nothing else makes room.
 */
#ifndef FIRMWARE_WINDOW_H
#define FIRMWARE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/lookahead_state.h"

/* Prepare a search for `pages` pages in segment `id`: price its residents, and decide which to protect. */
void room_know_prices(const struct residency *residency, struct policy_state *state, struct planning *planning,
                      uint32_t id, uint32_t pages);

/* Find the cheapest room for the request in segment `id`, whose prices are known. False: there is none, whatever
 * leaves. Looks at all residents, or, if they are many, at a sample that grows until it has room.
 * state->candidates counts the visits. */
bool room_find(const struct residency *residency, struct policy_state *state, uint32_t id,
               const struct segment_request *request, const struct room_rules *rules, struct room *room);

/* Result of a quick search: a room, none, or only room_find can tell. */
enum quick { QUICK_FOUND, QUICK_NONE, QUICK_UNKNOWN };

/* Find the first run of neighbours in segment `id` that makes room when they leave. The segment's prices must be
 * known. None of the run may cost much more than the price at which so many pages can leave (QUICK_STEPS). Otherwise
 * the first run of all is taken. O(residents), at most FEW_RESIDENTS from where the last search
 * ended. */
enum quick room_find_quickly(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t pages,
                             struct room *room);

/* After a search without result: may it be repeated, so that residents within their shares leave, too? If true,
 * `rules` says so. */
static inline bool room_search_harder(const struct residency *residency, struct room_rules *rules)
{
    if (rules->takes_protected || !lookahead_in(residency)->has_review ||
        !share_has_protected(&residency->world.shares))
        return false;
    rules->takes_protected = true;
    return true;
}

/* Make the room that the last search in its segment found: plan evictions and moves, and set where the allocation
 * goes. False, with nothing planned: the alignments of those that slide use up the room. O(owners of the window). */
bool room_clear(const struct residency *residency, struct policy_state *state, struct planning *planning,
                const struct room *room, const struct segment_request *request, struct made_room *made);

#endif
