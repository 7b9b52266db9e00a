/* SPDX-License-Identifier: Apache-2.0
 *
 * What things cost in time, as running measurements: a page that the paging node carries, and a portion, whatever is
 * in it. Their quotient is what a split costs in pages, and how small portions may be follows from it: small ones let
 * both nodes work at once (what one portion used leaves while the next one runs), but each has its price.
 *
 * Until the first measurement, and for ever on a device whose nodes count no cycles, the costs are those of a page at
 * four bytes a cycle and of a portion as measured on the chip.
 */
#ifndef FIRMWARE_COST_MODEL_H
#define FIRMWARE_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/tuning.h"

enum { COST_PAGE_CYCLES = 1024, COST_PORTION_CYCLES = 4096, COST_SPLIT_PAGES_MAX = 1024 };

struct cost_model {
    uint32_t page_cycles, portion_cycles;
    uint32_t least_cycles;  /* a page where the render node was hardly in the way: rises by a sixteenth at a time */
    uint32_t memory_cycles; /* what the slowest memory alone would take for a page; 0 = not known */
    uint32_t pages, cycles; /* of the paging node, when it was measured last */
    uint32_t starved;       /* grows with every portion that kept the nodes waiting, shrinks with every other */
    uint32_t seen, worked;  /* when the load was looked at last; what the firmware had worked until then */
    bool is_measured;
    bool is_starved; /* the firmware is what limits; behind a slow bus it is no reason to plan with less care */
};

void cost_init(struct cost_model *costs, uint32_t memory_cycles);
/* Until it is measured, and for ever where nothing is counted, a split costs so many pages, 1..COST_SPLIT_PAGES_MAX. */
static inline void cost_presume(struct cost_model *costs, uint32_t split_pages)
{
    costs->portion_cycles = split_pages * costs->page_cycles;
}

/* The paging node was given `pages` to carry and has worked for `cycles`, both ever; they may wrap. Quiet: it has
 * carried all of them, so that fewer pages make a measurement, very few the first. */
void cost_paging(struct cost_model *costs, uint32_t pages, uint32_t cycles, bool is_quiet);
/* A portion took the firmware so long beyond planning and paging. Counts once pages are measured, too. */
void cost_portion(struct cost_model *costs, uint32_t cycles);

/* A portion is planned. Starved: meanwhile the nodes have done everything that they had been given. The firmware has
 * worked for so many cycles, ever, and it is `now`; both may wrap. */
void cost_planned(struct cost_model *costs, bool is_starved, uint32_t worked, uint32_t now);

/* A split's cost in pages carried, 1 to COST_SPLIT_PAGES_MAX. */
uint32_t cost_split_pages(const struct cost_model *costs);
/* The device counts cycles: something has been measured. */
static inline bool cost_is_timed(const struct cost_model *costs) { return costs->is_measured; }
/* A page takes more than twice as long as its memory alone would: both nodes can be at work without being in each
 * other's way. Not before pages are measured. */
bool cost_is_bus_slow(const struct cost_model *costs);
/* The firmware is what limits: it should plan with less care. Never behind a slow bus. */
bool cost_is_firmware_bound(const struct cost_model *costs);
/* Most pages that a portion should use of `memory_pages`: a usual share of them, or a short one behind a slow bus and
 * where nothing is measured; more where splits are expensive, at most all. Another DMA buffer waits (`has_next`): more
 * still while the firmware limits, as nobody waits for the end of this one. */
uint32_t cost_portion_pages(const struct cost_model *costs, uint32_t memory_pages, bool has_next);

#endif
