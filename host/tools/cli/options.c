/* SPDX-License-Identifier: Apache-2.0
 *
 * Command line of build/tessera: see options.h.
 */
#include "tools/cli/options.h"

#include "lib/device/dump_file.h"
#include "lib/device/installation.h"
#include "gpu_spec.h"
#include "tools/scene/scenes.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN = 1,
    BAD_INPUT = 2,
    INFO = 4,
    GDB = 8,
    CONSOLE = 16,
    DRAWS = RUN | GDB,
    EVERY = RUN | BAD_INPUT | INFO | GDB
};

/* The commands with these options; `replay`, `play` and `contend` have their own. */
static const struct {
    const char *name;
    unsigned command;
    const char *does;
} commands[] = {
    {"run", RUN, "draw a scene on the simulated GPU, compare every frame, write pictures and a report"},
    {"bad-input", BAD_INPUT, "submit every malformed input, check the answers"},
    {"info", INFO, "open the GPU and print what it says about itself"},
    {"gdb", GDB, "draw a scene with the control core stopped until gdb attaches"},
    {"console", CONSOLE, "read and write a board's registers by name, from the keyboard"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Every option once: the parser, the help of each command and the check against --model read this table. */
enum option_name {
    OPTION_SCENE,
    OPTION_FRAMES,
    OPTION_SEED,
    OPTION_LOCAL,
    OPTION_SEGMENT1,
    OPTION_SEGMENT2,
    OPTION_ALLOCATIONS,
    OPTION_CONTEXTS,
    OPTION_LIST_ENTRIES,
    OPTION_DMA_BYTES,
    OPTION_NO_COMPARE,
    OPTION_REPORT_FRAMES,
    OPTION_POLICY,
    OPTION_FORCE,
    OPTION_MODEL,
    OPTION_LATENCY,
    OPTION_STALL,
    OPTION_MAX_CYCLES,
    OPTION_UNTIL,
    OPTION_FST,
    OPTION_FST_FROM,
    OPTION_FST_TO,
    OPTION_OUT,
    OPTION_WAD,
    OPTION_FIRMWARE,
    OPTION_PORT,
    OPTION_SPOIL,
    OPTION_COPY_ONLY,
    OPTION_WHY,
    OPTION_CLAIM_ABI,
    OPTION_DEVICE,
    OPTION_KEEP_FIRMWARE,
    OPTION_TEXTURES,
    OPTION_WINDOW,
    OPTION_DISPLAY,
    OPTION_FLIPS,
    OPTION_PAGE_TRACKS,
    OPTION_FAULTS,
    OPTIONS
};
#define LINE(commands, group, name, value, help) \
    { \
        {group, name, value, help}, commands, false \
    }
#define HARDWARE_LINE(commands, group, name, value, help) \
    { \
        {group, name, value, help "; not with --model"}, commands, true \
    }
static const struct {
    struct option_line line;
    unsigned commands;
    bool is_hardware; /* means nothing to the golden model */
} table[OPTIONS] = {
    [OPTION_SCENE] =
        LINE(DRAWS, GROUP_DRAWN, "scene", "NAME", "draw freedoom (default), collection, cards, programs or locks"),
    [OPTION_FRAMES] = LINE(DRAWS, GROUP_DRAWN, "frames", "N", "draw N frames, 1 to 999 (8)"),
    [OPTION_SEED] =
        LINE(EVERY, GROUP_DRAWN, "seed", "N", "choose textures, host pages, memory jitter and initial state (1)"),
    [OPTION_LOCAL] = LINE(DRAWS | INFO, GROUP_MEMORY, "local", "small|large",
                          "use small local memory (256 KB + 2 MB unless the scene says otherwise) or all (small)"),
    [OPTION_SEGMENT1] = LINE(EVERY, GROUP_MEMORY, "segment1", "PAGES",
                             "give segment 1 so many pages with --local small (64, or what the scene says)"),
    [OPTION_SEGMENT2] = LINE(EVERY, GROUP_MEMORY, "segment2", "PAGES",
                             "give segment 2 so many pages with --local small (512, or what the scene says)"),
    [OPTION_ALLOCATIONS] = LINE(EVERY, GROUP_MEMORY, "allocations", "N", OPTION_ALLOCATIONS_HELP),
    [OPTION_CONTEXTS] = LINE(EVERY, GROUP_MEMORY, "contexts", "N", OPTION_CONTEXTS_HELP),
    [OPTION_LIST_ENTRIES] = LINE(EVERY, GROUP_MEMORY, "list-entries", "N", OPTION_LIST_ENTRIES_HELP),
    [OPTION_DMA_BYTES] = LINE(EVERY, GROUP_MEMORY, "dma-bytes", "N", OPTION_DMA_BYTES_HELP),
    [OPTION_WHY] =
        LINE(RUN, GROUP_RESULTS, "why", NULL, "say at the end which segment each allocation is read from, and why"),
    [OPTION_COPY_ONLY] = LINE(DRAWS, GROUP_MEMORY, "copy-only", NULL,
                              "copy every texture into local memory, so that others are evicted"),
    [OPTION_TEXTURES] = LINE(DRAWS, GROUP_DRAWN, "textures", "N", "use N different textures, 1 to 400 (400)"),
    [OPTION_NO_COMPARE] =
        LINE(RUN, GROUP_DRAWN, "no-compare", NULL, "skip the second run, which has large memory and no splits"),
    [OPTION_REPORT_FRAMES] = LINE(RUN, GROUP_RESULTS, "report-frames", "A..B",
                                  "show these frames draw by draw in report.html (" OPTION_REPORT_FRAMES_DEFAULT ")"),
    [OPTION_POLICY] = LINE(DRAWS, GROUP_MEMORY, "policy", "NAME", OPTION_POLICY_HELP),
    [OPTION_FORCE] =
        LINE(DRAWS, GROUP_TESTS, "force", "BITS", "set bits of the register HOST.FORCE, see docs/registers.md (0)"),
    [OPTION_MODEL] =
        LINE(EVERY, GROUP_DEVICE, "model", NULL, "run the golden model, much faster, instead of the simulated chip"),
    [OPTION_DEVICE] = LINE(DRAWS | INFO | CONSOLE, GROUP_DEVICE, "device", "WHERE",
                           "use a board: tty:/dev/NAME[@BAUD] or tcp:HOST:PORT (docs/boards.md); "
                           "info: or guest:SOCKET"),
    [OPTION_KEEP_FIRMWARE] =
        LINE(DRAWS | INFO, GROUP_DEVICE, "keep-firmware", NULL, "run the firmware that is in the board already"),
    [OPTION_LATENCY] =
        HARDWARE_LINE(EVERY, GROUP_DEVICE, "latency", "CYCLES", "set the read latency of system memory (20)"),
    [OPTION_STALL] =
        HARDWARE_LINE(EVERY, GROUP_DEVICE, "stall", "PERCENT", "let system memory stall in so many of 100 cycles (0)"),
    [OPTION_MAX_CYCLES] = HARDWARE_LINE(EVERY, GROUP_DEVICE, "max-cycles", "N",
                                        "stop with an error and a report after N cycles (0: never)"),
    [OPTION_UNTIL] = HARDWARE_LINE(RUN, GROUP_DEVICE, "until", "CYCLE",
                                   "stop successfully at this cycle, without pictures or report (0: off)"),
    [OPTION_FST] = HARDWARE_LINE(DRAWS, GROUP_RESULTS, "fst", "FILE",
                                 "write a wave form; needs a program built with make SIM_TRACE=1"),
    [OPTION_FST_FROM] =
        HARDWARE_LINE(DRAWS, GROUP_RESULTS, "fst-from", "CYCLE", "start the wave form at this cycle (0)"),
    [OPTION_FST_TO] =
        HARDWARE_LINE(DRAWS, GROUP_RESULTS, "fst-to", "CYCLE", "end the wave form at this cycle (0: with the run)"),
    [OPTION_OUT] = LINE(DRAWS, GROUP_RESULTS, "out", "DIR", "write results into this folder (out)"),
    [OPTION_PAGE_TRACKS] =
        LINE(DRAWS, GROUP_RESULTS, "page-tracks", NULL, "write a track per page into trace.json, not per segment"),
    [OPTION_FAULTS] = LINE(DRAWS, GROUP_RESULTS, "faults", "FOLDER", DUMP_FILE_HELP),
    [OPTION_WINDOW] = LINE(RUN, GROUP_RESULTS, "window", NULL, "show each finished frame in a window (SDL 2)"),
    [OPTION_DISPLAY] = LINE(RUN, GROUP_RESULTS, "display", NULL, "show each frame on the board's display"),
    [OPTION_FLIPS] = LINE(RUN, GROUP_RESULTS, "flips", NULL, "show frames on the chip's display by flips"),
    [OPTION_WAD] = LINE(DRAWS, GROUP_DRAWN, "wad", "FILE", "read game data (/usr/share/games/doom/freedoom1.wad)"),
    [OPTION_FIRMWARE] = HARDWARE_LINE(EVERY, GROUP_DEVICE, "firmware", "ELF",
                                      "load this firmware image (the one installed with this program)"),
    [OPTION_PORT] = LINE(GDB, GROUP_DEVICE, "port", "N", "wait for gdb on this port of this machine; 0: any (3333)"),
    [OPTION_SPOIL] = LINE(RUN, GROUP_TESTS, "spoil", NULL, "spoil one texture on the GPU: the run must fail"),
    [OPTION_CLAIM_ABI] = LINE(EVERY, GROUP_TESTS, "claim-abi", "HASH", "pretend to be built from another spec/gpu.def"),
};

void options_help(FILE *file)
{
    fputs("tessera COMMAND [options]: run the GPU in simulation or on a board\n"
          "'tessera COMMAND --help' lists the options of a command.\n\n",
          file);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].does);
    fputs("  play FILE    draw a recording made by tessera-record (docs/record.md)\n"
          "  dump FILE    explain a DMA buffer, or a dump of a fault and run it again (docs/host.md)\n"
          "  top FILE     show the clients of a running program or tessera-gpu (docs/host.md)\n"
          "  replay FILE  replay a recorded memory workload, compare with the minimum (docs/replay.md)\n"
          "  contend      measure contexts that share too little memory (docs/memory.md)\n"
          "  compare A B  compare two finished runs (docs/views.md)\n"
          "  help         print this text\n"
          "  --version    print the version of program and library\n",
          file);
}

