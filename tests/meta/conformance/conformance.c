/* SPDX-License-Identifier: Apache-2.0
 *
 * conformance JSON MARKDOWN FILES...: which requirement is proved by a check that ran. FILES are all files under
 * tests/. conformance --check FILES...: only whether the names fit, for `make test`.
 *
 * Reads spec/requirements.txt, tests/meta/conformance/exempt, tests/meta/conformance/levels (on what a test runs),
 * build/tests/summary (which tests ran) and build/tests/NAME.rows (what each said of rows while it ran: tests/rows.h).
 * A row fails            if a check of it failed, or a case of it began and did not pass, passes           if checks of
 * it ran, and all passed, does not apply   if it is in tests/meta/conformance/exempt and no check of it ran, is
 * untested      otherwise: what a file names and nobody runs proves nothing. It is an error, exit status 1, when a test
 * names an id that does not exist, when no file under tests/ names a row, or when a row fails.
 */
#include "conformance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const status_names[ROW_STATUSES] = {"pass", "fail", "untested", "not-applicable"};
const char *const level_names[LEVELS] = {"host", "rtl", "system"};

static struct conformance all;
static unsigned errors;

static void complain(const char *file, const char *what, const char *name)
{
    printf("%s: %s %s\n", file, what, name);
    errors++;
}

static FILE *open_or_stop(const char *path)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        printf("cannot read %s; run this at the top of the project\n", path);
        exit(2);
    }
    return stream;
}

static struct row *find_row(const char *id)
{
    for (unsigned i = 0; i < all.row_count; i++)
        if (strncmp(all.row[i].id, id, 6) == 0) return &all.row[i];
    return NULL;
}

/* ------------------------------------------------------------------ what is required */

/* The next field of "a | b | c", copied; returns what follows it. */
static char *take_field(char *text, char *field, size_t size)
{
    char *end = strstr(text, " | ");
    size_t length = end != NULL ? (size_t)(end - text) : strcspn(text, "\n");
    snprintf(field, size, "%.*s", (int)length, text);
    return end != NULL ? end + 3 : text + length;
}

static void read_requirements(void)
{
    char line[2 * TEXT_MAX];
    FILE *stream = open_or_stop("spec/requirements.txt");
    while (fgets(line, sizeof line, stream) != NULL && all.row_count < ROWS_MAX) {
        struct row *row = &all.row[all.row_count];
        if (line[0] == '#') continue;
        char *rest = take_field(line, row->id, sizeof row->id);
        rest = take_field(rest, row->where, sizeof row->where);
        rest = take_field(rest, row->text, sizeof row->text);
        (void)take_field(rest, row->holds, sizeof row->holds);
        all.row_count++;
    }
    fclose(stream);
}

/* "ID reason": only rows whose own text leaves the door open. */
static void read_exemptions(void)
{
    static const char *const doors[] = {
        "n/a", " if ", " only ", "unless", "depends", "without", "when hardware has none"};
    char line[TEXT_MAX];
    FILE *stream = open_or_stop("tests/meta/conformance/exempt");
    while (fgets(line, sizeof line, stream) != NULL) {
        struct row *row = find_row(line);
        bool is_open = false;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || line[0] == 0) continue;
        if (row == NULL) {
            complain("tests/meta/conformance/exempt", "no such id:", line);
            continue;
        }
        for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++) is_open |= strstr(row->holds, doors[i]) != NULL;
        if (!is_open) complain("tests/meta/conformance/exempt", "this row has no condition:", line);
        snprintf(row->exemption, sizeof row->exemption, "%s", line + 7);
    }
    fclose(stream);
}

/* ------------------------------------------------------------------ what tests name */

/* Every id in a file must exist; it is noted that its row is named. */
static void scan(const char *path)
{
    static const char *const tools[] = {"tests/meta/conformance/", "tests/meta/tidy/", "tests/meta/must_fail/"};
    char line[4096];
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) /* they handle ids, and test nothing */
        if (strncmp(path, tools[i], strlen(tools[i])) == 0) return;
    FILE *stream = open_or_stop(path);
    while (fgets(line, sizeof line, stream) != NULL)
        for (const char *at = line; *at != 0; at++) {
            bool is_start = at == line || !isalnum((unsigned char)at[-1]);
            if (!is_start || strlen(at) < 5 || at[3] != '-' || !isdigit((unsigned char)at[4])) continue;
            char id[8];
            bool is_group = false;
            snprintf(id, sizeof id, "%.6s", at);
            for (unsigned i = 0; i < all.row_count; i++) is_group |= strncmp(all.row[i].id, at, 4) == 0;
            struct row *row = isdigit((unsigned char)at[5]) && !isalnum((unsigned char)at[6]) ? find_row(id) : NULL;
            if (row == NULL && is_group) complain(path, "names an id that does not exist:", id);
            if (row != NULL) row->is_named = true;
        }
    fclose(stream);
}

/* ------------------------------------------------------------------ what ran */

