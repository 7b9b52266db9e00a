/* SPDX-License-Identifier: Apache-2.0
 *
 * Step: pick a job, plan, page, grant, commit, patch, submit, revoke. Read from top to bottom this is the
 * middle of a job's life (its ends are in scheduler_jobs.c); the dividing rule marks the line below which a
 * portion cannot fail any more, only wait.
 */
#include "schedule/scheduler.h"

#include "schedule/preemption.h"
#include "plan/limits.h"
#include "plan/policy.h"
#include "schedule/rebinding.h"
#include "schedule/scheduler_jobs.h"
#include "schedule/survey.h"

void scheduler_init(struct scheduler *scheduler, struct manager *manager, struct work *work, struct tables *tables,
                    const struct scheduler_memory *memory, uint32_t first_fence, const struct recovery_limits *limits)
{
    ASSERT(memory->pool_bytes >= scheduler_job_bytes(&tables->limits));
    scheduler->manager = manager;
    scheduler->work = work;
    scheduler->pool_base = memory->pool_base;
    scheduler->pool_bytes = memory->pool_bytes;
    scheduler->jobs = memory->jobs;
    scheduler->last_fence = scheduler->retired_fence = scheduler->completed_fence = first_fence;
    scheduler->has_ended = false;
    scheduler->limits = *limits;
    scheduler->recovered_count = scheduler->aged = 0;
    scheduler->has_news = false;
    scheduler->is_accepting = false;
    scheduler->flips = scheduler->ended_flips = 0;
    scheduler->lookout.seen = manager->host.submit_head;
    for (uint32_t i = 0; i < sizeof scheduler->lookout.newest / sizeof *scheduler->lookout.newest; i++)
        scheduler->lookout.newest[i] = manager->host.submit_head;
    cost_init(&scheduler->costs, manager->residency.outlook.page_cycles);
    scheduler->portion_cycles = 0;
    scheduler->current = NO_JOB;
    scheduler->stage = STAGE_IDLE;
    scheduler->access.granted = 0;
    scheduler->oldest_job = scheduler->job_count = 0;
    scheduler->coming = NOTHING_COMES;
    scheduler->streak = 0;
    scheduler->metered = 0;
    scheduler->queue_first = scheduler->queue_count = 0;
    for (uint32_t i = 0; i < JOB_COUNT; i++) {
        scheduler->jobs[i].state = JOB_FREE;
        scheduler->jobs[i].use = &manager->residency.uses.job[i];
    }
    for (uint32_t i = 0; i < NODE_LIMIT; i++) {
        scheduler->watch[i] = (struct watch){0};
        scheduler->preemption[i] = (struct preemption){0};
        scheduler->seen_fence[i] = manager->ddi.query_current_fence(manager->ddi.adapter, i);
    }
    validation_init(&scheduler->validation, tables, memory->list);
}

bool scheduler_is_between_portions(const struct scheduler *scheduler)
{
    bool is_planned = scheduler->stage != STAGE_IDLE && scheduler->stage != STAGE_PLAN;
    return !is_planned && !paging_is_active(&scheduler->manager->paging);
}

/* ------------------------------------------------------------------ step: which job */

bool scheduler_has_work(const struct scheduler *scheduler)
{
    if (scheduler->stage != STAGE_IDLE || scheduler->has_news) return true;
    if (paging_is_active(&scheduler->manager->paging)) return true;
    for (uint32_t i = 0; i < (uint32_t)JOB_COUNT; i++)
        if (scheduler->jobs[i].state == JOB_QUEUED) return true;
    return false;
}

/* Pages that would have to come for the job; of an allocation named twice, twice. */
static uint32_t missing_pages(const struct scheduler *scheduler, const struct job_record *record)
{
    const struct residency *residency = &scheduler->manager->residency;
    uint32_t pages = 0;
    for (uint32_t i = 0; i < record->job.patch_count; i++) {
        uint32_t allocation = record->job.patches[i].allocation;
        yield_in_loop(i);
        if (allocation != (uint32_t)PATCH_NULL && residency->world.map.link[allocation].where == 0u)
            pages += residency->world.table.entry[allocation].pages;
    }
    return pages;
}

/* Looking ahead, the context that was chosen last goes on in place of one of the same priority if more of what it needs
 * is there, up to STREAK DMA buffers in a row: so long the sets of two contexts need not change places. */
