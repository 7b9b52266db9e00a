/* SPDX-License-Identifier: Apache-2.0
 *
 * The global commit limit: what all apertures together may map (SEG-17). Each aperture's own limit is the size
 * of its map (SEG-16).
 */
#ifndef FIRMWARE_COMMIT_H
#define FIRMWARE_COMMIT_H

#include "plan/residency.h"

/* Call after the journal's last action has placed something. If the apertures now map more than the limit, others
 * are evicted from them before that action: lowest priority first, then longest unused. False: not enough may leave.
 * The caller must then roll back the evictions planned here. O(1) within the limit, else O(allocations) for each
 * that leaves. */
bool commit_meet_limit(struct residency *residency, bool is_pressing);

#endif
