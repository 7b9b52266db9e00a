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
    {0x3fdb5520u,
    0x10040f4du,
    0x9309249du,
    0x8f6edf97u,
    0xd30a0114u,
    0x9d81d659u,
    0xa31a2fd4u,
    0x583233ceu,
    0xe50ae62bu,
    0xc86fc36cu,
    0x23053a38u,
    0x88bed9fbu,
    0x92cd515au,
    0xb41c3821u,
    0xb793f8f0u,
    0xd383f495u,
    0x336ed192u,
    0x0fa614dfu,
    0x0e475d22u,
    0x6a535706u},
    {8665,
    38955,
    31198,
    0,
    39628,
    57966,
    79023,
    656,
    9569,
    12113,
    12113,
    0,
    0,
    64617,
    46367,
    1296,
    19761,
    24625,
    24625,
    735,
    0,
    202157,
    26861,
    14080,
    1402,
    0,
    140988416,
    3297280,
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
    443,
    15715,
    662,
    8680,
    121,
    153532,
    190,
    0,
    2834,
    0},
    /* clang-format on */
};

#endif
