/* SPDX-License-Identifier: Apache-2.0
 *
 * FLIPs that wait for DMA buffers. Goal: the newest buffer of a tag that is not completed is found; eight FLIPs have a
 * bit each, until the display has taken it; an end is told with its status, at once if all is well. Method: a ring of
 * jobs on an array, its oldest in the middle.
 */
#include "check.h"
#include "fake_hal.h"
#include "schedule/job_flips.h"
#include "schedule/scheduler_jobs.h"

static struct job_record jobs[JOB_COUNT];
static struct scheduler scheduler;
static uint32_t armed;

static void arm(void *display) { armed += display == &armed; }

static void start(void)
{
    scheduler = (struct scheduler){
        .jobs = jobs, .oldest_job = JOB_COUNT - 2, .job_count = 5, .arm_flips = arm, .display = &armed};
    for (uint32_t age = 0; age < 5; age++)
        *job_at(&scheduler, age) = (struct job_record){.state = JOB_QUEUED, .job = {.context = age % 2, .tag = 7}};
    armed = 0;
}

static void test_find(void)
{
    start();
    CHECK(job_flips_find(&scheduler, 0, 7) == job_at(&scheduler, 4));
    CHECK(job_flips_find(&scheduler, 1, 7) == job_at(&scheduler, 3));
    job_at(&scheduler, 4)->state = JOB_DONE;
    CHECK(job_flips_find(&scheduler, 0, 7) == job_at(&scheduler, 2));
    job_at(&scheduler, 2)->state = JOB_DRAINING; /* still not completed */
    CHECK(job_flips_find(&scheduler, 0, 7) == job_at(&scheduler, 2));
    job_at(&scheduler, 2)->job.tag = 8;
    CHECK(job_flips_find(&scheduler, 0, 7) == job_at(&scheduler, 0));
    CHECK(job_flips_find(&scheduler, 2, 7) == NULL && job_flips_find(&scheduler, 0, 9) == NULL);
}

static void test_bits(void)
{
    start();
    struct job_record *first = job_at(&scheduler, 0), *second = job_at(&scheduler, 1);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t bit = job_flips_add(&scheduler, i % 2 == 0 ? first : second);
        CHECK(bit != 0 && bit < 256 && (bit & (bit - 1)) == 0 && (bits & bit) == 0);
        bits |= bit;
    }
    CHECK_EQUAL(job_flips_add(&scheduler, first), 0);
    CHECK(first->flips != 0 && (first->flips ^ second->flips) == 0xff);
    first->result.status = STATUS_NO_SEGMENT;
    job_flips_end(&scheduler, first);
    CHECK_EQUAL(armed, 0); /* what has failed waits for the display's turn */
    CHECK(scheduler.ended_flips == first->flips && scheduler.flips == second->flips);
    CHECK_EQUAL(job_flips_add(&scheduler, second), 0); /* ended, and not taken by the display */
    second->result.status = STATUS_OK;
    job_flips_end(&scheduler, second);
    CHECK_EQUAL(armed, 1);
    CHECK(scheduler.ended_flips == 0xff && scheduler.flips == 0);
    for (uint32_t i = 0; i < 8; i++)
        CHECK((first->flips >> i & 1) == (scheduler.flip_status[i] == STATUS_NO_SEGMENT) &&
              (second->flips >> i & 1) == (scheduler.flip_status[i] == STATUS_OK));
    scheduler.ended_flips = 0xfb;
    CHECK_EQUAL(job_flips_add(&scheduler, second), 4);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_find);
    CHECK_RUN(test_bits);
    return check_finish();
}
