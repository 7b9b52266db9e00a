/* SPDX-License-Identifier: Apache-2.0
 *
 * Random memories of one segment for tests of policies: residents with ranks, some of them fixed, and holes; and the
 * smallest loss that room for an allocation costs, by trying every place.
 */
#ifndef TESSERA_RANDOM_MEMORY_H
#define TESSERA_RANDOM_MEMORY_H

#include <string.h>

#include "residents.h"

enum { OWNERS = 20, INCOMING = 20, NOBODY = 0xff };

static uint32_t random_state = 77, memory_pages;
static uint64_t rank[OWNERS]; /* priority, then age: higher leaves later */
static bool is_fixed[OWNERS];

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

/* Everybody is in the segment in which the map says. */
static inline bool is_placed_as(const struct segment_map *map)
{
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency.world.map.link[i].where != map->link[i].where) return false;
    return true;
}

/* Holes and residents at random; ages are the order of use, which is not the order of placement. */
static void random_memory(void)
{
    static const uint32_t priorities[] = {0x78000000u, 0x78000000u, 0x78000001u, 0x50000000u, 0xA0000000u};
    memory_pages = 6 + pick(26);
    const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)memory_pages, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    for (uint32_t i = 0; i < OWNERS; i++) {
        add(i, 1 + pick(4), priorities[pick(5)], 0);
        residency_begin(&residency, 1, 0);
        residency_mark(&residency, i, MARK_READ);
        if (pick(8) == 0) residency.world.table.entry[i].flags |= (uint32_t)ALLOCATION_FROM_END;
        struct segment_request request = {residency.world.table.entry[i].pages, 1, false};
        struct segment_place place;
        if (segment_find_hole(&residency.world.map, 1, &request, &place))
            CHECK(placement_require(&residency, i, false));
        carry_out(&residency);
    }
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < OWNERS; i++) { /* holes */
        if (residency.world.map.link[i].where == 0 || pick(5) != 0) continue;
        residency_plan_eviction(&residency, i);
        carry_out(&residency);
    }
    uint32_t order[OWNERS];
    for (uint32_t i = 0; i < OWNERS; i++) order[i] = i;
    for (uint32_t i = OWNERS; i-- > 1;) { /* shuffled */
        uint32_t k = pick(i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    uint32_t fence = 0xffffffffu - pick(2 * OWNERS);
    for (uint32_t i = 0; i < OWNERS; i++, fence++)
        if (residency.world.map.link[order[i]].where != 0) {
            residency_mark(&residency, order[i], MARK_READ);
            residency.world.table.entry[order[i]].last_fence = fence;
            residency_begin(&residency, fence + 1, 0);
            rank[order[i]] = (uint64_t)residency.world.table.details[order[i]].priority << 32 | i;
        }
    residency_begin(&residency, fence, 0);
    for (uint32_t i = 0; i < OWNERS; i++) {
        is_fixed[i] = pick(4) == 0;
        if (!is_fixed[i]) continue;
        if (pick(2) != 0) residency_mark(&residency, i, MARK_READ);
        else residency.world.table.entry[i].flags |= (uint32_t)ALLOCATION_PINNED;
    }
}

/* The smallest highest rank over all places, by trying every one. */
static inline bool best_place(uint32_t pages, uint32_t alignment, uint64_t *best)
{
    uint8_t owner[64];
    bool is_found = false;
    memset(owner, NOBODY, sizeof owner);
    for (uint32_t i = 0; i < OWNERS; i++)
        for (uint32_t k = 0; residency.world.map.link[i].where != 0 && k < residency.world.map.link[i].count; k++)
            owner[residency.world.map.link[i].first + k] = (uint8_t)i;
    for (uint32_t at = 0; at + pages <= memory_pages; at += alignment) {
        uint64_t highest = 0;
        bool is_legal = true;
        for (uint32_t i = at; i < at + pages; i++) {
            if (owner[i] == NOBODY) continue;
            is_legal = is_legal && !is_fixed[owner[i]];
            if (rank[owner[i]] > highest) highest = rank[owner[i]];
        }
        if (is_legal && (!is_found || highest < *best)) {
            is_found = true;
            *best = highest;
        }
    }
    return is_found;
}

#endif
