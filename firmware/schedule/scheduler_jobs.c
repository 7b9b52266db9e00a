/* SPDX-License-Identifier: Apache-2.0
 *
 * The two ends of a job's life: accepted into private memory, retired and answered.
 */
#include "schedule/scheduler_jobs.h"

#include "ddi/patch.h"
#include "platform/turn.h"
#include "schedule/job_flips.h"
#include "schedule/preemption.h"
#include "schedule/timeline.h"

enum {
    LOOK_MESSAGES = 2, /* of the host's ring in one look after its head ... */
    LOOK_NEAR = 32     /* ... among so many nearest ones; farther one */
};

/* ------------------------------------------------------------------ accept */

/* Room for `need` consecutive bytes in the pool, which is used as a ring, in order of acceptance: the live part runs
 * from `low`, the oldest job's start, to `high`, the newest job's end, and may wrap. */
static bool find_pool_room(uint32_t size, uint32_t low, uint32_t high, bool is_empty, uint32_t need, uint32_t *at)
{
    if (is_empty) {
        *at = 0;
        return need <= size;
    }
    if (need == 0u) {
        *at = high;
        return true;
    }
    if (high > low) {
        *at = need <= size - high ? high : 0u;
        return *at == high || need <= low;
    }
    *at = high;
    return need <= low - high; /* high == low: full */
}

/* The retired jobs at the old end of the ring give their memory back. */
static void free_done_jobs(struct scheduler *scheduler)
{
    while (scheduler->job_count > 0u && job_at(scheduler, 0)->state == JOB_DONE) {
        job_at(scheduler, 0)->state = JOB_FREE;
        scheduler->oldest_job = (scheduler->oldest_job + 1u) % (uint32_t)JOB_COUNT;
        scheduler->job_count--;
    }
}

static enum acceptance refuse_job(struct scheduler *scheduler, struct reply *reply, enum gpu_status status,
                                  uint32_t detail)
{
    scheduler->manager->statistics[STAT_REFUSED]++;
    reply->status = status;
    reply->detail = detail;
    return ACCEPTANCE_ENDED;
}

static uint32_t job_bit(const struct scheduler *scheduler, const struct job_record *record)
{
    return 1u << (record - scheduler->jobs);
}

/* Pre-patch information: where it is now, if its use is allowed there; it may move before the job runs. */
static inline uint32_t resident_address(const void *context, const struct patch *patch)
{
    const struct manager *manager = context;
    const struct allocation *entry = &manager->residency.world.table.entry[patch->allocation];
    const uint32_t segment = entry->segment;
    if (segment == 0u) return 0;
    const bool is_written = (patch->flags & PATCH_WRITE) != 0u;
    const uint32_t set = allocation_segments(&manager->residency.world.table, patch->allocation, is_written);
    if ((set >> (segment - 1u) & 1u) == 0u) return 0;
    return manager->segments[segment - 1u].base_address + (uint32_t)entry->first_page * (uint32_t)PAGE_BYTES;
}

/* Look at a few more messages after the head of the host's ring. Each is looked at once, so that however many wait a
 * turn costs the same. */
__attribute__((cold)) static void look_at_waiting(struct scheduler *scheduler, uint32_t first)
{
    const struct manager *manager = scheduler->manager;
    struct lookout *lookout = &scheduler->lookout;
    const uint32_t head = manager->host.submit_head, waiting = host_waiting(&manager->host);
    if (lookout->seen - first > waiting) lookout->seen = first; /* messages were taken that were not looked at */
    if (lookout->seen - head >= waiting) return;
    hal_system_invalidate();
    const uint32_t looks = lookout->seen - head < (uint32_t)LOOK_NEAR ? LOOK_MESSAGES : 1u;
    for (uint32_t i = 0; i < looks && lookout->seen - head < waiting; i++, lookout->seen++) {
        uint32_t client, id, context;
        if (host_peek_submit(&manager->host, lookout->seen - head, &client, &id) &&
            context_find_of(&manager->contexts, client, id, &context))
            lookout->newest[manager->contexts.entry[context].priority - CONTEXT_PRIORITY_MIN] = lookout->seen;
    }
}

