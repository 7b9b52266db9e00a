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
    0x03e0b07au,
    0x8be5ca04u,
    0x66dce232u,
    0x509d85e4u,
    0xee69b2b0u,
    0xc649f711u,
    0xc50ba484u,
    0x8ec86c17u,
    0xacadcbaau,
    0xa768e847u,
    0x6a3eace0u,
    0x9e436855u,
    0xbf34e8e9u,
    0xf43a67cau,
    0x69167e59u,
    0x01d392adu,
    0x682f8ef0u,
    0x345b1709u},
    {8630,
    39895,
    32177,
    0,
    38902,
    56777,
    77816,
    656,
    9218,
    11929,
    11929,
    0,
    0,
    63231,
    45727,
    1287,
    18994,
    24278,
    24278,
    698,
    0,
    201719,
    36908,
    14008,
    1384,
    0,
    543285248,
    7311360,
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
    8511,
    113,
    147972,
    152,
    0,
    2868,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
