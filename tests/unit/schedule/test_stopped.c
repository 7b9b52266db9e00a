/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that stop where no portion is to blame: after the last one, in the middle of a preemption, between a Map and
 * its Unmap. Goal: the machine goes on, nobody is told OK who has not run, nothing stays mapped. Method: the golden
 * model with nodes held still at chosen and at random places, under both drivers.
 * test_stopped [first seed] [worlds]. TDR-01, TDR-02, TDR-04, TDR-08, SCH-08, PGB-26..PGB-28.
 */
#include "scheduling.h"

enum { TIMEOUT = 1000000, DELAY = 500000, APERTURE_PAGES = 16 };

static void begin_timed(uint32_t segment1_pages, uint32_t segment2_pages)
{
    boot.timeout = TIMEOUT;
    boot.preempt_delay = DELAY;
    begin(segment1_pages, segment2_pages);
}

/* A context that has used `a`. */
static uint32_t begin_used(struct client_allocation *a)
{
    begin_timed(4, 4);
    CHECK_EQUAL(client_create(&client, a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, a), STATUS_OK);
    return context;
}

static void pass_time(void) { client.transport.wait(client.transport.context, 4 * TIMEOUT); }

/* A job of which the render node, which can be stepped from here on, has not begun anything. */
static uint32_t send_held_job(uint32_t context, const struct client_allocation *a)
{
    turns(20);
    node(0)->is_enabled = false;
    uint32_t job = send_fill(context, a, 0, 8, 0x11);
    turns(50);
    node(0)->is_enabled = true;
    return job;
}

/* ------------------------------------------------------------------ the render node */

/* TDR-01: it stops at what takes the access rights back, when every job is answered: nobody is lost, and both a
 * request to preempt and the next job find a node that works. The same when it halts there. */
static void test_behind_the_last_portion(void)
{
    CASE("TDR-01");
    struct client_allocation a;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t context = begin_used(&a);
        send_held_job(context, &a);
        const uint32_t fence = node(0)->fence + 1u;
        while (node(0)->fence != fence) step_node(0);
        CHECK(node(0)->head != node(0)->tail);
        if (k < 2) device_hang(client.device, 0);
        else *at_head(0) = 0xee;
        if (k == 1) send_preempt(0);
        receive_all();
        CHECK_EQUAL(sent.answer[0].status, STATUS_OK);
        pass_time();
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(statistic(STAT_RECOVERIES), 1);
        client_close(&client);
    }
}

/* TDR-02: as many recoveries that nobody has to answer for as the limit says are survived, the next one inside the
 * window is final and says so. */
static void stop_once(uint32_t context, const struct client_allocation *a)
{
    send_held_job(context, a);
    while ((*at_head(0) & 0xffu) != PKT_FENCE) step_node(0);
    step_node(0);
    device_hang(client.device, 0);
}

static void test_one_too_many(void)
{
    CASE("TDR-02");
    struct client_allocation a;
    static const uint32_t limits[] = {0, 2, 15, 16};
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t limit = limits[k] == 0 ? 5 : limits[k];
        boot.recovery_limit = limits[k];
        boot.recovery_window = 1000 * TIMEOUT;
        uint32_t context = begin_used(&a);
        boot.recovery_limit = boot.recovery_window = 0;
        for (uint32_t i = 0; i < limit + (limit > 15 ? 4 : 0); i++) {
            stop_once(context, &a);
            receive_all();
            CHECK_EQUAL(sent.answer[0].status, STATUS_OK);
            pass_time();
            CHECK_EQUAL(statistic(STAT_RECOVERIES), i + 1);
        }
        if (limit > 15) {
            client_close(&client);
            continue;
        }
        stop_once(context, &a);
        receive_all();
        pass_time();
        CHECK_EQUAL(host_read(HOST_PANIC_PLACE_OFFSET), NODE_RENDER);
        check_panic(PANIC_RECOVERY);
    }
    /* Old ones do not count. */
    boot.recovery_limit = 1;
    boot.recovery_window = 2 * TIMEOUT;
    uint32_t context = begin_used(&a);
    boot.recovery_limit = boot.recovery_window = 0;
    for (uint32_t i = 0; i < 4; i++) {
        pass_time();
        stop_once(context, &a);
        receive_all();
        pass_time();
    }
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 4);
    client_close(&client);
}

/* In the middle of a preemption: every portion is through, the node stops before the preemption's fence. */
static void test_before_the_preemption_fence(void)
{
    struct client_allocation a;
    uint32_t context = begin_used(&a), job = send_held_job(context, &a);
    while ((*at_head(0) & 0xffu) != PKT_FENCE) step_node(0);
    node(0)->is_enabled = false;
    uint32_t request = send_preempt(0);
    while (device_gpu(client.device)->driver.preemption[0].stage != PREEMPTION_CUT) turns(1);
    device_hang(client.device, 0);
    CHECK_EQUAL(device_gpu(client.device)->driver.preemption[0].stage, PREEMPTION_CUT);
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[request].status, STATUS_OK);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 1);
    client_close(&client);
}

