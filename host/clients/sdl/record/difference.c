/* SPDX-License-Identifier: Apache-2.0
 *
 * See difference.h.
 */
#include "clients/sdl/record/difference.h"

#include <string.h>

/* So many rows or columns without a difference between two others: these are found on their own. */
enum { ALIKE_ROWS = 4, ALIKE_COLUMNS = 64 };

static uint32_t first_difference(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
    uint32_t i = 0;
    while (i < bytes && a[i] == b[i]) i++;
    return i;
}

static uint32_t last_difference(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
    while (bytes > 0 && a[bytes - 1] == b[bytes - 1]) bytes--;
    return bytes;
}

/* A row of the surface and of its shadow, from the area's left. */
struct row_pair {
    const uint8_t *now, *before;
};

static struct row_pair row_pair(const struct shadow *shadow, const struct view *view, const struct area *area,
                                int32_t y)
{
    const size_t left = (size_t)area->x * view->unit_bytes;
    return (struct row_pair){view->pixels + (size_t)y * view->pitch + left,
                             shadow->units + (size_t)y * shadow->row_bytes + left};
}

bool difference_next(const struct shadow *shadow, const struct view *view, const struct area *area, struct area *found,
                     int32_t *next)
{
    const uint32_t bytes = (uint32_t)area->width * view->unit_bytes;
    uint32_t first = bytes, last = 0;
    int32_t top = -1, bottom = -1, y = *next;
    for (; y < area->y + area->height && (top < 0 || y - bottom <= ALIKE_ROWS); y++) {
        const struct row_pair row = row_pair(shadow, view, area, y);
        if (memcmp(row.now, row.before, bytes) == 0) continue;
        if (top < 0) top = y;
        bottom = y;
        uint32_t begin = first_difference(row.now, row.before, bytes);
        uint32_t end = last_difference(row.now, row.before, bytes);
        if (begin < first) first = begin;
        if (end > last) last = end;
    }
    *next = y;
    if (top < 0) return false;
    int32_t from = (int32_t)(first / view->unit_bytes), to = (int32_t)((last - 1u) / view->unit_bytes);
    *found = (struct area){area->x + from, top, to - from + 1, bottom - top + 1};
    return true;
}

static bool is_unlike_column(const struct shadow *shadow, const struct view *view, const struct area *area, int32_t x)
{
    const struct area column = {x, area->y, 1, area->height};
    return !difference_is_none(shadow, view, &column);
}

bool difference_columns(const struct shadow *shadow, const struct view *view, const struct area *area,
                        struct area *found, int32_t *next)
{
    int32_t left = -1, right = -1, x = *next;
    for (; x < area->x + area->width && (left < 0 || x - right <= ALIKE_COLUMNS); x++) {
        if (!is_unlike_column(shadow, view, area, x)) continue;
        if (left < 0) left = x;
        right = x;
    }
    *next = x;
    *found = (struct area){left, area->y, right - left + 1, area->height};
    return left >= 0;
}

bool difference_is_flat(const struct view *view, const struct area *area)
{
    const size_t unit = view->unit_bytes, bytes = (size_t)area->width * unit;
    const uint8_t *first = view->pixels + (size_t)area->y * view->pitch + (size_t)area->x * unit, *row = first;
    if (memcmp(first, first + unit, bytes - unit) != 0) return false;
    for (int32_t y = 1; y < area->height; y++)
        if (memcmp(first, row += view->pitch, bytes) != 0) return false;
    return true;
}

bool difference_is_none(const struct shadow *shadow, const struct view *view, const struct area *area)
{
    for (int32_t y = area->y; y < area->y + area->height; y++) {
        const struct row_pair row = row_pair(shadow, view, area, y);
        if (memcmp(row.now, row.before, (size_t)area->width * view->unit_bytes) != 0) return false;
    }
    return true;
}

bool area_shared(const struct area *a, const struct area *b, struct area *part)
{
    int32_t left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
    int32_t right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
    int32_t bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
    *part = (struct area){left, top, right - left, bottom - top};
    return part->width > 0 && part->height > 0;
}
