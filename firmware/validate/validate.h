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

#include "validate/access.h"
#include "validate/examiner.h"
#include "memory/allocation.h"
#include "platform/base.h"
#include "ddi/job.h"
#include "validate/packet_rule.h"

/* An entry of the allocation list as it is taken: WriteOperation beside the index; one that names nothing. */
enum { LIST_WRITES = 0x8000, LIST_NULL = 0x7fff };

/* What is looked at, and what is copied, between two looks at the nodes. */
enum { PIECE_WORDS = 48, COPY_WORDS = 512, RESULT_ENTRIES = 128 };

/* One validation at a time, too large for the stack (about 2 KB); the caller owns it. Nothing in it but the packet
 * rules outlives a validation. */
struct validation {
    struct packet_rules rules;
    uint32_t list_limit, dma_limit; /* entries of either list, and bytes */
    uint16_t *list;                 /* list_limit: allocation table index and LIST_WRITES, or LIST_NULL */
    struct index_set *named;        /* allocations that an entry of the list names */
    struct index_set *written;      /* of these, those with WriteOperation (names_twice) */
    uint32_t *claimed;              /* bit per word of the DMA buffer and a packet's more: an entry patches it */
    struct access_state access;
    const struct allocation_table *allocations;
    struct job job;                                /* as far as it is known */
    uint32_t list_address, list_count, list_taken; /* entries of the allocation list; how many have been read */
    uint32_t patch_address, patches_taken;
    uint32_t dma_address, words_copied; /* words of the DMA buffer that are in command RAM */
    uint32_t position;                  /* ... that have been examined */
    bool names_twice;                   /* the list names an allocation more than once */
    bool counts_traffic;                /* is patch->traffic wanted? The owner says it before validation_begin */
    uint32_t examiner_room;             /* entries of the chip's; packets it stops at are examined here */
    bool by_examiner, walk_begun;       /* ... has this one; is at it, or was */
    uint32_t writes_first, writes_end;  /* patch entries that may be written are among these */
    uint32_t results_taken;             /* up to which entry it has told its results */
    uint32_t losses;                    /* allocations->losses at the beginning */
    uint32_t client;                    /* for which client: what others have not shared with it does not exist */
};

/* Once, at boot. `list` has list_entries of working space. Takes what it needs of `tables`; if that is short
 * nothing else may be called. */
void validation_init(struct validation *scratch, struct tables *tables, uint16_t *list);

/* Begin to copy and examine the job that a SUBMIT message describes. `message` is private already and its context
 * word has been resolved to `context_index`. `dma_offset` names command RAM for as many bytes as the message
 * says (dma_limit at most) and `room` has `room_count` entries, both free for this job until the end. Until then no
 * allocation that may be named may be created, destroyed, locked or offered; content may be lost. False: refused,
 * before anything was read. O(words / 32). */
bool validation_begin(struct validation *scratch, const struct allocation_table *allocations,
                      const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                      struct patch *room, uint32_t room_count, struct refusal *why);

enum validation_progress { VALIDATION_GOES_ON, VALIDATION_REFUSED, VALIDATION_DONE };

/* A piece of it: COPY_WORDS copied, or PIECE_WORDS examined and a packet's more at most. Where the chip has an examiner
 * with room for the patch entries it walks the packets, and a piece is RESULT_ENTRIES of what it found; what it stops
 * at is examined here from the start. DONE: *out is complete, and every packet of it is safe to execute once job_patch
 * has written its portion. REFUSED: `why` has the status and the detail that its STATUS row in spec/gpu.def names. Else
 * *out is untouched. In any case the command RAM at dma_offset, room[] and *scratch may have been written.
 *
 * Where the table leaves a choice:
 *   - a region of no bytes may have any address; a DMA buffer of no bytes is legal and has no patches;
 *   - a patch list longer than room_count but within the limit is BUSY (detail: the message word): nothing
 *     is wrong with the submission, there is no room for it yet;
 *   - LOCKED, OFFERED and CONTENT_LOST have the index of the list entry as their detail;
 *   - a bus error is the refusal, whatever else is wrong (detail: the address);
 *   - an unknown flag in SUBMIT or in a list entry is BAD_FLAGS;
 *   - a rectangle that leaves the bytes bound is BAD_OPERAND; EXTENT is for addresses with a length;
 *   - PATCH_WRITE in the finished job marks every entry of an allocation that any list entry may write
 *     (DMA-12); the check for NOT_WRITABLE looks at the entry's own list entry.
 * All pieces together O(words + patches + list entries); the last one O(patches + list entries). */
enum validation_progress validation_step(struct validation *scratch, struct job *out, struct refusal *why);

/* Is the next piece the examiner's, that is still at it? Then the time is free for something else. */
static inline bool validation_waits(const struct validation *scratch)
{
    return scratch->by_examiner && scratch->walk_begun && examiner_progress() == EXAMINER_WALKS;
}

/* May something be done to the allocation during the examination? True when all entries of the list have been taken
 * and none names it. O(1). */
static inline bool validation_spares(const struct validation *scratch, uint32_t allocation)
{
    return scratch->list_taken == scratch->list_count && !index_set_has(scratch->named, allocation);
}

/* After DONE: what its list names, for an unused set that takes its place. */
static inline void validation_swap_named(struct validation *scratch, struct index_set **set)
{
    struct index_set *named = scratch->named;
    scratch->named = *set;
    *set = named;
}

/* Does the allocation list of a SUBMIT message that has not been examined name `handle`? It may be another list when it
 * is examined, which is the host's affair. True as well when it cannot be read; false when it has more than
 * `list_limit` entries. O(entries): reads the list. */
bool validation_list_names(const uint32_t message[MESSAGE_WORDS], uint32_t system_pages, uint32_t list_limit,
                           uint32_t handle);

/* Bytes of the DMA buffer that have not been examined yet. */
static inline uint32_t validation_rest(const struct validation *scratch)
{
    return (scratch->job.dma_words - scratch->position) * 4u;
}

#endif
