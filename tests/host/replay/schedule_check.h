/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a schedule legal for a workload? An independent judge of what `replay --schedule` writes, from the rules
 * of docs/replay.md alone; it shares no code with the tracker that made the schedule.
 */
#ifndef SCHEDULE_CHECK_H
#define SCHEDULE_CHECK_H

#include "tools/replay/pagesim.h"

struct schedule_counts {
    uint64_t in, fill, out, drop, move, map, unmap; /* pages */
    uint32_t portions, failed_steps;
};

/* `text` is the schedule's JSON. False: not legal, and `message` says where. In `failed_steps` steps, not more and not
 * fewer, what is bound may have moved, provided that beside it, in place, there was no place for the step's other
 * allocations: by exhaustive search. */
bool schedule_check(const struct pagesim *workload, const char *text, uint32_t failed_steps,
                    struct schedule_counts *counts, char message[PAGESIM_MESSAGE]);

#endif
