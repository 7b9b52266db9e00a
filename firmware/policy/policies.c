/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of policies.
 */
#include "policy/policies.h"

const struct policy *const policies[POLICY_LOOKAHEAD + 1] = {
    [POLICY_LITERAL] = &policy_literal,
    [POLICY_LOOKAHEAD] = &policy_lookahead,
};
