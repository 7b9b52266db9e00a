/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting a program with the recorder in front of its SDL, and watching it to its end: what tessera-record
 * (launcher.c) and tessera-live (host/clients/sdl/live) have in common.
 *
 * Functions that return bool have said in one line on stderr what is wrong where they return false.
 */
#ifndef TESSERA_RECORD_LAUNCH_H
#define TESSERA_RECORD_LAUNCH_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "clients/sdl/record/link.h"

enum { LAUNCH_LINE = 1024, LAUNCH_NAME = 4096, LAUNCH_OPTIONS = 16, LAUNCH_REFUSED = -2 };

struct launch {
    const char *self; /* what begins every line that is said */
    const char *events;
    uint32_t frame_limit, wait_seconds;
    char program[LAUNCH_NAME], copy_folder[LAUNCH_NAME], library[LAUNCH_NAME];
    char **arguments;
    struct record_link *link;
    pid_t child;
    int status; /* how the child has ended */
    const char
        *refusal; /* why the program cannot be recorded, as far as its file and what it has loaded say; or NULL */
};

/* The line "self: subject: what". False. */
bool launch_refuse(const struct launch *launch, const char *subject, const char *what);

/* The line "self: subject: error of errno. next". False. */
bool launch_fail(const struct launch *launch, const char *subject, const char *next);

/* The next option of the command line, -1 after the last (getopt_long). LAUNCH_REFUSED after the line that it is
 * unknown (with the one that was meant, as far as its name tells), or that its value is missing or too many. At most
 * LAUNCH_OPTIONS options. */
int launch_next(const struct launch *launch, int argc, char **argv, const char *letters, const struct option *options);
/* -n, -e and -w, with their values. False for others, or after a line. */
bool launch_option(struct launch *launch, int option, const char *text);
/* Print the help. The exit status: 0, or 2 after a line that standard output does not take it. */
int launch_help(const struct launch *launch, const char *help);
/* What follows the options: a program and its arguments. */
bool launch_arguments(struct launch *launch, char **arguments);

/* Find the program and the recorder; of a program with set user or group, make a copy. */
bool launch_find(struct launch *launch);
/* A path by which other processes open this one's descriptor. */
void launch_path(char path[LINK_PATH], int descriptor);
/* Make the link and have the program find it: the recording goes to the descriptor, which users know as `called`. */
bool launch_link(struct launch *launch, const char *called, int descriptor);
/* Run the program until it has ended, and the process that records, if that is another one. Signals of others are
 * passed on to them; those of the terminal they get themselves. If it shows nothing, a line says so meanwhile. */
bool launch_run(struct launch *launch);
/* Remove the copy, if there is one. */
void launch_end(const struct launch *launch);

/* Has the program ended by a signal, or with an exit status other than 0? */
bool launch_has_failed(const struct launch *launch);
/* The same, and if so, the line that says it. */
bool launch_say_end(const struct launch *launch);
/* After the program has shown nothing: its line, "showed no SDL surface, ..." and why. */
void launch_say_nothing(const struct launch *launch, const char *consequence);
/* A line for each reason of finished pixels: how many of them in units that are `called` so, calls that were left to
 * them, the reason; and a line where nothing was drawn. */
void launch_say_finished(const struct launch *launch, const uint64_t finished[RECORDING_REASONS], double unit,
                         const char *called);

#endif
