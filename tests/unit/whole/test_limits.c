/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST.ALLOCATIONS and HOST.CONTEXTS. Goal: as many allocations and contexts as were asked for and no more, at once or
 * in turn, for every limit, and each context gets its turns; a limit whose tables have no room, or that no firmware
 * has, is refused at boot by its name. Method: whole machines with little memory for tables.
 */
#include "system.h"

enum { PAGES_LIST = 0x6000 };

static uint32_t boot(uint32_t allocations, uint32_t contexts, uint32_t table_bytes)
{
    char error[256];
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = 8 * CLIENT_PAGE,
                                           .segment2_bytes = 90 * CLIENT_PAGE,
                                           .table_bytes = table_bytes};
    client = (struct client){0};
    client.device = device_create(&options, error);
    CHECK(client.device != NULL);
    device_transport(client.device, &client.transport);
    const bool is_ready =
        client_start(&client, &(struct client_boot){.allocations = allocations, .contexts = contexts});
    const uint32_t status = device_register(client.device, HOST_BOOT_STATUS_OFFSET);
    CHECK_EQUAL(is_ready, status == 1);
    return status;
}

static void refused(uint32_t allocations, uint32_t contexts, uint32_t table_bytes)
{
    CHECK_EQUAL(boot(allocations, contexts, table_bytes), 0x80000000u + STATUS_NO_TABLE_ROOM);
    device_destroy(client.device);
}

static uint32_t rounded(uint32_t limit) { return (limit + 31u) / 32u * 32u; }

static void test_room(void)
{
    static const uint32_t limits[][2] = {{1, 1},      {32, CONTEXT_MAXIMUM},
                                         {1000, 33},  {ALLOCATION_DEFAULT, CONTEXT_DEFAULT},
                                         {4096, 200}, {ALLOCATION_MAXIMUM, CONTEXT_MAXIMUM}};
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const uint32_t allocations = limits[i][0], contexts = limits[i][1];
        CHECK_EQUAL(boot(allocations, contexts, 0), 1);
        const struct tables *tables = &device_gpu(client.device)->tables;
        const uint32_t needed = tables->taken;
        CHECK_EQUAL(tables->allocations, rounded(allocations));
        CHECK_EQUAL(tables->contexts, rounded(contexts));
        if (contexts == (uint32_t)CONTEXT_DEFAULT) CHECK_EQUAL(needed, TABLES_DEFAULT_BYTES);
        client_close(&client);
        CHECK_EQUAL(boot(allocations, contexts, needed), 1);
        client_close(&client);
        refused(allocations, contexts, needed - 8u);
        refused(allocations, contexts, 16);
    }
    refused(ALLOCATION_MAXIMUM + 1, 0, 0);
    refused(UINT32_MAX, 0, 0);
    refused(0, CONTEXT_MAXIMUM + 1, 0);
    refused(0, UINT32_MAX, 0);
}

/* All entries of a table are in use: one more is refused, and each that is destroyed is gone and free again. */
static void check_full(const uint32_t create[16], uint32_t destroy, const uint32_t *ids, uint32_t entries,
                       enum gpu_status gone)
{
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
    for (uint32_t k = 0; k < entries; k += 7) {
        const uint32_t message[16] = {destroy, 0, ids[k]};
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        CHECK_EQUAL(client_call(&client, message).status, gone);
        CHECK_EQUAL(client_call(&client, create).status, STATUS_OK);
    }
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
}

static void test_limit(void)
{
    static const uint32_t limits[] = {1, 32, 1500, ALLOCATION_MAXIMUM};
    static uint32_t handles[ALLOCATION_MAXIMUM];
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        const uint32_t entries = rounded(limits[i]);
        uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                [MSG_CREATE_ALLOCATION_READ_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                [MSG_CREATE_ALLOCATION_PAGES] = PAGES_LIST};
        CHECK_EQUAL(boot(limits[i], 0, 0), 1);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_ALLOCATION_LIMIT], entries);
        for (uint32_t k = 0; k < entries; k++) {
            const struct answer answer = client_call(&client, message);
            CHECK_EQUAL(answer.status, STATUS_OK);
            handles[k] = answer.words[0];
        }
        check_full(message, MSG_DESTROY_ALLOCATION, handles, entries, STATUS_BAD_HANDLE);
        close_checked();
    }
}

/* The same of contexts. Each draws a word of its own, in turns that do not all fit in memory together; pages are
 * counted for the context that has used them last. */
static void test_contexts(void)
{
    CASE("SCH-11, SCH-12");
    static const uint32_t limits[] = {1, 100, CONTEXT_MAXIMUM};
    static struct client_allocation own[CONTEXT_MAXIMUM];
    static uint32_t ids[CONTEXT_MAXIMUM], drawn[CONTEXT_MAXIMUM], words[CLIENT_PAGE / 4];
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        const uint32_t entries = rounded(limits[i]), create[16] = {MSG_CREATE_CONTEXT};
        CHECK_EQUAL(boot(0, limits[i], 0), 1);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_CONTEXT_LIMIT], entries);
        for (uint32_t k = 0; k < entries; k++) {
            CHECK((ids[k] = client_context(&client, (int32_t)(k % 15u) - 7)) != 0);
            CHECK_EQUAL(client_create(&client, &own[k], 1, SET_LOCAL, NULL), STATUS_OK);
        }
        CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
        const struct manager *manager = &device_gpu(client.device)->manager;
        for (uint32_t turn = 0; turn < 2u * entries; turn++) {
            const uint32_t k = turn * 37u % entries; /* all of them, in another order than they were created */
            stream_init(&stream);
            stream_fill(&stream, own[k].handle, 0, 8, drawn[k] = turn + 1u, 0);
            CHECK_EQUAL(submit(ids[k]).status, STATUS_OK);
            CHECK_EQUAL(manager->residency.shares.recent, min_u32(min_u32(turn + 1u, entries), SHARE_TURNS));
        }
        uint32_t pages = 0;
        for (uint32_t k = 0; k < entries; k++) pages += manager->residency.shares.entry[k].pages;
        CHECK_EQUAL(pages, min_u32(entries, 98));
        for (uint32_t k = 0; k < entries; k++) {
            CHECK_EQUAL(client_lock(&client, &own[k], 0), STATUS_OK); /* pages are the host's from here on */
            client_read(&client, &own[k], (uint8_t *)words);
            CHECK_EQUAL(words[0], drawn[k]);
        }
        check_full(create, MSG_DESTROY_CONTEXT, ids, entries, STATUS_BAD_CONTEXT);
        close_checked();
    }
}

int main(void)
{
    CHECK_RUN(test_room);
    CHECK_RUN(test_limit);
    CHECK_RUN(test_contexts);
    return check_finish();
}
