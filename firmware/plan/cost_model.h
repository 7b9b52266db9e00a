/* SPDX-License-Identifier: Apache-2.0
 *
 * What things cost in time, measured while the device runs: a page that the paging node copies, and a portion.
 *
 * Their quotient is the cost of a split in pages. It also sets how small portions may be. Small portions let both
 * nodes work at once: what one portion used leaves while the next one runs. But each portion has its price.
 *
 * Before the first measurement, and where nodes count no cycles, a page costs four bytes a cycle, and a portion what
 * was measured on the chip.
 */
#ifndef FIRMWARE_COST_MODEL_H
#define FIRMWARE_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/tuning.h"

enum { COST_PAGE_CYCLES = 1024, COST_PORTION_CYCLES = 4096, COST_SPLIT_PAGES_MAX = 1024 };

struct cost_model {
    uint32_t page_cycles, portion_cycles;
    uint32_t least_cycles;  /* a page while the render node hardly interferes; rises by a sixteenth at a time */
    uint32_t memory_cycles; /* a page in the slowest memory alone; 0 = not known */
    uint32_t pages, cycles; /* of the paging node, at the last measurement */
    uint32_t starved;       /* grows with each portion that kept the nodes waiting, shrinks with every other */
    uint32_t seen, worked;  /* time of the last look at the load; firmware's work until then */
    bool is_measured;
    bool is_starved; /* the firmware limits. Where the bus is slow that does not reduce care */
};

void cost_init(struct cost_model *costs, uint32_t memory_cycles);
/* Until measured, a split costs this many pages, 1..COST_SPLIT_PAGES_MAX. */
static inline void cost_presume(struct cost_model *costs, uint32_t split_pages)
{
    costs->portion_cycles = split_pages * costs->page_cycles;
}

/* The paging node has been given `pages` to copy and has worked `cycles` since boot; both may wrap. `is_quiet`: it
 * has copied all of them. Then fewer pages make a measurement, and very few make the first. */
void cost_paging(struct cost_model *costs, uint32_t pages, uint32_t cycles, bool is_quiet);
/* A portion took the firmware this long, without planning and paging. Counts once pages are measured, too. */
void cost_portion(struct cost_model *costs, uint32_t cycles);

/* A portion is planned. `is_starved`: meanwhile the nodes finished everything they had. `worked`: cycles of the
 * firmware's work since boot. `now`: the time. Both may wrap. */
void cost_planned(struct cost_model *costs, bool is_starved, uint32_t worked, uint32_t now);

/* Cost of a split in pages copied, 1 to COST_SPLIT_PAGES_MAX. */
uint32_t cost_split_pages(const struct cost_model *costs);
/* Does the device count cycles, so that something was measured? */
static inline bool cost_is_timed(const struct cost_model *costs) { return costs->is_measured; }
/* Does a page take more than twice as long as its memory alone would? Then both nodes can work without interfering.
 * False before pages are measured. */
bool cost_is_bus_slow(const struct cost_model *costs);
/* Does the firmware limit? Then it should plan with less care. Never where the bus is slow. */
bool cost_is_firmware_bound(const struct cost_model *costs);
/* Most pages that a portion should use of `memory_pages`: usually a fixed share. Less where the bus is slow and
 * where nothing is measured; more where splits are expensive, at most all. `has_next`: another DMA buffer waits.
 * Then more while the firmware limits, because nothing waits for the end of this one. */
uint32_t cost_portion_pages(const struct cost_model *costs, uint32_t memory_pages, bool has_next);

#endif