/* A command line while it is read. */
struct reading {
    struct program_options *options;
    const char *program;
    const struct scene_about *scene; /* --scene */
    const char *policy;              /* --policy, which goes into HOST.FORCE after --force, wherever it stands */
    bool is_given[OPTIONS];
};

static bool choice(const char *program, const char *name, const char *text, const char *first, const char *second,
                   bool *is_second)
{
    *is_second = strcmp(text, second) == 0;
    if (*is_second || strcmp(text, first) == 0) return true;
    fprintf(stderr, "%s: --%s %s: unknown value. Choose %s or %s.\n", program, name, text, first, second);
    return false;
}

static bool take_scene(const char *program, const char *text, const struct scene_about **scene)
{
    *scene = scene_about(text);
    if (*scene != NULL) return true;
    fprintf(stderr, "%s: --scene %s: unknown scene. Choose one of", program, text);
    for (uint32_t i = 0; scene_about_number(i) != NULL; i++)
        fprintf(stderr, "%s %s", i != 0 ? "," : "", scene_about_number(i)->name);
    fputs(".\n", stderr);
    return false;
}

static bool take(void *context, int option, const char *text)
{
    struct reading *reading = context;
    struct program_options *options = reading->options;
    struct platform_options *platform = &options->platform;
    const char *program = reading->program;
    reading->is_given[option] = true;
    switch ((enum option_name)option) {
    case OPTION_SCENE: options->scene = text; return take_scene(program, text, &reading->scene);
    case OPTION_FRAMES: return option_word(program, "frames", text, 1, 999, &options->frames);
    case OPTION_REPORT_FRAMES:
        return option_range(program, "report-frames", text, &options->report_first, &options->report_last);
    case OPTION_SEED: return option_word(program, "seed", text, 0, UINT32_MAX, &platform->seed);
    case OPTION_LOCAL: return choice(program, "local", text, "small", "large", &options->is_large);
    case OPTION_WHY: options->asks_why = true; return true;
    case OPTION_COPY_ONLY: options->is_copied = true; return true;
    case OPTION_MODEL: platform->is_model = true; return true;
    case OPTION_LATENCY: return option_word(program, "latency", text, 1, 10000, &platform->latency);
    case OPTION_STALL: return option_word(program, "stall", text, 0, 90, &platform->stall_percent);
    case OPTION_MAX_CYCLES: return option_number(program, "max-cycles", text, 0, UINT64_MAX, &platform->max_cycles);
    case OPTION_UNTIL: return option_number(program, "until", text, 0, UINT64_MAX, &platform->end_cycle);
    case OPTION_FST: platform->fst_path = text; return true;
    case OPTION_FST_FROM: return option_number(program, "fst-from", text, 0, UINT64_MAX, &platform->fst_from);
    case OPTION_FST_TO: return option_number(program, "fst-to", text, 0, UINT64_MAX, &platform->fst_to);
    case OPTION_OUT: options->out = text; return true;
    case OPTION_WAD: options->wad = text; return true;
    case OPTION_FIRMWARE: platform->firmware = text; return true;
    case OPTION_POLICY: reading->policy = text; return true;
    case OPTION_FORCE: return option_word(program, "force", text, 0, UINT32_MAX, &options->force);
    case OPTION_NO_COMPARE: options->only_this_run = true; return true;
    case OPTION_SEGMENT1: return option_word(program, "segment1", text, 1, 4096, &options->segment1_pages);
    case OPTION_SEGMENT2: return option_word(program, "segment2", text, 1, 4096, &options->segment2_pages);
    case OPTION_ALLOCATIONS: return option_allocations(program, text, &options->limits);
    case OPTION_CONTEXTS: return option_contexts(program, text, &options->limits);
    case OPTION_LIST_ENTRIES: return option_list_entries(program, text, &options->limits);
    case OPTION_DMA_BYTES: return option_dma_bytes(program, text, &options->limits);
    case OPTION_PORT: return option_word(program, "port", text, 0, 65535, &options->port);
    case OPTION_SPOIL: options->spoils = true; return true;
    case OPTION_WINDOW: options->has_window = true; return true;
    case OPTION_DISPLAY: options->has_display = true; return true;
    case OPTION_FLIPS: options->has_flips = true; return true;
    case OPTION_FAULTS: return dump_file_option(program, text);
    case OPTION_PAGE_TRACKS: options->has_page_tracks = true; return true;
    case OPTION_CLAIM_ABI: return option_word(program, "claim-abi", text, 1, UINT32_MAX, &options->abi);
    case OPTION_DEVICE: platform->device = text; return true;
    case OPTION_KEEP_FIRMWARE: platform->keeps_firmware = true; return true;
    case OPTION_TEXTURES: return option_word(program, "textures", text, 1, 400, &options->textures);
    case OPTIONS:
    default: return false;
    }
}

