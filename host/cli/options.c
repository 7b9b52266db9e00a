/* SPDX-License-Identifier: Apache-2.0
 *
 * Command line of build/tessera: see options.h.
 */
#include "cli/options.h"

#include "device/installation.h"
#include "gpu_spec.h"
#include "scene/scenes.h"

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
    {"run", RUN, "draw a scene on the simulated GPU, compare every frame, write pictures and reports"},
    {"bad-input", BAD_INPUT, "submit every malformed input through the whole stack, check what comes back"},
    {"info", INFO, "open the GPU and print what it says about itself"},
    {"gdb", GDB, "'run' with the control core stopped until gdb attaches"},
    {"console", CONSOLE, "a board's state and its registers by name, from the keyboard"},
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
    OPTION_PAGE_TRACKS,
    OPTIONS
};
#define LINE(commands, name, value, help) \
    { \
        {name, value, help}, commands, false \
    }
#define HARDWARE_LINE(commands, name, value, help) \
    { \
        {name, value, help "; not with --model"}, commands, true \
    }
static const struct {
    struct option_line line;
    unsigned commands;
    bool is_hardware; /* means nothing to the golden model */
} table[OPTIONS] = {
    [OPTION_SCENE] = LINE(DRAWS, "scene", "NAME", "freedoom (default), collection, cards, programs or locks"),
    [OPTION_FRAMES] = LINE(DRAWS, "frames", "N", "frames to draw, 1..999 (8)"),
    [OPTION_SEED] = LINE(EVERY, "seed", "N", "textures, host pages, memory jitter, initial state (1)"),
    [OPTION_LOCAL] =
        LINE(DRAWS | INFO, "local", "small|large", "local memory: the scene's, 256 KB + 2 MB, or all there is (small)"),
    [OPTION_SEGMENT1] = LINE(EVERY, "segment1", "PAGES", "size of segment 1 when small (the scene's; 64)"),
    [OPTION_SEGMENT2] = LINE(EVERY, "segment2", "PAGES", "size of segment 2 when small (the scene's; 512)"),
    [OPTION_ALLOCATIONS] = LINE(EVERY, "allocations", "N", OPTION_ALLOCATIONS_HELP),
    [OPTION_CONTEXTS] = LINE(EVERY, "contexts", "N", OPTION_CONTEXTS_HELP),
    [OPTION_LIST_ENTRIES] = LINE(EVERY, "list-entries", "N", OPTION_LIST_ENTRIES_HELP),
    [OPTION_DMA_BYTES] = LINE(EVERY, "dma-bytes", "N", OPTION_DMA_BYTES_HELP),
    [OPTION_WHY] = LINE(RUN, "why", NULL, "ask at the end where each allocation is used from, and why"),
    [OPTION_COPY_ONLY] = LINE(DRAWS, "copy-only", NULL,
                              "textures in memory segments only: each is copied in, and others have to leave for it"),
    [OPTION_TEXTURES] = LINE(DRAWS, "textures", "N", "different textures in the mosaic, 1..400 (400)"),
    [OPTION_NO_COMPARE] = LINE(RUN, "no-compare", NULL, "skip the second run with large memory"),
    [OPTION_REPORT_FRAMES] = LINE(RUN, "report-frames", "A..B",
                                  "frames that report.html shows draw by draw (" OPTION_REPORT_FRAMES_DEFAULT ")"),
    [OPTION_POLICY] = LINE(DRAWS, "policy", "NAME", OPTION_POLICY_HELP),
    [OPTION_FORCE] = LINE(DRAWS, "force", "BITS", "HOST.FORCE, see docs/registers.md (0)"),
    [OPTION_MODEL] = LINE(EVERY, "model", NULL, "golden model instead of the Verilated hardware"),
    [OPTION_DEVICE] = LINE(DRAWS | INFO | CONSOLE, "device", "WHERE",
                           "a board: tty:/dev/NAME[@BAUD] or tcp:HOST:PORT (docs/boards.md)"),
    [OPTION_KEEP_FIRMWARE] =
        LINE(DRAWS | INFO, "keep-firmware", NULL, "run the image that was loaded into the board last"),
    [OPTION_LATENCY] = HARDWARE_LINE(EVERY, "latency", "CYCLES", "read latency of system memory (20)"),
    [OPTION_STALL] =
        HARDWARE_LINE(EVERY, "stall", "PERCENT", "cycles in which system memory withholds a handshake (0)"),
    [OPTION_MAX_CYCLES] = HARDWARE_LINE(EVERY, "max-cycles", "N", "stop with a report after N cycles (0 = never)"),
    [OPTION_UNTIL] = HARDWARE_LINE(RUN, "until", "CYCLE", "end there, all is well; no pictures, no report (0 = never)"),
    [OPTION_FST] = HARDWARE_LINE(DRAWS, "fst", "FILE", "wave form; needs the program that make SIM_TRACE=1 builds"),
    [OPTION_FST_FROM] = HARDWARE_LINE(DRAWS, "fst-from", "CYCLE", "where it begins (0)"),
    [OPTION_FST_TO] = HARDWARE_LINE(DRAWS, "fst-to", "CYCLE", "where it ends (0 = with the run)"),
    [OPTION_OUT] = LINE(DRAWS, "out", "DIR", "where results go (out)"),
    [OPTION_PAGE_TRACKS] =
        LINE(DRAWS, "page-tracks", NULL, "in trace.json a track per page of memory, not per segment"),
    [OPTION_WINDOW] = LINE(RUN, "window", NULL, "show frames in a window as they are finished (SDL 2)"),
    [OPTION_DISPLAY] = LINE(RUN, "display", NULL, "show each frame on the board's display before the next is drawn"),
    [OPTION_WAD] = LINE(DRAWS, "wad", "FILE", "game data (/usr/share/games/doom/freedoom1.wad)"),
    [OPTION_FIRMWARE] = HARDWARE_LINE(EVERY, "firmware", "ELF", "firmware image (that of this program)"),
    [OPTION_PORT] = LINE(GDB, "port", "N", "of gdb, on this machine; 0 = any (3333)"),
    [OPTION_SPOIL] = LINE(RUN, "spoil", NULL, "for tests: spoil one texture on the GPU; the run must fail"),
    [OPTION_CLAIM_ABI] = LINE(EVERY, "claim-abi", "HASH", "for tests: pretend to be built from another table"),
};

