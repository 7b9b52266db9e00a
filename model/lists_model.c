/* SPDX-License-Identifier: Apache-2.0
 *
 * See lists_model.h. The rules are those of firmware/validate/validate.c, for lists that name what the client owns.
 */
#include "lists_model.h"

#include <string.h>

enum {
    LIST_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS,
    PATCH_WORDS = LIMIT_BITS_PATCH_ENTRY_WORDS,
    ROOM_WORDS = 3, /* of a patch entry in command RAM */
    NO_ALLOCATION = 0xffff,
    HANDLE_INDEX = 14,
    HANDLE_KEY = 16
};

/* What is being read. */
struct reading {
    struct lists_model *lists;
    struct examiner_model *examiner;
    const struct lists_memory *memory;
    uint32_t base, words, room, client, list_count, patch_count;
    uint16_t list[1 << EXAMINER_LOG2_MAX];
    bool writes[1 << EXAMINER_LOG2_MAX];
};

static uint32_t row_bytes(const struct lists_row *row) { return row->pages * LIMIT_BITS_PAGE_BYTES; }

/* `count` words of system memory from byte address `at` on, or NULL. None are anywhere. */
static const uint32_t *system_words(const struct lists_memory *memory, uint32_t at, uint32_t count)
{
    if (count == 0u) return memory->system;
    if (count > memory->system_words || at / 4u > memory->system_words - count) return NULL;
    return memory->system + at / 4u;
}

static bool is_known(const struct reading *reading, uint32_t handle)
{
    const uint32_t index = handle & field_mask(HANDLE_INDEX);
    if (handle >> (HANDLE_INDEX + HANDLE_KEY) != 1u || index >> reading->lists->log2 != 0u) return false;
    const uint32_t key = reading->lists->row[index].key;
    return FIELD_GET(key, EXAMINE_ROW_KEY_READY) != 0u && FIELD_GET(key, EXAMINE_ROW_KEY_CLIENT) == reading->client &&
           FIELD_GET(key, EXAMINE_ROW_KEY_GENERATION) == (handle >> HANDLE_INDEX & field_mask(HANDLE_KEY));
}

static bool read_list(struct reading *reading)
{
    const uint32_t *words = system_words(reading->memory, reading->lists->list_at, reading->list_count * LIST_WORDS);
    if (words == NULL) return false;
    for (uint32_t i = 0; i < reading->list_count; i++, words += LIST_WORDS) {
        const uint32_t handle = words[0], index = handle & field_mask(HANDLE_INDEX), bit = 1u << index % 32u;
        if (words[1] > 1u) return false;
        reading->list[i] = NO_ALLOCATION;
        reading->writes[i] = words[1] != 0u;
        if (handle == 0u) continue;
        if (!is_known(reading, handle) || (reading->lists->named[index / 32u] & bit) != 0u) return false;
        reading->lists->named[index / 32u] |= bit;
        reading->list[i] = (uint16_t)index;
    }
    reading->lists->status |= FIELD_PUT(1, EXAMINE_LISTS_NAMED);
    return true;
}

static bool read_commands(const struct reading *reading)
{
    const uint32_t *words = system_words(reading->memory, reading->lists->dma_at, reading->words);
    if (words == NULL) return false;
    memcpy(reading->memory->command + reading->base, words, reading->words * sizeof *words);
    return true;
}

static bool is_word(const struct reading *reading, uint32_t offset)
{
    return offset % 4u == 0u && offset / 4u < reading->words;
}

