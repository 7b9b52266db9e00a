/* SPDX-License-Identifier: Apache-2.0
 *
 * Command line of build/tessera: options of its commands, each with a default that works.
 */
#ifndef TESSERA_PROGRAM_OPTIONS_H
#define TESSERA_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/cli/option_table.h"
#include "lib/device/platform.h"

/* Local memory, pages. The simulator is built with more; HOST.SEGMENT*_LIMIT makes it small. */
enum { SMALL_SEGMENT1_PAGES = 64, SMALL_SEGMENT2_PAGES = 512 };

struct program_options {
    struct platform_options platform;
    const char *scene, *wad, *out;
    uint32_t frames;
    bool is_large;                           /* --local large */
    bool asks_why;                           /* --why: QUERY_ALLOCATION of all at the end */
    bool is_copied;                          /* --copy-only: textures are never read where they lie */
    uint32_t report_first, report_last;      /* --report-frames */
    uint32_t textures;                       /* --textures: different ones in the mosaic, 0 = all */
    bool only_this_run;                      /* --no-compare: skip the second, unsplit run */
    bool spoils;                             /* --spoil, for tests */
    bool has_window;                         /* --window */
    bool has_page_tracks;                    /* --page-tracks */
    bool has_display;                        /* --display */
    bool has_flips;                          /* --flips */
    uint32_t segment1_pages, segment2_pages; /* of --local small */
    struct option_limits limits;             /* --allocations, --contexts */
    uint32_t force;                          /* HOST.FORCE */
    uint32_t abi;                            /* --claim-abi, for tests */
    uint32_t port;                           /* of `gdb` */
};

/* argv[0] is the command. 0; 1 if its help was asked for and printed; 2 after one line on stderr that says what is
 * wrong: an option that is none of this command, or that would change nothing. */
int options_parse(struct program_options *options, int argc, char **argv);
/* The commands. */
void options_help(FILE *file);

/* The commands: exit status of the program. */
int command_run(const struct program_options *options);
int command_bad_input(const struct program_options *options);
int command_info(const struct program_options *options);
/* argv[1]: the file. */
int command_dump(int argc, char **argv);
/* The same: a file, or guest:SOCKET. */
int command_top(int argc, char **argv);
int command_gdb(const struct program_options *options);
int command_console(const struct program_options *options);

#endif
