/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's commands to the whole firmware: locks, offers, queries, contexts, wrong messages and
 * refused boots. Method: messages over the rings of a model device, answers compared.
 */
#include "system.h"

/* ALC-16, ALC-17 and the states around locks. */
static void test_lock_rules(void)
{
    CASE("ALC-16, ALC-17");
    struct client_allocation a;
    uint32_t message[16] = {0};
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_NOT_LOCKED);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_READ_ONLY | LOCK_WRITE_ONLY), STATUS_BAD_FLAGS);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_IGNORE_SYNC | LOCK_ACQUIRE_APERTURE), STATUS_BAD_FLAGS);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_ALTERNATE_VA), STATUS_BAD_FLAGS);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_ACQUIRE_APERTURE), STATUS_UNSUPPORTED);
    CHECK_EQUAL(client_lock(&client, &a, 0x8000), STATUS_BAD_FLAGS);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_LOCKED);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_LOCKED);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, 1, 0);
    CHECK_EQUAL(submit(context).status, STATUS_LOCKED);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_DONT_EVICT), STATUS_UNSUPPORTED);
    /* Busy: the lock is sent right after the submission. */
    client_stage(&client, &stream, context, 0, message);
    struct answer answers[2];
    uint32_t tag = client_send(&client, message);
    const uint32_t lock[16] = {MSG_LOCK, 0, a.handle, LOCK_ENTIRE | LOCK_DONT_WAIT};
    client_send(&client, lock);
    CHECK(client_receive(&client, &answers[0]));
    CHECK(client_receive(&client, &answers[1]));
    CHECK_EQUAL(answers[answers[0].tag == tag].status, STATUS_WAS_STILL_DRAWING);
    CHECK_EQUAL(answers[answers[0].tag != tag].status, STATUS_OK);
    close_checked();
}

