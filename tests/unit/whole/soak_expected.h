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
    {0xede8f990u,
    0x1e5cec85u,
    0x4591ba1du,
    0x9ef90e52u,
    0xbee044aau,
    0xea3ef2afu,
    0xcb695e5bu,
    0x9d876b33u,
    0xee6b7d96u,
    0x9276d2acu,
    0xd76dc485u,
    0xefdbdea8u,
    0x7ecb4c5eu,
    0x3ccedd67u,
    0x5f759f3bu,
    0x5f8189efu,
    0xcf991227u,
    0x9798b327u,
    0x2d7456bau,
    0x65105141u},
    {8605,
    39057,
    31338,
    0,
    38622,
    56376,
    77164,
    652,
    9202,
    11870,
    11870,
    0,
    0,
    62732,
    45275,
    1287,
    18959,
    24069,
    24069,
    696,
    0,
    199593,
    36804,
    13881,
    1403,
    0,
    536580096,
    7294976,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1380,
    447,
    15452,
    664,
    8482,
    118,
    146369,
    151,
    0,
    2874,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
