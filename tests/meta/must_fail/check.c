/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that pass or fail on request, in both harnesses of the project (tests/unit/check.h and cmocka), and an
 * assertion of the firmware that holds or does not.
 * usage: check sound | check | cmocka | assert
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "platform/base.h"
#include "check.h"

static const char *mode;

_Noreturn void hal_assert_failed(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

static bool is_mode(const char *name) { return strcmp(mode, name) == 0; }

static void two_and_two(void)
{
    CASE("SPL-01");
    CHECK_EQUAL(2 + 2, is_mode("check") ? 5 : 4);
    ASSERT(!is_mode("assert"));
}

static void two_and_two_cmocka(void **state)
{
    (void)state;
    assert_int_equal(2 + 2, is_mode("cmocka") ? 5 : 4);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(two_and_two_cmocka)};
    mode = argc == 2 ? argv[1] : "sound";
    if (cmocka_run_group_tests(tests, NULL, NULL) != 0) return 1;
    CHECK_RUN(two_and_two);
    return check_finish();
}