static bool read_patch(const struct reading *reading, uint32_t index, const uint32_t *words)
{
    const uint32_t entry = words[0], slot = words[1], offset = words[3], patched = words[4], split = words[5];
    if (entry >= reading->list_count || slot >= LIMIT_BITS_SLOTS || offset >> EXAMINE_ENTRY_ROOM_BYTES_WIDTH != 0u ||
        !is_word(reading, patched) || !is_word(reading, split))
        return false;
    const uint32_t allocation = reading->list[entry];
    const bool is_null = allocation == NO_ALLOCATION, writes = reading->writes[entry] && !is_null;
    const uint32_t bytes = is_null ? 0u : row_bytes(&reading->lists->row[allocation]);
    if (!is_null && offset > bytes) return false;
    uint32_t *command = reading->memory->command, *room = command + reading->room + index * ROOM_WORDS;
    command[reading->base + patched / 4u] = index;
    room[0] = allocation | patched / 4u << 16;
    room[1] = split / 4u;
    room[2] = slot | (uint32_t)writes << 6 | offset << 7;
    reading->examiner->place =
        FIELD_PUT(writes, EXAMINE_ENTRY_PLACE_WRITE) | FIELD_PUT(is_null, EXAMINE_ENTRY_PLACE_UNBINDS) |
        FIELD_PUT(patched / 4u, EXAMINE_ENTRY_PLACE_PATCH_WORD) | FIELD_PUT(split / 4u, EXAMINE_ENTRY_PLACE_SPLIT_WORD);
    examiner_model_write(reading->examiner, EXAMINE_ENTRY_ROOM_OFFSET,
                         FIELD_PUT(is_null ? 0u : bytes - offset, EXAMINE_ENTRY_ROOM_BYTES) |
                             FIELD_PUT(slot, EXAMINE_ENTRY_ROOM_SLOT),
                         command, reading->memory->command_words);
    return true;
}

static bool read_patches(const struct reading *reading)
{
    const uint32_t count = reading->patch_count;
    const uint32_t *words = system_words(reading->memory, reading->lists->patches_at, count * PATCH_WORDS);
    if (words == NULL) return false;
    examiner_model_write(reading->examiner, EXAMINE_INDEX_OFFSET, 0, NULL, 0);
    for (uint32_t i = 0; i < count; i++)
        if (!read_patch(reading, i, words + i * PATCH_WORDS)) return false;
    return true;
}

/* What the examiner has found, and the addresses. Is all in place? */
static bool store_results(const struct reading *reading)
{
    const bool counts = FIELD_GET(reading->lists->job, EXAMINE_JOB_TRAFFIC) != 0u;
    bool is_in_place = true;
    examiner_model_write(reading->examiner, EXAMINE_INDEX_OFFSET, 0, NULL, 0);
    for (uint32_t i = 0; i < reading->patch_count; i++) {
        uint32_t *room = reading->memory->command + reading->room + i * ROOM_WORDS;
        const uint32_t result = examiner_model_read(reading->examiner, EXAMINE_RESULT_OFFSET);
        const uint32_t allocation = room[0] & 0xffffu, patched = room[0] >> 16;
        const bool is_null = allocation == NO_ALLOCATION, writes = (room[2] >> 6 & 1u) != 0u;
        const uint32_t place = is_null ? 0u : reading->lists->row[allocation].place;
        room[0] |= FIELD_GET(result, EXAMINE_RESULT_WRITTEN) << 31;
        if (counts) room[1] |= FIELD_GET(result, EXAMINE_RESULT_TRAFFIC) << 16;
        reading->memory->command[reading->base + patched] =
            is_null ? 0u : FIELD_GET(place, EXAMINE_ROW_PLACE_PAGE) * LIMIT_BITS_PAGE_BYTES + (room[2] >> 7);
        is_in_place = is_in_place && (is_null || (writes ? FIELD_GET(place, EXAMINE_ROW_PLACE_WRITE)
                                                         : FIELD_GET(place, EXAMINE_ROW_PLACE_READ)) != 0u);
    }
    return is_in_place;
}

static uint32_t idle_status(const struct lists_model *lists)
{
    return FIELD_PUT(1, EXAMINE_LISTS_PRESENT) | FIELD_PUT(lists->log2, EXAMINE_LISTS_ROWS);
}

