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
    {0x613b71b4u,
    0xa6d5b372u,
    0xbba7d853u,
    0xc32b9f5cu,
    0x28c72c4bu,
    0x9ef1f9d9u,
    0xeb936574u,
    0x412f1e1fu,
    0x0e85b76bu,
    0x8beffa9cu,
    0x912faf9fu,
    0x3b3954d1u,
    0x03ed8de1u,
    0xe2c2f25du,
    0xefe804b2u,
    0x6915c88au,
    0x38727bd3u,
    0x68b68b3fu,
    0xd83baf0au,
    0xb6782428u},
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
