/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the text of a state, which the page draws, says what the machine's snapshot holds. Method: two programs run for
 * two frames; of every tenth state the text is read back and each of its members is compared with the snapshot, whose
 * own truth is test_machine.c's matter.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../unit/check.h"
#include "gpu_names.h"
#include "machine.h"
#include "own_policy.h"
#include "state_json.h"

static struct machine *machine;
static const struct snapshot *snapshot;
static uint32_t seen_ranges[4], seen_queued, seen_entries, seen_unbinds, seen_distances; /* ranges: by `how` */

double own_worth(const struct own_resident *a) { return a->age; }

static json_object *member(json_object *of, const char *name)
{
    json_object *value = NULL;
    if (!json_object_object_get_ex(of, name, &value)) printf("there is no %s\n", name);
    CHECK(json_object_is_type(of, json_type_object));
    return value;
}
static int64_t number(json_object *of, const char *name) { return json_object_get_int64(member(of, name)); }
static bool is_text(json_object *of, const char *name, const char *text)
{
    return strcmp(json_object_get_string(member(of, name)), text) == 0;
}
static size_t length(json_object *of, const char *name) { return json_object_array_length(member(of, name)); }
static json_object *item(json_object *of, const char *name, size_t at)
{
    return json_object_array_get_idx(member(of, name), at);
}
#define IS(object, name, value) CHECK(number(object, name) == (int64_t)(value))

/* Which of the two programs the context is; the first if it is none of theirs. */
static int64_t program_of(uint32_t context)
{
    return machine->run.gpu.contexts[1] % CONTEXT_MAXIMUM == context ? 1 : 0;
}
static void is_job(json_object *of, uint32_t tag)
{
    const struct view_job *job = view_job_of(machine->view, tag);
    IS(of, "tag", tag);
    IS(of, "frame", job != NULL && job->frame != UINT32_MAX ? (int64_t)job->frame : -1);
}
static bool is_name(json_object *of, uint32_t handle)
{
    const struct known *known = handle != 0 ? view_known(machine->view, handle) : NULL;
    return is_text(of, "name", known != NULL ? known->name : "");
}

/* ------------------------------------------------------------------ parts of a state */

static void check_positions(json_object *state, uint32_t at)
{
    static const char *const units[] = {"operation", "portion", "buffer", "frame"};
    for (unsigned unit = 0; unit < MACHINE_UNITS; unit++) {
        IS(member(state, "position"), units[unit], machine_ended(machine, (enum machine_unit)unit, at));
        IS(member(state, "known"), units[unit], machine_ended(machine, (enum machine_unit)unit, machine->count));
    }
    IS(member(state, "position"), "cycle", snapshot->cycle);
    CHECK(json_object_get_boolean(member(member(state, "known"), "complete")));
    CHECK(json_object_get_boolean(member(state, "planning")) == (snapshot->is_planning != 0));
    IS(member(state, "drawn"), "frame", snapshot->frame);
    IS(member(state, "drawn"), "target", snapshot->target);
    CHECK(is_text(state, "failure", ""));
}

static void check_operation(json_object *state, uint32_t at)
{
    static const char *const by[] = {"firmware", "render", "paging", "program"};
    char text[160];
    json_object *is = member(state, "operation");
    if (at == 0) {
        CHECK(json_object_is_type(is, json_type_null));
        return;
    }
    const struct operation *operation = &machine->operations[at - 1u];
    machine_describe(machine, operation, text);
    CHECK(is_text(is, "by", by[operation->by]) && is_text(is, "text", text));
    CHECK(is_text(is, "kind", machine_kind(operation)));
    IS(is, "plan", operation->plan == NO_PLAN ? -1 : (int64_t)operation->plan);
    IS(is, "frame", operation->frame == UINT32_MAX ? -1 : (int64_t)operation->frame);
    const bool is_firmware = operation->by == BY_FIRMWARE, is_program = operation->by == BY_PROGRAM;
    const bool has_handle = (is_firmware && (operation->kind == TRACE_EVICT || operation->kind == TRACE_PAGE_IN ||
                                             operation->kind == TRACE_MOVE)) ||
                            (is_program && operation->kind != 0 && operation->kind != MSG_SUBMIT);
    IS(is, "handle", has_handle ? operation->argument : 0);
}

