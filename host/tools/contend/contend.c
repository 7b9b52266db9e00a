/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera contend`: its options, a table for people, a file for programs.
 */
#include "tools/contend/contend.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "lib/device/installation.h"
#include "tools/cli/option_table.h"

enum {
    OPTION_SET,
    OPTION_MODEL,
    OPTION_POLICY,
    OPTION_NO_SHARES,
    OPTION_PAGES,
    OPTION_ROUNDS,
    OPTION_AHEAD,
    OPTION_TEXTURE,
    OPTION_DRAWS,
    OPTION_SKIP,
    OPTION_SHUFFLE,
    OPTION_MAP,
    OPTION_ALLOCATIONS,
    OPTION_CONTEXTS,
    OPTION_SEED,
    OPTION_LATENCY,
    OPTION_REPORT,
    OPTION_FIRMWARE,
    OPTIONS
};
static const struct option_line option_lines[OPTIONS] = {
    [OPTION_SET] = {GROUP_DRAWN, "set", "P[:B[:N]]",
                    "add a context, 1 to 8 of them: its textures are P percent of memory, its\n"
                    "                       budget is B percent (0: an automatic share), its priority N, -7 to 7 (0)"},
    [OPTION_MODEL] = {GROUP_DEVICE, "model", NULL, "run the golden model, much faster, instead of the simulated chip"},
    [OPTION_POLICY] = {GROUP_MEMORY, "policy", "NAME", OPTION_POLICY_HELP},
    [OPTION_NO_SHARES] = {GROUP_MEMORY, "no-shares", NULL, "choose evictions as if all were one context"},
    [OPTION_PAGES] = {GROUP_MEMORY, "pages", "N", "let them share N pages of memory (256)"},
    [OPTION_ROUNDS] = {GROUP_DRAWN, "rounds", "N",
                       "submit N DMA buffers per context (16), after one that is not counted"},
    [OPTION_AHEAD] = {GROUP_DRAWN, "ahead", "N", "queue N DMA buffers per context at a time, 1 to 8 (1)"},
    [OPTION_TEXTURE] = {GROUP_DRAWN, "texture", "N", "make the largest texture N pages (8)"},
    [OPTION_DRAWS] = {GROUP_DRAWN, "draws", "N", "draw each texture N times in a DMA buffer (2)"},
    [OPTION_SKIP] = {GROUP_DRAWN, "skip", "PERCENT", "leave so many percent of the textures out of a DMA buffer (10)"},
    [OPTION_SHUFFLE] = {GROUP_DRAWN, "shuffle", NULL, "use textures in another order in each DMA buffer"},
    [OPTION_MAP] = {GROUP_MEMORY, "map", NULL, "allow textures to be read in place where that costs less"},
    [OPTION_ALLOCATIONS] = {GROUP_MEMORY, "allocations", "N", OPTION_ALLOCATIONS_HELP},
    [OPTION_CONTEXTS] = {GROUP_MEMORY, "contexts", "N", OPTION_CONTEXTS_HELP},
    [OPTION_SEED] = {GROUP_DRAWN, "seed", "N", "choose sizes, content and what is left out (1)"},
    [OPTION_LATENCY] = {GROUP_DEVICE, "latency", "CYCLES", "set the read latency of system memory (20)"},
    [OPTION_REPORT] = {GROUP_RESULTS, "report", "FILE", "write the figures as JSON"},
    [OPTION_FIRMWARE] = {GROUP_DEVICE, "firmware", "ELF",
                         "load this firmware image (the one installed with this program)"},
};

static bool number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera contend", name, text, low, high, value);
}

/* Four characters of a number at most: nothing of them is cut off. */
static bool add_set(struct contend_options *options, const char *text)
{
    struct contend_context *context = &options->contexts[options->context_count];
    unsigned set = 0, budget = 0;
    int priority = 0, used = 0;
    bool is_read = options->context_count < (uint32_t)CONTEND_CONTEXTS && sscanf(text, "%4u%n", &set, &used) == 1;
    if (is_read && text[used] == ':') {
        text += used + 1;
        is_read = sscanf(text, "%4u%n", &budget, &used) == 1;
        if (is_read && text[used] == ':') {
            text += used + 1;
            is_read = sscanf(text, "%4d%n", &priority, &used) == 1;
        }
    }
    if (!is_read || text[used] != 0 || set < 1 || set > 1000 || budget > 100 || priority < -7 || priority > 7) {
        fprintf(stderr, "tessera contend: --set: write PERCENT[:BUDGET[:PRIORITY]], 1 to 1000, 0 to 100, -7 to 7, at "
                        "most 8 times.\n");
        return false;
    }
    *context = (struct contend_context){set, budget, priority};
    options->context_count++;
    return true;
}

static bool take(void *context, int option, const char *text)
{
    struct contend_options *options = context;
    switch (option) {
    case OPTION_SET: return add_set(options, text);
    case OPTION_MODEL: options->open = replay_open_model; return true;
    case OPTION_POLICY: return option_policy("tessera contend", text, &options->force);
    case OPTION_NO_SHARES: options->force |= FIELD_PUT(1, HOST_FORCE_NO_SHARES); return true;
    case OPTION_PAGES: return number("pages", text, 32, 512, &options->pages);
    case OPTION_ROUNDS: return number("rounds", text, 1, 100000, &options->rounds);
    case OPTION_AHEAD: return number("ahead", text, 1, CONTEND_QUEUE, &options->ahead);
    case OPTION_TEXTURE: return number("texture", text, 1, 64, &options->texture);
    case OPTION_DRAWS: return number("draws", text, 1, 64, &options->draws);
    case OPTION_SKIP: return number("skip", text, 0, 99, &options->skipped);
    case OPTION_SHUFFLE: options->is_shuffled = true; return true;
    case OPTION_MAP: options->may_map = true; return true;
    case OPTION_ALLOCATIONS: return option_allocations("tessera contend", text, &options->limits);
    case OPTION_CONTEXTS: return option_contexts("tessera contend", text, &options->limits);
    case OPTION_SEED: return number("seed", text, 0, 1u << 20, &options->seed);
    case OPTION_LATENCY: return number("latency", text, 1, 10000, &options->latency);
    case OPTION_REPORT: options->report = text; return true;
    case OPTION_FIRMWARE: options->firmware = text; return true;
    default: return false;
    }
}

static const struct option_table table = {
    "tessera contend",
    " --set PERCENT[:BUDGET[:PRIORITY]] --set ... [options]: measure contexts that\n"
    "draw in turn from more textures than fit in memory (docs/memory.md, \"Shares\")",
    option_lines, OPTIONS, take};

static enum option_outcome parse(struct contend_options *options, int argc, char **argv)
{
    enum option_outcome outcome = option_parse(&table, options, argc, argv);
    if (outcome != OPTION_GOOD || (optind == argc && options->context_count != 0)) return outcome;
    fprintf(stderr, "tessera contend: %s. 'tessera contend --help' lists the options.\n",
            optind == argc ? "no contexts: give a --set for each" : "unexpected argument: only options are possible");
    return OPTION_REFUSED;
}

/* ------------------------------------------------------------------ what it says */

static double per_job(uint64_t value, const struct contend_result *result)
{
    return result->jobs != 0 ? (double)value / result->jobs : 0;
}

static void print_table(const struct contend_options *options, const struct contend_result *result, uint64_t cycles)
{
    uint64_t traffic = 0;
    printf("context   set  share  resident  pages in and out per DMA buffer  portions  cycles      lost    taken\n");
    for (uint32_t i = 0; i < options->context_count; i++) {
        const struct contend_result *one = &result[i];
        traffic += one->pages_in + one->pages_out;
        printf("%7u  %4u  %5u  %8u  %14.1f  %14.1f  %8.1f  %9.0f  %7u  %7u\n", i, one->pages, one->share, one->resident,
               per_job(one->pages_in, one), per_job(one->pages_out, one), per_job(one->portions, one),
               per_job(one->cycles, one), one->lost, one->taken);
    }
    printf("%u pages of memory; together %llu pages in and out, %llu cycles; every target is right\n", options->pages,
           (unsigned long long)traffic, (unsigned long long)cycles);
}

static bool write_report(const struct contend_options *options, const struct contend_result *result, uint64_t cycles)
{
    FILE *file = fopen(options->report, "w");
    bool is_written = file != NULL && fprintf(file, "{\"pages\": %u, \"cycles\": %llu, \"contexts\": [", options->pages,
                                              (unsigned long long)cycles) > 0;
    for (uint32_t i = 0; is_written && i < options->context_count; i++) {
        const struct contend_result *one = &result[i];
        is_written =
            fprintf(file,
                    "%s\n  {\"set\": %u, \"jobs\": %u, \"portions\": %u, \"pages_in\": %llu, \"pages_out\": %llu, "
                    "\"cycles\": %llu, \"share\": %u, \"resident\": %u, \"lost\": %u, \"taken\": %u}",
                    i == 0 ? "" : ",", one->pages, one->jobs, one->portions, (unsigned long long)one->pages_in,
                    (unsigned long long)one->pages_out, (unsigned long long)one->cycles, one->share, one->resident,
                    one->lost, one->taken) > 0;
    }
    is_written = is_written && fputs("]}\n", file) >= 0;
    if (file != NULL && fclose(file) != 0) is_written = false;
    if (!is_written)
        fprintf(stderr, "tessera contend: cannot write %s: %s. Name another file with --report.\n", options->report,
                strerror(errno));
    return is_written;
}

int contend_command(int argc, char **argv)
{
    struct contend_options options = {.open = replay_open_simulator,
                                      .firmware = installation_firmware(),
                                      .pages = 256,
                                      .rounds = 16,
                                      .ahead = 1,
                                      .texture = 8,
                                      .draws = 2,
                                      .skipped = 10,
                                      .latency = 20,
                                      .seed = 1};
    struct contend_result result[CONTEND_CONTEXTS];
    char message[256] = "";
    uint64_t cycles = 0;
    (void)option_policy("", OPTION_POLICY_DEFAULT, &options.force);
    enum option_outcome outcome = parse(&options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : 2;
    if (options.open == replay_open_model) options.firmware = NULL;
    enum contend_outcome ended = contend_run(&options, result, &cycles, message);
    if (ended != CONTEND_GOOD) {
        fprintf(stderr, "tessera contend: %s\n", message);
        return ended == CONTEND_WRONG ? 1 : 2;
    }
    print_table(&options, result, cycles);
    return options.report == NULL || write_report(&options, result, cycles) ? 0 : 2;
}
