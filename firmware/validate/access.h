/* SPDX-License-Identifier: Apache-2.0
 *
 * What a packet may touch. A validator walks a DMA buffer packet by packet with a `struct access_state`: the
 * resource table and the binding registers as they are before each packet. It asks here whether every byte that the
 * packet reads or writes belongs to the allocation that its patch location names.
 *
 * An address word of the private copy does not hold an address yet: it holds the index of the patch entry
 * that will write it.
 */
#ifndef FIRMWARE_ACCESS_H
#define FIRMWARE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/allocation.h"
#include "ddi/job.h"

enum { ACCESS_NOTHING = 0xffff, ACCESS_NO_PALETTE = 0xffff }; /* a row or binding register without an entry */

/* What a binding register holds: the surface, and what is needed to know whether it is still in place. */
struct access_binding {
    uint32_t bytes; /* extent from the patched address that draws may touch */
    uint16_t pitch;
    uint16_t entry;      /* patch entry, or ACCESS_NOTHING */
    uint16_t split_word; /* of the entry */
    uint8_t format;
    uint8_t unit_bytes; /* of the format */
    uint8_t flags;      /* of the entry */
    uint8_t depth;      /* 1, 2, 3: a byte has 2, 4, 8 units, and pitch counts units; else 0 */
};

struct access_state {
    const struct allocation_table *allocations;
    const struct job *job;
    uint16_t row[SLOT_LIMIT]; /* resource table: the entry that holds the row now, or ACCESS_NOTHING */
    struct access_binding binding[SLOT_LIMIT];
    uint16_t entries_begun;   /* entries of the list, in order, that have taken their row */
    uint32_t next_split_word; /* split point of the entry after those; past every word if there is none */
    uint32_t split_word;      /* the latest declared split point so far */
    uint32_t palette_split;   /* that before the latest PALETTE, or ACCESS_NO_PALETTE */
    uint32_t work;            /* bytes that the packets so far write */
    uint32_t left_out;        /* fields of MEMORY.FEATURES that this engine lacks; the owner says it once */
    /* the packet under examination */
    const uint32_t *words;
    uint32_t position; /* word index in the DMA buffer */
    struct refusal *why;
};

/* Start of a DMA buffer: every row and register is empty (SPL-04). */
void access_begin(struct access_state *state, const struct allocation_table *allocations, const struct job *job);

/* May the packet at word `position` execute? `words` is the whole packet, already known to be a
 * user packet with reserved bits zero and every address word the index of its entry in job->patches.
 * Advances `state` past the packet, and notes is_written in the entries through which it writes. Refuses, with
 * status and detail in `why`, exactly when
 *   SPLIT_ORDER      an entry declares a split point inside the packet before, or an address word's entry
 *                    declares one after this packet
 *   NULL_ALLOCATION  an address word other than BIND's has a NULL entry
 *   BAD_SLOT         BIND names another slot than its entry
 *   EXTENT           AllocationOffset + the bytes used exceed the allocation
 *   NOT_WRITABLE     the packet writes and the entry lacks PATCH_WRITE
 *   UNSUPPORTED      the packet needs what state->left_out names
 *   BAD_OPERAND      format, mode, TILE alignment, a rectangle that leaves the bytes bound, an empty source rectangle,
 *                    TRANSPARENT with REPEAT, BILINEAR with a key, from INDEX8 or from units that may cross a beat
 *   NO_PALETTE       a draw takes colours of INDEX8 and no PALETTE stands between it and the split point before it: the
 *                    palette does not outlive the portion that loaded it
 *   BAD_MAP          a map has no inverse, or leaves signed 16.16 somewhere in its target rectangle
 *   WORK_LIMIT       the packet or the DMA buffer up to it writes more than the table allows; it reads as many units.
 *                    A BLIT_AFFINE counts as 8 bytes a unit, BILINEAR as 32: that is how long it may take.
 *   UNBOUND_SLOT     a draw's slot has nothing bound
 *   STALE_REFERENCE  a split point was declared since the address was needed and its row is another's now:
 *                    a split there would free what the packet still uses.
 * O(1), but for the entries that take their row here: O(entries) over a whole walk. */
bool access_check(struct access_state *state, uint32_t position, const uint32_t *words, struct refusal *why);

#endif
