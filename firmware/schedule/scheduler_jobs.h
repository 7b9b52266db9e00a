/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the scheduler share about the ring of jobs. Accepting (scheduler_accept) and retiring
 * (scheduler_retire) are declared in scheduler.h.
 */
#ifndef FIRMWARE_SCHEDULER_JOBS_H
#define FIRMWARE_SCHEDULER_JOBS_H

#include "schedule/scheduler.h"

/* The job accepted `age` jobs after the oldest one. */
static inline struct job_record *job_at(struct scheduler *scheduler, uint32_t age)
{
    return &scheduler->jobs[(scheduler->oldest_job + age) % (uint32_t)JOB_COUNT];
}

/* The portion queued `age` portions after the oldest one. */
static inline struct queued_portion *portion_at(struct scheduler *scheduler, uint32_t age)
{
    return &scheduler->queue[(scheduler->queue_first + age) % (uint32_t)PORTION_COUNT];
}

/* The job is complete. Its client's account gets what was copied, and how long it waited. */
void scheduler_charge(struct scheduler *scheduler, const struct job_record *record, uint32_t client);
/* Another portion may be the queue's first. The render node works at that one. */
void scheduler_follow(struct scheduler *scheduler);
/* Take the portions up to `fence` off the queue. */
bool scheduler_retire_until(struct scheduler *scheduler, uint32_t fence);

/* A reset took back all access rights: a portion that is being given its own gets them again. */
void scheduler_drop_access(struct scheduler *scheduler);

/* An adapter reset comes: paused work goes to its end, and the current job no further than that of its stage. */
void scheduler_finish_work(struct scheduler *scheduler);

/* A reset threw the plan of the current job away: it starts again, or ends if its context is lost. */
void scheduler_drop_current(struct scheduler *scheduler);

#endif
