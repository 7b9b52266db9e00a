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
    {0x7ef012c2u,
    0x785e78d2u,
    0xbb37e167u,
    0xfc2b7ffau,
    0x60199b7au,
    0x38402d0bu,
    0xa8e968e1u,
    0xed6c6926u,
    0xec612298u,
    0x4dcc7facu,
    0x25a59262u,
    0x0a368c5cu,
    0xc9b56d41u,
    0x36c95506u,
    0x0d2ca891u,
    0x9bb6353fu,
    0x5d381ce8u,
    0x088202b7u,
    0x6786a76cu,
    0xd831cd6du},
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
    0},
    /* clang-format on */
};

#endif