/* Somewhere in the host's ring, as far as it has been looked at, is a SUBMIT of a context of higher priority. */
static bool is_urgent_waiting(struct scheduler *scheduler, uint32_t context)
{
    const struct manager *manager = scheduler->manager;
    const uint32_t head = manager->host.submit_head, waiting = host_waiting(&manager->host);
    /* analyse: bugprone-signed-char-misuse: a priority is a number from -128 to 127 */
    int32_t priority = manager->contexts.entry[context].priority;
    const uint32_t first = scheduler->lookout.at == head ? head + 1u : head;
    if (waiting <= first - head) return false;
    look_at_waiting(scheduler, first);
    while (++priority <= (int32_t)CONTEXT_PRIORITY_MAX)
        if (scheduler->lookout.newest[priority - CONTEXT_PRIORITY_MIN] - first < waiting) return true;
    return false;
}

/* The context of a SUBMIT, if it is of the message's client. */
static bool find_submit_context(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], uint32_t *index)
{
    return context_find_of(&manager->contexts, message_client(message[0]), message[MSG_SUBMIT_CONTEXT], index);
}

uint32_t scheduler_patience(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool is_in_ring)
{
    const struct manager *manager = scheduler->manager;
    scheduler->lookout.at = is_in_ring ? manager->host.submit_head : manager->host.submit_head - 1u;
    const bool is_ahead = policy_looks_ahead(manager_policy(manager));
    uint32_t context;
    bool has_next = false;
    if (manager->statistics[STAT_FIRMWARE_CYCLES] == 0u) return 0; /* examining takes no time */
    if (!find_submit_context(manager, message, &context)) return 0;
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        const struct job_record *record = job_at(scheduler, age);
        if (record->state != JOB_DONE && record->job.context != context) return 1;
        has_next |= record->state == JOB_QUEUED;
    }
    if (is_urgent_waiting(scheduler, context)) return 0;
    if (has_next) return PATIENCE;
    return is_ahead && !cost_is_firmware_bound(&scheduler->costs) ? 0u : 1u;
}

/* Where the job goes that is being examined; jobs before it may retire meanwhile. */
static struct job_record *incoming_job(struct scheduler *scheduler) { return job_at(scheduler, scheduler->job_count); }

/* A SUBMIT with points, or one that may have to wait for others of its context. False: it has been refused, or it
 * waits. */
static bool may_be_accepted(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    const bool has_points = (message[MSG_SUBMIT_FLAGS] & (uint32_t)SUBMIT_FLAG_POINTS) != 0u;
    const uint32_t *points = has_points ? &message[MSG_SUBMIT_WAIT_TIMELINE] : NULL;
    struct refusal why;
    const enum admission admission = timelines_admit(scheduler->manager, message, points, &why);
    if (admission == ADMISSION_REFUSED) (void)refuse_job(scheduler, reply, why.status, why.detail);
    if (admission != ADMISSION_NOW || !has_points) return admission == ADMISSION_NOW;
    for (uint32_t i = 0; i < (uint32_t)POINT_WORDS; i++) incoming_job(scheduler)->signal[i] = points[POINT_WORDS + i];
    return true;
}
_Static_assert(sizeof((struct job_record *)NULL)->signal == POINT_WORDS * sizeof(uint32_t), "a point");

enum acceptance scheduler_accept(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS],
                                 struct reply *reply)
{
    struct manager *manager = scheduler->manager;
    uint32_t context;
    *reply = (struct reply){0};
    if (!find_submit_context(manager, message, &context)) return refuse_job(scheduler, reply, STATUS_BAD_CONTEXT, 0);
    if (manager->contexts.entry[context].is_lost) return refuse_job(scheduler, reply, STATUS_CONTEXT_LOST, 0);
    const uint32_t has_points = message[MSG_SUBMIT_FLAGS] & (uint32_t)SUBMIT_FLAG_POINTS;
    if ((has_points | manager->has_waits) != 0u && !may_be_accepted(scheduler, message, reply)) return ACCEPTANCE_ENDED;

