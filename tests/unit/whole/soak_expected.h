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
    {0x8af674e1u,
    0x46161a90u,
    0xd9e291b0u,
    0x542ee6a7u,
    0x9a48b4c2u,
    0x6b7f2cfeu,
    0x059dd5edu,
    0xa6bc60e7u,
    0x392284c1u,
    0xeaf1f1c1u,
    0xab0a76a4u,
    0xeafd655au,
    0x3f9b9399u,
    0x6118aafbu,
    0x20086230u,
    0xc97b5115u,
    0x0aa42fa1u,
    0x8f347e43u,
    0x3d40cdd0u,
    0x6172d66bu},
    {8693,
    39700,
    31926,
    0,
    40041,
    58527,
    80000,
    651,
    9609,
    12247,
    12247,
    0,
    0,
    65299,
    46984,
    1279,
    19801,
    24872,
    24872,
    639,
    0,
    204763,
    37066,
    14145,
    1383,
    0,
    142430208,
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
    15823,
    653,
    8798,
    116,
    149466,
    201,
    0,
    2857,
    204800,
    0},
    /* clang-format on */
};

#endif