static bool has_streak(const struct scheduler *scheduler, const struct job_record *last,
                       const struct job_record *urgent)
{
    const struct context *entries = scheduler->manager->contexts.entry;
    const bool is_ahead = policy_looks_ahead(manager_policy(scheduler->manager));
    return scheduler->streak < (uint32_t)STREAK && is_ahead &&
           entries[last->job.context].priority == entries[urgent->job.context].priority &&
           missing_pages(scheduler, last) < missing_pages(scheduler, urgent);
}

/* The most urgent job among the oldest of each context, the earlier accepted one among equals; or one that continues a
 * streak. A bit of each such context is set in `seen`, which is empty before. O(jobs). */
static struct job_record *find_job(struct scheduler *scheduler, uint32_t seen[CONTEXT_MAXIMUM / 32])
{
    const struct share_table *shares = &scheduler->manager->residency.world.shares;
    struct job_record *best = NULL, *last = NULL;
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        struct job_record *record = job_at(scheduler, age);
        if (record->state != JOB_QUEUED || bit_is_set(seen, record->job.context)) continue;
        bit_set(seen, record->job.context);
        record->urgency = context_urgency(&scheduler->manager->contexts, record->job.context);
        if (best == NULL || record->urgency > best->urgency) best = record;
        if (share_is_last(shares, record->job.context)) last = record;
    }
    return last != NULL && last != best && has_streak(scheduler, last, best) ? last : best;
}

static uint8_t pick_job(struct scheduler *scheduler)
{
    struct context *contexts = scheduler->manager->contexts.entry;
    const struct share_table *shares = &scheduler->manager->residency.world.shares;
    uint32_t seen[CONTEXT_MAXIMUM / 32] = {0};
    struct job_record *record = find_job(scheduler, seen);
    if (record == NULL) return NO_JOB;
    uint32_t chosen = record->job.context;
    record->passed = contexts[chosen].passed;
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        const uint32_t i = job_at(scheduler, age)->job.context;
        if (!bit_is_set(seen, i)) continue;
        bit_clear(seen, i);
        if (contexts[i].passed < UINT16_MAX) contexts[i].passed++;
    }
    contexts[chosen].passed = 0;
    scheduler->streak = share_is_last(shares, chosen) ? scheduler->streak + 1u : 1u;
    return (uint8_t)(record - scheduler->jobs);
}

static struct job_record *current_job(struct scheduler *scheduler) { return &scheduler->jobs[scheduler->current]; }

/* Everything evictable leaves before the job begins (FORCE.EVICT, CNF-03). */
__attribute__((cold)) static void plan_forced_eviction(struct scheduler *scheduler)
{
    struct residency *residency = &scheduler->manager->residency;
    residency_begin(residency, scheduler->last_fence + 1u, 0);
    const struct index_set *residents = residency->world.map.residents;
    INDEX_SET_EACH (i, residents) {
        yield_if_late();
        if (residency_is_evictable(residency, i)) residency_plan_eviction(residency, i);
    }
}

static void begin_paging(struct scheduler *scheduler, enum portion_stage stage)
{
    const uint32_t *statistics = scheduler->manager->statistics;
    scheduler->before[0] = statistics[STAT_EVICTIONS];
    scheduler->before[1] = statistics[STAT_PAGES_IN];
    scheduler->before[2] = statistics[STAT_PAGES_OUT];
    paging_start(&scheduler->manager->paging);
    scheduler->stage = stage;
}

static void account_paging(struct scheduler *scheduler)
{
    const uint32_t *statistics = scheduler->manager->statistics;
    struct job_record *record = current_job(scheduler);
    record->evictions += statistics[STAT_EVICTIONS] - scheduler->before[0];
    record->pages_in += statistics[STAT_PAGES_IN] - scheduler->before[1];
    record->pages_out += statistics[STAT_PAGES_OUT] - scheduler->before[2];
}

static bool begin_job(struct scheduler *scheduler)
{
    if (paging_is_active(&scheduler->manager->paging)) return false;
    scheduler->current = pick_job(scheduler);
    if (scheduler->current == NO_JOB) return false;
    current_job(scheduler)->state = JOB_RUNNING;
    current_job(scheduler)->waited = hal_turn()->begun - current_job(scheduler)->accepted_at;
    share_use(&scheduler->manager->residency.world.shares, current_job(scheduler)->job.context);
    scheduler->manager->residency.uses.current = current_job(scheduler)->use;
    splitter_init(&scheduler->splitter);
    scheduler->manager->residency.plan.steps = 0;
    scheduler->manager->residency.plan.fail_step = FIELD_GET(scheduler->manager->force, HOST_FORCE_FAIL_STEP);
    scheduler->stage = STAGE_PLAN;
    if (manager_is_forced(scheduler->manager, HOST_FORCE_EVICT_LSB)) {
        plan_forced_eviction(scheduler);
        begin_paging(scheduler, STAGE_FORCED_EVICT);
    }
    return true;
}

