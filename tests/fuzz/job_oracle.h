/* SPDX-License-Identifier: Apache-2.0
 *
 * Two judges of a job that validation has accepted, neither of which shares a line with it:
 *   by arithmetic   every packet is decoded again from the host's own words and lists, and every row of every
 *                   access is compared with the allocation it lies in;
 *   by execution    the golden engine runs the job twice, whole and cut at every declared split point. In the
 *                   second run everything that the documents' resource table does not hold at a split is moved,
 *                   its old place is poisoned and closed to the engine. Both must end without a fault and with
 *                   the same bytes.
 */
#ifndef TESTS_JOB_ORACLE_H
#define TESTS_JOB_ORACLE_H

#include <stdint.h>

#include "job_bench.h"

/* Both abort with a sentence when the accepted job is not safe. `bytes` returns how much it moves. */
void oracle_check_extents(const struct submission *s, uint64_t *bytes);

/* For jobs without BENCH_HUGE. `seed` decides contents and places. Returns the portions of the second run. */
uint32_t oracle_execute(const struct job *job, uint32_t seed);

#endif
