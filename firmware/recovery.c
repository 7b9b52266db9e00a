/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery. The node executes in order, so the portion that stopped it is the oldest one whose fence has
 * not passed. Time is counted without progress: a node that waits for the other node is not to blame.
 */
#include "recovery.h"

#include "scheduler_jobs.h"

static bool is_cancelled(const void *context, uint32_t fence)
{
    const struct scheduler *scheduler = context;
    for (uint32_t i = 0; i < scheduler->queue_count; i++) {
        const struct queued_portion *portion =
            &scheduler->queue[(scheduler->queue_first + i) % (uint32_t)PORTION_COUNT];
        if (portion->fence == fence) return portion->is_cancelled;
    }
    return false;
}

/* Has the node worked on one packet for longer than allowed? */
static bool is_stuck(struct scheduler *scheduler, enum node node, const struct ddi_engine_status *status)
{
    struct watch *watch = &scheduler->watch[node];
    uint32_t now = hal_cycles();
    bool is_working = status->is_busy && !status->is_waiting;
    if (!is_working || !watch->is_armed || watch->progress != status->progress) {
        *watch = (struct watch){status->progress, now, is_working};
        return false;
    }
    return now - watch->since > scheduler->timeout;
}

static void lose_context(struct scheduler *scheduler, uint32_t context, uint32_t culprit, struct refusal why)
{
    scheduler->manager->contexts.entry[context].is_lost = true;
    for (uint32_t i = 0; i < scheduler->queue_count; i++) {
        struct queued_portion *portion = portion_at(scheduler, i);
        struct job_record *record = &scheduler->jobs[portion->job];
        if (record->job.context != context) continue;
        portion->is_cancelled = true;
        if (record->result.status != STATUS_OK) continue;
        record->result = portion->job == culprit ? why : (struct refusal){STATUS_CONTEXT_LOST, 0};
    }
}

static void recover_render(struct scheduler *scheduler, struct refusal why)
{
    struct manager *manager = scheduler->manager;
    /* It may have completed more between the last look at its fence and the stop. */
    scheduler_retire_portions(scheduler);
    if (scheduler->queue_count == 0u) hal_panic(PANIC_DRIVER, why.detail); /* it stopped on ring packets of ours */
    uint32_t culprit = portion_at(scheduler, 0)->job;
    lose_context(scheduler, scheduler->jobs[culprit].job.context, culprit, why);
    const struct ddi_reset_engine reset = {NODE_RENDER, is_cancelled, scheduler};
    hal_trace(TRACE_RECOVER, NODE_RENDER);
    manager->ddi.reset_engine(manager->ddi.adapter, &reset);
    manager->statistics[STAT_RECOVERIES]++;
    scheduler->watch[NODE_RENDER].is_armed = false;
}

bool recovery_step(struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    struct ddi_engine_status status = ddi->query_engine_status(ddi->adapter, NODE_PAGING);
    if (status.is_faulted) hal_panic(PANIC_DRIVER, status.fault_code);
    if (is_stuck(scheduler, NODE_PAGING, &status)) hal_panic(PANIC_DRIVER, NODE_PAGING);

    status = ddi->query_engine_status(ddi->adapter, NODE_RENDER);
    if (status.is_faulted) {
        recover_render(scheduler, (struct refusal){STATUS_FAULT, status.fault_code});
        return true;
    }
    if (is_stuck(scheduler, NODE_RENDER, &status)) {
        recover_render(scheduler, (struct refusal){STATUS_TIMEOUT, 0});
        return true;
    }
    return false;
}
