/* SPDX-License-Identifier: Apache-2.0
 *
 * When a preemption is worth it, and when not. Goal: what waits is preempted by a job of higher priority that waits
 * too, from the second portion on, and by nothing else. Method: the golden model with the render node held still;
 * jobs are sent in chosen orders, and preemptions are counted, also those that must not be. And when the next SUBMIT
 * is examined beside a job that has portions to come.
 */
#include "scheduling.h"

enum { LOW = -3, HIGH = 3, SENT_MAX = 4 };

/* Priorities of jobs in the order in which they are sent, each of a context of its own; what is asked for. */
static const struct row {
    uint32_t count, preemptions, withheld;
    int32_t priority[SENT_MAX];
} rows[] = {
    {2, 0, 0, {LOW, HIGH}},      /* the oldest runs, or is about to: nothing is after it */
    {3, 1, 2, {LOW, LOW, HIGH}}, /* one is */
    {4, 1, 3, {LOW, LOW, LOW, HIGH}},
    {3, 0, 0, {LOW, LOW, LOW}}, /* nobody outranks an equal */
    {3, 0, 0, {HIGH, HIGH, LOW}},
    {3, 0, 0, {HIGH, LOW, LOW}}, /* who outranks has been submitted already: it waits for nothing */
    {4, 0, 0, {HIGH, LOW, LOW, LOW}},
    {3, 0, 0, {LOW, HIGH, HIGH}}, /* what could be withheld is as urgent */
    {3, 1, 2, {HIGH, LOW, HIGH}}, /* something of LOW is after a portion of HIGH */
};

static void test_worth_it(void)
{
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct client_allocation target[SENT_MAX];
        uint32_t context[SENT_MAX];
        begin(4, 4);
        const uint32_t *preemptions = &device_gpu(client.device)->manager.statistics[STAT_PREEMPTIONS];
        for (uint32_t i = 0; i < rows[k].count; i++) {
            CHECK_EQUAL(client_create(&client, &target[i], 1, SET_1, NULL), STATUS_OK);
            context[i] = client_context(&client, rows[k].priority[i]);
        }
        node(0)->is_enabled = false;
        for (uint32_t i = 0; i < rows[k].count; i++) {
            send_fill(context[i], &target[i], 0, 8, i + 1);
            turns(200);
        }
        if (*preemptions != rows[k].preemptions) printf("row %u\n", k);
        CHECK_EQUAL(*preemptions, rows[k].preemptions);
        node(0)->is_enabled = true;
        receive_all();
        CHECK_EQUAL(*preemptions, rows[k].preemptions);
        CHECK_EQUAL(statistic(STAT_WITHHELD), rows[k].withheld);
        for (uint32_t i = 0; i < rows[k].count; i++) {
            CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
            check_words(&target[i], 0, i + 1);
        }
        client_close(&client);
    }
}

/* While there is a job to do, the next SUBMIT is examined when that one's first portion has been submitted, and not
 * before: every portion counts from the last SUBMIT that was done with. */
static void test_put_off(void)
{
    enum { WAITING = 5, PARTS = 8 };
    struct client_allocation target[4];
    uint32_t accepted = 0;
    begin(8, 8);
    set_force(FIELD_PUT(1, HOST_FORCE_SPLIT));
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &target[i], 1, SET_1, NULL), STATUS_OK);
    struct gpu *gpu = device_gpu(client.device);
    uint32_t *statistics = gpu->manager.statistics, jobs = 0;
    statistics[STAT_FIRMWARE_CYCLES] = 1; /* examining takes time */
    for (uint32_t job = 0; job < WAITING; job++) {
        stream_init(&stream);
        for (uint32_t i = 0; i < PARTS; i++) stream_fill(&stream, target[i % 4].handle, 8 * job, 8, job + 1, 0);
        send_job(context);
    }
    for (uint32_t i = 0; i < 1000 && accepted < WAITING; i++) {
        const uint32_t portions = statistics[STAT_PORTIONS]; /* a turn examines before it plans */
        device_turn(client.device);
        if (gpu->scheduler.job_count > jobs) {
            CHECK_EQUAL(portions, accepted == 0 ? 0 : PARTS * (accepted - 1) + 1);
            accepted++;
        }
        jobs = gpu->scheduler.job_count;
    }
    CHECK_EQUAL(accepted, WAITING);
    receive_all();
    for (uint32_t i = 0; i < WAITING; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_worth_it);
    CHECK_RUN(test_put_off);
    return check_finish();
}
