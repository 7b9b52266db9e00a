/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/examiner.h"

#include "platform/base.h"
#include "platform/hal.h"

_Static_assert((int)EXAMINE_START_WORDS_WIDTH == (int)EXAMINE_ENTRY_PLACE_PATCH_WORD_WIDTH, "a word's index fits");
_Static_assert((LIMIT_BITS_GUARD_SPACE_PAGES * LIMIT_BITS_PAGE_BYTES) >> EXAMINE_ENTRY_ROOM_BYTES_WIDTH == 0,
               "the bytes of any allocation fit");
/* An offset is its word's index in the right place, if it begins two bits before. */
enum { PATCH_LSB = EXAMINE_ENTRY_PLACE_PATCH_WORD_LSB - 2, SPLIT_LSB = EXAMINE_ENTRY_PLACE_SPLIT_WORD_LSB - 2 };
_Static_assert((int)PATCH_LSB == 0, "an offset as it is");
_Static_assert((int)TRAFFIC_BYTES == 256, "the unit of RESULT.TRAFFIC");

uint32_t examiner_room(void)
{
    const uint32_t status = hal_register_read(EXAMINE_STATUS_OFFSET);
    return FIELD_GET(status, EXAMINE_STATUS_PRESENT) << FIELD_GET(status, EXAMINE_STATUS_TABLE);
}

void examiner_begin(void) { hal_register_write(EXAMINE_INDEX_OFFSET, 0); }

void examiner_take(uint32_t patch_offset, uint32_t split_offset, uint32_t slot, bool unbinds, bool may_write,
                   uint32_t room)
{
    hal_register_write(EXAMINE_ENTRY_PLACE_OFFSET, patch_offset | split_offset << SPLIT_LSB |
                                                       FIELD_PUT(unbinds, EXAMINE_ENTRY_PLACE_UNBINDS) |
                                                       FIELD_PUT(may_write, EXAMINE_ENTRY_PLACE_WRITE));
    hal_register_write(EXAMINE_ENTRY_ROOM_OFFSET,
                       room << EXAMINE_ENTRY_ROOM_BYTES_LSB | FIELD_PUT(slot, EXAMINE_ENTRY_ROOM_SLOT));
}

void examiner_start(const struct job *job)
{
    hal_barrier();
    hal_register_write(EXAMINE_ENTRIES_OFFSET, job->patch_count);
    hal_register_write(EXAMINE_START_OFFSET, FIELD_PUT(job->dma_offset / 4u, EXAMINE_START_BASE) |
                                                 FIELD_PUT(job->dma_words, EXAMINE_START_WORDS));
}

enum examiner_progress examiner_progress(void)
{
    const uint32_t status = hal_register_read(EXAMINE_STATUS_OFFSET);
    if (FIELD_GET(status, EXAMINE_STATUS_BUSY) != 0u) return EXAMINER_WALKS;
    return FIELD_GET(status, EXAMINE_STATUS_ACCEPTED) != 0u ? EXAMINER_ACCEPTED : EXAMINER_STOPPED;
}

void examiner_results(const struct job *job, uint32_t first, uint32_t count, bool wants_traffic)
{
    for (uint32_t i = first; i < first + count; i++) {
        if (!wants_traffic && (job->patches[i].flags & PATCH_WRITE) == 0u) continue;
        hal_register_write(EXAMINE_INDEX_OFFSET, i);
        const uint32_t result = hal_register_read(EXAMINE_RESULT_OFFSET);
        job->patches[i].is_written = FIELD_GET(result, EXAMINE_RESULT_WRITTEN) & 1u;
        if (wants_traffic) job->patches[i].traffic = narrow_u16(FIELD_GET(result, EXAMINE_RESULT_TRAFFIC));
    }
}
