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
    {0x33e6ccdfu,
    0xbabaeae1u,
    0xf1ee51c5u,
    0xbab9fa26u,
    0x15bac773u,
    0xe8ffbae1u,
    0x9705f1f0u,
    0x61c55112u,
    0xbd2803cfu,
    0x065ee6acu,
    0x5b4fd66cu,
    0x299feacfu,
    0x9a6f9398u,
    0x5eb82f26u,
    0x735ac0c7u,
    0xd17737cau,
    0x567eb0ccu,
    0x7c39f2cdu,
    0x77f8cbfeu,
    0xd67553feu},
    {8688,
    39685,
    31918,
    0,
    39976,
    58493,
    79899,
    651,
    9594,
    12230,
    12230,
    0,
    0,
    65214,
    46935,
    1279,
    19769,
    24836,
    24836,
    639,
    0,
    204857,
    27772,
    14141,
    1381,
    0,
    142286848,
    3235840,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1373,
    457,
    15816,
    653,
    8809,
    118,
    155645,
    200,
    0,
    2857,
    421920,
    19104,
    0},
    /* clang-format on */
};

#endif
