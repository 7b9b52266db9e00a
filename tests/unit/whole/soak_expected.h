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
    {0x5df2b6ebu,
    0x3634c516u,
    0x065947e6u,
    0x971170c1u,
    0x04ca7ba2u,
    0xd2719550u,
    0x4f151860u,
    0x42504660u,
    0x745ae741u,
    0x019010c6u,
    0xcfddf549u,
    0xffa2b142u,
    0x53035838u,
    0x3baeb07bu,
    0x8d06fdbbu,
    0xc93d3d30u,
    0x9d730317u,
    0xb7d37503u,
    0x45ceb82eu,
    0x26eda43cu},
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
