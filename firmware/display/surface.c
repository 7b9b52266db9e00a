/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of what the host wants to show. All of them come before anything changes.
 */
#include "display/surface.h"

#include "schedule/portion_patch.h"

enum { WORD_LIMIT = 4096 }; /* of a position or a size */

static bool refuse_surface(struct reply *reply, enum gpu_status status, uint32_t detail)
{
    reply->status = status;
    reply->detail = detail;
    return false;
}

static bool refuse_surface_word(struct reply *reply, uint32_t word)
{
    return refuse_surface(reply, STATUS_BAD_ARGUMENT, word);
}

static uint32_t low_half(uint32_t word) { return word & 0xffffu; }
static uint32_t high_half(uint32_t word) { return word >> 16; }

/* 0: no plane shows it. */
static uint32_t bytes_of_format(uint32_t format)
{
    switch (format) {
    case FORMAT_XRGB8888:
    case FORMAT_ARGB8888: return 4;
    case FORMAT_RGB565: return 2;
    case FORMAT_INDEX8: return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ the allocation */

enum gpu_status surface_state(const struct manager *manager, uint32_t client, uint32_t allocation)
{
    const struct allocation_table *table = &manager->residency.world.table;
    const struct allocation *entry = &table->entry[allocation];
    const uint32_t gone = (uint32_t)ALLOCATION_PENDING_DESTROY | (uint32_t)ALLOCATION_EXISTS;
    if ((entry->flags & gone) != (uint32_t)ALLOCATION_EXISTS) return STATUS_BAD_HANDLE;
    if ((allocation_rights(table, client, allocation) & (uint32_t)RIGHT_READ) == 0u) return STATUS_BAD_HANDLE;
    if (allocation_is_locked(table, allocation)) return STATUS_LOCKED;
    if (allocation_is_offered(table, allocation)) return STATUS_OFFERED;
    if (allocation_is_lost(table, allocation)) return STATUS_CONTENT_LOST;
    return STATUS_OK;
}

uint32_t surface_segments(const struct manager *manager, uint32_t allocation)
{
    const struct allocation_table *table = &manager->residency.world.table;
    return table->entry[allocation].read_set & ~table->aperture_set;
}

/* Bytes a microsecond that the segment promises. */
static uint32_t promise_of(const struct manager *manager, uint32_t id)
{
    const bool is_second = manager->segments[id - 1u].base_address >= GPU_LIMIT(ADDR_SEGMENT2);
    return hal_register_read(is_second ? DISPLAY_PROMISE2_OFFSET : DISPLAY_PROMISE1_OFFSET);
}

/* The least promise of the segments in the set; not empty. */
static uint32_t promise_of_set(const struct manager *manager, uint32_t set)
{
    uint32_t least = UINT32_MAX;
    for (; set != 0u; set &= set - 1u) least = min_u32(least, promise_of(manager, lowest_bit(set) + 1u));
    return least;
}

/* Time that fetching `bytes` takes where the promise is the least that it may be. */
static uint32_t fetch_ticks(uint32_t bytes, uint32_t promise)
{
    return promise == 0u ? UINT32_MAX / 8u : (bytes * (uint32_t)MODE_TICKS + promise - 1u) / promise;
}

/* The allocation of word `handle` shows rows of so many pixels from surface->offset on. */
static bool read_allocation(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], uint32_t handle,
                            uint32_t rows, struct surface *surface, struct reply *reply)
{
    const struct allocation_table *table = &manager->residency.world.table;
    const uint32_t client = message_client(message[0]), line = surface->width * bytes_of_format(surface->format);
    uint32_t index;
    if (!allocation_find(table, message[handle], &index)) return refuse_surface(reply, STATUS_BAD_HANDLE, handle);
    const enum gpu_status status = surface_state(manager, client, index);
    if (status != STATUS_OK) return refuse_surface(reply, status, status == STATUS_BAD_HANDLE ? handle : 0u);
    if ((table->entry[index].flags & ALLOCATION_SWIZZLED) != 0u) return refuse_surface(reply, STATUS_UNSUPPORTED, 0);
    const uint32_t bytes = allocation_bytes(table, index), need = (rows - 1u) * surface->pitch + line;
    if (need > bytes || surface->offset > bytes - need) return refuse_surface(reply, STATUS_EXTENT, 0);
    const uint32_t set = surface_segments(manager, index);
    if (set == 0u) return refuse_surface(reply, STATUS_NO_SEGMENT, handle);
    surface->allocation = narrow_u16(index);
    surface->client = narrow_u8(client);
    surface->ticks = fetch_ticks(line, promise_of_set(manager, set));
    return true;
}

/* ------------------------------------------------------------------ FLIP */

static bool has_format(uint32_t plane, uint32_t format)
{
    return format == (uint32_t)FORMAT_XRGB8888 || format == (uint32_t)FORMAT_RGB565 ||
           (format == (uint32_t)FORMAT_INDEX8 && plane == (uint32_t)PLANE_PRIMARY);
}

/* Position, size and mix of an overlay. */
static bool read_overlay(const uint32_t message[MESSAGE_WORDS], struct surface *surface, struct reply *reply)
{
    const uint32_t place = message[MSG_FLIP_POSITION], size = message[MSG_FLIP_SIZE], value = message[MSG_FLIP_VALUE];
    const uint32_t limit = WORD_LIMIT;
    if (low_half(place) >= limit || high_half(place) >= limit) return refuse_surface_word(reply, MSG_FLIP_POSITION);
    if (low_half(size) - 1u >= limit - 1u || high_half(size) - 1u >= limit - 1u)
        return refuse_surface_word(reply, MSG_FLIP_SIZE);
    switch (message[MSG_FLIP_MIX]) {
    case MIX_OPAQUE:
        if (value != 0u) return refuse_surface_word(reply, MSG_FLIP_VALUE);
        surface->mix = FIELD_PUT(255, DISPLAY_OVERLAY_MIX_ALPHA);
        break;
    case MIX_KEY:
        if (value >> 24 != 0u) return refuse_surface_word(reply, MSG_FLIP_VALUE);
        surface->mix = FIELD_PUT(value, DISPLAY_OVERLAY_MIX_KEY);
        surface->mode = FIELD_PUT(1, DISPLAY_OVERLAY_MODE_KEYED);
        break;
    case MIX_ALPHA:
        if (value > 255u) return refuse_surface_word(reply, MSG_FLIP_VALUE);
        surface->mix = FIELD_PUT(value, DISPLAY_OVERLAY_MIX_ALPHA);
        break;
    default: return refuse_surface_word(reply, MSG_FLIP_MIX);
    }
    surface->place = place;
    surface->size = size;
    surface->width = narrow_u16(low_half(size));
    return true;
}

/* Words that have no meaning are 0: those of the overlay on the primary plane, those of a surface without one. */
static bool has_no_words(const uint32_t message[MESSAGE_WORDS], uint32_t first, uint32_t last, struct reply *reply)
{
    for (uint32_t word = first; word <= last; word++)
        if (message[word] != 0u) return refuse_surface_word(reply, word);
    return true;
}

bool surface_read_flip(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], uint32_t mode,
                       struct surface *surface, struct reply *reply)
{
    const uint32_t plane = message[MSG_FLIP_PLANE], format = message[MSG_FLIP_FORMAT];
    const uint32_t offset = message[MSG_FLIP_OFFSET], pitch = message[MSG_FLIP_PITCH];
    uint32_t rows = mode_at(mode)->rows;
    *surface = surface_none();
    if (plane > (uint32_t)PLANE_OVERLAY) return refuse_surface_word(reply, MSG_FLIP_PLANE);
    if (message[MSG_FLIP_HANDLE] == 0u)
        return has_no_words(message, MSG_FLIP_OFFSET, MSG_FLIP_FORMAT, reply) &&
               has_no_words(message, MSG_FLIP_POSITION, MSG_FLIP_VALUE, reply);
    if (!has_format(plane, format)) return refuse_surface_word(reply, MSG_FLIP_FORMAT);
    *surface = (struct surface){.allocation = NO_SURFACE, .format = narrow_u8(format), .width = mode_at(mode)->columns};
    if (plane == (uint32_t)PLANE_OVERLAY) {
        if (!read_overlay(message, surface, reply)) return false;
        rows = high_half(surface->size);
    } else if (!has_no_words(message, MSG_FLIP_POSITION, MSG_FLIP_VALUE, reply)) return false;
    const uint32_t bytes = bytes_of_format(format);
    if (offset % bytes != 0u) return refuse_surface_word(reply, MSG_FLIP_OFFSET);
    if (pitch % bytes != 0u || pitch > UINT16_MAX || pitch < surface->width * bytes)
        return refuse_surface_word(reply, MSG_FLIP_PITCH);
    surface->offset = offset;
    surface->pitch = pitch;
    return read_allocation(manager, message, MSG_FLIP_HANDLE, rows, surface, reply);
}

