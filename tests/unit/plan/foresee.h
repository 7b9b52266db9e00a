/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scheduler tells a policy that looks ahead when nothing is queued behind a job that begins.
 */
#ifndef TESSERA_UNIT_FORESEE_H
#define TESSERA_UNIT_FORESEE_H

#include "plan/policy.h"
#include "plan/residency.h"

static inline void foresee_job(struct residency *residency, const struct job *job)
{
    if (!policy_looks_ahead(residency->policy)) return;
    residency->policy->foresee(residency, NULL, 0, job->patch_count);
    residency->policy->foresee(residency, job, 0, 0);
    residency->future = FUTURE_KNOWN;
}

#endif
