/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching: the addresses of a portion's allocations are written into the private copy of its DMA buffer,
 * after residency has been decided and before the portion is submitted.
 */
#ifndef FIRMWARE_PATCH_H
#define FIRMWARE_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/ddi.h"
#include "ddi/job.h"

/* GPU address of an allocation's first byte, for the portion about to be submitted. Asked for allocations
 * of the portion only. */
typedef uint32_t patch_address(const void *context, uint32_t allocation);

/* Write `address(context, allocation) + offset` into the word of each of `count` entries from `first`, in
 * list order (DMA-10); an unbind writes 0. Touches no other word (DMA-07) and may be repeated with the same
 * or other addresses (DMA-06). Returns how many words held the right value already, pre-patched or patched
 * before; those are not written. The range must lie inside the list. O(count). */
uint32_t job_patch(const struct job *job, uint32_t first, uint32_t count, patch_address *address, const void *context);

/* The same for an entry of a job that has just been examined; 0: there is no such information. */
typedef uint32_t prepatch_address(const void *context, const struct patch *patch);

/* Pre-patch the entries [first, end): the addresses of what is resident already; an unbind is 0. Where `address` is 0
 * the word is left as it is (DMA-04). True: there is none such, so that nothing has to be patched as long as nothing
 * moves. O(entries). */
bool job_prepatch(const struct job *job, uint32_t first, uint32_t end, prepatch_address *address, const void *context);

/* The driver's Patch: the same over the locations that the arguments select; counts in arguments->right_count, and
 * with must_rewrite writes right words too. False, with nothing written, if the range leaves the list a location
 * lies before the portion or after the buffer, or the portion leaves the buffer. (An entry may patch a word after the
 * portion's end: its slot is carried there.) */
bool patch_portion(struct ddi_patch *arguments);

#endif
