/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of allocations and contexts, and the host's rings: every refusal with its status and detail and
 * nothing changed, handles that go stale, limits. ALC-01..ALC-03, SEG-19, CAP-03, SCH-11, SCH-12.
 */
#include <string.h>

#include "memory/allocation.h"
#include "memory/bank.h"
#include "memory/segment.h"
#include "memory/share.h"
#include "check.h"
#include "schedule/context.h"
#include "fake_hal.h"
#include "host_ring/host.h"
#include "table_memory.h"

enum { LIST = 0x4000, SYSTEM_PAGES = 200 };

static struct allocation_table table, before;
TABLE_MEMORY_KEEP
static uint32_t message[MESSAGE_WORDS];

static void start(void)
{
    const uint16_t pages[SEGMENT_LIMIT] = {8, 64, 16};
    fake_hal_reset();
    allocation_table_init(&table, table_memory(), pages, SYSTEM_PAGES);
    allocation_table_set_apertures(&table, 4, 16);
    for (uint32_t i = 0; i < 100; i++) fake_hal.system[LIST / 4 + i] = 100 + i % 90;
}

static void good_message(void)
{
    memset(message, 0, sizeof message);
    message[MSG_CREATE_ALLOCATION_BYTES] = 5000;
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE;
    message[MSG_CREATE_ALLOCATION_PREFERRED] = 1u | 1u << 5 | 2u << 6;
    message[MSG_CREATE_ALLOCATION_READ_SET] = 3;
    message[MSG_CREATE_ALLOCATION_WRITE_SET] = 2;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u;
    message[MSG_CREATE_ALLOCATION_PAGES] = LIST;
}

/* Banks that end inside a page: a page that two share is in neither. */
static void test_banks_inside_pages(void)
{
    static const uint32_t ends[] = {0x1800, 0x3001, 0x6fff}; /* pages 0; 2; 4, 5; 7 */
    static const struct segment_map empty = {.none = ALLOCATION_LIMIT,
                                             .segment[0] = {.pages = 8, .head = SEGMENT_NO_OWNER}};
    static const uint32_t expected[] = {0, 2, 4, 7}, pages[] = {1, 1, 2, 1};
    start();
    struct allocation *entry = table.entry;
    table.banks[0].count = 4;
    table.banks[0].end = ends;
    for (uint32_t bank = 0; bank < 4; bank++)
        for (uint32_t size = 1; size <= 3; size++) {
            struct segment_place place;
            *entry = (struct allocation){.pages = (uint16_t)size};
            *table.details = (struct allocation_details){.preferred = 1, .hinted_banks = bank + 1};
            bool fits = size <= pages[bank];
            CHECK_EQUAL(bank_find_hole(&table, entry, &empty, 1, &place), fits);
            if (fits) CHECK_EQUAL(place.first, expected[bank]);
            CHECK_EQUAL(bank_is_hinted(&table, entry, 1, expected[bank]), fits);
            if (expected[bank] > 0) CHECK(!bank_is_hinted(&table, entry, 1, expected[bank] - 1));
        }
}

static void test_create(void)
{
    CASE("ALC-01");
    uint32_t handle, index;
    struct refusal why;
    start();
    good_message();
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = 16384;
    CHECK(allocation_create(&table, message, &handle, &why));
    CHECK(handle != 0 && allocation_find(&table, handle, &index));
    const struct allocation *entry = &table.entry[index];
    CHECK_EQUAL(entry->pages, 2); /* ALC-01 */
    CHECK_EQUAL(allocation_bytes(&table, index), 8192);
    CHECK_EQUAL(table.details[index].alignment_pages_log2, 2);
    CHECK_EQUAL(table.details[index].preferred, (1u | PREFERENCE_FROM_END) | 2u << PREFERENCE_BITS);
    CHECK_EQUAL(allocation_segments(&table, index, false), 3);
    CHECK_EQUAL(allocation_segments(&table, index, true), 2);
    CHECK(!allocation_is_locked(&table, index) && !allocation_is_offered(&table, index));
    CHECK(allocation_table_check(&table));
    allocation_destroy(&table, index);
    CHECK(!allocation_find(&table, handle, &index));
    CHECK(allocation_table_check(&table));
}

struct wrong {
    uint32_t word, value;
    enum gpu_status status;
    uint32_t detail;
};

