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
