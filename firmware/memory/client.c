/* SPDX-License-Identifier: Apache-2.0
 *
 * Accounts of clients: see client.h.
 */
#include "memory/client.h"

void client_table_init(struct client_table *clients, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT])
{
    *clients = (struct client_table){0};
    if (tables->is_short) return;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++)
        if (segment_pages[i] != 0u) clients->segments = i + 1u;
    const uint32_t parts = clients->segments * (uint32_t)CLIENT_LIMIT;
    clients->account = tables_take(tables, CLIENT_LIMIT * (uint32_t)sizeof(struct client_account));
    clients->part = tables_take(tables, parts * (uint32_t)sizeof(struct client_part));
    clients->guarded = tables_take(tables, tables->limits.allocations / 8u);
    for (uint32_t i = 0; !tables->is_short && i < parts; i++)
        clients->part[i].maximum = segment_pages[i / (uint32_t)CLIENT_LIMIT];
}

void client_hold(const struct client_table *clients, uint32_t segment, uint32_t client, uint32_t pages, bool is_added)
{
    struct client_part *part = client_part(clients, segment, client);
    ASSERT(is_added || part->held >= pages);
    part->held = narrow_u16(is_added ? part->held + pages : part->held - pages);
}

void client_gave_way(struct client_table *clients, uint32_t owner, uint32_t client, uint32_t pages)
{
    clients->account[owner].lost += pages;
    clients->account[client].taken += pages;
    bit_set(clients->news, owner);
    clients->has_news = true;
}
