/* SPDX-License-Identifier: Apache-2.0
 *
 * What the firmware answers and counts in the first two hundred worlds of test_soak.c: the sum of every statistic
 * (STAT_*, in their order), and a digest of all answers as they came. Printed by `make decisions`.
 */
#ifndef TESSERA_UNIT_SOAK_EXPECTED_H
#define TESSERA_UNIT_SOAK_EXPECTED_H

#include "platform/base.h"

struct soak_expected {
    uint32_t statistics[STAT_COUNT], digest;
};
static const struct soak_expected soak_expected = {
    /* clang-format off */
    {8700,
    37493,
    29620,
    0,
    35014,
    51469,
    68335,
    686,
    8361,
    10364,
    10364,
    0,
    0,
    55865,
    40501,
    1340,
    16926,
    20752,
    20752,
    736,
    0,
    202538,
    30420,
    14243,
    1425,
    0,
    50331648,
    270336,
    0,
    0,
    0,
    0,
    3276800,
    3413,
    0,
    1541,
    4954,
    1389,
    366,
    12929,
    640,
    7128,
    117,
    152533,
    363,
    0},
    0x11c43d80u,
    /* clang-format on */
};

#endif
