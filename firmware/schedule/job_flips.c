/* SPDX-License-Identifier: Apache-2.0
 *
 * FLIPs that wait for DMA buffers: see job_flips.h.
 */
#include "schedule/job_flips.h"

#include "schedule/scheduler_jobs.h"

struct job_record *job_flips_find(struct scheduler *scheduler, uint32_t context, uint32_t tag)
{
    for (uint32_t age = scheduler->job_count; age-- > 0u;) {
        struct job_record *record = job_at(scheduler, age);
        if (record->state != JOB_DONE && record->job.context == context && record->job.tag == tag) return record;
    }
    return NULL;
}

uint32_t job_flips_add(struct scheduler *scheduler, struct job_record *record)
{
    const uint32_t used = (uint32_t)scheduler->flips | scheduler->ended_flips, free = ~used & 0xffu;
    if (free == 0u) return 0;
    const uint32_t bit = free & (0u - free);
    scheduler->flips |= (uint8_t)bit;
    record->flips |= (uint8_t)bit;
    return bit;
}

void job_flips_end(struct scheduler *scheduler, const struct job_record *record)
{
    for (uint32_t bits = record->flips; bits != 0u; bits &= bits - 1u)
        scheduler->flip_status[lowest_bit(bits)] = (uint8_t)record->result.status;
    scheduler->ended_flips |= record->flips;
    scheduler->flips &= (uint8_t)~record->flips;
    if (record->result.status == STATUS_OK) scheduler->arm_flips(scheduler->display);
}
