/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera compare`: see compare.h.
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/cli/option_table.h"

struct compare_options {
    const char *page;
    bool shows_all, has_no_page;
};

enum { OPTION_PAGE, OPTION_NO_PAGE, OPTION_ALL, OPTIONS };
static const struct option_line option_lines[OPTIONS] = {
    [OPTION_PAGE] = {GROUP_RESULTS, "page", "FILE", "write the page with both runs here (out/compare.html)"},
    [OPTION_NO_PAGE] = {GROUP_RESULTS, "no-page", NULL, "print the table only, write no page"},
    [OPTION_ALL] = {GROUP_RESULTS, "all", NULL, "print every figure and counter, not only those that differ"},
};

static bool take(void *context, int option, const char *text)
{
    struct compare_options *options = context;
    switch (option) {
    case OPTION_PAGE: options->page = text; return true;
    case OPTION_NO_PAGE: options->has_no_page = true; return true;
    case OPTION_ALL: options->shows_all = true; return true;
    default: return false;
    }
}

static const struct option_table table = {
    "tessera compare",
    " A/run.json B/run.json [options]: compare two finished runs: frames, figures, times,\n"
    "and the first decision that differs. Exit status 0: equal, 1: different, 2: cannot be compared",
    option_lines, OPTIONS, take};

/* ------------------------------------------------------------------ */

void compare_runs(const struct compare_run *a, const struct compare_run *b, struct comparison *comparison)
{
    memset(comparison, 0, sizeof *comparison);
    comparison->run[0] = a;
    comparison->run[1] = b;
    compare_settings(comparison);
    compare_figures(comparison);
    compare_frames(comparison);
    compare_decisions(comparison);
    compare_moved(comparison);
}

void compare_free(struct comparison *comparison)
{
    free(comparison->rows);
    free(comparison->frames);
    comparison->rows = NULL;
    comparison->frames = NULL;
}

/* The folder of the page's default; of another one it is the caller's. */
static bool make_folder(const struct compare_options *options)
{
    if (options->page != NULL || mkdir("out", 0777) == 0 || errno == EEXIST) return true;
    fprintf(stderr, "tessera compare: cannot make the directory out: %s. Name a file with --page.\n", strerror(errno));
    return false;
}

static int say(const struct compare_options *options, const struct comparison *comparison)
{
    char message[COMPARE_MESSAGE] = "";
    const char *page = options->page != NULL ? options->page : "out/compare.html";
    if (comparison->is_out_of_memory) {
        fprintf(stderr, "tessera compare: out of memory\n");
        return 2;
    }
    compare_table(comparison, options->shows_all);
    if (!options->has_no_page) {
        if (!make_folder(options)) return 2;
        if (!compare_page(page, comparison, message)) {
            fprintf(stderr, "tessera compare: %s\n", message);
            return 2;
        }
        printf("  The page with both runs: %s\n", page);
    }
    return compare_is_equal(comparison) ? 0 : 1;
}

static void read_trace(struct compare_run *run, struct compare_lines *cannot)
{
    char message[COMPARE_MESSAGE] = "";
    if (!compare_read_trace(run->folder, &run->trace, message))
        compare_say(cannot, "Decisions: %s/trace.json: %s.", run->folder, message);
}

int compare_command(int argc, char **argv)
{
    static struct compare_run runs[2];
    static struct comparison comparison;
    struct compare_options options = {0};
    char message[COMPARE_MESSAGE] = "";
    struct compare_lines cannot = {.count = 0};
    enum option_outcome outcome = option_parse(&table, &options, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : 2;
    if (argc - optind != 2) {
        fprintf(stderr, "tessera compare: name two run.json files. 'tessera compare --help' lists the options.\n");
        return 2;
    }
    bool is_good = true;
    for (int side = 0; side < 2 && is_good; side++)
        is_good = compare_read_run(argv[optind + side], &runs[side], message);
    int status = 2;
    if (!is_good) fprintf(stderr, "tessera compare: %s\n", message);
    else {
        for (int side = 0; side < 2; side++) read_trace(&runs[side], &cannot);
        compare_runs(&runs[0], &runs[1], &comparison);
        for (uint32_t i = 0; i < cannot.count; i++) compare_say(&comparison.cannot, "%s", cannot.line[i]);
        status = say(&options, &comparison);
    }
    compare_free(&comparison);
    compare_free_run(&runs[0]);
    compare_free_run(&runs[1]);
    return status;
}
