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
    {0x8b931011u,
    0x9c1d1b31u,
    0x8359a414u,
    0x302564bau,
    0x318150e5u,
    0xab99abdeu,
    0xc98d2293u,
    0xa1bcaa24u,
    0x19d34488u,
    0x2ef81067u,
    0x23a7c346u,
    0xba15a2cau,
    0xd1502498u,
    0xaabdf0e4u,
    0x07d5978du,
    0x87047f72u,
    0x58825372u,
    0x9fb8b3a5u,
    0xf4eaffa1u,
    0x1f23e8a1u},
    {8671,
    39162,
    31398,
    0,
    39669,
    58027,
    79121,
    658,
    9565,
    12138,
    12138,
    0,
    0,
    64554,
    46358,
    1297,
    19695,
    24645,
    24645,
    723,
    0,
    202639,
    27666,
    14050,
    1409,
    0,
    138121216,
    3203072,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1374,
    462,
    15663,
    652,
    8696,
    112,
    153816,
    218,
    0,
    2840,
    0},
    /* clang-format on */
};

#endif
