/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile host found, against the whole firmware on the golden model (the chip: tests/system/test_hostile.c).
 * Goal: nothing a host says or a program does stops the firmware or takes others' time. docs/security.md has the
 * promises.
 */
#include "scheduling.h"

/* ------------------------------------------------------------------ numbers that do not fit */

static uint32_t create_aligned(struct client_allocation *allocation, uint32_t alignment)
{
    uint32_t message[16] = {0};
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = alignment;
    return client_create(&client, allocation, 1, SET_LOCAL, message);
}

/* Every ALIGNMENT is legal as the table says; two allocations of the largest are placed, each in its own segment. */
static void test_alignment(void)
{
    struct client_allocation a, b;
    begin(4, 4);
    uint32_t context = client_context(&client, 0);
    for (uint32_t log2 = 0; log2 < 32u; log2++) {
        const bool is_legal = 1u << log2 <= GPU_LIMIT(ALIGNMENT_BYTES);
        CHECK_EQUAL(create_aligned(&a, 1u << log2), is_legal ? STATUS_OK : STATUS_BAD_ARGUMENT);
        if (is_legal) CHECK_EQUAL(create_aligned(&b, 1u << log2), STATUS_OK);
        if (!is_legal) continue;
        fill_pattern(&a, 7);
        stream_init(&stream);
        stream_copy(&stream, a.handle, 0, b.handle, 0, CLIENT_PAGE, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &b, LOCK_READ_ONLY), STATUS_OK);
        CHECK(has_pattern(&b, 7));
        CHECK_EQUAL(client_unlock(&client, &b), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    }
    client_close(&client);
}

/* ------------------------------------------------------------------ a page list that changes */

static void spoil(const struct client_allocation *allocation, uint32_t index, uint32_t frame)
{
    client.transport.memory_write(client.transport.context, allocation->list + 4u * index, &frame, sizeof frame);
}

/* An entry that is no page any more when it is used, copied in, copied out or mapped: the paging node stops at it, who
 * used the allocation is told so, and however often it happens the firmware goes on. Nothing but the pages before it has
 * changed, and whoever comes next is served. */
static void test_spoiled_list(void)
{
    struct client_allocation a, b;
    uint8_t before[CLIENT_PAGE], after[CLIENT_PAGE];
    static const uint32_t nowhere[] = {0xffffffffu, 0x80000000u, 1u << 20, 1u << 19};
    begin(8, 8);
    for (uint32_t round = 0; round < 24; round++) {
        const uint32_t way = round % 3; /* in, out, mapped */
        const uint32_t pages = host_read(HOST_SYSTEM_PAGES_OFFSET);
        const uint32_t frame = round % 5 == 4 ? pages : nowhere[round % 4] + (round % 2 ? a.page[2] : 0u);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &a, 4, way == 2 ? SET_APERTURE : SET_LOCAL, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_LOCAL, NULL), STATUS_OK);
        fill_pattern(&a, 3);
        sent.count = 0;
        if (way == 1) {
            uint32_t write = send_fill(context, &a, 0, 4 * CLIENT_PAGE, 0x12345678);
            receive_all();
            CHECK_EQUAL(sent.answer[write].status, STATUS_OK);
        }
        client.transport.memory_read(client.transport.context, a.page[3] * CLIENT_PAGE, before, CLIENT_PAGE);
        spoil(&a, 2, frame);
        if (way == 1) {
            CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_CONTENT_LOST);
        } else {
            sent.count = 0;
            uint32_t use = send_fill(context, &a, 0, 8, 1);
            receive_all();
            CHECK_EQUAL(sent.answer[use].status, STATUS_FAULT);
            CHECK_EQUAL(sent.answer[use].detail, FAULT_BAD_PAGE);
        }
        client.transport.memory_read(client.transport.context, a.page[3] * CLIENT_PAGE, after, CLIENT_PAGE);
        CHECK(memcmp(before, after, CLIENT_PAGE) == 0);
        spoil(&a, 2, a.page[2]);
        uint32_t other = client_context(&client, 0);
        sent.count = 0;
        uint32_t next = send_fill(other, &b, 0, 8, 0x55);
        receive_all();
        CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    }
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 24);
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_alignment);
    CHECK_RUN(test_spoiled_list);
    return check_finish();
}
