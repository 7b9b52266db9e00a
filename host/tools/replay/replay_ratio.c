/* SPDX-License-Identifier: Apache-2.0
 *
 * What a replay took beside what it had to take.
 */
#include "tools/replay/replay.h"

static double ratio(uint64_t value, uint64_t base) { return base != 0 ? (double)value / (double)base : 0; }

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t replay_bound_cycles(const struct replay_result *result)
{
    return (uint64_t)((double)result->traffic_minimum * meter_page_cycles(&result->paging.meter, PAGESIM_PAGE_BYTES));
}

double replay_time_ratio(const struct replay_result *result)
{
    return ratio(result->cycles, larger(result->busy_cycles[0], replay_bound_cycles(result)));
}

double replay_overlap_ratio(const struct replay_result *result)
{
    return ratio(result->cycles, larger(result->busy_cycles[0], result->busy_cycles[1]));
}

double replay_path_ratio(const struct replay_result *result)
{
    return ratio(result->cycles, result->paging.meter.beats[1] * METER_SEGMENT2_BEAT_CYCLES);
}
