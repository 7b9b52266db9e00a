/* SPDX-License-Identifier: Apache-2.0
 *
 * Making room in one segment: where an allocation goes when no hole holds it, what is evicted for that, and what only
 * slides aside.
 *
 * A region is what lies between two residents that must stay where they are; a window is a run of neighbours in a
 * region with the holes between and beside them. The search passes over the segment in address order and finds the
 * window that costs least: the highest priority in it, then the sum of the pages that the losses make the bus carry,
 * per time until the next use. As many as are needed leave, the cheapest of the region first; the others of the window
 * slide together, which costs a little for each page. What belongs to contexts within their shares (share.h) leaves
 * only if nothing else makes room.
 */
#ifndef FIRMWARE_WINDOW_H
#define FIRMWARE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/lookahead_state.h"

/* Before a search for so many pages: what the residents of segment `id` cost, and which to protect. False: that goes on
 * in another step (residency_yields). */
bool room_know_prices(struct residency *residency, uint32_t id, uint32_t pages);

/* The cheapest room in segment `id`, whose prices are known, for the request; false: there is none, whoever left.
 * Passes over the residents, or, where they are many, over a sample that grows until it has room; residency->candidates
 * counts the visits. */
bool room_find(struct residency *residency, uint32_t id, const struct segment_request *request,
               const struct room_rules *rules, struct room *room);

/* A quick search: there is a room, there is none, or only room_find can tell. */
enum quick { QUICK_FOUND, QUICK_NONE, QUICK_UNKNOWN };

/* The first run of neighbours in segment `id`, whose prices are known, that makes room when they leave, and none of
 * which costs much more than the price at which so many pages may leave (QUICK_STEPS), or, if there is none such, the
 * first at all. O(residents), at most FEW_RESIDENTS of them from where the last search ended. */
enum quick room_find_quickly(struct residency *residency, uint32_t id, uint32_t pages, struct room *room);

/* The search has found no room anywhere. True: it may be repeated with these rules, by which those within their shares
 * leave, too. */
static inline bool room_search_harder(const struct residency *residency, struct room_rules *rules)
{
    if (rules->takes_protected || !lookahead_in(residency)->has_review || !share_has_protected(&residency->shares))
        return false;
    rules->takes_protected = true;
    return true;
}

/* Make the room that the last search in its segment found: plans evictions and moves, and says where the allocation
 * goes. False: the alignments of those that slide use it up; nothing is planned then. O(owners of the window). */
bool room_clear(struct residency *residency, const struct room *room, const struct segment_request *request,
                struct made_room *made);

#endif
