/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of a command: see option_table.h.
 */
#include "tools/cli/option_table.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu_policies.h"
#include "gpu_spec.h"

enum { OPTION_FIRST = 256 };

static void print_line(const struct option_line *line)
{
    char usage[40];
    snprintf(usage, sizeof usage, "--%s %s", line->name, line->value != NULL ? line->value : "");
    printf("  %-20s %s\n", usage, line->help);
}

static void print_help(const struct option_table *table)
{
    static const char *const headings[OPTION_GROUPS] = {[GROUP_DRAWN] = "Work",
                                                        [GROUP_MEMORY] = "Memory",
                                                        [GROUP_DEVICE] = "Device",
                                                        [GROUP_RESULTS] = "Results",
                                                        [GROUP_TESTS] = "For tests"};
    printf("%s%s\n", table->program, table->about);
    for (unsigned group = 0; group < OPTION_GROUPS; group++) {
        bool has_heading = false;
        for (int i = 0; i < table->lines; i++) {
            const struct option_line *line = &table->line[i];
            if (line->name == NULL || (unsigned)line->group != group) continue;
            if (!has_heading) printf("\n%s\n", headings[group]);
            has_heading = true;
            print_line(line);
        }
    }
    puts("\n  --help               print this text");
}

/* ------------------------------------------------------------------ what was meant */

/* Letters to insert, leave out or replace, at most `NAME_MOST` of each. */
static unsigned distance(const char *a, const char *b)
{
    enum { NAME_MOST = 32 };
    unsigned row[NAME_MOST + 1];
    const size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > NAME_MOST || b_length > NAME_MOST) return NAME_MOST;
    for (unsigned k = 0; k <= b_length; k++) row[k] = k;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned corner = row[0]; /* of the row before, a column to the left */
        row[0] = i;
        for (unsigned k = 1; k <= b_length; k++) {
            const unsigned replaced = corner + (a[i - 1] != b[k - 1]);
            const unsigned added = 1u + (row[k] < row[k - 1] ? row[k] : row[k - 1]);
            corner = row[k];
            row[k] = replaced < added ? replaced : added;
        }
    }
    return row[b_length];
}

const char *option_nearest(const char *text, const char *const *names, size_t count)
{
    const size_t length = strlen(text);
    const char *best = NULL;
    unsigned least = length < 3u ? 2u : length < 8u ? 3u : 4u;
    for (size_t i = 0; i < count; i++) {
        if (names[i] == NULL) continue;
        const bool is_start = length >= 2u && strncmp(text, names[i], length) == 0;
        const unsigned away = is_start ? 1u : distance(text, names[i]);
        if (away >= least) continue;
        least = away;
        best = names[i];
    }
    return best;
}

/* ------------------------------------------------------------------ parsing */

/* `word` is not an option: the name up to '=' is compared with those that there are. */
static void say_unknown(const struct option_table *table, const char *word)
{
    const char *names[OPTION_LINES + 1], *near = NULL;
    char text[64];
    for (int i = 0; i < table->lines; i++) names[i] = table->line[i].name;
    names[table->lines] = "help";
    snprintf(text, sizeof text, "%s", word);
    text[strcspn(text, "=")] = 0;
    if (strncmp(text, "--", 2) == 0) near = option_nearest(text + 2, names, (size_t)table->lines + 1u);
    fprintf(stderr, "%s: unknown option '%s'. ", table->program, word);
    if (near != NULL) fprintf(stderr, "Did you mean --%s? ", near);
    fprintf(stderr, "'%s --help' lists the options.\n", table->program);
}

/* What getopt_long has not taken: an option that there is not, a value too few or too many. */
static void say_refused(const struct option_table *table, int option, const char *word)
{
    const int index = optopt - OPTION_FIRST;
    const struct option_line *line = index >= 0 && index < table->lines ? &table->line[index] : NULL;
    if (option == ':' && line != NULL)
        fprintf(stderr, "%s: --%s needs a value: --%s %s. '%s --help' lists the options.\n", table->program, line->name,
                line->name, line->value, table->program);
    else if (index >= 0)
        fprintf(stderr, "%s: --%s takes no value. '%s --help' lists the options.\n", table->program,
                line != NULL ? line->name : "help", table->program);
    else say_unknown(table, word);
}

enum option_outcome option_parse(const struct option_table *table, void *context, int argc, char **argv)
{
    struct option list[OPTION_LINES + 2];
    int count = 0, option;
    assert(table->lines <= OPTION_LINES);
    for (int i = 0; i < table->lines; i++) {
        const struct option_line *line = &table->line[i];
        if (line->name == NULL) continue;
        int has_value = line->value != NULL ? required_argument : no_argument;
        list[count++] = (struct option){line->name, has_value, NULL, OPTION_FIRST + i};
    }
    list[count++] = (struct option){"help", no_argument, NULL, OPTION_FIRST + table->lines};
    list[count] = (struct option){0};
    opterr = 0;
    while (true) {
        const int at = optind;
        option = getopt_long(argc, argv, ":", list, NULL);
        if (option == -1) return OPTION_GOOD;
        if (option == OPTION_FIRST + table->lines) {
            print_help(table);
            return OPTION_HELPED;
        }
        if (option < OPTION_FIRST) {
            say_refused(table, option, argv[optind > at ? optind - 1 : at]);
            return OPTION_REFUSED;
        }
        if (!table->take(context, option - OPTION_FIRST, optarg)) return OPTION_REFUSED;
    }
}

