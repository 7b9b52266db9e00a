/* SPDX-License-Identifier: Apache-2.0
 *
 * Not run: its symbols' sizes are sizes of the firmware's structures on the control core, read with nm.
 * What grows with the number of allocations is the residency's state: table, segment map, order, journal.
 */
#include "gpu.h"

char figure_allocation_entry[sizeof(struct allocation)];
char figure_residency[sizeof(struct residency)];
char figure_allocations[ALLOCATION_LIMIT];
char figure_patch[sizeof(struct patch)];
char figure_gpu[sizeof(struct gpu)];

/* What paging decisions need for 512 allocations, 64 slots and 1024 patch locations: without and with the description
 * of the allocations themselves. */
#define SIZE_OF(member) sizeof(((struct residency *)0)->member)
enum {
    TARGET_ALLOCATIONS = 512,
    TARGET_PATCHES = 1024,
    PER_ALLOCATION = SIZE_OF(map.link) + SIZE_OF(map.previous) + SIZE_OF(mark) + SIZE_OF(journal) + SIZE_OF(planned) +
                     SIZE_OF(policy_state),
    FIXED = sizeof(struct residency) - sizeof(struct allocation_table) - PER_ALLOCATION,
    DECISIONS = FIXED + PER_ALLOCATION * TARGET_ALLOCATIONS / ALLOCATION_LIMIT + sizeof(struct splitter) +
                TARGET_PATCHES * sizeof(struct patch)
};
_Static_assert(SLOT_LIMIT == 64, "the target is told for as many slots");
char figure_paging_512[DECISIONS];
char figure_paging_512_described[DECISIONS + TARGET_ALLOCATIONS * sizeof(struct allocation)];