void options_help(FILE *file)
{
    fputs("tessera COMMAND [options]; each command has its own --help\n\n", file);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].does);
    fputs("  play FILE    draw what tessera-record has recorded of a program (docs/record.md)\n"
          "  dump FILE    print a DMA buffer, packet by packet; TESSERA_DUMP=FOLDER saves those of any program\n"
          "  replay FILE  run a recorded use of video memory, compare with the least possible (docs/replay.md)\n"
          "  contend      contexts that do not fit in memory together: what each pays (docs/memory.md)\n"
          "  compare A B  two finished runs: frames, figures, times, the first decision that differs (docs/views.md)\n"
          "  help         this text\n"
          "  --version    the version of program and library\n",
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
    fprintf(stderr, "%s: --%s %s: known are %s and %s.\n", program, name, text, first, second);
    return false;
}

static bool take_scene(const char *program, const char *text, const struct scene_about **scene)
{
    *scene = scene_about(text);
    if (*scene != NULL) return true;
    fprintf(stderr, "%s: --scene %s: known are", program, text);
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
    case OPTION_STALL: return option_word(program, "stall", text, 0, 95, &platform->stall_percent);
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
        fprintf(stderr, "tessera: --fst-from and --fst-to mean nothing without --fst FILE.\n");
        return false;
    }
    static const enum option_name of_simulators[] = {OPTION_MODEL,      OPTION_LATENCY, OPTION_STALL,
                                                     OPTION_MAX_CYCLES, OPTION_UNTIL,   OPTION_FST};
    for (size_t i = 0; options->platform.device != NULL && i < sizeof of_simulators / sizeof *of_simulators; i++) {
        if (!is_given[of_simulators[i]]) continue;
        fprintf(stderr, "tessera: --%s means nothing to a board; leave out either it or --device.\n",
                table[of_simulators[i]].line.name);
        return false;
    }
    if (options->platform.keeps_firmware && (options->platform.device == NULL || is_given[OPTION_FIRMWARE])) {
        fprintf(stderr,
                "tessera: --keep-firmware runs what a board holds: give it with --device, without --firmware.\n");
        return false;
    }
    if (!scene_about(options->scene)->is_file && (is_given[OPTION_TEXTURES] || is_given[OPTION_WAD])) {
        fprintf(stderr, "tessera: --textures and --wad mean nothing to the scene %s, which is computed.\n",
                options->scene);
        return false;
    }
    if (options->has_display && options->platform.device == NULL) {
        fprintf(stderr, "tessera: --display shows frames on a board's display: give it with --device.\n");
        return false;
    }
    if (!options->platform.is_model) return true;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!is_given[i] || !table[i].is_hardware) continue;
        fprintf(stderr, "tessera: --%s means nothing to the golden model; leave out either it or --model.\n",
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
    options->platform.latency = 20;
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
        fprintf(stderr, "%s: what is '%s'? '%s --help' lists its options.\n", program, argv[optind], program);
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
