/* SPDX-License-Identifier: Apache-2.0
 *
 * Destruction, and jobs that run anew: preempted, overtaken by a reset, taken back in the middle of their plan. Goal:
 * whoever is answered OK has found the content that it was owed, and whoever has not is told so. Method: the golden
 * model with nodes held still at the worst moment.
 * SCH-08, SCH-09, TDR-04, TDR-08.
 */
#include "doomed.h"

/* ------------------------------------------------------------------ jobs that run anew */

/* The portion that uses it was submitted and is taken back, by a preemption or because another one hangs: it finds the
 * content that it left. */
static void test_kept_for_a_repeat(void)
{
    struct client_allocation temporary, result, big, other;
    for (uint32_t kind = 0; kind < 2; kind++) {
        begin_ahead(4, 4, 0);
        create(&temporary, 2, SET_1);
        create(&result, 1, SET_2);
        create(&other, 1, SET_2);
        create(&big, 4, SET_1);
        uint32_t context = client_context(&client, 0), blocker = client_context(&client, 0);
        stream_init(&stream);
        stream_fill(&stream, temporary.handle, 0, 8, VALUE, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        node(0)->is_enabled = false;
        uint32_t held = send_fill(blocker, &other, 0, 8, 1);
        turns(50);
        stream_init(&stream);
        stream_copy(&stream, temporary.handle, 0, result.handle, 0, 8, 0);
        stream_fill(&stream, big.handle, 0, 8, 1, 0);
        uint32_t job = send_job(context), gone = send_destroy(&temporary);
        turns(200);
        if (kind == 1) device_hang(client.device, 0);
        node(0)->is_enabled = true;
        if (kind == 0) send_preempt(0);
        receive_all();
        CHECK_EQUAL(sent.answer[held].status, kind == 0 ? STATUS_OK : STATUS_TIMEOUT);
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        check_words(&result, 0, VALUE);
        close_checked();
    }
}

/* What the job alone has made is dropped before the portion that reads it has run. The job is taken back, by a
 * preemption or because another one hangs, and finds the allocation as it was: the host's content, or its pattern. */
static void test_own_content_dropped(void)
{
    struct client_allocation temporary, result, big, other;
    for (uint32_t kind = 0; kind < 4; kind++) {
        const uint32_t flags = ALLOCATION_CPU_VISIBLE | (kind / 2 == 0 ? ALLOCATION_UNDEFINED : 0u);
        const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = flags, [MSG_CREATE_ALLOCATION_PATTERN] = VALUE};
        uint32_t words[2 * CLIENT_PAGE / 4] = {[2] = kind / 2 == 0 ? 1 : VALUE};
        begin_ahead(4, 4, 0);
        CHECK_EQUAL(client_create(&client, &temporary, 2, SET_1, message), STATUS_OK);
        client_write(&client, &temporary, (const uint8_t *)words);
        create(&result, 1, SET_2);
        create(&other, 1, SET_2);
        create(&big, 4, SET_1);
        uint32_t context = client_context(&client, 0), blocker = client_context(&client, 0);
        CHECK_EQUAL(use(context, &big), STATUS_OK);
        node(0)->is_enabled = false;
        uint32_t held = send_fill(blocker, &other, 0, 8, 1);
        turns(50);
        forget();
        stream_init(&stream);
        stream_fill(&stream, temporary.handle, 0, 8, VALUE + 1, 0);
        stream_copy(&stream, temporary.handle, 0, result.handle, 0, 12, 0);
        stream_fill(&stream, temporary.handle, 8, 4, VALUE + 2, 0);
        stream_fill(&stream, big.handle, 0, 8, 1, 0);
        uint32_t job = send_job(context), gone = send_destroy(&temporary);
        turns(200);
        CHECK(count_built(&temporary, DDI_DISCARD_CONTENT) == 1 && count_built(&temporary, DDI_TRANSFER) == 0);
        CHECK(gpu_check(device_gpu(client.device)));
        if (kind % 2 == 1) device_hang(client.device, 0);
        node(0)->is_enabled = true;
        if (kind % 2 == 0) send_preempt(0);
        receive_all();
        CHECK_EQUAL(sent.answer[held].status, kind % 2 == 0 ? STATUS_OK : STATUS_TIMEOUT);
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        CHECK(statistic(STAT_WITHHELD) >= 2);
        check_words(&result, 1, VALUE + 1);
        check_words(&result, 2, VALUE);
        close_checked();
    }
}

