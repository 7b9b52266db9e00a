/* SPDX-License-Identifier: Apache-2.0
 *
 * What the firmware answers, counts and traces in the first worlds of test_soak.c: a digest of all answers and traces
 * as they came, after every ten, and the sum of every statistic (STAT_*, in their order). Printed by `make decisions`.
 */
#ifndef TESSERA_UNIT_SOAK_EXPECTED_H
#define TESSERA_UNIT_SOAK_EXPECTED_H

#include "platform/base.h"

enum { SOAK_WORLDS = 200, SOAK_TEN = 10, SOAK_TENS = SOAK_WORLDS / SOAK_TEN };

static const struct soak_expected {
    uint32_t digest[SOAK_TENS], statistics[STAT_COUNT];
} soak_expected = {
    /* clang-format off */
    {0x6189b306u,
    0x3af22713u,
    0x3848790fu,
    0x846830a4u,
    0xe25012fdu,
    0x0d372b17u,
    0x12072093u,
    0x30e59d61u,
    0x16f74898u,
    0x2dc4b286u,
    0xb4822be5u,
    0x6b135a39u,
    0xe62ac9abu,
    0xab1ea8bau,
    0x69e6104bu,
    0x506ef4c8u,
    0x770eedc2u,
    0x67cc5e37u,
    0xf7d1a11eu,
    0x48423e50u},
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
    30422,
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
    /* clang-format on */
};

#endif
