/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera play`: its options and its results.
 */
#include "play.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "option_number.h"
#include "options.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

enum { SMALLEST_LOCAL = 4 };

static void print_help(void)
{
    puts("tessera play FILE [options]: draw a recording made by tessera-record (docs/record.md)\n"
         "\n"
         "  --model              the golden model, much faster, instead of the simulated hardware\n"
         "  --check              compare every frame with SDL 2's own software blit of the same file\n"
         "  --tolerance LEVELS   per blend, how far a channel may be off (1)\n"
         "  --frames A..B        only these frames, from 0; those before A are drawn by the golden model\n"
         "  --window             show frames in a window\n"
         "  --out DIR            frame-NNNN.png, run.json, report.html, trace.json (out)\n"
         "  --no-pictures        leave the PNG files out\n"
         "  --timeline           trace.json of all frames, not of the first 32 alone\n"
         "  --local small|large  small: --segment1 and --segment2 pages (64, 512); large: everything\n"
         "  --segment1 PAGES     --segment2 PAGES\n"
         "  --seed N             host pages, initial state (1)\n"
         "  --latency CYCLES     read latency of system memory (20)\n"
         "  --stall PERCENT      cycles in which system memory withholds a handshake (0)\n"
         "  --max-cycles N       give up after N cycles (0 = never)\n"
         "  --firmware ELF       firmware image (" TEXT(TESSERA_FIRMWARE_PATH) ")\n"
         "  --spoil              for tests: spoil a pixel of the first frame on the GPU; --check must fail");
}

/* ------------------------------------------------------------------ options */

enum {
    OPTION_MODEL = 256,
    OPTION_CHECK,
    OPTION_TOLERANCE,
    OPTION_FRAMES,
    OPTION_WINDOW,
    OPTION_OUT,
    OPTION_NO_PICTURES,
    OPTION_TIMELINE,
    OPTION_LOCAL,
    OPTION_SEGMENT1,
    OPTION_SEGMENT2,
    OPTION_SEED,
    OPTION_LATENCY,
    OPTION_STALL,
    OPTION_MAX_CYCLES,
    OPTION_FIRMWARE,
    OPTION_SPOIL,
    OPTION_HELP
};

static const struct option long_options[] = {{"model", no_argument, NULL, OPTION_MODEL},
                                             {"check", no_argument, NULL, OPTION_CHECK},
                                             {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
                                             {"frames", required_argument, NULL, OPTION_FRAMES},
                                             {"window", no_argument, NULL, OPTION_WINDOW},
                                             {"out", required_argument, NULL, OPTION_OUT},
                                             {"no-pictures", no_argument, NULL, OPTION_NO_PICTURES},
                                             {"timeline", no_argument, NULL, OPTION_TIMELINE},
                                             {"local", required_argument, NULL, OPTION_LOCAL},
                                             {"segment1", required_argument, NULL, OPTION_SEGMENT1},
                                             {"segment2", required_argument, NULL, OPTION_SEGMENT2},
                                             {"seed", required_argument, NULL, OPTION_SEED},
                                             {"latency", required_argument, NULL, OPTION_LATENCY},
                                             {"stall", required_argument, NULL, OPTION_STALL},
                                             {"max-cycles", required_argument, NULL, OPTION_MAX_CYCLES},
                                             {"firmware", required_argument, NULL, OPTION_FIRMWARE},
                                             {"spoil", no_argument, NULL, OPTION_SPOIL},
                                             {"help", no_argument, NULL, OPTION_HELP},
                                             {NULL, 0, NULL, 0}};

static bool wide_number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    return option_number("tessera play", name, text, low, high, "", value);
}

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera play", name, text, low, high, "", value);
}

static bool range(const char *text, uint32_t *first, uint32_t *last)
{
    int used = 0;
    int fields = sscanf(text, "%9u%n..%9u%n", first, &used, last, &used);
    if (fields == 1) *last = *first;
    if (fields >= 1 && text[used] == 0 && text[0] != '-' && *first <= *last) return true;
    fprintf(stderr, "tessera play: --frames %s: write A..B, for instance 0..99.\n", text);
    return false;
}

static bool local(const char *text, bool *is_large)
{
    *is_large = strcmp(text, "large") == 0;
    if (*is_large || strcmp(text, "small") == 0) return true;
    fprintf(stderr, "tessera play: --local %s: known are small and large.\n", text);
    return false;
}

static bool take(struct play_options *options, int option, const char *text)
{
    struct platform_options *platform = &options->platform;
    switch (option) {
    case OPTION_MODEL: platform->is_model = true; return true;
    case OPTION_CHECK: options->is_checked = true; return true;
    case OPTION_TOLERANCE: return number("tolerance", text, 0, 255, &options->tolerance);
    case OPTION_FRAMES: return range(text, &options->first, &options->last);
    case OPTION_WINDOW: options->has_window = true; return true;
    case OPTION_OUT: options->out = text; return true;
    case OPTION_NO_PICTURES: options->without_pictures = true; return true;
    case OPTION_TIMELINE: options->has_timeline = true; return true;
    case OPTION_LOCAL: return local(text, &options->is_large);
    case OPTION_SEGMENT1: return number("segment1", text, SMALLEST_LOCAL, 4096, &options->segment1_pages);
    case OPTION_SEGMENT2: return number("segment2", text, SMALLEST_LOCAL, 4096, &options->segment2_pages);
    case OPTION_SEED: return number("seed", text, 0, UINT32_MAX, &platform->seed);
    case OPTION_LATENCY: return number("latency", text, 1, 10000, &platform->latency);
    case OPTION_STALL: return number("stall", text, 0, 95, &platform->stall_percent);
    case OPTION_MAX_CYCLES: return wide_number("max-cycles", text, 0, UINT64_MAX, &platform->max_cycles);
    case OPTION_FIRMWARE: platform->firmware = text; return true;
    case OPTION_SPOIL: options->spoils = true; return true;
    default: return false;
    }
}

/* 0; 1 if help was printed; 2 after a line on stderr. */
static int parse(struct play_options *options, int argc, char **argv)
{
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "", long_options, NULL);
        if (option == -1) break;
        if (option == OPTION_HELP) {
            print_help();
            return 1;
        }
        if (option == '?') {
            fprintf(stderr, "tessera play: %s is no option, or lacks its value. 'tessera play --help' lists them.\n",
                    argv[optind - 1]);
            return 2;
        }
        if (!take(options, option, optarg)) return 2;
    }
    if (argc - optind != 1) {
        fprintf(stderr, "tessera play: name one recording. build/tessera-record PROGRAM makes one.\n");
        return 2;
    }
    options->file = argv[optind];
    return 0;
}

/* ------------------------------------------------------------------ the command */

static int judge_file(struct play_options *options, struct play_record *record)
{
    char message[256];
    if (recording_check(options->file, &record->totals, message) != 0) {
        uint32_t frames = record->totals.frames;
        if (options->last < frames) return 0; /* what is wrong comes behind what is wanted */
        fprintf(stderr, "tessera play: %s.", message);
        if (frames > 1) fprintf(stderr, " --frames 0..%u plays what is whole.", frames - 1u);
        fputc('\n', stderr);
        return 2;
    }
    if (record->totals.frames == 0) {
        fprintf(stderr, "tessera play: %s holds no frame.\n", options->file);
        return 2;
    }
    if (options->last == UINT32_MAX) options->last = record->totals.frames - 1u;
    if (options->last < record->totals.frames) return 0;
    fprintf(stderr, "tessera play: --frames: %s has frames 0 to %u.\n", options->file, record->totals.frames - 1u);
    return 2;
}

int play_command(int argc, char **argv)
{
    struct play_options options = {.out = "out",
                                   .segment1_pages = SMALL_SEGMENT1_PAGES,
                                   .segment2_pages = SMALL_SEGMENT2_PAGES,
                                   .tolerance = 1,
                                   .last = UINT32_MAX};
    struct play_record record = {0};
    char path[512], message[256];
    options.platform.seed = 1;
    options.platform.firmware = TEXT(TESSERA_FIRMWARE_PATH);
    int status = parse(&options, argc, argv);
    if (status != 0) return status == 1 ? 0 : 2;
    status = judge_file(&options, &record);
    if (status != 0) return status;
    if (mkdir(options.out, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "tessera play: cannot make the directory %s: %s. Name another with --out.\n", options.out,
                strerror(errno));
        return 2;
    }
    record.frames = calloc(options.last - options.first + 1u, sizeof *record.frames);
    if (record.frames == NULL) {
        fprintf(stderr, "tessera play: out of memory\n");
        return 2;
    }
    status = play_run(&options, &record);
    if (status != 2) {
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