/* "LEVEL NAME..."; a test that has no line runs on the host. */
static enum level level_of(const char *name)
{
    char line[1024];
    enum level level = LEVEL_HOST;
    FILE *stream = open_or_stop("tests/meta/conformance/levels");
    while (fgets(line, sizeof line, stream) != NULL) {
        char *rest = NULL, *word = strtok_r(line, " \n", &rest);
        enum level of = LEVELS;
        for (unsigned i = 0; word != NULL && i < LEVELS; i++)
            if (strcmp(word, level_names[i]) == 0) of = (enum level)i;
        while (of != LEVELS && (word = strtok_r(NULL, " \n", &rest)) != NULL)
            if (strcmp(word, name) == 0) level = of;
    }
    fclose(stream);
    return level;
}

/* "row ID begun|pass|fail CHECKS" of one test. */
static void read_rows(struct test *test)
{
    char path[NAME_MAX_BYTES + 32], line[256];
    snprintf(path, sizeof path, "build/tests/%s.rows", test->name);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) return;
    while (fgets(line, sizeof line, stream) != NULL) {
        char id[8], outcome[8];
        unsigned checks;
        if (sscanf(line, "row %7s %7s %u", id, outcome, &checks) != 3) continue;
        struct row *row = find_row(id);
        if (row == NULL) {
            complain(path, "names an id that does not exist:", id);
            continue;
        }
        struct run *run = &row->run[test - all.test];
        if (strcmp(outcome, "begun") == 0) run->begun++;
        else if (strcmp(outcome, "pass") == 0) run->passed++, run->checks += checks;
        else run->failed++;
    }
    fclose(stream);
}

static void read_summary(void)
{
    char line[512], name[NAME_MAX_BYTES];
    FILE *stream = open_or_stop("build/tests/summary");
    while (fgets(line, sizeof line, stream) != NULL) {
        bool is_known = false;
        if (sscanf(line, "%47s", name) != 1) continue;
        for (unsigned i = 0; i < all.test_count; i++) is_known |= strcmp(all.test[i].name, name) == 0;
        if (is_known) continue;
        if (all.test_count == TESTS_MAX) {
            printf("build/tests/summary: too many tests\n");
            exit(2);
        }
        struct test *test = &all.test[all.test_count++];
        snprintf(test->name, sizeof test->name, "%s", name);
        test->level = level_of(name);
        read_rows(test);
    }
    fclose(stream);
}

bool has_run(const struct row *row, unsigned test)
{
    const struct run *run = &row->run[test];
    return run->checks + run->failed + run->begun != 0u;
}

int row_level(const struct conformance *conformance, const struct row *row)
{
    int level = -1;
    for (unsigned i = 0; i < conformance->test_count; i++)
        if (has_run(row, i) && (int)conformance->test[i].level > level) level = (int)conformance->test[i].level;
    return level;
}

static void judge(struct row *row)
{
    const struct test *failing = NULL;
    unsigned checks = 0;
    for (unsigned i = 0; i < all.test_count; i++) {
        const struct run *run = &row->run[i];
        if (run->failed != 0 || run->begun > run->passed) failing = &all.test[i];
        checks += run->checks;
    }
    row->status = failing != NULL          ? ROW_FAIL
                  : checks != 0            ? ROW_PASS
                  : row->exemption[0] != 0 ? ROW_NOT_APPLICABLE
                                           : ROW_UNTESTED;
    if (failing != NULL) snprintf(row->reason, sizeof row->reason, "test %s failed", failing->name);
    else if (row->status == ROW_NOT_APPLICABLE) memcpy(row->reason, row->exemption, sizeof row->reason);
    else if (row->status == ROW_UNTESTED) snprintf(row->reason, sizeof row->reason, "no check of it ran");
}

int main(int argc, char **argv)
{
    bool is_check = argc >= 2 && strcmp(argv[1], "--check") == 0;
    unsigned count[ROW_STATUSES] = {0};
    if (!is_check && argc < 4) {
        printf("usage: conformance JSON MARKDOWN FILES... | conformance --check FILES...\n");
        return 2;
    }
    read_requirements();
    read_exemptions();
    for (int i = is_check ? 2 : 3; i < argc; i++) scan(argv[i]);
    for (unsigned i = 0; i < all.row_count; i++)
        if (!all.row[i].is_named && all.row[i].exemption[0] == 0)
            complain(all.row[i].id, "is named by no test:", all.row[i].text);
    if (is_check) {
        printf("%u passed, %u failed\n", all.row_count + (unsigned)argc - 2u, errors);
        return errors != 0;
    }
    read_summary();
    for (unsigned i = 0; i < all.row_count; i++) {
        judge(&all.row[i]);
        count[all.row[i].status]++;
    }
    if (!write_json(&all, argv[1]) || !write_markdown(&all, argv[2])) {
        printf("cannot write %s or %s\n", argv[1], argv[2]);
        return 2;
    }
    for (unsigned i = 0; i < ROW_STATUSES; i++) printf("%4u %s\n", count[i], status_names[i]);
    return errors != 0 || count[ROW_FAIL] != 0;
}
