/* SPDX-License-Identifier: Apache-2.0
 *
 * Splitting a DMA buffer into portions whose allocations fit in memory together (the documents' section
 * on splitting; docs/architecture.md, "Splitting"). The splitter walks the patch list in order and plans
 * residency as it goes; a portion ends at the SplitOffset of the group that does not fit.
 *
 * Entries with one SplitOffset form a group, which is atomic. At a split point
 *   - an allocation in a slot that the next group does not program again stays where it is: the engine has
 *     its address in a register that no later patch reaches. Only a policy that says so (moves_bound) may give it
 *     another place, where the group finds none otherwise; the portion then says which rows hold another address;
 *   - slots that the group at the split point programs again are exempt;
 *   - everything else may leave.
 */
#ifndef FIRMWARE_SPLITTER_H
#define FIRMWARE_SPLITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "ddi/job.h"
#include "plan/fitting.h"
#include "plan/residency.h"

/* Where a job's splitting stands. */
struct splitter {
    uint16_t slot[SLOT_LIMIT];    /* the resource table at the cursor: patch entries, or SLOT_EMPTY */
    uint16_t carried[SLOT_LIMIT]; /* what the present portion inherits in place */
    uint32_t next_entry;          /* first patch entry of the next portion */
    uint32_t next_word;           /* its first word */
    uint32_t walked;              /* the walk stands before this patch entry */
    bool resumes_group;           /* the group there rests, and is gone on with in this step */
    struct group group;           /* ... which is that */
    uint32_t told_entry;          /* the policy has been told of the entries before this one, or need not be */
    bool inherits;                /* the present portion, something */
    bool has_moved;               /* ... of which its plan may have moved some */
};

struct portion {
    uint32_t first_entry, entry_count;
    uint32_t start_word, end_word;
    bool is_last;
    uint64_t moved_slots; /* rows that it inherits, bit 0 = row 0, of what its plan moves */
};

struct splitter_modes {
    bool takes_every_split; /* FORCE.SPLIT */
    bool checks_leaks;      /* FORCE.LEAK_CHECK */
    bool packs_first;       /* the job's first group is placed anew altogether, by how long its members stay bound */
    bool moves_bound;       /* FORCE.MOVE_BOUND: so is, at every split, what stays bound with what comes */
    bool is_in_place;       /* everything that the rest of the job names, where its use is allowed */
};

void splitter_init(struct splitter *splitter);

/* Begin to plan the next portion of `job`, which splitter_step does. The residency's journal must be empty;
 * `next_fence` is the render fence the portion will get. False: it is refused, with LEAK and the SplitOffset in `why`.
 * O(entries of the first group). */
bool splitter_begin(struct splitter *splitter, const struct job *job, struct residency *residency, uint32_t next_fence,
                    const struct splitter_modes *modes, struct refusal *why);

enum splitter_progress { SPLITTER_GOES_ON, SPLITTER_YIELDS, SPLITTER_ASKS, SPLITTER_PLANNED, SPLITTER_REFUSED };

/* At first what policy->settle takes in, a piece in a call. Then one more group, or some that have everything in place.
 * O(entries of the group, each with a requirement).
 *   PLANNED   *portion is set, the journal is what must be paged, the marks are what the portion may touch
 *   REFUSED   NO_PLACEMENT and the SplitOffset in `why`; the journal is empty again
 *   ASKS      before room is made for the next group the policy has to be told what is queued (is_survey_due); then
 *             call again
 *   GOES_ON   call again, with the same job and modes
 *   RESTS     the same, in another turn of the main loop: this one has taken long, and the group at hand may take
 *             longer (residency_yields)
 * Until then no other plan may be made, and nothing may change that this one rests on: where allocations are, may be
 * and are called, their priority, and the policy. To give it up residency_rollback(residency, 0), and the job has to
 * begin anew. */
enum splitter_progress splitter_step(struct splitter *splitter, const struct job *job, struct residency *residency,
                                     const struct splitter_modes *modes, struct portion *portion, struct refusal *why);

#endif
