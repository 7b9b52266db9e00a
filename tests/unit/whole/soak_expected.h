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
    {0xe882fd1fu,
    0x9dd1c384u,
    0xc107b470u,
    0x9258a4a9u,
    0x6b7eb18bu,
    0x18a89f8au,
    0x93d4e5c8u,
    0xc7da6173u,
    0x6704e857u,
    0x4cbe47c0u,
    0xfea73d7du,
    0x5e9be187u,
    0x6c068e69u,
    0x9b0a7c7bu,
    0x9b652880u,
    0xa2e1ac59u,
    0x2e6cbdcau,
    0x4e939889u,
    0xd5778114u,
    0x1604a643u},
    {8663,
    38950,
    31197,
    0,
    39614,
    57897,
    78967,
    656,
    9575,
    12111,
    12111,
    0,
    0,
    64603,
    46332,
    1296,
    19775,
    24617,
    24617,
    733,
    0,
    202117,
    26854,
    14080,
    1402,
    0,
    138493952,
    3248128,
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
    8689,
    117,
    153516,
    196,
    0,
    2832,
    0},
    /* clang-format on */
};

#endif
