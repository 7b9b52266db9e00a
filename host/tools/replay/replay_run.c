/* SPDX-License-Identifier: Apache-2.0
 *
 * The replay itself: buffers go to the device in order, a few ahead; the oracle follows what the render node
 * is seen to have executed. A step for which the device finds no placement is counted and the rest of its
 * buffer submitted again from that step on, with everything it holds bound afresh.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/cli/progress.h"
#include "tools/replay/replay_internal.h"

_Static_assert(sizeof((struct replay_result *)0)->statistics / sizeof(uint32_t) >= STAT_COUNT, "room for the counters");

/* ------------------------------------------------------------------ jobs */

/* The render node has executed these steps: so does the oracle. */
static void on_steps(void *context, const struct stream_job *job, uint32_t first, uint32_t count)
{
    struct replay *replay = context;
    for (uint32_t i = job->draw_first[first]; i < job->draw_first[first + count]; i++)
        if (!oracle_draw(replay->oracle, &job->draws[i])) replay->oracle_failed = true;
}

static void discard_job(struct stream_job *job)
{
    if (job != NULL) stream_job_free(job);
    free(job);
}

/* Build and submit the steps from `first_step` to before `end_step`; *count tells how many of them the job took. */
static bool submit(struct replay *replay, uint32_t first_step, uint32_t end_step, uint32_t *count)
{
    struct stream_job *job = malloc(sizeof *job);
    struct flight *flight = &replay->flights[replay->flight_count];
    if (job == NULL) return replay_refuse(replay, "out of memory");
    *job = (struct stream_job){0};
    if (!stream_build(&replay->setup, first_step, end_step, replay->stream, job, replay->message)) {
        free(job);
        return false;
    }
    int status = TESSERA_OK;
    if (!track_expect(replay->track, job)) (void)replay_refuse(replay, "out of memory");
    else status = tessera_submit(replay->tessera, replay->context, replay->stream, 0, &flight->ticket);
    if (replay->message[0] != 0 || !replay_check(replay, status, "submitting a buffer")) {
        (void)track_abandon(replay->track, job);
        discard_job(job);
        return false;
    }
    flight->job = job;
    replay->flight_count++;
    replay->result->jobs++;
    replay->result->unread += job->unread;
    replay->result->draw_bytes += job->draw_bytes;
    replay->result->patches += job->patch_count;
    replay->result->buffer[job->buffer].submissions++;
    *count = job->step_count;
    return true;
}

static void account(struct replay *replay, uint32_t buffer, const struct tessera_completion *completion)
{
    struct replay_buffer_result *result = &replay->result->buffer[buffer];
    result->portions += completion->words[REPLY_SUBMIT_PORTIONS - 4];
    result->evictions += completion->words[REPLY_SUBMIT_EVICTIONS - 4];
    result->pages_in += completion->words[REPLY_SUBMIT_PAGED_IN - 4];
    result->pages_out += completion->words[REPLY_SUBMIT_PAGED_OUT - 4];
    result->done_cycle = replay->transport.cycles(replay->transport.context) - replay->begin_cycle;
}

/* Wait for the oldest job; *rest is the step with which it did not go on, its end if it is complete. */
static bool finish_oldest(struct replay *replay, uint32_t *rest, uint32_t *end)
{
    struct tessera_completion completion = {0};
    struct flight flight = replay->flights[0];
    replay->flight_count--;
    memmove(replay->flights, replay->flights + 1, replay->flight_count * sizeof *replay->flights);
    int status = tessera_wait(replay->tessera, flight.ticket, &completion);
    if (status >= 0) account(replay, flight.job->buffer, &completion);
    uint32_t executed = track_abandon(replay->track, flight.job);
    const char *problem = track_problem(replay->track);
    *rest = flight.job->first_step + executed;
    *end = flight.job->first_step + flight.job->step_count;
    bool is_good = true;
    if (status == STATUS_NO_PLACEMENT) {
        if (executed == flight.job->step_count || completion.detail != flight.job->offsets[executed])
            is_good = replay_refuse(
                replay, "%.160s: buffer %u stopped at byte %u, but %u of its steps were executed" REPLAY_BUG,
                replay->options->file, flight.job->buffer, completion.detail, executed);
    } else {
        is_good = replay_check(replay, status, "a buffer");
        if (is_good && *rest != *end)
            is_good = replay_refuse(
                replay, "%.160s: buffer %u is complete, but only %u of its %u steps were executed%s%s" REPLAY_BUG,
                replay->options->file, flight.job->buffer, executed, flight.job->step_count,
                problem != NULL ? ": " : "", problem != NULL ? problem : "");
    }
    discard_job(flight.job);
    return is_good;
}

/* The first step from `step` on that cannot be tried again, because it names what was destroyed after its buffer. */
static uint32_t end_of_possible(const struct replay *replay, uint32_t step, uint32_t end)
{
    const struct pagesim *workload = replay->workload;
    for (; step < end; step++) {
        const struct pagesim_member *members = &workload->members[workload->steps[step].first_member];
        for (uint32_t i = 0; i < workload->steps[step].member_count; i++)
            if (replay->allocations[members[i].allocation] == NULL) return step;
    }
    return end;
}

