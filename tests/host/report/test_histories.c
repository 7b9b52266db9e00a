/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: no history that a device can have is told otherwise than before. Method: a dozen histories, made up
 * (history.h): with tags that come again, completions of strangers, messages and events that have no name, devices
 * without counters, a track per page, a time line that ends before the run, lists that are full; time line and page of
 * each are held in sums. After a change that is meant: make report-written.
 *   test_histories FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "history.h"
#include "tools/view/report.h"
#include "tools/view/report_html.h"

enum { HISTORIES = 12, LONG = 60000 };

static uint32_t traces, pages;

static uint32_t sum_of(const char *name, const char *begin, const char *end)
{
    char path[600];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = (char *)load(path, &bytes), *from = strstr(text, begin);
    char *to = from != NULL && *end != 0 ? strstr(from, end) : text + bytes;
    if (from == NULL || to == NULL) failed++, printf("FAILED: no %s in %s\n", begin, path);
    return from == NULL || to == NULL ? 0 : (uint32_t)crc32(0, (const uint8_t *)from, (uInt)(to - from));
}

/* What is shown at the end, and all that it is made of. */
static void take(uint32_t number)
{
    static const bool is_good[FRAMES] = {true, true, false, true, true};
    static struct profile_row functions[] = {{"gpu_turn", 1, 2, 3, 40}};
    struct report_row rows[ACCOUNT_ROWS + 1] = {{"made up", "", "by test_histories.c"}};
    char path[600], message[256] = "";
    const struct account account = view_account(view);
    uint32_t count = report_account(&account, rows + 1);
    if (view_close(view) == 0) passed++;
    else failed++, printf("FAILED: the view cannot be written\n");
    const struct report_page page = {.title = "a made-up run",
                                     .verdict = "",
                                     .is_good = number % 2 == 0,
                                     .rows = rows,
                                     .row_count = count + 1,
                                     .functions = functions,
                                     .function_count = number % 2,
                                     .directory = "/nowhere",
                                     .digits = 4,
                                     .first_frame = number % 3,
                                     .frame_count = FRAMES - number % 3,
                                     .is_frame_good = is_good};
    snprintf(path, sizeof path, "%s/histories.html", folder);
    if (report_html(path, view, &page, message) == 0) passed++;
    else failed++, printf("FAILED: %s\n", message);
    traces = 31 * traces + sum_of("trace.json", "", "");
    pages = 31 * pages + sum_of("histories.html", "const run = {", "\n};");
    view_free(view);
}

static void begin(void)
{
    char message[256] = "";
    memset(memory, 0, sizeof memory);
    memset(&counters, 0, sizeof counters);
    clock_now = pick(5000), sent = completed = tag = 0;
    view = view_open(folder, message);
    if (view == NULL) printf("%s\n", message), exit(2);
    probe = view_probe(view);
}

static void test_varied(void)
{
    is_varied = true;
    for (uint32_t number = 0; number < HISTORIES; number++) {
        has_no_counters = number % 4 == 3;
        begin();
        if (number % 3 == 1) view_show_pages(view);
        if (number == 5) view_frames_begin(view);
        watch();
        uint32_t steps = STEPS / (1 + pick(6)), end = pick(3) != 0 ? steps : pick(steps);
        for (uint32_t step = 0; step < steps; step++) {
            happen(step);
            if (step == end && view_end_timeline(view) != 0) failed++;
        }
        take(number);
    }
}

/* Samples are merged, and names and stays are more than there is room for. */
static void test_long(void)
{
    has_no_counters = false;
    begin();
    watch();
    view_end_timeline(view);
    for (uint32_t i = 0; i < LONG; i++) {
        advance();
        clock_now += 3000;
        uint32_t handle = 1 + pick(i % 5000 + 1);
        probe->firmware(probe->context, clock_now, TRACE_PLACE, (1 + pick(2)) << 28 | pick(600));
        probe->firmware(probe->context, clock_now, pick(3) != 0 ? TRACE_PAGE_IN : TRACE_EVICT, handle);
        if (pick(9) == 0) probe->firmware(probe->context, clock_now, pick(2) != 0 ? TRACE_IDLE : TRACE_WAKE, 0);
    }
    take(0);
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_histories FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    seed = 77;
    test_varied();
    test_long();
    hold("histories-traces", traces);
    hold("histories-pages", pages);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
