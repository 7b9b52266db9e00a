/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole examination of a DMA buffer.
 */
#ifndef TESTS_EXAMINE_H
#define TESTS_EXAMINE_H

#include "validate/validate.h"

/* Is the job accepted? As validation_begin and validation_examine say. */
static inline bool examine(struct validation *scratch, const struct allocation_table *allocations,
                           const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                           struct patch *room, uint32_t room_count, struct job *out, struct refusal *why)
{
    return validation_begin(scratch, allocations, message, context_index, dma_offset, room, room_count, why) &&
           validation_examine(scratch, out, why);
}

#endif
