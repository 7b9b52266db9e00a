/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies there are: a new one is its file and a line in the POLICY group of spec/gpu.def. One called LITERAL
 * there is policy_literal here, and `--policy literal` for the host.
 */
#ifndef FIRMWARE_POLICIES_H
#define FIRMWARE_POLICIES_H

#include "gpu_policies.h"
#include "plan/policy.h"
#include "plan/residency.h"

#define POLICY_DECLARE(name, symbol) extern const struct policy policy_##symbol;
POLICY_TABLE(POLICY_DECLARE)
#undef POLICY_DECLARE

/* By their number in HOST.FORCE.POLICY. */
extern const struct policy *const policies[POLICY_COUNT];

#endif
