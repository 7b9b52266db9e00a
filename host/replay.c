/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera replay`: its options, a summary for people, the files for programs.
 */
#include "replay.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gpu_spec.h"
#include "option_number.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

static const char default_report[] = "out/replay.json";

static void print_help(void)
{
    puts("tessera replay FILE [options]: run a pagesim-1 workload (docs/replay.md)\n"
         "\n"
         "  --model              the golden model, much faster, instead of the simulated hardware\n"
         "  --scale N            divide all sizes by N (rounded up to pages)\n"
         "  --limit N            only the first N buffers\n"
         "  --policy NAME        literal or lookahead (literal)\n"
         "  --force-split        take every split point\n"
         "  --ahead N            buffers under way at a time, 1..8 (2)\n"
         "  --work BYTES         bytes drawn per unit of the workload's time (as much as must be paged)\n"
         "  --seed N             content, host pages, interleaving (1)\n"
         "  --latency CYCLES     read latency of system memory (20)\n"
         "  --stall PERCENT      cycles in which system memory withholds a handshake (0)\n"
         "  --max-cycles N       give up after N cycles (0 = never)\n"
         "  --report FILE        numbers as JSON (out/replay.json)\n"
         "  --schedule FILE      what the device did: paging operations and portions\n"
         "  --workload FILE      the workload as replayed, after --scale and --limit\n"
         "  --submitted FILE     the buffers as submitted, cut where a step failed, with their schedule\n"
         "  --firmware ELF       firmware image (" TEXT(TESSERA_FIRMWARE_PATH) ")");
}

/* ------------------------------------------------------------------ options */

enum {
    OPTION_MODEL = 256,
    OPTION_SCALE,
    OPTION_LIMIT,
    OPTION_POLICY,
    OPTION_FORCE_SPLIT,
    OPTION_AHEAD,
    OPTION_WORK,
    OPTION_SEED,
    OPTION_LATENCY,
    OPTION_STALL,
    OPTION_MAX_CYCLES,
    OPTION_REPORT,
    OPTION_SCHEDULE,
    OPTION_WORKLOAD,
    OPTION_SUBMITTED,
    OPTION_FIRMWARE,
    OPTION_HELP
};

static const struct option long_options[] = {{"model", no_argument, NULL, OPTION_MODEL},
                                             {"scale", required_argument, NULL, OPTION_SCALE},
                                             {"limit", required_argument, NULL, OPTION_LIMIT},
                                             {"policy", required_argument, NULL, OPTION_POLICY},
                                             {"force-split", no_argument, NULL, OPTION_FORCE_SPLIT},
                                             {"ahead", required_argument, NULL, OPTION_AHEAD},
                                             {"work", required_argument, NULL, OPTION_WORK},
                                             {"seed", required_argument, NULL, OPTION_SEED},
                                             {"latency", required_argument, NULL, OPTION_LATENCY},
                                             {"stall", required_argument, NULL, OPTION_STALL},
                                             {"max-cycles", required_argument, NULL, OPTION_MAX_CYCLES},
                                             {"report", required_argument, NULL, OPTION_REPORT},
                                             {"schedule", required_argument, NULL, OPTION_SCHEDULE},
                                             {"workload", required_argument, NULL, OPTION_WORKLOAD},
                                             {"submitted", required_argument, NULL, OPTION_SUBMITTED},
                                             {"firmware", required_argument, NULL, OPTION_FIRMWARE},
                                             {"help", no_argument, NULL, OPTION_HELP},
                                             {NULL, 0, NULL, 0}};

static bool wide_number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    return option_number("tessera replay", name, text, low, high, "", value);
}

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera replay", name, text, low, high, "", value);
}

static bool take(struct replay_options *options, int option, const char *text)
{
    uint64_t work = 0;
    switch (option) {
    case OPTION_MODEL:
        options->open = replay_open_model;
        return true;
    case OPTION_SCALE:
        return number("scale", text, 1, 1u << 20, &options->scale);
    case OPTION_LIMIT:
        return number("limit", text, 1, UINT32_MAX, &options->limit);
    case OPTION_POLICY:
        return option_policy("tessera replay", text, &options->force);
    case OPTION_FORCE_SPLIT:
        options->force |= FIELD_PUT(1, HOST_FORCE_SPLIT);
        return true;
    case OPTION_AHEAD:
        return number("ahead", text, 1, REPLAY_AHEAD_MAX, &options->ahead);
    case OPTION_WORK:
        if (!wide_number("work", text, 1, UINT32_MAX, &work)) return false;
        options->work = (double)work;
        return true;
    case OPTION_SEED:
        return number("seed", text, 0, UINT32_MAX, &options->seed);
    case OPTION_LATENCY:
        return number("latency", text, 1, 10000, &options->latency);
    case OPTION_STALL:
        return number("stall", text, 0, 90, &options->stall_percent);
    case OPTION_MAX_CYCLES:
        return wide_number("max-cycles", text, 0, UINT64_MAX, &options->max_cycles);
    case OPTION_REPORT:
        options->report = text;
        return true;
    case OPTION_SCHEDULE:
        options->schedule = text;
        return true;
    case OPTION_WORKLOAD:
        options->workload = text;
        return true;
    case OPTION_SUBMITTED:
        options->submitted = text;
        return true;
    case OPTION_FIRMWARE:
        options->firmware = text;
        return true;
    default:
        return false;
    }
}

/* 0; 1 after help was printed; 2 after a line about what is wrong. */
static int parse(struct replay_options *options, int argc, char **argv)
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
            fprintf(stderr,
                    "tessera replay: %s is no option, or lacks its value. 'tessera replay --help' lists them.\n",
                    argv[optind - 1]);
            return 2;
        }
        if (!take(options, option, optarg)) return 2;
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "tessera replay: %s. 'tessera replay --help' lists the options.\n",
                optind == argc ? "which workload? Name a file" : "one workload at a time");
        return 2;
    }
    options->file = argv[optind];
    return 0;
}

/* ------------------------------------------------------------------ the command */

static void print_summary(const struct replay_options *options, const struct replay_result *result)
{
    const struct track_counts *paging = &result->paging;
    printf("%s: %u buffers, %u steps, %u portions (at least %u), %u failed steps\n", options->file, result->buffers,
           result->steps, result->portions, result->portions_minimum, result->failed_steps);
    printf("  paging: %llu pages in, %llu out (%llu of them clean), together at least %llu; %llu filled, %llu moved, "
           "%llu mapped\n",
           (unsigned long long)paging->pages[TRACK_IN], (unsigned long long)paging->pages[TRACK_OUT],
           (unsigned long long)paging->clean_out, (unsigned long long)result->traffic_minimum,
           (unsigned long long)paging->pages[TRACK_FILL], (unsigned long long)paging->pages[TRACK_MOVE],
           (unsigned long long)paging->pages[TRACK_MAP]);
    printf("  cycles: %llu, engine busy %llu, paging busy %llu, firmware %u\n", (unsigned long long)result->cycles,
           (unsigned long long)result->busy_cycles[0], (unsigned long long)result->busy_cycles[1],
           result->statistics[STAT_FIRMWARE_CYCLES]);
    if (result->paging.meter.copy_bytes != 0)
        printf("  time: %.2f of what neither node can do without, %.2f of what the busier one did; both worked for "
               "%llu cycles\n",
               replay_time_ratio(result), replay_overlap_ratio(result),
               (unsigned long long)result->paging.meter.both_cycles);
    if (result->grown_pages != 0)
        printf("  scale: segments are %u pages larger than asked for, so that every step fits\n", result->grown_pages);
    printf("  content: %llu pages compared\n", (unsigned long long)result->checked_pages);
}

int replay_command(int argc, char **argv)
{
    struct replay_options options = {.report = default_report,
                                     .firmware = TEXT(TESSERA_FIRMWARE_PATH),
                                     .open = replay_open_simulator,
                                     .ahead = 2,
                                     .latency = 20,
                                     .seed = 1};
    struct replay_result result;
    char message[PAGESIM_MESSAGE], second[PAGESIM_MESSAGE];
    int status = parse(&options, argc, argv);
    if (status != 0) return status == 1 ? 0 : 2;
    if (options.open == replay_open_model) options.firmware = NULL;
    if (options.report == default_report) (void)mkdir("out", 0777);
    bool is_good = replay_run(&options, &result, message);
    if (!is_good) fprintf(stderr, "%s\n", message);
    bool has_started = result.steps != 0 || is_good;
    if (has_started && !replay_write_report(&options, &result, is_good, message, options.report, second)) {
        fprintf(stderr, "%s\n", second);
        is_good = false;
    }
    if (has_started && is_good) print_summary(&options, &result);
    free(result.buffer);
    return is_good ? 0 : 1;
}
