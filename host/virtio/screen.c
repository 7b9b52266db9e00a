/* SPDX-License-Identifier: Apache-2.0
 *
 * See screen.h. Only the first scanout is a picture: the others are never plugged in.
 */
#include "virtio/screen.h"

#include <stdlib.h>
#include <string.h>

enum { PIXEL = 4, SIDE = VIRTIO_GPU_CURSOR_SIDE };

struct screen {
    struct painter *painter;
    uint32_t place, format;
    struct virtio_gpu_rectangle shown;
    uint8_t *pixels, *composed; /* as the guest has them; blue first, with the cursor */
    bool has_cursor, has_changed;
    uint32_t x, y, hot_x, hot_y;
    uint8_t cursor[SIDE * SIDE * PIXEL]; /* blue first, alpha last, colours multiplied by it */
};

struct screen *screen_create(struct painter *painter)
{
    struct screen *screen = calloc(1, sizeof *screen);
    if (screen == NULL) return NULL;
    screen->painter = painter;
    screen->place = VIRTIO_GPU_NOTHING;
    return screen;
}

void screen_destroy(struct screen *screen)
{
    if (screen == NULL) return;
    free(screen->pixels);
    free(screen->composed);
    free(screen);
}

/* ------------------------------------------------------------------ formats */

/* Where in a pixel's four bytes blue, green, red and alpha are. */
static const uint8_t *order_of(uint32_t format)
{
    static const uint8_t bgra[4] = {0, 1, 2, 3}, argb[4] = {3, 2, 1, 0}, rgba[4] = {2, 1, 0, 3}, abgr[4] = {1, 2, 3, 0};
    switch (format) {
    case VIRTIO_ARGB:
    case VIRTIO_XRGB: return argb;
    case VIRTIO_RGBA:
    case VIRTIO_RGBX: return rgba;
    case VIRTIO_XBGR:
    case VIRTIO_ABGR: return abgr;
    default: return bgra;
    }
}

static bool has_alpha(uint32_t format)
{
    return format == VIRTIO_BGRA || format == VIRTIO_ARGB || format == VIRTIO_RGBA || format == VIRTIO_ABGR;
}

static void arrange(uint8_t *to, const uint8_t *from, size_t count, uint32_t format)
{
    const uint8_t *order = order_of(format);
    for (size_t i = 0; i < count; i++, to += PIXEL, from += PIXEL) {
        const uint8_t pixel[PIXEL] = {from[order[0]], from[order[1]], from[order[2]], from[order[3]]};
        memcpy(to, pixel, PIXEL);
    }
}

/* ------------------------------------------------------------------ what the device says */

static void forget(struct screen *screen)
{
    free(screen->pixels);
    free(screen->composed);
    screen->pixels = screen->composed = NULL;
    screen->place = VIRTIO_GPU_NOTHING;
}

static void show(void *context, uint32_t scanout, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *rectangle)
{
    struct screen *screen = context;
    if (scanout != 0) return;
    const bool is_as_large =
        screen->pixels != NULL && rectangle->width == screen->shown.width && rectangle->height == screen->shown.height;
    if (place == VIRTIO_GPU_NOTHING || !is_as_large) forget(screen);
    screen->has_changed = true;
    if (place == VIRTIO_GPU_NOTHING) return;
    const size_t count = (size_t)rectangle->width * rectangle->height;
    if (screen->pixels == NULL) screen->pixels = calloc(count, PIXEL);
    if (screen->composed == NULL) screen->composed = calloc(count, PIXEL);
    screen->place = place;
    screen->format = format;
    screen->shown = *rectangle;
    if (screen->pixels == NULL || screen->composed == NULL ||
        !painter_read(screen->painter, place, rectangle, screen->pixels, rectangle->width * (size_t)PIXEL))
        forget(screen);
}

static void flush(void *context, uint32_t scanout, const struct virtio_gpu_rectangle *part)
{
    struct screen *screen = context;
    if (scanout != 0 || screen->place == VIRTIO_GPU_NOTHING) return;
    const size_t pitch = screen->shown.width * (size_t)PIXEL;
    struct virtio_gpu_rectangle in_resource = *part;
    in_resource.x += screen->shown.x;
    in_resource.y += screen->shown.y;
    (void)painter_read(screen->painter, screen->place, &in_resource,
                       screen->pixels + part->y * pitch + part->x * (size_t)PIXEL, pitch);
    screen->has_changed = true;
}

static void cursor(void *context, uint32_t scanout, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y)
{
    struct screen *screen = context;
    static const struct virtio_gpu_rectangle whole = {0, 0, SIDE, SIDE};
    uint8_t pixels[SIDE * SIDE * PIXEL];
    if (scanout != 0) return;
    screen->has_changed = true;
    screen->has_cursor =
        place != VIRTIO_GPU_NOTHING && painter_read(screen->painter, place, &whole, pixels, SIDE * (size_t)PIXEL);
    if (!screen->has_cursor) return;
    screen->hot_x = hot_x;
    screen->hot_y = hot_y;
    arrange(screen->cursor, pixels, (size_t)SIDE * SIDE, format);
    for (size_t i = 0; i < (size_t)SIDE * SIDE && !has_alpha(format); i++) screen->cursor[i * PIXEL + 3] = 255;
}

static void move(void *context, uint32_t scanout, uint32_t x, uint32_t y)
{
    struct screen *screen = context;
    if (scanout != 0) return;
    screen->x = x;
    screen->y = y;
    screen->has_changed = true;
}

void screen_table(struct screen *screen, struct virtio_gpu_display *table)
{
    *table = (struct virtio_gpu_display){screen, show, flush, cursor, move};
}

/* ------------------------------------------------------------------ the picture */

static void lay_over(uint8_t *pixel, const uint8_t *above)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t sum = above[i] + pixel[i] * (255u - above[3]) / 255u;
        pixel[i] = (uint8_t)(sum < 255u ? sum : 255u);
    }
}

static void lay_cursor(struct screen *screen)
{
    const uint32_t width = screen->shown.width, height = screen->shown.height;
    const uint32_t left = screen->x - screen->hot_x, top = screen->y - screen->hot_y; /* negative ones are large */
    for (uint32_t row = 0; row < SIDE; row++)
        for (uint32_t column = 0; column < SIDE; column++) {
            const uint32_t x = left + column, y = top + row;
            if (x >= width || y >= height) continue;
            lay_over(screen->composed + ((size_t)y * width + x) * PIXEL,
                     screen->cursor + (row * SIDE + column) * PIXEL);
        }
}

const uint8_t *screen_picture(struct screen *screen, uint32_t *width, uint32_t *height)
{
    if (screen->place == VIRTIO_GPU_NOTHING) return NULL;
    *width = screen->shown.width;
    *height = screen->shown.height;
    const size_t count = (size_t)*width * *height;
    arrange(screen->composed, screen->pixels, count, screen->format);
    for (size_t i = 0; i < count; i++) screen->composed[i * PIXEL + 3] = 255;
    if (screen->has_cursor) lay_cursor(screen);
    return screen->composed;
}

bool screen_cursor(const struct screen *screen, uint32_t *x, uint32_t *y)
{
    *x = screen->x;
    *y = screen->y;
    return screen->has_cursor;
}

const uint8_t *screen_cursor_image(const struct screen *screen) { return screen->has_cursor ? screen->cursor : NULL; }

bool screen_changed(struct screen *screen)
{
    const bool has_changed = screen->has_changed;
    screen->has_changed = false;
    return has_changed;
}
