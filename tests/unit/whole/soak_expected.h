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
    {0x4d446175u,
    0x6cc0b946u,
    0xa4980eb3u,
    0x4eb0fdfau,
    0xf6237014u,
    0x78d66d0eu,
    0xca997948u,
    0x755cb16eu,
    0x169e0142u,
    0x4d09ea3bu,
    0xdf5d56e8u,
    0x7a6d7a0eu,
    0x6f5079afu,
    0x5da878acu,
    0x226e664bu,
    0x804d398cu,
    0x8191ad0bu,
    0x501d5503u,
    0x049de45au,
    0x0c7ba6d6u},
    {8587,
    37186,
    29214,
    0,
    39689,
    58649,
    80850,
    703,
    9766,
    11228,
    11228,
    0,
    0,
    65242,
    47043,
    1383,
    19819,
    22326,
    22326,
    961,
    0,
    197728,
    26954,
    12780,
    1402,
    0,
    48738304,
    270336,
    0,
    0,
    0,
    0,
    3276800,
    3480,
    0,
    1523,
    5003,
    1352,
    464,
    15696,
    673,
    7739,
    125,
    155207,
    352,
    0,
    2863},
    /* clang-format on */
};

#endif