/* Later buffers were accepted already; they come first now, and from here on none runs ahead. */
static bool complete_oldest(struct replay *replay);
static bool complete_others(struct replay *replay)
{
    replay->ahead = 1;
    replay->result->reordered_buffers += replay->flight_count;
    while (replay->flight_count > 0)
        if (!complete_oldest(replay)) return false;
    return true;
}

/* Wait for the oldest job and see its steps through, those included for which there is no placement: tried again
 * with everything bound again, and left out if even that does not help or something they need is gone. */
static bool complete_oldest(struct replay *replay)
{
    uint32_t rest, end, job_end, count, last_failed = PAGESIM_NEVER;
    if (!finish_oldest(replay, &rest, &end)) return false;
    for (job_end = end; rest != end;) {
        const bool has_failed = rest != job_end, has_failed_again = has_failed && rest == last_failed;
        if (has_failed && !has_failed_again) {
            replay->result->failed_steps++;
            last_failed = rest;
        }
        const uint32_t possible = end_of_possible(replay, rest, end);
        if (has_failed_again || possible == rest) {
            replay->result->skipped_steps++;
            job_end = ++rest;
            continue;
        }
        if (!complete_others(replay)) return false;
        if (!submit(replay, rest, possible, &count) || !finish_oldest(replay, &rest, &job_end)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ buffers */

/* Is the allocation a temporary used first (or last) in buffer b? */
static bool begins_or_ends(const struct pagesim *workload, uint32_t i, uint32_t b, bool is_birth)
{
    const struct pagesim_allocation *allocation = &workload->allocations[i];
    uint32_t step = is_birth ? allocation->first_step : allocation->last_step;
    return allocation->is_temporary && step != PAGESIM_NEVER && workload->steps[step].buffer == b;
}

static bool create_temporaries(struct replay *replay, uint32_t b)
{
    if (!replay_settle(replay, b > replay->lag ? b - replay->lag : 0)) return false;
    for (uint32_t i = 0; i < replay->workload->allocation_count; i++)
        if (begins_or_ends(replay->workload, i, b, true) && replay->allocations[i] == NULL && !replay_create(replay, i))
            return false;
    return true;
}

/* Complete buffers until at most `count` submissions are under way. */
static bool drain(struct replay *replay, uint32_t count)
{
    while (replay->flight_count > count)
        if (!complete_oldest(replay)) return false;
    return true;
}

/* What is used for the last time in buffer b is destroyed right after it, so that the device need not write it back.
 * What dies in the last buffer stays to be compared. */
static bool destroy_temporaries(struct replay *replay, uint32_t b)
{
    for (uint32_t i = 0; i < replay->workload->allocation_count && b + 1u < replay->workload->buffer_count; i++)
        if (begins_or_ends(replay->workload, i, b, false) && !replay_depart(replay, i, b)) return false;
    return true;
}

static bool replay_buffers(struct replay *replay)
{
    const struct pagesim *workload = replay->workload;
    struct progress progress;
    progress_begin(&progress, "DMA buffer", workload->buffer_count);
    for (uint32_t b = 0; b < workload->buffer_count; b++) {
        const struct pagesim_buffer *buffer = &workload->buffers[b];
        uint32_t end = buffer->first_step + buffer->step_count, count = 0;
        if (buffer->step_count == 0) continue; /* needs no memory, so there is nothing to replay */
        if (!create_temporaries(replay, b)) return false;
        for (uint32_t step = buffer->first_step; step < end; step += count)
            if (!drain(replay, replay->ahead - 1u) || !submit(replay, step, end, &count)) return false;
        if (!destroy_temporaries(replay, b)) return false;
        progress_show(&progress, b + 1u);
    }
    return drain(replay, 0);
}

/* ------------------------------------------------------------------ measuring */

struct snapshot {
    uint32_t statistics[STAT_COUNT];
    uint32_t busy[2], wait[2];
    uint64_t cycle;
};

static bool take_snapshot(struct replay *replay, struct snapshot *snapshot)
{
    int status = tessera_statistics(replay->tessera, snapshot->statistics);
    for (uint32_t node = 0; node < 2 && status == TESSERA_OK; node++) {
        uint32_t bank = node * (uint32_t)NODE_STRIDE;
        status = tessera_register_read(replay->tessera, NODE_BUSY_CYCLES_OFFSET + bank, &snapshot->busy[node]);
        if (status == TESSERA_OK)
            status = tessera_register_read(replay->tessera, NODE_STALL_FENCE_OFFSET + bank, &snapshot->wait[node]);
    }
    snapshot->cycle = replay->transport.cycles(replay->transport.context);
    return replay_check(replay, status, "reading the counters");
}

/* Counters that are states or maxima, not sums. */
static bool is_level(uint32_t statistic)
{
    return statistic == STAT_DECISION_MAX || statistic == STAT_TURN_MAX || statistic == STAT_RESIDENT_PAGES_1 ||
           statistic == STAT_RESIDENT_PAGES_2 || statistic == STAT_MAPPED_PAGES;
}

static void measure(struct replay_result *result, const struct snapshot *before, const struct snapshot *after)
{
    for (uint32_t i = 0; i < STAT_COUNT; i++)
        result->statistics[i] = after->statistics[i] - (is_level(i) ? 0u : before->statistics[i]);
    result->cycles = after->cycle - before->cycle;
    for (unsigned node = 0; node < 2; node++) {
        result->wait_cycles[node] = after->wait[node] - before->wait[node];
        uint32_t busy = after->busy[node] - before->busy[node]; /* a node that waits counts as busy */
        result->busy_cycles[node] = busy > result->wait_cycles[node] ? busy - result->wait_cycles[node] : 0;
    }
    result->portions = result->paging.run_count;
}

/* Bytes per unit of time such that drawing and the paging that cannot be avoided move equally many bytes. */
static double balanced_work(const struct pagesim *workload, uint64_t loads)
{
    double time = 0;
    uint64_t pages = loads > workload->step_count * 4u ? loads : workload->step_count * 4u;
    for (uint32_t t = 0; t < workload->step_count; t++) time += workload->steps[t].time;
    return time > 0 ? (double)pages * PAGESIM_PAGE_BYTES / time : 0;
}

/* ------------------------------------------------------------------ the whole replay */

static bool load(struct replay *replay)
{
    const struct replay_options *options = replay->options;
    struct replay_result *result = replay->result;
    char text[PAGESIM_MESSAGE] = "";
    replay->workload = pagesim_read(options->file, replay->message);
    if (replay->workload == NULL) return false;
    result->scale = options->scale > 1 ? options->scale : 1;
    if (options->limit != 0 && !pagesim_limit(replay->workload, options->limit, text))
        return replay_refuse(replay, "%.160s: %.300s", options->file, text);
    if (result->scale > 1 && !pagesim_scale(replay->workload, result->scale, &result->grown_pages, text))
        return replay_refuse(replay, "%.160s: %.300s", options->file, text);
    if (options->workload != NULL && !pagesim_write(replay->workload, options->workload, replay->message)) return false;
    result->buffers = replay->workload->buffer_count;
    result->steps = replay->workload->step_count;
    result->portions_minimum = pagesim_minimum_portions(replay->workload);
    result->loads_minimum = pagesim_minimum_loads(replay->workload);
    result->traffic_minimum = pagesim_minimum_traffic(replay->workload);
    result->work = options->work > 0 ? options->work : balanced_work(replay->workload, result->loads_minimum);
    result->buffer = calloc(result->buffers + 1u, sizeof *result->buffer);
    return result->buffer != NULL || replay_refuse(replay, "out of memory");
}

static bool prepare(struct replay *replay)
{
    replay->surface_count = replay->workload->allocation_count + 2u;
    const struct track_setup setup = {.workload = replay->workload,
                                      .surface_count = replay->surface_count,
                                      .on_steps = on_steps,
                                      .context = replay,
                                      .transport = &replay->transport};
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    replay->allocations = calloc(replay->surface_count, sizeof *replay->allocations);
    replay->stream = tessera_stream_create();
    replay->track = track_create(&setup);
    replay->oracle = oracle_create(replay->surface_count, replay->options->seed);
    if (replay->allocations == NULL || replay->stream == NULL || replay->track == NULL || replay->oracle == NULL)
        return replay_refuse(replay, "out of memory");
    return replay_open(replay);
}

static bool write_files(struct replay *replay)
{
    const struct replay_options *options = replay->options;
    replay->result->has_run =
        (options->schedule == NULL || track_write_schedule(replay->track, options->schedule, replay->message)) &&
        (options->submitted == NULL || track_write_submitted(replay->track, options->submitted, replay->message));
    return replay->result->has_run;
}

static bool run(struct replay *replay)
{
    struct snapshot before, after;
    replay->result->has_run = true;
    if (!take_snapshot(replay, &before)) return false;
    track_begin(replay->track);
    replay->begin_cycle = before.cycle;
    bool is_good = replay_buffers(replay);
    track_end(replay->track);
    replay->result->paging = track_counts(replay->track);
    if (!is_good || !take_snapshot(replay, &after)) return false;
    measure(replay->result, &before, &after);
    if (track_problem(replay->track) != NULL)
        return replay_refuse(replay, "%.160s: %s" REPLAY_BUG, replay->options->file, track_problem(replay->track));
    if (replay->oracle_failed) return replay_refuse(replay, "out of memory");
    return write_files(replay) && replay_compare(replay);
}

bool replay_run(const struct replay_options *options, struct replay_result *result, char message[PAGESIM_MESSAGE])
{
    struct replay replay = {
        .options = options, .result = result, .message = message, .ahead = options->ahead == 0 ? 1 : options->ahead};
    replay.lag = replay.ahead;
    *result = (struct replay_result){0};
    message[0] = 0;
    bool is_good = load(&replay) && prepare(&replay) && run(&replay);
    for (uint32_t i = 0; i < replay.flight_count; i++) discard_job(replay.flights[i].job);
    replay_close(&replay);
    return is_good;
}
