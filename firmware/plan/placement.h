/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan brings an allocation in: where it goes, and what that takes of others.
 */
#ifndef FIRMWARE_PLACEMENT_H
#define FIRMWARE_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/residency.h"

/* The allocation shall be in a segment that suits its use (its marks); grows the journal by what that
 * takes. False: no placement beside what is marked; then nothing has changed. With `is_pressing`
 * soft-pinned allocations may leave too. O(ranges) when a hole fits, else O(victims looked at). */
bool placement_require(struct residency *residency, uint32_t allocation, bool is_pressing);

#endif
