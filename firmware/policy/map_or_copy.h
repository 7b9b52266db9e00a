/* SPDX-License-Identifier: Apache-2.0
 *
 * Is an allocation read and written where the host's pages are, through an aperture, or copied into memory first? Both
 * are possible where its segment sets have both; the documents leave it to the order of the host's preferences.
 *
 * What is mapped costs nothing to bring in. Where a page takes hardly longer to be copied than its memory alone would,
 * system memory is as quick as that, and to map is never worse. Behind a slow bus each byte read or written there costs
 * more than it would in memory. When that has come to what the copies would have cost, it is called in: one copy, or
 * two of what a job may write, which has to be copied back. So it costs at most twice what the better choice would
 * have, whatever comes; and since all of an accepted job counts at once, that choice is often made before its first
 * use. To come in takes a copy off that account, so that what is called in and evicted again and again pays each time.
 * Each lock by the host takes a copy off, too: in memory, what the host reads has to be copied back, and what it writes
 * has to come in again. What is read stays in memory only if the traffic was worth that.
 *
 * Where it is favoured, room is made for it before a hole elsewhere is taken (placement.c).
 *
 * Until something has been measured, the order is the host's.
 */
#ifndef FIRMWARE_MAP_OR_COPY_H
#define FIRMWARE_MAP_OR_COPY_H

#include "plan/policy.h"
#include "plan/residency.h"

/* Of the look-ahead policy's functions (policy.h) these. */
uint32_t map_or_copy_favours(const struct residency *residency, uint32_t allocation, uint32_t set);
void map_or_copy_accepts(struct residency *residency, const struct job *job);
void map_or_copy_locks(struct residency *residency, uint32_t allocation);

#endif