/* Options that would change nothing are a mistake of the caller's. */
static bool is_of_use(const struct program_options *options, const bool *is_given)
{
    if ((is_given[OPTION_FST_FROM] || is_given[OPTION_FST_TO]) && !is_given[OPTION_FST]) {
        fprintf(stderr, "tessera: --fst-from and --fst-to need --fst FILE. Add it, or leave them out.\n");
        return false;
    }
    static const enum option_name of_simulators[] = {OPTION_MODEL,      OPTION_LATENCY, OPTION_STALL,
                                                     OPTION_MAX_CYCLES, OPTION_UNTIL,   OPTION_FST};
    for (size_t i = 0; options->platform.device != NULL && i < sizeof of_simulators / sizeof *of_simulators; i++) {
        if (!is_given[of_simulators[i]]) continue;
        fprintf(stderr, "tessera: --%s has no effect on a board. Leave it out, or leave out --device.\n",
                table[of_simulators[i]].line.name);
        return false;
    }
    if (options->platform.keeps_firmware && (options->platform.device == NULL || is_given[OPTION_FIRMWARE])) {
        fprintf(
            stderr,
            "tessera: --keep-firmware runs the firmware in a board. Use it with --device and without --firmware.\n");
        return false;
    }
    if (!scene_about(options->scene)->is_file && (is_given[OPTION_TEXTURES] || is_given[OPTION_WAD])) {
        fprintf(stderr, "tessera: the scene %s is computed and reads no file. Leave out --textures and --wad.\n",
                options->scene);
        return false;
    }
    if (options->has_display && options->platform.device == NULL) {
        fprintf(stderr, "tessera: --display needs a board. Name it with --device.\n");
        return false;
    }
    if (!options->platform.is_model) return true;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!is_given[i] || !table[i].is_hardware) continue;
        fprintf(stderr, "tessera: --%s has no effect on the golden model. Leave it out, or leave out --model.\n",
                table[i].line.name);
        return false;
    }
    return true;
}

