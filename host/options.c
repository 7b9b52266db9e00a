/* SPDX-License-Identifier: Apache-2.0
 *
 * Command line of build/tessera: see options.h.
 */
#include "options.h"

#include "gpu_spec.h"
#include "option_number.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

enum {
    RUN = 1, BAD_INPUT = 2, INFO = 4, GDB = 8, CONSOLE = 16, DRAWS = RUN | GDB, EVERY = RUN | BAD_INPUT | INFO | GDB,
    OPTION_FIRST = 256
};

/* The commands with these options; `replay` and `play` have their own. */
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
    OPTION_SCENE, OPTION_FRAMES, OPTION_SEED, OPTION_LOCAL, OPTION_SEGMENT1, OPTION_SEGMENT2, OPTION_NO_COMPARE,
    OPTION_POLICY, OPTION_FORCE, OPTION_MODEL, OPTION_LATENCY, OPTION_STALL, OPTION_MAX_CYCLES, OPTION_FST,
    OPTION_FST_FROM, OPTION_FST_TO, OPTION_OUT, OPTION_WAD, OPTION_FIRMWARE, OPTION_PORT, OPTION_SPOIL,
    OPTION_CLAIM_ABI, OPTION_DEVICE, OPTION_KEEP_FIRMWARE, OPTION_TEXTURES, OPTION_WINDOW, OPTION_DISPLAY,
    OPTION_HELP, OPTIONS
};
static const struct {
    const char *name, *value; /* value: what it is called in the help, NULL = none */
    unsigned commands;
    bool is_hardware; /* means nothing to the golden model */
    const char *help;
} table[OPTIONS] = {
    [OPTION_SCENE] = {"scene", "NAME", DRAWS, false, "freedoom (default)"},
    [OPTION_FRAMES] = {"frames", "N", DRAWS, false, "frames to draw, 1..999 (8)"},
    [OPTION_SEED] = {"seed", "N", EVERY, false, "textures, host pages, memory jitter, initial state (1)"},
    [OPTION_LOCAL] = {"local", "small|large", DRAWS | INFO, false,
                      "local memory: 256 KB + 2 MB, or all there is (small)"},
    [OPTION_SEGMENT1] = {"segment1", "PAGES", EVERY, false, "size of segment 1 when small (64)"},
    [OPTION_SEGMENT2] = {"segment2", "PAGES", EVERY, false, "size of segment 2 when small (512)"},
    [OPTION_TEXTURES] = {"textures", "N", DRAWS, false, "different textures in the mosaic, 1..400 (400)"},
    [OPTION_NO_COMPARE] = {"no-compare", NULL, RUN, false, "skip the second run with large memory"},
    [OPTION_POLICY] = {"policy", "NAME", DRAWS, false, "paging policy, literal or lookahead (literal)"},
    [OPTION_FORCE] = {"force", "BITS", DRAWS, false, "HOST.FORCE, see docs/registers.md (0)"},
    [OPTION_MODEL] = {"model", NULL, EVERY, false, "golden model instead of the Verilated hardware"},
    [OPTION_DEVICE] = {"device", "WHERE", DRAWS | INFO | CONSOLE, false,
                       "a board: tty:/dev/NAME[@BAUD] or tcp:HOST:PORT (docs/boards.md)"},
    [OPTION_KEEP_FIRMWARE] = {"keep-firmware", NULL, DRAWS | INFO, false,
                              "run the image a board holds already (of its bit stream, or the last one loaded)"},
    [OPTION_LATENCY] = {"latency", "CYCLES", EVERY, true, "read latency of system memory (20)"},
    [OPTION_STALL] = {"stall", "PERCENT", EVERY, true, "cycles in which system memory withholds a handshake (0)"},
    [OPTION_MAX_CYCLES] = {"max-cycles", "N", EVERY, true, "stop with a report after N cycles (0 = never)"},
    [OPTION_FST] = {"fst", "FILE", DRAWS, true, "wave form; needs the program that make SIM_TRACE=1 builds"},
    [OPTION_FST_FROM] = {"fst-from", "CYCLE", DRAWS, true, "where it begins (0)"},
    [OPTION_FST_TO] = {"fst-to", "CYCLE", DRAWS, true, "where it ends (0 = with the run)"},
    [OPTION_OUT] = {"out", "DIR", DRAWS, false, "where results go (out)"},
    [OPTION_WINDOW] = {"window", NULL, RUN, false, "show frames in a window as they are finished (SDL 2)"},
    [OPTION_DISPLAY] = {"display", NULL, RUN, false, "show each frame on the board's display before the next is drawn"},
    [OPTION_WAD] = {"wad", "FILE", DRAWS, false, "game data (/usr/share/games/doom/freedoom1.wad)"},
    [OPTION_FIRMWARE] = {"firmware", "ELF", EVERY, true, "firmware image (" STRING(TESSERA_FIRMWARE_PATH) ")"},
    [OPTION_PORT] = {"port", "N", GDB, false, "of gdb, on this machine; 0 = any (3333)"},
    [OPTION_SPOIL] = {"spoil", NULL, RUN, false, "for tests: spoil one texture on the GPU; the run must fail"},
    [OPTION_CLAIM_ABI] = {"claim-abi", "HASH", EVERY, false, "for tests: pretend to be built from another table"},
    [OPTION_HELP] = {"help", NULL, EVERY | CONSOLE, false, "this text"},
};

