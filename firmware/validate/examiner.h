/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware that walks a DMA buffer (rtl/examiner.v, block EXAMINE of the table). It accepts what programs draw
 * with; whatever it stops at is for access.h, that has the words for a refusal.
 */
#ifndef FIRMWARE_EXAMINER_H
#define FIRMWARE_EXAMINER_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"

enum examiner_progress { EXAMINER_WALKS, EXAMINER_ACCEPTED, EXAMINER_STOPPED };

/* How many entries the chip's has room for; 0: there is none. */
uint32_t examiner_room(void);

/* Can it walk the job, with so much room? */
static inline bool examiner_reaches(uint32_t room, const struct job *job)
{
    return job->patch_count <= room && job->dma_words - 1u < field_mask(EXAMINE_START_WORDS_WIDTH) && room != 0u;
}

/* The entries of a job follow, from the first on. No walk may be under way. */
void examiner_begin(void);

/* The next entry: its words in the DMA buffer and its slot, whether it names an allocation at all, and that may be
 * written; from AllocationOffset on the allocation has `room` bytes. O(1): two registers. */
void examiner_take(uint32_t patch_word, uint32_t split_word, uint32_t slot, bool unbinds, bool may_write,
                   uint32_t room);

/* Walk the job's words in command RAM: it reaches them, all entries have been taken, and their indices stand in the
 * words that they patch. */
void examiner_start(const struct job *job);

/* ACCEPTED: the walk found nothing that access.h would refuse. At most 27 cycles a packet after the start, when the
 * nodes are idle. */
enum examiner_progress examiner_progress(void);

/* After ACCEPTED, for entries first .. first + count - 1: is_written, and `traffic` where that is wanted, as
 * access_check and traffic_count leave them. O(count); without `traffic` those that may not be written are passed
 * over. */
void examiner_results(const struct job *job, uint32_t first, uint32_t count, bool wants_traffic);

#endif
