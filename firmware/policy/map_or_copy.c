/* SPDX-License-Identifier: Apache-2.0
 *
 * Map or copy: see map_or_copy.h.
 */
#include "policy/map_or_copy.h"

#include "platform/turn.h"

/* The traffic for which so many copies of it cost as much as they save. Behind a slow bus alone, where a page takes at
 * least twice as long to be copied as its memory alone would. */
static uint32_t worth_of(const struct residency *residency, uint32_t allocation, uint32_t copies)
{
    enum { PAGE_TRAFFIC = PAGE_BYTES / TRAFFIC_BYTES };
    ASSERT(residency->outlook.bottleneck == BOTTLENECK_BUS &&
           residency->outlook.copy_cycles > residency->outlook.page_cycles);
    const uint32_t saved = residency->outlook.copy_cycles - residency->outlook.page_cycles;
    const uint32_t per_page = PAGE_TRAFFIC * residency->outlook.copy_cycles / saved;
    return min_u32(residency->world.table.entry[allocation].pages * copies * per_page, UINT16_MAX);
}

static bool is_in_memory(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->world.map.link[allocation].where;
    return where != 0u && !allocation_is_aperture(&residency->world.table, where);
}

/* What is read and written of it since the host locked it, or NULL: it is swizzled, and nothing could be mapped. */
static uint16_t *traffic_of(const struct residency *residency, uint32_t allocation)
{
    const bool is_swizzled = (residency->world.table.entry[allocation].flags & ALLOCATION_SWIZZLED) != 0u;
    return is_swizzled ? NULL : &residency->world.table.details[allocation].traffic;
}

uint32_t map_or_copy_favours(const struct residency *residency, uint32_t allocation, uint32_t set)
{
    const uint32_t mapped = set & residency->world.table.aperture_set, copied = set & ~mapped;
    if (mapped == 0u || copied == 0u || !residency->outlook.is_timed) return set;
    if (residency->outlook.bottleneck != BOTTLENECK_BUS) return mapped;
    if (!is_in_memory(residency, allocation))
        return bit_is_set(residency->policy_state.called_in, allocation) ? copied : mapped;
    return residency->world.table.details[allocation].traffic >= worth_of(residency, allocation, 1) ? copied : mapped;
}

void map_or_copy_accepts(const struct residency *residency, struct policy_state *state, const struct job *job)
{
    for (uint32_t i = 0; i < job->patch_count; i++) {
        const struct patch *patch = &job->patches[i];
        yield_in_loop(i);
        if (patch->allocation == PATCH_NULL) continue;
        uint16_t *traffic = traffic_of(residency, patch->allocation);
        if (traffic == NULL) continue;
        *traffic = (uint16_t)min_u32((uint32_t)*traffic + patch->traffic, UINT16_MAX);
        if (is_in_memory(residency, patch->allocation)) continue;
        const bool is_written = (patch->flags & (uint32_t)PATCH_WRITE) != 0u;
        if (*traffic < worth_of(residency, patch->allocation, is_written ? 2 : 1)) continue;
        if (bit_is_set(state->called_in, patch->allocation)) continue;
        *traffic = (uint16_t)(*traffic - worth_of(residency, patch->allocation, 1)); /* the copy that brings it in */
        bit_set(state->called_in, patch->allocation);
        state->has_called_in = true;
    }
}

void map_or_copy_locks(const struct residency *residency, struct policy_state *state, uint32_t allocation)
{
    uint16_t *traffic = traffic_of(residency, allocation);
    if (traffic == NULL) return;
    const uint32_t worth =
        residency->outlook.bottleneck == BOTTLENECK_BUS ? worth_of(residency, allocation, 1) : UINT16_MAX;
    if (bit_is_set(state->called_in, allocation)) /* not come yet: what that has taken off pays for the lock */
        bit_clear(state->called_in, allocation);
    else *traffic = *traffic > worth ? (uint16_t)(*traffic - worth) : 0;
}
