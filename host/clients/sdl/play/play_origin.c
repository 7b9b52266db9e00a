/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_origin.h. Surfaces and rectangles are those of a recording that recording_next has checked.
 */
#include "clients/sdl/play/play_origin.h"

#include <stdlib.h>
#include <string.h>

/* The host's: ORIGIN_HOST and the reason; with ORIGIN_FRESH: of this frame. */
enum { ORIGIN_NOTHING, ORIGIN_GPU, ORIGIN_HOST, ORIGIN_FRESH = 128, ORIGINS = ORIGIN_HOST + RECORDING_REASONS };
_Static_assert(ORIGINS <= ORIGIN_FRESH, "an origin takes 7 bits");

struct plane {
    uint8_t *origins; /* NULL: there is no such surface */
    uint8_t *units;   /* its pixels as far as they are known; NULL: a blit has written it */
    enum recording_format format;
    uint32_t width, height, unit_bytes;
    bool is_fresh; /* may hold origins with ORIGIN_FRESH */
};

struct play_origin {
    struct plane planes[RECORDING_SURFACES];
    struct play_shown shown;
    bool has_drawn; /* since the frame before */
};

struct play_origin *play_origin_create(void) { return calloc(1, sizeof(struct play_origin)); }

static void drop(struct plane *plane)
{
    free(plane->origins);
    free(plane->units);
    *plane = (struct plane){.origins = NULL};
}

void play_origin_destroy(struct play_origin *origin)
{
    for (uint32_t i = 0; origin != NULL && i < RECORDING_SURFACES; i++) drop(&origin->planes[i]);
    free(origin);
}

struct play_shown play_origin_shown(const struct play_origin *origin)
{
    return origin != NULL ? origin->shown : (struct play_shown){.pixels = 0};
}

/* ------------------------------------------------------------------ surfaces */

static bool make(struct play_origin *origin, const struct recording_event *event)
{
    struct plane *plane = &origin->planes[event->surface];
    size_t pixels = (size_t)event->rect.width * event->rect.height;
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)event->format);
    drop(plane);
    *plane = (struct plane){.origins = calloc(1, pixels),
                            .units = calloc(pixels, unit_bytes),
                            .format = event->format,
                            .width = event->rect.width,
                            .height = event->rect.height,
                            .unit_bytes = unit_bytes};
    if (plane->origins != NULL && plane->units != NULL) return true;
    drop(plane);
    return false;
}

static uint8_t *origins_at(const struct plane *plane, uint32_t x, uint32_t y)
{
    return plane->origins + (size_t)y * plane->width + x;
}

static uint8_t *units_at(const struct plane *plane, uint32_t x, uint32_t y)
{
    return plane->units + ((size_t)y * plane->width + x) * plane->unit_bytes;
}

static void mark(struct plane *plane, const struct recording_rect *rect, uint8_t origin)
{
    for (uint32_t y = rect->y; y < rect->y + rect->height; y++)
        memset(origins_at(plane, rect->x, y), origin, rect->width);
}

static void write_pixels(struct plane *plane, const struct recording_event *event)
{
    size_t row_bytes = (size_t)event->rect.width * plane->unit_bytes;
    mark(plane, &event->rect, (uint8_t)(ORIGIN_FRESH | (ORIGIN_HOST + event->reason)));
    plane->is_fresh = true;
    for (uint32_t y = 0; plane->units != NULL && y < event->rect.height; y++)
        memcpy(units_at(plane, event->rect.x, event->rect.y + y), event->pixels + y * row_bytes, row_bytes);
}

static void fill(struct plane *plane, const struct recording_event *event)
{
    const struct recording_rect *rect = &event->rect;
    mark(plane, rect, ORIGIN_GPU);
    for (uint32_t y = rect->y; plane->units != NULL && y < rect->y + rect->height; y++)
        for (uint32_t x = rect->x; x < rect->x + rect->width; x++)
            memcpy(units_at(plane, x, y), &event->unit, plane->unit_bytes); /* little end first */
}

/* ------------------------------------------------------------------ blits */

static uint32_t colour_bits(enum recording_format format)
{
    switch (format) {
    case RECORDING_RGB565: return 0xffffu;
    case RECORDING_ARGB1555:
    case RECORDING_XRGB1555: return 0x7fffu;
    case RECORDING_INDEX8: return 0xffu;
    case RECORDING_XRGB8888:
    case RECORDING_ARGB8888:
    case RECORDING_RGB888:
    case RECORDING_FORMATS:
    default: return 0xffffffu;
    }
}

/* Is that unit of the source left out by the key? */
static bool is_left_out(const struct plane *source, const struct recording_event *event, uint32_t x, uint32_t y)
{
    uint32_t unit = 0, mask = colour_bits(source->format);
    if (source->units == NULL || !recording_is_keyed(event->mode)) return false;
    memcpy(&unit, units_at(source, x, y), source->unit_bytes);
    return (unit & mask) == (event->key & mask);
}

