/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower bound of a run (bound/bound.h) in its results.
 */
#ifndef TESSERA_LOWER_BOUND_H
#define TESSERA_LOWER_BOUND_H

#include <stdio.h>

#include "tools/bound/bound.h"
#include "tessera.h"

/* Solve what was told for the device's segments, the first two that are memory; and for each of `count` frames, which
 * may be 0 (bound_solve_frames). A status of tessera.h. */
int lower_bound_solve(const struct bound *bound, struct tessera *tessera, uint32_t stall_percent,
                      struct bound_result *result, uint64_t *frames, uint32_t count);
/* As a member of a frame in run.json, without a comma; 0: not known. */
void lower_bound_frame_json(FILE *file, uint64_t cycles);
/* As a member of run.json, with its comma; `cycles` 0: not known. */
void lower_bound_json(FILE *file, const struct bound_result *result, uint64_t cycles);
/* As a row of the table: how many times as long as the bound the cycles are, and what it is. */
void lower_bound_row(const struct bound_result *result, uint64_t cycles, char value[24], char note[128]);

#endif
