/* SPDX-License-Identifier: Apache-2.0
 *
 * See state_json.h: the state.
 */
#include "state_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_names.h"

enum { PAGE = LIMIT_BITS_PAGE_BYTES };

void json_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\":\"", name);
    json_print_text(file, text);
    fputs("\",", file);
}

void json_number(FILE *file, const char *name, uint64_t number) { fprintf(file, "\"%s\":%" PRIu64 ",", name, number); }

static const char *name_of(const struct machine *machine, uint32_t handle)
{
    const struct known *known = handle != 0 ? view_known(machine->view, handle) : NULL;
    return known != NULL ? known->name : "";
}

static int64_t plan_number(uint32_t plan) { return plan == NO_PLAN ? -1 : (int64_t)plan; }

static uint32_t program_of(const struct machine *machine, uint32_t context)
{
    for (uint32_t i = 0; i < SCENE_PROGRAMS; i++)
        if (machine->run.gpu.contexts[i] != 0 && machine->run.gpu.contexts[i] % CONTEXT_MAXIMUM == context) return i;
    return 0;
}

static void job_json(FILE *file, const struct machine *machine, uint32_t tag)
{
    const struct view_job *job = view_job_of(machine->view, tag);
    json_number(file, "tag", tag);
    fprintf(file, "\"frame\":%" PRId64 ",", job != NULL && job->frame != UINT32_MAX ? (int64_t)job->frame : -1);
}

/* ------------------------------------------------------------------ segments */

struct range {
    uint32_t page, number;
    const char *how;
};

static int by_page(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return a->page != b->page ? (a->page < b->page ? -1 : 1) : a->number < b->number ? -1 : a->number > b->number;
}

static void flags_json(FILE *file, uint8_t flags)
{
    static const char *const names[] = {"dirty", "locked", "offered", "bound", "used", "next"};
    const char *comma = "";
    fputs("\"flags\":[", file);
    for (unsigned bit = 0; bit < sizeof names / sizeof *names; bit++) {
        if (((uint32_t)flags >> bit & 1u) == 0) continue;
        fprintf(file, "%s\"%s\"", comma, names[bit]);
        comma = ",";
    }
    fputs("]", file);
}

/* What lies in a segment, and what a plan wants there. Twice as many as allocations at most. */
static uint32_t find_ranges(const struct snapshot *snapshot, uint32_t id, struct range *ranges, uint32_t *used)
{
    uint32_t count = 0;
    *used = 0;
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
        const struct snapshot_allocation *allocation = &snapshot->allocations[i];
        const bool stays = allocation->segment == allocation->planned && allocation->page == allocation->planned_page;
        if (allocation->segment == id) {
            const bool is_coming = (allocation->flags & SNAPSHOT_COMING) != 0;
            ranges[count++] = (struct range){allocation->page, i, !stays ? "going" : is_coming ? "coming" : "here"};
            *used += allocation->pages;
        }
        if (allocation->planned == id && !stays)
            ranges[count++] = (struct range){allocation->planned_page, i, "planned"};
    }
    qsort(ranges, count, sizeof *ranges, by_page);
    return count;
}

static void segment_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot, uint32_t id,
                         uint32_t pages)
{
    static struct range ranges[2 * SNAPSHOT_ALLOCATIONS];
    uint32_t used;
    const uint32_t count = find_ranges(snapshot, id, ranges, &used);
    const bool is_aperture = id == LIMIT_BITS_SEGMENT_COUNT;
    fprintf(file,
            "{\"id\":%" PRIu32 ",\"name\":\"%s\",\"kind\":\"%s\",\"pages\":%" PRIu32 ",\"used\":%" PRIu32
            ",\"ranges\":[",
            id,
            is_aperture ? "aperture"
            : id == 1   ? "segment 1"
                        : "segment 2",
            is_aperture ? "aperture" : "memory", pages, used);
    for (uint32_t i = 0; i < count; i++) {
        const struct snapshot_allocation *allocation = &snapshot->allocations[ranges[i].number];
        fprintf(file, "%s{", i != 0 ? "," : "");
        json_number(file, "number", ranges[i].number);
        json_number(file, "handle", allocation->handle);
        json_text(file, "name", name_of(machine, allocation->handle));
        json_number(file, "page", ranges[i].page);
        json_number(file, "pages", allocation->pages);
        json_text(file, "how", ranges[i].how);
        fprintf(file, "\"program\":%" PRId32 ",",
                allocation->owner == NO_CONTEXT ? -1 : (int32_t)program_of(machine, allocation->owner));
        flags_json(file, allocation->flags);
        fputs("}", file);
    }
    fputs("]}", file);
}

