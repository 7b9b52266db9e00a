/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery. The nodes execute in order, so the portion that stopped the render node is the oldest one whose fence
 * has not passed; everything after it has not begun, because the ring is in order of jobs.
 */
#include "schedule/recovery.h"

#include "page/paging_reset.h"
#include "schedule/preemption.h"
#include "schedule/scheduler_jobs.h"

/* ------------------------------------------------------------------ detection */

/* Asking for a fence takes its interrupt, whoever asks. If one has passed since the last look, those that asked before
 * it did must ask again: nothing is left to wake them. */
static bool has_fence_passed(struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    bool has_passed = false;
    for (uint32_t node = 0; node < NODE_LIMIT; node++) {
        uint32_t fence = ddi->query_current_fence(ddi->adapter, node);
        has_passed = has_passed || fence != scheduler->seen_fence[node];
        scheduler->seen_fence[node] = fence;
    }
    return has_passed;
}

/* Has the node been at one thing for longer than allowed? The first time is answered by a preempt request. */
static bool has_timed_out(struct scheduler *scheduler, enum node node, const struct ddi_engine_status *status)
{
    const struct recovery_limits *limits = &scheduler->limits;
    struct watch *watch = &scheduler->watch[node];
    uint32_t now = hal_cycles(), fence = scheduler->seen_fence[node];
    if (!status->is_busy || status->is_waiting) {
        watch->is_armed = false;
        return false;
    }
    if (!watch->is_armed || watch->fence != fence)
        *watch = (struct watch){status->progress, now, fence, now, 0, true, false};
    if (watch->progress != status->progress) {
        watch->progress = status->progress;
        watch->since = now;
    }
    bool is_too_long = node == NODE_RENDER && now - watch->fence_since > limits->portion;
    if (now - watch->since <= limits->timeout && !is_too_long) {
        watch->has_asked = false;
        return false;
    }
    if (watch->has_asked) return now - watch->asked > limits->preempt_delay;
    watch->has_asked = true;
    watch->asked = now;
    if (node == NODE_RENDER) turn_finish(scheduler->work); /* the request takes the next fence */
    preemption_request(scheduler, node);
    return false;
}

static uint64_t cycles_now(void)
{
    uint32_t high = hal_register_read(CORE_CYCLE_HI_OFFSET), low = hal_cycles();
    if (hal_register_read(CORE_CYCLE_HI_OFFSET) != high) return (uint64_t)(high + 1u) << 32;
    return (uint64_t)high << 32 | low;
}

static void count_recovery(struct scheduler *scheduler, enum node node)
{
    scheduler->manager->statistics[STAT_RECOVERIES]++;
    hal_trace(TRACE_RECOVER, node);
}

/* A recovery that no context has to answer for. The one too many within the window does not return: something is wrong
 * with us. What makes a node stop pays with its context instead, so that no number of them ends the GPU for others. */
static void count_nobodys(struct scheduler *scheduler, enum node node)
{
    const struct recovery_limits *limits = &scheduler->limits;
    uint64_t now = cycles_now();
    bool is_limited = limits->recoveries <= (uint32_t)RECOVERY_TIMES;
    if (is_limited && scheduler->recovered_count >= limits->recoveries &&
        now - scheduler->recovered[limits->recoveries - 1u] <= limits->window)
        hal_panic(PANIC_RECOVERY, node);
    for (uint32_t i = RECOVERY_TIMES - 1; i > 0u; i--) scheduler->recovered[i] = scheduler->recovered[i - 1u];
    scheduler->recovered[0] = now;
    if (scheduler->recovered_count < (uint32_t)RECOVERY_TIMES) scheduler->recovered_count++;
}

/* ------------------------------------------------------------------ what is to blame */

/* These clients, a bit each, have a recovery to answer for; with no limit they never have. */
static void charge_clients(struct scheduler *scheduler, const uint32_t clients[CLIENT_LIMIT / 32])
{
    const struct recovery_limits *limits = &scheduler->limits;
    const uint32_t now = (uint32_t)(cycles_now() / (uint32_t)CLIENT_CYCLES);
    if (limits->recoveries > (uint32_t)RECOVERY_TIMES) return;
    for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++)
        if (bit_is_set(clients, i))
            context_charge(&scheduler->manager->contexts, i, now, limits->recoveries,
                           limits->window / (uint32_t)CLIENT_CYCLES);
}

/* The job's answer is the only one that names the culprit, so it outranks what may have stopped the job's preparation
 * further on (NO_PLACEMENT of a later portion). */
static void blame(struct scheduler *scheduler, struct job_record *record, struct refusal why)
{
    const enum gpu_status status = record->result.status;
    scheduler->manager->contexts.entry[record->job.context].is_lost = true;
    if (status != STATUS_FAULT && status != STATUS_TIMEOUT && status != STATUS_CONTEXT_LOST) record->result = why;
}

