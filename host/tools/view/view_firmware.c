/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware's part of view.h: its trace events become spans (what it did since the last one), its decisions
 * become portions with their cost, and placements and evictions move allocations in the picture of the segments.
 *
 * An event marks the end of what it names; VALIDATE and PLAN mark a beginning, which ends the search for work. A second
 * VALIDATE in a row ends a piece of the examination, and ACCEPT the last one.
 * PLACE, JOB and SPLIT only add to their neighbour and end nothing. So do the display's events, which are marks.
 */
#include "tools/view/view_internal.h"

#include <inttypes.h>
#include <string.h>

#include "gpu_names.h"
#include "gpu_spec.h"

static const struct track track = {GROUP_GPU, TRACK_FIRMWARE};

/* ------------------------------------------------------------------ stages */

static const char *name_of(struct view *view, uint32_t handle)
{
    const struct known *known = view_known(view, handle);
    return known != NULL ? known->name : "?";
}

/* What the core did until `event` came. False: nothing worth a span ends here. */
static bool describe(struct view *view, uint32_t event, uint32_t argument, char name[64])
{
    switch (event) {
    case TRACE_ACCEPT:
        snprintf(name, 64, "%saccept %" PRIu32, view->is_examining ? "validate and " : "", argument);
        return true;
    case TRACE_VALIDATE: snprintf(name, 64, view->is_examining ? "validate a part" : "look for work"); return true;
    case TRACE_PLANNED: snprintf(name, 64, "plan %" PRIu32 " entries", argument); return true;
    case TRACE_PORTION: snprintf(name, 64, "grant, patch, submit portion %" PRIu32, argument); return true;
    case TRACE_PAGING: snprintf(name, 64, "submit paging buffer %" PRIu32, argument); return true;
    case TRACE_EVICT: snprintf(name, 64, "evict %s", name_of(view, argument)); return true;
    case TRACE_PAGE_IN: snprintf(name, 64, "page in %s", name_of(view, argument)); return true;
    case TRACE_MOVE: snprintf(name, 64, "move %s", name_of(view, argument)); return true;
    case TRACE_RETIRE: snprintf(name, 64, "retire portion %" PRIu32, argument); return true;
    case TRACE_COMPLETE: snprintf(name, 64, "complete %" PRIu32, argument); return true;
    case TRACE_RECOVER: snprintf(name, 64, "recover node %" PRIu32, argument); return true;
    case TRACE_IDLE:
    case TRACE_PLAN: snprintf(name, 64, "look for work"); return true;
    case TRACE_PLACE:
    case TRACE_NEXT_USE:
    case TRACE_JOB:
    case TRACE_SPLIT:
    case TRACE_BLANK:
    case TRACE_ARM:
    case TRACE_SHOW:
    case TRACE_LATE:
    case TRACE_WAKE: return false;
    default: snprintf(name, 64, "%s %" PRIu32, trace_name(event), argument); return true;
    }
}

static bool ends_nothing(uint32_t event)
{
    if (event >= TRACE_BLANK && event <= TRACE_LATE) return true;
    return event == TRACE_PLACE || event == TRACE_NEXT_USE || event == TRACE_JOB || event == TRACE_SPLIT;
}

/* Decisions are told even where time stands still, as on the golden model. */
static bool is_decision(uint32_t event)
{
    return event == TRACE_EVICT || event == TRACE_PAGE_IN || event == TRACE_MOVE || event == TRACE_PORTION;
}

static void show_stage(struct view *view, uint64_t cycle, uint32_t event, uint32_t argument)
{
    char name[64], bytes[32] = "";
    if (view->is_examining) {
        uint32_t rest = event == TRACE_VALIDATE ? argument : 0;
        snprintf(bytes, sizeof bytes, "\"bytes\":%" PRIu32, view->last_argument - rest);
    }
    bool is_worth = cycle > view->stage_begin || is_decision(event);
    if (!view->is_idle && is_worth && describe(view, event, argument, name))
        timeline_span(view->timeline, track, view->stage_begin, cycle, name, bytes);
    if (!ends_nothing(event)) view->stage_begin = cycle;
    view->is_examining = event == TRACE_VALIDATE && !view->is_examining;
}