/* ------------------------------------------------------------------ nodes and buffers */

static void packet_text(const struct snapshot_node *node, unsigned which, char text[160])
{
    const struct operation operation = {.by = which == 0 ? BY_RENDER : BY_PAGING,
                                        .kind = (uint8_t)node->packet[0],
                                        .argument = node->packet[0],
                                        .detail = operation_detail(node->packet)};
    text[0] = 0;
    if (node->packets != 0) machine_describe(NULL, &operation, text);
}

static void queue_json(FILE *file, const struct machine *machine, const struct snapshot_submission *submission,
                       unsigned which)
{
    static const char *const states[] = {"queued", "waiting", "executing"};
    const bool is_run = submission->bytes != 0;
    char text[64];
    snprintf(text, sizeof text, is_run ? "%s %u, %u bytes" : "%s %u",
             is_run ? (which == 0 ? "portion" : "paging buffer") : packet_name(submission->opcode), submission->fence,
             submission->bytes);
    fputs("{", file);
    json_text(file, "kind", is_run ? (which == 0 ? "portion" : "paging") : packet_name(submission->opcode));
    json_text(file, "text", text);
    json_number(file, "fence", submission->fence);
    job_json(file, machine, submission->tag);
    json_number(file, "bytes", submission->bytes);
    json_text(file, "state", states[submission->state % 3u]);
    fprintf(file, "\"plan\":%" PRId64 "}", plan_number(submission->plan));
}

static void node_json(FILE *file, const struct machine *machine, const struct snapshot_node *node, unsigned which)
{
    char text[160];
    packet_text(node, which, text);
    fprintf(file, "{\"name\":\"%s\",", which == 0 ? "render" : "paging");
    json_number(file, "fence", node->fence);
    json_number(file, "packets", node->packets);
    json_number(file, "waits", node->waits);
    json_text(file, "executing", text);
    fputs("\"queue\":[", file);
    for (uint32_t i = 0; i < node->count; i++) {
        if (i != 0) fputs(",", file);
        queue_json(file, machine, &node->queue[i], which);
    }
    fputs("]}", file);
}

static void buffers_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot)
{
    static const char *const states[] = {"free", "queued", "running", "draining", "done"};
    const char *comma = "";
    fputs("\"buffers\":[", file);
    for (uint32_t i = 0; i < SNAPSHOT_JOBS; i++) {
        const struct snapshot_job *job = &snapshot->jobs[i];
        if (job->tag == 0) continue;
        fprintf(file, "%s{", comma);
        job_json(file, machine, job->tag);
        json_number(file, "program", program_of(machine, job->context));
        json_text(file, "state", states[job->state % 5u]);
        json_number(file, "portions", job->portions);
        json_number(file, "entries", job->entries);
        json_number(file, "portion_first", job->next_entry);
        fprintf(file, "\"priority\":%" PRId32 "}", (int32_t)job->priority);
        comma = ",";
    }
    fputs("],", file);
}

/* ------------------------------------------------------------------ the patch list at hand */

/* Patch locations to the next that names the same allocation, 0: none in this list. */
static uint32_t distance(const struct snapshot *snapshot, uint32_t at)
{
    for (uint32_t i = at + 1u; i < snapshot->entry_count; i++)
        if (snapshot->entries[i].allocation == snapshot->entries[at].allocation) return i - at;
    return 0;
}

static void entry_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot, uint32_t at)
{
    static const struct snapshot_allocation none;
    const struct snapshot_entry *entry = &snapshot->entries[at];
    const bool is_unbind = entry->allocation >= SNAPSHOT_ALLOCATIONS;
    const struct snapshot_allocation *allocation = is_unbind ? &none : &snapshot->allocations[entry->allocation];
    fputs("{", file);
    json_number(file, "number", is_unbind ? 0 : entry->allocation);
    json_number(file, "handle", allocation->handle);
    json_text(file, "name", name_of(machine, allocation->handle));
    json_number(file, "pages", allocation->pages);
    json_number(file, "slot", entry->slot);
    json_number(file, "split", 4u * entry->split_word);
    json_number(file, "where", allocation->segment);
    json_number(file, "distance", is_unbind ? 0 : distance(snapshot, at));
    fprintf(file, "\"written\":%s,\"unbind\":%s}", entry->is_written ? "true" : "false", is_unbind ? "true" : "false");
}

