/* SPDX-License-Identifier: Apache-2.0
 *
 * What planning decides in the worlds of test_decisions.c: portions and refused jobs, pages evicted, placed and moved,
 * and a digest of all of it in order. Printed by `make decisions`: the rows say which policy, whether time counts,
 * and what limits.
 */
#ifndef TESSERA_UNIT_DECISIONS_H
#define TESSERA_UNIT_DECISIONS_H

#include "gpu_policies.h"
#include "plan/residency.h"

struct decisions {
    uint32_t portions, refused, evicted, placed, moved, digest;
};
static const struct decisions_of {
    uint32_t policy;
    bool is_timed;
    enum bottleneck bottleneck;
    struct decisions expected;
} decisions_of[] = {
    /* clang-format off */
    {POLICY_LITERAL, 1, BOTTLENECK_NODES, {2081, 93, 13183, 14902, 0, 0xefa24257u}},
    {POLICY_LOOKAHEAD, 0, BOTTLENECK_NODES, {2364, 65, 14670, 16367, 1403, 0xaedc0e21u}},
    {POLICY_LOOKAHEAD, 1, BOTTLENECK_NODES, {2443, 64, 14232, 15884, 626, 0x19897593u}},
    {POLICY_LOOKAHEAD, 1, BOTTLENECK_BUS, {2287, 69, 15373, 16989, 386, 0x41c12a0du}},
    {POLICY_LOOKAHEAD, 1, BOTTLENECK_FIRMWARE, {2636, 64, 14137, 15742, 155, 0x622ef78bu}},
    /* clang-format on */
};
enum { DECISIONS = sizeof decisions_of / sizeof decisions_of[0] };

#endif
