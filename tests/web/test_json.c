/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: web/json is json-c to the reader of workloads. Method: workloads that pagesim_read.c reads are read by both,
 * and texts of every kind of error are refused by both with a line that names the same place; each reader is linked
 * with its own library, web/json with other names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tools/replay/pagesim.h"

/* pagesim_parse over web/json (-D). */
struct pagesim *web_pagesim_parse(const char *text, size_t length, const char *name, char message[PAGESIM_MESSAGE]);

static const char good[] =
    "{ \"slots\": 2, \"segments\": [{\"size\": 65536}, {\"kind\": \"aperture\", \"size\": 8192}],\r\n"
    "\t\"allocs\": [{\"size\": 4096}, {\"size\": 12288, \"init\": \"backing\", \"a\\u0041\\n\": null, \"b\": [1.5e3, "
    "-0.25]}],\n"
    "\"buffers\": [{\"len\": 16, \"patches\": [[0, 0, 0, true], [1, 1, 8, 0]], \"times\": [1, 2.5]},\n"
    "{\"len\": 8, \"patches\": [[0, 1, 0, false]]}]}\n ";

static void both(const char *text, size_t length)
{
    char message[PAGESIM_MESSAGE] = "", mine[PAGESIM_MESSAGE] = "";
    struct pagesim *judge = pagesim_parse(text, length, "w", message);
    struct pagesim *read = web_pagesim_parse(text, length, "w", mine);
    if (read != NULL) {
        assert_non_null(judge);
        assert_int_equal(read->step_count, judge->step_count);
        assert_int_equal(read->patch_count, judge->patch_count);
        assert_int_equal(read->allocation_count, judge->allocation_count);
        for (uint32_t i = 0; i < read->step_count; i++) {
            assert_true(read->steps[i].time == judge->steps[i].time);
            assert_int_equal(read->steps[i].start, judge->steps[i].start);
        }
    } else if (strstr(mine, "not JSON") == NULL) {
        assert_string_equal(mine, message); /* the reader's own rules */
    }
    pagesim_free(read);
    pagesim_free(judge);
}

static void test_good(void **context)
{
    (void)context;
    char message[PAGESIM_MESSAGE];
    struct pagesim *read = web_pagesim_parse(good, strlen(good), "w", message);
    if (read == NULL) fail_msg("%s", message);
    pagesim_free(read);
    both(good, strlen(good));
}

/* What it is at each length, and with each byte replaced. */
static void test_changed(void **context)
{
    static const char replacements[] = "\"{}[],:0-e.tn \\x";
    char text[sizeof good];
    (void)context;
    for (size_t length = 0; length < sizeof good - 1u; length++) both(good, length);
    for (size_t at = 0; at < sizeof good - 1u; at++) {
        for (size_t i = 0; i < sizeof replacements - 1u; i++) {
            memcpy(text, good, sizeof good);
            text[at] = replacements[i];
            both(text, sizeof good - 1u);
        }
    }
}

static void test_numbers(void **context)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "007",
                                          "1.",
                                          ".5",
                                          "1e5",
                                          "1e+5",
                                          "--1",
                                          "1-1",
                                          "4097",
                                          "1e",
                                          "+1",
                                          "0x10",
                                          "NaN",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775809",
                                          "4096.0",
                                          "true",
                                          "\"4096\""};
    char text[256];
    (void)context;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const int length =
            snprintf(text, sizeof text,
                     "{\"slots\":1,\"segments\":[{\"size\":8192}],\"allocs\":[{\"size\":%s}],\"buffers\":"
                     "[{\"len\":8,\"patches\":[[0,0,0,1]]}]}",
                     numbers[i]);
        both(text, (size_t)length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_changed),
                                       cmocka_unit_test(test_numbers)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
