/* SPDX-License-Identifier: Apache-2.0
 *
 * What is dropped on the page: a recording, played by host/clients/sdl/play, or a workload, by host/replay. Both run as
 * a whole, on the machine's device, and its tape sees it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_internal.h"
#include "clients/sdl/play/play.h"
#include "tools/replay/replay.h"

enum { AHEAD = 4, SIDE_MOST = 2048 };

/* Lines on stderr, kept by the worker, say why play_run has given up; this says it where nothing else does. */
static bool fail(struct machine *machine, const char *text)
{
    if (machine->message[0] == 0) snprintf(machine->message, sizeof machine->message, "%s", text);
    machine->is_over = true;
    return false;
}

/* A line of the host's code about the path that the file has here, about the name that it has for the page. */
static void name_file(struct machine *machine, const char *path, const char *name)
{
    char text[sizeof machine->message];
    char *at = strstr(machine->message, path);
    if (at == NULL) return;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - machine->message), machine->message, name, at + strlen(path));
    memcpy(machine->message, text, sizeof text);
}

/* ------------------------------------------------------------------ the view of what plays */

static void *copy(const void *from, size_t bytes)
{
    void *made = from != NULL ? malloc(bytes + 1u) : NULL;
    if (made != NULL) memcpy(made, from, bytes);
    return made;
}

void machine_keep_view(struct machine *machine)
{
    const struct view *from = machine->view;
    if (!machine->is_view_borrowed || from == NULL) return;
    struct view *kept = copy(from, sizeof *from);
    machine->view = kept;
    machine->is_view_borrowed = false;
    if (kept == NULL) return;
    kept->timeline = NULL;
    kept->draws = NULL;
    kept->is_closed = true;
    kept->known = copy(from->known, VIEW_KNOWN * sizeof *from->known);
    kept->stays = copy(from->stays, from->stay_count * sizeof *from->stays);
    kept->jobs = copy(from->jobs, from->job_count * sizeof *from->jobs);
    kept->decisions = copy(from->decisions, from->decision_count * sizeof *from->decisions);
    kept->samples = NULL;
    kept->frames = NULL;
}

/* ------------------------------------------------------------------ a recording */

/* The surface that its first frame shows, which the picture is made for. */
static bool find_picture(struct machine *machine, const char *path)
{
    struct recording *recording;
    struct recording_event event;
    int next;
    if (recording_open(&recording, path, machine->message) != 0) return false;
    do next = recording_next(recording, &event, machine->message);
    while (next == 1 && event.kind != RECORDING_PRESENT);
    const struct recording_surface *surface = next == 1 ? recording_surface(recording, event.surface) : NULL;
    const bool is_good = surface != NULL && surface->width <= SIDE_MOST && surface->height <= SIDE_MOST &&
                         machine_picture_init(machine, surface->width, surface->height, FORMAT_ARGB8888, 1);
    recording_close(recording);
    return is_good || fail(machine, "the recording has no frame that can be shown. Record it again");
}

/* Cycles and work of its frames, as a scene's have them. */
static bool take_frames(struct machine *machine, const struct play_record *record)
{
    machine->record.frames = calloc(record->frame_count + 1u, sizeof *machine->record.frames);
    if (machine->record.frames == NULL) return fail(machine, "out of memory");
    machine->record.first_cycle = record->first_cycle;
    for (uint32_t i = 0; i < record->frame_count; i++) {
        const struct play_frame *from = &record->frames[i];
        machine->record.frames[i].done_cycle = from->done_cycle;
        machine->record.frames[i].result = (struct scene_result){.buffers = from->work.buffers,
                                                                 .portions = from->work.portions,
                                                                 .evictions = from->work.evictions,
                                                                 .pages_in = from->work.pages_in,
                                                                 .pages_out = from->work.pages_out};
    }
    return true;
}

