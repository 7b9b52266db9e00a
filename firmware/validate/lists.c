/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/lists.h"

#include "platform/base.h"
#include "platform/hal.h"

_Static_assert((int)EXAMINE_STATUS_TABLE_WIDTH == 4, "log2 of the room");
_Static_assert(sizeof(struct patch) == 12, "three words an entry, as the hardware writes it");

uint32_t lists_room(void)
{
    const uint32_t lists = hal_register_read(EXAMINE_LISTS_OFFSET);
    const uint32_t table = FIELD_GET(hal_register_read(EXAMINE_STATUS_OFFSET), EXAMINE_STATUS_TABLE);
    return FIELD_GET(lists, EXAMINE_LISTS_PRESENT) << table;
}

void lists_begin(const struct lists_source *source, const struct job *job)
{
    const uint32_t patches = job->dma_offset / 4u + job->dma_words;
    hal_register_write(EXAMINE_DMA_AT_OFFSET, source->dma);
    hal_register_write(EXAMINE_LIST_AT_OFFSET, source->list);
    hal_register_write(EXAMINE_PATCHES_AT_OFFSET, source->patches);
    hal_register_write(EXAMINE_COUNTS_OFFSET, FIELD_PUT(source->list_count, EXAMINE_COUNTS_LIST) |
                                                  FIELD_PUT(job->patch_count, EXAMINE_COUNTS_PATCHES));
    hal_register_write(EXAMINE_JOB_OFFSET, FIELD_PUT(patches, EXAMINE_JOB_PATCHES) |
                                               FIELD_PUT(source->client, EXAMINE_JOB_CLIENT) |
                                               FIELD_PUT(source->counts_traffic, EXAMINE_JOB_TRAFFIC));
    hal_register_write(EXAMINE_READ_OFFSET, FIELD_PUT(job->dma_offset / 4u, EXAMINE_START_BASE) |
                                                FIELD_PUT(job->dma_words, EXAMINE_START_WORDS));
}

bool lists_stop(void)
{
    if (lists_progress() != LISTS_READS) return false;
    hal_register_write(EXAMINE_STOP_OFFSET, 0);
    return true;
}

enum lists_progress lists_progress(void)
{
    const uint32_t lists = hal_register_read(EXAMINE_LISTS_OFFSET);
    if (FIELD_GET(lists, EXAMINE_LISTS_BUSY) != 0u) return LISTS_READS;
    if (FIELD_GET(lists, EXAMINE_LISTS_SOUND) == 0u) return LISTS_STOPPED;
    if (FIELD_GET(lists, EXAMINE_LISTS_ACCEPTED) == 0u) return LISTS_SOUND;
    return FIELD_GET(lists, EXAMINE_LISTS_IN_PLACE) == 0u ? LISTS_ACCEPTED : LISTS_IN_PLACE;
}

bool lists_spare(uint32_t allocation, uint32_t limit)
{
    if (FIELD_GET(hal_register_read(EXAMINE_LISTS_OFFSET), EXAMINE_LISTS_NAMED) == 0u) return false;
    if (allocation >= limit) return true;
    hal_register_write(EXAMINE_NAMED_AT_OFFSET, allocation / 32u);
    return (hal_register_read(EXAMINE_NAMED_OFFSET) >> allocation % 32u & 1u) == 0u;
}

void lists_take_named(struct index_set *named, uint32_t limit)
{
    hal_register_write(EXAMINE_NAMED_AT_OFFSET, 0);
    for (uint32_t word = 0; 32u * word < limit; word++)
        index_set_put_word(named, word, hal_register_read(EXAMINE_NAMED_OFFSET));
}
