/* SPDX-License-Identifier: Apache-2.0
 *
 * Context table. An id holds the index, the generation and a bit that makes it non-zero.
 */
#include "schedule/context.h"

#include "memory/client.h"

enum { INDEX_BITS = 8, GENERATION_BITS = 16 };
_Static_assert(CONTEXT_MAXIMUM <= 1 << INDEX_BITS, "an id keeps its index in the low bits");

void context_table_init(struct context_table *table, struct tables *tables, struct client_record *clients)
{
    table->entry = tables_take(tables, tables->limits.contexts * (uint32_t)sizeof(struct context));
    table->limit = tables->limits.contexts;
    table->used = 0;
    table->clients = clients;
    table->of_client = tables_take(tables, CLIENT_LIMIT * (uint32_t)sizeof(struct client_use));
    for (uint32_t i = 0; i < CLIENT_LIMIT; i++) clients[i] = (struct client_record){0};
}

static uint32_t id_of(const struct context_table *table, uint32_t index)
{
    return 1u << (INDEX_BITS + GENERATION_BITS) | (uint32_t)table->entry[index].generation << INDEX_BITS | index;
}

bool context_create(struct context_table *table, uint32_t client, int32_t priority, uint32_t *id)
{
    ASSERT(priority >= CONTEXT_PRIORITY_MIN && priority <= CONTEXT_PRIORITY_MAX);
    for (uint32_t i = 0; i < table->limit; i++) {
        struct context *entry = &table->entry[i];
        if (entry->exists) continue;
        *entry = (struct context){.exists = true,
                                  .priority = narrow_i8(priority),
                                  .client = narrow_u8(client),
                                  .generation = (entry->generation + 1u) & 0xffffu};
        *id = id_of(table, i);
        table->used++;
        table->of_client[client].contexts++;
        return true;
    }
    return false;
}

bool context_may_create(const struct context_table *table, uint32_t client)
{
    return table->used == table->limit ||
           client_may_take(client, table->of_client[client].contexts, table->used, table->limit);
}

bool context_find(const struct context_table *table, uint32_t id, uint32_t *index)
{
    uint32_t candidate = id & ((1u << INDEX_BITS) - 1u);
    if (candidate >= table->limit || !table->entry[candidate].exists || id_of(table, candidate) != id) return false;
    *index = candidate;
    return true;
}

bool context_find_of(const struct context_table *table, uint32_t client, uint32_t id, uint32_t *index)
{
    return context_find(table, id, index) && table->entry[*index].client == client;
}

__attribute__((cold)) void context_charge(struct context_table *table, uint32_t client, uint32_t now, uint32_t limit,
                                          uint32_t window)
{
    const uint32_t last = (1u << 27) - 1u;
    struct client_record *entry = &table->clients[client];
    if (client == 0u || entry->recoveries == (uint32_t)CLIENT_BARRED) return;
    if (entry->recoveries == 0u || ((now - entry->since) & last) > window)
        *entry = (struct client_record){.since = now & 0x7ffffffu};
    entry->recoveries = (entry->recoveries + 1u) & 31u;
    if (entry->recoveries <= limit) return;
    entry->recoveries = CLIENT_BARRED;
    for (uint32_t i = 0; i < table->limit; i++)
        if (table->entry[i].client == client) table->entry[i].is_lost = true;
}

void context_destroy(struct context_table *table, uint32_t index)
{
    ASSERT(index < table->limit && table->entry[index].exists && table->entry[index].jobs == 0u);
    table->entry[index].exists = false;
    table->used--;
    table->of_client[table->entry[index].client].contexts--;
}

int32_t context_urgency(const struct context_table *table, uint32_t index)
{
    return (int32_t)table->entry[index].priority + (int32_t)table->entry[index].passed;
}

bool context_check(const struct context_table *table)
{
    struct client_use counted[CLIENT_LIMIT] = {{0}};
    uint32_t used = 0;
    for (uint32_t i = 0; i < table->limit; i++) {
        const struct context *context = &table->entry[i];
        if (!context->exists) continue;
        used++;
        counted[context->client].contexts++;
        counted[context->client].jobs = narrow_u16(counted[context->client].jobs + context->jobs);
    }
    for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++)
        if (counted[i].contexts != table->of_client[i].contexts || counted[i].jobs != table->of_client[i].jobs)
            return false;
    return used == table->used;
}