/* The same job is taken back while its first portion is still being paged: its plan has passed the only use already,
 * and FORCE.EVICT comes before the next look at the queue. */
static void test_kept_for_a_plan_undone(void)
{
    struct client_allocation temporary, result, other, more[6];
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE};
    boot.options = FIELD_PUT(5, HOST_BOOT_OPTIONS_PAGING_WORDS); /* one packet in each buffer */
    boot.force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    begin(8, 10);
    boot = (struct client_boot){0};
    CHECK_EQUAL(client_create(&client, &temporary, 4, SET_1, message), STATUS_OK);
    create(&result, 1, SET_2);
    create(&other, 1, SET_2);
    for (uint32_t i = 0; i < 6; i++) create(&more[i], 1, SET_2);
    uint32_t context = client_context(&client, 0), blocker = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, temporary.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK); /* content that is not the next job's own */
    const struct scheduler *scheduler = &device_gpu(client.device)->scheduler;
    node(0)->is_enabled = false;
    (void)send_fill(blocker, &other, 0, 8, 1);
    turns(50);
    node(1)->is_enabled = false;
    stream_init(&stream);
    stream_copy(&stream, temporary.handle, 0, result.handle, 0, 8, 0);
    for (uint32_t i = 0; i < 6; i++) stream_copy(&stream, more[i].handle, 0, result.handle, 8 + 8 * i, 8, 0);
    uint32_t job = send_job(context), gone = send_destroy(&temporary);
    (void)send_preempt(0);
    turns(50);
    CHECK_EQUAL(scheduler->stage, STAGE_PAGE);
    client.transport.register_write(
        client.transport.context, HOST_FORCE_OFFSET,
        FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_EVICT));
    node(0)->is_enabled = true;
    turns(5);
    CHECK(!scheduler->preemption[0].is_pending);
    node(1)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[job].status == STATUS_OK && sent.answer[gone].status == STATUS_OK);
    check_words(&result, 0, VALUE);
    close_checked();
}

/* The driver cannot discard yet, and meanwhile the job that made the content is taken back. */
static void test_taken_back_while_discarded(void)
{
    struct client_allocation temporary, result, big, other;
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED,
                                  [MSG_CREATE_ALLOCATION_PATTERN] = VALUE};
    begin_ahead(4, 4, 0);
    const struct gpu *gpu = device_gpu(client.device);
    CHECK_EQUAL(client_create(&client, &temporary, 2, SET_1, message), STATUS_OK);
    create(&result, 1, SET_2);
    create(&other, 1, SET_2);
    create(&big, 4, SET_1);
    uint32_t context = client_context(&client, 0), blocker = client_context(&client, 0);
    CHECK_EQUAL(use(context, &big), STATUS_OK);
    node(0)->is_enabled = false;
    (void)send_fill(blocker, &other, 0, 8, 1);
    turns(50);
    stream_init(&stream);
    stream_fill(&stream, temporary.handle, 0, 8, VALUE + 1, 0);
    stream_copy(&stream, temporary.handle, 0, result.handle, 0, 12, 0);
    stream_fill(&stream, temporary.handle, 8, 4, VALUE + 2, 0);
    uint32_t job = send_job(context);
    turns(50);
    (void)send_destroy(&temporary);
    second.says_busy = second.is_stubborn = true;
    (void)send_fill(context, &big, 0, 8, 1);
    turns(50);
    CHECK(gpu->manager.paging.awaits_idle && gpu->manager.paging.arguments.operation == DDI_DISCARD_CONTENT);
    node(0)->is_enabled = true;
    (void)send_preempt(0);
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    check_words(&result, 1, VALUE + 1);
    check_words(&result, 2, VALUE);
    close_checked();
}

/* The word of its ring where the node stands. */
static uint32_t command_at_head(uint32_t index)
{
    return device_engine(client.device)->command[node(index)->ring_base / 4u + node(index)->head % 1024u];
}