/* TDR-08: a job of the lost context that was planned, and waited for room while its context was lost, does not run and
 * says so. */
static void test_lost_while_prepared(void)
{
    CASE("TDR-08");
    struct client_allocation a;
    uint32_t context = begin_used(&a);
    device_hang(client.device, 0);
    uint32_t guilty = send_fill(context, &a, 0, 8, 0x11);
    while (!device_gpu(client.device)->scheduler.preemption[0].is_pending)
        client.transport.wait(client.transport.context, 10000);
    uint32_t next = send_fill(context, &a, 8, 8, 0x22);
    turns(100);
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 0);
    receive_all();
    CHECK_EQUAL(sent.answer[guilty].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[next].status, STATUS_CONTEXT_LOST);
    check_words(&a, 2, 0);
    client_close(&client);
}

/* ------------------------------------------------------------------ the paging node */

/* SCH-08: a host that preempts the paging node again and again, when that hardly gets on, does not fill its ring: what
 * is withheld is submitted again when its room is free. */
static void test_preempted_for_ever(void)
{
    CASE("SCH-08");
    enum { REQUESTS = 60 };
    struct client_allocation a[4];
    struct answer answer;
    boot.options = FIELD_PUT(20, HOST_BOOT_OPTIONS_PAGING_WORDS);
    begin(16, 4);
    boot.options = 0;
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &a[i], 4, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    node(1)->is_enabled = false;
    for (uint32_t i = 0; i < 4; i++) send_fill(context, &a[i], 0, 4, 0x200 + i);
    turns(300);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t message[16] = {MSG_PREEMPT, 0, 1};
        client_send(&client, message);
        turns(4);
    }
    turns(200);
    node(1)->is_enabled = true;
    for (uint32_t i = 0; i < REQUESTS + 4; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    for (uint32_t i = 0; i < 4; i++) check_words(&a[i], 0, 0x200 + i);
    client_close(&client);
}

static uint32_t count_mapped(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < APERTURE_PAGES; i++)
        count += FIELD_GET(device_engine(client.device)->aperture[i], APERTURE_ENTRY_MAPPED);
    return count;
}

/* TDR-04: what the aperture showed before a reset it shows no more, though the Unmap was dropped with the ring: of an
 * allocation that is gone, and of an eviction through the aperture that was cut in the middle. */
static void test_nothing_stays_mapped(void)
{
    CASE("TDR-04");
    struct client_allocation a;
    uint32_t message[16] = {0};
    begin_timed(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_APERTURE, NULL), STATUS_OK);
    CHECK_EQUAL(use(client_context(&client, 0), &a), STATUS_OK);
    CHECK_EQUAL(count_mapped(), 2);
    device_hang(client.device, 1);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    turns(20);
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 1);
    CHECK_EQUAL(count_mapped(), 0);
    client_close(&client);

    boot.options = FIELD_PUT(5, HOST_BOOT_OPTIONS_PAGING_WORDS); /* one packet in each buffer */
    begin_timed(4, 4);
    boot.options = 0;
    message[MSG_CREATE_ALLOCATION_EVICTION_SET] = SET_APERTURE;
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, message), STATUS_OK);
    CHECK_EQUAL(use(client_context(&client, 0), &a), STATUS_OK);
    node(1)->is_enabled = false;
    const uint32_t lock[16] = {MSG_LOCK, 0, a.handle, LOCK_ENTIRE};
    sent.tag[sent.count++] = client_send(&client, lock);
    turns(50);
    node(1)->is_enabled = true;
    while (count_mapped() != 2) step_node(1);
    device_hang(client.device, 1);
    receive_all();
    CHECK_EQUAL(sent.answer[0].status, STATUS_CONTENT_LOST);
    turns(20);
    CHECK_EQUAL(count_mapped(), 0);
    client_close(&client);
}

/* ------------------------------------------------------------------ drivers */

static bool has_had_room;
static bool can_submit_once(void *adapter, uint32_t node_ordinal)
{
    has_had_room = !has_had_room;
    return has_had_room && second.ddi.can_submit(adapter, node_ordinal);
}

/* A driver whose can_submit need not say twice what it has said once: whoever has asked may submit. */
static void test_room_is_asked_for_once(void)
{
    begin(4, 4);
    has_had_room = false;
    device_gpu(client.device)->manager.ddi.can_submit = can_submit_once;
    for (uint32_t number = 1; number <= 3; number++) {
        const uint32_t message[16] = {MSG_SELF_TEST, 0, number};
        struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK_EQUAL(answer.words[REPLY_SELF_TEST_RESULT - 4], 0);
    }
    client_close(&client);
}

/* PGB-28: a self test promises that what it copies is idle, so it waits for a paging node that is not through. */
static void test_self_test_waits(void)
{
    CASE("PGB-28");
    struct client_allocation a;
    const uint32_t message[16] = {MSG_SELF_TEST, 0, 1};
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    node(1)->is_enabled = false;
    uint32_t job = send_fill(context, &a, 0, 8, 0x11), test = sent.count++;
    turns(50);
    CHECK(node(1)->head != node(1)->tail);
    sent.tag[test] = client_send(&client, message);
    turns(50); /* second_driver.c stops the program if the promise is broken */
    node(1)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[test].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[test].words[REPLY_SELF_TEST_RESULT - 4], 0);
    client_close(&client);
}

