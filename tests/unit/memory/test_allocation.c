/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of allocations. Goal: every refusal of CREATE_ALLOCATION has its status and detail and changes nothing;
 * handles of what is destroyed stay stale; the table's limit holds. Method: a table of wrong words, and a full table.
 * ALC-01..ALC-03, ALC-22, SEG-19, CAP-03.
 */
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "memory/allocation.h"
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

/* Handles of what is destroyed stay invalid through more creations than 8 or 16 bits of generation would hold, with the
 * table empty and with one entry left in it. */
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
}

int main(void)
{
    CHECK_RUN(test_create);
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_swizzled_shape);
    CHECK_RUN(test_table_full);
    CHECK_RUN(test_stale_handles);
    return check_finish();
}
