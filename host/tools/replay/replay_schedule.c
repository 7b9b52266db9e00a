/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of a replay, in the form that checkers of pagesim-1 workloads read (docs/replay.md).
 */
#include <stdio.h>
#include <string.h>

#include "tools/replay/pagesim_json.h"
#include "tools/replay/replay_track_json.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The run an operation waits for: by packet, or because it was over when the doorbell rang. */
static int64_t wait_run(const struct track *track, const struct track_operation *operation)
{
    const struct note *fences = track->paging_fences.items, *doorbell = NULL;
    if (operation->paging_ordinal < track->paging_fences.count)
        doorbell = track_note_of(&track->paging_doorbells, fences[operation->paging_ordinal].fence);
    if (doorbell == NULL) return operation->wait_run;
    return larger(operation->wait_run, (int64_t)smaller(doorbell->count, operation->runs_done) - 1);
}

static int64_t wait_operation(const struct track *track, const struct track_run *run)
{
    const struct note *doorbell = track_note_of(&track->render_doorbells, run->fence);
    if (doorbell == NULL) return run->wait_operation;
    return larger(run->wait_operation, (int64_t)smaller(doorbell->count, run->operations_done) - 1);
}

static json_object *operations_to_json(const struct track *track)
{
    static const char *const names[TRACK_KINDS] = {"in", "fill", "out", "drop", "move", "map", "unmap"};
    const struct track_operation *operations = track->operations.items;
    json_object *array = json_object_new_array();
    for (uint32_t i = 0; i < track->operations.count; i++) {
        const struct track_operation *operation = &operations[i];
        bool has_place =
            operation->kind != TRACK_OUT && operation->kind != TRACK_DROP && operation->kind != TRACK_UNMAP;
        json_object *object = json_object_new_object();
        json_object_object_add(object, "op", json_object_new_string(names[operation->kind]));
        json_object_object_add(object, "a", json_object_new_int64(operation->surface));
        if (has_place) json_object_object_add(object, "at", json_object_new_int64(operation->page));
        json_object_object_add(object, "wait_run", json_object_new_int64(wait_run(track, operation)));
        json_object_array_add(array, object);
    }
    return array;
}

static json_object *slots_to_json(uint64_t slots)
{
    json_object *array = json_object_new_array();
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++)
        if ((slots >> slot & 1u) != 0) json_object_array_add(array, json_object_new_int64(slot));
    return array;
}

static json_object *runs_to_json(const struct track *track, track_locate *locate, const void *context)
{
    const struct track_run *runs = track->runs.items;
    json_object *array = json_object_new_array();
    for (uint32_t i = 0; i < track->runs.count; i++) {
        const struct track_run *run = &runs[i];
        json_object *object = json_object_new_object();
        struct track_bytes bytes = locate(track, i, context);
        json_object_object_add(object, "buffer", json_object_new_int64(bytes.buffer));
        json_object_object_add(object, "lo", json_object_new_int64(bytes.low));
        json_object_object_add(object, "hi", json_object_new_int64(bytes.high));
        json_object_object_add(object, "wait_op", json_object_new_int64(wait_operation(track, run)));
        if (run->bound_slots != 0) json_object_object_add(object, "bound", slots_to_json(run->bound_slots));
        json_object_array_add(array, object);
    }
    return array;
}

static json_object *initial_to_json(const struct track *track)
{
    json_object *object = json_object_new_object();
    for (uint32_t i = 0; i < track->setup.workload->allocation_count; i++) {
        char name[16];
        if (track->initial[i].segment == 0) continue;
        snprintf(name, sizeof name, "%u", i);
        json_object_object_add(object, name, json_object_new_int64(track->initial[i].page));
    }
    return object;
}

void track_add_schedule(json_object *root, const struct track *track, track_locate *locate, const void *context)
{
    json_object_object_add(root, "initial", initial_to_json(track));
    json_object_object_add(root, "ops", operations_to_json(track));
    json_object_object_add(root, "runs", runs_to_json(track, locate, context));
}

/* A run's bytes as the workload counts them. */
static struct track_bytes in_workload(const struct track *track, uint32_t run_index, const void *context)
{
    (void)context;
    const struct track_run *run = (const struct track_run *)track->runs.items + run_index;
    const struct pagesim_step *steps = track->setup.workload->steps + run->first_step;
    return (struct track_bytes){run->buffer, steps[0].start, steps[run->step_count - 1u].end};
}

bool track_write_schedule(const struct track *track, const char *path, char message[PAGESIM_MESSAGE])
{
    json_object *root = json_object_new_object();
    track_add_schedule(root, track, in_workload, NULL);
    return pagesim_write_json(root, path, message);
}
