/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit test that passes, or fails one check on request; an assertion of the firmware that holds, or not.
 * usage: check sound | check | assert
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

static const char *mode;

_Noreturn void hal_assert_failed(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

static void two_and_two(void **state)
{
    (void)state;
    assert_int_equal(2 + 2, strcmp(mode, "check") == 0 ? 5 : 4);
    ASSERT(strcmp(mode, "assert") != 0);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(two_and_two)};
    mode = argc == 2 ? argv[1] : "sound";
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", 1 - failures, failures);
    return failures != 0;
}
