/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracker's life, fences, and the render node: a RUN's packets are collected, and at its fence compared
 * with the job they should come from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/replay/replay_track_internal.h"

/* ------------------------------------------------------------------ helpers */

static void add_note(struct track *track, struct list *notes, uint32_t fence, uint32_t count)
{
    struct note *note = list_add(notes, sizeof *note);
    if (note == NULL) track_complain(track, "out of memory");
    else *note = (struct note){fence, count};
}

const struct note *track_note_reached(const struct list *notes, uint32_t fence)
{
    const struct note *items = notes->items;
    for (uint32_t i = notes->count; i > 0; i--)
        if (fence_reached(fence, items[i - 1].fence)) return &items[i - 1];
    return NULL;
}

const struct note *track_note_of(const struct list *notes, uint32_t fence)
{
    const struct note *note = track_note_reached(notes, fence);
    return note != NULL && note->fence == fence ? note : NULL;
}

/* ------------------------------------------------------------------ life */

struct track *track_create(const struct track_setup *setup)
{
    struct track *track = calloc(1, sizeof *track);
    if (track == NULL) return NULL;
    track->setup = *setup;
    track->surfaces = calloc(setup->surface_count + 1u, sizeof *track->surfaces);
    track->initial = calloc(setup->surface_count + 1u, sizeof *track->initial);
    track->frame_owner = calloc(TRACK_SYSTEM_PAGES, sizeof *track->frame_owner);
    track->frame_index = calloc(TRACK_SYSTEM_PAGES, sizeof *track->frame_index);
    bool is_complete = track->surfaces && track->initial && track->frame_owner && track->frame_index;
    for (unsigned i = 0; i < TRACK_SPACES; i++) {
        track->space_owner[i] = calloc(TRACK_SPACE_PAGES, sizeof *track->space_owner[i]);
        is_complete = is_complete && track->space_owner[i] != NULL;
    }
    track->paging_wait = track->render_wait = -1;
    if (is_complete) return track;
    track_destroy(track);
    return NULL;
}

void track_destroy(struct track *track)
{
    if (track == NULL) return;
    for (uint32_t i = 0; track->surfaces != NULL && i < track->setup.surface_count; i++) free(track->surfaces[i].pages);
    for (unsigned i = 0; i < TRACK_SPACES; i++) free(track->space_owner[i]);
    free(track->surfaces);
    free(track->initial);
    free(track->frame_owner);
    free(track->frame_index);
    free(track->operations.items);
    free(track->runs.items);
    free(track->jobs.items);
    free(track->paging_fences.items);
    free(track->paging_doorbells.items);
    free(track->render_doorbells.items);
    free(track);
}

bool track_own(struct track *track, uint32_t surface, const uint32_t *pages, uint32_t count, uint32_t pattern)
{
    struct track_surface *owner = &track->surfaces[surface];
    owner->pages = malloc((count + 1u) * sizeof *pages);
    if (owner->pages == NULL) return false;
    memcpy(owner->pages, pages, count * sizeof *pages);
    owner->page_count = count;
    owner->pattern = pattern;
    for (uint32_t i = 0; i < count; i++) {
        track->frame_owner[pages[i]] = surface + 1u;
        track->frame_index[pages[i]] = i;
    }
    return true;
}

void track_disown(struct track *track, uint32_t surface)
{
    struct track_surface *owner = &track->surfaces[surface];
    for (uint32_t i = 0; i < owner->page_count; i++) track->frame_owner[owner->pages[i]] = 0;
    free(owner->pages);
    owner->pages = NULL; /* its place stays until something else takes it: that is when it is dropped */
}

void track_begin(struct track *track)
{
    for (uint32_t i = 0; i < track->setup.surface_count; i++) track->initial[i] = track->surfaces[i].place;
    track->operations.count = track->runs.count = 0;
    track->paging_fences.count = track->paging_doorbells.count = track->render_doorbells.count = 0;
    track->paging_wait = track->render_wait = -1;
    track->runs_done = 0;
    track->is_begun = true;
    const struct meter meter = track->counts.meter;
    track->counts = (struct track_counts){.meter = meter};
    meter_begin(&track->counts.meter);
}

void track_end(struct track *track)
{
    if (track->open.is_open)
        track_complain(track, "a paging operation on allocation %u was not finished", track->open.operation.surface);
    track->is_ended = true;
}

const char *track_problem(const struct track *track) { return track->problem[0] != 0 ? track->problem : NULL; }

const struct track_run *track_runs(const struct track *track) { return track->runs.items; }

struct track_counts track_counts(const struct track *track)
{
    struct track_counts counts = track->counts;
    counts.operation_count = track->operations.count;
    counts.run_count = track->runs.count;
    return counts;
}

/* ------------------------------------------------------------------ jobs */

