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
    {0xd793f1f9u,
    0x9841e9f9u,
    0x64276ce8u,
    0x38e72285u,
    0x0ac83e38u,
    0xb189d850u,
    0x6ce37d50u,
    0x0711e71bu,
    0x7ef6581au,
    0xd593f2bcu,
    0x8a668d96u,
    0x3f2a804bu,
    0xdd1a25abu,
    0x4614b242u,
    0x0fcc7088u,
    0x16e3bc32u,
    0x9eb79349u,
    0x0f08587du,
    0xa7bbd524u,
    0x3864d4e4u},
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
    /* clang-format on */
};

#endif
