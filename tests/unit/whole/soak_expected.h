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
    {0x29144686u,
    0xd76eef1du,
    0x43747572u,
    0x2718f886u,
    0xd53d441bu,
    0xb9b7a421u,
    0x54912bd1u,
    0x1504c82du,
    0x75959410u,
    0x19432bddu,
    0x46782ef3u,
    0xdd6dcbcfu,
    0x3c8a54bfu,
    0x97f97f44u,
    0xf6b146ebu,
    0x8aaf4106u,
    0xcdff9bc3u,
    0x6725482au,
    0x0668c615u,
    0xa8d8ea27u},
    {8634,
    39159,
    31269,
    0,
    39383,
    56972,
    78349,
    651,
    9583,
    11965,
    11965,
    0,
    0,
    64089,
    45759,
    1280,
    19809,
    24248,
    24248,
    575,
    0,
    202129,
    40780,
    13964,
    1435,
    0,
    373109504,
    37730560,
    0,
    0,
    0,
    0,
    3276800,
    3343,
    0,
    1532,
    4875,
    1382,
    463,
    15702,
    649,
    8477,
    114,
    148104,
    553,
    0,
    2839,
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
