/* SPDX-License-Identifier: Apache-2.0
 *
 * The test harness of tests/unit: small enough to run on the host (with sanitizers) and as RV32 under qemu.
 * CHECK leaves the test at the first failure. CASE("SPL-09, SPL-10"), first in a test, says which requirements all its
 * checks prove; so does CHECK_CASE, which runs it. The last line of a program is "N passed, N failed".
 */
#ifndef TESSERA_CHECK_H
#define TESSERA_CHECK_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../rows.h"

struct check {
    jmp_buf leave;
    unsigned passed, failed;
};
static struct check check_state;

#define CASE(ids) rows_begin(ids)
#define CHECK(condition) \
    do { \
        rows_check(); \
        if (!(condition)) check_fail(__FILE__, __LINE__, #condition, 0, 0); \
    } while (0)
#define CHECK_EQUAL(actual, expected) \
    do { \
        uint32_t check_actual = (uint32_t)(actual), check_expected = (uint32_t)(expected); \
        rows_check(); \
        if (check_actual != check_expected) \
            check_fail(__FILE__, __LINE__, #actual " == " #expected, check_actual, check_expected); \
    } while (0)

static inline void check_fail(const char *file, int line, const char *what, uint32_t actual, uint32_t expected)
{
    printf("%s:%d: %s (0x%lx, expected 0x%lx)\n", file, line, what, (unsigned long)actual, (unsigned long)expected);
    longjmp(check_state.leave, 1);
}

#define CHECK_RUN(test) check_run(#test, test)
#define CHECK_CASE(ids, test) \
    do { \
        CASE(ids); \
        check_run(#test, test); \
    } while (0)
static inline void check_run(const char *name, void (*test)(void))
{
    if (setjmp(check_state.leave) == 0) {
        test();
        rows_end(true);
        check_state.passed++;
        return;
    }
    rows_end(false);
    printf("FAIL %s\n", name);
    check_state.failed++;
}

static inline int check_finish(void)
{
    printf("%u passed, %u failed\n", check_state.passed, check_state.failed);
    return check_state.failed == 0 && check_state.passed != 0 ? 0 : 1;
}

/* Seeded generator (xorshift32); `state` is never 0. */
static inline uint32_t check_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
/* 0 .. limit - 1 */
static inline uint32_t check_pick(uint32_t *state, uint32_t limit) { return (check_random(state) >> 3) % limit; }

#endif
