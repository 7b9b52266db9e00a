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
    {0xde1bade1u,
    0xe091f70au,
    0x43724dceu,
    0x74612921u,
    0x47fbd438u,
    0xe8db74ceu,
    0x9c80bfd4u,
    0x5d874aa2u,
    0xc5fe7f3bu,
    0x7f8b1aacu,
    0xc68b0523u,
    0xb4c25169u,
    0x4d38bf26u,
    0xb989be4fu,
    0xed3ab920u,
    0x41fed8f6u,
    0x19afb814u,
    0xcb1152a8u,
    0x3596ef36u,
    0xacbf3da5u},
    {8693,
    39700,
    31926,
    0,
    40038,
    58524,
    79995,
    651,
    9608,
    12246,
    12246,
    0,
    0,
    65293,
    46981,
    1279,
    19798,
    24874,
    24874,
    639,
    0,
    204763,
    37070,
    14145,
    1383,
    0,
    142430208,
    3244032,
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
    456,
    15820,
    653,
    8800,
    116,
    149467,
    200,
    0,
    2857,
    421920,
    19104,
    0},
    /* clang-format on */
};

#endif