bool track_expect(struct track *track, const struct stream_job *job)
{
    struct expected_job *expected = list_add(&track->jobs, sizeof *expected);
    if (expected == NULL) return false;
    *expected = (struct expected_job){.job = job};
    return true;
}

static void remove_job(struct track *track, uint32_t index)
{
    struct expected_job *jobs = track->jobs.items;
    memmove(jobs + index, jobs + index + 1u, (track->jobs.count - index - 1u) * sizeof *jobs);
    track->jobs.count--;
}

/* Index of the step that starts at this byte, or step_count for the end; UINT32_MAX: no step does. */
static uint32_t step_at(const struct stream_job *job, uint32_t offset)
{
    for (uint32_t i = 0; i <= job->step_count; i++)
        if (job->offsets[i] == offset) return i;
    return UINT32_MAX;
}

uint32_t track_abandon(struct track *track, const struct stream_job *job)
{
    const struct expected_job *jobs = track->jobs.items;
    for (uint32_t i = 0; i < track->jobs.count; i++) {
        if (jobs[i].job != job) continue;
        uint32_t step = step_at(job, jobs[i].cursor);
        remove_job(track, i);
        return step <= job->step_count ? step : 0;
    }
    return job->step_count; /* it had run to its end */
}

/* Is word i, counted from its packet's word 0, written by patching? */
static bool is_address(uint32_t word0, uint32_t i) { return (word0 & 0xffu) == PKT_BIND && i == PKT_BIND_ADDRESS_WORD; }

static uint32_t packet_words(uint32_t word0)
{
    switch (word0 & 0xffu) {
    case PKT_BIND: return PKT_BIND_WORDS;
    case PKT_FILL_RECT: return PKT_FILL_RECT_WORDS;
    case PKT_BLIT: return PKT_BLIT_WORDS;
    default: return 0; /* nothing else is in a job */
    }
}

/* Did the run execute exactly the job's packets from its cursor on? */
static bool run_matches(const struct track *track, const struct expected_job *expected)
{
    const struct stream_job *job = expected->job;
    uint32_t total = job->offsets[job->step_count];
    if (expected->cursor != 0 && track->run_address != expected->base + expected->cursor) return false;
    if (track->run_bytes > total - expected->cursor) return false;
    const uint32_t *wanted = job->words + expected->cursor / 4u;
    for (uint32_t at = 0; at < track->run_bytes / 4u;) {
        uint32_t count = packet_words(wanted[at]);
        if (count == 0 || count > track->run_bytes / 4u - at) return false; /* a run ends inside a packet */
        for (uint32_t i = 0; i < count; i++)
            if (track->run_words[at + i] != wanted[at + i] && !is_address(wanted[at], i)) return false;
        at += count;
    }
    return true;
}

/* The steps' allocations may now differ from the host's pages. */
static void note_writes(struct track *track, const struct stream_job *job, uint32_t first, uint32_t count)
{
    const struct pagesim *workload = track->setup.workload;
    const struct pagesim_buffer *buffer = &workload->buffers[job->buffer];
    for (uint32_t t = job->first_step + first; t < job->first_step + first + count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        for (uint32_t i = 0; i < step->member_count; i++) {
            const struct pagesim_member *member = &workload->members[step->first_member + i];
            struct track_surface *surface = &track->surfaces[member->allocation];
            surface->is_dirty_by_step |= member->is_written;
            for (uint32_t p = 0; p < buffer->patch_count && !surface->is_dirty; p++) {
                const struct pagesim_patch *patch = &workload->patches[buffer->first_patch + p];
                surface->is_dirty = patch->allocation == member->allocation && patch->is_written;
            }
        }
    }
}

static void finish_run(struct track *track, uint64_t cycle, uint32_t fence)
{
    struct expected_job *jobs = track->jobs.items;
    uint32_t index = 0;
    track->is_in_run = false;
    if (track->run_bytes == 0) return; /* cancelled: nothing was executed */
    if (track->run_seen != track->run_bytes)
        track_complain(track, "a portion of %u bytes ended after %u bytes", track->run_bytes, track->run_seen);
    while (index < track->jobs.count && !run_matches(track, &jobs[index])) index++;
    if (index == track->jobs.count) {
        track_complain(track, "the render node executed %u bytes that do not continue a submitted buffer",
                       track->run_bytes);
        return;
    }
    const struct stream_job *job = jobs[index].job;
    uint32_t first = step_at(job, jobs[index].cursor), end = step_at(job, jobs[index].cursor + track->run_bytes);
    if (jobs[index].cursor == 0) jobs[index].base = track->run_address;
    jobs[index].cursor += track->run_bytes;
    if (jobs[index].cursor == job->offsets[job->step_count]) remove_job(track, index);
    if (first == UINT32_MAX || end == UINT32_MAX) {
        track_complain(track, "a portion of buffer %u ends inside of a step", job->buffer);
        return;
    }
    struct track_run *run = list_add(&track->runs, sizeof *run);
    if (run == NULL) {
        track_complain(track, "out of memory");
        return;
    }
    *run = track->run;
    run->buffer = job->buffer;
    run->first_step = job->first_step + first;
    run->step_count = end - first;
    run->begins_submission = first == 0;
    run->fence = fence;
    run->end_cycle = cycle;
    track->runs_done = track->runs.count;
    note_writes(track, job, first, end - first);
    track->setup.on_steps(track->setup.context, job, first, end - first);
}

