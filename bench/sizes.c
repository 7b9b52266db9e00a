/* SPDX-License-Identifier: Apache-2.0
 *
 * Not run: its symbols' sizes are sizes of the firmware's structures on the control core, read with nm.
 * What grows with the number of allocations is the residency's state: table, segment map, order, journal.
 */
#include "gpu.h"

char figure_allocation_entry[sizeof(struct allocation) + sizeof(struct allocation_details)];
char figure_allocations[ALLOCATION_DEFAULT];
char figure_patch[sizeof(struct patch)];
char figure_gpu[sizeof(struct gpu)];

/* What paging decisions need for 512 allocations, 64 slots and 1024 patch locations: without and with the description
 * of the allocations themselves. */
#define SIZE_OF(member) sizeof(((struct residency *)0)->member)
enum {
    TARGET_ALLOCATIONS = 512,
    TARGET_PATCHES = 1024,
    SETS = 4,
    BIT_TABLES = 2, /* residents, marked, foreseen, owned; planned, called in */
    PER_ALLOCATION = sizeof(struct segment_link) + SIZE_OF(world.map.previous[0]) + SIZE_OF(plan.mark[0]) +
                     2 * SIZE_OF(plan.journal[0]) + 3 * sizeof(uint16_t) +
                     sizeof(uint8_t), /* the last two are the policy's */
    BITS_PER_ALLOCATION = 8 * PER_ALLOCATION + SETS + BIT_TABLES,
    FIXED = sizeof(struct residency) + SETS * (sizeof(struct index_set) + sizeof(uint32_t)),
    DECISIONS = FIXED - sizeof(struct allocation_table) + BITS_PER_ALLOCATION * TARGET_ALLOCATIONS / 8 +
                sizeof(struct splitter) + TARGET_PATCHES * sizeof(struct patch)
};
char figure_residency[FIXED + ALLOCATION_DEFAULT * sizeof figure_allocation_entry +
                      BITS_PER_ALLOCATION * ALLOCATION_DEFAULT / 8];
_Static_assert(SLOT_LIMIT == 64, "the target is told for as many slots");
char figure_paging_512[DECISIONS];
char figure_paging_512_described[DECISIONS + TARGET_ALLOCATIONS * sizeof(struct allocation) +
                                 sizeof(struct allocation_details)];
