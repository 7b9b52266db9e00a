/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera: one program, a file per command (command_*.c), options in options.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "contend/contend.h"
#include "cli/options.h"
#include "play/play.h"
#include "replay/replay.h"
#include "tessera.h"

static const struct {
    const char *name;
    int (*run)(const struct program_options *options);
} commands[] = {
    {"run", command_run}, {"bad-input", command_bad_input}, {"info", command_info},
    {"gdb", command_gdb}, {"console", command_console},
};

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
    if (strcmp(name, "replay") == 0) return replay_command(argc - 1, argv + 1); /* with options of its own */
    if (strcmp(name, "dump") == 0) return command_dump(argc - 1, argv + 1);
    if (strcmp(name, "contend") == 0) return contend_command(argc - 1, argv + 1);
    if (strcmp(name, "compare") == 0) return compare_command(argc - 1, argv + 1);
    if (strcmp(name, "play") == 0) return play_command(argc - 1, argv + 1);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            int status = options_parse(&options, argc - 1, argv + 1);
            return status == 0 ? commands[i].run(&options) : status == 1 ? 0 : 2;
        }
    }
    fprintf(stderr, "tessera: %s is no command. 'tessera --help' lists the commands.\n", name);
    return 2;
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