/* One wrong word at a time. */
static void test_refusals(void)
{
    CASE("ALC-02, ALC-03, ALC-22, CAP-03, SEG-19");
    static const struct wrong rows[] = {
        {MSG_CREATE_ALLOCATION_BYTES, 0, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BYTES},
        {MSG_CREATE_ALLOCATION_BYTES, 65 * 4096, STATUS_NO_SEGMENT, MSG_CREATE_ALLOCATION_BYTES},
        {MSG_CREATE_ALLOCATION_BYTES, 0xffffffffu, STATUS_NO_SEGMENT, MSG_CREATE_ALLOCATION_BYTES},
        {MSG_CREATE_ALLOCATION_ALIGNMENT, 3, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_ALIGNMENT},
        {MSG_CREATE_ALLOCATION_ALIGNMENT, 1u << 28, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_ALIGNMENT},
        {MSG_CREATE_ALLOCATION_FLAGS, ALLOCATION_ALTERNATE_VA | 1, STATUS_BAD_FLAGS, ALLOCATION_ALTERNATE_VA},
        {MSG_CREATE_ALLOCATION_FLAGS, 0x80000000u, STATUS_BAD_FLAGS, 0x80000000u},
        {MSG_CREATE_ALLOCATION_FLAGS, 0xf000, STATUS_BAD_FLAGS, 0xf000},
        {MSG_CREATE_ALLOCATION_FLAGS, ALLOCATION_CACHED, STATUS_BAD_FLAGS, ALLOCATION_CACHED},
        {MSG_CREATE_ALLOCATION_PREFERRED, 3, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_PREFERRED},
        {MSG_CREATE_ALLOCATION_PREFERRED, 31, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_PREFERRED},
        {MSG_CREATE_ALLOCATION_PREFERRED, 1u << 30, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_PREFERRED},
        {MSG_CREATE_ALLOCATION_READ_SET, 8, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_READ_SET},
        {MSG_CREATE_ALLOCATION_WRITE_SET, 0xfffffff8u, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_WRITE_SET},
        {MSG_CREATE_ALLOCATION_EVICTION_SET, 1, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_EVICTION_SET},
        {MSG_CREATE_ALLOCATION_PRIORITY, 0, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_PRIORITY},
        {MSG_CREATE_ALLOCATION_PAGES, LIST + 2, STATUS_BAD_ADDRESS, MSG_CREATE_ALLOCATION_PAGES},
        {MSG_CREATE_ALLOCATION_PAGES, SYSTEM_PAGES * 4096 - 4, STATUS_BAD_ADDRESS, MSG_CREATE_ALLOCATION_PAGES},
        {MSG_CREATE_ALLOCATION_PAGES, 0xfffffffcu, STATUS_BAD_ADDRESS, MSG_CREATE_ALLOCATION_PAGES},
    };
    uint32_t handle = 0x55;
    struct refusal why;
    start();
    table_memory_keep(&before, &table, sizeof table);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good_message();
        message[rows[i].word] = rows[i].value;
        CHECK(!allocation_create(&table, message, &handle, &why));
        CHECK_EQUAL(why.status, rows[i].status);
        CHECK_EQUAL(why.detail, rows[i].detail);
        CHECK_EQUAL(handle, 0x55);
        before.entry = table.entry; /* the copies' are compared after it */
        before.details = table.details;
        before.rights.index = table.rights.index;
        before.rights.client = table.rights.client;
        before.of_client = table.of_client;
        CHECK(memcmp(&before, &table, sizeof table) == 0);
        CHECK(memcmp(table_copy_bytes, table_bytes, sizeof table_bytes) == 0);
    }
    good_message();
    fake_hal.system[LIST / 4 + 1] = SYSTEM_PAGES; /* CAP-03 */
    CHECK(!allocation_create(&table, message, &handle, &why));
    CHECK_EQUAL(why.status, STATUS_BAD_PAGE);
    CHECK_EQUAL(why.detail, 1);
}