static bool load_recording(struct machine *machine, const char *path)
{
    const struct knobs *knobs = &machine->knobs;
    struct play_record record = {0};
    struct play_options options = {.platform = {.is_model = true, .seed = knobs->seed},
                                   .file = path,
                                   .out = "out",
                                   .segment1_pages = knobs->segment1,
                                   .segment2_pages = knobs->segment2,
                                   .is_copied = knobs->is_copied,
                                   .in_flight = PLAY_IN_FLIGHT_DEFAULT,
                                   .force = knobs->force};
    if (recording_check(path, &record.totals, machine->message) != 0) return false;
    if (record.totals.frames == 0) return fail(machine, "the recording has no frame. Record it again");
    options.last = (knobs->frames < record.totals.frames ? knobs->frames : record.totals.frames) - 1u;
    options.report_last = options.last < 3u ? options.last : 3u;
    record.frames = calloc(options.last + 1u, sizeof *record.frames);
    if (record.frames == NULL || !find_picture(machine, path)) {
        free(record.frames);
        return fail(machine, "out of memory");
    }
    machine->waits_to_tape = true;
    const int status = play_run(&options, &record);
    snprintf(machine->message, sizeof machine->message, "%s", record.failure);
    bool is_good = status == 0 && play_report_json("out/run.json", &options, &record, machine->message) == 0;
    if (!take_frames(machine, &record)) is_good = false;
    free(record.frames);
    return is_good || fail(machine, "the recording could not be played");
}

/* ------------------------------------------------------------------ a workload */

static int open_model(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    struct machine *machine = machine_current();
    machine->view = view_open("out", message);
    if (machine->view == NULL) return -1;
    if (machine_open_device(machine, options->memory_bytes, options->seed, view_probe(machine->view), options->probe,
                            &machine->platform.transport, message) != 0)
        return -1;
    view_watch(machine->view, &machine->platform.transport, &machine->watched);
    *transport = machine->watched;
    return 0;
}

static bool load_workload(struct machine *machine, const char *path)
{
    const struct knobs *knobs = &machine->knobs;
    const struct replay_options options = {.file = path,
                                           .open = open_model,
                                           .ahead = AHEAD,
                                           .force = knobs->force,
                                           .split_pages = knobs->split_cost,
                                           .seed = knobs->seed};
    struct replay_result result = {0};
    char message[PAGESIM_MESSAGE] = "";
    if (!machine_picture_init(machine, 0, 0, FORMAT_RGB565, 1)) return fail(machine, "out of memory");
    machine->waits_to_tape = true;
    const bool is_good = replay_run(&options, &result, message);
    free(result.buffer);
    if (!is_good) snprintf(machine->message, sizeof machine->message, "%.255s", message);
    return is_good || fail(machine, "the workload could not be run");
}

/* ------------------------------------------------------------------ either */

/* 'T': a recording, '{': perhaps a workload, 0: neither. */
static char kind_of(const char *path)
{
    char first[8] = "";
    FILE *file = fopen(path, "rb");
    const size_t count = file != NULL ? fread(first, 1, sizeof first, file) : 0;
    if (file != NULL) fclose(file);
    if (count == sizeof first && memcmp(first, "TSRASDL\n", sizeof first) == 0) return 'T';
    const size_t space = count != 0 ? strspn(first, " \t\r\n") : 0;
    return space < count && first[space] == '{' ? '{' : 0;
}

bool machine_load(struct machine *machine)
{
    static const char path[] = "in/file";
    const char kind = kind_of(path);
    bool is_good = false;
    if (kind == 'T') is_good = load_recording(machine, path);
    else if (kind == '{') is_good = load_workload(machine, path);
    else
        snprintf(machine->message, sizeof machine->message,
                 "%s is neither a recording (.tsdl of tessera-record) nor a workload (pagesim-1). Choose one of these",
                 machine->knobs.file);
    name_file(machine, path, machine->knobs.file);
    machine_tape_flush(machine);
    machine->is_over = true;
    return is_good && machine->tape != NULL;
}
