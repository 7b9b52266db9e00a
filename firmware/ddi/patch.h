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

/* GPU address of an allocation's first byte, for the portion about to be submitted. Called for the portion's
 * allocations only. */
typedef uint32_t patch_address(const void *context, uint32_t allocation);

/* Write `address(context, allocation) + offset` into the word of each of `count` entries from `first`, in list order
 * (DMA-10). An unbind writes 0. No other word is touched (DMA-07). May be repeated, with the same or other addresses
 * (DMA-06). Returns how many words were right already, from pre-patching or an earlier call; these are not written.
 * The range must be inside the list. O(count). */
uint32_t job_patch(const struct job *job, uint32_t first, uint32_t count, patch_address *address, const void *context);

/* The same for an entry of a job that has just been validated. 0: the address is not known. */
typedef uint32_t prepatch_address(const void *context, const struct patch *patch);

/* Pre-patch the entries [first, end) with the addresses of what is resident; an unbind is 0. Where `address` returns
 * 0 the word stays as it is (DMA-04). True: no entry was left out, so nothing must be patched while nothing moves.
 * O(entries). */
bool job_prepatch(const struct job *job, uint32_t first, uint32_t end, prepatch_address *address, const void *context);

/* The driver's Patch: the same for the locations that the arguments select. Sets arguments->right_count;
 * must_rewrite also writes words that are right. False, with nothing written: the range leaves the list, a location
 * is before the portion or after the buffer, or the portion leaves the buffer. An entry may patch a word after the
 * portion's end, because its slot is carried there. */
bool patch_portion(struct ddi_patch *arguments);

#endif
