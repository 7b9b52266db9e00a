/* SPDX-License-Identifier: Apache-2.0
 *
 * Rights to allocations of others: see rights.h.
 */
#include "memory/rights.h"

#include "platform/turn.h"

void rights_init(struct right_table *rights, struct tables *tables)
{
    rights->index = tables_take(tables, (uint32_t)RIGHT_LIMIT * (uint32_t)sizeof *rights->index);
    rights->client = tables_take(tables, (uint32_t)RIGHT_LIMIT * (uint32_t)sizeof *rights->client);
    rights->count = 0;
}

static uint32_t order_of(uint32_t index, uint32_t client) { return index * (uint32_t)CLIENT_LIMIT + client; }
static uint32_t order_at(const struct right_table *rights, uint32_t place)
{
    return order_of(rights->index[place], rights->client[place] & ((uint32_t)RIGHT_TO_WRITE - 1u));
}

/* The first entry that is not before this client's to this allocation. */
static uint32_t first_right(const struct right_table *rights, uint32_t index, uint32_t client)
{
    uint32_t low = 0, high = rights->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2u;
        if (order_at(rights, middle) < order_of(index, client)) low = middle + 1u;
        else high = middle;
    }
    return low;
}

static bool is_right_to(const struct right_table *rights, uint32_t place, uint32_t index, uint32_t client)
{
    return place < rights->count && order_at(rights, place) == order_of(index, client);
}

uint32_t rights_find(const struct right_table *rights, uint32_t index, uint32_t client)
{
    const uint32_t place = first_right(rights, index, client);
    if (!is_right_to(rights, place, index, client)) return 0;
    return RIGHT_READ | (rights->client[place] >= (uint32_t)RIGHT_TO_WRITE ? (uint32_t)RIGHT_WRITE : 0u);
}

static void copy_right(struct right_table *rights, uint32_t to, uint32_t from)
{
    rights->index[to] = rights->index[from];
    rights->client[to] = rights->client[from];
}

/* Remove the entries from `place` to before `end`. At a pause some are there twice, and none is missing. */
static void remove_rights(struct right_table *rights, uint32_t place, uint32_t end)
{
    const uint32_t gap = end - place;
    if (gap == 0u) return;
    for (uint32_t i = end; i < rights->count; i++) {
        copy_right(rights, i - gap, i);
        yield_in_loop(i);
    }
    rights->count -= gap;
}

bool rights_set(struct right_table *rights, uint32_t index, uint32_t client, uint32_t granted)
{
    const uint32_t place = first_right(rights, index, client);
    const bool exists = is_right_to(rights, place, index, client);
    if (granted == 0u) {
        remove_rights(rights, place, place + (uint32_t)exists);
        return true;
    }
    if (!exists) {
        if (rights->count == (uint32_t)RIGHT_LIMIT) return false;
        for (uint32_t i = rights->count++; i > place; i--) {
            copy_right(rights, i, i - 1u);
            yield_in_loop(i);
        }
    }
    rights->index[place] = (uint16_t)index;
    rights->client[place] = (uint8_t)(client | ((granted & RIGHT_WRITE) != 0u ? (uint32_t)RIGHT_TO_WRITE : 0u));
    return true;
}

void rights_remove(struct right_table *rights, uint32_t index)
{
    remove_rights(rights, first_right(rights, index, 0), first_right(rights, index + 1u, 0));
}
