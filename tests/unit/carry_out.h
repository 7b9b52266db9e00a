/* SPDX-License-Identifier: Apache-2.0
 *
 * What paging does with a plan, at once: every action of the journal has happened.
 */
#ifndef TESSERA_UNIT_CARRY_OUT_H
#define TESSERA_UNIT_CARRY_OUT_H

#include "plan/residency.h"

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
