/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan is told before it is made: what is queued, for a policy that looks ahead (policy.h, foresee), and what
 * is known of time.
 */
#ifndef FIRMWARE_SURVEY_H
#define FIRMWARE_SURVEY_H

#include "schedule/scheduler.h"

/* The policy is told of the queue: the rest of the scheduler's current job, then the jobs that wait, in order of
 * acceptance. Long after them come those that may go on after all. It yields. Until it returns no job may be accepted.
 * `context` is the scheduler. O(entries + allocations). */
void survey_tell_queue(void *context);

/* What is still in use, what a split costs, how much a portion that has to be paged should use. O(jobs). */
void survey_tell_costs(struct scheduler *scheduler);

/* The paging node has nothing left to do, and the render node has the last portion at most. */
bool survey_is_starved(const struct scheduler *scheduler);

#endif
