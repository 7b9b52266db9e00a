/* SPDX-License-Identifier: Apache-2.0
 *
 * A file under examination, and the rules about prose and layers, which have their own files.
 */
#ifndef TESTS_TIDY_H
#define TESTS_TIDY_H

#include <stdbool.h>
#include <stdio.h>

struct file {
    const char *path;
    const char **lines; /* without their newlines */
    unsigned line_count;
    bool ends_with_newline;
    unsigned offences;
};

/* Print and count an offence at a line (0: the file as a whole). */
void offend(struct file *file, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool ends_with(const char *text, const char *end);

/* The words of tests/meta/tidy/words; false when there are none. */
bool prose_read_words(const char *path);
/* Documents, comments and messages of a file: citations, links, words. */
void prose_check(struct file *file);

enum {
    LAYER_PATH_MAX = 64,
    LAYER_ROOTS_MAX = 4,
    LAYER_FOLDERS_MAX = 64,
    LAYER_RANKS_MAX = 8,
    LAYER_CIRCLES_MAX = 16,
    LAYER_MEMBERS_MAX = 32,
    LAYER_MODULES_MAX = 512
};

/* tests/meta/tidy/layers, and what the files read so far include. */
struct layers {
    struct layer_root {
        char path[LAYER_PATH_MAX], outside[LAYER_MEMBERS_MAX][LAYER_PATH_MAX];
        unsigned outside_count;
    } root[LAYER_ROOTS_MAX];
    struct layer_folder {
        char path[LAYER_PATH_MAX];
        unsigned long long may_use; /* a bit per folder */
        int rank;                   /* -1: in none */
    } folder[LAYER_FOLDERS_MAX];
    struct layer_rank {
        char path[LAYER_PATH_MAX];
        unsigned may_use; /* a bit per rank */
    } rank[LAYER_RANKS_MAX];
    struct layer_circle {
        char member[LAYER_MEMBERS_MAX][LAYER_PATH_MAX];
        unsigned member_count;
    } circle[LAYER_CIRCLES_MAX];
    struct layer_module {
        char path[LAYER_PATH_MAX];       /* without .c, .h and _internal */
        bool is_seen;                    /* a file of it was read */
        bool reaches[LAYER_MODULES_MAX]; /* by includes inside its folder */
    } module[LAYER_MODULES_MAX];
    unsigned root_count, folder_count, rank_count, circle_count, module_count;
};

/* False when the file is missing or a line of it means nothing, which is printed. */
bool layers_read(struct layers *layers, const char *path);
void layers_check(struct layers *layers, struct file *file);
/* After the last file: circles that are not named, and names that stand in none. Prints and returns how many. */
unsigned layers_finish(struct layers *layers);

#endif