static void show_queue(struct view *view, uint64_t cycle)
{
    char arguments[96];
    snprintf(arguments, sizeof arguments, "\"messages sent\":%" PRIu32 ",\"DMA buffers taken\":%" PRIu32,
             view->messages, view->queued);
    timeline_counter(view->timeline, GROUP_COUNTERS, cycle, "queue depth", arguments);
}

static void show_idle(struct view *view, uint64_t cycle, uint32_t event)
{
    bool is_idle = event == TRACE_IDLE;
    for (unsigned node = 0; node < VIEW_NODES && is_idle != view->is_idle; node++) {
        if (is_idle) view_firmware_wait(view, cycle, node);
        else view->free_since[node] = cycle;
    }
    if (view->is_idle && !is_idle) view->idle_cycles += cycle - view->idle_begin;
    if (!view->is_idle && is_idle) view->idle_begin = cycle;
    view->is_idle = is_idle;
}

/* ------------------------------------------------------------------ decisions */

/* A span around all that the firmware did for a portion, from the beginning of its plan to its submission. */
static void show_decision(struct view *view, uint64_t cycle, const struct view_job *job)
{
    const struct decision *decision = &view->deciding;
    char name[64], arguments[200];
    snprintf(name, sizeof name, "decide portion %" PRIu32, decision->fence);
    int used =
        snprintf(arguments, sizeof arguments,
                 "\"entries\":%" PRIu32 ",\"evictions\":%" PRIu32 ",\"arrivals\":%" PRIu32 ",\"pages_in\":%" PRIu32
                 ",\"paging_buffers\":%" PRIu32,
                 decision->entries, decision->evictions, decision->arrivals, decision->pages_in, decision->buffers);
    if (job != NULL)
        snprintf(arguments + used, sizeof arguments - (size_t)used, ",\"frame\":%" PRIu32 ",\"tag\":%" PRIu32,
                 job->frame, job->tag);
    timeline_span(view->timeline, track, decision->begin, cycle, name, arguments);
}

static void portion(struct view *view, uint64_t cycle, uint32_t fence)
{
    struct decision *decision = view_append(view, (void **)&view->decisions, &view->decision_count,
                                            &view->decision_room, VIEW_DECISIONS, sizeof *decision);
    struct view_job *job = view_job_of(view, view->portion_tag);
    view->deciding.submitted = cycle;
    view->deciding.fence = fence;
    view->deciding.job = job != NULL ? (uint32_t)(job - view->jobs) : UINT32_MAX;
    if (decision != NULL) *decision = view->deciding;
    show_decision(view, cycle, job);
    view->is_planning = false;
    view->deciding = (struct decision){.begin = cycle, .planned = cycle, .job = UINT32_MAX};
}

static void decide(struct view *view, uint64_t cycle, uint32_t event, uint32_t argument)
{
    struct decision *deciding = &view->deciding;
    const struct known *known = NULL;
    switch (event) {
    case TRACE_PLAN:
        view->is_planning = true;
        *deciding = (struct decision){.begin = cycle, .planned = cycle, .first_entry = argument, .job = UINT32_MAX};
        break;
    case TRACE_PLANNED:
        deciding->planned = cycle;
        deciding->entries = argument;
        view->is_planning = argument != 0;
        break;
    case TRACE_EVICT: deciding->evictions++; break;
    case TRACE_PAGE_IN:
        known = view_known(view, argument);
        deciding->arrivals++;
        deciding->pages_in += known != NULL ? known->pages : 0;
        break;
    case TRACE_PAGING: deciding->buffers++; break;
    case TRACE_JOB: view->portion_tag = argument; break;
    case TRACE_PORTION: portion(view, cycle, argument); break;
    case TRACE_SPLIT:
        if (view->decision_count != 0) view->decisions[view->decision_count - 1u].split = argument;
        break;
    default: break;
    }
}

