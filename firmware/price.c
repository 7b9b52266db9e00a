/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices: see price.h.
 */
#include "price.h"

enum {
    STEPS_PER_OCTAVE = 4,
    STEP_ONE = 68,    /* one page per patch location: needed again at once */
    STEP_UNKNOWN = 20 /* a page of unknown future, to be written back: one in 4096 patch locations */
};

uint32_t price_of_step(uint32_t step)
{
    if (step < 2u * STEPS_PER_OCTAVE) return step;
    return (step % STEPS_PER_OCTAVE + STEPS_PER_OCTAVE) << (step / STEPS_PER_OCTAVE - 1u);
}

/* How many steps a span takes off: 0 for 1, four more for twice as long. */
static uint32_t steps_of_span(uint32_t span)
{
    static const uint8_t steps[32] = {0,  0,  4,  6,  8,  9,  10, 11, 12, 12, 13, 13, 14, 14, 15, 15,
                                      16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19, 19};
    uint32_t octaves = 0;
    while (span >= 32u) {
        span >>= 2;
        octaves += 2u * STEPS_PER_OCTAVE;
    }
    return octaves + steps[span];
}

bool price_is_dirty(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    bool is_newer = (entry->flags & ALLOCATION_DIRTY) != 0u || (residency->mark[allocation] & MARK_DIRTIES) != 0u;
    return is_newer && entry->offer == 0u;
}

/* Nobody queued names it. Clean pages go first, least recently used first; a guess from its last period made more
 * traffic than it saved. */
static uint32_t step_of_unknown(const struct residency *residency, uint32_t allocation, bool is_dirty)
{
    if (is_dirty) return STEP_UNKNOWN;
    uint32_t age = steps_of_span(residency->next_fence - residency->table.entry[allocation].last_fence) / 2u;
    return age < STEP_UNKNOWN / 2 ? STEP_UNKNOWN / 2 - age : 0u;
}

uint32_t price_step(const struct residency *residency, uint32_t allocation)
{
    uint32_t next = residency->next_use[allocation], now = residency->now;
    bool is_dirty = price_is_dirty(residency, allocation);
    if (next == NEXT_USE_UNKNOWN) return step_of_unknown(residency, allocation, is_dirty);
    uint32_t step = STEP_ONE + (is_dirty ? (uint32_t)STEPS_PER_OCTAVE : 0u);
    uint32_t off = steps_of_span(next > now ? next - now : 1u); /* a page in, and one out if dirty, in that time */
    return min_u32(step - min_u32(off, step), STEP_COUNT - 1u);
}
