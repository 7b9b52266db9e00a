/* SPDX-License-Identifier: Apache-2.0
 *
 * Preemption. See preemption.h.
 */
#include "schedule/preemption.h"

#include "page/paging_reset.h"
#include "schedule/scheduler_jobs.h"

void preemption_request(struct scheduler *scheduler, enum node node)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    struct preemption *preemption = &scheduler->preemption[node];
    if (preemption->is_pending) return;
    preemption->is_pending = true;
    /* The paging node's submissions keep their ids, so its preemptions are counted by themselves. */
    if (node == NODE_RENDER) preemption->fence_id = ++scheduler->last_fence;
    else preemption->fence_id++;
    scheduler->manager->statistics[STAT_PREEMPTIONS]++;
    hal_trace(TRACE_PREEMPT, node);
    const struct ddi_preempt_command command = {node, preemption->fence_id};
    if (ddi->preempt_command(ddi->adapter, &command) != DDI_SUCCESS) hal_panic(PANIC_SUBMIT, preemption->fence_id);
}

/* ------------------------------------------------------------------ is it worth it */

/* The context of the most urgent job that waits, among contexts of higher priority than `than`. */
static bool is_outranked(const struct scheduler *scheduler, const struct job_record *by, const struct job_record *than)
{
    const struct context_table *contexts = &scheduler->manager->contexts;
    uint32_t urgent = by->job.context, other = than->job.context;
    return by->state == JOB_QUEUED && contexts->entry[urgent].priority > contexts->entry[other].priority &&
           context_urgency(contexts, urgent) > than->urgency;
}

void preemption_consider(struct scheduler *scheduler)
{
    if (!scheduler->has_news) return;
    scheduler->has_news = false;
    /* The oldest portion runs, or is about to; after it, whole DMA buffers can be withheld. */
    for (uint32_t i = 1; i < scheduler->queue_count; i++) {
        const struct queued_portion *portion = portion_at(scheduler, i);
        if (!portion->is_first) continue;
        for (uint32_t age = 0; age < scheduler->job_count; age++)
            if (is_outranked(scheduler, job_at(scheduler, age), &scheduler->jobs[portion->job])) {
                preemption_request(scheduler, NODE_RENDER);
                return;
            }
    }
}

/* ------------------------------------------------------------------ what was preempted */

/* Nothing of the job has run, nor of what was submitted after it: what it made dirty is as clean as before. */
static void take_back_dirt(struct scheduler *scheduler, struct job_record *record)
{
    struct allocation *entries = scheduler->manager->residency.world.table.entry;
    struct index_set *dirtied = record->use->dirtied;
    INDEX_SET_EACH (i, dirtied)
        if ((entries[i].flags & ALLOCATION_UNSAVED) == 0u) allocation_clear(&entries[i], ALLOCATION_DIRTY);
    index_set_clear(dirtied);
}

void preemption_requeue(struct scheduler *scheduler, struct job_record *record)
{
    struct context *context = &scheduler->manager->contexts.entry[record->job.context];
    ASSERT(scheduler->current == NO_JOB || record != &scheduler->jobs[scheduler->current]);
    record->state = JOB_QUEUED;
    record->is_withheld = false;
    record->portions = 0;
    take_back_dirt(scheduler, record);
    residency_note_repeat(&scheduler->manager->residency.outlook); /* its uses that the plan has passed come again */
    /* What was refused to its plan may be had the next time; lost content may not. */
    if (!context->is_lost && record->result.status != STATUS_CONTENT_LOST)
        record->result = (struct refusal){STATUS_OK, 0};
    if (record->passed > context->passed) context->passed = record->passed;
    scheduler->has_news = true;
}

void preemption_take_back(struct scheduler *scheduler)
{
    for (uint32_t i = 0; i < scheduler->queue_count; i++)
        scheduler->jobs[portion_at(scheduler, i)->job].is_withheld = true;
    /* A job that is only being planned would overtake those of its own context. */
    bool is_planned = scheduler->current != NO_JOB && scheduler->jobs[scheduler->current].portions == 0u;
    if (scheduler->queue_count != 0u && is_planned) scheduler->jobs[scheduler->current].is_withheld = true;
    scheduler->manager->statistics[STAT_WITHHELD] += scheduler->queue_count;
    scheduler->queue_count = 0;
    /* The current job lets go at the end of its stage (scheduler_step). */
    for (uint32_t i = 0; i < JOB_COUNT; i++) {
        struct job_record *record = &scheduler->jobs[i];
        if (record->state == JOB_DRAINING && record->is_withheld) preemption_requeue(scheduler, record);
    }
}

/* Its report, if the driver has it. */
static bool collect(struct scheduler *scheduler, enum node node)
{
    struct manager *manager = scheduler->manager;
    struct preemption *preemption = &scheduler->preemption[node];
    struct ddi_dma_preempted report;
    if (!manager->ddi.query_dma_preempted(manager->ddi.adapter, node, &report)) return false;
    uint32_t newest = node == NODE_RENDER ? scheduler->last_fence : manager->paging.last_fence;
    if (report.preemption_fence_id != preemption->fence_id) hal_panic(PANIC_FENCE, report.preemption_fence_id);
    if (!fence_reached(newest, report.last_completed_fence_id)) hal_panic(PANIC_FENCE, report.last_completed_fence_id);
    hal_trace(TRACE_PREEMPTED, report.last_completed_fence_id);
    preemption->is_pending = false;
    preemption->report = report;
    scheduler->watch[node].is_armed = false;
    if (node == NODE_RENDER) {
        scheduler_retire_until(scheduler, report.last_completed_fence_id);
        preemption->withheld = scheduler->queue_count;
        preemption_take_back(scheduler);
    } else {
        preemption->withheld = paging_resubmit(&manager->paging, report.last_completed_fence_id);
        manager->statistics[STAT_WITHHELD] += preemption->withheld;
    }
    return true;
}

bool preemption_collect(struct scheduler *scheduler, enum node node)
{
    return scheduler->preemption[node].is_pending && collect(scheduler, node);
}

/* ------------------------------------------------------------------ the host's wish */

bool preemption_command(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool *is_asked,
                        struct reply *reply)
{
    uint32_t node = message[MSG_PREEMPT_NODE];
    *reply = (struct reply){0};
    if (node >= (uint32_t)NODE_LIMIT) {
        *reply = (struct reply){.status = STATUS_BAD_ARGUMENT, .detail = MSG_PREEMPT_NODE};
        return true;
    }
    const struct preemption *preemption = &scheduler->preemption[node];
    if (preemption->is_pending) return false;
    if (!*is_asked) {
        preemption_request(scheduler, (enum node)node);
        *is_asked = true;
        return false;
    }
    reply->words[REPLY_PREEMPT_FENCE - 4] = preemption->report.preemption_fence_id;
    reply->words[REPLY_PREEMPT_LAST_COMPLETED - 4] = preemption->report.last_completed_fence_id;
    reply->words[REPLY_PREEMPT_WITHHELD - 4] = preemption->withheld;
    reply->words[REPLY_PREEMPT_DIRECT - 4] = preemption->report.is_direct;
    return true;
}
