/* SPDX-License-Identifier: Apache-2.0
 *
 * Between residency and policy outside of plans: what the policy is told, and what it is asked.
 */
#include "plan/residency.h"

#include <string.h>

#include "plan/policy.h"

/* ------------------------------------------------------------------ what it is told */

void residency_set_page_cycles(struct outlook *outlook, const uint32_t cycles[SEGMENT_LIMIT])
{
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        outlook->segment_cycles[i] = cycles[i];
        outlook->page_cycles = max_u32(outlook->page_cycles, cycles[i]);
    }
}

void residency_set_policy(struct residency *residency, const struct policy *policy)
{
    if (residency->policy == policy) return;
    residency->policy = policy;
    residency->outlook.future = FUTURE_STALE;
    residency->policy_state.has_called_in = residency->outlook.is_tight = false;
    residency->outlook.news &= ~(uint32_t)NEWS_QUEUE;
    memset(residency->policy_state.called_in, 0, residency->world.table.limit / 8u);
    policy->start(residency, &residency->policy_state);
}

void residency_note_job(struct residency *residency, const struct job *job)
{
    if (residency->outlook.future == FUTURE_KNOWN) residency->outlook.future = FUTURE_PARTIAL;
    if (residency_wants_traffic(residency)) residency->policy->accepts(residency, &residency->policy_state, job);
}

void residency_note_lock(struct residency *residency, uint32_t allocation)
{
    if (residency->policy->locks != NULL) residency->policy->locks(residency, &residency->policy_state, allocation);
}

bool residency_wants_traffic(const struct residency *residency)
{
    return residency->outlook.bottleneck == BOTTLENECK_BUS && residency->policy->accepts != NULL;
}

void residency_note_pending_destroy(struct outlook *outlook)
{
    if (outlook->future == FUTURE_PARTIAL) outlook->future = FUTURE_STALE;
}

void residency_note_repeat(struct outlook *outlook) { outlook->future = FUTURE_STALE; }

/* ------------------------------------------------------------------ what it is asked */

uint32_t residency_favoured(const struct residency *residency, uint32_t allocation, uint32_t set)
{
    return residency->policy->favours == NULL ? set : residency->policy->favours(residency, allocation, set) & set;
}

uint32_t residency_place_reason(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    const uint32_t set = entry->read_set, apertures = residency->world.table.aperture_set;
    if (entry->segment == 0u) return PLACE_REASON_PAGES;
    if ((set & apertures) == 0u || (set & ~apertures) == 0u) return PLACE_REASON_ONLY;
    const uint32_t favoured = residency_favoured(residency, allocation, set);
    if (favoured == set) return PLACE_REASON_ORDER;
    if ((favoured >> (entry->segment - 1u) & 1u) == 0u) return PLACE_REASON_ELSEWHERE;
    if ((favoured & apertures) == 0u) return PLACE_REASON_WORTH;
    return residency->outlook.bottleneck == BOTTLENECK_BUS ? PLACE_REASON_LITTLE : PLACE_REASON_QUICK;
}

bool residency_leaves_to_be_read(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    if ((entry->flags & ALLOCATION_STAYS) != 0u) return false;
    return (residency_favoured(residency, allocation, residency->world.table.details[allocation].write_set) &
            ~residency->world.table.aperture_set) == 0u;
}

bool residency_is_dead(const struct residency *residency, uint32_t allocation)
{
    if ((residency->world.table.entry[allocation].flags & ALLOCATION_PENDING_DESTROY) == 0u) return false;
    const struct policy *policy = residency->policy;
    return policy->is_over != NULL && policy->is_over(residency, allocation);
}

void residency_trace_next_use(const struct residency *residency, uint32_t allocation, bool is_copied_out)
{
    const struct policy *policy = residency->policy;
    const struct outlook *outlook = &residency->outlook;
    if (policy->next_use == NULL || (outlook->news & NEWS_QUEUE) != 0u || outlook->future == FUTURE_STALE) return;
    hal_trace(TRACE_NEXT_USE, policy->next_use(residency, allocation) | (uint32_t)is_copied_out << 31);
}
