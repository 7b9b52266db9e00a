/* SPDX-License-Identifier: Apache-2.0
 *
 * See export.h.
 */
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cli/option_table.h"
#include "tools/command/scene_results.h"
#include "machine_internal.h"

static bool draw_expected(const struct scene *scene, uint32_t frames, uint8_t *expected)
{
    struct scene_frame *frame = malloc(sizeof *frame);
    for (uint32_t i = 0; frame != NULL && i < frames; i++) {
        scene->frame(scene, i, frame);
        scene_reference(scene, frame, expected + (size_t)i * SCENE_FRAME_BYTES);
    }
    free(frame);
    return frame != NULL;
}

static struct program_options options_of(const struct knobs *knobs, uint32_t frames)
{
    struct program_options options = {.platform = {.is_model = true, .seed = knobs->seed},
                                      .scene = knobs->scene->name,
                                      .out = "out",
                                      .frames = frames,
                                      .is_copied = knobs->is_copied,
                                      .report_last = UINT32_MAX,
                                      .segment1_pages = knobs->segment1,
                                      .segment2_pages = knobs->segment2,
                                      .force = knobs->force,
                                      .only_this_run = true};
    (void)option_report_frames("", 0, frames - 1u, &options.report_first, &options.report_last);
    return options;
}

/* The record's verdicts, and its files. */
static bool judge(struct machine *machine, const struct program_options *options)
{
    struct run_record *record = &machine->record;
    record->matches_golden = true;
    for (uint32_t i = 0; i < options->frames; i++)
        record->matches_golden = record->matches_golden && record->frames[i].is_golden;
    const struct scene_results results = {options, record, machine->view, machine->pixels, NULL, 0};
    return scene_results_write(&results, record->matches_golden && report_faults(record) == 0) == 0;
}

bool export_scene(const struct knobs *knobs, uint32_t frames, char message[256])
{
    struct knobs of_run = *knobs;
    of_run.frames = frames;
    const struct program_options options = options_of(&of_run, frames);
    uint8_t *expected = calloc(frames, SCENE_FRAME_BYTES);
    struct machine *machine = expected != NULL ? machine_create_plain(&of_run, &options, expected, message) : NULL;
    bool is_good = machine != NULL && draw_expected(&machine->scene, frames, expected);
    while (is_good && !machine->is_over) is_good = machine_run(machine);
    if (is_good) is_good = machine_finish(machine) && judge(machine, &options);
    if (machine != NULL) snprintf(message, 256, "%s", machine->message[0] != 0 ? machine->message : "out of memory");
    else if (expected == NULL) snprintf(message, 256, "out of memory");
    machine_destroy(machine);
    free(expected);
    return is_good;
}