static void check_range(json_object *range, uint32_t segment)
{
    static const char *const hows[] = {"here", "going", "coming", "planned"};
    static const char *const flags[] = {"dirty", "locked", "offered", "bound", "used", "next"};
    const struct snapshot_allocation *allocation = &snapshot->allocations[number(range, "number")];
    const bool stays = allocation->segment == allocation->planned && allocation->page == allocation->planned_page;
    unsigned how = 0, flag = 0;
    while (how < 3u && !is_text(range, "how", hows[how])) how++;
    CHECK(is_text(range, "how", hows[how]));
    seen_ranges[how]++;
    if (how == 3) CHECK(!stays && allocation->planned == segment);
    else CHECK(allocation->segment == segment);
    IS(range, "page", how == 3 ? allocation->planned_page : allocation->page);
    if (how == 1) CHECK(!stays);
    if (how != 1 && how != 3) CHECK(stays && ((allocation->flags & SNAPSHOT_COMING) != 0) == (how == 2));
    IS(range, "pages", allocation->pages);
    IS(range, "handle", allocation->handle);
    CHECK(is_name(range, allocation->handle));
    IS(range, "program", allocation->owner == NO_CONTEXT ? -1 : program_of(allocation->owner));
    for (unsigned bit = 0; bit < 6; bit++) {
        if ((allocation->flags >> bit & 1u) == 0) continue;
        CHECK(strcmp(json_object_get_string(item(range, "flags", flag)), flags[bit]) == 0);
        flag++;
    }
    CHECK_EQUAL(length(range, "flags"), flag);
}

static void check_segments(json_object *state)
{
    static const char *const names[] = {"segment 1", "segment 2", "aperture"};
    CHECK_EQUAL(length(state, "segments"), 3);
    for (uint32_t id = 1; id <= 3; id++) {
        json_object *segment = item(state, "segments", id - 1u);
        uint32_t used = 0, ranges = 0;
        for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
            const struct snapshot_allocation *is = &snapshot->allocations[i];
            const bool stays = is->segment == is->planned && is->page == is->planned_page;
            used += is->segment == id ? is->pages : 0;
            ranges += is->segment == id ? 1u : 0;
            ranges += is->planned == id && !stays ? 1u : 0;
        }
        IS(segment, "id", id);
        CHECK(is_text(segment, "name", names[id - 1u]));
        CHECK(is_text(segment, "kind", id == 3 ? "aperture" : "memory"));
        IS(segment, "pages", snapshot->segment_pages[id - 1u]);
        IS(segment, "used", used);
        CHECK_EQUAL(length(segment, "ranges"), ranges);
        int64_t before = -1;
        for (size_t i = 0; i < ranges; i++) {
            check_range(item(segment, "ranges", i), id);
            CHECK(number(item(segment, "ranges", i), "page") >= before); /* in order */
            before = number(item(segment, "ranges", i), "page");
        }
    }
}

static void check_nodes(json_object *state)
{
    static const char *const states[] = {"queued", "waiting", "executing"};
    CHECK_EQUAL(length(state, "nodes"), 2);
    for (unsigned which = 0; which < 2; which++) {
        json_object *node = item(state, "nodes", which);
        const struct snapshot_node *is = &snapshot->node[which];
        CHECK(is_text(node, "name", which == 0 ? "render" : "paging"));
        IS(node, "fence", is->fence);
        IS(node, "packets", is->packets);
        IS(node, "waits", is->waits);
        CHECK((is->packets == 0) == is_text(node, "executing", ""));
        CHECK_EQUAL(length(node, "queue"), is->count);
        for (size_t i = 0; i < is->count; i++, seen_queued++) {
            json_object *queued = item(node, "queue", i);
            const struct snapshot_submission *submission = &is->queue[i];
            char text[64];
            const char *kind = submission->bytes == 0 ? packet_name(submission->opcode)
                               : which == 0           ? "portion"
                                                      : "paging";
            if (submission->bytes == 0) snprintf(text, sizeof text, "%s %u", kind, submission->fence);
            else
                snprintf(text, sizeof text, "%s %u, %u bytes", which == 0 ? "portion" : "paging buffer",
                         submission->fence, submission->bytes);
            CHECK(is_text(queued, "kind", kind) && is_text(queued, "text", text));
            CHECK(is_text(queued, "state", states[submission->state]));
            IS(queued, "fence", submission->fence);
            IS(queued, "bytes", submission->bytes);
            IS(queued, "plan", submission->plan == NO_PLAN ? -1 : (int64_t)submission->plan);
            is_job(queued, submission->tag);
        }
    }
}

