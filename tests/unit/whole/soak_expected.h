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
    {0x4caa0b66u,
    0x08e8aafeu,
    0x5f466febu,
    0x166bb333u,
    0xf83a3f8cu,
    0x05a2433eu,
    0xd6b2f571u,
    0x873c5ff2u,
    0xfbeb8407u,
    0x96b6069eu,
    0x08029d12u,
    0x1b41a874u,
    0x708000d9u,
    0xd8b15bf4u,
    0xe3bbbcb1u,
    0x720aa176u,
    0xb61b82d8u,
    0x0c9ff24eu,
    0xcfdc2cb9u,
    0x0421ab97u},
    {8636,
    39197,
    31310,
    0,
    39374,
    56990,
    78305,
    651,
    9566,
    11978,
    11978,
    0,
    0,
    64056,
    45747,
    1280,
    19786,
    24276,
    24276,
    574,
    0,
    202410,
    40945,
    13996,
    1431,
    0,
    372660480,
    37751808,
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
    462,
    15691,
    651,
    8472,
    113,
    148189,
    559,
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
