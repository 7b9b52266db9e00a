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
    {0x1f31d13eu,
    0x69ed5f18u,
    0xe832c147u,
    0xa2bad9c2u,
    0x206050e6u,
    0x09bae291u,
    0x87a1d31du,
    0x2a37bba2u,
    0xc61f63b6u,
    0xe128eddbu,
    0xf7adb597u,
    0x355eec04u,
    0xf4da576eu,
    0x799fea21u,
    0x1906a38eu,
    0x267e9de8u,
    0xdd336da1u,
    0x034c2f33u,
    0x4d625a45u,
    0x2c78aed7u},
    {8630,
    39890,
    32172,
    0,
    38884,
    56765,
    77792,
    656,
    9219,
    11920,
    11920,
    0,
    0,
    63207,
    45704,
    1287,
    18993,
    24260,
    24260,
    693,
    0,
    201719,
    36908,
    14008,
    1384,
    0,
    542638080,
    7315456,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1381,
    455,
    15518,
    666,
    8509,
    113,
    147972,
    152,
    0,
    2856,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
