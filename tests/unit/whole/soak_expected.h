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
    {0x73405e3bu,
    0x2e9326b5u,
    0xccd0a423u,
    0xa0455b8cu,
    0x87d06bb1u,
    0x5da6e1b9u,
    0x1a8b2d87u,
    0x8a11d380u,
    0x340035e5u,
    0x3d19be38u,
    0x08c5f9eau,
    0x81c3f999u,
    0xe4318ab0u,
    0x60adee36u,
    0x6505d97bu,
    0xf66b9b20u,
    0x865ae513u,
    0xc14e0578u,
    0x965e557cu,
    0x7b32ef7au},
    {8663,
    38950,
    31197,
    0,
    39611,
    57889,
    78953,
    656,
    9576,
    12109,
    12109,
    0,
    0,
    64594,
    46323,
    1296,
    19775,
    24613,
    24613,
    737,
    0,
    202117,
    26845,
    14080,
    1402,
    0,
    138268672,
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
    443,
    15713,
    662,
    8689,
    117,
    153512,
    196,
    0,
    2835,
    0},
    /* clang-format on */
};

#endif
