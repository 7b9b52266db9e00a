/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs in time: see cost_model.h. A measurement counts for a quarter (pages) or an eighth (portions).
 */
#include "plan/cost_model.h"

#include "platform/base.h"

void cost_init(struct cost_model *costs, uint32_t memory_cycles)
{
    *costs = (struct cost_model){.page_cycles = COST_PAGE_CYCLES,
                                 .portion_cycles = COST_PORTION_CYCLES,
                                 .memory_cycles = memory_cycles,
                                 .starved = STARVED_PORTIONS / 2};
}

void cost_paging(struct cost_model *costs, uint32_t pages, uint32_t cycles, bool is_quiet)
{
    uint32_t more_pages = pages - costs->pages, more_cycles = cycles - costs->cycles;
    const uint32_t few = costs->is_measured ? COST_SAMPLE_PAGES : COST_FIRST_PAGES;
    if (more_pages < (is_quiet ? few : 4u * COST_SAMPLE_PAGES)) return;
    costs->pages = pages;
    costs->cycles = cycles;
    uint32_t sample = more_cycles / more_pages;
    if (sample == 0u) return; /* nothing is counted */
    costs->page_cycles = costs->is_measured ? (3u * costs->page_cycles + sample) / 4u : sample;
    if (costs->is_measured) sample = min_u32(sample, costs->least_cycles + costs->least_cycles / 16u);
    costs->least_cycles = sample;
    costs->is_measured = true;
}

void cost_portion(struct cost_model *costs, uint32_t cycles)
{
    if (costs->is_measured) costs->portion_cycles += cycles / 8u - costs->portion_cycles / 8u;
}

/* The firmware limits when several portions in a row, or most, have kept the nodes waiting. Less care makes less work,
 * so that what was the limit soon seems to be none: it ends when the firmware has time to spare. */
void cost_planned(struct cost_model *costs, bool is_starved, uint32_t worked, uint32_t now)
{
    if (!costs->is_measured) return; /* a device that takes no time has always done everything */
    if (costs->is_starved) {
        uint32_t passed = now - costs->seen;
        if (passed < (uint32_t)LOAD_SAMPLE_CYCLES) return;
        costs->is_starved = (worked - costs->worked) / 5u > passed / 8u;
    } else {
        if (is_starved) costs->starved++;
        else if (costs->starved != 0u) costs->starved--;
        costs->is_starved = costs->starved == (uint32_t)STARVED_PORTIONS;
    }
    costs->starved = costs->is_starved ? 0u : costs->starved;
    costs->worked = worked;
    costs->seen = now;
}

uint32_t cost_split_pages(const struct cost_model *costs)
{
    uint32_t pages = (costs->portion_cycles + costs->page_cycles / 2u) / max_u32(costs->page_cycles, 1u);
    return min_u32(max_u32(pages, 1u), COST_SPLIT_PAGES_MAX);
}

bool cost_is_bus_slow(const struct cost_model *costs)
{
    return costs->is_measured && costs->memory_cycles != 0u && costs->least_cycles / 2u > costs->memory_cycles;
}

bool cost_is_firmware_bound(const struct cost_model *costs) { return costs->is_starved && !cost_is_bus_slow(costs); }

uint32_t cost_portion_pages(const struct cost_model *costs, uint32_t memory_pages, bool has_next)
{
    const uint32_t splits = has_next && cost_is_firmware_bound(costs) ? SPLITS_WHILE_BOUND : SPLITS_PER_PORTION;
    const bool is_short = !cost_is_timed(costs) || cost_is_bus_slow(costs);
    uint32_t share = is_short ? SHORT_SHARE : USUAL_SHARE, least = splits * cost_split_pages(costs);
    return min_u32(max_u32(memory_pages / share, least), memory_pages);
}
