/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST.ALLOCATIONS. Goal: as many allocations as were asked for and no more, at once or in turn, for every limit; a
 * limit whose tables have no room, or that no firmware has, is refused at boot by its name. Method: whole machines with
 * little memory for tables.
 */
#include "system.h"

enum { PAGES_LIST = 0x6000 };

static uint32_t boot(uint32_t allocations, uint32_t table_bytes)
{
    char error[256];
    const struct device_options options = {.memory_bytes = 8u << 20, .table_bytes = table_bytes};
    client = (struct client){0};
    client.device = device_create(&options, error);
    CHECK(client.device != NULL);
    device_transport(client.device, &client.transport);
    const bool is_ready = client_start(&client, &(struct client_boot){.allocations = allocations});
    const uint32_t status = device_register(client.device, HOST_BOOT_STATUS_OFFSET);
    CHECK_EQUAL(is_ready, status == 1);
    return status;
}

static void refused(uint32_t allocations, uint32_t table_bytes)
{
    CHECK_EQUAL(boot(allocations, table_bytes), 0x80000000u + STATUS_NO_TABLE_ROOM);
    device_destroy(client.device);
}

static void test_room(void)
{
    static const uint32_t limits[] = {1, 32, 1000, ALLOCATION_DEFAULT, 4096, ALLOCATION_MAXIMUM};
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        CHECK_EQUAL(boot(limits[i], 0), 1);
        const struct tables *tables = &device_gpu(client.device)->tables;
        const uint32_t needed = tables->taken, entries = (limits[i] + 31u) / 32u * 32u;
        CHECK_EQUAL(tables->allocations, entries);
        if (entries == (uint32_t)ALLOCATION_DEFAULT) CHECK_EQUAL(needed, TABLES_DEFAULT_BYTES);
        client_close(&client);
        CHECK_EQUAL(boot(limits[i], needed), 1);
        client_close(&client);
        refused(limits[i], needed - 8u);
        refused(limits[i], 16);
    }
    refused(ALLOCATION_MAXIMUM + 1, 0);
    refused(UINT32_MAX, 0);
}

/* All entries in use; one more is refused; each that is destroyed is free again. */
static void test_limit(void)
{
    static const uint32_t limits[] = {1, 32, 1500, ALLOCATION_MAXIMUM};
    static uint32_t handles[ALLOCATION_MAXIMUM];
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        const uint32_t entries = (limits[i] + 31u) / 32u * 32u;
        uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                [MSG_CREATE_ALLOCATION_READ_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                [MSG_CREATE_ALLOCATION_PAGES] = PAGES_LIST};
        CHECK_EQUAL(boot(limits[i], 0), 1);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_ALLOCATION_LIMIT], entries);
        for (uint32_t k = 0; k < entries; k++) {
            const struct answer answer = client_call(&client, message);
            CHECK_EQUAL(answer.status, STATUS_OK);
            handles[k] = answer.words[0];
        }
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OUT_OF_HANDLES);
        for (uint32_t k = 0; k < entries; k += 7) {
            const uint32_t destroy[16] = {MSG_DESTROY_ALLOCATION, 0, handles[k]};
            CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
            CHECK_EQUAL(client_call(&client, destroy).status, STATUS_BAD_HANDLE);
            CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        }
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OUT_OF_HANDLES);
        close_checked();
    }
}

int main(void)
{
    CHECK_RUN(test_room);
    CHECK_RUN(test_limit);
    return check_finish();
}
