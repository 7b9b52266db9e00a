/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan made in several turns. Goal: between two of them only what reads is carried out, and a plan that is given up
 * leaves everything where it was. Method: the golden model, which yields wherever it can (HOST.FORCE.STEP_PLAN), nodes
 * held still, the firmware's own stage looked at. SCH-09.
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

/* Each group takes turns of its own; QUERY_ALLOCATION is answered meanwhile, SET_PRIORITY after it when the plan is
 * made. */
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
    CHECK(details_of(&allocations[0])->priority != 7u);
    for (; scheduler_is_planning(scheduler()); planned++) {
        CHECK(details_of(&allocations[0])->priority != 7u);
        CHECK(planned < 50u * GROUPS);
        turns(1);
    }
    CHECK(planned >= GROUPS / 2u);
    turns(3);
    CHECK_EQUAL(details_of(&allocations[0])->priority, 7);
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
 * undone, and it is drawn all the same, after the other. */
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
    for (uint32_t i = 0; i < 100 && residency->plan.journal_count == 0u; i++) turns(1);
    CHECK(scheduler_is_planning(scheduler()));
    CHECK(residency->plan.journal_count > 0);
    node(0)->is_enabled = true;
    for (uint32_t i = 0; i < 1000 && scheduler_is_planning(scheduler()); i++) {
        if (i < 4u && node(0)->head != node(0)->tail) step_node(0);
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
    for (uint32_t i = 0; i < 100 && device_gpu(client.device)->manager.residency.plan.journal_count == 0u; i++)
        turns(1);
    CHECK(device_gpu(client.device)->manager.residency.plan.journal_count > 0);
    CHECK(scheduler_is_planning(scheduler()));
    scheduler_finish_work(scheduler());
    scheduler_finish_work(scheduler());
    scheduler_drop_current(scheduler());
    CHECK_EQUAL(device_gpu(client.device)->manager.residency.plan.journal_count, 0);
    CHECK(gpu_check(device_gpu(client.device)));
    CHECK_EQUAL(scheduler()->stage, STAGE_IDLE);
    node(1)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    for (uint32_t i = 0; i < GROUPS; i++) check_words(&allocations[i], 0, 0x41);
    close_checked();
}

/* ------------------------------------------------------------------ searches for room that pause */

enum { TIGHT = 10 }; /* pages of segment 1: fewer than GROUPS, more than are priced without a look at the time */

static void open_tight(uint32_t policy, bool in_steps)
{
    begin(TIGHT, 4);
    set_force(FIELD_PUT(in_steps, HOST_FORCE_STEP_PLAN) | FIELD_PUT(policy, HOST_FORCE_POLICY));
    for (uint32_t i = 0; i < GROUPS; i++)
        CHECK_EQUAL(client_create(&client, &allocations[i], 1, SET_1, NULL), STATUS_OK);
}

/* Two DMA buffers of all allocations; returns the turns with a plan. The last TIGHT of them are resident then. */
static uint32_t draw_twice(uint32_t context)
{
    uint32_t planned = 0;
    for (uint32_t i = 0; i < 2; i++) send_groups(context, 0x51 + i);
    for (uint32_t i = 0; i < 3000; i++, turns(1)) planned += scheduler_is_planning(scheduler());
    receive_all();
    for (uint32_t i = 0; i < 2; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    return planned;
}

/* A plan that yields wherever it can comes to the same portions and evictions, by both policies. */
static void test_same_plans(void)
{
    static const uint32_t policies[] = {POLICY_LITERAL, POLICY_LOOKAHEAD};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t planned[2], portions[2], evictions[2];
        for (uint32_t in_steps = 0; in_steps < 2; in_steps++) {
            open_tight(policies[i], in_steps != 0u);
            planned[in_steps] = draw_twice(client_context(&client, 0));
            portions[in_steps] = statistic(STAT_PORTIONS);
            evictions[in_steps] = statistic(STAT_EVICTIONS);
            for (uint32_t k = 0; k < GROUPS; k++) check_words(&allocations[k], 0, 0x52);
            close_checked();
        }
        CHECK(planned[1] > planned[0] + GROUPS);
        CHECK(evictions[1] > GROUPS - TIGHT);
        CHECK_EQUAL(portions[1], portions[0]);
        CHECK_EQUAL(evictions[1], evictions[0]);
    }
}

/* The plan of the third DMA buffer is given up after so many turns, at most, and made again, maybe after that of
 * another that is more urgent and needs two pages at once. Returns how much has been evicted; *is_last: it was made
 * before. */
static uint32_t give_up(uint32_t policy, bool has_urgent, uint32_t given_up, bool *is_last)
{
    struct client_allocation wide;
    open_tight(policy, true);
    const uint32_t context = client_context(&client, 0), urgent = client_context(&client, 5);
    const struct residency *residency = &device_gpu(client.device)->manager.residency;
    CHECK_EQUAL(client_create(&client, &wide, 2, SET_1, NULL), STATUS_OK);
    (void)draw_twice(context);
    const uint32_t job = send_groups(context, 0x61);
    turn_until_planning();
    for (uint32_t i = 0; i < given_up && scheduler_is_planning(scheduler()); i++) turns(1);
    *is_last = !scheduler_is_planning(scheduler());
    if (!*is_last) {
        scheduler_finish_work(scheduler());
        scheduler_drop_current(scheduler());
        CHECK_EQUAL(residency->plan.journal_count, 0);
    }
    CHECK(gpu_check(device_gpu(client.device)));
    if (has_urgent) (void)send_fill(urgent, &wide, 0, 64, 0x71);
    receive_all();
    for (uint32_t i = job; i <= job + has_urgent; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    const uint32_t evictions = statistic(STAT_EVICTIONS);
    for (uint32_t i = 0; i < GROUPS; i++) check_words(&allocations[i], 0, 0x61);
    if (has_urgent) check_words(&wide, 0, 0x71);
    close_checked();
    return evictions;
}

/* Whatever has yielded when a plan is given up, all is drawn, and look-ahead evicts as much as it ever does. For the
 * literal policy what the plan had marked is as if it had been used, so that it may evict otherwise. */
static void test_given_up_at_rest(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t policy = i % 2u != 0u ? POLICY_LOOKAHEAD : POLICY_LITERAL;
        const bool has_urgent = i / 2u != 0u;
        bool is_last = false;
        uint32_t given_up = 1;
        const uint32_t evictions = give_up(policy, has_urgent, 0, &is_last);
        CHECK(!is_last);
        for (;; given_up++) {
            const uint32_t evicted = give_up(policy, has_urgent, given_up, &is_last);
            if (is_last) break;
            CHECK(given_up < 100u);
            if (policy == (uint32_t)POLICY_LOOKAHEAD) CHECK_EQUAL(evicted, evictions);
        }
        CHECK(given_up > (uint32_t)GROUPS / 2u);
    }
}

int main(void)
{
    CHECK_RUN(test_reads_are_answered);
    CHECK_RUN(test_submits_wait);
    CHECK_CASE("SCH-09", test_given_up);
    CHECK_RUN(test_reset);
    CHECK_RUN(test_same_plans);
    CHECK_RUN(test_given_up_at_rest);
    return check_finish();
}
