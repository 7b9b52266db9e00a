/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware that walks a DMA buffer (rtl/examiner.v, block EXAMINE of the table). It accepts what programs draw
 * with. What it stops at is judged by access.h, which has the words for a refusal.
 */
#ifndef FIRMWARE_EXAMINER_H
#define FIRMWARE_EXAMINER_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"

enum examiner_progress { EXAMINER_WALKS, EXAMINER_ACCEPTED, EXAMINER_STOPPED };

/* Entries that the chip's examiner has room for; 0: the chip has none. */
uint32_t examiner_room(void);

/* Can it walk the job, with this much room? */
static inline bool examiner_reaches(uint32_t room, const struct job *job)
{
    return job->patch_count <= room && job->dma_words - 1u < field_mask(EXAMINE_START_WORDS_WIDTH) && room != 0u;
}

/* The entries of a job follow, from the first on. The examiner may not be walking. */
void examiner_begin(void);

/* The next entry: its offsets in the DMA buffer (multiples of 4, inside it), its slot, whether it unbinds, and whether
 * it may be written. `room`, which must fit ENTRY_ROOM.BYTES: the allocation's bytes from AllocationOffset on. O(1):
 * two registers. */
void examiner_take(uint32_t patch_offset, uint32_t split_offset, uint32_t slot, bool unbinds, bool may_write,
                   uint32_t room);

/* Walk the job's words in command RAM. The examiner must reach them and have all entries. Each word to patch must
 * hold the index of its entry. */
void examiner_start(const struct job *job);

/* ACCEPTED: access.h would refuse nothing. Takes at most 29 cycles a packet when the nodes are idle. */
enum examiner_progress examiner_progress(void);

/* After ACCEPTED: set is_written of `count` entries from `first`, and `traffic` if wanted, as access_check and
 * traffic_count would. Without `traffic` entries that may not be written are skipped. O(count). */
void examiner_results(const struct job *job, uint32_t first, uint32_t count, bool wants_traffic);

#endif
