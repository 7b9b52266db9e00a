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
    {0x01f57504u,
    0xed470c1bu,
    0xe86ba6ecu,
    0xe9aa8909u,
    0xeca124c0u,
    0x3bd4b395u,
    0xd6ce39f4u,
    0x846988feu,
    0xae64daddu,
    0x48a14db0u,
    0xcb7e1d6du,
    0x5acac327u,
    0x8ef10153u,
    0xe15f7cc2u,
    0x8aafa35bu,
    0xf06c7a3du,
    0xa0e9917bu,
    0x1dc0cd98u,
    0xa738f2c1u,
    0xa83f8c37u},
    {8628,
    39496,
    31615,
    0,
    39455,
    57139,
    78551,
    651,
    9577,
    12015,
    12015,
    0,
    0,
    64195,
    45879,
    1278,
    19787,
    24336,
    24336,
    577,
    0,
    202994,
    41353,
    13915,
    1446,
    0,
    380878592,
    38356736,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1376,
    463,
    15700,
    642,
    8538,
    113,
    148960,
    542,
    0,
    2834,
    421920,
    19104,
    281600,
    7372800,
    0,
    0,
    0,
    0,
    0,
    0},
    /* clang-format on */
};

#endif
