/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan is told before it is made: what is queued, for a policy that looks ahead (policy.h, foresee), and what
 * is known of time.
 */
#ifndef FIRMWARE_SURVEY_H
#define FIRMWARE_SURVEY_H

#include "schedule/scheduler.h"

/* The queue from the beginning: the rest of the current job, then the jobs that wait, in order of acceptance, and
 * long after them those that may go on after all. O(jobs + allocations). */
void survey_begin(struct scheduler *scheduler);
/* The policy is told of a few more patch entries. False: it knows all. Until then no job may be accepted. O(1). */
bool survey_step(struct scheduler *scheduler);

/* What is still in use, what a split costs, how much a portion that has to be paged should use. O(jobs). */
void survey_tell_costs(struct scheduler *scheduler);

/* The paging node has nothing left to do, and the render node has the last portion at most. */
bool survey_is_starved(const struct scheduler *scheduler);

#endif
