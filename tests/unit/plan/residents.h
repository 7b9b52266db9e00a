/* SPDX-License-Identifier: Apache-2.0
 *
 * A residency of a test's own, and allocations put into it by hand.
 */
#ifndef TESSERA_RESIDENTS_H
#define TESSERA_RESIDENTS_H

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/placement.h"
#include "plan/residency.h"
#include "policy/policies.h"
#include "policy/window.h"
#include "table_memory.h"

enum { PRIORITY = 0x78000000 };

static struct residency residency;

/* It may be in segment 1. */
static inline void add(uint32_t index, uint32_t pages, uint32_t priority, uint32_t fence)
{
    residency.world.table.entry[index] = (struct allocation){
        .flags = (uint32_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = 1, .last_fence = fence};
    residency.world.table.details[index] = (struct allocation_details){.priority = priority, .write_set = 1};
}

/* Ten pages with residents of 1, 2, 3 and 1; after the second one page is free, after the third two. */
static inline void four_residents(const uint32_t uses[4])
{
    enum { COUNT = 4 };
    static const uint32_t pages[COUNT] = {1, 2, 3, 1}, first[COUNT] = {0, 1, 4, 9};
    const uint16_t sizes[SEGMENT_LIMIT] = {10, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        add(i, pages[i], PRIORITY, 0);
        residency_plan_placement(&residency, i, 1, first[i]);
    }
    carry_out(&residency);
    residency.outlook.bottleneck = BOTTLENECK_FIRMWARE;
    residency_begin(&residency, 2, 0);
    for (uint32_t i = 0; i < COUNT; i++) lookahead_of(&residency.policy_state)->next_use[i] = (uint16_t)uses[i];
    room_know_prices(&residency, &residency.policy_state, residency_planning(&residency), 1, 1);
}

#endif
