/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of policies.
 */
#include "policy/policies.h"

#define POLICY_ROW(name, symbol) [POLICY_##name] = &policy_##symbol,
const struct policy *const policies[POLICY_COUNT] = {POLICY_TABLE(POLICY_ROW)};
