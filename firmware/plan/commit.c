/* SPDX-License-Identifier: Apache-2.0
 *
 * The limit binds rarely, so nothing is kept for it: the map says what is mapped, the table what is evicted next.
 */
#include "plan/commit.h"

#include "platform/turn.h"

/* What is evicted from an aperture next, or INDEX_NONE. */
static uint32_t next_to_leave(const struct residency *residency, bool is_pressing)
{
    const struct allocation_table *table = &residency->world.table;
    const struct index_set *residents = residency->world.map.residents;
    uint32_t best = INDEX_NONE;
    INDEX_SET_EACH (i, residents) {
        uint32_t id = residency->world.map.link[i].where;
        yield_if_late();
        if (!allocation_is_aperture(table, id) || !residency_is_evictable(residency, i)) continue;
        if (!is_pressing && allocation_is_soft_pinned(table, i)) continue;
        if (best == (uint32_t)INDEX_NONE || allocation_leaves_before(table, i, best)) best = i;
    }
    return best;
}

bool commit_meet_limit(struct residency *residency, bool is_pressing)
{
    uint32_t placed = residency->plan.journal_count - 1u;
    ASSERT(residency->plan.journal_count > 0u && residency_action_kind(&residency->plan, placed) == ACTION_PLACE);
    while (residency_mapped_pages(&residency->world) > residency->world.table.commit_limit) {
        uint32_t leaves = next_to_leave(residency, is_pressing);
        if (leaves == (uint32_t)INDEX_NONE) return false;
        residency_plan_eviction(residency, leaves);
        /* It is evicted before the allocation comes: the two are in different places. */
        uint32_t last = residency->plan.journal_count - 1u;
        uint16_t action = residency->plan.journal[placed];
        residency->plan.journal[placed] = residency->plan.journal[last];
        residency->plan.journal[last] = action;
        placed = last;
    }
    return true;
}
