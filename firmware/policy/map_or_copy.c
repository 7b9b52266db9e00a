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
    ASSERT(residency->is_bus_slow && residency->copy_cycles > residency->page_cycles);
    const uint32_t saved = residency->copy_cycles - residency->page_cycles;
    const uint32_t per_page = PAGE_TRAFFIC * residency->copy_cycles / saved;
    return min_u32(residency->table.entry[allocation].pages * copies * per_page, UINT16_MAX);
}

static bool is_in_memory(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->map.link[allocation].where;
    return where != 0u && !allocation_is_aperture(&residency->table, where);
}

/* What is read and written of it since the host locked it, or NULL: it is swizzled, and nothing could be mapped. */
static uint16_t *traffic_of(struct residency *residency, uint32_t allocation)
{
    const bool is_swizzled = (residency->table.entry[allocation].flags & ALLOCATION_SWIZZLED) != 0u;
    return is_swizzled ? NULL : &residency->table.details[allocation].traffic;
}

uint32_t map_or_copy_favours(const struct residency *residency, uint32_t allocation, uint32_t set)
{
    const uint32_t mapped = set & residency->table.aperture_set, copied = set & ~mapped;
    if (mapped == 0u || copied == 0u || !residency->is_timed) return set;
    if (!residency->is_bus_slow) return mapped;
    if (!is_in_memory(residency, allocation)) return bit_is_set(residency->called_in, allocation) ? copied : mapped;
    return residency->table.details[allocation].traffic >= worth_of(residency, allocation, 1) ? copied : mapped;
}

void map_or_copy_accepts(struct residency *residency, const struct job *job)
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
        if (bit_is_set(residency->called_in, patch->allocation)) continue;
        *traffic = (uint16_t)(*traffic - worth_of(residency, patch->allocation, 1)); /* the copy that brings it in */
        bit_set(residency->called_in, patch->allocation);
        residency->has_called_in = true;
    }
}

void map_or_copy_locks(struct residency *residency, uint32_t allocation)
{
    uint16_t *traffic = traffic_of(residency, allocation);
    if (traffic == NULL) return;
    const uint32_t worth = residency->is_bus_slow ? worth_of(residency, allocation, 1) : UINT16_MAX;
    if (bit_is_set(residency->called_in, allocation)) /* not come yet: what that has taken off pays for the lock */
        bit_clear(residency->called_in, allocation);
    else *traffic = *traffic > worth ? (uint16_t)(*traffic - worth) : 0;
}
