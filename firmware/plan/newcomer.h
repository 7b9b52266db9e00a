/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan brings an allocation in: where it goes, and what that takes of others.
 */
#ifndef FIRMWARE_NEWCOMER_H
#define FIRMWARE_NEWCOMER_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/residency.h"

/* The allocation shall be in a segment that suits its use (its marks); grows the journal by what that
 * takes. False: no placement beside what is marked; then nothing has changed. With `is_pressing`
 * soft-pinned allocations may leave too. O(ranges) when a hole fits, else O(victims looked at). */
bool newcomer_require(struct residency *residency, uint32_t allocation, bool is_pressing);

/* What would be lost for `short_pages` more if the portion ended here: only what the group at hand uses or what is
 * bound beyond it stays. *takes_spared: only the loss of somebody spared (share.h) makes that room. False: not even
 * then is there room. Plans nothing. O(residents). */
bool newcomer_estimate(struct residency *residency, struct room_loss *lost, bool *takes_spared);

#endif
