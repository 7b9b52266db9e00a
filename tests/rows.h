/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test says of the rows of spec/requirements.txt while it runs: lines "row ID begun 0", "row ID pass CHECKS" and
 * "row ID fail CHECKS" in its output, which tests/run keeps for tests/meta/conformance. A row that has begun and not
 * passed has failed, so a case that crashes or is left needs to say nothing. IDS is a text with one or more ids,
 * "PGB-05, PGB-06: the rest is for people".
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_TALLIES = 128 };

static const char *rows_open; /* of the case that runs; NULL without one */
static unsigned rows_checks;  /* made in it */
static struct rows_tally {
    const char *ids;
    unsigned passed, failed;
} rows_tally[ROWS_TALLIES];

static inline bool rows_is_id(const char *at)
{
    return strlen(at) >= 6 && strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 && at[3] == '-' &&
           strspn(at + 4, "0123456789") == 2;
}

static inline void rows_say(const char *ids, const char *outcome, unsigned checks)
{
    for (; *ids != 0; ids++)
        if (rows_is_id(ids)) printf("row %.6s %s %u\n", ids, outcome, checks);
    fflush(stdout);
}

/* A case: what is checked from here to rows_end proves these rows. */
static inline void rows_begin(const char *ids)
{
    rows_open = ids;
    rows_checks = 0;
    rows_say(ids, "begun", 0);
}
static inline void rows_check(void) { rows_checks++; }
static inline void rows_end(bool is_right)
{
    if (rows_open != NULL) rows_say(rows_open, is_right ? "pass" : "fail", rows_checks);
    rows_open = NULL;
}

/* The same around a test that counts its checks itself. */
static inline void rows_case(const char *ids, void (*test)(void), const unsigned *passed, const unsigned *failed)
{
    unsigned had_passed = *passed, had_failed = *failed;
    rows_begin(ids);
    test();
    rows_checks = *passed - had_passed;
    rows_end(*failed == had_failed);
}

static inline void rows_print(void)
{
    for (size_t i = 0; i < ROWS_TALLIES && rows_tally[i].ids != NULL; i++) {
        if (rows_tally[i].passed != 0) rows_say(rows_tally[i].ids, "pass", rows_tally[i].passed);
        if (rows_tally[i].failed != 0) rows_say(rows_tally[i].ids, "fail", rows_tally[i].failed);
    }
}

/* A single check, which names its rows itself, always by the same text: counted, and said when the program ends. */
static inline void rows_count(const char *ids, bool is_right)
{
    size_t i = 0;
    if (rows_tally[0].ids == NULL) (void)atexit(rows_print);
    while (rows_tally[i].ids != NULL && rows_tally[i].ids != ids)
        if (++i == ROWS_TALLIES) abort();
    rows_tally[i].ids = ids;
    if (is_right) rows_tally[i].passed++;
    else rows_tally[i].failed++;
}

#endif
