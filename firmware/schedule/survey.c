/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan is told: see survey.h.
 */
#include "schedule/survey.h"

#include "plan/policy.h"
#include "schedule/scheduler_jobs.h"

/* ------------------------------------------------------------------ what is queued */

/* It failed in the middle, for want of a place: should a preemption take it back, it may go on to what it had not come
 * to. */
static bool may_go_on(const struct job_record *record)
{
    return record->state == JOB_DRAINING && record->result.status != STATUS_OK;
}

/* The jobs that the policy is told about, in this order. */
struct survey {
    struct survey_part {
        const struct job *job;
        uint32_t time; /* when it begins (policy.h, foresee) */
    } part[JOB_COUNT];
    uint32_t count;
};

static void add_to_survey(struct survey *survey, const struct job_record *record, uint32_t time)
{
    survey->part[survey->count++] = (struct survey_part){&record->job, time};
}

/* What the queue says of the future: the rest of the current job, then the jobs that wait, in order of acceptance, and
 * long after them those that may go on after all. The last one first. Returns the end of the known future. */
static uint32_t list_queue(struct scheduler *scheduler, struct survey *survey)
{
    uint32_t time = scheduler->jobs[scheduler->current].job.patch_count;
    survey->count = 0;
    for (uint32_t age = 0; age < scheduler->job_count; age++)
        if (job_at(scheduler, age)->state == JOB_QUEUED) time += job_at(scheduler, age)->job.patch_count;
    const uint32_t end = time;
    for (uint32_t age = 0; age < scheduler->job_count; age++)
        if (may_go_on(job_at(scheduler, age))) add_to_survey(survey, job_at(scheduler, age), time);
    for (uint32_t age = scheduler->job_count; age-- > 0u;) {
        const struct job_record *record = job_at(scheduler, age);
        if (record->state != JOB_QUEUED) continue;
        time -= record->job.patch_count;
        add_to_survey(survey, record, time);
    }
    add_to_survey(survey, &scheduler->jobs[scheduler->current], 0);
    return end;
}

void survey_tell_queue(void *context)
{
    struct scheduler *scheduler = context;
    struct residency *residency = &scheduler->manager->residency;
    struct survey survey;
    const uint32_t end = list_queue(scheduler, &survey);
    residency->policy->foresee(residency, &residency->policy_state, NULL, 0, 0, end);
    residency->outlook.future = FUTURE_KNOWN;
    for (uint32_t i = 0; i < survey.count; i++) {
        const struct survey_part part = survey.part[i];
        const uint32_t first = part.time == 0u ? scheduler->splitter.told_entry : 0u;
        residency->policy->foresee(residency, &residency->policy_state, part.job, first, part.job->patch_count,
                                   part.time);
    }
}

/* The jobs whose portions may have to run again. */
static void tell_unfinished(struct scheduler *scheduler)
{
    struct residency *residency = &scheduler->manager->residency;
    residency->uses.over_fence = scheduler->retired_fence;
    residency->uses.unfinished_count = 0;
    _Static_assert((int)UNFINISHED_JOBS == (int)JOB_COUNT, "there is room for all of them");
    for (uint32_t age = 0; age < scheduler->job_count; age++) {
        const struct job_record *record = job_at(scheduler, age);
        if (record->state == JOB_RUNNING || record->state == JOB_DRAINING)
            residency->uses.unfinished[residency->uses.unfinished_count++] = record->use;
    }
}

/* Another DMA buffer waits for the end of the current one, or stands in the ring. */
static bool has_queued(struct scheduler *scheduler)
{
    for (uint32_t age = 0; age < scheduler->job_count; age++)
        if (job_at(scheduler, age)->state == JOB_QUEUED) return true;
    return host_waiting(&scheduler->manager->host) != 0u;
}

/* `is_limited`: less care makes the policy faster. */
static enum bottleneck find_bottleneck(const struct cost_model *costs, bool is_limited)
{
    if (cost_is_bus_slow(costs)) return BOTTLENECK_BUS;
    return is_limited && cost_is_firmware_bound(costs) ? BOTTLENECK_FIRMWARE : BOTTLENECK_NODES;
}

/* What the plan may know of time: what is still in use, what a split costs, how much a portion that has to be paged
 * should use. */
static void tell_costs(struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    struct residency *residency = &scheduler->manager->residency;
    const struct paging *paging = &scheduler->manager->paging;
    cost_paging(&scheduler->costs, paging_built_pages(paging), ddi->query_work_cycles(ddi->adapter, NODE_PAGING),
                paging_is_quiet(paging));
    const bool is_limited = policy_looks_ahead(residency->policy);
    struct outlook *outlook = &residency->outlook;
    outlook->retired_fence = ddi->query_current_fence(ddi->adapter, NODE_RENDER);
    outlook->split_pages = cost_split_pages(&scheduler->costs);
    outlook->copy_cycles = scheduler->costs.least_cycles;
    outlook->bottleneck = find_bottleneck(&scheduler->costs, is_limited);
    /* A context that has nothing to wait for takes the time that it needs. */
    outlook->is_timed = cost_is_timed(&scheduler->costs);
    outlook->is_careful = outlook->bottleneck != BOTTLENECK_FIRMWARE && (!outlook->is_timed || paging_has_next(paging));
    outlook->portion_limit =
        is_limited ? cost_portion_pages(&scheduler->costs, residency->world.table.memory_pages, has_queued(scheduler))
                   : 0u;
}

void survey_tell_costs(struct scheduler *scheduler)
{
    tell_unfinished(scheduler);
    tell_costs(scheduler);
}

bool survey_is_starved(const struct scheduler *scheduler)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    return paging_is_quiet(&scheduler->manager->paging) &&
           fence_reached(ddi->query_current_fence(ddi->adapter, NODE_RENDER), scheduler->last_fence - 1u);
}
