/* SPDX-License-Identifier: Apache-2.0
 *
 * Patch, for the portion at hand (DMA-08, DMA-09): the addresses of what it names, written where they are not those that
 * the DMA buffer was given when it was accepted.
 */
#ifndef FIRMWARE_PORTION_PATCH_H
#define FIRMWARE_PORTION_PATCH_H

#include "ddi/patch.h"
#include "schedule/scheduler.h"

/* Where an allocation is: `context` is the manager. It is resident (SCH-13). */
uint32_t portion_address(const void *context, uint32_t allocation);

/* The portion as the driver is told of it, if it will be the next one that is submitted. */
struct ddi_patch portion_describe(const struct scheduler *scheduler);

/* All words of the job are right since it was accepted: Patch is not called. */
bool portion_words_are_right(const struct scheduler *scheduler);

/* Go on to STAGE_PATCH; there a step patches some of the portion's addresses, or none if it has none, and the last one
 * goes on to STAGE_SUBMIT. The driver may not refuse (DMA-14: panic). O(patch locations of the step). */
void portion_patch_begin(struct scheduler *scheduler);
void portion_patch_step(struct scheduler *scheduler);

#endif