bool option_number(const char *program, const char *name, const char *text, uint64_t low, uint64_t high,
                   uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 0);
    if (text[0] == 0 || text[0] == '-' || *end != 0 || errno != 0 || parsed < low || parsed > high) {
        fprintf(stderr, "%s: --%s %s: give a number from %llu to %llu. '%s --help' lists the options.\n", program, name,
                text, (unsigned long long)low, (unsigned long long)high, program);
        return false;
    }
    *value = parsed;
    return true;
}

bool option_word(const char *program, const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    uint64_t wide = 0;
    bool is_good = option_number(program, name, text, low, high, &wide);
    *value = (uint32_t)wide;
    return is_good;
}

bool option_range(const char *program, const char *name, const char *text, uint32_t *first, uint32_t *last)
{
    int used = 0, behind = 0;
    int fields = sscanf(text, "%9u%n..%9u%n", first, &used, last, &behind);
    if (fields == 1) *last = *first;
    if (fields >= 1 && text[fields == 1 ? used : behind] == 0 && text[0] >= '0' && text[0] <= '9' && *first <= *last)
        return true;
    fprintf(stderr, "%s: --%s %s: not a range. Write A..B, for instance 0..99.\n", program, name, text);
    return false;
}

bool option_report_frames(const char *program, uint32_t first, uint32_t last, uint32_t *report_first,
                          uint32_t *report_last)
{
    if (*report_last == UINT32_MAX) {
        *report_first = first;
        *report_last = last - first < OPTION_REPORT_FRAMES_COUNT ? last : first + OPTION_REPORT_FRAMES_COUNT - 1u;
        return true;
    }
    if (*report_first >= first && *report_last <= last) return true;
    fprintf(stderr, "%s: --report-frames %u..%u: only frames %u to %u are drawn. Name some of these.\n", program,
            *report_first, *report_last, first, last);
    return false;
}

bool option_policy(const char *program, const char *text, uint32_t *force)
{
#define POLICY_NAME(name, symbol) [POLICY_##name] = #symbol,
    static const char *const names[POLICY_COUNT] = {POLICY_TABLE(POLICY_NAME)};
#undef POLICY_NAME
    for (uint32_t i = 0; i < POLICY_COUNT; i++) {
        if (strcmp(text, names[i]) == 0) {
            *force = (*force & ~(field_mask(HOST_FORCE_POLICY_WIDTH) << HOST_FORCE_POLICY_LSB)) |
                     FIELD_PUT(i, HOST_FORCE_POLICY);
            return true;
        }
    }
    fprintf(stderr, "%s: --policy %s: unknown policy. Choose one of", program, text);
    for (uint32_t i = 0; i < POLICY_COUNT; i++) fprintf(stderr, "%s %s", i > 0 ? "," : "", names[i]);
    fprintf(stderr, ".\n");
    return false;
}

bool option_allocations(const char *program, const char *text, struct option_limits *limits)
{
    return option_word(program, "allocations", text, 1, LIMIT_BITS_ALLOCATIONS_MAX, &limits->allocations);
}

bool option_list_entries(const char *program, const char *text, struct option_limits *limits)
{
    return option_word(program, "list-entries", text, 32, LIMIT_BITS_LIST_ENTRIES_MAX, &limits->list_entries);
}

bool option_dma_bytes(const char *program, const char *text, struct option_limits *limits)
{
    return option_word(program, "dma-bytes", text, 4096, LIMIT_BITS_DMA_BYTES_MAX, &limits->dma_bytes);
}

bool option_contexts(const char *program, const char *text, struct option_limits *limits)
{
    return option_word(program, "contexts", text, 1, LIMIT_BITS_CONTEXTS_MAX, &limits->contexts);
}

/* ------------------------------------------------------------------ folders */

/* Those that it lies in; what fails here makes it fail, too. */
static void make_above(const char *path)
{
    char above[512];
    if (snprintf(above, sizeof above, "%s", path) >= (int)sizeof above) return;
    for (char *at = strchr(above + (above[0] == '/'), '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = 0;
        (void)mkdir(above, 0777);
        *at = '/';
    }
}

static bool make_folder(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }

/* For this process alone until it ends, with its children; a file system without locks is trusted. */
static bool take_folder(const char *program, const char *path)
{
    static int taken = -1;
    if (taken >= 0) close(taken);
    taken = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (taken < 0 || flock(taken, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    fprintf(stderr, "%s: another run is writing into the directory %s. Wait for it, or name another with --out.\n",
            program, path);
    return false;
}

bool option_folder(const char *program, const char *path)
{
    if (make_folder(path)) return take_folder(program, path);
    if (errno == ENOENT) {
        make_above(path);
        if (make_folder(path)) return take_folder(program, path);
    }
    fprintf(stderr, "%s: cannot make the directory %s: %s. Name another with --out.\n", program, path, strerror(errno));
    return false;
}
