/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan made in several turns. Goal: between two of them only what reads is carried out, and a plan that is given up
 * leaves everything where it was. Method: the golden model, one group a turn (HOST.FORCE.STEP_PLAN), nodes held still,
 * the firmware's own stage looked at.
 * SCH-09.
 */
#include "scheduling.h"

#include "schedule/scheduler_jobs.h"

enum { GROUPS = 12 };

static struct client_allocation allocations[GROUPS];

static struct scheduler *scheduler(void) { return &device_gpu(client.device)->scheduler; }

/* One DMA buffer that names every allocation once, each in a group of its own; none is resident. */
static uint32_t send_groups(uint32_t context, uint32_t pattern)
{
    stream_init(&stream);
    for (uint32_t i = 0; i < GROUPS; i++) stream_fill(&stream, allocations[i].handle, 0, 64, pattern, 0);
    return send_job(context);
}

static void open_groups(void)
{
    begin(16, 4);
    set_force(FIELD_PUT(1, HOST_FORCE_STEP_PLAN) | FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY));
    for (uint32_t i = 0; i < GROUPS; i++)
        CHECK_EQUAL(client_create(&client, &allocations[i], 1, SET_1, NULL), STATUS_OK);
}

static void turn_until_planning(void)
{
    for (uint32_t i = 0; i < 100 && !scheduler_is_planning(scheduler()); i++) turns(1);
    CHECK(scheduler_is_planning(scheduler()));
}

static void send(uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    sent.tag[sent.count++] = client_send(&client, message);
}

/* Each group takes a turn; QUERY_ALLOCATION is answered meanwhile, SET_PRIORITY behind it when the plan is made. */
static void test_reads_are_answered(void)
{
    open_groups();
    uint32_t context = client_context(&client, 0), planned = 0;
    node(0)->is_enabled = false;
    const uint32_t job = send_groups(context, 0x11);
    turn_until_planning();
    const uint32_t query = sent.count;
    send(MSG_QUERY_ALLOCATION, allocations[0].handle, 0);
    send(MSG_SET_PRIORITY, allocations[0].handle, 7);
    turns(3);
    CHECK(scheduler_is_planning(scheduler()));
    CHECK(client_has_answer(&client));
    CHECK(entry_of(&allocations[0])->priority != 7u);
    for (; scheduler_is_planning(scheduler()); planned++) {
        CHECK(entry_of(&allocations[0])->priority != 7u);
        CHECK(planned < GROUPS);
        turns(1);
    }
    CHECK(planned >= GROUPS / 2u);
    turns(3);
    CHECK_EQUAL(entry_of(&allocations[0])->priority, 7);
    node(0)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[job].words[REPLY_SUBMIT_PORTIONS - 4], 1);
    CHECK_EQUAL(sent.answer[query].status, STATUS_OK);
    for (uint32_t i = 0; i < GROUPS; i++) check_words(&allocations[i], 0, 0x11);
    client_close(&client);
}

/* What waits is examined, and a DMA buffer accepted, when the plan is made. */
static void test_submits_wait(void)
{
    open_groups();
    uint32_t context = client_context(&client, 0), other = client_context(&client, 0);
    node(0)->is_enabled = false;
    const uint32_t job = send_groups(context, 0x21);
    turn_until_planning();
    const uint32_t next = send_fill(other, &allocations[3], 64, 64, 0x22);
    const uint32_t jobs = scheduler()->job_count;
    while (scheduler_is_planning(scheduler())) {
        CHECK_EQUAL(scheduler()->job_count, jobs);
        CHECK(!device_gpu(client.device)->is_examining);
        turns(1);
    }
    node(0)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
    check_words(&allocations[3], 0, 0x21);
    check_words(&allocations[3], 16, 0x22);
    client_close(&client);
}

/* A preemption that withholds an earlier buffer of the queue takes the one that is being planned back, too: its plan is
 * undone, and it is drawn all the same, behind the other. */
static void test_given_up(void)
{
    open_groups();
    uint32_t context = client_context(&client, 0);
    const struct residency *residency = &device_gpu(client.device)->manager.residency;
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < 2; i++) send_fill(context, &allocations[0], i * 64, 64, 0x31 + i);
    turns(100);
    const uint32_t job = send_groups(context, 0x33);
    send_preempt(0);
    turn_until_planning();
    turns(4);
    CHECK(scheduler_is_planning(scheduler()));
    CHECK(residency->journal_count > 0);
    node(0)->is_enabled = true;
    for (uint32_t i = 0; i < 100 && scheduler_is_planning(scheduler()); i++) {
        step_node(0);
        turns(1);
    }
    receive_all();
    for (uint32_t i = 0; i <= job; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    CHECK(statistic(STAT_WITHHELD) >= 1);
    for (uint32_t i = 0; i < GROUPS; i++) check_words(&allocations[i], 0, 0x33);
    check_words(&allocations[0], 16, 0x32);
    close_checked();
}

/* So does a reset of both nodes. */
static void test_reset(void)
{
    open_groups();
    uint32_t context = client_context(&client, 0);
    const uint32_t job = send_groups(context, 0x41);
    node(1)->is_enabled = false;
    turn_until_planning();
    turns(4);
    CHECK(device_gpu(client.device)->manager.residency.journal_count > 0);
    scheduler_drop_current(scheduler());
    CHECK_EQUAL(device_gpu(client.device)->manager.residency.journal_count, 0);
    CHECK(gpu_check(device_gpu(client.device)));
    CHECK_EQUAL(scheduler()->stage, STAGE_IDLE);
    node(1)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    for (uint32_t i = 0; i < GROUPS; i++) check_words(&allocations[i], 0, 0x41);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_reads_are_answered);
    CHECK_RUN(test_submits_wait);
    CHECK_CASE("SCH-09", test_given_up);
    CHECK_RUN(test_reset);
    return check_finish();
}
