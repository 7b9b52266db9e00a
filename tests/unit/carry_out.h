/* SPDX-License-Identifier: Apache-2.0
 *
 * A portion planned at once, and what paging does with a plan, at once: every action of the journal has happened.
 */
#ifndef TESSERA_UNIT_CARRY_OUT_H
#define TESSERA_UNIT_CARRY_OUT_H

#include "plan/residency.h"
#include "plan/splitter.h"

/* How a test tells the policy what is queued; a job that is planned with NEWS_QUEUE needs it. */
static void (*carry_out_survey)(struct residency *residency);

/* Is all that the entries from `first` on name where it is wanted? Then the splitter may be told. */
static inline bool are_in_place(const struct job *job, uint32_t first, const struct residency *residency)
{
    for (uint32_t i = first; i < job->patch_count; i++) {
        const uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL) continue;
        const uint32_t where = residency->world.map.link[allocation].where;
        const bool is_written = (job->patches[i].flags & PATCH_WRITE) != 0u;
        const uint32_t set = allocation_segments(&residency->world.table, allocation, is_written);
        if (where == 0u || (set >> (where - 1u) & 1u) == 0u || residency_is_called_in(residency, allocation))
            return false;
    }
    return true;
}

static inline void carry_out_tell(void *queue) { carry_out_survey(queue); }

/* As the scheduler has it planned; every second time it looks at each entry whether it is in place. */
static inline bool plan_portion(struct splitter *splitter, const struct job *job, struct residency *residency,
                                uint32_t next_fence, const struct splitter_modes *modes, struct portion *portion,
                                struct refusal *why)
{
    struct splitter_modes known = *modes;
    known.is_in_place = next_fence % 2u == 0u && !modes->takes_every_split && !modes->packs_first &&
                        !modes->moves_bound && are_in_place(job, splitter->next_entry, residency);
    known.tell_queue = carry_out_tell;
    known.queue = residency;
    return splitter_plan(splitter, job, residency, next_fence, &known, portion, why);
}

/* Returns how many moves there were. */
static inline uint32_t carry_out(struct residency *residency)
{
    uint32_t moves = 0;
    for (uint32_t i = 0; i < residency->plan.journal_count; i++) {
        uint32_t allocation = residency_action_allocation(&residency->plan, i);
        switch (residency_action_kind(&residency->plan, i)) {
        case ACTION_EVICT: residency_has_left(residency, allocation, false); break;
        case ACTION_PLACE: residency_has_arrived(residency, allocation); break;
        case ACTION_MOVE:
            residency_has_moved(residency, allocation);
            moves++;
            break;
        }
    }
    residency_finish(residency);
    return moves;
}

#endif
