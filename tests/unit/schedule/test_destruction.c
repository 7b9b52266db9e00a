/* SPDX-License-Identifier: Apache-2.0
 *
 * Destruction after the queue. Goal: the handle is gone at once and messages after it go on, the answer comes when
 * nobody needs the allocation any more, and its content is dropped as soon as nobody can ask for it, not before.
 * Method: the golden model with the render node held, the calls between manager and driver recorded. What becomes of
 * content when jobs run again is in test_destruction_repeat.c.
 * SCH-08, SCH-13, TDR-04, TDR-08; model 2.1: "VidMm synchronises with the scheduler before video memory is released".
 */
#include "pending_destroy.h"

/* ------------------------------------------------------------------ the messages */

/* After a job that uses it: what comes after it is carried out, its handle is nobody's, and it is answered after the
 * job, when its pages are free. */
static void test_behind_a_job(void)
{
    CASE("SCH-13");
    struct client_allocation a, b;
    begin_ahead(4, 4, 0);
    create(&a, 2, SET_1);
    uint32_t context = client_context(&client, 0);
    node(0)->is_enabled = false;
    uint32_t job = send_fill(context, &a, 0, 8, VALUE), gone = send_destroy(&a);
    create(&b, 1, SET_1); /* answered, so what is before it was taken */
    CHECK_EQUAL(call(MSG_NOP, 0, 0), STATUS_OK);
    CHECK_EQUAL(call(MSG_LOCK, a.handle, LOCK_ENTIRE), STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(MSG_DESTROY_ALLOCATION, a.handle, 0), STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(MSG_QUERY_ALLOCATION, a.handle, 0), STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(MSG_OFFER, a.handle, 1), STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(MSG_EVICT, a.handle, 0), STATUS_BAD_HANDLE);
    CHECK_EQUAL(use(context, &a), STATUS_BAD_HANDLE);
    CHECK(gpu_check(device_gpu(client.device)));
    turns(200);
    CHECK_EQUAL(residency_of()->world.table.live_count, 2);
    CHECK_EQUAL(residency_of()->world.map.segment[0].used_pages, 2);
    const uint32_t answers = host_read(HOST_COMPLETE_TAIL_OFFSET);
    node(0)->is_enabled = true;
    struct answer first, last;
    CHECK(client_receive(&client, &first) && client_receive(&client, &last));
    CHECK_EQUAL(host_read(HOST_COMPLETE_TAIL_OFFSET), answers + 2);
    CHECK(first.tag == sent.tag[job] && first.status == STATUS_OK);
    CHECK(last.tag == sent.tag[gone] && last.status == STATUS_OK);
    CHECK_EQUAL(residency_of()->world.table.live_count, 1);
    CHECK_EQUAL(residency_of()->world.map.segment[0].used_pages, 0);
    CHECK_EQUAL(use(context, &b), STATUS_OK);
    close_checked();
}

/* What is locked is not destroyed, and nothing has changed: neither the lock nor the job that uses it. */
static void test_locked(void)
{
    struct client_allocation a;
    begin_ahead(4, 4, 0);
    create(&a, 1, SET_APERTURE); /* may be locked and used at the same time */
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(call(MSG_LOCK, a.handle, LOCK_ENTIRE | LOCK_IGNORE_SYNC), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_LOCKED);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    close_checked();
}

/* The table is full, and something is on its way out: CREATE, and a LOCK that makes an instance, wait for its entry.
 * What is wrong in itself does not wait, and with nothing on its way both are refused. */
