/* SPDX-License-Identifier: Apache-2.0
 *
 * The collection: a mosaic of 400 computed textures whose parts wander, and a few large ones across. As large as
 * Freedoom's mosaic (scene_freedoom.c), of the same sizes, drawn in as many DMA buffers.
 */
#include "tools/scene/scene_paint.h"
#include "tools/scene/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 20, ROWS = 20, CELLS = COLUMNS * ROWS, CELL_WIDTH = 16, CELL_HEIGHT = 12, BANNERS = 4 };

struct collection {
    uint16_t cell[CELLS], banner[BANNERS];
    uint8_t phase[CELLS];
};

/* A quarter each of 2, 4 and 8 pages; the last of 8 to 16. Together 9.4 MB. */
static void choose_size(uint32_t number, uint32_t *width, uint32_t *height)
{
    static const struct {
        uint16_t width, height;
    } sizes[] = {{64, 64}, {64, 128}, {128, 128}, {128, 160}, {64, 128}, {128, 128}, {64, 64}, {128, 192}};
    *width = sizes[number % 8u].width;
    *height = sizes[number % 8u].height;
}

/* A dark sheet with light letters' worth of bars, keyed. */
static uint32_t banner(uint32_t seed, uint32_t x, uint32_t y)
{
    const uint32_t hole = (x / 10u + y / 6u * 3u + seed) % 7u;
    if (hole < 4u) return PAINT_CLEAR;
    return paint_shade(paint_hue(seed * 64u + x), 255u - y * 4u);
}

static uint32_t wander(uint32_t time, uint32_t range)
{
    const uint32_t at = time % (2u * range);
    return at < range ? at : 2u * range - at;
}

static void paint_mosaic(const struct scene *scene, struct scene_frame *frame, uint32_t number, uint32_t first)
{
    const struct collection *collection = scene->state;
    for (uint32_t cell = first; cell < first + CELLS / 2u; cell++) {
        const struct scene_texture *texture = &scene->textures[collection->cell[cell]];
        paint_part(frame, collection->cell[cell], cell % COLUMNS * CELL_WIDTH, cell / COLUMNS * CELL_HEIGHT,
                   wander(collection->phase[cell] + 2u * number, texture->width - CELL_WIDTH),
                   wander(collection->phase[cell] / 3u + number, texture->height - CELL_HEIGHT), CELL_WIDTH,
                   CELL_HEIGHT);
    }
}

static void collection_frame(const struct scene *scene, uint32_t number, struct scene_frame *frame)
{
    const struct collection *collection = scene->state;
    memset(frame, 0, sizeof *frame);
    paint_buffer(frame, 0);
    paint_mosaic(scene, frame, number, 0);
    paint_buffer(frame, 0);
    paint_mosaic(scene, frame, number, CELLS / 2u);
    paint_buffer(frame, 0);
    for (uint32_t i = 0; i < BANNERS; i++)
        paint_draw(scene, frame, collection->banner[i], (int)((number * (3u + i) + i * 90u) % 400u) - 80,
                   20 + 54 * (int)i, true);
}

bool scene_collection(struct scene *scene, uint32_t seed)
{
    char name[16];
    struct collection *collection = calloc(1, sizeof *collection);
    scene->state = collection;
    scene->frame = collection_frame;
    scene->destroy = paint_destroy;
    if (collection == NULL || !paint_begin(scene, CELLS + BANNERS)) return false;
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t width, height;
        const uint32_t chance = paint_hash(seed * 4096u + i);
        choose_size(chance, &width, &height);
        snprintf(name, sizeof name, "tile %u", i);
        collection->cell[i] = (uint16_t)paint_texture(scene, name, width, height, paint_pattern, chance);
        collection->phase[i] = (uint8_t)(chance >> 24);
        if (collection->cell[i] == SCENE_FILL) return false;
    }
    for (uint32_t i = 0; i < BANNERS; i++) {
        snprintf(name, sizeof name, "banner %u", i);
        collection->banner[i] = (uint16_t)paint_texture(scene, name, 160, 40, banner, seed + i);
        if (collection->banner[i] == SCENE_FILL) return false;
    }
    return true;
}
