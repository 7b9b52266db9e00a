/* SPDX-License-Identifier: Apache-2.0
 *
 * A portion planned at once, and what paging does with a plan, at once: every action of the journal has happened.
 */
#ifndef TESSERA_UNIT_CARRY_OUT_H
#define TESSERA_UNIT_CARRY_OUT_H

#include "plan/residency.h"
#include "plan/splitter.h"

/* How a test tells the policy what is queued; a job that is planned with is_survey_due needs it. */
static void (*carry_out_survey)(struct residency *residency);

/* As the scheduler has it planned, in one turn. */
static inline bool plan_portion(struct splitter *splitter, const struct job *job, struct residency *residency,
                                uint32_t next_fence, const struct splitter_modes *modes, struct portion *portion,
                                struct refusal *why)
{
    enum splitter_progress progress;
    if (!splitter_begin(splitter, job, residency, next_fence, modes, why)) return false;
    bool asks = residency->is_survey_due && residency->is_tight;
    do {
        if (asks) carry_out_survey(residency);
        if (asks) residency->is_survey_due = false;
        progress = splitter_step(splitter, job, residency, modes, portion, why);
        asks = progress == SPLITTER_ASKS;
    } while (asks || progress == SPLITTER_GOES_ON);
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
