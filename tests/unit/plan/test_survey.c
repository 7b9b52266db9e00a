/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan is told. Goal: a policy that looks ahead hears of each queued buffer, the last first, at the patch
 * location where it begins, then of the rest of the current one; long after all of them of those that may go on after
 * all. Method: a ring of jobs on an array, and a policy that writes down what it hears.
 */
#include "check.h"
#include "fake_hal.h"
#include "schedule/scheduler_jobs.h"
#include "schedule/survey.h"

enum { TOLD = 12, FENCE = 40 };

static struct job_record jobs[JOB_COUNT];
static struct job_use uses[JOB_COUNT];
static struct manager manager;
static struct scheduler scheduler;
static struct {
    const struct job *job;
    uint32_t first, end, time;
} told[TOLD];
static uint32_t told_count, node_fence[NODE_LIMIT];

static void hear(const struct residency *residency, struct policy_state *state, const struct job *job, uint32_t first,
                 uint32_t end, uint32_t time)
{
    (void)residency, (void)state;
    CHECK(told_count < TOLD);
    told[told_count].job = job;
    told[told_count].first = first;
    told[told_count].end = end;
    told[told_count++].time = time;
}
static const struct policy listener = {.foresee = hear};

static uint32_t current_fence(void *adapter, uint32_t node)
{
    (void)adapter;
    return node_fence[node];
}
static uint32_t work_cycles(void *adapter, uint32_t node)
{
    (void)adapter, (void)node;
    return 0;
}

static void start(const enum job_state *states, uint32_t count, uint32_t current)
{
    static uint32_t statistics[STAT_COUNT];
    manager = (struct manager){.paging = {.setup = {.ddi = &manager.ddi, .statistics = statistics}, .last_fence = 9}};
    manager.residency.policy = &listener;
    scheduler = (struct scheduler){
        .manager = &manager, .jobs = jobs, .oldest_job = JOB_COUNT - 1, .job_count = count, .last_fence = FENCE};
    for (uint32_t age = 0; age < count; age++)
        *job_at(&scheduler, age) =
            (struct job_record){.state = states[age], .job = {.patch_count = 10 + age}, .use = &uses[age]};
    scheduler.current = narrow_u8((uint32_t)(job_at(&scheduler, current) - jobs));
    told_count = 0;
}

/* Is line `i` of what was told about the job of this age? */
static bool is_told(uint32_t i, uint32_t age, uint32_t first, uint32_t time)
{
    const struct job *job = &job_at(&scheduler, age)->job;
    return told[i].job == job && told[i].first == first && told[i].end == job->patch_count && told[i].time == time;
}

static void test_queue(void)
{
    static const enum job_state states[] = {JOB_DRAINING, JOB_DRAINING, JOB_RUNNING, JOB_QUEUED, JOB_DONE, JOB_QUEUED};
    start(states, 6, 2);
    job_at(&scheduler, 1)->result.status = STATUS_NO_SEGMENT; /* it failed in the middle */
    scheduler.splitter.told_entry = 4;
    survey_tell_queue(&scheduler);
    CHECK_EQUAL(told_count, 5);
    const uint32_t end = 12 + 13 + 15;
    CHECK(told[0].job == NULL && told[0].time == end);
    CHECK(is_told(1, 1, 0, end));
    CHECK(is_told(2, 5, 0, 12 + 13));
    CHECK(is_told(3, 3, 0, 12));
    CHECK(is_told(4, 2, 4, 0));
    CHECK_EQUAL(manager.residency.outlook.future, FUTURE_KNOWN);
}

static void test_costs(void)
{
    static const enum job_state states[] = {JOB_DONE, JOB_DRAINING, JOB_QUEUED, JOB_RUNNING};
    start(states, 4, 3);
    manager.ddi.query_current_fence = current_fence;
    manager.ddi.query_work_cycles = work_cycles;
    scheduler.retired_fence = 33;
    node_fence[NODE_RENDER] = 37;
    cost_init(&scheduler.costs, 1024);
    survey_tell_costs(&scheduler);
    const struct residency *residency = &manager.residency;
    CHECK(residency->uses.over_fence == 33 && residency->outlook.retired_fence == 37);
    CHECK_EQUAL(residency->uses.unfinished_count, 2);
    CHECK(residency->uses.unfinished[0] == &uses[1] && residency->uses.unfinished[1] == &uses[3]);
    CHECK_EQUAL(residency->outlook.split_pages, cost_split_pages(&scheduler.costs));
}

static void test_starved(void)
{
    static const enum job_state states[] = {JOB_RUNNING};
    start(states, 1, 0);
    manager.ddi.query_current_fence = current_fence;
    for (uint32_t late = 0; late < 3; late++)
        for (uint32_t paging = 8; paging < 10; paging++) {
            node_fence[NODE_RENDER] = FENCE - late;
            node_fence[NODE_PAGING] = paging;
            CHECK_EQUAL(survey_is_starved(&scheduler), late < 2 && paging == 9);
        }
    manager.paging.is_active = true;
    node_fence[NODE_RENDER] = FENCE;
    CHECK(!survey_is_starved(&scheduler));
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_queue);
    CHECK_RUN(test_costs);
    CHECK_RUN(test_starved);
    return check_finish();
}