void options_help(FILE *file)
{
    fputs("tessera COMMAND [options]; each command has its own --help\n\n", file);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].does);
    fputs("  play FILE    draw what tessera-record has recorded of a program (docs/record.md)\n"
          "  replay FILE  run a recorded use of video memory, compare with the least possible (docs/replay.md)\n"
          "  contend      contexts that do not fit in memory together: what each pays (docs/memory.md)\n"
          "  help         this text\n",
          file);
}

static void command_help(size_t command)
{
    char usage[40];
    printf("tessera %s [options]: %s\n\n", commands[command].name, commands[command].does);
    for (size_t i = 0; i < OPTIONS; i++) {
        if ((table[i].commands & commands[command].command) == 0) continue;
        snprintf(usage, sizeof usage, "--%s %s", table[i].name, table[i].value != NULL ? table[i].value : "");
        printf("  %-20s %s%s\n", usage, table[i].help, table[i].is_hardware ? "; not with --model" : "");
    }
}

static const char number_hint[] = " 'tessera COMMAND --help' lists the options.";

static bool number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    return option_number("tessera", name, text, low, high, number_hint, value);
}

static bool small_number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    return option_word("tessera", name, text, low, high, number_hint, value);
}

static bool choice(const char *name, const char *text, const char *first, const char *second, bool *is_second)
{
    *is_second = second != NULL && strcmp(text, second) == 0;
    if (*is_second || strcmp(text, first) == 0)
        return true;
    fprintf(stderr, "tessera: --%s %s: known are %s%s%s.\n", name, text, first, second != NULL ? " and " : "",
            second != NULL ? second : "");
    return false;
}

static bool take(struct program_options *options, enum option_name option, const char *text)
{
    struct platform_options *platform = &options->platform;
    bool is_second;
    switch (option) {
    case OPTION_SCENE: options->scene = text; return choice("scene", text, "freedoom", NULL, &is_second);
    case OPTION_FRAMES: return small_number("frames", text, 1, 999, &options->frames);
    case OPTION_SEED: return small_number("seed", text, 0, UINT32_MAX, &platform->seed);
    case OPTION_LOCAL: return choice("local", text, "small", "large", &options->is_large);
    case OPTION_MODEL: platform->is_model = true; return true;
    case OPTION_LATENCY: return small_number("latency", text, 1, 10000, &platform->latency);
    case OPTION_STALL: return small_number("stall", text, 0, 95, &platform->stall_percent);
    case OPTION_MAX_CYCLES: return number("max-cycles", text, 0, UINT64_MAX, &platform->max_cycles);
    case OPTION_FST: platform->fst_path = text; return true;
    case OPTION_FST_FROM: return number("fst-from", text, 0, UINT64_MAX, &platform->fst_from);
    case OPTION_FST_TO: return number("fst-to", text, 0, UINT64_MAX, &platform->fst_to);
    case OPTION_OUT: options->out = text; return true;
    case OPTION_WAD: options->wad = text; return true;
    case OPTION_FIRMWARE: platform->firmware = text; return true;
    case OPTION_POLICY: return option_policy("tessera", text, &options->policy);
    case OPTION_FORCE: return small_number("force", text, 0, UINT32_MAX, &options->force);
    case OPTION_NO_COMPARE: options->only_this_run = true; return true;
    case OPTION_SEGMENT1: return small_number("segment1", text, 1, 4096, &options->segment1_pages);
    case OPTION_SEGMENT2: return small_number("segment2", text, 1, 4096, &options->segment2_pages);
    case OPTION_PORT: return small_number("port", text, 0, 65535, &options->port);
    case OPTION_SPOIL: options->spoils = true; return true;
    case OPTION_WINDOW: options->has_window = true; return true;
    case OPTION_DISPLAY: options->has_display = true; return true;
    case OPTION_CLAIM_ABI: return small_number("claim-abi", text, 1, UINT32_MAX, &options->abi);
    case OPTION_DEVICE: platform->device = text; return true;
    case OPTION_KEEP_FIRMWARE: platform->keeps_firmware = true; return true;
    case OPTION_TEXTURES: return small_number("textures", text, 1, 400, &options->textures);
    case OPTION_HELP:
    case OPTIONS:
    default: return false;
    }
}

