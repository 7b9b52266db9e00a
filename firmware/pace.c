/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs in time: see pace.h. A measurement counts for a quarter (pages) or an eighth (portions).
 */
#include "pace.h"

#include "base.h"

enum { SMALLEST_SHARE = 8, SPLITS_PER_PORTION = 4 };

void pace_init(struct pace *pace)
{
    *pace = (struct pace){.page_cycles = PACE_PAGE_CYCLES, .portion_cycles = PACE_PORTION_CYCLES};
}

void pace_paging(struct pace *pace, uint32_t pages, uint32_t cycles)
{
    uint32_t more_pages = pages - pace->pages, more_cycles = cycles - pace->cycles;
    if (more_pages < (uint32_t)PACE_SAMPLE_PAGES) return;
    pace->pages = pages;
    pace->cycles = cycles;
    uint32_t sample = more_cycles / more_pages;
    if (sample == 0u) return; /* nobody counts */
    pace->page_cycles = pace->is_measured ? (3u * pace->page_cycles + sample) / 4u : sample;
    pace->is_measured = true;
}

void pace_portion(struct pace *pace, uint32_t cycles)
{
    if (pace->is_measured) pace->portion_cycles += cycles / 8u - pace->portion_cycles / 8u;
}

uint32_t pace_split_pages(const struct pace *pace)
{
    uint32_t pages = (pace->portion_cycles + pace->page_cycles / 2u) / max_u32(pace->page_cycles, 1u);
    return min_u32(max_u32(pages, 1u), PACE_SPLIT_PAGES_MAX);
}

uint32_t pace_portion_pages(const struct pace *pace, uint32_t memory_pages)
{
    uint32_t least = SPLITS_PER_PORTION * pace_split_pages(pace);
    return min_u32(max_u32(memory_pages / (uint32_t)SMALLEST_SHARE, least), memory_pages);
}
