/* SPDX-License-Identifier: Apache-2.0
 *
 * What the scheduler has a policy told that looks ahead, when room is made first, with nothing queued after a job that
 * begins.
 */
#ifndef TESSERA_UNIT_FORESEE_H
#define TESSERA_UNIT_FORESEE_H

#include "carry_out.h"
#include "plan/policy.h"
#include "plan/residency.h"
#include "plan/splitter.h"

static struct {
    const struct job *job;
    const struct splitter *splitter;
} foreseen;

static inline void survey_job(struct residency *residency)
{
    const struct job *job = foreseen.job;
    residency->policy->foresee(residency, &residency->policy_state, NULL, 0, 0, job->patch_count);
    residency->policy->foresee(residency, &residency->policy_state, job, foreseen.splitter->told_entry,
                               job->patch_count, 0);
    residency->outlook.future = FUTURE_KNOWN;
}

/* All three stay where they are until the job is planned. */
static inline void foresee_job(struct residency *residency, const struct job *job, const struct splitter *splitter)
{
    foreseen.job = job;
    foreseen.splitter = splitter;
    carry_out_survey = survey_job;
    if (policy_looks_ahead(residency->policy)) residency->outlook.news |= NEWS_QUEUE;
}

#endif