static void check_buffers(json_object *state)
{
    static const char *const states[] = {"free", "queued", "running", "draining", "done"};
    size_t at = 0;
    for (uint32_t i = 0; i < SNAPSHOT_JOBS; i++) {
        const struct snapshot_job *job = &snapshot->jobs[i];
        if (job->tag == 0) continue;
        json_object *buffer = item(state, "buffers", at++);
        is_job(buffer, job->tag);
        IS(buffer, "program", program_of(job->context % CONTEXT_MAXIMUM));
        CHECK(is_text(buffer, "state", states[job->state]));
        IS(buffer, "portions", job->portions);
        IS(buffer, "entries", job->entries);
        IS(buffer, "portion_first", job->next_entry);
        IS(buffer, "priority", (int32_t)job->priority);
    }
    CHECK_EQUAL(length(state, "buffers"), at);
}

static void check_patch(json_object *state)
{
    json_object *patch = member(state, "patch");
    if (snapshot->tag == 0) {
        CHECK(json_object_is_type(patch, json_type_null));
        return;
    }
    is_job(patch, snapshot->tag);
    IS(patch, "bytes", snapshot->bytes);
    IS(patch, "first", snapshot->first);
    IS(patch, "count", snapshot->count);
    IS(patch, "split", snapshot->split);
    IS(patch, "cut", snapshot->is_cut ? (int64_t)snapshot->first + snapshot->count : -1);
    CHECK_EQUAL(length(patch, "entries"), snapshot->entry_count);
    for (uint32_t i = 0; i < snapshot->entry_count; i++, seen_entries++) {
        json_object *entry = item(patch, "entries", i);
        const struct snapshot_entry *is = &snapshot->entries[i];
        const bool is_unbind = is->allocation >= SNAPSHOT_ALLOCATIONS;
        const struct snapshot_allocation none = {0},
                                         *allocation = is_unbind ? &none : &snapshot->allocations[is->allocation];
        uint32_t next = i + 1u;
        while (next < snapshot->entry_count && snapshot->entries[next].allocation != is->allocation) next++;
        const uint32_t distance = is_unbind || next == snapshot->entry_count ? 0 : next - i;
        seen_unbinds += is_unbind;
        seen_distances += distance != 0;
        IS(entry, "number", is_unbind ? 0 : is->allocation);
        IS(entry, "handle", allocation->handle);
        IS(entry, "pages", allocation->pages);
        IS(entry, "slot", is->slot);
        IS(entry, "split", 4u * is->split_word);
        IS(entry, "where", allocation->segment);
        IS(entry, "distance", distance);
        CHECK(is_name(entry, allocation->handle));
        CHECK(json_object_get_boolean(member(entry, "written")) == (is->is_written != 0));
        CHECK(json_object_get_boolean(member(entry, "unbind")) == is_unbind);
    }
}

static void check_decision(json_object *state)
{
    json_object *is = member(state, "decision");
    if (snapshot->decisions == 0) {
        CHECK(json_object_is_type(is, json_type_null));
        return;
    }
    const struct decision *decision = &machine->view->decisions[snapshot->decisions - 1u];
    const struct view_job *jobs = machine->view->jobs;
    IS(is, "plan", snapshot->decisions - 1u);
    is_job(is, decision->job < machine->view->job_count ? jobs[decision->job].tag : 0);
    IS(is, "fence", decision->fence);
    IS(is, "first", decision->first_entry);
    IS(is, "entries", decision->entries);
    IS(is, "split", decision->split);
    IS(is, "evictions", decision->evictions);
    IS(is, "arrivals", decision->arrivals);
    IS(is, "pages_in", decision->pages_in);
    IS(is, "buffers", decision->buffers);
    IS(is, "begin", decision->begin);
    IS(is, "planned", decision->planned);
    IS(is, "submitted", decision->submitted);
}

