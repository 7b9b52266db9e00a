/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera-record: run an SDL 1.2, 2 or 3 program and record what it draws. docs/record.md has the rest.
 *
 * The recording is made beside the file that was asked for and takes its place when it is whole. The recorder inside
 * the program (hooks.c) fills it; this program, which outlives that one, ends it: after an exit, a signal or a crash
 * alike.
 *
 * Exit status: 0 with a recording; 1 with one that ends before the program did, or where the program ended by a signal
 * or with an exit status other than 0; 2 without a recording. A line says which.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/sdl/record/events.h"
#include "clients/sdl/record/launch.h"

enum { PROGRAM_FAILED = 1, NO_RECORDING = 2 };

static const char help[] =
    "tessera-record [options] PROGRAM [ARGUMENT...]: run an SDL 1.2, 2 or 3 program and record the surfaces it shows\n"
    "(docs/record.md). 'tessera play' draws the recording.\n\n"
    "  -o, --output FILE    write the recording to FILE, which is replaced when all is written (recording.tsdl)\n"
    "  -n, --frames N       end the program after N frames\n" EVENTS_HELP
    "  -w, --wait SECONDS   say why, when the program has shown nothing for so long; 0: never (1)\n"
    "  -h, --help           print this text\n\n"
    "Of SDL 3 these are recorded: BlitSurface (also Scaled, Tiled, Unchecked), FillSurfaceRect(s), ClearSurface,\n"
    "RenderClear, RenderFillRect(s), RenderRect(s), RenderLine(s), RenderPoint(s), RenderTexture(Rotated),\n"
    "UpdateTexture, RenderPresent, UpdateWindowSurface(Rects). What other functions draw is recorded as pixels.\n"
    "A library that SDL3_DYNAMIC_API names is also used.\n";

struct recorder {
    struct launch launch;
    const char *file;
    char partial[LAUNCH_NAME + 8];
    int descriptor; /* of the recording */
};

/* ------------------------------------------------------------------ the command line */

/* -1: go on; else an exit status. */
static int parse(struct recorder *recorder, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"frames", required_argument, NULL, 'n'},
        {"events", required_argument, NULL, 'e'}, {"wait", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    int option;
    bool is_good = true;
    while (is_good && (option = launch_next(&recorder->launch, argc, argv, "+:o:n:e:w:h", options)) != -1) {
        switch (option) {
        case 'o': recorder->file = optarg; break;
        case 'h': return launch_help(&recorder->launch, help);
        default: is_good = launch_option(&recorder->launch, option, optarg);
        }
    }
    return is_good && launch_arguments(&recorder->launch, argv + optind) ? -1 : NO_RECORDING;
}

/* ------------------------------------------------------------------ the file */

static bool open_file(struct recorder *recorder)
{
    struct stat status;
    if (stat(recorder->file, &status) == 0 && !S_ISREG(status.st_mode))
        return launch_refuse(&recorder->launch, recorder->file, "is not a regular file. Name another with -o.");
    if (snprintf(recorder->partial, LAUNCH_NAME, "%s.XXXXXX", recorder->file) >= LAUNCH_NAME)
        return launch_refuse(&recorder->launch, recorder->file, "is too long a name. Name a shorter one with -o.");
    recorder->descriptor = mkostemp(recorder->partial, O_CLOEXEC);
    if (recorder->descriptor < 0) return launch_fail(&recorder->launch, recorder->file, "Name another file with -o.");
    mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(recorder->descriptor, 0666 & ~mask);
    return true;
}

/* ------------------------------------------------------------------ the end */

static int finish(struct recorder *recorder)
{
    const struct launch *launch = &recorder->launch;
    struct record_link *link = launch->link;
    const struct link_counts *counts = &link->counts;
    atomic_store(&link->is_closed, true);
    uint32_t frames = recording_progress(&link->state).frames;
    if (frames == 0) {
        launch_say_nothing(launch, "nothing was recorded");
        return launch_has_failed(launch) ? PROGRAM_FAILED : NO_RECORDING;
    }
    struct recording_writer *writer = recording_continue(recorder->descriptor, &link->state);
    recorder->descriptor = -1;
    for (uint32_t i = REASON_NONE + 1u; writer != NULL && i < RECORDING_REASONS; i++) {
        const struct recording_event left = {
            .kind = RECORDING_LEFT, .reason = (enum recording_reason)i, .blits = counts->left[i]};
        if (left.blits != 0) (void)recording_add(writer, &left);
    }
    if (writer == NULL || recording_finish(writer) != 0 || rename(recorder->partial, recorder->file) != 0) {
        (void)launch_fail(launch, recorder->file, "Make room, or name another file with -o.");
        return NO_RECORDING;
    }
    recorder->partial[0] = 0;
    fprintf(stderr, "tessera-record: %s: %u frames, %u surfaces, %u blits, %u fills, %.1f KB of finished pixels:\n",
            recorder->file, frames, counts->surfaces, counts->blits, counts->fills,
            (double)counts->pixel_bytes / 1024.0);
    launch_say_finished(launch, counts->finished, 1024.0, "KB");
    bool is_bad = launch_say_end(launch) || atomic_load(&link->has_failed);
    return is_bad ? PROGRAM_FAILED : 0;
}

int main(int argc, char **argv)
{
    static struct recorder recorder = {.launch = {.self = "tessera-record", .events = "", .wait_seconds = 1},
                                       .file = "recording.tsdl",
                                       .descriptor = -1};
    struct launch *launch = &recorder.launch;
    int status = parse(&recorder, argc, argv);
    if (status >= 0) return status;
    status = NO_RECORDING;
    if (launch_find(launch) && open_file(&recorder) && launch_link(launch, recorder.file, recorder.descriptor) &&
        launch_run(launch))
        status = finish(&recorder);
    if (recorder.partial[0] != 0) (void)unlink(recorder.partial);
    launch_end(launch);
    return status;
}
