/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera replay`: its options, a summary for people, the files for programs.
 */
#include "tools/replay/replay.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gpu_spec.h"
#include "lib/device/installation.h"
#include "tools/cli/option_table.h"

static const char default_report[] = "out/replay.json";

/* ------------------------------------------------------------------ options */

enum {
    OPTION_MODEL,
    OPTION_SCALE,
    OPTION_LIMIT,
    OPTION_POLICY,
    OPTION_FORCE_SPLIT,
    OPTION_AHEAD,
    OPTION_WORK,
    OPTION_SPLIT_PAGES,
    OPTION_ALLOCATIONS,
    OPTION_CONTEXTS,
    OPTION_SEED,
    OPTION_LATENCY,
    OPTION_STALL,
    OPTION_MAX_CYCLES,
    OPTION_REPORT,
    OPTION_SCHEDULE,
    OPTION_WORKLOAD,
    OPTION_SUBMITTED,
    OPTION_FIRMWARE,
    OPTIONS
};
static const struct option_line option_lines[OPTIONS] = {
    [OPTION_MODEL] = {GROUP_DEVICE, "model", NULL, "run the golden model, much faster, instead of the simulated chip"},
    [OPTION_SCALE] = {GROUP_DRAWN, "scale", "N", "divide all sizes by N (rounded up to pages)"},
    [OPTION_LIMIT] = {GROUP_DRAWN, "limit", "N", "replay only the first N buffers"},
    [OPTION_POLICY] = {GROUP_MEMORY, "policy", "NAME", OPTION_POLICY_HELP},
    [OPTION_FORCE_SPLIT] = {GROUP_TESTS, "force-split", NULL, "split at every possible point"},
    [OPTION_AHEAD] = {GROUP_DRAWN, "ahead", "N", "keep N buffers in flight, 1 to 8 (2)"},
    [OPTION_WORK] = {GROUP_DRAWN, "work", "BYTES",
                     "draw so many bytes per unit of the workload's time (as many as must be paged)"},
    [OPTION_SPLIT_PAGES] = {GROUP_MEMORY, "split-pages", "N",
                            "count a split as N copied pages, 1 to 1024 (4); with --model"},
    [OPTION_ALLOCATIONS] = {GROUP_MEMORY, "allocations", "N", OPTION_ALLOCATIONS_HELP},
    [OPTION_CONTEXTS] = {GROUP_MEMORY, "contexts", "N", OPTION_CONTEXTS_HELP},
    [OPTION_SEED] = {GROUP_DRAWN, "seed", "N", "choose content, host pages and interleaving (1)"},
    [OPTION_LATENCY] = {GROUP_DEVICE, "latency", "CYCLES", "set the read latency of system memory (20)"},
    [OPTION_STALL] = {GROUP_DEVICE, "stall", "PERCENT", "let system memory stall in so many of 100 cycles (0)"},
    [OPTION_MAX_CYCLES] = {GROUP_DEVICE, "max-cycles", "N", "stop with an error after N cycles (0: never)"},
    [OPTION_REPORT] = {GROUP_RESULTS, "report", "FILE", "write the figures as JSON (out/replay.json)"},
    [OPTION_SCHEDULE] = {GROUP_RESULTS, "schedule", "FILE",
                         "write what the device did: paging operations and portions"},
    [OPTION_WORKLOAD] = {GROUP_RESULTS, "workload", "FILE",
                         "write the workload as replayed, after --scale and --limit"},
    [OPTION_SUBMITTED] = {GROUP_RESULTS, "submitted", "FILE",
                          "write the buffers as submitted, cut where a step failed"},
    [OPTION_FIRMWARE] = {GROUP_DEVICE, "firmware", "ELF",
                         "load this firmware image (the one installed with this program)"},
};

static bool wide_number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    return option_number("tessera replay", name, text, low, high, value);
}

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera replay", name, text, low, high, value);
}

static bool take(void *context, int option, const char *text)
{
    struct replay_options *options = context;
    uint64_t work = 0;
    switch (option) {
    case OPTION_MODEL: options->open = replay_open_model; return true;
    case OPTION_SCALE: return number("scale", text, 1, 1u << 20, &options->scale);
    case OPTION_LIMIT: return number("limit", text, 1, UINT32_MAX, &options->limit);
    case OPTION_POLICY: return option_policy("tessera replay", text, &options->force);
    case OPTION_FORCE_SPLIT: options->force |= FIELD_PUT(1, HOST_FORCE_SPLIT); return true;
    case OPTION_AHEAD: return number("ahead", text, 1, REPLAY_AHEAD_MAX, &options->ahead);
    case OPTION_WORK:
        if (!wide_number("work", text, 1, UINT32_MAX, &work)) return false;
        options->work = (double)work;
        return true;
    case OPTION_SPLIT_PAGES: return number("split-pages", text, 1, REPLAY_SPLIT_PAGES_MAX, &options->split_pages);
    case OPTION_ALLOCATIONS: return option_allocations("tessera replay", text, &options->limits);
    case OPTION_CONTEXTS: return option_contexts("tessera replay", text, &options->limits);
    case OPTION_SEED: return number("seed", text, 0, UINT32_MAX, &options->seed);
    case OPTION_LATENCY: return number("latency", text, 1, 10000, &options->latency);
    case OPTION_STALL: return number("stall", text, 0, 90, &options->stall_percent);
    case OPTION_MAX_CYCLES: return wide_number("max-cycles", text, 0, UINT64_MAX, &options->max_cycles);
    case OPTION_REPORT: options->report = text; return true;
    case OPTION_SCHEDULE: options->schedule = text; return true;
    case OPTION_WORKLOAD: options->workload = text; return true;
    case OPTION_SUBMITTED: options->submitted = text; return true;
    case OPTION_FIRMWARE: options->firmware = text; return true;
    default: return false;
    }
}

static const struct option_table table = {
    "tessera replay", " FILE [options]: run a pagesim-1 workload (docs/replay.md)", option_lines, OPTIONS, take};

static enum option_outcome parse(struct replay_options *options, int argc, char **argv)
{
    enum option_outcome outcome = option_parse(&table, options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome;
    if (optind + 1 != argc) {
        fprintf(stderr, "tessera replay: %s. 'tessera replay --help' lists the options.\n",
                optind == argc ? "no workload: name a file" : "more than one workload: name one file");
        return OPTION_REFUSED;
    }
    if (options->split_pages != 0 && options->open != replay_open_model) {
        fprintf(stderr,
                "tessera replay: --split-pages needs --model. On the hardware the firmware measures that cost.\n");
        return OPTION_REFUSED;
    }
    options->file = argv[optind];
    return OPTION_GOOD;
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
                                     .firmware = installation_firmware(),
                                     .open = replay_open_simulator,
                                     .ahead = 2,
                                     .latency = 20,
                                     .seed = 1};
    struct replay_result result;
    char message[PAGESIM_MESSAGE], second[PAGESIM_MESSAGE];
    (void)option_policy("", OPTION_POLICY_DEFAULT, &options.force);
    enum option_outcome outcome = parse(&options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : 2;
    if (options.open == replay_open_model) options.firmware = NULL;
    if (options.report == default_report) (void)mkdir("out", 0777);
    bool is_good = replay_run(&options, &result, message);
    if (!is_good) fprintf(stderr, "tessera replay: %s\n", message);
    bool has_started = result.steps != 0 || is_good;
    if (has_started && !replay_write_report(&options, &result, is_good, message, options.report, second)) {
        fprintf(stderr, "tessera replay: --report: %s\n", second);
        is_good = result.has_run = false;
    }
    if (has_started && is_good) print_summary(&options, &result);
    free(result.buffer);
    return is_good ? 0 : result.has_run ? 1 : 2;
}
