/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera play`: its options and its results.
 */
#include "clients/sdl/play/play.h"
#include "interrupt.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/device/dump_file.h"
#include "lib/device/installation.h"
#include "tools/cli/option_table.h"
#include "tools/cli/options.h"

enum { SMALLEST_LOCAL = 4 };

/* ------------------------------------------------------------------ options */

enum {
    OPTION_MODEL,
    OPTION_DEVICE,
    OPTION_CHECK,
    OPTION_TOLERANCE,
    OPTION_FRAMES,
    OPTION_IN_FLIGHT,
    OPTION_WINDOW,
    OPTION_OUT,
    OPTION_NO_PICTURES,
    OPTION_TIMELINE,
    OPTION_REPORT_FRAMES,
    OPTION_PAGE_TRACKS,
    OPTION_LOCAL,
    OPTION_SEGMENT1,
    OPTION_SEGMENT2,
    OPTION_ALLOCATIONS,
    OPTION_CONTEXTS,
    OPTION_COPY_ONLY,
    OPTION_WHY,
    OPTION_POLICY,
    OPTION_SEED,
    OPTION_LATENCY,
    OPTION_STALL,
    OPTION_MAX_CYCLES,
    OPTION_FIRMWARE,
    OPTION_SPOIL,
    OPTION_FAULTS,
    OPTIONS
};
static const struct option_line option_lines[OPTIONS] = {
    [OPTION_MODEL] = {GROUP_DEVICE, "model", NULL, "run the golden model, much faster, instead of the simulated chip"},
    [OPTION_DEVICE] = {GROUP_DEVICE, "device", "WHERE", "use a board, or a virtual machine's GPU (docs/linux.md)"},
    [OPTION_CHECK] = {GROUP_DRAWN, "check", NULL, "compare every frame with SDL 2's own drawing of the recording"},
    [OPTION_TOLERANCE] = {GROUP_DRAWN, "tolerance", "LEVELS", "let a channel differ by so many levels per blend (1)"},
    [OPTION_FRAMES] = {GROUP_DRAWN, "frames", "A..B", "draw only these frames, from 0; the model draws those before A"},
    [OPTION_IN_FLIGHT] = {GROUP_DRAWN, "in-flight", "N", "keep N frames in flight, 1 to 4 (2)"},
    [OPTION_WINDOW] = {GROUP_RESULTS, "window", NULL, "show each finished frame in a window (SDL 2)"},
    [OPTION_OUT] = {GROUP_RESULTS, "out", "DIR", "write results into this folder (out)"},
    [OPTION_NO_PICTURES] = {GROUP_RESULTS, "no-pictures", NULL, "write no PNG files"},
    [OPTION_TIMELINE] = {GROUP_RESULTS, "timeline", NULL, "write all frames into trace.json, not only the first 32"},
    [OPTION_REPORT_FRAMES] = {GROUP_RESULTS, "report-frames", "A..B",
                              "show these frames draw by draw in report.html (" OPTION_REPORT_FRAMES_DEFAULT ")"},
    [OPTION_PAGE_TRACKS] = {GROUP_RESULTS, "page-tracks", NULL,
                            "write a track per page into trace.json, not per segment"},
    [OPTION_LOCAL] = {GROUP_MEMORY, "local", "small|large",
                      "use small local memory (--segment1, --segment2) or all (small)"},
    [OPTION_SEGMENT1] = {GROUP_MEMORY, "segment1", "PAGES", "give segment 1 so many pages with --local small (64)"},
    [OPTION_SEGMENT2] = {GROUP_MEMORY, "segment2", "PAGES", "give segment 2 so many pages with --local small (512)"},
    [OPTION_ALLOCATIONS] = {GROUP_MEMORY, "allocations", "N", OPTION_ALLOCATIONS_HELP},
    [OPTION_CONTEXTS] = {GROUP_MEMORY, "contexts", "N", OPTION_CONTEXTS_HELP},
    [OPTION_COPY_ONLY] = {GROUP_MEMORY, "copy-only", NULL,
                          "copy every surface into local memory, so that others are evicted"},
    [OPTION_WHY] = {GROUP_RESULTS, "why", NULL, "say at the end which segment each allocation is read from, and why"},
    [OPTION_POLICY] = {GROUP_MEMORY, "policy", "NAME", OPTION_POLICY_HELP},
    [OPTION_SEED] = {GROUP_DRAWN, "seed", "N", "choose host pages and initial state (1)"},
    [OPTION_LATENCY] = {GROUP_DEVICE, "latency", "CYCLES", "set the read latency of system memory (20)"},
    [OPTION_STALL] = {GROUP_DEVICE, "stall", "PERCENT", "let system memory stall in so many of 100 cycles (0)"},
    [OPTION_MAX_CYCLES] = {GROUP_DEVICE, "max-cycles", "N", "stop with an error after N cycles (0: never)"},
    [OPTION_FIRMWARE] = {GROUP_DEVICE, "firmware", "ELF",
                         "load this firmware image (the one installed with this program)"},
    [OPTION_FAULTS] = {GROUP_RESULTS, "faults", "FOLDER", DUMP_FILE_HELP},
    [OPTION_SPOIL] = {GROUP_TESTS, "spoil", NULL, "spoil a pixel of the first frame on the GPU: --check must fail"},
};

static bool wide_number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    return option_number("tessera play", name, text, low, high, value);
}

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera play", name, text, low, high, value);
}

static bool local(const char *text, bool *is_large)
{
    *is_large = strcmp(text, "large") == 0;
    if (*is_large || strcmp(text, "small") == 0) return true;
    fprintf(stderr, "tessera play: --local %s: unknown value. Choose small or large.\n", text);
    return false;
}

static bool take(void *context, int option, const char *text)
{
    struct play_options *options = context;
    struct platform_options *platform = &options->platform;
    switch (option) {
    case OPTION_MODEL: platform->is_model = true; return true;
    case OPTION_DEVICE: platform->device = text; return true;
    case OPTION_CHECK: options->is_checked = true; return true;
    case OPTION_TOLERANCE: return number("tolerance", text, 0, 255, &options->tolerance);
    case OPTION_FRAMES: return option_range("tessera play", "frames", text, &options->first, &options->last);
    case OPTION_REPORT_FRAMES:
        return option_range("tessera play", "report-frames", text, &options->report_first, &options->report_last);
    case OPTION_IN_FLIGHT: return number("in-flight", text, 1, PLAY_IN_FLIGHT, &options->in_flight);
    case OPTION_WINDOW: options->has_window = true; return true;
    case OPTION_OUT: options->out = text; return true;
    case OPTION_NO_PICTURES: options->without_pictures = true; return true;
    case OPTION_PAGE_TRACKS: options->has_page_tracks = true; return true;
    case OPTION_TIMELINE: options->has_timeline = true; return true;
    case OPTION_LOCAL: return local(text, &options->is_large);
    case OPTION_SEGMENT1: return number("segment1", text, SMALLEST_LOCAL, 4096, &options->segment1_pages);
    case OPTION_SEGMENT2: return number("segment2", text, SMALLEST_LOCAL, 4096, &options->segment2_pages);
    case OPTION_ALLOCATIONS: return option_allocations("tessera play", text, &options->limits);
    case OPTION_CONTEXTS: return option_contexts("tessera play", text, &options->limits);
    case OPTION_WHY: options->asks_why = true; return true;
    case OPTION_COPY_ONLY: options->is_copied = true; return true;
    case OPTION_POLICY: return option_policy("tessera play", text, &options->force);
    case OPTION_SEED: return number("seed", text, 0, UINT32_MAX, &platform->seed);
    case OPTION_LATENCY: return number("latency", text, 1, 10000, &platform->latency);
    case OPTION_STALL: return number("stall", text, 0, 90, &platform->stall_percent);
    case OPTION_MAX_CYCLES: return wide_number("max-cycles", text, 0, UINT64_MAX, &platform->max_cycles);
    case OPTION_FIRMWARE: platform->firmware = text; return true;
    case OPTION_SPOIL: options->spoils = true; return true;
    case OPTION_FAULTS: return dump_file_option("tessera play", text);
    default: return false;
    }
}

static const struct option_table table = {"tessera play",
                                          " FILE [options]: draw a recording made by tessera-record (docs/record.md)",
                                          option_lines, OPTIONS, take};

/* Options of simulations mean nothing to a device. */
static bool is_of_use(const struct play_options *options)
{
    const struct platform_options *platform = &options->platform;
    const char *given = platform->is_model             ? "model"
                        : platform->latency != 0       ? "latency"
                        : platform->stall_percent != 0 ? "stall"
                        : platform->max_cycles != 0    ? "max-cycles"
                                                       : NULL;
    if (platform->device == NULL || given == NULL) return true;
    fprintf(stderr, "tessera play: --%s has no effect on a board. Leave it out, or leave out --device.\n", given);
    return false;
}

static enum option_outcome parse(struct play_options *options, int argc, char **argv)
{
    enum option_outcome outcome = option_parse(&table, options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome;
    if (argc - optind != 1) {
        fprintf(stderr, "tessera play: name one recording. build/tessera-record PROGRAM makes one.\n");
        return OPTION_REFUSED;
    }
    options->file = argv[optind];
    return is_of_use(options) ? OPTION_GOOD : OPTION_REFUSED;
}

/* ------------------------------------------------------------------ the command */

static int judge_file(struct play_options *options, struct play_record *record)
{
    char message[256];
    if (recording_check(options->file, &record->totals, message) != 0) {
        uint32_t frames = record->totals.frames;
        if (options->last < frames) return 0; /* what is wrong comes after what is wanted */
        fprintf(stderr, "tessera play: %s.", message);
        if (frames > 1) fprintf(stderr, " Or play the frames before the damage: --frames 0..%u.", frames - 1u);
        fputc('\n', stderr);
        return 2;
    }
    if (record->totals.frames == 0) {
        fprintf(stderr, "tessera play: %s has no frame. Record it again.\n", options->file);
        return 2;
    }
    if (options->last == UINT32_MAX) options->last = record->totals.frames - 1u;
    if (options->last < record->totals.frames) return 0;
    fprintf(stderr, "tessera play: --frames: %s has frames 0 to %u. Name some of these.\n", options->file,
            record->totals.frames - 1u);
    return 2;
}

int play_command(int argc, char **argv)
{
    struct play_options options = {.out = "out",
                                   .segment1_pages = SMALL_SEGMENT1_PAGES,
                                   .segment2_pages = SMALL_SEGMENT2_PAGES,
                                   .tolerance = 1,
                                   .in_flight = PLAY_IN_FLIGHT_DEFAULT,
                                   .last = UINT32_MAX,
                                   .report_last = UINT32_MAX};
    struct play_record record = {0};
    char path[512], message[256];
    options.platform.seed = 1;
    options.platform.firmware = installation_firmware();
    (void)option_policy("", OPTION_POLICY_DEFAULT, &options.force);
    enum option_outcome outcome = parse(&options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : 2;
    int status = judge_file(&options, &record);
    if (status != 0) return status;
    if (record.totals.records[RECORDING_BLIT] + record.totals.records[RECORDING_FILL] == 0)
        fprintf(stderr,
                "tessera play: %s has no blit and no fill. So the GPU draws nothing: the host writes all pixels.\n",
                options.file);
    if (!option_report_frames("tessera play", options.first, options.last, &options.report_first, &options.report_last))
        return 2;
    if (!option_folder("tessera play", options.out)) return 2;
    record.frames = calloc(options.last - options.first + 1u, sizeof *record.frames);
    if (record.frames == NULL) {
        fprintf(stderr, "tessera play: out of memory. Draw fewer frames with --frames A..B.\n");
        return 2;
    }
    interrupt_watch();
    status = play_run(&options, &record);
    if (interrupt_asked()) {
        fprintf(stderr, "tessera play: interrupted. No complete report of this run is in %s.\n", options.out);
        snprintf(path, sizeof path, "%s/run.json", options.out);
        (void)remove(path); /* of a run before, beside pictures of this one */
        status = 130;       /* as shells say of SIGINT */
    } else if (status != 2) {
        snprintf(path, sizeof path, "%s/run.json", options.out);
        if (play_report_json(path, &options, &record, message) != 0) {
            fprintf(stderr, "tessera play: %s\n", message);
            status = 2;
        } else {
            play_report_table(&options, &record);
        }
    }
    if (status == 0 && !play_is_good(&record)) status = 1;
    free(record.frames);
    return status;
}
