/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which the residents of a segment leave by the documents' literal policy: by priority, then by age. One
 * list per class of priorities (its upper four bits), so that insertion at the young end is short. They are kept while
 * the literal policy is at work; the host may change that at any time, and it counts from the next portion on.
 */
#ifndef FIRMWARE_LEAVING_H
#define FIRMWARE_LEAVING_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/residency.h"
#include "plan/room.h"

void leaving_init(struct residency *residency);

/* Keep the lists from here on, which sorts all residents if they were not kept, or no longer. No allocation may be
 * marked. O(1) if that is so already. */
void leaving_keep(struct residency *residency, bool is_listed);

/* The allocation has been put into a segment of the map. O(residents of its class that are younger). */
void leaving_insert(struct residency *residency, uint32_t allocation);
/* It is about to be taken out, or its priority, offer or age to change. O(1). */
void leaving_remove(struct residency *residency, uint32_t allocation);

/* As room_find, literal: residents are taken as gone in their order, and runs of neighbours that are gone are joined;
 * the first run that can hold the newcomer is the room whose worst loss is the smallest possible. Each resident is
 * looked at once, joining is O(1). */
bool leaving_find(struct residency *residency, uint32_t id, const struct segment_request *request,
                  const struct room_rules *rules, struct room *room);

#endif
