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
    {0x29777094u,
    0x990c048du,
    0x58905e1du,
    0x480259f6u,
    0x25801cb3u,
    0xe719215fu,
    0xa37ad18fu,
    0x594621c0u,
    0x6ab9450bu,
    0xe2c932cbu,
    0x0c35491du,
    0x718c11dcu,
    0x1b0fcd8fu,
    0x75a0da12u,
    0x9092a40fu,
    0xfc2352d2u,
    0xb0eaf077u,
    0xf57924c6u,
    0x62ce91d7u,
    0x196bfff2u},
    {8633,
    39701,
    31822,
    0,
    39470,
    56954,
    78484,
    656,
    9576,
    12028,
    12028,
    0,
    0,
    64172,
    45830,
    1289,
    19821,
    24351,
    24351,
    575,
    0,
    204293,
    41475,
    13965,
    1442,
    0,
    382405888,
    38439680,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1379,
    460,
    15733,
    648,
    8492,
    109,
    149273,
    537,
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
