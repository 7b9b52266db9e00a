/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact placement of a small group, when places tried by rules have not been enough: all orders in all free runs.
 */
#ifndef FIRMWARE_EXACT_FIT_H
#define FIRMWARE_EXACT_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/residency.h"

enum {
    PACK_MEMBERS = 8,  /* a larger group is not searched */
    PACK_RUNS = 72,    /* nor are more free runs: every row of the resource table can cut one off */
    PACK_STEPS = 20000 /* and ends after so many placements tried */
};

/* Give each of `members`, marked and not resident, a place in what the map leaves free: plans the placements. False:
 * there is no way to place them all (SPL-16), or a limit above was reached; then nothing is planned. Evicts nothing;
 * the caller has taken out what may leave. O(PACK_STEPS) at worst. */
bool pack_group(struct residency *residency, const uint16_t *members, uint32_t count);

#endif
