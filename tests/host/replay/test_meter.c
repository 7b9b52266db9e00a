/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the replay's measure of both nodes' work side by side, and the ratios made of it, are what they are said to
 * be. Method: invented counters and results whose answers are known, 32-bit counters that wrap among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/replay/replay.h"
#include "tools/replay/replay_meter.h"

/* Counters after another stretch of work. */
static void stretch(struct probe_counters *counters, uint32_t render, uint32_t paging, uint32_t system, uint32_t local)
{
    counters->node[0].busy += render;
    counters->node[1].busy += paging;
    counters->node[1].read_system += system;
    counters->node[1].write_local += local;
    counters->beats[1] += local / 8u;
}

static void test_side_by_side(void **state)
{
    struct meter meter = {0};
    struct probe_counters counters = {.node[0].busy = UINT32_MAX - 50u, .node[1].read_system = UINT32_MAX - 100u};
    (void)state;
    meter_sample(&meter, &counters);
    meter_begin(&meter);
    stretch(&counters, 100, 60, 0, 0);
    meter_sample(&meter, &counters);
    assert_int_equal(meter.both_cycles, 60);
    counters.node[0].stall_fence += 40; /* it waits: busy, but no work */
    stretch(&counters, 40, 1000, 4096, 4096);
    meter_sample(&meter, &counters);
    assert_int_equal(meter.both_cycles, 60);
    assert_int_equal(meter.beats[1], 512);
    meter_begin(&meter);
    assert_int_equal(meter.both_cycles, 0);
}

/* Only copies from and to system memory count, and only while nobody else is at the memories. */
static void test_page_cycles(void **state)
{
    struct meter meter = {0};
    struct probe_counters counters = {
        .node[1] = {.read_system = 900, .write_system = 500, .read_local = 700, .write_local = 300}};
    (void)state;
    assert_true(meter_page_cycles(&meter, 4096) == 0);
    meter_sample(&meter, &counters);
    stretch(&counters, 0, 2000, 8192, 8192); /* two pages in */
    meter_sample(&meter, &counters);
    stretch(&counters, 0, 48, 0, 0); /* between packets */
    meter_sample(&meter, &counters);
    stretch(&counters, 0, 5000, 0, 8192); /* a move, or a fill */
    meter_sample(&meter, &counters);
    stretch(&counters, 3000, 3000, 4096, 4096); /* slowed down by the render node */
    meter_sample(&meter, &counters);
    assert_true(meter_page_cycles(&meter, 4096) == 1024);
    assert_int_equal(meter.both_cycles, 3000);
    counters.node[1].read_local += 64; /* a move, by what it reads */
    stretch(&counters, 0, 500, 0, 0);
    meter_sample(&meter, &counters);
    assert_true(meter_page_cycles(&meter, 4096) == 1024);
    counters.node[1].write_system += 8192; /* two pages out, by what is written */
    counters.node[1].busy += 2048;
    meter_sample(&meter, &counters);
    assert_true(meter_page_cycles(&meter, 4096) == 1024);
}

/* What was counted before the first sample is no one's. */
static void test_first_sample(void **state)
{
    struct meter meter = {0};
    struct probe_counters counters = {.beats = {70, 80, 90}};
    (void)state;
    stretch(&counters, 0, 900, 8192, 8192);
    meter_sample(&meter, &counters);
    assert_true(meter_page_cycles(&meter, 4096) == 0);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(meter.beats[i], 0);
    counters.node[0].busy += 50;
    counters.node[1].busy += 60;
    meter_sample(&meter, &counters);
    assert_int_equal(meter.both_cycles, 50);
}

static void test_ratios(void **state)
{
    struct replay_result result = {.cycles = 6000, .busy_cycles = {2000, 5000}, .traffic_minimum = 3};
    (void)state;
    result.paging.meter = (struct meter){.copy_cycles = 2000, .copy_bytes = 8192, .beats = {0, 2500, 0}};
    assert_true(replay_path_ratio(&result) == 1.2);
    assert_int_equal(replay_bound_cycles(&result), 3000);
    assert_true(replay_time_ratio(&result) == 2.0);
    assert_true(replay_overlap_ratio(&result) == 1.2);
    result.busy_cycles[0] = 6000;
    assert_true(replay_time_ratio(&result) == 1.0 && replay_overlap_ratio(&result) == 1.0);
    result = (struct replay_result){0};
    assert_true(replay_time_ratio(&result) == 0 && replay_overlap_ratio(&result) == 0);
    assert_true(replay_path_ratio(&result) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_page_cycles),
        cmocka_unit_test(test_first_sample),
        cmocka_unit_test(test_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
