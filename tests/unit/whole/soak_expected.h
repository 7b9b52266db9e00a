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
    {0xe501be87u,
    0xd725c2dcu,
    0xaff18c4au,
    0x1bc0c0c3u,
    0x384b412eu,
    0xb4939d3du,
    0x7039d584u,
    0xe15c1c0cu,
    0x7274e648u,
    0x98eb1cb8u,
    0x0b6756acu,
    0x4c1ac8c4u,
    0xe926734du,
    0xb8bb7960u,
    0xe4e3567fu,
    0x36ad56dbu,
    0x14fd00f6u,
    0xe2500215u,
    0x94659826u,
    0x990b1a1cu},
    {8632,
    38979,
    31245,
    0,
    38729,
    56391,
    77183,
    653,
    9230,
    11899,
    11899,
    0,
    0,
    62814,
    45299,
    1284,
    19008,
    24163,
    24163,
    681,
    0,
    200894,
    36895,
    13946,
    1390,
    0,
    528359424,
    7282688,
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
    446,
    15500,
    666,
    8473,
    115,
    146919,
    157,
    0,
    2873,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
