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
    {0x5e148f39u,
    0x00b309a6u,
    0xe25d4f54u,
    0x65356074u,
    0x480e834fu,
    0x4c29b0f1u,
    0xb9731271u,
    0xe28943bfu,
    0x796a9225u,
    0x1fb6c092u,
    0xabe01612u,
    0x4e0ac48bu,
    0x5267b318u,
    0x532c1ad6u,
    0x6c6b9ad5u,
    0xdd5d37edu,
    0xf659132eu,
    0x73e96bceu,
    0xc1ccff8fu,
    0xfeb5d6c2u},
    {8637,
    39072,
    31335,
    0,
    38780,
    56491,
    77322,
    653,
    9242,
    11928,
    11928,
    0,
    0,
    62891,
    45356,
    1284,
    19027,
    24232,
    24232,
    709,
    0,
    200981,
    36811,
    13944,
    1388,
    0,
    531931136,
    7278592,
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
    15553,
    666,
    8495,
    114,
    147020,
    151,
    0,
    2871,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
