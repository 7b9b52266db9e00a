/* SPDX-License-Identifier: Apache-2.0
 *
 * Banks of a memory segment, as hints (SEG-22, SEG-23): where in its most preferred segment an allocation would
 * like to be. An allocation may straddle banks; hints never make a placement fail.
 */
#ifndef FIRMWARE_BANK_H
#define FIRMWARE_BANK_H

#include "memory/allocation.h"
#include "memory/segment.h"

/* One that is pending destroy has none any more. */
bool bank_has_hints(const struct allocation_table *table, const struct allocation *entry);

/* A free place inside the first of the hinted banks that has one, from the end of the bank that the hint's direction
 * names. False: the allocation has no hint for segment `id`, or no hinted bank has room. O(hints * ranges). */
bool bank_find_hole(const struct allocation_table *table, const struct allocation *entry, const struct segment_map *map,
                    uint32_t id, struct segment_place *place);

/* Does the range lie inside a hinted bank of segment `id`? */
bool bank_is_hinted(const struct allocation_table *table, const struct allocation *entry, uint32_t id,
                    uint32_t first_page);

#endif
