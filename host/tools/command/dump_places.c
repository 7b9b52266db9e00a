/* SPDX-License-Identifier: Apache-2.0
 *
 * See dump_places.h. The segments are those that the driver describes (firmware/driver/driver.c).
 */
#include "tools/command/dump_places.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = LIMIT_BITS_PAGE_BYTES, IDS = LIMIT_BITS_SEGMENTS + 1 };

/* A segment of the description: part of a space. */
struct part {
    uint32_t space, first, pages;
};

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t limited(const struct tdump *dump, uint32_t bytes_at, uint32_t limit_at)
{
    const uint32_t pages = least(tdump_register(dump, bytes_at, 0) / PAGE, PLACES_SPACE_PAGES);
    const uint32_t limit = tdump_register(dump, limit_at, 0);
    return limit == 0 ? pages : least(pages, limit);
}

/* Segments by id, from 1 on. A memory without pages is none. */
static void describe(const struct tdump *dump, struct part parts[IDS])
{
    const uint32_t first = limited(dump, MEMORY_SEGMENT1_BYTES_OFFSET, HOST_SEGMENT1_LIMIT_OFFSET);
    const uint32_t second = limited(dump, MEMORY_SEGMENT2_BYTES_OFFSET, HOST_SEGMENT2_LIMIT_OFFSET);
    const uint32_t aperture = least(tdump_register(dump, APERTURE_PAGES_OFFSET, 0), PLACES_SPACE_PAGES);
    const uint32_t options = tdump_register(dump, HOST_BOOT_OPTIONS_OFFSET, 0);
    const bool is_cut = FIELD_GET(options, HOST_BOOT_OPTIONS_DESCRIPTION) == DESCRIPTION_CUT;
    const struct part cut[] = {{0, 0, first / 2u},
                               {2, 0, aperture / 2u},
                               {0, first / 2u, first - first / 2u},
                               {1, 0, second},
                               {2, aperture / 2u, aperture - aperture / 2u}};
    const struct part whole[] = {{0, 0, first}, {1, 0, second}, {2, 0, aperture}};
    const uint32_t count = is_cut ? sizeof cut / sizeof *cut : sizeof whole / sizeof *whole;
    uint32_t id = 1;
    memset(parts, 0, IDS * sizeof *parts);
    for (uint32_t i = 0; i < count; i++)
        if ((is_cut ? cut : whole)[i].pages != 0) parts[id++] = (is_cut ? cut : whole)[i];
}

static bool may_write(const struct tdump_buffer *buffer, uint32_t handle)
{
    for (uint32_t i = 0; i < buffer->list_count; i++)
        if (buffer->list[i * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE] == handle &&
            (buffer->list[i * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_FLAGS] & LIST_FLAG_WRITE) != 0)
            return true;
    return false;
}

static bool is_named(const struct tdump_buffer *buffer, uint32_t handle)
{
    for (uint32_t i = 0; i < buffer->list_count; i++)
        if (buffer->list[i * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE] == handle) return true;
    return false;
}

bool places_find(struct places *places, const struct tdump *dump, const struct tdump_buffer *buffer)
{
    struct part parts[IDS];
    *places = (struct places){
        .space_pages = {least(tdump_register(dump, MEMORY_SEGMENT1_BYTES_OFFSET, 0) / PAGE, PLACES_SPACE_PAGES),
                        least(tdump_register(dump, MEMORY_SEGMENT2_BYTES_OFFSET, 0) / PAGE, PLACES_SPACE_PAGES),
                        least(tdump_register(dump, APERTURE_PAGES_OFFSET, 0), PLACES_SPACE_PAGES)},
        .memory_pages = dump->about[ABOUT_MEMORY_BYTES] / PAGE};
    describe(dump, parts);
    places->place = calloc(dump->allocation_count + 1u, sizeof *places->place);
    if (places->place == NULL) return false;
    for (uint32_t i = 0; i < dump->allocation_count; i++) {
        const struct tdump_allocation *allocation = &dump->allocations[i];
        if (allocation->segment == 0 || allocation->segment >= IDS || !is_named(buffer, allocation->handle)) continue;
        const struct part *part = &parts[allocation->segment];
        const uint32_t page = allocation->offset / PAGE;
        if (allocation->offset % PAGE != 0 || page >= part->pages || allocation->page_count > part->pages - page)
            continue;
        if (part->space == 2 && allocation->page_count > PLACES_SPACE_PAGES - places->frames) continue;
        places->place[places->count++] = (struct place){.allocation = allocation,
                                                        .space = part->space,
                                                        .first_page = part->first + page,
                                                        .pages = allocation->page_count,
                                                        .frame = PLACES_FIRST_FRAME + places->frames,
                                                        .may_write = may_write(buffer, allocation->handle)};
        if (part->space == 2) places->frames += allocation->page_count;
    }
    return true;
}

void places_free(struct places *places)
{
    free(places->place);
    *places = (struct places){0};
}

uint32_t places_address(const struct places *places, uint32_t handle)
{
    for (uint32_t i = 0; i < places->count; i++)
        if (places->place[i].allocation->handle == handle)
            return GPU_LIMIT(ADDR_SEGMENT1) +
                   places->place[i].space * (GPU_LIMIT(ADDR_SEGMENT2) - GPU_LIMIT(ADDR_SEGMENT1)) +
                   places->place[i].first_page * PAGE;
    return 0;
}

bool places_is_outside(const struct tdump *dump, const struct tdump_allocation *allocation, uint32_t page)
{
    return allocation->found[page] >= dump->about[ABOUT_MEMORY_BYTES] / PAGE;
}

struct work_limits places_limits(const struct tdump *dump)
{
    enum { DEFAULT_TIMEOUT = 4000000, PORTION_TIMEOUTS = 16 };
    const uint32_t timeout = tdump_register(dump, HOST_TIMEOUT_OFFSET, 0), half = UINT32_MAX / 2u;
    const uint64_t packet = timeout != 0 ? timeout : DEFAULT_TIMEOUT;
    const uint32_t delay = tdump_register(dump, HOST_PREEMPT_DELAY_OFFSET, 0);
    const uint32_t portion = tdump_register(dump, HOST_PORTION_LIMIT_OFFSET, 0);
    const uint64_t grace = delay != 0 ? delay : packet;
    const uint64_t most = packet > half / PORTION_TIMEOUTS ? half : packet * PORTION_TIMEOUTS;
    return (struct work_limits){packet + grace, (portion != 0 ? portion : most) + grace};
}

bool places_expected(const struct places *places, const struct tdump_buffer *buffer, uint32_t index, uint32_t *word)
{
    *word = buffer->words[index];
    for (uint32_t i = 0; i < buffer->patch_count; i++) {
        const uint32_t *entry = buffer->patches + i * LIMIT_BITS_PATCH_ENTRY_WORDS;
        if (entry[PATCH_PATCH_OFFSET] != index * 4u) continue;
        const uint32_t listed = entry[PATCH_ALLOCATION_INDEX];
        if (listed == 0 || listed >= buffer->list_count) {
            *word = 0;
            return listed == 0;
        }
        const uint32_t address =
            places_address(places, buffer->list[listed * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE]);
        *word = address + entry[PATCH_ALLOCATION_OFFSET];
        return address != 0;
    }
    return true;
}