/* ------------------------------------------------------------------ step: plan a portion */

/* Another DMA buffer of the current one's context waits, and the streak may go on. */
static bool has_more_jobs(struct scheduler *scheduler)
{
    bool is_found = false;
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        const struct job_record *record = job_at(scheduler, age);
        is_found =
            is_found || (record->state == JOB_QUEUED && record->job.context == current_job(scheduler)->job.context);
    }
    return is_found && scheduler->streak < (uint32_t)STREAK;
}

/* The current job has no more portions: it ends with the fence of its last one. */
static void end_job(struct scheduler *scheduler)
{
    current_job(scheduler)->state = JOB_DRAINING;
    scheduler->has_ended = true;
    scheduler->current = NO_JOB;
    scheduler->stage = STAGE_IDLE;
}

static bool is_lost(const struct scheduler *scheduler, const struct job_record *record)
{
    return scheduler->manager->contexts.entry[record->job.context].is_lost;
}

static void fail(struct job_record *record, struct refusal why)
{
    if (record->result.status == STATUS_OK) record->result = why; /* the first reason counts */
}

/* A job that has been taken back goes no further than the end of its stage. */
static bool let_go(struct scheduler *scheduler)
{
    struct job_record *record = current_job(scheduler);
    if (!record->is_withheld) return false;
    scheduler->current = NO_JOB;
    scheduler->stage = STAGE_IDLE;
    preemption_requeue(scheduler, record);
    return true;
}

/* The plan is made, or refused: `why` is of a refused one. */
static void end_plan(struct scheduler *scheduler, bool is_planned, const struct refusal *why, uint32_t cycles)
{
    struct manager *manager = scheduler->manager;
    struct job_record *record = current_job(scheduler);
    const bool is_cramped = !is_planned && why->status == STATUS_NO_PLACEMENT;
    const bool is_over_limit =
        is_cramped && manager->residency.plan.hindrance != HINDRANCE_NONE; /* another layout gains nothing */
    manager->contexts.entry[record->job.context].is_cramped = is_cramped && !is_over_limit;
    cost_planned(&scheduler->costs, survey_is_starved(scheduler), manager->statistics[STAT_FIRMWARE_CYCLES],
                 hal_cycles());
    hal_trace(TRACE_PLANNED, is_planned ? scheduler->portion.entry_count : 0u);
    manager->statistics[STAT_DECISION_CYCLES] += cycles;
    manager->statistics[STAT_DECISION_MAX] = max_u32(manager->statistics[STAT_DECISION_MAX], cycles);
    if (!is_planned) {
        residency_finish(&manager->residency); /* no plan is at work: what the host evicts next is no context's loss */
        fail(record, is_over_limit ? (struct refusal){STATUS_OVER_LIMIT, why->detail} : *why);
        end_job(scheduler);
        return;
    }
    /* -------------------------------------------- nothing below may fail ----------------------------- */
    begin_paging(scheduler, STAGE_PAGE);
}

/* The job has been taken back, or its context was lost, while its plan paused: the plan is undone. False: neither. */
__attribute__((cold)) static bool undo_plan(struct scheduler *scheduler)
{
    struct residency *residency = &scheduler->manager->residency;
    struct job_record *record = current_job(scheduler);
    const bool has_lost = is_lost(scheduler, record);
    if (!record->is_withheld && !has_lost) return false;
    residency_rollback(residency, 0);
    residency_finish(residency);
    hal_trace(TRACE_PLANNED, 0);
    if (has_lost) {
        record->is_withheld = false;
        fail(record, (struct refusal){STATUS_CONTEXT_LOST, 0});
        end_job(scheduler);
    } else (void)let_go(scheduler);
    return true;
}

