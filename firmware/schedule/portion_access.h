/* SPDX-License-Identifier: Apache-2.0
 *
 * What the render node may touch while it runs a portion: the pages of the portion's members, run by run, and of each
 * only what the portion does with it. After the portion one command a segment takes back all there is.
 */
#ifndef FIRMWARE_PORTION_ACCESS_H
#define FIRMWARE_PORTION_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "schedule/manager.h"

enum { FEW_MEMBERS = 8 };

struct portion_access {
    uint32_t segment, owner;   /* where the walk over the segments' residents stands */
    uint32_t granted;          /* bit per segment: some page of it */
    uint32_t count, next;      /* members, if they are few, and the next one to be granted */
    uint16_t few[FEW_MEMBERS]; /* by segment and address */
};

/* The next call of either starts with the first segment. `members`: the portion's are all in this set, which has
 * FEW_MEMBERS at most; NULL: there may be any number. Yields. O(members * members). */
void portion_access_begin(struct portion_access *access, const struct residency *residency,
                          const struct index_set *members);

/* Grant what is marked: all of it is resident, so the segments' lists name it. True: complete; false: the node's ring
 * is full, call again. O(members), or O(residents) if they are not few. */
bool portion_access_grant(struct portion_access *access, const struct manager *manager);

/* Take back every right in the segments of which some page was granted since the last time. As above. O(segments). */
bool portion_access_revoke(struct portion_access *access, const struct manager *manager);

#endif