static void test_waits_for_an_entry(void)
{
    for (uint32_t kind = 0; kind < 2; kind++) {
        struct client_allocation a, live, other;
        begin_ahead(4, 4, 0);
        create(&a, 1, SET_1);
        create(&live, 1, SET_1);
        uint32_t context = client_context(&client, 0);
        client_pages(&client, &other, 1); /* one page will do for all the others */
        const uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                      [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                      [MSG_CREATE_ALLOCATION_READ_SET] = SET_1,
                                      [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_1,
                                      [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                      [MSG_CREATE_ALLOCATION_PAGES] = other.list};
        const uint32_t lock[16] = {MSG_LOCK, 0, live.handle, LOCK_ENTIRE | LOCK_DISCARD, other.list};
        const uint32_t wrong[16] = {MSG_CREATE_ALLOCATION}, *asked = kind == 0 ? message : lock;
        for (uint32_t i = 2; i < ALLOCATION_DEFAULT; i++) CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        CHECK_EQUAL(client_call(&client, asked).status, STATUS_OUT_OF_HANDLES);
        node(0)->is_enabled = false;
        uint32_t job = send_fill(context, &a, 0, 8, VALUE), gone = send_destroy(&a), made = sent.count++;
        const uint32_t refused = client_call(&client, wrong).status;
        CHECK(refused != STATUS_OK && refused != STATUS_OUT_OF_HANDLES);
        sent.tag[made] = client_send(&client, asked);
        const uint32_t answers = host_read(HOST_COMPLETE_TAIL_OFFSET);
        turns(200);
        CHECK_EQUAL(host_read(HOST_COMPLETE_TAIL_OFFSET), answers);
        node(0)->is_enabled = true;
        receive_all();
        CHECK(sent.answer[job].status == STATUS_OK && sent.answer[gone].status == STATUS_OK);
        CHECK_EQUAL(sent.answer[made].status, STATUS_OK);
        CHECK_EQUAL(residency_of()->world.table.live_count, ALLOCATION_DEFAULT);
        close_checked();
    }
}

/* One instance goes after the job that used it, while the next one is written and used. */
static void test_instances(void)
{
    struct client_allocation a, b;
    begin_ahead(4, 4, 0);
    create(&a, 1, SET_1);
    uint32_t context = client_context(&client, 0);
    node(0)->is_enabled = false;
    uint32_t job = send_fill(context, &a, 0, 8, VALUE);
    client_pages(&client, &b, 1);
    const uint32_t lock[16] = {MSG_LOCK, 0, a.handle, LOCK_ENTIRE | LOCK_DISCARD, b.list};
    struct answer renamed = client_call(&client, lock);
    CHECK_EQUAL(renamed.status, STATUS_OK);
    b.handle = renamed.words[REPLY_LOCK_HANDLE - 4];
    uint32_t gone = send_destroy(&a);
    const uint32_t unlock[16] = {MSG_UNLOCK, 0, b.handle};
    uint32_t unlocked = sent.count++;
    sent.tag[unlocked] = client_send(&client, unlock);
    uint32_t other = send_fill(context, &b, 0, 8, VALUE + 1);
    turns(100);
    node(0)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[job].status == STATUS_OK && sent.answer[gone].status == STATUS_OK);
    CHECK(sent.answer[unlocked].status == STATUS_OK && sent.answer[other].status == STATUS_OK);
    check_words(&b, 0, VALUE + 1);
    close_checked();
}

/* ------------------------------------------------------------------ content */

/* The temporary is made and read; then the render node certainly gets to that before the segment is taken by `big`. */
static uint32_t send_relay(const struct cast *cast)
{
    stream_init(&stream);
    stream_fill(&stream, cast->temporary.handle, 0, 8, VALUE, 0);
    stream_copy(&stream, cast->temporary.handle, 0, cast->result.handle, 0, 8, 0);
    for (uint32_t i = 0; i < MANY; i++) stream_fill(&stream, cast->result.handle, 16 + 4 * i, 4, i, 0);
    stream_fill(&stream, cast->big.handle, 0, 8, 1, 0);
    forget();
    return send_job(cast->context);
}

/* Between two portions of the only job that uses it its content is dropped, if its destruction is pending and the
 * policy looks ahead: otherwise it is copied. */
static void test_dropped_in_time(void)
{
    struct cast cast;
    for (uint32_t kind = 0; kind < 3; kind++) { /* pending; not; pending under the literal policy */
        begin_cast(&cast, FIELD_PUT(1, HOST_FORCE_SPLIT), 0);
        if (kind == 2) set_force(FIELD_PUT(1, HOST_FORCE_SPLIT));
        uint32_t job = send_relay(&cast), gone = kind != 1 ? send_destroy(&cast.temporary) : job;
        receive_all();
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_TRANSFER), kind == 0 ? 0 : 1);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_DISCARD_CONTENT), kind == 0 ? 1 : 0);
        check_words(&cast.result, 0, VALUE);
        close_checked();
    }
}