/* What the plan is told before it begins. */
static void prepare_plan(struct scheduler *scheduler, struct splitter_modes *modes)
{
    struct manager *manager = scheduler->manager;
    struct residency *residency = &manager->residency;
    const struct job_record *record = current_job(scheduler);
    struct share_table *shares = &residency->world.shares;
    /* The host submits the rest of a buffer that found no placement, with everything bound again: the one chance
     * to lay it out better. */
    const bool is_cramped = manager->contexts.entry[record->job.context].is_cramped;
    *modes = (struct splitter_modes){.takes_every_split = manager_is_forced(manager, HOST_FORCE_SPLIT_LSB),
                                     .checks_leaks = manager_is_forced(manager, HOST_FORCE_LEAK_CHECK_LSB),
                                     .packs_first = is_cramped && policy_looks_ahead(manager_policy(manager)),
                                     .moves_bound = manager_is_forced(manager, HOST_FORCE_MOVE_BOUND_LSB),
                                     .is_in_place = record->use->is_in_place,
                                     .tell_queue = survey_tell_queue,
                                     .queue = scheduler};
    limits_begin(residency, manager->contexts.entry[record->job.context].client);
    residency_set_policy(residency, manager_policy(manager));
    shares->has_more = share_has_others(shares, record->job.context) && has_more_jobs(scheduler);
    shares->is_off = manager_is_forced(manager, HOST_FORCE_NO_SHARES_LSB);
    survey_tell_costs(scheduler);
    /* What was accepted since then counts at once, or, while the firmware limits, from the next job on. */
    struct outlook *outlook = &residency->outlook;
    const bool has_news = outlook->future != FUTURE_KNOWN && outlook->bottleneck != BOTTLENECK_FIRMWARE;
    const bool is_new = scheduler->splitter.next_word == 0u || has_news ||
                        outlook->future == FUTURE_STALE; /* maybe the policy was another until now */
    if (is_new && policy_looks_ahead(residency->policy)) outlook->news |= (uint32_t)NEWS_QUEUE;
}

/* Plan a portion of the current job, if there is room for it in the queue. */
static bool plan_portion(struct scheduler *scheduler)
{
    struct manager *manager = scheduler->manager;
    struct job_record *record = current_job(scheduler);
    if (is_lost(scheduler, record)) fail(record, (struct refusal){STATUS_CONTEXT_LOST, 0});
    if (record->result.status != STATUS_OK) {
        end_job(scheduler);
        return true;
    }
    if (paging_is_active(&manager->paging) || scheduler->queue_count == (uint32_t)PORTION_COUNT) return false;
    const uint32_t begin = hal_cycles() - hal_turn()->away;
    struct splitter_modes modes;
    struct refusal why;
    hal_trace(TRACE_PLAN, scheduler->splitter.next_entry);
    prepare_plan(scheduler, &modes);
    const bool is_planned = splitter_plan(&scheduler->splitter, &record->job, &manager->residency,
                                          scheduler->last_fence + 1u, &modes, &scheduler->portion, &why);
    const uint32_t cycles = hal_cycles() - hal_turn()->away - begin;
    if (!undo_plan(scheduler)) end_plan(scheduler, is_planned, &why, cycles);
    return true;
}

/* ------------------------------------------------------------------ step: grant, commit, revoke */

static void begin_access(struct scheduler *scheduler, enum portion_stage stage)
{
    const struct job_record *record = current_job(scheduler);
    const bool is_few = stage == STAGE_GRANT && record->job.list_count <= (uint32_t)FEW_MEMBERS;
    scheduler->stage = stage;
    portion_access_begin(&scheduler->access, &scheduler->manager->residency, is_few ? record->use->named : NULL);
}

/* The portion is about to be submitted under `fence`: what it names and what it inherits is busy until then, and what
 * it writes in a memory segment is newer than the host's pages from then on. */
static void commit_use(struct scheduler *scheduler, uint32_t fence, bool is_executed)
{
    struct residency *residency = &scheduler->manager->residency;
    const struct patch *patches = current_job(scheduler)->job.patches;
    const uint32_t end = scheduler->portion.first_entry + scheduler->portion.entry_count;
    for (uint32_t first = scheduler->portion.first_entry, count; first < end; first += count) {
        count = min_u32(end - first, 2 * LOOP_STEPS);
        residency_use_entries(residency, &patches[first], count, fence, is_executed);
        yield_if_late();
    }
    for (uint32_t i = 0; i < SLOT_LIMIT && scheduler->splitter.inherits; i++) {
        const uint32_t row = scheduler->splitter.carried[i];
        if (row != SLOT_EMPTY) residency_use(residency, patches[row].allocation, fence, is_executed);
    }
}

/* Fence ids are compared by their difference, so no mark may grow too old. One allocation per portion is looked at:
 * each comes up again long before half the ids have gone by. */
