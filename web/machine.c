/* SPDX-License-Identifier: Apache-2.0
 *
 * Life of the page's machine, and a scene's frames.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_internal.h"

enum { PATIENCE_CYCLES = 30000000 };

static struct machine *current;

struct machine *machine_current(void) { return current; }

/* ------------------------------------------------------------------ setting up */

static bool fail(struct machine *machine, const char *text)
{
    snprintf(machine->message, sizeof machine->message, "%s", text);
    machine->is_over = true;
    return false;
}

static bool check(struct machine *machine, int status)
{
    if (status == TESSERA_OK) return true;
    snprintf(machine->message, sizeof machine->message, "%.40s: %.200s", tessera_status_name(status),
             tessera_message(machine->tessera));
    machine->is_over = true;
    return false;
}

static bool open_device(struct machine *machine)
{
    const struct knobs *knobs = &machine->knobs;
    char *message = machine->message;
    machine->view = view_open("out", message);
    if (machine->view == NULL) return false;
    if (machine->plain == NULL) (void)view_end_timeline(machine->view); /* what is exported is run again (export.h) */
    else view_report_frames(machine->view, machine->plain->report_first, machine->plain->report_last);
    const struct platform_options options = {.is_model = true, .seed = knobs->seed, .probe = view_probe(machine->view)};
    const struct tessera_options of_library = {.segment1_pages = knobs->segment1,
                                               .segment2_pages = knobs->segment2,
                                               .force = knobs->force,
                                               .seed = knobs->seed,
                                               .patience_cycles = PATIENCE_CYCLES};
    if (platform_open(&machine->platform, &options, message) != 0) return false;
    view_watch(machine->view, &machine->platform.transport, &machine->watched);
    if (tessera_open(&machine->tessera, &machine->watched, &of_library, message) == TESSERA_OK) return true;
    machine->watched.close(machine->watched.context);
    return false;
}

static void on_frame(void *context, uint32_t number, const struct frame_record *frame, const uint8_t *pixels)
{
    (void)frame;
    (void)pixels;
    machine_tape_frame(context, number);
}

static bool set_contexts(struct machine *machine)
{
    int status = TESSERA_OK;
    for (unsigned i = 0; i < SCENE_PROGRAMS && status == TESSERA_OK; i++) {
        const uint32_t context = machine->run.gpu.contexts[i], budget = machine->knobs.contexts[i].budget;
        const int32_t priority = machine->knobs.contexts[i].priority;
        if (context == 0) continue;
        if (priority != 0) status = tessera_context_set_priority(machine->tessera, context, priority);
        if (status == TESSERA_OK && budget != 0) status = tessera_context_set_budget(machine->tessera, context, budget);
    }
    return check(machine, status);
}

static bool begin_scene(struct machine *machine)
{
    const struct knobs *knobs = &machine->knobs;
    if (scene_computed(&machine->scene, knobs->scene->name, knobs->seed, machine->message) != 0) return false;
    machine->footprint = scene_frame_footprint(&machine->scene, 0);
    machine->record.frames = calloc(knobs->frames, sizeof *machine->record.frames);
    machine->pixels = malloc((size_t)knobs->frames * SCENE_FRAME_BYTES);
    if (machine->record.frames == NULL || machine->pixels == NULL ||
        !machine_picture_init(machine, SCENE_WIDTH, SCENE_HEIGHT, FORMAT_RGB565, SCENE_TARGETS))
        return fail(machine, "out of memory");
    if (!open_device(machine)) return false;
    machine->run.scene = &machine->scene;
    machine->run.frames = knobs->frames;
    machine->run.pixels = machine->pixels;
    machine->run.is_mapped = !knobs->is_copied;
    machine->run.is_bound = machine->plain != NULL; /* in what is exported */
    machine->run.view = machine->view;
    machine->run.record = &machine->record;
    machine->run.on_frame = machine->plain == NULL ? on_frame : NULL;
    machine->run.context = machine;
    machine->run.has_flips = knobs->display != KNOBS_DARK;
    machine_display_begin(machine);
    if (!check(machine, scene_run_begin(&machine->run, machine->tessera)) || !set_contexts(machine)) return false;
    machine->run.gpu.tears = knobs->display == KNOBS_AT_ONCE;
    machine->run.gpu.most_queued = knobs->queued;
    if (machine->plain != NULL) return true;
    return machine_tape_begin(machine) || fail(machine, "out of memory");
}

static struct machine *create(const struct knobs *knobs, const struct program_options *plain, const uint8_t *expected,
                              char message[256])
{
    struct machine *machine = calloc(1, sizeof *machine), *before = current;
    if (machine == NULL) {
        snprintf(message, 256, "out of memory");
        return NULL;
    }
    current = machine;
    machine->before = before;
    machine->plain = plain;
    machine->run.expected = expected;
    machine->knobs = *knobs;
    snapshot_memory_init(&machine->memory);
    if (knobs->file[0] != 0 ? machine_load(machine) : begin_scene(machine)) return machine;
    snprintf(message, 256, "%s", machine->message);
    machine_destroy(machine);
    return NULL;
}

struct machine *machine_create(const struct knobs *knobs, char message[256])
{
    return create(knobs, NULL, NULL, message);
}

struct machine *machine_create_plain(const struct knobs *knobs, const struct program_options *options,
                                     const uint8_t *expected, char message[256])
{
    return create(knobs, options, expected, message);
}

bool machine_finish(struct machine *machine)
{
    const bool is_good = check(machine, scene_run_measure(&machine->run));
    machine->record.device = machine->platform.name;
    machine->record.footprint = machine->footprint;
    tessera_close(machine->tessera);
    machine->tessera = NULL;
    if (view_close(machine->view) != 0) return fail(machine, "out of memory for the time line");
    return is_good;
}

void machine_destroy(struct machine *machine)
{
    if (machine == NULL) return;
    if (machine->tessera != NULL) tessera_close(machine->tessera);
    scene_run_end(&machine->run);
    if (machine->scene.destroy != NULL) machine->scene.destroy(&machine->scene);
    if (!machine->is_view_borrowed) view_free(machine->view);
    machine_tape_free(machine);
    machine_display_free(machine);
    free(machine->record.frames);
    free(machine->pixels);
    free(machine->surfaces);
    if (current == machine) current = machine->before;
    else if (current != NULL && current->before == machine) current->before = NULL;
    free(machine);
}

/* ------------------------------------------------------------------ running */

bool machine_run(struct machine *machine)
{
    bool is_over = false;
    if (machine->is_over) return machine->message[0] == 0;
    const uint64_t begin = transport_cycles(&machine->watched);
    if (!check(machine, scene_run_frame(&machine->run, &is_over))) return false;
    if (!check(machine, machine_display_rest(machine, begin))) return false;
    machine_tape_flush(machine);
    machine->is_over = is_over;
    if (!machine->is_taping && machine->plain == NULL)
        return fail(machine, "this run is too long for the memory of the page. Choose fewer frames");
    return true;
}
