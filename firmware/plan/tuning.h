/* SPDX-License-Identifier: Apache-2.0
 *
 * Every tuned constant of planning: its unit, and why it is there. `make sensitivity` measures what half and twice of
 * each costs (docs/lab/2026-11-28-planning.md). Limits that no measurement chose are with what they limit.
 */
#ifndef FIRMWARE_TUNING_H
#define FIRMWARE_TUNING_H

enum tuning {
    /* How long a portion is: the part of memory that it may use, as a divisor. */
    USUAL_SHARE = 8,         /* parts of memory: both nodes can be at work */
    SHORT_SHARE = 16,        /* parts of memory: behind a slow bus, and where nothing takes time */
    SPLITS_PER_PORTION = 4,  /* splits: a portion is at least so many times what a split costs ... */
    SPLITS_WHILE_BOUND = 16, /* ... and while the firmware limits and another DMA buffer waits */

    /* What is measured, and when it counts. */
    COST_FIRST_PAGES = 4,         /* pages that make the first measurement, once none is queued */
    COST_SAMPLE_PAGES = 32,       /* pages that make a measurement, four times as many while some are queued */
    STARVED_PORTIONS = 4,         /* portions that kept the nodes waiting before the firmware is taken to limit; half
                                     of them at the very first */
    LOAD_SAMPLE_CYCLES = 1 << 18, /* cycles over which the firmware's load is taken, at least */

    /* What an eviction costs, in steps of a quarter of an octave (eviction_cost.h). */
    STEPS_BUSY = 2,         /* steps: of what is in use, 1.4 times as expensive */
    STEPS_WAIT = 6,         /* steps: of what the newest portion uses, behind a slow bus, 2.8 times */
    STEP_MOVE = 55,         /* step: a page moved inside its segment, like one lost that is needed again in 10 */
    STEP_MOVE_UNTIMED = 32, /* step: the same where only what goes over the bus counts, in 500 */
    JOB_AGE = 16,           /* patch locations: how much later one is expected for every job that has not named it */

    /* How long room is searched for. */
    SAMPLE = 32,        /* residents looked at, and one for each page wanted; at most four times as many */
    NEAR_NUMERATOR = 5, /* quarters of what it would cost without addresses: a window that cheap ends the search */
    NEAR_TOGETHER = 3,  /* times that, for several allocations at once */
    QUICK_STEPS = 8,    /* steps: four times as much may each cost that makes room while the firmware limits */
    STEPS_MORE = 4      /* steps by which costlier residents may leave when no window is found that is cheap enough */
};

#endif
