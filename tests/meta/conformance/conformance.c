/* SPDX-License-Identifier: Apache-2.0
 *
 * conformance JSON MARKDOWN FILES...: which requirement is proved by a test that ran. FILES are all files under
 * tests/. conformance --check FILES...: only whether the names fit, for `make test`.
 *
 * Reads spec/requirements.txt, tests/meta/conformance/map (which source files make up which test),
 * tests/meta/conformance/exempt and build/tests/summary (what ran, and how it ended). A row
 *   passes           if tests that name its id ran and all of them passed,
 *   fails            if one of them failed,
 *   does not apply   if it is in tests/meta/conformance/exempt and nothing tests it,
 *   is untested      otherwise.
 * It is an error, exit status 1, when a source names an id that does not exist, when a file under tests/ names
 * ids but belongs to no test, when the map names a file that does not exist, or when a row fails.
 */
#include "conformance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const status_names[ROW_STATUSES] = {"pass", "fail", "untested", "not-applicable"};
const char *const level_names[LEVELS] = {"host", "rtl", "system"};

static struct conformance all;
static unsigned errors;
static char mapped[512][128];
static unsigned mapped_count;

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

/* Every id in a file; those of `test` (may be NULL) are noted. Returns how many there are. */
static unsigned scan(const char *path, const struct test *test)
{
    char line[4096];
    unsigned found = 0;
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        complain("tests/meta/conformance/map", "no such file:", path);
        return 0;
    }
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
            if (row == NULL) continue;
            found++;
            if (test != NULL) row->names[test - all.test] = 1;
        }
    fclose(stream);
    return found;
}

/* "NAME LEVEL FILE...", continued by lines that begin with a space. */
static void read_map(void)
{
    char line[1024];
    struct test *test = NULL;
    FILE *stream = open_or_stop("tests/meta/conformance/map");
    while (fgets(line, sizeof line, stream) != NULL) {
        bool is_continued = line[0] == ' ';
        char *rest = NULL, *word = strtok_r(line, " \n", &rest);
        if (word == NULL || word[0] == '#') continue;
        if (!is_continued) {
            char *level = strtok_r(NULL, " \n", &rest);
            test = &all.test[all.test_count++];
            snprintf(test->name, sizeof test->name, "%s", word);
            test->level = LEVELS;
            for (unsigned i = 0; level != NULL && i < LEVELS; i++)
                if (strcmp(level, level_names[i]) == 0) test->level = (enum level)i;
            if (test->level == LEVELS || all.test_count == TESTS_MAX) {
                printf("tests/meta/conformance/map: %s: no such level, or too many tests\n", word);
                exit(2);
            }
            word = strtok_r(NULL, " \n", &rest);
        }
        for (; word != NULL && test != NULL; word = strtok_r(NULL, " \n", &rest)) {
            (void)scan(word, test);
            if (mapped_count < sizeof mapped / sizeof mapped[0])
                snprintf(mapped[mapped_count++], sizeof mapped[0], "%s", word);
        }
    }
    fclose(stream);
}

/* "tests/unit/memory/test_segment.c" -> "segment"; false for other shapes. */
static bool stem_of(const char *path, char *stem, size_t size)
{
    const char *name = strrchr(path, '/');
    if (name == NULL || strncmp(name, "/test_", 6) != 0) return false;
    snprintf(stem, size, "%.*s", (int)strcspn(name + 6, "."), name + 6);
    for (char *at = stem; *at != 0; at++)
        if (*at == '_') *at = '-';
    return true;
}

/* A file under tests/ that is not in the map: its name says whose it is, if it names ids at all. The tools
 * that handle ids are not tests. */
static void take_file(const char *path)
{
    static const char *const tools[] = {"tests/meta/conformance/", "tests/meta/tidy/", "tests/meta/must_fail/"};
    char stem[NAME_MAX_BYTES];
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        if (strncmp(path, tools[i], strlen(tools[i])) == 0) return;
    for (unsigned i = 0; i < mapped_count; i++)
        if (strcmp(mapped[i], path) == 0) return;
    if (scan(path, NULL) == 0) return;
    if (!stem_of(path, stem, sizeof stem) || all.test_count == TESTS_MAX) {
        complain(path, "names requirements; add it to", "tests/meta/conformance/map");
        return;
    }
    struct test *test = &all.test[all.test_count++];
    snprintf(test->name, sizeof test->name, "%s", stem);
    test->level = strncmp(path, "tests/rtl/", 10) == 0    ? LEVEL_RTL
                  : strncmp(path, "tests/chip/", 11) == 0 ? LEVEL_SYSTEM
                                                          : LEVEL_HOST;
    test->is_derived = true;
    (void)scan(path, test);
}

/* ------------------------------------------------------------------ what ran */

static void read_summary(void)
{
    char name[NAME_MAX_BYTES];
    unsigned passed, failed;
    FILE *stream = open_or_stop("build/tests/summary");
    while (fscanf(stream, "%47s %u %u %*u", name, &passed, &failed) == 3) {
        for (unsigned i = 0; i < all.test_count; i++) {
            struct test *test = &all.test[i];
            size_t length = strlen(name), stem = strlen(test->name);
            bool ends_so = test->is_derived && length > stem && name[length - stem - 1] == '-' &&
                           strcmp(name + length - stem, test->name) == 0;
            if (strcmp(name, test->name) != 0 && !ends_so) continue;
            if (strcmp(test->ran_as, name) == 0) /* run again since: the last one counts */
                test->passed = test->failed = 0;
            snprintf(test->ran_as, sizeof test->ran_as, "%s", name);
            test->has_run = true;
            test->passed += passed;
            test->failed += failed;
        }
    }
    fclose(stream);
}

int row_level(const struct conformance *conformance, const struct row *row)
{
    int level = -1;
    for (unsigned i = 0; i < conformance->test_count; i++)
        if (row->names[i] && conformance->test[i].has_run && (int)conformance->test[i].level > level)
            level = (int)conformance->test[i].level;
    return level;
}

static void judge(struct row *row)
{
    const struct test *failing = NULL, *missing = NULL;
    bool is_proved = false;
    for (unsigned i = 0; i < all.test_count; i++) {
        const struct test *test = &all.test[i];
        if (!row->names[i]) continue;
        if (!test->has_run) missing = test;
        else if (test->failed != 0 || test->passed == 0) failing = test;
        else is_proved = true;
    }
    row->status = failing != NULL          ? ROW_FAIL
                  : is_proved              ? ROW_PASS
                  : row->exemption[0] != 0 ? ROW_NOT_APPLICABLE
                                           : ROW_UNTESTED;
    if (failing != NULL) snprintf(row->reason, sizeof row->reason, "test %s failed", failing->name);
    else if (row->status == ROW_NOT_APPLICABLE) memcpy(row->reason, row->exemption, sizeof row->reason);
    else if (row->status == ROW_UNTESTED && missing != NULL)
        snprintf(row->reason, sizeof row->reason, "test %s did not run", missing->name);
    else if (row->status == ROW_UNTESTED) snprintf(row->reason, sizeof row->reason, "no test names it");
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
    read_map();
    for (int i = is_check ? 2 : 3; i < argc; i++) take_file(argv[i]);
    if (is_check) {
        printf("%u passed, %u failed\n", mapped_count + (unsigned)argc - 2u, errors);
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
