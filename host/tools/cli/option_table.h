/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of a command as one table, which its parser and its help read, and what their values mean.
 */
#ifndef TESSERA_OPTION_TABLE_H
#define TESSERA_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTION_LINES = 40 };

/* The headings of a help, in their order. */
enum option_group { GROUP_DRAWN, GROUP_MEMORY, GROUP_DEVICE, GROUP_RESULTS, GROUP_TESTS, OPTION_GROUPS };

/* The option --`name`, NULL in a line that is passed over; `value`: what the help calls its value, NULL for none. */
struct option_line {
    enum option_group group;
    const char *name, *value, *help;
};

struct option_table {
    const char *program; /* "tessera replay" */
    const char *about;   /* the first line of the help */
    const struct option_line *line;
    int lines; /* at most OPTION_LINES; --help is not among them */
    /* Takes option `index` of the table, with its value; false after a line on stderr. */
    bool (*take)(void *context, int index, const char *text);
};

enum option_outcome { OPTION_GOOD, OPTION_HELPED, OPTION_REFUSED };

/* Takes every option of the command line, in order. OPTION_HELPED after the help was printed; OPTION_REFUSED after a
 * line on stderr: take() refused, or there is no such option, or its value is missing. Else `optind` tells where the
 * other arguments begin. */
enum option_outcome option_parse(const struct option_table *table, void *context, int argc, char **argv);

/* Of the names (NULL ones are passed over) that which `text` was most likely meant to be, or NULL. */
const char *option_nearest(const char *text, const char *const *names, size_t count);

/* The value of --NAME, decimal, octal or hexadecimal, in [low, high]. Otherwise false, after one line on stderr that
 * begins with `program`. */
bool option_number(const char *program, const char *name, const char *text, uint64_t low, uint64_t high,
                   uint64_t *value);
/* The same for a value that fits a word; 0 where it returns false. */
bool option_word(const char *program, const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value);

/* Make the folder of --out, and those that it lies in, and take it for this process: no other run writes there until it
 * ends. Otherwise false, after such a line. */
bool option_folder(const char *program, const char *path);

/* The value of --NAME, A..B or A alone, A <= B. Otherwise false, after such a line. */
bool option_range(const char *program, const char *name, const char *text, uint32_t *first, uint32_t *last);

/* --report-frames of every command that has it: how many of the first frames when not told (*last is UINT32_MAX then).
 * Long enough to see a frame come again from memory, short enough for a page of a few megabytes. */
#define OPTION_REPORT_FRAMES_DEFAULT "the first 8"
enum { OPTION_REPORT_FRAMES_COUNT = 8 };
/* Against the frames that there are, `first` to `last`; false after such a line. */
bool option_report_frames(const char *program, uint32_t first, uint32_t last, uint32_t *report_first,
                          uint32_t *report_last);

/* --policy of every command that has it: what it is when not told, and its help. */
#define OPTION_POLICY_DEFAULT "lookahead"
#define OPTION_POLICY_HELP "choose evictions with the policy literal or lookahead (" OPTION_POLICY_DEFAULT ")"
/* The value of --policy into HOST.FORCE.POLICY of *force; false after such a line when there is none of that name. */
bool option_policy(const char *program, const char *text, uint32_t *force);

/* --allocations and --contexts of every command that opens a device: what the firmware's tables are sized for at boot.
 */
struct option_limits {
    uint32_t allocations, contexts;   /* HOST.ALLOCATIONS, HOST.CONTEXTS; 0: not told */
    uint32_t list_entries, dma_bytes; /* HOST.LIST_ENTRIES, HOST.DMA_BYTES */
};
#define OPTION_ALLOCATIONS_HELP "allow at most N allocations at a time (1024)"
#define OPTION_CONTEXTS_HELP "allow at most N contexts at a time (64)"
#define OPTION_LIST_ENTRIES_HELP "allow lists of N allocations and N patch locations (1024, or what command RAM holds)"
#define OPTION_DMA_BYTES_HELP "allow DMA buffers of N bytes (32768, or what command RAM holds)"
bool option_allocations(const char *program, const char *text, struct option_limits *limits);
bool option_contexts(const char *program, const char *text, struct option_limits *limits);
bool option_list_entries(const char *program, const char *text, struct option_limits *limits);
bool option_dma_bytes(const char *program, const char *text, struct option_limits *limits);

#endif
