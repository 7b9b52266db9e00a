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
    {POLICY_LOOKAHEAD, 0, 0, 0, {2278, 41, 13374, 15096, 1470, 0xd6a9f40fu}},
    {POLICY_LOOKAHEAD, 1, 0, 0, {2271, 46, 14007, 15700, 537, 0xad9c9bf0u}},
    {POLICY_LOOKAHEAD, 1, 1, 0, {2289, 68, 14685, 16367, 616, 0x4b438e44u}},
    {POLICY_LOOKAHEAD, 1, 0, 1, {2471, 59, 14787, 16386, 522, 0xd573a78fu}},
    /* clang-format on */
};
enum { DECISIONS = sizeof decisions_of / sizeof decisions_of[0] };

#endif