/* ------------------------------------------------------------------ arrows
 * submission: the host's doorbell, the firmware's accept, each portion, the completion. portion, paging: from the
 * firmware's submission to the nodes' fences. An arrow's point lies inside its span. */

static void show_arrows(struct view *view, uint64_t cycle, uint32_t event, uint32_t argument)
{
    uint64_t inside = cycle > view->stage_begin ? cycle - 1u : cycle;
    switch (event) {
    case TRACE_PAGING: timeline_flow(view->timeline, track, inside, 's', "paging", argument); break;
    case TRACE_PORTION:
        timeline_flow(view->timeline, track, inside, 's', "portion", argument);
        if (view_job_of(view, view->portion_tag) != NULL)
            timeline_flow(view->timeline, track, inside, 't', "submission", view->portion_tag);
        break;
    case TRACE_ACCEPT:
    case TRACE_COMPLETE:
        if (view_job_of(view, argument) != NULL)
            timeline_flow(view->timeline, track, inside, event == TRACE_ACCEPT ? 't' : 'f', "submission", argument);
        break;
    default: break;
    }
}

static void show_marks(struct view *view, uint64_t cycle, uint32_t event, uint32_t argument)
{
    static const struct {
        uint32_t event;
        const char *name, *argument;
    } marks[] = {{TRACE_SPLIT, "split at byte", "value"},        {TRACE_BLANK, "vertical blank", "frame"},
                 {TRACE_ARM, "flip armed", "message"},           {TRACE_SHOW, "flip shown", "message"},
                 {TRACE_LATE, "missed deadline", "frames late"}, {TRACE_RECOVER, "recover node", "value"}};
    char arguments[64];
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (marks[i].event != event) continue;
        snprintf(arguments, sizeof arguments, "\"%s\":%" PRIu32, marks[i].argument, argument);
        timeline_instant(view->timeline, track, cycle, marks[i].name, arguments);
    }
}

static void keep_blank(struct view *view, uint64_t cycle, bool is_flip)
{
    struct view_blank *blank =
        view_append(view, (void **)&view->blanks, &view->blank_count, &view->blank_room, VIEW_BLANKS, sizeof *blank);
    if (blank != NULL) *blank = (struct view_blank){cycle, is_flip ? view->late : 0, is_flip};
    if (is_flip) view->late = 0;
}

/* ------------------------------------------------------------------ the probe */

void view_firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    struct view *view = context;
    struct view_job *job = NULL;
    view->now = cycle;
    show_arrows(view, cycle, event, argument);
    show_stage(view, cycle, event, argument);
    show_marks(view, cycle, event, argument);
    show_idle(view, cycle, event);
    decide(view, cycle, event, argument);
    switch (event) {
    case TRACE_PLACE: view->place = argument; break;
    case TRACE_NEXT_USE: view->next_use = argument; break;
    case TRACE_PAGE_IN:
    case TRACE_MOVE: view_arrived(view, cycle, argument); break;
    case TRACE_EVICT: view_left(view, cycle, argument, STAY_EVICTED); break;
    case TRACE_BLANK: keep_blank(view, cycle, false); break;
    case TRACE_LATE: view->late = argument; break;
    case TRACE_SHOW: keep_blank(view, cycle, true); break;
    case TRACE_ACCEPT:
        job = view_job_of(view, argument);
        if (job == NULL) break;
        job->accepted = cycle;
        view->queued++;
        show_queue(view, cycle);
        break;
    case TRACE_COMPLETE:
        job = view_job_of(view, argument);
        if (view->messages != 0) view->messages--;
        if (job != NULL) {
            job->completed = cycle;
            if (job->accepted != 0 && view->queued != 0) view->queued--;
        }
        show_queue(view, cycle);
        break;
    default: break;
    }
    view->last_event = event;
    view->last_argument = argument;
}
