/* SPDX-License-Identifier: Apache-2.0
 *
 * A portion planned at once, and what paging does with a plan, at once: every action of the journal has happened.
 */
#ifndef TESSERA_UNIT_CARRY_OUT_H
#define TESSERA_UNIT_CARRY_OUT_H

#include "plan/residency.h"
#include "plan/splitter.h"

/* As the scheduler has it planned, in one turn. */
static inline bool plan_portion(struct splitter *splitter, const struct job *job, struct residency *residency,
                                uint32_t next_fence, const struct splitter_modes *modes, struct portion *portion,
                                struct refusal *why)
{
    enum splitter_progress progress;
    if (!splitter_begin(splitter, job, residency, next_fence, modes, why)) return false;
    if (residency->is_survey_due && residency->is_tight) {
        residency->survey(residency->survey_context);
        residency->is_survey_due = false;
    }
    do progress = splitter_step(splitter, job, residency, modes, portion, why);
    while (progress == SPLITTER_GOES_ON);
    return progress == SPLITTER_PLANNED;
}

/* Returns how many moves there were. */
static inline uint32_t carry_out(struct residency *residency)
{
    uint32_t moves = 0;
    for (uint32_t i = 0; i < residency->journal_count; i++) {
        uint32_t allocation = residency_action_allocation(residency, i);
        switch (residency_action_kind(residency, i)) {
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
