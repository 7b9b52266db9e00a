/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits of clients in plans: see limits.h.
 */
#include "plan/limits.h"

#include "platform/turn.h"

enum { AGES = 4 }; /* classes of age, in portions: below 4, 32, 256; older */

/* ------------------------------------------------------------------ minimums */

static bool is_of(const struct world *world, uint32_t i, uint32_t client)
{
    const struct allocation *entry = &world->table.entry[i];
    return entry->client == client && (entry->flags & ALLOCATION_PENDING_DESTROY) == 0u;
}

static uint32_t age_of(const struct residency *residency, uint32_t i)
{
    uint32_t age = residency->outlook.next_fence - residency->world.table.entry[i].last_fence, class = 0;
    for (; class + 1u < (uint32_t)AGES && age >= 4u; age /= 8u) class ++;
    return class;
}

/* So many pages of the client's in the segment, the newest first; or more, by less than one allocation. */
static void guard(struct residency *residency, uint32_t id, uint32_t client, uint32_t pages)
{
    const struct segment_map *map = &residency->world.map;
    for (uint32_t age = 0; age < (uint32_t)AGES; age++)
        for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next) {
            yield_if_late();
            if (pages == 0u || !is_of(&residency->world, i, client) || age_of(residency, i) != age) continue;
            bit_set(residency->world.clients.guarded, i);
            pages -= min_u32(pages, map->link[i].count);
        }
}

void limits_guard(struct residency *residency)
{
    const struct client_table *clients = &residency->world.clients;
    const uint32_t client = residency->plan.planner_client;
    /* What may leave depends on whose plan it is: prices are made again. */
    residency->outlook.news |= (uint32_t)NEWS_PLACES;
    residency->plan.guarded = client != (uint32_t)CLIENT_LIMIT ? clients->guarded : NULL;
    if (residency->plan.guarded == NULL) return;
    for (uint32_t i = 0; i < residency->world.table.limit / 32u; i++, yield_in_loop(i))
        residency->world.clients.guarded[i] = 0;
    for (uint32_t id = 1; id <= clients->segments; id++)
        for (uint32_t other = 0; other < (uint32_t)CLIENT_LIMIT; other++) {
            const uint32_t minimum = client_part(clients, id, other)->minimum;
            yield_if_late();
            if (other != client && minimum != 0u) guard(residency, id, other, minimum);
        }
}

uint32_t limits_fixed(const struct world *world, uint32_t id, uint32_t client)
{
    const struct segment_map *map = &world->map;
    uint32_t pages = 0;
    for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next) {
        const struct allocation *entry = &world->table.entry[i];
        yield_if_late();
        if (entry->client == client && (entry->flags & ALLOCATION_STAYS) != 0u) pages += map->link[i].count;
    }
    return pages;
}

uint32_t limits_left(const struct world *world, uint32_t id, uint32_t client)
{
    const struct segment_map *map = &world->map;
    uint16_t fixed[CLIENT_LIMIT] = {0};
    uint32_t taken = 0;
    for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next) {
        const struct allocation *entry = &world->table.entry[i];
        yield_if_late();
        if ((entry->flags & ALLOCATION_STAYS) != 0u)
            fixed[entry->client] = narrow_u16(fixed[entry->client] + map->link[i].count);
    }
    for (uint32_t other = 0; other < (uint32_t)CLIENT_LIMIT; other++) {
        yield_in_loop(other);
        if (other != client) taken += max_u32(client_part(&world->clients, id, other)->minimum, fixed[other]);
    }
    return map->segment[id - 1u].pages - min_u32(taken, map->segment[id - 1u].pages);
}

/* ------------------------------------------------------------------ maximums */

/* With so many pages more, does the client keep its maximum? */
static bool is_within(const struct residency *residency, uint32_t id, uint32_t client, uint32_t more)
{
    return residency_held(residency, id, client) + more <= client_part(&residency->world.clients, id, client)->maximum;
}

/* With so many pages more, does what is pinned of its client leave other clients' minimums? Of what is not pinned: yes.
 */
static bool leaves_minimums(const struct world *world, const struct allocation *entry, uint32_t id, uint32_t more)
{
    if ((entry->flags & ALLOCATION_STAYS) == 0u || world->limits != CLIENT_LIMITS_MINIMUM) return true;
    return limits_fixed(world, id, entry->client) + more <= limits_left(world, id, entry->client);
}

bool limits_allow(const struct residency *residency, uint32_t allocation, uint32_t id)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    return is_within(residency, id, entry->client, entry->pages) &&
           leaves_minimums(&residency->world, entry, id, entry->pages);
}

bool limits_keep(const struct residency *residency, const uint16_t *members, uint32_t count)
{
    bool is_kept = true;
    for (uint32_t i = 0; i < count && residency->world.limits != CLIENT_LIMITS_NONE; i++) {
        const struct allocation *entry = &residency->world.table.entry[members[i]];
        const uint32_t id = residency->world.map.link[members[i]].where;
        is_kept =
            is_kept && is_within(residency, id, entry->client, 0) && leaves_minimums(&residency->world, entry, id, 0);
    }
    return is_kept;
}

/* The client's allocation that leaves the segment next; `none`: none may. */
static uint32_t next_of_client(const struct residency *residency, uint32_t id, uint32_t client, bool is_pressing)
{
    const struct segment_map *map = &residency->world.map;
    uint32_t best = map->none;
    for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next) {
        yield_if_late();
        if (residency->world.table.entry[i].client != client || !residency_is_evictable(residency, i)) continue;
        if (!is_pressing && allocation_is_soft_pinned(&residency->world.table, i)) continue;
        if (best == map->none || allocation_leaves_before(&residency->world.table, i, best)) best = i;
    }
    return best;
}

/* The client's allocations leave until it keeps its maximum with so many pages more. False: not enough of them may. */
static bool take_from(struct residency *residency, uint32_t id, uint32_t client, uint32_t more, bool is_pressing)
{
    while (!is_within(residency, id, client, more)) {
        const uint32_t next = next_of_client(residency, id, client, is_pressing);
        if (next == residency->world.map.none) return false;
        residency_plan_eviction(residency, next);
    }
    return true;
}

bool limits_make_way(struct residency *residency, uint32_t allocation, uint32_t id, bool is_pressing)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    if (entry->pages > client_part(&residency->world.clients, id, entry->client)->maximum) return false;
    return take_from(residency, id, entry->client, entry->pages, is_pressing) &&
           limits_allow(residency, allocation, id);
}

void limits_meet(struct residency *residency)
{
    for (uint32_t id = 1; id <= residency->world.clients.segments; id++)
        (void)(take_from(residency, id, residency->plan.planner_client, 0, false) ||
               take_from(residency, id, residency->plan.planner_client, 0, true));
}