/* ------------------------------------------------------------------ at random */

/* What else a host may ask while nodes stop. */
static void send_command(uint32_t *random, const struct client_allocation *allocation)
{
    const uint32_t which = check_pick(random, 3);
    const uint32_t evict[16] = {MSG_EVICT, 0, which == 0 ? 0 : allocation->handle};
    const uint32_t test[16] = {MSG_SELF_TEST, 0, 1 + check_pick(random, 3)};
    sent.tag[sent.count++] = client_send(&client, which < 2 ? evict : test);
}

/* PGB-26..PGB-28, SCH-08: whatever stops, whoever is preempted, under the difficult driver: everything is answered,
 * what is answered OK is there, and the driver is promised nothing that is not so (second_driver.c). */
static void run_world(uint32_t seed)
{
    enum { ALLOCATIONS = 8, MESSAGES = 15 };
    struct client_allocation a[ALLOCATIONS];
    uint32_t random = seed * 2654435761u | 1u, contexts[4], target[MESSAGES];
    for (uint32_t i = 0; i < 5; i++) check_random(&random);
    const uint32_t words = check_pick(&random, 3) * 20u, pages = check_pick(&random, 3);
    boot = (struct client_boot){.options = FIELD_PUT(words, HOST_BOOT_OPTIONS_PAGING_WORDS) |
                                           FIELD_PUT(pages, HOST_BOOT_OPTIONS_TRANSFER_PAGES),
                                .timeout = TIMEOUT,
                                .preempt_delay = DELAY,
                                .recovery_limit = 16};
    sent.count = 0;
    open_seeded(5, 3, check_pick(&random, 3) != 0 ? seed : 0);
    boot = (struct client_boot){0};
    second.random = seed;
    second.says_busy = check_pick(&random, 3) != 0;
    second.is_one_packet = check_pick(&random, 2) != 0;
    second.is_slow = check_pick(&random, 2) != 0;
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        static const uint32_t sets[4] = {SET_1, SET_LOCAL, SET_1, SET_APERTURE};
        const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_EVICTION_SET] = i == 1 ? SET_APERTURE : 0};
        const uint32_t zeros[3 * CLIENT_PAGE / 4] = {0};
        CHECK_EQUAL(client_create(&client, &a[i], 1 + i % 3, sets[i % 4], message), STATUS_OK);
        client_write(&client, &a[i], (const uint8_t *)zeros);
    }
    for (uint32_t i = 0; i < 4; i++) contexts[i] = client_context(&client, (int32_t)(i % 2));
    for (uint32_t i = 0; i < MESSAGES; i++) { /* each job writes a word of its own */
        uint32_t kind = check_pick(&random, 6), k = check_pick(&random, ALLOCATIONS);
        target[i] = kind < 3 ? ALLOCATIONS : k;
        if (kind < 2) send_preempt(check_pick(&random, 4) != 0);
        else if (kind == 2) send_command(&random, &a[k]);
        else send_fill(contexts[check_pick(&random, 4)], &a[k], i * 4, 4, seed * 100 + i + 1);
        turns(check_pick(&random, 40));
        disturb(&random);
    }
    node(0)->is_enabled = node(1)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        uint32_t status = client_lock(&client, &a[i], 0);
        CHECK(status == STATUS_OK || status == STATUS_CONTENT_LOST);
        for (uint32_t k = 0; k < MESSAGES && status == STATUS_OK; k++)
            if (target[k] == i && sent.answer[k].status == STATUS_OK)
                CHECK_EQUAL(word_of(&a[i], k), seed * 100 + k + 1);
    }
    pass_time(); /* what hangs after the last portion is found, too */
    client_close(&client);
}

static uint32_t first_seed = 1, worlds = 120;

static void test_stopped_at_random(void)
{
    CASE("PGB-26, PGB-27, PGB-28, SCH-08");
    for (uint32_t seed = first_seed; seed < first_seed + worlds; seed++) run_world(seed);
}

int main(int count, char **arguments)
{
    if (count > 1) first_seed = (uint32_t)strtoul(arguments[1], NULL, 0);
    if (count > 2) worlds = (uint32_t)strtoul(arguments[2], NULL, 0);
    CHECK_RUN(test_behind_the_last_portion);
    CHECK_RUN(test_one_too_many);
    CHECK_RUN(test_before_the_preemption_fence);
    CHECK_RUN(test_lost_while_prepared);
    CHECK_RUN(test_preempted_for_ever);
    CHECK_RUN(test_nothing_stays_mapped);
    CHECK_RUN(test_room_is_asked_for_once);
    CHECK_RUN(test_self_test_waits);
    CHECK_RUN(test_stopped_at_random);
    return check_finish();
}
