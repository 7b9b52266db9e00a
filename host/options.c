/* SPDX-License-Identifier: Apache-2.0
 *
 * Command line of build/tessera: see options.h.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

enum {
    OPTION_SCENE = 256, OPTION_FRAMES, OPTION_SEED, OPTION_LOCAL, OPTION_MODEL, OPTION_LATENCY, OPTION_STALL,
    OPTION_MAX_CYCLES, OPTION_FST, OPTION_FST_FROM, OPTION_FST_TO, OPTION_OUT, OPTION_WAD, OPTION_FIRMWARE,
    OPTION_FORCE, OPTION_NO_COMPARE, OPTION_SEGMENT1, OPTION_SEGMENT2, OPTION_CLAIM_ABI, OPTION_SPOIL, OPTION_PORT,
    OPTION_HELP
};

static const struct option long_options[] = {
    {"scene", required_argument, NULL, OPTION_SCENE}, {"frames", required_argument, NULL, OPTION_FRAMES},
    {"seed", required_argument, NULL, OPTION_SEED}, {"local", required_argument, NULL, OPTION_LOCAL},
    {"model", no_argument, NULL, OPTION_MODEL}, {"latency", required_argument, NULL, OPTION_LATENCY},
    {"stall", required_argument, NULL, OPTION_STALL}, {"max-cycles", required_argument, NULL, OPTION_MAX_CYCLES},
    {"fst", required_argument, NULL, OPTION_FST}, {"fst-from", required_argument, NULL, OPTION_FST_FROM},
    {"fst-to", required_argument, NULL, OPTION_FST_TO}, {"out", required_argument, NULL, OPTION_OUT},
    {"wad", required_argument, NULL, OPTION_WAD}, {"firmware", required_argument, NULL, OPTION_FIRMWARE},
    {"force", required_argument, NULL, OPTION_FORCE}, {"no-compare", no_argument, NULL, OPTION_NO_COMPARE},
    {"segment1", required_argument, NULL, OPTION_SEGMENT1}, {"segment2", required_argument, NULL, OPTION_SEGMENT2},
    {"claim-abi", required_argument, NULL, OPTION_CLAIM_ABI}, {"spoil", no_argument, NULL, OPTION_SPOIL},
    {"port", required_argument, NULL, OPTION_PORT}, {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0}};

void options_help(void)
{
    puts("tessera COMMAND [options]\n"
         "\n"
         "  run         draw a scene on the simulated GPU, compare every frame, write pictures and reports\n"
         "  bad-input   submit every malformed input through the whole stack and check what comes back\n"
         "  info        open the GPU and print what it says about itself\n"
         "  gdb         'run' with the control core stopped until gdb attaches\n"
         "  replay FILE run a recorded use of video memory; 'tessera replay --help' has its options\n"
         "\n"
         "  --scene NAME         freedoom (default)\n"
         "  --frames N           frames to draw, 1..999 (8)\n"
         "  --seed N             textures, host pages, memory jitter, initial state (1)\n"
         "  --local small|large  local memory: 256 KB + 2 MB, or all there is (small)\n"
         "  --segment1 PAGES     size of segment 1 when small (64)\n"
         "  --segment2 PAGES     size of segment 2 when small (512)\n"
         "  --no-compare         skip the second run with large memory\n"
         "  --force BITS         HOST.FORCE, see docs/registers.md (0)\n"
         "  --model              golden model instead of the Verilated hardware\n"
         "  --latency CYCLES     read latency of system memory (20)\n"
         "  --stall PERCENT      cycles in which system memory withholds a handshake (0)\n"
         "  --max-cycles N       stop with a report after N cycles (0 = never)\n"
         "  --fst FILE           wave form, with --fst-from CYCLE and --fst-to CYCLE\n"
         "  --out DIR            where results go (out)\n"
         "  --wad FILE           game data (/usr/share/games/doom/freedoom1.wad)\n"
         "  --firmware ELF       firmware image (" STRING(TESSERA_FIRMWARE_PATH) ")\n"
         "  --port N             of gdb, on this machine; 0 = any (3333)\n"
         "  --spoil              for tests: spoil one texture on the GPU; the run must fail\n"
         "  --claim-abi HASH     for tests: pretend to be built from another table\n"
         "  --help               this text");
}

/* A whole number in [low, high]; complains in one line otherwise. */
static bool number(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 0);
    if (text[0] == 0 || text[0] == '-' || *end != 0 || errno != 0 || parsed < low || parsed > high) {
        fprintf(stderr, "tessera: --%s %s: give a number from %llu to %llu. 'tessera --help' lists the options.\n",
                name, text, (unsigned long long)low, (unsigned long long)high);
        return false;
    }
    *value = parsed;
    return true;
}

static bool small_number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    uint64_t wide = 0;
    bool is_good = number(name, text, low, high, &wide);
    *value = (uint32_t)wide;
    return is_good;
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

static bool take(struct program_options *options, int option, const char *text)
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
    case OPTION_FORCE: return small_number("force", text, 0, UINT32_MAX, &options->force);
    case OPTION_NO_COMPARE: options->only_this_run = true; return true;
    case OPTION_SEGMENT1: return small_number("segment1", text, 1, 4096, &options->segment1_pages);
    case OPTION_SEGMENT2: return small_number("segment2", text, 1, 4096, &options->segment2_pages);
    case OPTION_PORT: return small_number("port", text, 0, 65535, &options->port);
    case OPTION_SPOIL: options->spoils = true; return true;
    case OPTION_CLAIM_ABI: return small_number("claim-abi", text, 1, UINT32_MAX, &options->abi);
    default: return false;
    }
}

int options_parse(struct program_options *options, int argc, char **argv)
{
    *options = (struct program_options){.scene = "freedoom", .wad = "/usr/share/games/doom/freedoom1.wad", .out = "out",
                                        .frames = 8, .port = 3333, .segment1_pages = SMALL_SEGMENT1_PAGES,
                                        .segment2_pages = SMALL_SEGMENT2_PAGES};
    options->platform.seed = 1;
    options->platform.firmware = STRING(TESSERA_FIRMWARE_PATH);
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "", long_options, NULL);
        if (option == -1)
            break;
        if (option == OPTION_HELP) {
            options_help();
            return 1;
        }
        if (option == '?') {
            fprintf(stderr, "tessera: %s is no option, or lacks its value. 'tessera --help' lists them.\n",
                    argv[optind - 1]);
            return 2;
        }
        if (!take(options, option, optarg))
            return 2;
    }
    if (optind < argc) {
        fprintf(stderr, "tessera: what is '%s'? 'tessera --help' lists commands and options.\n", argv[optind]);
        return 2;
    }
    return 0;
}
