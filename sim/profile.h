/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the firmware's cycles go, by function and by chain of callers, from the program counters that the core
 * retires. The firmware takes no part: calls and returns are recognised by decoding the image.
 *
 * A call is a jump that links ra or t0, a return a jump through one of them; any other jump into another function
 * is a tail call. The cycles between two retired instructions belong to the later one.
 */
#ifndef TESSERA_PROFILE_H
#define TESSERA_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols.h"

struct profile;

struct profile_row {
    char function[48];
    uint64_t calls, instructions;
    uint64_t self_cycles, total_cycles; /* without, with what it called; recursion counts once */
};

/* NULL when out of memory or when the image has no code. The symbols stay the caller's and must outlive it. */
struct profile *profile_create(const struct symbols *symbols);
void profile_free(struct profile *profile);

/* An instruction was retired. O(1) but for calls: O(callees of the caller). */
void profile_retire(struct profile *profile, uint32_t pc, uint64_t cycle);
/* The core is held in reset: what it did before is forgotten, the sums stay. */
void profile_reset(struct profile *profile, uint64_t cycle);

/* All functions that ran, most self cycles first; at most `limit`. */
uint32_t profile_rows(const struct profile *profile, struct profile_row *rows, uint32_t limit);
uint64_t profile_cycles(const struct profile *profile); /* sum over all functions */

/* One line per chain of callers, "main;gpu_turn;scheduler_step 1234" (cycles), as flame-graph tools read it. */
bool profile_write_folded(const struct profile *profile, const char *path);

#endif