/* CNF-07: a lock right after a submission sees what it draws, without being told to wait. */
static void test_lock_sees_earlier_work(void)
{
    CASE("CNF-07");
    struct client_allocation a;
    uint32_t message[16];
    for (uint32_t set = SET_1; set <= SET_APERTURE; set *= 2) {
        open_with(4, 4, 0, 7);
        CHECK_EQUAL(client_create(&client, &a, 1, set, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        for (uint32_t i = 0; i < 3; i++) {
            stream_init(&stream);
            stream_fill(&stream, a.handle, i * 8, 8, 0x70 + i, 0);
            client_stage(&client, &stream, context, i, message);
            client_send(&client, message);
        }
        const uint32_t lock[16] = {MSG_LOCK, 0, a.handle, LOCK_ENTIRE};
        uint32_t tag = client_send(&client, lock);
        struct answer answer;
        do {
            CHECK(client_receive(&client, &answer));
            CHECK_EQUAL(answer.status, STATUS_OK);
        } while (answer.tag != tag);
        for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(word_of(&a, 2 * i), 0x70 + i);
        close_checked();
    }
}

/* ALC-14: offered content may go, and says so when it is reclaimed; until then it cannot be used. */
static void test_offer(void)
{
    CASE("ALC-14");
    struct client_allocation a;
    for (uint32_t keep = 0; keep < 3; keep++) { /* 0 as it comes, 1 never discarded, 2 always */
        uint32_t force = 0;
        if (keep == 1) force = FIELD_PUT(1, HOST_FORCE_KEEP_OFFERED);
        if (keep == 2) force = FIELD_PUT(1, HOST_FORCE_DROP_OFFERED);
        open_with(4, 4, force, 0);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        const uint32_t too_high[16] = {MSG_OFFER, 0, a.handle, 4};
        const uint32_t offer[16] = {MSG_OFFER, 0, a.handle, 2}, reclaim[16] = {MSG_RECLAIM, 0, a.handle};
        const uint32_t evict[16] = {MSG_EVICT, 0, a.handle};
        CHECK_EQUAL(client_call(&client, too_high).status, STATUS_BAD_ARGUMENT);
        CHECK_EQUAL(client_call(&client, offer).status, STATUS_OK);
        CHECK_EQUAL(use(context, &a), STATUS_OFFERED);
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OFFERED);
        CHECK_EQUAL(client_call(&client, evict).status, STATUS_OK);
        struct answer answer = client_call(&client, reclaim);
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK_EQUAL(answer.words[0], keep != 1);
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        CHECK_EQUAL(word_of(&a, 0), keep == 1 ? 1 : 0);
        close_checked();
    }
    open_with(4, 4, FIELD_PUT(1, HOST_FORCE_DROP_OFFERED), 0); /* of what never was resident, too */
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    const uint32_t offer[16] = {MSG_OFFER, 0, a.handle, 2}, reclaim[16] = {MSG_RECLAIM, 0, a.handle};
    CHECK_EQUAL(client_call(&client, reclaim).words[0], 0);
    CHECK_EQUAL(client_call(&client, offer).status, STATUS_OK);
    CHECK_EQUAL(client_call(&client, reclaim).words[0], 1);
    CHECK_EQUAL(client_call(&client, reclaim).words[0], 0);
    close_checked();
}

/* A wrong message changes nothing and names its word. */
static void test_bad_messages(void)
{
    open_with(4, 4, 0, 0);
    const uint32_t unknown[16] = {0x77};
    struct answer answer = client_call(&client, unknown);
    CHECK_EQUAL(answer.status, STATUS_BAD_MESSAGE);
    CHECK_EQUAL(answer.detail, 0x77);
    const uint32_t bad_context[16] = {MSG_SUBMIT, 0, 12345};
    CHECK_EQUAL(client_call(&client, bad_context).status, STATUS_BAD_CONTEXT);
    const uint32_t bad_node[16] = {MSG_CREATE_CONTEXT, 0, 1, 0};
    CHECK_EQUAL(client_call(&client, bad_node).status, STATUS_BAD_ARGUMENT);
    const uint32_t bad_handle[16] = {MSG_LOCK, 0, 4711, LOCK_ENTIRE};
    CHECK_EQUAL(client_call(&client, bad_handle).status, STATUS_BAD_HANDLE);
    const uint32_t bad_address[16] = {MSG_QUERY_STATISTICS, 0, 0xfffffff0u, 32};
    CHECK_EQUAL(client_call(&client, bad_address).status, STATUS_BAD_ADDRESS);
    close_checked();
}

/* Each limit of each message from both sides: what is refused names its word, what is just within goes through. */
static void test_refused_words(void)
{
    enum { HANDLE = 0xaaaa0001, CONTEXT, CLIENTS = CLIENT_LIMIT, OUT = 5 * CLIENT_PAGE };
    static const struct {
        uint32_t message, words[4]; /* from word 2 on */
        enum gpu_status status;
        uint32_t detail;
    } rows[] = {
        {MSG_CREATE_CONTEXT, {1, 0}, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_NODE},
        {MSG_CREATE_CONTEXT, {0, 8}, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_PRIORITY},
        {MSG_CREATE_CONTEXT, {0, (uint32_t)-8}, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_PRIORITY},
        {MSG_CREATE_CONTEXT, {0, 7}, STATUS_OK, 0},
        {MSG_CREATE_CONTEXT, {0, (uint32_t)-7}, STATUS_OK, 0},
        {MSG_SET_CONTEXT, {77, CONTEXT_PRIORITY, 0}, STATUS_BAD_CONTEXT, 0},
        {MSG_SET_CONTEXT, {CONTEXT, 0}, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_CHANGES},
        {MSG_SET_CONTEXT, {CONTEXT, 0x40 | CONTEXT_BUDGET}, STATUS_BAD_FLAGS, 0x40},
        {MSG_SET_CONTEXT, {CONTEXT, CONTEXT_PRIORITY, 8}, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_PRIORITY},
        {MSG_SET_CONTEXT, {CONTEXT, CONTEXT_BUDGET, 8, 8}, STATUS_OK, 0}, /* the priority is not asked for */
        {MSG_SET_CONTEXT, {CONTEXT, CONTEXT_BUDGET, 0, 9}, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_BUDGET},
        {MSG_SET_CONTEXT, {CONTEXT, CONTEXT_PRIORITY, 7, 9}, STATUS_OK, 0}, /* nor the budget */
        {MSG_QUERY_CONTEXT, {77}, STATUS_BAD_CONTEXT, 0},
        {MSG_DESTROY_CONTEXT, {77}, STATUS_BAD_CONTEXT, 0},
        {MSG_SUBMIT, {77}, STATUS_BAD_CONTEXT, 0},
        {MSG_SET_PRIORITY, {HANDLE, 0}, STATUS_BAD_ARGUMENT, MSG_SET_PRIORITY_PRIORITY},
        {MSG_SET_PRIORITY, {HANDLE, 1}, STATUS_OK, 0},
        {MSG_SET_PRIORITY, {4711, 1}, STATUS_BAD_HANDLE, MSG_SET_PRIORITY_HANDLE},
        {MSG_SHARE, {4711, 1, RIGHT_READ}, STATUS_BAD_HANDLE, MSG_SHARE_HANDLE},
        {MSG_SHARE, {HANDLE, 0, RIGHT_READ}, STATUS_BAD_ARGUMENT, MSG_SHARE_CLIENT},
        {MSG_SHARE, {HANDLE, CLIENTS, RIGHT_READ}, STATUS_BAD_ARGUMENT, MSG_SHARE_CLIENT},
        {MSG_SHARE, {HANDLE, 1, RIGHT_WRITE}, STATUS_BAD_ARGUMENT, MSG_SHARE_RIGHTS},
        {MSG_SHARE, {HANDLE, 1, 0x80 | RIGHT_READ}, STATUS_BAD_ARGUMENT, MSG_SHARE_RIGHTS},
        {MSG_SHARE, {HANDLE, CLIENTS - 1, RIGHT_READ | RIGHT_WRITE}, STATUS_OK, 0},
        {MSG_SHARE, {HANDLE, CLIENTS - 1, 0}, STATUS_OK, 0},
        {MSG_OFFER, {4711, 1}, STATUS_BAD_HANDLE, MSG_OFFER_HANDLE},
        {MSG_OFFER, {HANDLE, 0}, STATUS_BAD_ARGUMENT, MSG_OFFER_PRIORITY},
        {MSG_OFFER, {HANDLE, 4}, STATUS_BAD_ARGUMENT, MSG_OFFER_PRIORITY},
        {MSG_OFFER, {HANDLE, 3}, STATUS_OK, 0},
        {MSG_RECLAIM, {4711}, STATUS_BAD_HANDLE, MSG_RECLAIM_HANDLE},
        {MSG_RECLAIM, {HANDLE}, STATUS_OK, 0},
        {MSG_EVICT, {4711}, STATUS_BAD_HANDLE, MSG_EVICT_HANDLE},
        {MSG_EVICT, {HANDLE}, STATUS_OK, 0},
        {MSG_LOCK, {4711, LOCK_ENTIRE}, STATUS_BAD_HANDLE, MSG_LOCK_HANDLE},
        {MSG_UNLOCK, {4711}, STATUS_BAD_HANDLE, MSG_UNLOCK_HANDLE},
        {MSG_QUERY_ALLOCATION, {4711}, STATUS_BAD_HANDLE, MSG_QUERY_ALLOCATION_HANDLE},
        {MSG_DESTROY_ALLOCATION, {4711}, STATUS_BAD_HANDLE, MSG_DESTROY_ALLOCATION_HANDLE},
        {MSG_ADMIT_CLIENT, {CLIENTS}, STATUS_BAD_ARGUMENT, MSG_ADMIT_CLIENT_CLIENT},
        {MSG_ADMIT_CLIENT, {CLIENTS - 1}, STATUS_OK, 0},
        {MSG_QUERY_SEGMENT, {3, 0}, STATUS_BAD_ARGUMENT, MSG_QUERY_SEGMENT_FORM},
        {MSG_QUERY_SEGMENT, {2, 0}, STATUS_UNSUPPORTED, MSG_QUERY_SEGMENT_FORM},
        {MSG_QUERY_SEGMENT, {5, OUT, 2}, STATUS_BAD_ARGUMENT, MSG_QUERY_SEGMENT_COUNT},
        {MSG_QUERY_SEGMENT, {5, 0xfffffff0u, 3}, STATUS_BAD_ADDRESS, MSG_QUERY_SEGMENT_ADDRESS},
        {MSG_QUERY_SEGMENT, {5, OUT + 2, 3}, STATUS_BAD_ADDRESS, MSG_QUERY_SEGMENT_ADDRESS},
        {MSG_QUERY_STATISTICS, {0xfffffff0u, 32}, STATUS_BAD_ADDRESS, MSG_QUERY_STATISTICS_ADDRESS},
        {MSG_QUERY_STATISTICS, {OUT + 1, 1}, STATUS_BAD_ADDRESS, MSG_QUERY_STATISTICS_ADDRESS},
        {MSG_SELF_TEST, {0}, STATUS_BAD_ARGUMENT, MSG_SELF_TEST_TEST},
        {MSG_SELF_TEST, {SELF_TEST_LAST + 1}, STATUS_BAD_ARGUMENT, MSG_SELF_TEST_TEST},
    };
    struct client_allocation a;
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t message[16] = {rows[i].message};
        memcpy(message + 2, rows[i].words, sizeof rows[i].words);
        if (message[2] == HANDLE) message[2] = a.handle;
        if (message[2] == CONTEXT) message[2] = context;
        struct answer answer = client_call(&client, message);
        if (answer.status != rows[i].status || answer.detail != rows[i].detail) printf("refused word: row %u\n", i);
        CHECK_EQUAL(answer.status, rows[i].status);
        CHECK_EQUAL(answer.detail, rows[i].detail);
    }
    close_checked();
}

