/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables at boot. Goal: their memory is given out once, in order, zeroed, or refused; a table that begins has nothing
 * of what the memory held; ids of contexts that are gone stay stale. Method: two parts of memory, filled twice. SCH-11.
 */
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "memory/allocation.h"
#include "memory/segment.h"
#include "memory/share.h"
#include "schedule/context.h"
#include "table_memory.h"

enum { SYSTEM_PAGES = 200, BYTES = 64 + 48 };

static struct allocation_table table;
static _Alignas(16) unsigned char memory[BYTES];
static struct tables tables;

static void open_tables(uint32_t limit, uint32_t first, uint32_t second)
{
    const struct hal_memory part[2] = {{memory, first}, {memory + first, second}};
    memset(memory, 0xa5, sizeof memory);
    const struct table_limits limits = {limit, CONTEXT_DEFAULT, LIST_DEFAULT, DMA_BYTES_DEFAULT};
    tables_init(&tables, &limits, part);
}

static bool is_clear(const unsigned char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bytes[i] != 0) return false;
    return true;
}

static void test_memory(void)
{
    open_tables(64, 64, 48);
    unsigned char *hot = tables_take(&tables, 47), *cold = tables_take(&tables, 42), *last = tables_take(&tables, 13);
    CHECK(hot == memory && cold == memory + 64 && last == memory + 48);
    CHECK(is_clear(memory, 64));
    CHECK(!tables.is_short && tables.taken == 48 + 48 + 16);
    CHECK(tables_take(&tables, 1) == NULL && tables.is_short);
    static const struct table_limits wrong[] = {
        {ALLOCATION_MAXIMUM + 32, 32, 32, 128},
        {33, 32, 32, 128},
        {0, 32, 32, 128},
        {32, CONTEXT_MAXIMUM + 32, 32, 128},
        {32, 33, 32, 128},
        {32, 32, LIST_MAXIMUM + 32, 128},
        {32, 32, 33, 128},
        {32, 32, 0, 128},
        {32, 32, 32, DMA_BYTES_MAXIMUM + 128},
        {32, 32, 32, 160},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(FAKE_STOPS(tables_init(&tables, &wrong[i], tables.part)));
}

static void test_contexts(void)
{
    CASE("SCH-11");
    static struct context_table contexts;
    struct client_record clients[CLIENT_LIMIT];
    uint32_t ids[CONTEXT_LIMIT], first, id, index;
    context_table_init(&contexts, table_memory(), clients);
    CHECK(!context_find(&contexts, 0, &index) && !context_find(&contexts, 1u << 16, &index));
    for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) CHECK(context_create(&contexts, 0, (int32_t)(i % 15) - 7, &ids[i]));
    CHECK(!context_create(&contexts, 0, 0, &id));
    CHECK(context_find(&contexts, ids[9], &index));
    CHECK_EQUAL(context_urgency(&contexts, index), 2);
    contexts.entry[index].passed = 3;
    CHECK_EQUAL(context_urgency(&contexts, index), 5);
    context_destroy(&contexts, index);
    CHECK(!context_find(&contexts, ids[9], &index));
    CHECK(context_create(&contexts, 0, 0, &id));
    CHECK(id != ids[9]);
    context_table_init(&contexts, table_memory(), clients);
    CHECK(context_create(&contexts, 0, 0, &first));
    CHECK(context_find(&contexts, first, &index));
    context_destroy(&contexts, index);
    for (uint32_t i = 0; i < 60000; i++) { /* more than 8 bits of generation */
        CHECK(context_create(&contexts, 0, 0, &id));
        CHECK(!context_find(&contexts, first, &index) && context_find(&contexts, id, &index));
        context_destroy(&contexts, index);
    }
}

/* Tables that begin leave nothing of what the memory held. */
static void test_begun_tables(void)
{
    static struct context_table contexts;
    static struct client_record clients[CLIENT_LIMIT];
    static struct share_table shares;
    static struct segment_map map;
    static const uint16_t pages[SEGMENT_LIMIT] = {8, 64, 16};
    for (uint32_t filled = 0; filled < 2; filled++) {
        const int byte = filled == 0 ? 0 : 0xa5;
        memset(&contexts, byte, sizeof contexts);
        memset(clients, byte, sizeof clients);
        memset(&shares, byte, sizeof shares);
        memset(&map, byte, sizeof map);
        memset(&table, byte, sizeof table);
        struct tables *given = table_memory();
        context_table_init(&contexts, given, clients);
        share_init(&shares, given);
        segment_map_init(&map, given, pages);
        allocation_table_init(&table, given, pages, SYSTEM_PAGES);
        for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) {
            CHECK(!contexts.entry[i].exists && contexts.entry[i].jobs == 0 && !contexts.entry[i].is_lost);
            CHECK(shares.entry[i].pages == 0 && shares.entry[i].budget == 0 && shares.entry[i].weight == 0);
            CHECK(shares.entry[i].lost == 0 && shares.entry[i].taken == 0 && shares.entry[i].peak == 0);
        }
        for (uint32_t i = 0; i < CLIENT_LIMIT; i++) CHECK(clients[i].recoveries == 0 && clients[i].since == 0);
        CHECK(shares.pages == 0 && shares.turn == 0 && !share_has_protected(&shares));
        CHECK(!shares.is_off && !shares.has_more);
        for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
            CHECK(map.link[i].where == 0 && table.entry[i].flags == 0 && table.entry[i].generation == 0);
        CHECK(map.link[SEGMENT_NO_OWNER].next == SEGMENT_NO_OWNER && map.link[SEGMENT_NO_OWNER].gap == GAP_MANY);
        for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
            CHECK(map.segment[i].pages == pages[i] && map.segment[i].used_pages == 0);
            CHECK(map.segment[i].head == SEGMENT_NO_OWNER && map.segment[i].tail == SEGMENT_NO_OWNER);
            CHECK(table.banks[i].count == 0 && table.segment_pages[i] == pages[i]);
        }
        CHECK(segment_check(&map) && allocation_table_check(&table));
        CHECK(table.live_count == 0 && table.pending_destroy_count == 0 && table.instance_count == 0 &&
              table.rights.count == 0);
        CHECK(table.segment_set == 7 && table.aperture_set == 0 && table.memory_pages == 88);
    }
}

int main(void)
{
    CHECK_RUN(test_memory);
    CHECK_RUN(test_contexts);
    CHECK_RUN(test_begun_tables);
    return check_finish();
}
