/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera: one program, a file per command (command_*.c), options in options.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/compare/compare.h"
#include "tools/contend/contend.h"
#include "tools/cli/option_table.h"
#include "tools/cli/options.h"
#include "clients/sdl/play/play.h"
#include "tools/replay/replay.h"
#include "tessera.h"

static const struct {
    const char *name;
    int (*run)(const struct program_options *options);
} commands[] = {
    {"run", command_run}, {"bad-input", command_bad_input}, {"info", command_info},
    {"gdb", command_gdb}, {"console", command_console},
};

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} others[] = {
    /* with options of their own */
    {"replay", replay_command},   {"dump", command_dump}, {"contend", contend_command},
    {"compare", compare_command}, {"play", play_command}, {"top", command_top},
};

static int unknown(const char *name)
{
    enum { COMMANDS = sizeof commands / sizeof *commands, OTHERS = sizeof others / sizeof *others };
    const char *names[COMMANDS + OTHERS + 3] = {"help", "--help", "--version"};
    for (size_t i = 0; i < COMMANDS; i++) names[3 + i] = commands[i].name;
    for (size_t i = 0; i < OTHERS; i++) names[3 + COMMANDS + i] = others[i].name;
    const char *near = option_nearest(name, names, sizeof names / sizeof *names);
    fprintf(stderr, "tessera: unknown command '%s'. ", name);
    if (near != NULL) fprintf(stderr, "Did you mean %s? ", near);
    fputs("'tessera --help' lists the commands.\n", stderr);
    return 2;
}

static int run_command(int argc, char **argv)
{
    struct program_options options;
    if (argc < 2) { /* a call that asks for nothing is a mistake: no output for a pipe, and no success */
        options_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        options_help(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        printf("tessera %s\n", tessera_version());
        return 0;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i].name) == 0) return others[i].run(argc - 1, argv + 1);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            int status = options_parse(&options, argc - 1, argv + 1);
            return status == 0 ? commands[i].run(&options) : status == 1 ? 0 : 2;
        }
    }
    return unknown(name);
}

/* A result that did not arrive is a failure, whatever the command says of itself. */
int main(int argc, char **argv)
{
    const int status = run_command(argc, argv);
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return status;
    fprintf(stderr, "tessera: cannot write to standard output%s%s. Give it a file or a pipe that takes all of it.\n",
            errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    return status != 0 ? status : 2;
}