/* The options of one command as getopt_long wants them; returns how many. */
static size_t list_options(unsigned command, struct option *list)
{
    size_t count = 0;
    for (int i = 0; i < OPTIONS; i++)
        if ((table[i].commands & command) != 0)
            list[count++] = (struct option){table[i].name, table[i].value != NULL ? required_argument : no_argument,
                                            NULL, OPTION_FIRST + i};
    list[count] = (struct option){0};
    return count;
}

static int refuse(size_t command, const char *format, const char *text)
{
    fputs("tessera: ", stderr);
    fprintf(stderr, format, text);
    fprintf(stderr, " 'tessera %s --help' lists its options.\n", commands[command].name);
    return 2;
}

/* Options that would change nothing are a mistake of the caller's. */
static bool is_of_use(const struct program_options *options, const bool *is_given)
{
    if ((is_given[OPTION_FST_FROM] || is_given[OPTION_FST_TO]) && !is_given[OPTION_FST]) {
        fprintf(stderr, "tessera: --fst-from and --fst-to mean nothing without --fst FILE.\n");
        return false;
    }
    static const enum option_name of_simulators[] = {OPTION_MODEL, OPTION_LATENCY, OPTION_STALL, OPTION_MAX_CYCLES,
                                                     OPTION_FST};
    for (size_t i = 0; options->platform.device != NULL && i < sizeof of_simulators / sizeof *of_simulators; i++) {
        if (!is_given[of_simulators[i]]) continue;
        fprintf(stderr, "tessera: --%s means nothing to a board; leave out either it or --device.\n",
                table[of_simulators[i]].name);
        return false;
    }
    if (options->platform.keeps_firmware && (options->platform.device == NULL || is_given[OPTION_FIRMWARE])) {
        fprintf(stderr,
                "tessera: --keep-firmware runs what a board holds: give it with --device, without --firmware.\n");
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
                table[i].name);
        return false;
    }
    return true;
}

int options_parse(struct program_options *options, int argc, char **argv)
{
    struct option list[OPTIONS + 1];
    bool is_given[OPTIONS] = {false};
    size_t command = 0;
    while (command + 1u < COMMANDS && strcmp(commands[command].name, argv[0]) != 0) command++;
    *options = (struct program_options){.scene = "freedoom", .wad = "/usr/share/games/doom/freedoom1.wad", .out = "out",
                                        .frames = 8, .port = 3333, .segment1_pages = SMALL_SEGMENT1_PAGES,
                                        .segment2_pages = SMALL_SEGMENT2_PAGES};
    options->platform.seed = 1;
    options->platform.latency = 20;
    options->platform.firmware = STRING(TESSERA_FIRMWARE_PATH);
    list_options(commands[command].command, list);
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "", list, NULL);
        if (option == -1) break;
        if (option == OPTION_FIRST + OPTION_HELP) {
            command_help(command);
            return 1;
        }
        if (option < OPTION_FIRST)
            return refuse(command, "%s is no option of this command, or lacks its value.", argv[optind - 1]);
        is_given[option - OPTION_FIRST] = true;
        if (!take(options, (enum option_name)(option - OPTION_FIRST), optarg)) return 2;
    }
    if (optind < argc) return refuse(command, "what is '%s'?", argv[optind]);
    if (is_given[OPTION_POLICY])
        options->force = (options->force & ~(field_mask(HOST_FORCE_POLICY_WIDTH) << HOST_FORCE_POLICY_LSB)) |
                         options->policy;
    return is_of_use(options, is_given) ? 0 : 2;
}
