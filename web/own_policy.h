/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy that the page's visitor writes (firmware/plan/policy.h is the seam): the worker is asked what each resident
 * is worth, and what is worth least leaves first. Priorities and everything that must stay are not the visitor's: of
 * two ranks the lower leaves first, as with the literal policy, so that frame buffers stay.
 *
 * The firmware asks for each resident once in each search for room, so a search is bounded whatever is answered.
 */
#ifndef TESSERA_WEB_OWN_POLICY_H
#define TESSERA_WEB_OWN_POLICY_H

#include "gpu_policies.h"
#include "plan/policy.h"

/* In the place of every policy: whatever HOST.FORCE.POLICY says. */
extern const struct policy *const own_policies[POLICY_COUNT];

enum { OWN_NEXT_UNKNOWN = 0xffff, OWN_USES_MOST = 255 };

/* What the visitor is told of a resident, and where the walk stands. */
struct own_resident {
    uint32_t number, pages;
    uint32_t age;        /* portions since it was used last */
    uint32_t came;       /* portions since it came, modulo 65536 */
    uint32_t uses;       /* portions that have used it since it came; OWN_USES_MOST: as many or more */
    uint32_t next;       /* patch locations to its next use in the queued lists; OWN_NEXT_UNKNOWN: none is queued */
    uint32_t is_dirty;   /* leaving means to be copied out */
    uint32_t tag, entry; /* the DMA buffer at hand, and its patch entry where the walk stands */
};

/* The lower, the sooner it leaves. The worker's (worker_policy.js); a program of the tests has its own. */
double own_worth(const struct own_resident *resident);

#endif