/* ------------------------------------------------------------------ SET_CURSOR */

bool surface_read_cursor(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct surface *surface,
                         struct reply *reply)
{
    enum { ALIGNMENT = 256 };
    const uint32_t hot_spot = message[MSG_SET_CURSOR_HOT_SPOT], offset = message[MSG_SET_CURSOR_OFFSET];
    const uint32_t size = CURSOR_PIXELS;
    *surface = surface_none();
    if (message[MSG_SET_CURSOR_HANDLE] == 0u)
        return has_no_words(message, MSG_SET_CURSOR_OFFSET, MSG_SET_CURSOR_HOT_SPOT, reply);
    if (low_half(hot_spot) >= size || high_half(hot_spot) >= size)
        return refuse_surface_word(reply, MSG_SET_CURSOR_HOT_SPOT);
    if (offset % (uint32_t)ALIGNMENT != 0u) return refuse_surface_word(reply, MSG_SET_CURSOR_OFFSET);
    *surface = (struct surface){.allocation = NO_SURFACE,
                                .format = FORMAT_ARGB8888,
                                .width = CURSOR_PIXELS,
                                .offset = offset,
                                .pitch = CURSOR_PIXELS * 4,
                                .hot_spot = hot_spot};
    return read_allocation(manager, message, MSG_SET_CURSOR_HANDLE, CURSOR_PIXELS, surface, reply);
}

