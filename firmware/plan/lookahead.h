/* SPDX-License-Identifier: Apache-2.0
 *
 * The known future: when is each allocation named next? The patch list of a DMA buffer is its whole reference
 * string, and those of queued buffers continue it. One pass from the far end to the near one writes the next use
 * of every entry and of every allocation; whoever walks the list forward then knows each allocation's next use at
 * any time. Under the literal policy nothing of this is kept, and the functions do nothing but move `now`.
 */
#ifndef FIRMWARE_LOOKAHEAD_H
#define FIRMWARE_LOOKAHEAD_H

#include "ddi/job.h"
#include "plan/residency.h"

/* Begin a pass over patch locations at times below `horizon`, and maybe some that come far behind: nothing is known.
 * O(allocations ever created at once). */
void lookahead_begin(struct residency *residency, uint32_t horizon);

/* A job is about to be walked: for each allocation that it names, remember the place of its first entry, for the time
 * when nobody queued names it (price.c). O(entries). */
void lookahead_begin_job(struct residency *residency, const struct job *job);

/* Put the entries [first, job->patch_count) before what the pass knows so far: the last job of the pass comes first.
 * Entry i has time `base` + i. O(entries). */
void lookahead_add(struct residency *residency, const struct job *job, uint32_t first, uint32_t base);

/* The walk has passed entries [first, end) of the current job (base 0). O(entries). */
void lookahead_pass(struct residency *residency, const struct job *job, uint32_t first, uint32_t end);

/* The walk goes back over entries [first, end), the ones passed last: what is known of the future is as before them.
 * What was made of it is not (prices kept, the least price of a member): residency_begin() follows. O(entries). */
void lookahead_return(struct residency *residency, const struct job *job, uint32_t first, uint32_t end);

#endif
