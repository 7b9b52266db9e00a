/* SPDX-License-Identifier: Apache-2.0
 *
 * FLIPs that wait for DMA buffers. Each has a bit, in job_record.flips and scheduler.flips until the job ends, then in
 * scheduler.ended_flips. The display clears that.
 */
#ifndef FIRMWARE_JOB_FLIPS_H
#define FIRMWARE_JOB_FLIPS_H

#include "schedule/scheduler.h"

/* The newest DMA buffer of the context with this tag that is accepted and not completed, or NULL. O(jobs). */
struct job_record *job_flips_find(struct scheduler *scheduler, uint32_t context, uint32_t tag);
/* A FLIP waits for the job. Returns its bit; 0: eight wait already. */
uint32_t job_flips_add(struct scheduler *scheduler, struct job_record *record);
/* The job has ended: its status is in scheduler.flip_status. If all is well, the display is told at once
 * (scheduler.arm_flips); what has failed is answered in the display's turn, after the job. */
void job_flips_end(struct scheduler *scheduler, const struct job_record *record);

#endif