/* The first job has made the content, the second one only reads it, and is taken back while the first goes on. */
static void test_not_its_own(void)
{
    struct client_allocation temporary, result, big;
    begin_ahead(4, 4, 0);
    create(&temporary, 2, SET_1);
    create(&result, 1, SET_2);
    create(&big, 4, SET_1);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &big), STATUS_OK);
    node(0)->is_enabled = false;
    uint32_t maker = send_fill(context, &temporary, 0, 8, VALUE);
    turns(100);
    node(0)->is_enabled = true;
    while ((command_at_head(0) & 0xffu) != PKT_RUN) CHECK(engine_model_step(device_engine(client.device), 0));
    while ((command_at_head(0) & 0xffu) == PKT_RUN) CHECK(engine_model_step(device_engine(client.device), 0));
    CHECK((command_at_head(0) & 0xffu) == PKT_FENCE);
    node(0)->is_enabled = false; /* it has begun */
    stream_init(&stream);
    stream_copy(&stream, temporary.handle, 0, result.handle, 0, 8, 0);
    stream_fill(&stream, big.handle, 0, 8, 1, 0);
    uint32_t reader = send_job(context), gone = send_destroy(&temporary);
    turns(200);
    CHECK_EQUAL(count_built(&temporary, DDI_TRANSFER), 1);
    send_preempt(0);
    turns(20);
    node(0)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[maker].status == STATUS_OK && sent.answer[reader].status == STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK(statistic(STAT_WITHHELD) >= 1 && statistic(STAT_WITHHELD) <= 2); /* the reader's portions */
    check_words(&result, 0, VALUE);
    close_checked();
}

/* The node hangs in the job that uses it: the job is lost, the allocation goes. */
static void test_lost_job(void)
{
    struct client_allocation a;
    begin_ahead(4, 4, 0);
    create(&a, 2, SET_1);
    uint32_t context = client_context(&client, 0);
    device_hang(client.device, 0);
    uint32_t job = send_fill(context, &a, 0, 8, VALUE), gone = send_destroy(&a);
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    close_checked();
}

/* The paging node hangs while it has something to do for it: a job that waits is told that the content is lost, and
 * the allocation goes. */
static void test_lost_content(void)
{
    struct client_allocation a, b, other;
    begin_ahead(4, 4, 0);
    create(&a, 2, SET_1);
    create(&b, 4, SET_1);
    create(&other, 1, SET_2);
    uint32_t context = client_context(&client, 0), next = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    device_hang(client.device, 1);
    uint32_t job = send_fill(context, &b, 0, 8, 1); /* the other one has to leave for it */
    turns(50);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, other.handle, 0, 8, 0);
    uint32_t second_job = send_job(next), gone = send_destroy(&a);
    receive_all();
    CHECK(sent.answer[job].status != STATUS_OK && sent.answer[second_job].status != STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK_EQUAL(residency_of()->table.live_count, 2);
    close_checked();
}

/* A job that was told that content is lost is still told so when it has been preempted since. */
static void test_lost_for_good(void)
{
    struct client_allocation a, b, c, other, target;
    const uint32_t flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_SYNCHRONOUS_PAGING;
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = flags};
    begin_ahead(4, 4, 0);
    const struct gpu *gpu = device_gpu(client.device);
    create(&a, 2, SET_1);
    create(&b, 4, SET_1);
    CHECK_EQUAL(client_create(&client, &other, 1, SET_2, message), STATUS_OK);
    create(&target, 1, SET_2);
    create(&c, 1, SET_2);
    uint32_t context = client_context(&client, 0), first = client_context(&client, 7);
    uint32_t later = client_context(&client, 6);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, VALUE, 0);
    stream_fill(&stream, c.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    device_hang(client.device, 1);
    (void)send_fill(context, &b, 0, 8, 1); /* one of them has to leave for it */
    turns(50);
    uint32_t blocker = send_fill(first, &other, 0, 8, 1);
    stream_init(&stream);
    stream_copy(&stream, c.handle, 0, target.handle, 0, 8, 0);
    uint32_t reader = send_job(later), gone = send_destroy(&c);
    turns(50);
    client.transport.register_write(
        client.transport.context, HOST_FORCE_OFFSET,
        FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_EVICT));
    while (gpu->manager.statistics[STAT_ADAPTER_RESETS] == 0)
        client.transport.wait(client.transport.context, 1);
    node(0)->is_enabled = false;
    for (uint32_t i = 0; gpu->scheduler.stage != STAGE_FORCED_EVICT || gpu->scheduler.queue_count != 1; i++) {
        CHECK(i < 1000);
        turns(1);
    }
    send_preempt(0);
    turns(100);
    node(0)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[blocker].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[reader].status, STATUS_CONTENT_LOST);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_kept_for_a_repeat);
    CHECK_RUN(test_own_content_dropped);
    CHECK_RUN(test_kept_for_a_plan_undone);
    CHECK_RUN(test_taken_back_while_discarded);
    CHECK_RUN(test_not_its_own);
    CHECK_RUN(test_lost_job);
    CHECK_RUN(test_lost_content);
    CHECK_RUN(test_lost_for_good);
    return check_finish();
}