static void check_counters(json_object *state)
{
    static const char *const traffic[] = {"in", "in_again", "out", "moved", "filled", "mapped"};
    CHECK_EQUAL(length(state, "counters"), STAT_COUNT);
    for (uint32_t i = 0; i < STAT_COUNT; i++)
        CHECK(json_object_get_int64(item(state, "counters", i)) == snapshot->statistics[i]);
    for (unsigned i = 0; i < 6; i++) IS(member(state, "traffic"), traffic[i], snapshot->traffic[i]);
    CHECK_EQUAL(length(state, "frames"), snapshot->finished);
    uint64_t before = machine->record.first_cycle;
    for (uint32_t i = 0; i < snapshot->finished; i++) {
        json_object *frame = item(state, "frames", i);
        const struct frame_record *record = &machine->record.frames[i];
        IS(frame, "frame", i);
        IS(frame, "cycles", record->done_cycle - before);
        IS(frame, "portions", record->result.portions);
        IS(frame, "evictions", record->result.evictions);
        IS(frame, "pages_in", record->result.pages_in);
        IS(frame, "pages_out", record->result.pages_out);
        before = record->done_cycle;
    }
    CHECK_EQUAL(length(state, "programs"), 2);
    for (uint32_t i = 0; i < 2; i++) {
        json_object *program = item(state, "programs", i);
        const struct snapshot_context *context = &snapshot->contexts[i];
        CHECK(is_text(program, "name", machine->knobs.scene->programs[i]));
        IS(program, "context", context->id);
        IS(program, "budget", context->budget);
        IS(program, "share", context->share);
        IS(program, "resident", context->resident);
        IS(program, "lost", context->lost);
        IS(program, "taken", context->taken);
        IS(program, "priority", (int32_t)context->priority);
    }
}

/* ------------------------------------------------------------------ all of it */

static void check_one(uint32_t at)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    CHECK(file != NULL);
    state_json(file, machine, at);
    fclose(file);
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *state = json_tokener_parse_ex(tokener, text, (int)bytes + 1);
    CHECK(state != NULL && json_tokener_get_parse_end(tokener) == bytes);
    snapshot = machine_state(machine, at);
    check_positions(state, at);
    check_operation(state, at);
    check_segments(state);
    check_nodes(state);
    check_buffers(state);
    check_patch(state);
    check_decision(state);
    check_counters(state);
    json_object_put(state);
    json_tokener_free(tokener);
    free(text);
}

/* ------------------------------------------------------------------ words */