    free_done_jobs(scheduler);
    if (scheduler->job_count == (uint32_t)JOB_COUNT) return ACCEPTANCE_LATER;
    bool is_empty = scheduler->job_count == 0u;
    const struct job_record *oldest = job_at(scheduler, 0), *newest = job_at(scheduler, scheduler->job_count - 1u);
    uint32_t dma_need = align_up(min_u32(message[MSG_SUBMIT_DMA_BYTES], manager->limits.dma_bytes), 4u);
    uint32_t patch_need = min_u32(message[MSG_SUBMIT_PATCH_COUNT], manager->limits.list_entries);
    uint32_t need = dma_need + patch_need * (uint32_t)sizeof(struct patch), at;
    if (!find_pool_room(scheduler->pool_bytes, is_empty ? 0u : oldest->job.dma_offset - scheduler->pool_base,
                        is_empty ? 0u : newest->pool_end - scheduler->pool_base, is_empty, need, &at))
        return ACCEPTANCE_LATER;
    const uint32_t dma_offset = scheduler->pool_base + at;
    struct patch *room = patch_need != 0u ? hal_command_memory(dma_offset + dma_need) : NULL;

    struct job_record *record = incoming_job(scheduler);
    struct refusal why;
    scheduler->validation.counts_traffic = residency_wants_traffic(&manager->residency);
    scheduler->validation.avoids_lists = manager_is_forced(manager, HOST_FORCE_NO_LISTS_LSB);
    if (!validation_begin(&scheduler->validation, &manager->residency.world.table, message, context, dma_offset, room,
                          patch_need, &why))
        return refuse_job(scheduler, reply, why.status, why.detail);
    record->pool_end = dma_offset + need;
    return ACCEPTANCE_EXAMINING;
}

/* What its list names is the job's from here on. What is resident may move until the job runs: then its words are
 * written again. */
static void prepatch(struct scheduler *scheduler, struct job_record *record)
{
    struct manager *manager = scheduler->manager;
    const uint32_t all = record->job.patch_count;
    validation_swap_named(&scheduler->validation, &record->use->named);
    record->use->is_in_place = !manager_is_forced(manager, HOST_FORCE_NO_PREPATCH_LSB);
    manager->residency.uses.accepted |= job_bit(scheduler, record);
    if (!record->use->is_in_place || scheduler->validation.is_in_place) return;
    if (!job_prepatch(&record->job, 0, all, resident_address, manager)) record->use->is_in_place = false;
}

static enum acceptance take_job(struct scheduler *scheduler, struct job_record *record, struct reply *reply)
{
    struct manager *manager = scheduler->manager;
    struct refusal why;
    if (!allocation_name_instances(&manager->residency.world.table, &record->job, &why)) {
        manager->residency.uses.accepted &= ~job_bit(scheduler, record);
        return refuse_job(scheduler, reply, why.status, why.detail);
    }
    residency_note_job(&manager->residency, &record->job);
    record->state = JOB_QUEUED;
    record->result = (struct refusal){STATUS_OK, 0};
    record->portions = record->evictions = record->pages_in = record->pages_out = 0;
    record->is_withheld = false;
    record->accepted_at = hal_turn()->begun;
    record->waited = 0;
    record->flips = 0;
    index_set_clear(record->use->dirtied);
    scheduler->job_count++;
    manager->contexts.entry[record->job.context].jobs++;
    manager->contexts.of_client[manager->contexts.entry[record->job.context].client].jobs++;
    manager->statistics[STAT_REFERENCES] += record->job.patch_count;
    scheduler->has_news = true;
    return ACCEPTANCE_ENDED;
}

bool scheduler_has_urgent_waiting(struct scheduler *scheduler)
{
    return is_urgent_waiting(scheduler, scheduler->validation.job.context);
}

void scheduler_examine(struct scheduler *scheduler, struct reply *reply)
{
    struct job_record *record = incoming_job(scheduler);
    struct refusal why;
    *reply = (struct reply){0};
    if (!validation_examine(&scheduler->validation, &record->job, &why)) {
        (void)refuse_job(scheduler, reply, why.status, why.detail);
        return;
    }
    prepatch(scheduler, record);
    scheduler->is_accepting = true;
    (void)take_job(scheduler, record, reply);
    scheduler->is_accepting = false;
}

/* ------------------------------------------------------------------ retire */