void patch_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot)
{
    uint32_t context = 0;
    if (snapshot->tag == 0) {
        fputs("\"patch\":null,", file);
        return;
    }
    const struct view_job *job = view_job_of(machine->view, snapshot->tag);
    if (job != NULL) context = job->context % CONTEXT_MAXIMUM;
    fputs("\"patch\":{", file);
    job_json(file, machine, snapshot->tag);
    json_number(file, "program", program_of(machine, context));
    json_number(file, "bytes", snapshot->bytes);
    json_number(file, "first", snapshot->first);
    json_number(file, "count", snapshot->count);
    json_number(file, "split", snapshot->split);
    fprintf(file, "\"cut\":%" PRId64 ",\"entries\":[",
            snapshot->is_cut != 0 ? (int64_t)(snapshot->first + snapshot->count) : -1);
    for (uint32_t i = 0; i < snapshot->entry_count; i++) {
        if (i != 0) fputs(",", file);
        entry_json(file, machine, snapshot, i);
    }
    fputs("]},", file);
}

/* ------------------------------------------------------------------ decisions, counters, frames */

static void decision_json(FILE *file, const struct machine *machine, uint32_t count)
{
    if (count == 0) {
        fputs("\"decision\":null,", file);
        return;
    }
    const struct decision *decision = &machine->view->decisions[count - 1u];
    const struct view_job *job = decision->job < machine->view->job_count ? &machine->view->jobs[decision->job] : NULL;
    fputs("\"decision\":{", file);
    json_number(file, "plan", count - 1u);
    json_number(file, "fence", decision->fence);
    job_json(file, machine, job != NULL ? job->tag : 0);
    json_number(file, "first", decision->first_entry);
    json_number(file, "entries", decision->entries);
    json_number(file, "split", decision->split);
    json_number(file, "evictions", decision->evictions);
    json_number(file, "arrivals", decision->arrivals);
    json_number(file, "pages_in", decision->pages_in);
    json_number(file, "buffers", decision->buffers);
    json_number(file, "begin", decision->begin);
    json_number(file, "planned", decision->planned);
    fprintf(file, "\"submitted\":%" PRIu64 "},", decision->submitted);
}

static void frames_json(FILE *file, const struct machine *machine, uint32_t finished)
{
    uint64_t before = machine->record.first_cycle;
    fputs("\"frames\":[", file);
    for (uint32_t i = 0; i < finished && machine->record.frames != NULL; i++) {
        const struct frame_record *frame = &machine->record.frames[i];
        fprintf(file,
                "%s{\"frame\":%" PRIu32 ",\"cycles\":%" PRIu64 ",\"portions\":%" PRIu32 ",\"evictions\":%" PRIu32
                ",\"pages_in\":%" PRIu32 ",\"pages_out\":%" PRIu32 "}",
                i != 0 ? "," : "", i, frame->done_cycle - before, frame->result.portions, frame->result.evictions,
                frame->result.pages_in, frame->result.pages_out);
        before = frame->done_cycle;
    }
    fputs("],", file);
}

static void programs_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot)
{
    const char *comma = "";
    fputs("\"programs\":[", file);
    for (uint32_t i = 0; i < SNAPSHOT_CONTEXTS; i++) {
        const struct snapshot_context *context = &snapshot->contexts[i];
        const uint32_t program = program_of(machine, context->id);
        if (i >= SCENE_PROGRAMS || machine->run.gpu.contexts[i] == 0) continue;
        fprintf(file, "%s{", comma);
        json_text(file, "name", machine->knobs.scene->programs[program]);
        json_number(file, "context", context->id);
        json_number(file, "budget", context->budget);
        json_number(file, "share", context->share);
        json_number(file, "resident", context->resident);
        json_number(file, "lost", context->lost);
        json_number(file, "taken", context->taken);
        fprintf(file, "\"priority\":%" PRId32 "}", (int32_t)context->priority);
        comma = ",";
    }
    fputs("],", file);
}