/* Swizzled content is whole tiles and lives in memory segments only. */
static void test_swizzled_shape(void)
{
    static const struct {
        uint32_t pitch, height, sets;
        enum gpu_status status;
    } rows[] = {
        {64, 32u | 1u << 16, 3, STATUS_OK},
        {64, 32u | 3u << 16, 3, STATUS_OK},
        {64, 32u | 1u << 16, 7, STATUS_BAD_SEGMENT_SET},
        {0, 32u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {32, 32u | 1u << 16, 3, STATUS_OK},
        {64, 0u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {64, 8u | 1u << 16, 3, STATUS_OK},
        {64, 8u | 16u << 16, 3, STATUS_OK},
        {64, 8u | 17u << 16, 3, STATUS_BAD_ARGUMENT},
        {64, 8u | 1u << 16 | 1u << 24, 3, STATUS_BAD_ARGUMENT},
        {0x10000, 8u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {48, 32u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {64, 31u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {64, 32, 3, STATUS_BAD_ARGUMENT},
        {64, 128u | 1u << 16, 3, STATUS_OK},
        {64, 136u | 1u << 16, 3, STATUS_BAD_ARGUMENT},
        {64, 128u | 2u << 16, 3, STATUS_BAD_ARGUMENT},
    };
    uint32_t handle;
    struct refusal why = {STATUS_OK, 0};
    start();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good_message();
        message[MSG_CREATE_ALLOCATION_BYTES] = 8192;
        message[MSG_CREATE_ALLOCATION_FLAGS] |= ALLOCATION_SWIZZLED;
        message[MSG_CREATE_ALLOCATION_READ_SET] = rows[i].sets;
        message[MSG_CREATE_ALLOCATION_PITCH] = rows[i].pitch;
        message[MSG_CREATE_ALLOCATION_HEIGHT] = rows[i].height;
        bool is_created = allocation_create(&table, message, &handle, &why);
        CHECK_EQUAL(is_created ? STATUS_OK : why.status, rows[i].status);
    }
}

static void test_table_full(void)
{
    uint32_t handles[ALLOCATION_LIMIT], handle, index;
    struct refusal why;
    start();
    good_message();
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) CHECK(allocation_create(&table, message, &handles[i], &why));
    CHECK(!allocation_create(&table, message, &handle, &why));
    CHECK_EQUAL(why.status, STATUS_OUT_OF_HANDLES);
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        for (uint32_t k = i + 1; k < ALLOCATION_LIMIT; k += 97) CHECK(handles[i] != handles[k]);
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i += 2) {
        CHECK(allocation_find(&table, handles[i], &index));
        allocation_destroy(&table, index);
    }
    CHECK(allocation_table_check(&table));
    for (uint32_t i = 0; i < ALLOCATION_LIMIT / 2; i++) CHECK(allocation_create(&table, message, &handle, &why));
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) CHECK_EQUAL(allocation_find(&table, handles[i], &index), i % 2);
    CHECK(!allocation_find(&table, 0, &index));
    CHECK(FAKE_STOPS((table.entry[handles[1] % ALLOCATION_MAXIMUM].segment = 1,
                      allocation_destroy(&table, handles[1] % ALLOCATION_MAXIMUM))));
}

static void test_contexts(void)
{
    CASE("SCH-11");
    static struct context_table contexts;
    struct client_record clients[CLIENT_LIMIT];
    uint32_t ids[CONTEXT_LIMIT], id, index;
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
}

/* ------------------------------------------------------------------ rings */

static struct host host;

static void start_host(void)
{
    fake_hal_reset();
    fake_hal.registers[HOST_SYSTEM_PAGES_OFFSET / 4] = SYSTEM_PAGES;
    fake_hal.registers[HOST_SUBMIT_BASE_OFFSET / 4] = 0x1000;
    fake_hal.registers[HOST_SUBMIT_SIZE_OFFSET / 4] = 2;
    fake_hal.registers[HOST_COMPLETE_BASE_OFFSET / 4] = 0x2000;
    fake_hal.registers[HOST_COMPLETE_SIZE_OFFSET / 4] = 1;
    CHECK_EQUAL(host_init(&host, hal_register_read(HOST_SYSTEM_PAGES_OFFSET)), STATUS_OK);
}

/* A completion's room is reserved when its message is taken; a full completion ring stops the intake. */
static void test_rings(void)
{
    uint32_t words[MESSAGE_WORDS];
    const struct reply reply = {.status = STATUS_BAD_HANDLE, .detail = 7, .fence = 8, .words = {1, 2, 3, 4}};
    start_host();
    CHECK(!host_peek(&host, words));
    for (uint32_t i = 0; i < 4; i++) fake_hal.system[0x1000 / 4 + 16 * i + 1] = 100 + i;
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 4;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(host_peek(&host, words));
        CHECK_EQUAL(words[1], 100 + i);
        host_pop(&host);
    }
    CHECK_EQUAL(fake_hal.registers[HOST_SUBMIT_HEAD_OFFSET / 4], 2);
    CHECK(!host_peek(&host, words)); /* two completions owed, two fit */
    host_complete(&host, 100, &reply);
    CHECK_EQUAL(fake_hal.registers[HOST_COMPLETE_TAIL_OFFSET / 4], 1);
    CHECK_EQUAL(fake_hal.registers[HOST_IRQ_RAISE_OFFSET / 4], 1);
    static const uint32_t expected[] = {100, STATUS_BAD_HANDLE, 7, 8, 1, 2, 3, 4};
    for (uint32_t i = 0; i < 8; i++) CHECK_EQUAL(fake_hal.system[0x2000 / 4 + i], expected[i]);
    CHECK(!host_peek(&host, words)); /* one unread, one owed */
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 1;
    CHECK(host_peek(&host, words));
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 77; /* nonsense from the host */
    CHECK(!host_peek(&host, words));
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 1;
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 2 + 5; /* more than the ring holds */
    CHECK(!host_peek(&host, words));
}

