/* SPDX-License-Identifier: Apache-2.0
 *
 * What planning decides in the worlds of test_decisions.c: portions and refused jobs, pages evicted, placed and moved,
 * and a digest of all of it in order. Printed by `make decisions`: the rows say which policy, whether time counts,
 * whether the bus is slow, and whether the firmware is what limits.
 */
#ifndef TESSERA_UNIT_DECISIONS_H
#define TESSERA_UNIT_DECISIONS_H

#include "gpu_policies.h"
#include "platform/base.h"

struct decisions {
    uint32_t portions, refused, evicted, placed, moved, digest;
};
static const struct decisions_of {
    uint32_t policy;
    bool is_timed, is_bus_slow, is_firmware_bound;
    struct decisions expected;
} decisions_of[] = {
    /* clang-format off */
    {POLICY_LITERAL, 1, 0, 0, {2081, 93, 13183, 14902, 0, 0xefa24257u}},
    {POLICY_LOOKAHEAD, 0, 0, 0, {2420, 41, 14130, 15843, 1604, 0x5ff7c176u}},
    {POLICY_LOOKAHEAD, 1, 0, 0, {2443, 64, 14242, 15894, 626, 0xc3370625u}},
    {POLICY_LOOKAHEAD, 1, 1, 0, {2380, 49, 15293, 16938, 506, 0xc299549fu}},
    {POLICY_LOOKAHEAD, 1, 0, 1, {2501, 68, 15708, 17281, 487, 0x3b55c404u}},
    /* clang-format on */
};
enum { DECISIONS = sizeof decisions_of / sizeof decisions_of[0] };

#endif