static void read_all(struct lists_model *lists, struct examiner_model *examiner, uint32_t value,
                     const struct lists_memory *memory)
{
    static struct reading reading; /* one at a time, and too large for a stack */
    reading = (struct reading){
        .lists = lists,
        .examiner = examiner,
        .memory = memory,
        .base = FIELD_GET(value, EXAMINE_START_BASE),
        .words = FIELD_GET(value, EXAMINE_START_WORDS),
        .room = FIELD_GET(lists->job, EXAMINE_JOB_PATCHES),
        .client = FIELD_GET(lists->job, EXAMINE_JOB_CLIENT),
        .list_count = FIELD_GET(lists->counts, EXAMINE_COUNTS_LIST),
        .patch_count = FIELD_GET(lists->counts, EXAMINE_COUNTS_PATCHES),
    };
    lists->status = idle_status(lists);
    memset(lists->named, 0, sizeof lists->named);
    if (reading.base + reading.words > memory->command_words ||
        reading.room + reading.patch_count * ROOM_WORDS > memory->command_words)
        return;
    if (!read_list(&reading) || !read_commands(&reading) || !read_patches(&reading)) return;
    lists->status |= FIELD_PUT(1, EXAMINE_LISTS_SOUND);
    examiner_model_write(examiner, EXAMINE_ENTRIES_OFFSET, reading.patch_count, NULL, 0);
    examiner_model_write(examiner, EXAMINE_START_OFFSET, value, memory->command, memory->command_words);
    if (FIELD_GET(examiner_model_read(examiner, EXAMINE_STATUS_OFFSET), EXAMINE_STATUS_ACCEPTED) == 0u) return;
    lists->status |= FIELD_PUT(1, EXAMINE_LISTS_ACCEPTED) | FIELD_PUT(store_results(&reading), EXAMINE_LISTS_IN_PLACE);
}

void lists_model_reset(struct lists_model *lists, uint32_t log2)
{
    *lists = (struct lists_model){.log2 = log2};
    lists->status = idle_status(lists);
}

uint32_t lists_model_read(struct lists_model *lists, uint32_t offset)
{
    if (offset == EXAMINE_LISTS_OFFSET) return lists->status;
    if (offset != EXAMINE_NAMED_OFFSET) return 0;
    return lists->named[lists->named_at++ & field_mask(lists->log2 - 5u)];
}

void lists_model_write(struct lists_model *lists, struct examiner_model *examiner, uint32_t offset, uint32_t value,
                       const struct lists_memory *memory)
{
    const uint32_t index = FIELD_GET(value, EXAMINE_ROW_ALLOCATION), at = value & ~3u & 0x7fffffffu;
    switch (offset) {
    case EXAMINE_DMA_AT_OFFSET: lists->dma_at = at; break;
    case EXAMINE_LIST_AT_OFFSET: lists->list_at = at; break;
    case EXAMINE_PATCHES_AT_OFFSET: lists->patches_at = at; break;
    case EXAMINE_COUNTS_OFFSET: lists->counts = value; break;
    case EXAMINE_JOB_OFFSET: lists->job = value; break;
    case EXAMINE_READ_OFFSET: read_all(lists, examiner, value, memory); break;
    case EXAMINE_STOP_OFFSET:
        lists->status = idle_status(lists);
        if (FIELD_GET(value, EXAMINE_STOP_FORGET) != 0u) memset(lists->row, 0, sizeof lists->row);
        break;
    case EXAMINE_ROW_KEY_OFFSET: lists->key = value; break;
    case EXAMINE_ROW_PLACE_OFFSET: lists->place = value; break;
    case EXAMINE_ROW_OFFSET:
        if (index >> lists->log2 == 0u)
            lists->row[index] = (struct lists_row){lists->key, lists->place, FIELD_GET(value, EXAMINE_ROW_PAGES)};
        break;
    case EXAMINE_NAMED_AT_OFFSET: lists->named_at = value & field_mask(lists->log2 - 5u); break;
    default: break;
    }
}
