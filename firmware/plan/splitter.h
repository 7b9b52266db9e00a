/* SPDX-License-Identifier: Apache-2.0
 *
 * Splitting a DMA buffer into portions whose allocations fit in memory together (docs/architecture.md, "Splitting").
 *
 * The splitter walks the patch list in order and plans residency as it goes (SPL-02). Entries with one SplitOffset
 * form a group, which is atomic. A portion ends at the SplitOffset of the group that does not fit (SPL-09).
 *
 * At a split point:
 *   - an allocation in a slot that the next group does not load again stays where it is (SPL-11): the engine has its
 *     address in a register, and no later patch changes that. A policy with moves_bound may move it where the group
 *     finds no other place; the portion then says which rows hold another address;
 *   - slots that the group at the split point loads again are exempt (SPL-15);
 *   - everything else may leave (SPL-12).
 */
#ifndef FIRMWARE_SPLITTER_H
#define FIRMWARE_SPLITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "ddi/job.h"
#include "plan/fitting.h"
#include "plan/residency.h"

/* How far the splitting of a job is. */
struct splitter {
    uint16_t slot[SLOT_LIMIT];    /* the resource table at the cursor: patch entries, or SLOT_EMPTY */
    uint16_t carried[SLOT_LIMIT]; /* what this portion inherits in place */
    uint32_t next_entry;          /* first patch entry of the next portion */
    uint32_t next_word;           /* first word of the next portion */
    uint32_t walked;              /* the walk is at this patch entry */
    uint32_t told_entry;          /* the policy knows the entries before this one, or need not */
    bool inherits;                /* this portion inherits something */
    bool has_moved;               /* its plan may have moved some of that */
};

struct portion {
    uint32_t first_entry, entry_count;
    uint32_t start_word, end_word;
    bool is_last;
    uint64_t moved_slots; /* rows that it inherits, bit 0 = row 0, whose allocation the plan moves */
};

struct splitter_modes {
    bool takes_every_split; /* FORCE.SPLIT */
    bool checks_leaks;      /* FORCE.LEAK_CHECK */
    bool packs_first;       /* the job's first group is placed again as a whole, by how long its members stay bound */
    bool moves_bound;       /* FORCE.MOVE_BOUND: at every split, what stays bound is placed again with the next group */
    bool is_in_place;       /* everything that later entries name is where its use is allowed */
    /* Tells the policy what is queued, of the job at hand from splitter->told_entry on (policy.h, foresee). Called
     * when that is due (NEWS_QUEUE) and room is needed. */
    void (*tell_queue)(void *queue);
    void *queue;
};

void splitter_init(struct splitter *splitter);

/* Plan the job's next portion. The residency's journal must be empty. `next_fence` is the render fence that the
 * portion will get. True: *portion is set, the journal is what must be paged, the marks are what the portion may
 * touch. False: refused, the journal is empty, and `why` says
 *
 *   LEAK           with modes->checks_leaks: the portion inherits an allocation (SPL-29). Detail: SplitOffset
 *   NO_PLACEMENT   a group does not fit alone (SPL-27). Detail: SplitOffset
 *
 * It may take long, and yields (platform/turn.h). Until it returns no other plan may be made, and these may not
 * change: where allocations are and may be, which are called in, their priorities, and the policy. To undo a plan:
 * residency_rollback(residency, 0). O(entries, each with a requirement). */
bool splitter_plan(struct splitter *splitter, const struct job *job, struct residency *residency, uint32_t next_fence,
                   const struct splitter_modes *modes, struct portion *portion, struct refusal *why);

#endif