static void test_owned_range(void)
{
    start_host();
    CHECK(host_owns(&host, 0, SYSTEM_PAGES * 4096));
    CHECK(!host_owns(&host, 4, SYSTEM_PAGES * 4096));
    CHECK(!host_owns(&host, 2, 4));
    CHECK(!host_owns(&host, 0xfffffffcu, 8));
    CHECK(host_owns(&host, SYSTEM_PAGES * 4096, 0));
}

/* Handles and context ids of what is destroyed stay invalid through more creations than 8 or 16 bits of generation
 * would hold, with the table empty and with one entry left in it. */
static void test_stale_handles(void)
{
    enum { OLD = 300, ROUNDS = 70000 };
    uint32_t old[OLD], handle, index;
    struct refusal why;
    start();
    good_message();
    for (uint32_t spare = 0; spare < 2; spare++) {
        for (uint32_t i = 0; spare != 0 && table.live_count < ALLOCATION_LIMIT - 1u; i++)
            CHECK(allocation_create(&table, message, &handle, &why));
        for (uint32_t i = 0; i < (spare != 0 ? 1000u : ROUNDS); i++) {
            CHECK(allocation_create(&table, message, &handle, &why));
            for (uint32_t k = 0; k < (i < OLD ? i : i % 64 == 0 ? OLD : 1u); k++) CHECK(old[k] != handle);
            if (i < OLD) old[i] = handle;
            CHECK(allocation_find(&table, handle, &index));
            allocation_destroy(&table, index);
            for (uint32_t k = 0; k < (i < OLD ? i + 1 : 8u); k++) CHECK(!allocation_find(&table, old[k], &index));
        }
    }
    CHECK(allocation_table_check(&table));
    struct context_table contexts;
    struct client_record clients[CLIENT_LIMIT];
    uint32_t first, id;
    context_table_init(&contexts, table_memory(), clients);
    CHECK(context_create(&contexts, 0, 0, &first));
    CHECK(context_find(&contexts, first, &index));
    context_destroy(&contexts, index);
    for (uint32_t i = 0; i < 60000; i++) {
        CHECK(context_create(&contexts, 0, 0, &id));
        CHECK(!context_find(&contexts, first, &index) && context_find(&contexts, id, &index));
        context_destroy(&contexts, index);
    }
}

/* A ring in missing memory: the message says where, and is answered as one. */
static void test_missing_ring(void)
{
    uint32_t words[MESSAGE_WORDS] = {1, 2, 3}, client, context;
    start_host();
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 1;
    fake_hal.system[0x1000 / 4] = 5;
    fake_hal.missing_from = 0x1000 + 8;
    CHECK(host_peek(&host, words));
    CHECK(words[0] == MESSAGE_UNREADABLE && words[1] == 0 && words[2] == 0x1000 + 8);
    CHECK(!host_peek_submit(&host, 0, &client, &context));
    fake_hal.missing_from = 0x1000 + 4 * MESSAGE_WORDS;
    CHECK(host_peek(&host, words));
    CHECK_EQUAL(words[0], 5);
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
        struct tables *tables = table_memory();
        context_table_init(&contexts, tables, clients);
        share_init(&shares, tables);
        segment_map_init(&map, tables, pages);
        allocation_table_init(&table, tables, pages, SYSTEM_PAGES);
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
    CHECK_RUN(test_create);
    CHECK_RUN(test_banks_inside_pages);
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_swizzled_shape);
    CHECK_RUN(test_table_full);
    CHECK_RUN(test_contexts);
    CHECK_RUN(test_rings);
    CHECK_RUN(test_owned_range);
    CHECK_RUN(test_stale_handles);
    CHECK_RUN(test_missing_ring);
    CHECK_RUN(test_begun_tables);
    return check_finish();
}
