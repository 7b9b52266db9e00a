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
    {0x06ee0f8fu,
    0x20a263e2u,
    0xd2ae4921u,
    0x9e1dfdc2u,
    0x3968f4acu,
    0xf97802f6u,
    0x21982cacu,
    0xa7dceb86u,
    0xfef2c3e8u,
    0x34e2e704u,
    0x110bee36u,
    0x5f164e76u,
    0x9e4cc738u,
    0x16a586cau,
    0xf62ec1b5u,
    0x3f060628u,
    0x412b2591u,
    0x58f433bdu,
    0xc6168a48u,
    0x59654f11u},
    {8688,
    39685,
    31918,
    0,
    39979,
    58496,
    79904,
    651,
    9595,
    12231,
    12231,
    0,
    0,
    65220,
    46938,
    1279,
    19772,
    24834,
    24834,
    639,
    0,
    204857,
    27768,
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
    15819,
    653,
    8807,
    118,
    155644,
    201,
    0,
    2857,
    204800,
    0},
    /* clang-format on */
};

#endif
