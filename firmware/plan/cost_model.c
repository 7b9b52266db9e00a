/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs in time: see cost_model.h. A measurement counts for a quarter (pages) or an eighth (portions).
 */
#include "plan/cost_model.h"

#include "platform/base.h"

void pace_init(struct pace *pace, uint32_t memory_cycles)
{
    *pace = (struct pace){
        .page_cycles = PACE_PAGE_CYCLES, .portion_cycles = PACE_PORTION_CYCLES, .memory_cycles = memory_cycles};
}

void pace_paging(struct pace *pace, uint32_t pages, uint32_t cycles, bool is_quiet)
{
    uint32_t more_pages = pages - pace->pages, more_cycles = cycles - pace->cycles;
    if (more_pages < (is_quiet ? 1u : 4u) * PACE_SAMPLE_PAGES) return;
    pace->pages = pages;
    pace->cycles = cycles;
    uint32_t sample = more_cycles / more_pages;
    if (sample == 0u) return; /* nothing is counted */
    pace->page_cycles = pace->is_measured ? (3u * pace->page_cycles + sample) / 4u : sample;
    if (pace->is_measured) sample = min_u32(sample, pace->least_cycles + pace->least_cycles / 16u);
    pace->least_cycles = sample;
    pace->is_measured = true;
}

void pace_portion(struct pace *pace, uint32_t cycles)
{
    if (pace->is_measured) pace->portion_cycles += cycles / 8u - pace->portion_cycles / 8u;
}

/* The firmware limits when several portions in a row, or most, have kept the nodes waiting. Less care makes less work,
 * so that what was the limit soon seems to be none: it ends when the firmware has time to spare. */
void pace_planned(struct pace *pace, bool is_starved, uint32_t worked, uint32_t now)
{
    if (!pace->is_measured) return; /* a device that takes no time has always done everything */
    if (pace->is_starved) {
        uint32_t passed = now - pace->seen;
        if (passed < (uint32_t)PACE_LOOK_CYCLES) return;
        pace->is_starved = (worked - pace->worked) / 5u > passed / 8u;
    } else {
        if (is_starved) pace->starved++;
        else if (pace->starved != 0u) pace->starved--;
        pace->is_starved = pace->starved == (uint32_t)STARVED_PORTIONS;
    }
    pace->starved = pace->is_starved ? 0u : pace->starved;
    pace->worked = worked;
    pace->seen = now;
}

uint32_t pace_split_pages(const struct pace *pace)
{
    uint32_t pages = (pace->portion_cycles + pace->page_cycles / 2u) / max_u32(pace->page_cycles, 1u);
    return min_u32(max_u32(pages, 1u), PACE_SPLIT_PAGES_MAX);
}

bool pace_is_bus_slow(const struct pace *pace)
{
    return pace->is_measured && pace->memory_cycles != 0u && pace->least_cycles / 2u > pace->memory_cycles;
}

bool pace_is_hurried(const struct pace *pace) { return pace->is_starved && !pace_is_bus_slow(pace); }

uint32_t pace_portion_pages(const struct pace *pace, uint32_t memory_pages)
{
    const bool is_short = !pace_is_timed(pace) || pace_is_bus_slow(pace);
    uint32_t share = is_short ? SHORT_SHARE : USUAL_SHARE, least = SPLITS_PER_PORTION * pace_split_pages(pace);
    return min_u32(max_u32(memory_pages / share, least), memory_pages);
}