static void counters_json(FILE *file, const struct snapshot *snapshot)
{
    static const char *const traffic[] = {"in", "in_again", "out", "moved", "filled", "mapped"};
    fputs("\"counters\":[", file);
    for (uint32_t i = 0; i < STAT_COUNT; i++) fprintf(file, "%s%" PRIu32, i != 0 ? "," : "", snapshot->statistics[i]);
    fputs("],\"traffic\":{", file);
    for (unsigned i = 0; i < 6; i++)
        fprintf(file, "%s\"%s\":%" PRIu64, i != 0 ? "," : "", traffic[i], snapshot->traffic[i]);
    fputs("},", file);
}

/* ------------------------------------------------------------------ all of it */

static void operation_json(FILE *file, const struct machine *machine, uint32_t at)
{
    static const char *const by[] = {"firmware", "render", "paging", "program"};
    char text[160];
    if (at == 0) {
        fputs("\"operation\":null,", file);
        return;
    }
    const struct operation *operation = &machine->operations[at - 1u];
    const bool has_handle =
        operation->by == BY_FIRMWARE
            ? operation->kind == TRACE_EVICT || operation->kind == TRACE_PAGE_IN || operation->kind == TRACE_MOVE
            : operation->by == BY_PROGRAM && operation->kind != 0 && operation->kind != MSG_SUBMIT;
    machine_describe(machine, operation, text);
    fputs("\"operation\":{", file);
    json_text(file, "by", by[operation->by % 4u]);
    json_text(file, "kind", machine_kind(operation));
    json_text(file, "text", text);
    json_number(file, "handle", has_handle ? operation->argument : 0);
    fprintf(file, "\"plan\":%" PRId64 ",\"frame\":%" PRId64 "},", plan_number(operation->plan),
            operation->frame == UINT32_MAX ? -1 : (int64_t)operation->frame);
}

static void position_json(FILE *file, const struct machine *machine, const char *name, uint32_t at)
{
    static const char *const units[] = {"operation", "portion", "buffer", "frame"};
    fprintf(file, "\"%s\":{", name);
    for (unsigned unit = 0; unit < MACHINE_UNITS; unit++)
        json_number(file, units[unit], machine_ended(machine, (enum machine_unit)unit, at));
}

static void display_json(FILE *file, const struct machine *machine, uint32_t at)
{
    const uint32_t count = machine_shown_at(machine, at);
    fprintf(file, "\"display\":{\"picture\":%" PRIu32 ",\"torn\":%" PRIu32 "},", count,
            count != 0 ? machine->shown[count - 1u].torn : 0);
}

void state_json(FILE *file, struct machine *machine, uint32_t at)
{
    const struct snapshot *snapshot = machine_state(machine, at);
    fputs("{", file);
    position_json(file, machine, "position", at);
    fprintf(file, "\"cycle\":%" PRIu64 "},", snapshot->cycle);
    position_json(file, machine, "known", machine->count);
    fprintf(file, "\"complete\":%s},", machine->is_over ? "true" : "false");
    operation_json(file, machine, at);
    fputs("\"segments\":[", file);
    for (uint32_t id = 1; id <= 3; id++) {
        if (id != 1) fputs(",", file);
        segment_json(file, machine, snapshot, id, snapshot->segment_pages[id - 1u]);
    }
    fputs("],\"nodes\":[", file);
    node_json(file, machine, &snapshot->node[0], 0);
    fputs(",", file);
    node_json(file, machine, &snapshot->node[1], 1);
    fputs("],", file);
    buffers_json(file, machine, snapshot);
    patch_json(file, machine, snapshot);
    decision_json(file, machine, snapshot->decisions);
    plans_json(file, machine, snapshot);
    fprintf(file, "\"planning\":%s,", snapshot->is_planning ? "true" : "false");
    counters_json(file, snapshot);
    frames_json(file, machine, snapshot->finished);
    programs_json(file, machine, snapshot);
    display_json(file, machine, at);
    json_text(file, "failure", machine->message);
    fprintf(file, "\"drawn\":{\"frame\":%" PRIu32 ",\"target\":%" PRIu32 "}}", snapshot->frame, snapshot->target);
}