#define AT(segment, page) ((uint32_t)(segment) << 28 | (page))
static const struct {
    uint8_t by, kind;
    uint32_t argument, detail; /* argument 0xaaaa: a handle, whose name is %s */
    const char *words;
} words[] = {
    {BY_FIRMWARE, TRACE_ACCEPT, 9, 0, "took DMA buffer 9 from the ring"},
    {BY_FIRMWARE, TRACE_PLANNED, 0, 0, "found no plan: even the first group does not fit"},
    {BY_FIRMWARE, TRACE_PLANNED, 1, 0, "planned a portion of 1 patch location"},
    {BY_FIRMWARE, TRACE_PLANNED, 2, 0, "planned a portion of 2 patch locations"},
    {BY_FIRMWARE, TRACE_PORTION, 7, 0, "submitted portion 7 to the render node"},
    {BY_FIRMWARE, TRACE_SPLIT, 48, 0, "split the DMA buffer at its byte 48"},
    {BY_FIRMWARE, TRACE_PAGING, 6, 0, "submitted copies, fence 6, to the paging node"},
    {BY_FIRMWARE, TRACE_EVICT, 0xaaaa, 0, "evicted %s"},
    {BY_FIRMWARE, TRACE_EVICT, 0, 0, "evicted nothing"},
    {BY_FIRMWARE, TRACE_PAGE_IN, 0xaaaa, AT(3, 5), "mapped %s into the aperture, from page 5"},
    {BY_FIRMWARE, TRACE_PAGE_IN, 0xaaaa, AT(2, 0xffffff), "plans %s into segment 2, from page 16777215"},
    {BY_FIRMWARE, TRACE_MOVE, 0xaaaa, AT(1, 6), "moves %s inside segment 1, to page 6"},
    {BY_FIRMWARE, TRACE_COMPLETE, 9, 0, "says that DMA buffer 9 is complete"},
    {BY_RENDER, PKT_BLIT, 0, 0x00050006, "drew 6 x 5 units of a texture"},
    {BY_RENDER, PKT_FILL_RECT, 0, 0x0001ffff, "filled 65535 x 1 units"},
    {BY_RENDER, PKT_BIND, 0x3f01, 0, "unbound slot 63"},
    {BY_RENDER, PKT_BIND, 0xc101, 0x2000a000, "bound slot 1 to 0x2000a000"},
    {BY_PAGING, PKT_COPY_LIST, 0, 4096, "copied 4 KB in from the program's pages"},
    {BY_PAGING, PKT_COPY_LIST, 1u << PKT_COPY_LIST_TO_SYSTEM_LSB, 8191, "copied 7 KB out to the program's pages"},
    {BY_PAGING, PKT_COPY, 0, 9, "copied 9 bytes"},
    {BY_PAGING, PKT_FILL, 0, 9, "filled 9 bytes"},
    {BY_PAGING, PKT_MAP_LIST, 0, 1, "mapped 1 page into the aperture"},
    {BY_PAGING, PKT_MAP, 0, 2, "mapped 2 pages into the aperture"},
    {BY_PAGING, PKT_UNMAP, 0, 0, "unmapped 0 pages of the aperture"},
    {BY_RENDER, PKT_GUARD, 0, 3, "may access 3 pages from now on"},
    {BY_RENDER, PKT_FENCE, 0, 4, "passed its fence 4"},
    {BY_RENDER, PKT_WAIT_FENCE, 0, 4, "continued: fence 4 of the paging node is passed"},
    {BY_PAGING, PKT_WAIT_FENCE, 0, 4, "continued: fence 4 of the render node is passed"},
    {BY_RENDER, PKT_RUN, 0, 44, "began a portion of 44 bytes"},
    {BY_PAGING, PKT_RUN, 0, 44, "began a paging buffer of 44 bytes"},
    {BY_RENDER, PKT_NOP, 0, 0, "NOP"},
    {BY_PROGRAM, 0, 3, 0, "read the picture of frame 3"},
    {BY_PROGRAM, MSG_SUBMIT, 0, 400, "submitted a DMA buffer of 400 bytes"},
    {BY_PROGRAM, MSG_LOCK, 0xaaaa, 0, "asks to lock %s, to read or write it"},
    {BY_PROGRAM, MSG_UNLOCK, 0xaaaa, 0, "unlocks %s"},
    {BY_PROGRAM, MSG_DESTROY_ALLOCATION, 0xaaaa, 0, "destroys %s"},
    {BY_PROGRAM, MSG_CREATE_ALLOCATION, 0, 0, "creates an allocation"},
    {BY_PROGRAM, MSG_EVICT, 0, 0, "sends EVICT"},
};

static void check_words(void)
{
    uint32_t handle = 0;
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS && handle == 0; i++) handle = snapshot->allocations[i].handle;
    const struct known *known = view_known(machine->view, handle);
    CHECK(handle != 0 && known != NULL && known->name[0] != 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct operation operation = {.by = words[i].by,
                                            .kind = words[i].kind,
                                            .argument = words[i].argument == 0xaaaa ? handle : words[i].argument,
                                            .detail = words[i].detail};
        const char *name = strstr(words[i].words, "%s");
        char text[160], wanted[200];
        if (name == NULL) snprintf(wanted, sizeof wanted, "%s", words[i].words);
        else
            snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(name - words[i].words), words[i].words, known->name,
                     name + 2);
        machine_describe(machine, &operation, text);
        if (strcmp(text, wanted) != 0) printf("'%s' instead of '%s'\n", text, wanted);
        CHECK(strcmp(text, wanted) == 0);
    }
}

static void test_states(void)
{
    static struct knobs knobs;
    char message[256] = "";
    CHECK(knobs_parse(&knobs, "scene programs\nframes 2\ncontext 0 3 40\ncontext 1 -2 17\n", message));
    machine = machine_create(&knobs, message);
    CHECK(machine != NULL);
    for (uint32_t runs = 0; !machine->is_over && runs < 9u; runs++) CHECK(machine_run(machine));
    for (uint32_t at = 0; at <= machine->count; at += 7) check_one(at);
    check_one(machine->count);
    for (unsigned how = 0; how < 4; how++) CHECK(seen_ranges[how] > 10u);
    check_words();
    CHECK(seen_queued > 50u && seen_entries > 100u && seen_unbinds + seen_distances > 10u);
    machine_destroy(machine);
}

int main(void)
{
    CHECK_RUN(test_states);
    printf("%u passed, %u failed\n", check_state.passed, check_state.failed);
    return check_state.failed != 0;
}
