/* SPDX-License-Identifier: Apache-2.0
 *
 * What the soak notes of everything the firmware says, and its comparison with soak_expected.h.
 */
#ifndef TESSERA_UNIT_SOAK_HELD_H
#define TESSERA_UNIT_SOAK_HELD_H

#include "check.h"
#include "device.h"
#include "soak_expected.h"

/* What the firmware has answered, counted and traced, in order. */
static struct {
    uint32_t digest, statistics[STAT_COUNT];
} soak_seen;
static void soak_note(uint32_t word)
{
    const uint32_t last = soak_seen.digest;
    soak_seen.digest = (last ^ word) * 16777619u + (last >> 27);
}
static void soak_note_trace(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)context;
    soak_note(event << 24 ^ (uint32_t)cycle);
    soak_note(argument);
}
static const struct probe soak_probe = {.firmware = soak_note_trace};

/* In the worlds that `make decisions` has run nothing is answered, counted or traced otherwise (soak_expected.h). */
static void soak_compare(uint32_t ten, uint32_t first_seed, bool prints)
{
    if (first_seed != 1) return;
    if (prints)
        printf("    %s0x%08lxu%s\n", ten == 0 ? "{" : "", (unsigned long)soak_seen.digest,
               ten + 1 < SOAK_TENS ? "," : "},");
    else CHECK_EQUAL(soak_seen.digest, soak_expected.digest[ten]);
    for (uint32_t i = 0; i < STAT_COUNT && ten + 1 == SOAK_TENS; i++)
        if (prints)
            printf("    %s%lu%s\n", i == 0 ? "{" : "", (unsigned long)soak_seen.statistics[i],
                   i + 1 < STAT_COUNT ? "," : "},");
        else CHECK_EQUAL(soak_seen.statistics[i], soak_expected.statistics[i]);
}

#endif