/* ------------------------------------------------------------------ packets */

static void render_packet(struct track *track, uint64_t cycle, uint32_t offset, const uint32_t *words)
{
    uint32_t opcode = words[0] & 0xffu;
    if (opcode == PKT_RUN) {
        track->run = (struct track_run){
            .wait_operation = track->render_wait, .bound_slots = track->bound_slots, .begin_cycle = cycle};
        track->bound_slots = 0;
        const struct note *note = track->paging_fences.items;
        if (track->paging_fences.count > 0) track->run.operations_done = note[track->paging_fences.count - 1u].count;
        track->is_in_run = true;
        track->run_address = words[PKT_RUN_ADDRESS_WORD];
        track->run_bytes = words[PKT_RUN_BYTES_WORD];
        track->run_seen = 0;
        return;
    }
    if (opcode == PKT_BIND && !track->is_in_run)
        track->bound_slots |= (uint64_t)1 << FIELD_GET(words[0], PKT_BIND_SLOT);
    uint32_t at = offset - track->run_address, count = packet_words(words[0]);
    if (!track->is_in_run || at >= track->run_bytes || at >= sizeof track->run_words) return; /* GUARD and the like */
    if (at != track->run_seen || count == 0 || 4u * count > sizeof track->run_words - at) {
        track_complain(track, "the render node executed a packet 0x%02x that was not submitted", opcode);
        return;
    }
    memcpy(track->run_words + at / 4u, words, count * sizeof *words);
    track->run_seen += 4u * count;
}

/* A wait is over, or a fence has been signalled. */
static void take_effect(struct track *track, uint64_t cycle, unsigned node)
{
    uint32_t opcode = track->pending_opcode[node], value = track->pending_value[node];
    track->pending_opcode[node] = PKT_NOP;
    if (opcode == PKT_WAIT_FENCE && node == 0) {
        const struct note *note = track_note_reached(&track->paging_fences, value);
        if (note != NULL && (int64_t)note->count - 1 > track->render_wait)
            track->render_wait = (int64_t)note->count - 1;
    } else if (opcode == PKT_WAIT_FENCE) {
        const struct track_run *runs = track->runs.items;
        int64_t k = (int64_t)track->runs.count - 1;
        while (k >= 0 && !fence_reached(value, runs[k].fence)) k--;
        if (k > track->paging_wait) track->paging_wait = k;
    } else if (opcode == PKT_FENCE && node == 0) {
        if (track->is_in_run) finish_run(track, cycle, value);
    } else if (opcode == PKT_FENCE) {
        add_note(track, &track->paging_fences, value, track->operations.count);
    }
}

static void packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct track *track = context;
    uint32_t opcode = words[0] & 0xffu;
    if (track->is_ended || node > 1 || (node == 0 && !track->is_begun)) return;
    if (opcode == PKT_WAIT_FENCE || opcode == PKT_FENCE) {
        track->pending_opcode[node] = opcode;
        track->pending_value[node] = words[PKT_FENCE_VALUE_WORD];
    } else if (node == 0) {
        render_packet(track, cycle, offset, words);
    } else {
        track_paging_packet(track, words);
    }
}

static void packet_end(void *context, uint64_t cycle, unsigned node)
{
    struct track *track = context;
    if (!track->is_ended && node <= 1 && track->pending_opcode[node] != PKT_NOP) take_effect(track, cycle, node);
}

static void firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    struct track *track = context;
    const struct note *fences = track->paging_fences.items;
    (void)cycle;
    if (track->is_ended) return;
    if (event == TRACE_PAGING) add_note(track, &track->paging_doorbells, argument, track->runs_done);
    if (event == TRACE_PORTION)
        add_note(track, &track->render_doorbells, argument,
                 track->paging_fences.count > 0 ? fences[track->paging_fences.count - 1u].count : 0);
}

static void counters(void *context, uint64_t cycle, const struct probe_counters *values)
{
    struct track *track = context;
    (void)cycle;
    if (!track->is_ended) meter_sample(&track->counts.meter, values);
}

void track_probe(struct track *track, struct probe *probe)
{
    *probe = (struct probe){.context = track,
                            .packet_begin = packet_begin,
                            .packet_end = packet_end,
                            .counters = counters,
                            .firmware = firmware};
}