static void age_marks(struct scheduler *scheduler)
{
    const uint32_t oldest = scheduler->retired_fence - (1u << 30);
    scheduler->aged = (scheduler->aged + 1u) % scheduler->manager->residency.world.table.limit;
    struct allocation *entry = &scheduler->manager->residency.world.table.entry[scheduler->aged];
    if (!fence_reached(entry->last_fence, oldest)) entry->last_fence = oldest;
}

/* ------------------------------------------------------------------ step: submit */

/* FORCE.CLOBBER: every binding register that the portion does not inherit. */
static uint64_t clobbered_slots(const struct scheduler *scheduler)
{
    uint64_t slots = 0;
    if (!manager_is_forced(scheduler->manager, HOST_FORCE_CLOBBER_LSB)) return 0;
    for (uint32_t i = 0; i < SLOT_LIMIT; i++)
        if (scheduler->splitter.carried[i] == SLOT_EMPTY) slots |= (uint64_t)1 << i;
    return slots;
}

/* The portion at hand, if it will be the next one that is submitted. */
static struct ddi_patch patch_of_portion(const struct scheduler *scheduler)
{
    return portion_describe(scheduler->manager, &scheduler->jobs[scheduler->current].job, &scheduler->portion,
                            scheduler->last_fence + 1u);
}

/* All words of the job are right since it was accepted: Patch is not called. */
static bool has_right_words(struct scheduler *scheduler)
{
    return current_job(scheduler)->use->is_in_place &&
           !manager_is_forced(scheduler->manager, HOST_FORCE_ALWAYS_REPATCH_LSB);
}

static void patch_words(struct scheduler *scheduler)
{
    const struct ddi_patch patch = patch_of_portion(scheduler);
    portion_patch(scheduler->manager, patch, has_right_words(scheduler));
    scheduler->patched_fence = patch.submission_fence_id;
    scheduler->stage = STAGE_SUBMIT;
}

static bool submit_portion(struct scheduler *scheduler)
{
    struct manager *manager = scheduler->manager;
    const struct ddi *ddi = &manager->ddi;
    struct job_record *record = current_job(scheduler);
    struct portion *portion = &scheduler->portion;
    if (portion->moved_slots != 0u &&
        !rebinding_bind(manager, &record->job, &scheduler->splitter, portion, portion_address))
        return false;
    if (!ddi->can_submit(ddi->adapter, NODE_RENDER)) return false;
    if (scheduler->patched_fence != scheduler->last_fence + 1u) { /* a preemption has taken it (DMA-09) */
        scheduler->stage = STAGE_PATCH;
        return true;
    }

    if (is_lost(scheduler, record)) fail(record, (struct refusal){STATUS_CONTEXT_LOST, 0}); /* since the plan */
    bool is_executed = record->result.status == STATUS_OK && (record->job.flags & 1u) == 0u;
    const struct ddi_patch patch = patch_of_portion(scheduler);
    if (portion->moved_slots != 0u) rebinding_patch(manager, &scheduler->splitter, portion, &patch);
    const uint32_t fence = scheduler->last_fence + 1u;
    commit_use(scheduler, fence, is_executed);
    scheduler->last_fence = fence;
    age_marks(scheduler);
    uint32_t paging_fence = manager->paging.last_fence;
    struct ddi_submit_command command = {
        .node_ordinal = NODE_RENDER,
        .dma_buffer = patch.dma_buffer,
        .dma_buffer_size = patch.dma_buffer_size,
        .submission_start_offset = patch.submission_start_offset,
        .submission_end_offset = patch.submission_end_offset,
        .submission_fence_id = patch.submission_fence_id,
        .is_null_rendering = !is_executed,
        .must_wait = !fence_reached(ddi->query_current_fence(ddi->adapter, NODE_PAGING), paging_fence),
        .wait_fence_id = paging_fence,
        .clobbered_slots = clobbered_slots(scheduler),
    };
    if (ddi->submit_command(ddi->adapter, &command) != DDI_SUCCESS) hal_panic(PANIC_SUBMIT, fence);
    hal_trace(TRACE_JOB, record->job.tag);
    hal_trace(TRACE_PORTION, fence);

    *portion_at(scheduler, scheduler->queue_count++) =
        (struct queued_portion){fence, paging_fence, scheduler->current,
                                manager->contexts.entry[record->job.context].client, portion->start_word == 0u};
    scheduler_follow(scheduler);
    record->use->last_fence = fence;
    record->portions++;
    manager->statistics[STAT_PORTIONS]++;
    if (!portion->is_last) {
        manager->statistics[STAT_SPLITS]++;
        hal_trace(TRACE_SPLIT, portion->end_word * 4u);
    }
    begin_access(scheduler, STAGE_REVOKE);
    return true;
}

