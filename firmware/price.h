/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs that a resident leaves, for the look-ahead policy: the pages that the paging node copies for it, per
 * time until it is needed again. A price is told as a *step* on a logarithmic scale.
 */
#ifndef FIRMWARE_PRICE_H
#define FIRMWARE_PRICE_H

#include "residency.h"

/* A step is about a fifth: whole octaves of pages per time, and the two bits behind the leading one. Time counts in
 * patch locations (residency.h). */
enum {
    STEP_COUNT = 72,
    STEP_MOVE = 44 /* moving a page inside its segment costs like losing one that is needed again in 64 */
};

/* A step's price per page; a page needed again at once costs 65536. */
uint32_t price_of_step(uint32_t step);

/* Of a resident, as things stand at residency->now. */
uint32_t price_step(const struct residency *residency, uint32_t allocation);

/* Content that has to be written back; what the portion at hand writes counts already. */
bool price_is_dirty(const struct residency *residency, uint32_t allocation);

#endif
