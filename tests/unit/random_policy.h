/* SPDX-License-Identifier: Apache-2.0
 *
 * A third policy, to prove the seam (plan/policy.h): an allocation goes to any place where whatever stands there may
 * leave.
 */
#ifndef TESSERA_UNIT_RANDOM_POLICY_H
#define TESSERA_UNIT_RANDOM_POLICY_H

#include "check.h"
#include "gpu_policies.h"
#include "plan/policy.h"
#include "plan/residency.h"

static uint32_t random_policy_state = 1, random_policy_rooms;

static inline void random_policy_start(const struct residency *residency, struct policy_state *state)
{
    (void)residency, (void)state;
}
static inline void random_policy_begin(const struct residency *residency, struct policy_state *state, uint32_t now)
{
    (void)residency, (void)state, (void)now;
}

static inline bool random_policy_may_leave(const struct residency *residency, uint32_t owner, bool is_pressing)
{
    return residency_is_evictable(residency, owner) &&
           (is_pressing || !allocation_is_soft_pinned(&residency->world.table, owner));
}

/* False: somebody who must stay is in the way. */
static inline bool random_policy_clear(const struct residency *residency, struct planning *planning, uint32_t id,
                                       uint32_t first, uint32_t pages, bool is_pressing)
{
    const struct segment_map *map = &residency->world.map;
    const uint32_t low = segment_owner_from(map, id, first);
    for (uint32_t i = low; i != map->none && map->link[i].first < first + pages; i = map->link[i].next)
        if (!random_policy_may_leave(residency, i, is_pressing)) return false;
    for (uint32_t i = low, next; i != map->none && map->link[i].first < first + pages; i = next) {
        next = map->link[i].next;
        residency_plan_own_eviction(planning, i);
    }
    return true;
}

static inline bool random_policy_make_room(const struct residency *residency, struct policy_state *state,
                                           struct planning *planning, const struct incoming *incoming,
                                           struct made_room *made)
{
    (void)state;
    const uint32_t choice = check_pick(&random_policy_state, incoming->count);
    for (uint32_t k = 0; k < incoming->count; k++) {
        const uint32_t id = incoming->list[(choice + k) % incoming->count].id;
        const struct segment *segment = &residency->world.map.segment[id - 1u];
        if (segment->pages < incoming->pages) continue;
        const uint32_t places = (segment->pages - incoming->pages) / incoming->alignment_pages + 1u;
        const uint32_t start = check_pick(&random_policy_state, places);
        for (uint32_t i = 0; i < places; i++) {
            const uint32_t first = (start + i) % places * incoming->alignment_pages;
            made->hole_limit = segment->pages;
            if (!random_policy_clear(residency, planning, id, first, incoming->pages, incoming->is_pressing)) continue;
            made->id = id;
            made->place = segment_place_at(&residency->world.map, id, first);
            random_policy_rooms++;
            return true;
        }
    }
    return false;
}

static const struct policy policy_random = {
    .start = random_policy_start, .begin = random_policy_begin, .make_room = random_policy_make_room};
/* In the place of every policy. */
#define RANDOM_POLICY(name, symbol) [POLICY_##name] = &policy_random,
static const struct policy *const random_policies[POLICY_COUNT] = {POLICY_TABLE(RANDOM_POLICY)};

#endif
