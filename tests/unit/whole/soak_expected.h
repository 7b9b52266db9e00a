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
    {0x47ce8b62u,
    0xf6476381u,
    0xdc1bc4e0u,
    0xe4588527u,
    0xb040553eu,
    0x4656ffc7u,
    0xc3358233u,
    0xd78fd855u,
    0x24a9601cu,
    0xbb8af079u,
    0x9849be2cu,
    0xb53c2cd1u,
    0x18fc468bu,
    0x23c4800fu,
    0x6cdc3889u,
    0xef8d02a5u,
    0x78ec1e0eu,
    0x05083dbeu,
    0xbf8e621eu,
    0x21f8ba2eu},
    {8587,
    37186,
    29214,
    0,
    39689,
    58649,
    80850,
    703,
    9766,
    11228,
    11228,
    0,
    0,
    65242,
    47043,
    1383,
    19819,
    22326,
    22326,
    961,
    0,
    197728,
    26954,
    12780,
    1402,
    0,
    48738304,
    270336,
    0,
    0,
    0,
    0,
    3276800,
    3480,
    0,
    1523,
    5003,
    1352,
    464,
    15696,
    673,
    7739,
    125,
    155207,
    352,
    0,
    2863},
    /* clang-format on */
};

#endif