static void complete_job(struct scheduler *scheduler, struct job_record *record)
{
    struct manager *manager = scheduler->manager;
    struct reply reply = {
        .status = record->result.status,
        .detail = record->result.detail,
        .words = {[REPLY_SUBMIT_PORTIONS - 4] = record->portions, [REPLY_SUBMIT_PAGED_IN - 4] = record->pages_in},
    };
    const uint32_t client = manager->contexts.entry[record->job.context].client;
    if (client == 0u) { /* what tells of others as well */
        reply.fence = record->portions != 0u ? record->use->last_fence : 0u;
        reply.words[REPLY_SUBMIT_EVICTIONS - 4] = record->evictions;
        reply.words[REPLY_SUBMIT_PAGED_OUT - 4] = record->pages_out;
    }
    manager->residency.uses.accepted &= ~job_bit(scheduler, record);
    manager->contexts.entry[record->job.context].jobs--;
    manager->contexts.of_client[client].jobs--;
    manager->statistics[STAT_DMA_BUFFERS]++;
    scheduler_charge(scheduler, record, client);
    record->state = JOB_DONE;
    if (record->flips != 0u) job_flips_end(scheduler, record);
    if ((record->job.flags & (uint32_t)SUBMIT_FLAG_POINTS) != 0u && record->result.status == STATUS_OK)
        timelines_signal(manager, record->signal);
    host_complete(&manager->host, record->job.tag, &reply);
}

__attribute__((noinline)) void scheduler_follow(struct scheduler *scheduler)
{
    if (scheduler->queue_count == 0u || portion_at(scheduler, 0)->client == scheduler->metered) return;
    scheduler_meter(scheduler, portion_at(scheduler, 0)->client);
}

bool scheduler_retire_until(struct scheduler *scheduler, uint32_t fence)
{
    bool is_changed = false;
    while (scheduler->queue_count > 0u && fence_reached(fence, portion_at(scheduler, 0)->fence)) {
        hal_trace(TRACE_RETIRE, portion_at(scheduler, 0)->fence);
        scheduler->queue_first = (scheduler->queue_first + 1u) % (uint32_t)PORTION_COUNT;
        scheduler->queue_count--;
        is_changed = true;
    }
    scheduler->retired_fence = fence;
    if (is_changed) scheduler_follow(scheduler);
    return is_changed;
}

bool scheduler_retire_portions(struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    uint32_t fence = ddi->query_current_fence(ddi->adapter, NODE_RENDER);
    if (!fence_reached(scheduler->last_fence, fence)) hal_panic(PANIC_FENCE, fence); /* SCH-04: never submitted */
    bool has_report = preemption_collect(scheduler, NODE_PAGING);
    /* Before the fence is used: a preemption fence stands for no portion. */
    if (preemption_collect(scheduler, NODE_RENDER)) return true;
    return scheduler_retire_until(scheduler, fence) || has_report;
}

bool scheduler_retire(struct scheduler *scheduler)
{
    bool is_changed = scheduler_retire_portions(scheduler);
    if (scheduler->retired_fence == scheduler->completed_fence && !scheduler->has_ended) return is_changed;
    scheduler->completed_fence = scheduler->retired_fence;
    scheduler->has_ended = false;
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        struct job_record *record = job_at(scheduler, age);
        if (record->state != JOB_DRAINING) continue;
        if (record->portions != 0u && !fence_reached(scheduler->retired_fence, record->use->last_fence)) continue;
        complete_job(scheduler, record);
        is_changed = true;
    }
    free_done_jobs(scheduler);
    return is_changed;
}

bool scheduler_check(const struct scheduler *scheduler)
{
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        const struct job_record *record = &scheduler->jobs[(scheduler->oldest_job + age) % (uint32_t)JOB_COUNT];
        const struct job *job = &record->job;
        for (uint32_t i = 0; i < job->patch_count && record->use->is_in_place && record->state != JOB_DONE; i++) {
            const struct patch *patch = &job->patches[i];
            const bool is_bound = patch->allocation != PATCH_NULL;
            const uint32_t base = is_bound ? resident_address(scheduler->manager, patch) : 0u;
            const uint32_t value = is_bound ? base + patch->offset : 0u;
            if (is_bound && base == 0u) return false;
            if (hal_command_read(job->dma_offset + patch->patch_word * 4u) != value) return false;
        }
    }
    return true;
}
