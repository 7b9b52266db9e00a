/* SPDX-License-Identifier: Apache-2.0
 *
 * Patch, for a portion (DMA-08, DMA-09): the addresses of what it names, written where they are not those that the DMA
 * buffer was given when it was accepted.
 */
#ifndef FIRMWARE_PORTION_PATCH_H
#define FIRMWARE_PORTION_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/patch.h"
#include "plan/splitter.h"
#include "schedule/manager.h"

/* Where an allocation is: `context` is the manager. It is resident (SCH-13). */
uint32_t portion_address(const void *context, uint32_t allocation);

/* The portion as the driver is told of it, if `fence` is what it is submitted under. */
struct ddi_patch portion_describe(const struct manager *manager, const struct job *job, const struct portion *portion,
                                  uint32_t fence);

/* Patch the portion that `description` tells of; with `is_right` all its words are right, and the driver is not asked.
 * It may not refuse (DMA-14: panic). It yields. O(entries). */
void portion_patch(struct manager *manager, struct ddi_patch description, bool is_right);

#endif