int options_parse(struct program_options *options, int argc, char **argv)
{
    struct option_line lines[OPTIONS] = {0};
    struct reading reading = {.options = options};
    char program[32], about[120];
    size_t command = 0;
    while (command + 1u < COMMANDS && strcmp(commands[command].name, argv[0]) != 0) command++;
    *options = (struct program_options){.scene = "freedoom",
                                        .wad = "/usr/share/games/doom/freedoom1.wad",
                                        .out = "out",
                                        .frames = 8,
                                        .report_last = UINT32_MAX,
                                        .port = 3333};
    reading.scene = scene_about(options->scene);
    options->platform.seed = 1;
    options->platform.latency = PLATFORM_LATENCY;
    options->platform.firmware = installation_firmware();
    for (size_t i = 0; i < OPTIONS; i++)
        if ((table[i].commands & commands[command].command) != 0) lines[i] = table[i].line;
    snprintf(program, sizeof program, "tessera %s", commands[command].name);
    snprintf(about, sizeof about, " [options]: %s", commands[command].does);
    reading.program = program;
    enum option_outcome outcome =
        option_parse(&(struct option_table){program, about, lines, OPTIONS, take}, &reading, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 1 : 2;
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument '%s'. '%s --help' lists the options.\n", program, argv[optind],
                program);
        return 2;
    }
    if (options->segment1_pages == 0) options->segment1_pages = reading.scene->segment1_pages;
    if (options->segment2_pages == 0) options->segment2_pages = reading.scene->segment2_pages;
    options->is_copied = options->is_copied || reading.scene->is_copied;
    if (reading.policy == NULL && (commands[command].command & DRAWS) != 0) reading.policy = OPTION_POLICY_DEFAULT;
    if (reading.policy != NULL && !option_policy(program, reading.policy, &options->force)) return 2;
    if (!option_report_frames(program, 0, options->frames - 1u, &options->report_first, &options->report_last))
        return 2;
    return is_of_use(options, reading.is_given) ? 0 : 2;
}
