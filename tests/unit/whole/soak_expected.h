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
    {0x98de613bu,
    0xb5935445u,
    0x948a308au,
    0x99479cacu,
    0x3d93ff55u,
    0xc330e121u,
    0x4099bb6fu,
    0xb3b8f784u,
    0x690a54adu,
    0xcace486du,
    0xe94e9642u,
    0xdd75b091u,
    0x2237a193u,
    0x231f4126u,
    0xa0da3f76u,
    0xfac0ce52u,
    0x1e77115bu,
    0xaa207d7eu,
    0xeaffc554u,
    0x46dedae9u},
    {8642,
    39011,
    31115,
    0,
    39501,
    57188,
    79210,
    649,
    9570,
    11934,
    11934,
    0,
    0,
    64427,
    46173,
    1273,
    19736,
    24154,
    24154,
    679,
    0,
    202227,
    41627,
    13905,
    1448,
    0,
    528703488,
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
    1377,
    445,
    15894,
    658,
    8489,
    116,
    147550,
    564,
    0,
    2841,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