static void after_paging(struct scheduler *scheduler)
{
    account_paging(scheduler);
    if (let_go(scheduler)) return;
    begin_access(scheduler, STAGE_GRANT);
}

/* Grant, submit, revoke: what every portion costs. */
static bool step_submission(struct scheduler *scheduler)
{
    switch (scheduler->stage) {
    case STAGE_GRANT:
        if (!portion_access_grant(&scheduler->access, scheduler->manager)) return false;
        patch_words(scheduler);
        return true;
    case STAGE_PATCH: patch_words(scheduler); return true;
    case STAGE_SUBMIT:
        if (!current_job(scheduler)->is_withheld) return submit_portion(scheduler);
        begin_access(scheduler, STAGE_REVOKE);
        return true;
    default:
        ASSERT(scheduler->stage == STAGE_REVOKE);
        if (!portion_access_revoke(&scheduler->access, scheduler->manager)) return false;
        if (let_go(scheduler)) return true;
        if (scheduler->portion.is_last) end_job(scheduler);
        else scheduler->stage = STAGE_PLAN;
        return true;
    }
}

static bool time_submission(struct scheduler *scheduler)
{
    const uint32_t begin = hal_cycles() - hal_turn()->away;
    bool has_worked = step_submission(scheduler);
    scheduler->portion_cycles += hal_cycles() - hal_turn()->away - begin;
    if (scheduler->stage != STAGE_PLAN && scheduler->stage != STAGE_IDLE) return has_worked;
    cost_portion(&scheduler->costs, scheduler->portion_cycles);
    scheduler->portion_cycles = 0;
    return has_worked;
}

/* As far as it goes without waiting. */
static bool go_on_paging(struct paging *paging)
{
    bool has_worked = false;
    while (paging_is_active(paging)) {
        yield_if_late();
        if (paging_step(paging) == PAGING_WAITS) break;
        has_worked = true;
    }
    return has_worked;
}

/* A step of the stage at hand. */
static bool step_stage(struct scheduler *scheduler)
{
    struct paging *paging = &scheduler->manager->paging;
    const bool has_paged = go_on_paging(paging);
    switch (scheduler->stage) {
    case STAGE_IDLE: return begin_job(scheduler) || has_paged;
    case STAGE_FORCED_EVICT:
        if (paging_is_active(paging)) return has_paged;
        account_paging(scheduler);
        scheduler->stage = STAGE_PLAN;
        return true;
    case STAGE_PLAN: return let_go(scheduler) || plan_portion(scheduler) || has_paged;
    case STAGE_PAGE:
        if (paging_is_active(paging)) return has_paged;
        after_paging(scheduler);
        return true;
    case STAGE_GRANT:
    case STAGE_PATCH:
    case STAGE_SUBMIT:
    case STAGE_REVOKE: return time_submission(scheduler);
    default: ASSERT(false); return false;
    }
}

bool scheduler_step(struct scheduler *scheduler)
{
    scheduler->manager->paging.keeps_offered = manager_is_forced(scheduler->manager, HOST_FORCE_KEEP_OFFERED_LSB);
    preemption_consider(scheduler);
    bool has_worked = step_stage(scheduler);
    if (has_worked)
        while (scheduler->stage >= STAGE_PAGE && turn_has_time() && step_stage(scheduler)) yield_if_late();
    return has_worked;
}

void scheduler_drop_access(struct scheduler *scheduler)
{
    if (scheduler->stage == STAGE_GRANT || scheduler->stage == STAGE_PATCH || scheduler->stage == STAGE_SUBMIT)
        begin_access(scheduler, STAGE_GRANT);
}

void scheduler_finish_work(struct scheduler *scheduler)
{
    if (scheduler->current != NO_JOB) current_job(scheduler)->is_withheld = true;
    turn_finish(scheduler->work);
}

void scheduler_drop_current(struct scheduler *scheduler)
{
    if (scheduler->current == NO_JOB) return;
    struct job_record *record = current_job(scheduler);
    record->is_withheld = !is_lost(scheduler, record);
    if (let_go(scheduler)) return;
    fail(record, (struct refusal){STATUS_CONTEXT_LOST, 0});
    end_job(scheduler);
}
