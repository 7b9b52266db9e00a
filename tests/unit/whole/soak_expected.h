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
    {0xc2b9bb35u,
    0xe94beecbu,
    0xcf40a6a8u,
    0x426fe9b4u,
    0x1ce310c4u,
    0xca87edb3u,
    0xd38acc6au,
    0xdfb42369u,
    0xe8745a17u,
    0x8ef5486fu,
    0x49e2488eu,
    0x22d6aabfu,
    0x144a62aau,
    0x9687d85cu,
    0xcef5592cu,
    0x39f10399u,
    0x4228c7b5u,
    0xcc389b72u,
    0x6a1cfa95u,
    0x72e2e61eu},
    {8632,
    38991,
    31259,
    0,
    38761,
    56479,
    77346,
    653,
    9240,
    11885,
    11885,
    0,
    0,
    62902,
    45359,
    1284,
    19039,
    24130,
    24130,
    675,
    0,
    200894,
    36804,
    13946,
    1389,
    0,
    528089088,
    7286784,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1378,
    445,
    15529,
    666,
    8458,
    117,
    146917,
    153,
    0,
    2869,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
