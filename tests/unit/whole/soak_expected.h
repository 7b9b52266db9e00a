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
    {0x9cca153bu,
    0x08c743f9u,
    0x9cc03b29u,
    0x88fe7018u,
    0x2a82a9beu,
    0x7f3b56abu,
    0xc9963864u,
    0xbd3c2965u,
    0xaa70c61cu,
    0xd966c903u,
    0x4e01e58eu,
    0x44478013u,
    0x49a3ca5au,
    0x2e479889u,
    0xfd9cb63au,
    0xa5d6074au,
    0x9ea8ad6eu,
    0xec87ca0bu,
    0xe49d3568u,
    0x4198b1f7u},
    {8670,
    38950,
    31184,
    0,
    39612,
    57874,
    78933,
    656,
    9553,
    12121,
    12121,
    0,
    0,
    64613,
    46395,
    1296,
    19723,
    24659,
    24659,
    635,
    0,
    202175,
    26951,
    14079,
    1400,
    0,
    141029376,
    3297280,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1374,
    439,
    15730,
    662,
    8722,
    117,
    153583,
    195,
    0,
    2851,
    0},
    /* clang-format on */
};

#endif