/* A job after the relay reads it, too, and only then it is destroyed: its content is kept. */
static void check_kept_for_next(const struct cast *cast, uint32_t job)
{
    stream_init(&stream);
    stream_copy(&stream, cast->temporary.handle, 0, cast->other.handle, 0, 8, 0);
    uint32_t next = send_job(cast->context), gone = send_destroy(&cast->temporary);
    receive_all();
    CHECK(sent.answer[job].status == STATUS_OK && sent.answer[next].status == STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK_EQUAL(count_built(&cast->temporary, DDI_TRANSFER), 1);
    check_words(&cast->other, 0, VALUE);
    close_checked();
}

/* ... though the portion at hand would gladly do without. */
static void test_kept_for_the_queue(void)
{
    struct cast cast;
    begin_cast(&cast, FIELD_PUT(1, HOST_FORCE_SPLIT), 0);
    check_kept_for_next(&cast, send_relay(&cast));
}

/* Where the firmware limits, the queue is not looked through again in the middle of a job: one that came since may need
 * it. */
static void test_kept_for_news(void)
{
    struct cast cast;
    begin_cast(&cast, FIELD_PUT(1, HOST_FORCE_SPLIT), 0);
    device_gpu(client.device)->scheduler.costs.is_starved = true;
    uint32_t job = send_relay(&cast);
    while (device_gpu(client.device)->scheduler.splitter.next_entry < 3) turns(1);
    check_kept_for_next(&cast, job);
}

/* Its last use needs it in another segment: it is copied there by way of its pages, not dropped. */
static void test_kept_for_a_move(void)
{
    CASE("SCH-13");
    struct client_allocation temporary, result;
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED,
                                  [MSG_CREATE_ALLOCATION_PREFERRED] = 1,
                                  [MSG_CREATE_ALLOCATION_PATTERN] = VALUE,
                                  [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_2};
    begin_ahead(4, 4, 0);
    CHECK_EQUAL(client_create(&client, &temporary, 1, SET_LOCAL, message), STATUS_OK);
    create(&result, 1, SET_1);
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 2; i++) {
        forget();
        stream_init(&stream);
        if (i == 1) (void)stream_list(&stream, temporary.handle, true); /* the list says that it may be written */
        stream_copy(&stream, temporary.handle, 0, result.handle, 8 * i, 8, 0);
        uint32_t job = send_job(context), gone = i == 1 ? send_destroy(&temporary) : job;
        receive_all();
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    }
    CHECK_EQUAL(count_built(&temporary, DDI_TRANSFER), 1);
    check_words(&result, 0, VALUE);
    check_words(&result, 2, VALUE);
    close_checked();
}

/* What is placed after it was destroyed has no bank hints any more: their word holds the message's tag. */
static void test_no_hints(void)
{
    struct client_allocation a, other;
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_PREFERRED] = 4};
    boot.options = FIELD_PUT(1, HOST_BOOT_OPTIONS_DESCRIPTION);
    boot.force = FIELD_PUT(1, HOST_FORCE_SPLIT);
    begin(4, 8);
    boot = (struct client_boot){0};
    CHECK_EQUAL(client_create(&client, &a, 1, 8, message), STATUS_OK);
    create(&other, 1, SET_1);
    uint32_t context = client_context(&client, 0);
    node(0)->is_enabled = false;
    stream_init(&stream);
    for (uint32_t i = 0; i < MANY; i++) stream_fill(&stream, other.handle, 4 * i, 4, i, 0);
    uint32_t first = send_job(context), job = send_fill(context, &a, 0, 8, 1), gone = send_destroy(&a);
    turns(300);
    CHECK(entry_of(&other)->segment == 1 && residency_of()->world.map.segment[3].used_pages == 0);
    node(0)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[first].status == STATUS_OK && sent.answer[job].status == STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK_EQUAL(statistic(STAT_BANK_HINTS) + statistic(STAT_BANK_HINTS_MISSED), 0);
    close_checked();
}

/* Many after one job: they go together, and the paging node is asked for nothing. */
static void test_many_together(void)
{
    struct client_allocation a[10];
    begin_ahead(16, 4, 0);
    for (uint32_t i = 0; i < 10; i++) create(&a[i], 1, SET_1);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    for (uint32_t i = 0; i < 10; i++) stream_fill(&stream, a[i].handle, 0, 8, i, 0);
    node(0)->is_enabled = false;
    (void)send_job(context);
    for (uint32_t i = 0; i < 10; i++) (void)send_destroy(&a[i]);
    turns(100);
    forget();
    node(0)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < 11; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    CHECK_EQUAL(submitted_count, 0);
    for (uint32_t i = 0; i < 10; i++) CHECK_EQUAL(count_built(&a[i], DDI_DISCARD_CONTENT), 1);
    CHECK_EQUAL(residency_of()->world.table.live_count, 0);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_behind_a_job);
    CHECK_RUN(test_locked);
    CHECK_RUN(test_waits_for_an_entry);
    CHECK_RUN(test_instances);
    CHECK_RUN(test_dropped_in_time);
    CHECK_RUN(test_kept_for_the_queue);
    CHECK_RUN(test_kept_for_news);
    CHECK_RUN(test_kept_for_a_move);
    CHECK_RUN(test_no_hints);
    CHECK_RUN(test_many_together);
    return check_finish();
}
