/* SPDX-License-Identifier: Apache-2.0
 *
 * Next uses, backward.
 */
#include "plan/lookahead.h"

#include <string.h>

#include "plan/leaving.h"
#include "plan/price.h"

/* How much later, in patch locations, an allocation is expected for every job that has not named it. */
enum { JOB_AGE = 16 };

void lookahead_begin(struct residency *residency, uint32_t horizon)
{
    ASSERT(horizon < (uint32_t)NEXT_USE_UNKNOWN);
    if (residency->policy == (uint32_t)POLICY_LITERAL) return;
    leaving_keep(residency, false); /* next uses lie where the lists' links were */
    price_forget(residency);
    residency->horizon = horizon;
    residency->future = FUTURE_KNOWN;
    _Static_assert(NEXT_USE_UNKNOWN == 0xffff, "all bytes the same");
    memset(residency->next_use, 0xff, sizeof residency->next_use);
}

void lookahead_begin_job(struct residency *residency, const struct job *job)
{
    if (residency->policy == (uint32_t)POLICY_LITERAL) return;
    residency->job_age += (uint32_t)JOB_AGE;
    for (uint32_t i = job->patch_count; i-- > 0u;)
        if (job->patches[i].allocation != PATCH_NULL)
            residency->place_in_job[job->patches[i].allocation] = (uint16_t)(i - residency->job_age);
}

void lookahead_add(struct residency *residency, const struct job *job, uint32_t first, uint32_t base)
{
    if (residency->policy == (uint32_t)POLICY_LITERAL) return;
    for (uint32_t i = job->patch_count; i-- > first;) {
        struct patch *patch = &job->patches[i];
        if (patch->allocation == PATCH_NULL) continue;
        patch->next_use = residency->next_use[patch->allocation];
        residency->next_use[patch->allocation] = (uint16_t)(base + i);
    }
}

void lookahead_pass(struct residency *residency, const struct job *job, uint32_t first, uint32_t end)
{
    residency->now = end;
    if (residency->policy == (uint32_t)POLICY_LITERAL) return;
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL) continue;
        residency->next_use[allocation] = job->patches[i].next_use;
        if (price_is_kept(residency, allocation)) price_note_member(residency, price_renew(residency, allocation));
    }
}

void lookahead_return(struct residency *residency, const struct job *job, uint32_t first, uint32_t end)
{
    residency->now = first;
    if (residency->policy == (uint32_t)POLICY_LITERAL) return;
    for (uint32_t i = end; i-- > first;)
        if (job->patches[i].allocation != PATCH_NULL) residency->next_use[job->patches[i].allocation] = (uint16_t)i;
}
