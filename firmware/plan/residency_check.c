/* SPDX-License-Identifier: Apache-2.0
 *
 * The validator of residency.h: map, table and accounts agree. For tests and asserting builds.
 */
#include "plan/residency.h"

/* Every client has as many allocations, and as many pages of each segment, as the table says. */
static bool check_clients(const struct world *world)
{
    const struct client_table *clients = &world->clients;
    uint32_t pages[SEGMENT_LIMIT][CLIENT_LIMIT] = {{0}}, allocations[CLIENT_LIMIT] = {0};
    for (uint32_t i = 0; i < world->table.limit; i++) {
        const struct allocation *entry = &world->table.entry[i];
        if ((entry->flags & ALLOCATION_EXISTS) == 0u) continue;
        allocations[entry->client]++;
        if (entry->segment != 0u) pages[entry->segment - 1u][entry->client] += entry->pages;
    }
    for (uint32_t client = 0; client < (uint32_t)CLIENT_LIMIT; client++) {
        if (allocations[client] != world->table.of_client[client]) return false;
        for (uint32_t id = 1; id <= clients->segments; id++)
            if (pages[id - 1u][client] != client_part(clients, id, client)->held) return false;
    }
    return true;
}

/* Every context has as many pages as the table says. */
static bool check_shares(const struct world *world)
{
    uint32_t pages[CONTEXT_MAXIMUM + 1] = {0};
    const uint32_t contexts = world->shares.contexts;
    for (uint32_t i = 0; i < world->table.limit; i++) {
        const struct allocation *entry = &world->table.entry[i];
        if ((entry->flags & ALLOCATION_EXISTS) == 0u || !allocation_is_in_memory(&world->table, entry)) continue;
        pages[allocation_owner(entry)] += entry->pages;
    }
    for (uint32_t i = 0; i < (uint32_t)CONTEXT_MAXIMUM; i++)
        if (pages[i] != (i < contexts ? world->shares.entry[i].pages : 0u)) return false;
    return pages[NO_CONTEXT] == world->shares.nobody.pages && share_check(&world->shares);
}

bool residency_check(const struct residency *residency)
{
    if (!allocation_table_check(&residency->world.table) || !segment_check(&residency->world.map)) return false;
    if (!check_shares(&residency->world) || !check_clients(&residency->world)) return false;
    if (residency->plan.journal_count != 0u) return true; /* the map runs ahead of the table */
    for (uint32_t i = 0; i < residency->world.table.limit; i++) {
        const struct allocation *entry = &residency->world.table.entry[i];
        bool exists = (entry->flags & ALLOCATION_EXISTS) != 0u;
        uint32_t where = exists ? entry->segment : 0u;
        if (residency->world.map.link[i].where != where) return false;
        const bool is_locked = exists && (entry->flags & ALLOCATION_LOCKED) != 0u;
        if (is_locked && residency_is_named(&residency->uses, i) &&
            !allocation_stays_in_pages(&residency->world.table, entry))
            return false;
        if (where == 0u) continue;
        const struct segment_link *link = &residency->world.map.link[i];
        if (link->first != entry->first_page || link->count != entry->pages) return false;
        const uint32_t set = (uint32_t)entry->read_set | residency->world.table.details[i].write_set;
        if ((set >> (where - 1u) & 1u) == 0u) return false;
    }
    return true;
}
