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
    {0x6eaab82cu,
    0x009ac400u,
    0x808839f6u,
    0x838208a7u,
    0x26cc3703u,
    0x279dbd74u,
    0xa3b5c639u,
    0x64fd84e2u,
    0xeb61219au,
    0x7c8a982fu,
    0x27d4de48u,
    0xaeb68b28u,
    0x01db71f1u,
    0xbf6ce2d3u,
    0x5fc0fe44u,
    0xb9610a95u,
    0xfbadacaeu,
    0x9d9d7479u,
    0x247eabe1u,
    0x13ab8853u},
    {8635,
    39200,
    31308,
    0,
    39388,
    56969,
    78346,
    651,
    9577,
    11969,
    11969,
    0,
    0,
    64097,
    45774,
    1280,
    19800,
    24254,
    24254,
    574,
    0,
    202135,
    40806,
    13972,
    1434,
    0,
    373404416,
    37751808,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1382,
    465,
    15691,
    650,
    8471,
    113,
    148076,
    561,
    0,
    2839,
    421920,
    19104,
    281600,
    7372800,
    0,
    0,
    0,
    0,
    0,
    0},
    /* clang-format on */
};

#endif
