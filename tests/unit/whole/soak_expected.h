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
    {0x7390994bu,
    0x3a255e27u,
    0x36c8737du,
    0x11a6f7d5u,
    0xf380a6a2u,
    0xa5cf2907u,
    0x126123d3u,
    0xecabe876u,
    0xb117a052u,
    0xf8880a7fu,
    0x7836809au,
    0xb646c876u,
    0x8fdd2606u,
    0xfac05b38u,
    0x7cb13718u,
    0x65aa61e8u,
    0xcad86f5fu,
    0xab083804u,
    0x82acc5f0u,
    0xf34854e2u},
    {8642,
    38975,
    31079,
    0,
    39415,
    57107,
    79052,
    649,
    9554,
    11914,
    11914,
    0,
    0,
    64324,
    46097,
    1273,
    19706,
    24120,
    24120,
    693,
    0,
    202227,
    41743,
    13905,
    1447,
    0,
    528973824,
    7290880,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1378,
    444,
    15872,
    658,
    8498,
    115,
    147474,
    570,
    0,
    2831,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
