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
    {0xde1bade1u,
    0xe091f70au,
    0x43724dceu,
    0x74612921u,
    0x47fbd438u,
    0xe8db74ceu,
    0x764d9f03u,
    0x0ba2edbau,
    0x102cc11fu,
    0x6af3258fu,
    0x620be812u,
    0x0301ceddu,
    0xc0cf998bu,
    0x92d12977u,
    0xe875b00fu,
    0xf7ff4a24u,
    0x22b1b806u,
    0x2f245e7eu,
    0xb6e1f498u,
    0x68a49cd7u},
    {8693,
    39700,
    31926,
    0,
    40038,
    58524,
    79995,
    651,
    9608,
    12246,
    12246,
    0,
    0,
    65293,
    46981,
    1279,
    19798,
    24874,
    24874,
    639,
    0,
    204763,
    37070,
    14145,
    1383,
    0,
    142462976,
    3244032,
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
    456,
    15820,
    653,
    8800,
    116,
    149467,
    200,
    0,
    2857,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