/* The job that the reset has cut in two, or NULL: its portion is at work, or some of its portions have run and the
 * rest has not been submitted. */
static struct job_record *find_begun(struct scheduler *scheduler, bool is_at_work)
{
    if (scheduler->queue_count != 0u) {
        const struct queued_portion *oldest = portion_at(scheduler, 0);
        return is_at_work || !oldest->is_first ? &scheduler->jobs[oldest->job] : NULL;
    }
    if (scheduler->current == NO_JOB || scheduler->jobs[scheduler->current].portions == 0u) return NULL;
    return &scheduler->jobs[scheduler->current];
}

/* A preemption that a reset has overtaken is over. */
static void end_preemption(struct scheduler *scheduler, enum node node, uint32_t last_completed, uint32_t withheld)
{
    struct preemption *preemption = &scheduler->preemption[node];
    scheduler->watch[node].is_armed = false;
    if (!preemption->is_pending) return;
    preemption->is_pending = false;
    preemption->report = (struct ddi_dma_preempted){preemption->fence_id, last_completed, false};
    preemption->withheld = withheld;
}

/* Take the portions off the queue: `begun` ends with them, the other jobs start again. */
static void drop_queue(struct scheduler *scheduler, const struct job_record *begun)
{
    while (scheduler->queue_count != 0u && &scheduler->jobs[portion_at(scheduler, 0)->job] == begun) {
        scheduler->queue_first = (scheduler->queue_first + 1u) % (uint32_t)PORTION_COUNT;
        scheduler->queue_count--;
    }
    preemption_take_back(scheduler);
}

/* ------------------------------------------------------------------ engine reset */

static bool recover_render(struct scheduler *scheduler, struct refusal why)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    /* It may have completed more between the last look at its fence and the stop. */
    scheduler_retire_portions(scheduler);
    const struct watch *watch = &scheduler->watch[NODE_RENDER]; /* disarmed by a preemption that has just ended */
    bool has_gone_on = !watch->is_armed || scheduler->retired_fence != watch->fence;
    if (why.status == STATUS_TIMEOUT && has_gone_on) return false;
    count_recovery(scheduler, NODE_RENDER);
    struct job_record *culprit = find_begun(scheduler, true); /* NULL: it stopped after the last portion */
    turn_finish(scheduler->work);                             /* what it still submits has not begun */
    uint32_t last_completed = scheduler->retired_fence;
    struct ddi_reset_engine reset = {NODE_RENDER, 0};
    ddi->reset_engine(ddi->adapter, &reset);
    if (!fence_reached(reset.last_aborted_fence_id, last_completed) ||
        !fence_reached(scheduler->last_fence, reset.last_aborted_fence_id)) /* TDR-06 */
        hal_panic(PANIC_FENCE, reset.last_aborted_fence_id);
    if (culprit != NULL) {
        uint32_t clients[CLIENT_LIMIT / 32] = {0};
        blame(scheduler, culprit, why);
        bit_set(clients, scheduler->manager->contexts.entry[culprit->job.context].client);
        charge_clients(scheduler, clients);
    } else count_nobodys(scheduler, NODE_RENDER);
    end_preemption(scheduler, NODE_RENDER, last_completed, scheduler->queue_count);
    drop_queue(scheduler, culprit);
    scheduler->retired_fence = reset.last_aborted_fence_id;
    scheduler_drop_access(scheduler);
    return true;
}

/* ------------------------------------------------------------------ adapter reset */

/* Contexts that use what the paging node was moving are lost; so is content. Jobs that wait: all others are
 * over. False: none is lost. */
static bool judge_jobs(struct scheduler *scheduler, const struct index_set *aborted, struct refusal why)
{
    bool is_anyone_lost = false;
    const struct allocation_table *table = &scheduler->manager->residency.world.table;
    for (uint32_t k = 0; k < JOB_COUNT; k++) {
        struct job_record *record = &scheduler->jobs[k];
        if (record->state != JOB_QUEUED) continue;
        for (uint32_t i = 0; i < record->job.patch_count; i++) {
            uint32_t allocation = record->job.patches[i].allocation;
            if (allocation == PATCH_NULL) continue;
            if (index_set_has(aborted, allocation)) {
                blame(scheduler, record, why);
                is_anyone_lost = true;
            } else if (allocation_is_lost(table, allocation) && record->result.status == STATUS_OK)
                record->result = (struct refusal){STATUS_CONTENT_LOST, i};
        }
    }
    return is_anyone_lost;
}

/* No job that waits uses what the paging node was moving: whose it is pays. Too often, and the context is lost. False:
 * it is no context's. */
