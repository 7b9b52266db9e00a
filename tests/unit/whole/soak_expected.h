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
    {0xb71bd3f5u,
    0x2b93c983u,
    0xca11f018u,
    0x370ca6dbu,
    0xf7246765u,
    0x8a419279u,
    0x150a4f71u,
    0xe4021ef7u,
    0xf74af3dcu,
    0x0081529au,
    0x28c53560u,
    0x49dffffau,
    0xda744b40u,
    0xf5835587u,
    0xb2d112ffu,
    0xd621f067u,
    0x1ceec0c9u,
    0xb2a6e643u,
    0x68e6917fu,
    0x8d7ae96au},
    {8670,
    37102,
    29234,
    0,
    34860,
    51306,
    67965,
    694,
    8337,
    10337,
    10337,
    0,
    0,
    55423,
    40208,
    1361,
    16794,
    20723,
    20723,
    735,
    0,
    200588,
    30941,
    14295,
    1447,
    0,
    50352128,
    270336,
    0,
    0,
    0,
    0,
    3276800,
    3413,
    0,
    1541,
    4954,
    1393,
    363,
    12898,
    644,
    7121,
    114,
    151356,
    392,
    0},
    /* clang-format on */
};

#endif
