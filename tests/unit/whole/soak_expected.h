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
    0x2d44daa1u,
    0x18dc4779u,
    0xcecdd15cu,
    0x42a3a5b5u,
    0xa2c45044u,
    0x322852e5u,
    0x664570f6u,
    0x12931603u,
    0x840f486cu,
    0xecbe3e3cu,
    0x2b460976u,
    0x3c3a1c43u,
    0x7d4f4afdu,
    0x7ecfed6du,
    0xfa635a3du,
    0xc77e0248u,
    0xc6638c6cu,
    0x9c54edf9u,
    0x95d089aeu},
    {8688,
    39685,
    31918,
    0,
    39977,
    58500,
    79905,
    651,
    9594,
    12229,
    12229,
    0,
    0,
    65220,
    46939,
    1279,
    19771,
    24829,
    24829,
    639,
    0,
    204857,
    27766,
    14141,
    1381,
    0,
    142290944,
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
    15818,
    653,
    8804,
    118,
    155646,
    201,
    0,
    2857,
    247840,
    18080,
    0},
    /* clang-format on */
};

#endif
