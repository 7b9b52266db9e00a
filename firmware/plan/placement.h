/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan brings an allocation in: where it goes, and what that takes of others.
 */
#ifndef FIRMWARE_PLACEMENT_H
#define FIRMWARE_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/policy.h"
#include "plan/residency.h"

/* Segments where an allocation may be tried: each preference once, and each segment that none names. */
enum { CANDIDATE_LIMIT = PREFERENCE_COUNT + SEGMENT_LIMIT };

/* The allocation shall be in a segment that suits its use (its marks); grows the journal by what that
 * takes. False: no placement beside what is marked; then nothing has changed. With `is_pressing`
 * soft-pinned allocations may leave too. O(ranges) when a hole fits, else O(victims looked at). */
bool placement_require(struct residency *residency, uint32_t allocation, bool is_pressing);

/* Inside (limits.c): in a hole of one of these segments, in their order, or where the policy makes room in one of
 * them. False: then nothing has changed. */
bool placement_in(struct residency *residency, uint32_t allocation, const struct candidate *list, uint32_t count,
                  bool is_pressing);

#endif