/* ------------------------------------------------------------------ where it is */

bool surface_is_ready(const struct manager *manager, uint32_t allocation)
{
    const struct residency *residency = &manager->residency;
    const struct allocation *entry = &residency->world.table.entry[allocation];
    return allocation_is_in_memory(&residency->world.table, entry) &&
           residency->world.map.link[allocation].where == entry->segment &&
           !residency_is_planned(&residency->plan, allocation) && !paging_touches(&manager->paging, allocation);
}

uint32_t surface_address(const struct manager *manager, const struct surface *surface)
{
    ASSERT(allocation_is_in_memory(&manager->residency.world.table,
                                   &manager->residency.world.table.entry[surface->allocation]));
    return portion_address(manager, surface->allocation) + surface->offset;
}

/* ------------------------------------------------------------------ bandwidth */

/* Of the segments that there are. */
static uint32_t least_promise(void)
{
    const uint32_t first = hal_register_read(DISPLAY_PROMISE1_OFFSET);
    const uint32_t second = hal_register_read(DISPLAY_PROMISE2_OFFSET);
    return first == 0u || second == 0u ? first + second : min_u32(first, second);
}

bool surface_keeps_time(const struct surface *const surfaces[PLANE_COUNT], uint32_t mode, uint32_t *rate)
{
    const uint32_t line = mode_line_ticks(mode), mixed = hal_register_read(DISPLAY_MIX_RATE_OFFSET);
    uint32_t pixels = CURSOR_PIXELS + mode_at(mode)->columns; /* the primary plane's are black where it is off */
    uint32_t bytes = CURSOR_PIXELS * 4, ticks = fetch_ticks(bytes, least_promise());
    for (uint32_t plane = 0; plane < (uint32_t)PLANE_CURSOR; plane++) {
        const struct surface *surface = surfaces[plane];
        if (!surface_is_on(surface)) continue;
        if (plane == (uint32_t)PLANE_OVERLAY) pixels += surface->width;
        bytes += surface->width * bytes_of_format(surface->format);
        ticks += surface->ticks;
    }
    *rate = bytes * (uint32_t)MODE_TICKS / line;
    return ticks <= line && fetch_ticks(pixels, mixed) <= line;
}
