/* SPDX-License-Identifier: Apache-2.0
 *
 * A file under examination, and the rule about layers, which has its own file.
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

enum { LAYER_NAMES_MAX = 96, LAYER_USERS_MAX = 8, LAYER_NAME_MAX = 32 };

struct layers {
    struct layer {
        char name[LAYER_NAME_MAX]; /* of the header, without .h */
        int row;                   /* -1: not in a row */
        char whole[LAYER_NAME_MAX]; /* module it is a piece of, or empty */
        char users[LAYER_USERS_MAX][LAYER_NAME_MAX];
        unsigned user_count;       /* 0: anybody may include it */
    } layer[LAYER_NAMES_MAX];
    unsigned count;
};

/* False when the file is missing or a line of it means nothing. */
bool layers_read(struct layers *layers, const char *path);
void layers_check(const struct layers *layers, struct file *file);

#endif
