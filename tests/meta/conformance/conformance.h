/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of spec/requirements.txt and what the tests that ran say about them.
 */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include <stdbool.h>
#include <stdio.h>

enum { ROWS_MAX = 256, TESTS_MAX = 512, TEXT_MAX = 480, NAME_MAX_BYTES = 48 };

enum row_status { ROW_PASS, ROW_FAIL, ROW_UNTESTED, ROW_NOT_APPLICABLE, ROW_STATUSES };
enum level { LEVEL_HOST, LEVEL_RTL, LEVEL_SYSTEM, LEVELS }; /* what the strongest test ran on */

/* A test program that ran, by the name it has in build/tests/summary. */
struct test {
    char name[NAME_MAX_BYTES];
    enum level level;
};

/* What a test said of a row: cases begun, passed and failed, and the checks in those that passed. */
struct run {
    unsigned begun, passed, failed, checks;
};

struct row {
    char id[8], where[4], text[TEXT_MAX], holds[TEXT_MAX];
    char exemption[TEXT_MAX]; /* why it does not apply, or empty */
    bool is_named;            /* by a file under tests/ */
    struct run run[TESTS_MAX];
    enum row_status status;
    char reason[TEXT_MAX];
};

struct conformance {
    struct row row[ROWS_MAX];
    unsigned row_count;
    struct test test[TESTS_MAX];
    unsigned test_count;
};

extern const char *const status_names[ROW_STATUSES];
extern const char *const level_names[LEVELS];

/* A check of the row ran in this test, or began. */
bool has_run(const struct row *row, unsigned test);
/* The strongest level among those tests; -1 without one. */
int row_level(const struct conformance *conformance, const struct row *row);

bool write_json(const struct conformance *conformance, const char *path);
bool write_markdown(const struct conformance *conformance, const char *path);

#endif