/* SCH-11: as many contexts as the table holds, then a clean failure; ids do not come back. */
static void test_contexts(void)
{
    CASE("SCH-11");
    uint32_t ids[CONTEXT_DEFAULT];
    const uint32_t create[16] = {MSG_CREATE_CONTEXT};
    open_with(4, 4, 0, 0);
    for (uint32_t i = 0; i < CONTEXT_DEFAULT; i++) CHECK((ids[i] = client_context(&client, 0)) != 0);
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, ids[5]};
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_BAD_CONTEXT);
    uint32_t again = client_context(&client, 0);
    CHECK(again != 0 && again != ids[5]);
    close_checked();
}

/* Boot refuses what it cannot work with, and says so. */
static void test_boot_refusals(void)
{
    char error[256];
    struct transport transport;
    const struct device_options options = {.memory_bytes = 1u << 20};
    static const struct {
        uint32_t offset, value, status;
    } rows[] = {
        {HOST_ABI_HOST_OFFSET, 1, STATUS_ABI_MISMATCH},
        {HOST_SUBMIT_SIZE_OFFSET, 13, STATUS_BAD_ADDRESS},
        {HOST_SUBMIT_BASE_OFFSET, 4, STATUS_BAD_ADDRESS},
        {HOST_COMPLETE_BASE_OFFSET, 0xffff0000u, STATUS_BAD_ADDRESS},
        {HOST_SYSTEM_PAGES_OFFSET, 0, STATUS_BAD_ADDRESS},
        {HOST_DUMMY_PAGE_OFFSET, 256, STATUS_BAD_PAGE},
        /* Inside SYSTEM_PAGES, and not there: at the beginning, and at the end alone. */
        {HOST_DUMMY_PAGE_OFFSET, 300, STATUS_BAD_PAGE},
        {HOST_SUBMIT_BASE_OFFSET, 300 * CLIENT_PAGE, STATUS_BAD_ADDRESS},
        {HOST_SUBMIT_BASE_OFFSET, 256 * CLIENT_PAGE - 960, STATUS_BAD_ADDRESS},
        {HOST_COMPLETE_BASE_OFFSET, 300 * CLIENT_PAGE, STATUS_BAD_ADDRESS},
        {HOST_COMPLETE_BASE_OFFSET, 256 * CLIENT_PAGE - 480, STATUS_BAD_ADDRESS},
        {HOST_SUBMIT_BASE_OFFSET, 256 * CLIENT_PAGE - 1024, STATUS_OK},
        {HOST_DUMMY_PAGE_OFFSET, 255, STATUS_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct device *device = device_create(&options, error);
        device_transport(device, &transport);
        transport.register_write(device, HOST_ABI_HOST_OFFSET, device_register(device, HOST_ABI_OFFSET));
        transport.register_write(device, HOST_SUBMIT_SIZE_OFFSET, 4);
        transport.register_write(device, HOST_COMPLETE_SIZE_OFFSET, 4);
        transport.register_write(device, HOST_COMPLETE_BASE_OFFSET, 4096);
        transport.register_write(device, HOST_SYSTEM_PAGES_OFFSET, i < 6 ? 256 : 512);
        transport.register_write(device, rows[i].offset, rows[i].value);
        transport.register_write(device, HOST_CONTROL_OFFSET, 1);
        transport.wait(device, 10000);
        CHECK_EQUAL(device_register(device, HOST_BOOT_STATUS_OFFSET),
                    rows[i].status == STATUS_OK ? 1u : 0x80000000u + rows[i].status);
        device_destroy(device);
    }
}

/* Where an allocation is: nowhere and at 0, or in its segment and at the byte from its start. */
static void test_query_allocation(void)
{
    struct client_allocation a[3];
    open_with(4, 4, 0, 0);
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(client_create(&client, &a[i], 1, i < 2 ? SET_1 : SET_2, NULL), STATUS_OK);
        const uint32_t query[16] = {MSG_QUERY_ALLOCATION, 0, a[i].handle};
        struct answer answer = client_call(&client, query);
        CHECK(answer.status == STATUS_OK && answer.words[0] == 0 && answer.words[1] == 0);
        CHECK_EQUAL(use(context, &a[i]), STATUS_OK);
        answer = client_call(&client, query);
        CHECK(answer.status == STATUS_OK && answer.words[0] == (i < 2 ? 1 : 2));
        CHECK_EQUAL(answer.words[1], i == 1 ? CLIENT_PAGE : 0);
        CHECK_EQUAL(answer.words[2], PLACE_REASON_ONLY);
    }
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_lock_rules);
    CHECK_RUN(test_lock_sees_earlier_work);
    CHECK_RUN(test_offer);
    CHECK_RUN(test_bad_messages);
    CHECK_RUN(test_refused_words);
    CHECK_RUN(test_contexts);
    CHECK_RUN(test_boot_refusals);
    CHECK_RUN(test_query_allocation);
    return check_finish();
}
