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
    {0x05866d22u,
    0x995f12c1u,
    0xccaa6471u,
    0x3768ef62u,
    0x03fe13edu,
    0xa9e78b37u,
    0xb64b85eau,
    0x5b16d439u,
    0x75661633u,
    0xfb3c966cu,
    0x01942ca4u,
    0x785a5effu,
    0x66cee805u,
    0x01efd3f6u,
    0xa484b53bu,
    0x357f697du,
    0x7258e470u,
    0xdda5259bu,
    0xa23c4f98u,
    0xd617edf9u},
    {8633,
    39357,
    31485,
    0,
    39188,
    57048,
    78472,
    651,
    9421,
    11926,
    11926,
    0,
    0,
    63860,
    45901,
    1278,
    19440,
    24201,
    24201,
    657,
    0,
    200805,
    39920,
    13805,
    1412,
    0,
    528539648,
    7241728,
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
    452,
    15742,
    654,
    8544,
    115,
    148086,
    458,
    0,
    2847,
    421920,
    19104,
    281600,
    7372800,
    0},
    /* clang-format on */
};

#endif
