/* SPDX-License-Identifier: Apache-2.0
 *
 * The global commit limit: what all apertures together may map (SEG-17). Each aperture's own limit is the size
 * of its map (SEG-16).
 */
#ifndef FIRMWARE_COMMIT_H
#define FIRMWARE_COMMIT_H

#include "plan/residency.h"

/* The journal's last action has placed something: when the apertures now hold more than the limit, others leave
 * them, lowest priority first and then longest unused, before it is placed. False: not enough may leave; the
 * caller must roll back the evictions planned so far. O(1) within the limit, else O(allocations) for each that
 * leaves. */
bool commit_meet_limit(struct residency *residency, bool is_pressing);

#endif
