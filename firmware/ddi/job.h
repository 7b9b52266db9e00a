/* SPDX-License-Identifier: Apache-2.0
 *
 * A job: one DMA buffer in the firmware's private memory, from validation to its last fence. The command
 * words lie in command RAM, the patch locations after them; neither can be reached by the host.
 */
#ifndef FIRMWARE_JOB_H
#define FIRMWARE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_spec.h"

enum { PATCH_NULL = 0xffff }; /* `allocation` of an unbind */
enum { PATCH_WRITE = 1 };     /* `flags`: the list entry has WriteOperation */

enum { TRAFFIC_BYTES = 256 }; /* of `traffic`, each access rounded up; UINT16_MAX stands for all that is more */

/* One patch location (D3DDDI_PATCHLOCATIONLIST), checked and reduced. List order = order of use. */
struct patch {
    uint16_t allocation;      /* index in the allocation table, or PATCH_NULL */
    uint16_t patch_word : 15; /* word of the DMA buffer that receives the address */
    uint16_t is_written : 1;  /* a packet writes through it */
    uint16_t split_word;      /* first word that needs it: a packet boundary, never decreasing */
    union {
        uint16_t traffic;  /* until the job is accepted: what packets read and write through it, in TRAFFIC_BYTES */
        uint16_t next_use; /* from then on the policy's: of the same allocation, as a time (policy.h) */
    };
    uint32_t slot : 6; /* row of the resource table */
    uint32_t flags : 1;
    uint32_t offset : 25; /* AllocationOffset, bytes; more than any allocation has stands for all that is more */
};

/* An entry that is read, written by words: as bit fields it takes twice as many instructions. Offsets are in bytes. */
static inline struct patch patch_of(uint32_t allocation, uint32_t patch_offset, uint32_t split_offset, uint32_t slot,
                                    bool may_write, uint32_t offset)
{
    const union {
        uint32_t word[3];
        struct patch patch;
    } entry = {
        .word = {allocation | patch_offset << 14, split_offset / 4u, slot | (uint32_t)may_write << 6 | offset << 7}};
    return entry.patch;
}

struct job {
    uint32_t tag;        /* the host's, returned in the completion */
    uint32_t context;    /* context table index */
    uint32_t dma_offset; /* command RAM byte offset of word 0 */
    uint32_t dma_words;
    uint32_t flags; /* SUBMIT.FLAGS */
    struct patch *patches;
    uint32_t patch_count;
    uint32_t list_count; /* entries of its allocation list */
};

/* Why something was refused: status and the word, offset or entry index the table's STATUS row names. */
struct refusal {
    enum gpu_status status;
    uint32_t detail;
};

#endif
