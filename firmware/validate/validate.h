/* SPDX-License-Identifier: Apache-2.0
 *
 * From a SUBMIT message to a job.
 *
 * The host's DMA buffer and lists are copied once into private memory, and only the copies are examined. So nothing
 * that the host writes later matters. A refusal changes nothing but the working space named below.
 */
#ifndef FIRMWARE_VALIDATE_H
#define FIRMWARE_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "validate/access.h"
#include "validate/examiner.h"
#include "validate/lists.h"
#include "memory/allocation.h"
#include "platform/base.h"
#include "ddi/job.h"
#include "validate/packet_rule.h"

/* An entry of the allocation list after it is read: an allocation index with WriteOperation, or LIST_NULL. */
enum { LIST_WRITES = 0x8000, LIST_NULL = 0x7fff };

/* Words examined, words copied, entries of either list read and results taken between two calls of yield_if_late. */
enum { PIECE_WORDS = 48, COPY_WORDS = 128, PIECE_OF_LIST = 4, RESULT_ENTRIES = 32 };

/* One validation at a time. It is too large for the stack (about 2 KB), so the caller has it. Only the packet rules
 * outlive a validation. */
struct validation {
    struct packet_rules rules;
    uint32_t list_limit, dma_limit; /* entries of either list; bytes of a DMA buffer */
    uint16_t *list;                 /* list_limit entries: allocation index and LIST_WRITES, or LIST_NULL */
    struct index_set *named;        /* allocations that the list names */
    struct index_set *written;      /* those of them with WriteOperation (used if names_twice) */
    uint32_t *claimed;              /* bit per word of the DMA buffer, and one packet more: an entry patches it */
    struct access_state access;
    const struct allocation_table *allocations;
    struct job job;                    /* as far as it is known */
    uint32_t list_address, list_taken; /* the allocation list; list_taken entries are read */
    uint32_t patch_address, patches_taken;
    uint32_t dma_address, words_copied; /* words of the DMA buffer that are in command RAM ... */
    uint32_t position;                  /* ... and those that are examined */
    bool names_twice;                   /* the list names an allocation more than once */
    bool counts_traffic;                /* patch->traffic is needed. Set before validation_begin */
    uint32_t examiner_room;             /* entries that the chip's examiner has room for */
    bool by_examiner;                   /* the examiner has this DMA buffer */
    uint32_t lists_room;                /* entries of either list that the chip's reader of lists has room for */
    bool avoids_lists;                  /* it is not used. Set before validation_begin */
    bool by_lists;                      /* it has this submission */
    bool is_in_place;                   /* accepted with all addresses in their words, which are right */
    uint32_t told;                      /* allocations->told at the beginning */
    uint32_t writes_first, writes_end;  /* patch entries that may be written are in this range */
    uint32_t losses;                    /* allocations->losses at the beginning */
    uint32_t client;                    /* the client: what others do not share with it does not exist */
};

/* Call once, at boot. `list` is working space for list_entries. Takes the rest from `tables`; if they ran short,
 * nothing else may be called. */
void validation_init(struct validation *scratch, struct tables *tables, uint16_t *list);

/* Begin to copy and examine the job that a SUBMIT message describes.
 *
 * `message` is already private, and its context word was resolved to `context_index`. `dma_offset` is command RAM
 * for as many bytes as the message says, at most dma_limit. `room` has `room_count` entries. Both belong to this job
 * until the end; `room` is what follows the DMA buffer there. Until then no allocation that may be named may be
 * created, destroyed, locked or offered; content may be lost.
 *
 * False: refused, and nothing of the host was read. O(1). */
bool validation_begin(struct validation *scratch, const struct allocation_table *allocations,
                      const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                      struct patch *room, uint32_t room_count, struct refusal *why);

/* Copy and examine it. If the chip has a reader of lists (lists.h), that does it, as far as it gets; what it says of a
 * sound submission is what is said here. Else, if the chip has an examiner with room for the patch entries, it walks
 * the packets. If it stops at a packet, the buffer is examined here from the start. It takes long, and yields
 * (platform/turn.h).
 *
 * True: *out is complete. Every packet of it is safe to execute once job_patch has written its portion. False: `why`
 * has the status, and the detail that its STATUS row in spec/gpu.def names. *out is untouched.
 *
 * In either case the command RAM at dma_offset, room[] and *scratch may have been written. Where the table leaves a
 * choice:
 *
 *   - a region of no bytes may have any address; a DMA buffer of no bytes is valid and has no patches;
 *   - a patch list longer than room_count but within the limit is BUSY (detail: the message word): the submission is
 *     valid, but there is no room for it yet;
 *   - LOCKED, OFFERED and CONTENT_LOST have the index of the list entry as their detail;
 *   - a bus error is the refusal, whatever else is wrong (detail: the address);
 *   - an unknown flag in SUBMIT or in a list entry is BAD_FLAGS;
 *   - a rectangle that leaves the bytes bound is BAD_OPERAND; EXTENT is for addresses with a length;
 *   - PATCH_WRITE in the finished job marks every entry of an allocation that any list entry may write (DMA-12);
 *     NOT_WRITABLE is judged by the entry's own list entry.
 *
 * O(words + patches + list entries). */
bool validation_examine(struct validation *scratch, struct job *out, struct refusal *why);

/* May the allocation be changed during the examination? True when the whole list is read and does not name it. O(1). */
static inline bool validation_spares(const struct validation *scratch, uint32_t allocation)
{
    if (scratch->by_lists) return lists_spare(allocation, scratch->allocations->row_count);
    return scratch->list_taken == scratch->job.list_count && !index_set_has(scratch->named, allocation);
}

/* Of an accepted one: take the set of what its list names, and leave an unused set in its place. */
static inline void validation_swap_named(struct validation *scratch, struct index_set **set)
{
    struct index_set *named = scratch->named;
    scratch->named = *set;
    *set = named;
}

/* Does the allocation list of a SUBMIT message that is not yet examined name `handle`? True also when the list
 * cannot be read. False when it has more than `list_limit` entries. The host may change the list later. It yields.
 * O(entries). */
bool validation_list_names(const uint32_t message[MESSAGE_WORDS], uint32_t system_pages, uint32_t list_limit,
                           uint32_t handle);

/* Is it the hardware that reads now, so that there is nothing to do here? O(1). */
static inline bool validation_waits(const struct validation *scratch)
{
    return scratch->by_lists && lists_progress() == LISTS_READS;
}

/* Bytes of the DMA buffer that have not been examined yet. */
static inline uint32_t validation_rest(const struct validation *scratch)
{
    return (scratch->job.dma_words - scratch->position) * 4u;
}

#endif
