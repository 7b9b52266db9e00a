/* SPDX-License-Identifier: Apache-2.0
 *
 * Is an allocation mapped through an aperture, where the host's pages are, or copied into memory first? Both are
 * possible where its segment sets have both. The documents leave it to the order of the host's preferences.
 *
 * Mapping costs nothing at first. Where copying a page takes hardly longer than its memory alone would, system memory
 * is as fast as that, and mapping is never worse. Where the bus is slow, each byte read or written there costs more
 * than in memory.
 *
 * When that sum has reached the cost of the copies, the allocation is called in. That costs one copy. It costs
 * two if a job may write it, because it must be copied back. So the total is at most twice that of the better choice.
 * All traffic of an accepted job counts at once, so the choice is often made before the first use.
 *
 * Calling in takes a copy off the account, so what is called in and evicted repeatedly pays each time. A lock by the
 * host takes a copy off, too. What the host reads is copied back, and what it writes comes in again. After a read it
 * stays in memory only if the traffic was worth that.
 *
 * Room is made in the favoured segment before a hole elsewhere is taken (placement.c). Before the first measurement
 * the host's order counts.
 */
#ifndef FIRMWARE_MAP_OR_COPY_H
#define FIRMWARE_MAP_OR_COPY_H

#include "plan/policy.h"
#include "plan/residency.h"

/* Functions of the look-ahead policy (policy.h). */
uint32_t map_or_copy_favours(const struct residency *residency, uint32_t allocation, uint32_t set);
void map_or_copy_accepts(const struct residency *residency, struct policy_state *state, const struct job *job);
void map_or_copy_locks(const struct residency *residency, struct policy_state *state, uint32_t allocation);

#endif
