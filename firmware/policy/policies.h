/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies there are: a new one is its file and a line here, one in policies.c and one in spec/gpu.def (POLICY).
 */
#ifndef FIRMWARE_POLICIES_H
#define FIRMWARE_POLICIES_H

#include "plan/policy.h"

extern const struct policy policy_literal;   /* literal.c: the documents' */
extern const struct policy policy_lookahead; /* lookahead.c: by cost and next use */

/* By their number in HOST.FORCE.POLICY. */
extern const struct policy *const policies[POLICY_LOOKAHEAD + 1];

#endif