static bool is_copy(const struct recording_event *event)
{
    return recording_unkeyed(event->mode) == RECORDING_COPY && event->alpha == 255 && event->colour == RECORDING_WHITE;
}

/* What a copy of a unit of that origin has, or what is drawn otherwise with it. */
static uint8_t passed_on(uint8_t origin, bool keeps)
{
    return keeps && (origin & ORIGIN_FRESH) != 0 ? origin : ORIGIN_GPU;
}

/* One row, `row` as it is told from the top; of a surface onto itself from the side that is not written first. */
static void blit_row(struct plane *target, const struct plane *source, const struct recording_event *event,
                     uint32_t row)
{
    uint32_t from_y = event->source_y + row, to_y = event->rect.y + row, width = event->rect.width;
    bool is_backward = source == target && event->source_x < event->rect.x, keeps = is_copy(event) && source->is_fresh;
    const uint8_t *from = origins_at(source, event->source_x, from_y);
    uint8_t *to = origins_at(target, event->rect.x, to_y);
    for (uint32_t i = 0; i < width; i++) {
        uint32_t x = is_backward ? width - 1u - i : i;
        if (is_left_out(source, event, event->source_x + x, from_y)) continue;
        to[x] = passed_on(from[x], keeps);
    }
}

static void blit_mapped(struct plane *target, const struct plane *source, const struct recording_event *event)
{
    const bool keeps = is_copy(event) && source->is_fresh;
    for (uint32_t y = 0; y < event->rect.height; y++) {
        uint8_t *to = origins_at(target, event->rect.x, event->rect.y + y);
        for (uint32_t x = 0; x < event->rect.width; x++) {
            uint32_t column, row;
            recording_map_at(&event->map, x, y, &column, &row);
            column += event->source_x;
            row += event->source_y;
            if (is_left_out(source, event, column, row)) continue;
            to[x] = passed_on(*origins_at(source, column, row), keeps);
        }
    }
}

static void blit(struct plane *target, const struct plane *source, const struct recording_event *event)
{
    uint32_t height = event->rect.height;
    bool is_upward = source == target && event->source_y < event->rect.y;
    if (!recording_is_keyed(event->mode) && !(is_copy(event) && source->is_fresh))
        mark(target, &event->rect, ORIGIN_GPU);
    else if (event->map.width != 0) blit_mapped(target, source, event);
    else
        for (uint32_t i = 0; i < height; i++) blit_row(target, source, event, is_upward ? height - 1u - i : i);
    target->is_fresh = target->is_fresh || source->is_fresh;
    free(target->units);
    target->units = NULL;
}

/* ------------------------------------------------------------------ frames */

static void count(struct play_shown *shown, const struct plane *plane)
{
    size_t pixels = (size_t)plane->width * plane->height;
    uint64_t of[ORIGINS] = {0};
    for (size_t i = 0; i < pixels; i++) of[plane->origins[i] & ~ORIGIN_FRESH]++;
    shown->pixels += pixels;
    shown->drawn += of[ORIGIN_GPU];
    shown->nothing += of[ORIGIN_NOTHING];
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) {
        shown->finished[i] += of[ORIGIN_HOST + i];
        shown->host += of[ORIGIN_HOST + i];
    }
}

static void end_frame(struct play_origin *origin)
{
    for (uint32_t id = 0; id < RECORDING_SURFACES; id++) {
        struct plane *plane = &origin->planes[id];
        size_t pixels = plane->is_fresh ? (size_t)plane->width * plane->height : 0;
        for (size_t i = 0; i < pixels; i++) plane->origins[i] &= (uint8_t)~ORIGIN_FRESH;
        plane->is_fresh = false;
    }
    origin->has_drawn = false;
}

bool play_origin_event(struct play_origin *origin, const struct recording_event *event, bool counts)
{
    struct plane *plane = &origin->planes[event->surface];
    bool draws = event->kind == RECORDING_FILL || event->kind == RECORDING_BLIT;
    origin->has_drawn = origin->has_drawn || draws;
    switch (event->kind) {
    case RECORDING_SURFACE: return make(origin, event);
    case RECORDING_FREE: drop(plane); break;
    case RECORDING_PIXELS: write_pixels(plane, event); break;
    case RECORDING_FILL: fill(plane, event); break;
    case RECORDING_BLIT: blit(plane, &origin->planes[event->source], event); break;
    case RECORDING_PRESENT:
        if (counts) {
            count(&origin->shown, plane);
            origin->shown.frames++;
            origin->shown.frames_without += !origin->has_drawn;
        }
        end_frame(origin);
        break;
    case RECORDING_LEFT:
    case RECORDING_END:
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
    case RECORDING_PALETTE:
    case RECORDING_BECAUSE:
    case RECORDING_KINDS:
    default: break;
    }
    return true;
}
