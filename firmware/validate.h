/* SPDX-License-Identifier: Apache-2.0
 *
 * From a SUBMIT message to a job: the host's DMA buffer and lists are copied once into private memory, and
 * only the copies are examined, so nothing the host writes later can matter. Refuse first, then act: a
 * refusal has changed nothing but the working space named below.
 */
#ifndef FIRMWARE_VALIDATE_H
#define FIRMWARE_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "allocation.h"
#include "base.h"
#include "job.h"
#include "packet_rule.h"

enum {
    LIST_LIMIT = LIMIT_BITS_ALLOCATION_LIST,
    PATCH_LIMIT = LIMIT_BITS_PATCH_LIST,
    DMA_WORD_LIMIT = LIMIT_BITS_DMA_BYTES / 4
};

/* Working space of one validation at a time, too large for the stack (about 5.5 KB); the caller owns it.
 * Nothing in it but the packet rules outlives a call. */
struct validation {
    struct packet_rules rules;
    uint16_t list[LIST_LIMIT];                    /* allocation table index, or PATCH_NULL */
    uint32_t list_writes[LIST_LIMIT / 32];        /* bit per list entry: WriteOperation */
    uint32_t claimed[DMA_WORD_LIMIT / 32];        /* bit per word of the DMA buffer: an entry patches it */
    struct access_state access;
};

/* Once, at boot. */
void validation_init(struct validation *scratch);

/* Copy and examine the job that a SUBMIT message describes. `message` is private already and its context
 * word has been resolved to `context_index`. `dma_offset` names command RAM for as many bytes as the message
 * says (DMA_BYTES at most) and `room` has `room_count` entries, both free for this job.
 *
 * True: *out is complete, and every packet of it is safe to execute once job_patch has written its portion.
 * False: `why` has the status and the detail that its STATUS row in spec/gpu.def names; *out is untouched.
 * Either way the command RAM at dma_offset, room[] and *scratch may have been written.
 *
 * Where the table leaves a choice:
 *   - a region of no bytes may have any address; a DMA buffer of no bytes is legal and has no patches;
 *   - a patch list longer than room_count but within the limit is BUSY (detail: the message word): nothing
 *     is wrong with the submission, there is no room for it yet;
 *   - LOCKED, OFFERED and CONTENT_LOST have the index of the list entry as their detail;
 *   - an unknown flag in SUBMIT or in a list entry is BAD_FLAGS;
 *   - a rectangle that leaves the bytes bound is BAD_OPERAND; EXTENT is for addresses with a length;
 *   - PATCH_WRITE in the finished job marks every entry of an allocation that any list entry may write
 *     (DMA-12); the check for NOT_WRITABLE looks at the entry's own list entry.
 * O(words + patches + list entries). */
bool job_copy_and_validate(struct validation *scratch, const struct allocation_table *allocations,
                           const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                           struct patch *room, uint32_t room_count, struct job *out, struct refusal *why);

#endif