static bool charge_owners(struct scheduler *scheduler, const struct index_set *aborted)
{
    struct context *contexts = scheduler->manager->contexts.entry;
    uint32_t charged[CONTEXT_MAXIMUM / 32] = {0};
    bool is_any = false;
    INDEX_SET_EACH (i, aborted) {
        const uint32_t owner = allocation_owner(&scheduler->manager->residency.world.table.entry[i]);
        if (owner == (uint32_t)NO_CONTEXT || bit_is_set(charged, owner)) continue;
        bit_set(charged, owner);
        is_any = true;
        if (contexts[owner].recoveries >= scheduler->limits.recoveries) contexts[owner].is_lost = true;
        else contexts[owner].recoveries++;
    }
    return is_any;
}

/* Those whose allocations the paging node was moving have it to answer for. False: they are client 0's, or no
 * context's. */
static bool charge_movers(struct scheduler *scheduler, const struct index_set *aborted)
{
    uint32_t clients[CLIENT_LIMIT / 32] = {0};
    INDEX_SET_EACH (i, aborted) bit_set(clients, scheduler->manager->residency.world.table.entry[i].client);
    charge_clients(scheduler, clients);
    return (clients[0] & ~1u) != 0u || clients[1] != 0u;
}
_Static_assert(CLIENT_LIMIT == 64, "two words of clients");

/* A FLIP asked for what the paging node was moving: it pays, and is not tried again. */
static bool charge_flip(struct scheduler *scheduler, const struct index_set *aborted, struct refusal why)
{
    if (scheduler->coming == (uint32_t)NOTHING_COMES || !index_set_has(aborted, scheduler->coming)) return false;
    scheduler->coming_status = (uint8_t)why.status;
    return true;
}

static void recover_adapter(struct scheduler *scheduler, struct refusal why)
{
    struct manager *manager = scheduler->manager;
    const struct ddi *ddi = &manager->ddi;
    const struct index_set *aborted = manager->paging.aborted;
    /* What it completes between this look and the next is at work no more, and what comes after that waits for paging.
     */
    struct ddi_engine_status render = ddi->query_engine_status(ddi->adapter, NODE_RENDER);
    scheduler_retire_portions(scheduler);
    count_recovery(scheduler, NODE_PAGING);
    manager->statistics[STAT_ADAPTER_RESETS]++;
    uint32_t paged = ddi->query_current_fence(ddi->adapter, NODE_PAGING), last_completed = scheduler->retired_fence;
    /* One that had still to wait for the paging node has not begun, whatever the render node was at. */
    const bool has_waited =
        scheduler->queue_count != 0u && fence_reached(paged, portion_at(scheduler, 0)->paging_fence);
    struct job_record *begun = find_begun(scheduler, has_waited && (render.is_faulted || render.is_busy));
    if (begun != NULL) blame(scheduler, begun, (struct refusal){STATUS_CONTEXT_LOST, 0});
    scheduler_finish_work(scheduler); /* what it still submits is taken back with the rest */
    ddi->reset_from_timeout(ddi->adapter);
    end_preemption(scheduler, NODE_RENDER, last_completed, scheduler->queue_count);
    end_preemption(scheduler, NODE_PAGING, paged, 0);
    drop_queue(scheduler, begun);
    scheduler_drop_current(scheduler);
    paging_purge(&manager->paging, paged, scheduler->last_fence + 1u);
    const bool is_hosts = why.status == STATUS_FAULT && why.detail == (uint32_t)FAULT_BAD_PAGE; /* it spoiled a list */
    const bool has_client = charge_movers(scheduler, aborted);
    const bool is_flips = charge_flip(scheduler, aborted, why);
    if (!judge_jobs(scheduler, aborted, why) && !charge_owners(scheduler, aborted) && !has_client && !is_flips &&
        !is_hosts)
        count_nobodys(scheduler, NODE_PAGING);
    scheduler->retired_fence = ddi->query_current_fence(ddi->adapter, NODE_RENDER);
    ddi->restart_from_timeout(ddi->adapter);
}

bool recovery_step(struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    if (scheduler->coming != (uint32_t)NOTHING_COMES && scheduler->coming_status == (uint8_t)STATUS_OK &&
        paging_is_quiet(&scheduler->manager->paging))
        scheduler->coming = NOTHING_COMES;
    bool has_passed = has_fence_passed(scheduler);
    struct ddi_engine_status status = ddi->query_engine_status(ddi->adapter, NODE_PAGING);
    if (status.is_faulted || has_timed_out(scheduler, NODE_PAGING, &status)) {
        recover_adapter(scheduler, status.is_faulted ? (struct refusal){STATUS_FAULT, status.fault_code}
                                                     : (struct refusal){STATUS_TIMEOUT, 0});
        return true;
    }
    status = ddi->query_engine_status(ddi->adapter, NODE_RENDER);
    if (status.is_faulted || has_timed_out(scheduler, NODE_RENDER, &status)) {
        return recover_render(scheduler, status.is_faulted ? (struct refusal){STATUS_FAULT, status.fault_code}
                                                           : (struct refusal){STATUS_TIMEOUT, 0});
    }
    return has_passed;
}
