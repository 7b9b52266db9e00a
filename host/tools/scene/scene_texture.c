/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures of a scene: see scene_texture.h. Rows are packed without padding, so pitches are any even number
 * and the engine's byte aligner has something to do.
 */
#include "tools/scene/scene_texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"

bool texture_maker_init(struct texture_maker *maker, struct scene *scene, const struct wad *wad, uint32_t capacity)
{
    memset(maker, 0, sizeof *maker);
    maker->wad = wad;
    maker->scene = scene;
    maker->capacity = capacity;
    scene->textures = calloc(capacity, sizeof *scene->textures);
    maker->is_out_of_memory = scene->textures == NULL;
    return scene->textures != NULL && wad_palette(wad, maker->palette);
}

uint32_t texture_pages(const struct scene_texture *texture)
{
    return (texture->pitch * texture->height + GPU_LIMIT(PAGE_BYTES) - 1u) / GPU_LIMIT(PAGE_BYTES);
}

static struct scene_texture *add(struct texture_maker *maker, const char *name, uint32_t format, uint32_t width,
                                 uint32_t height)
{
    struct scene *scene = maker->scene;
    if (scene->texture_count == maker->capacity) {
        maker->is_out_of_memory = true;
        return NULL;
    }
    struct scene_texture *texture = &scene->textures[scene->texture_count];
    snprintf(texture->name, sizeof texture->name, "%s", name);
    texture->format = format;
    texture->width = width;
    texture->height = height;
    texture->pitch = width * pixel_unit_bytes(format);
    texture->data = calloc((size_t)texture->pitch * height, 1);
    /* analyse: analyzer-malloc-leak: the scene's, freed with it */
    if (texture->data == NULL) {
        maker->is_out_of_memory = true;
        return NULL;
    }
    scene->texture_count++;
    return texture;
}

static void put(struct scene_texture *texture, uint32_t x, uint32_t y, uint32_t unit)
{
    uint32_t unit_bytes = pixel_unit_bytes(texture->format);
    for (uint32_t i = 0; i < unit_bytes; i++)
        texture->data[y * texture->pitch + x * unit_bytes + i] = (uint8_t)(unit >> 8u * i);
}

static uint32_t keyed(uint32_t unit) { return unit == TEXTURE_KEY ? TEXTURE_KEY - 1u : unit; }

uint32_t texture_from_picture(struct texture_maker *maker, const char *name, const struct picture *picture)
{
    struct scene_texture *texture = add(maker, name, FORMAT_RGB565, picture->width, picture->height);
    if (texture == NULL) return SCENE_FILL;
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint32_t x = 0; x < picture->width; x++) {
            uint32_t at = y * picture->width + x;
            uint32_t colour = maker->palette[picture->indices[at]];
            put(texture, x, y, picture->opaque[at] ? keyed(pixel_reduce(FORMAT_RGB565, colour)) : TEXTURE_KEY);
        }
    }
    return maker->scene->texture_count - 1u;
}

bool texture_picture(struct texture_maker *maker, int lump, bool is_flat, struct picture *picture)
{
    bool is_made = is_flat ? wad_flat(maker->wad, lump, picture) : wad_patch(maker->wad, lump, picture);
    maker->is_out_of_memory = maker->is_out_of_memory || picture->is_out_of_memory;
    return is_made;
}

uint32_t texture_from_lump(struct texture_maker *maker, int lump)
{
    struct picture picture;
    char name[9];
    if (lump < 0 || !texture_picture(maker, lump, false, &picture)) return SCENE_FILL;
    wad_name(maker->wad, lump, name);
    uint32_t index = texture_from_picture(maker, name, &picture);
    picture_free(&picture);
    return index;
}

uint32_t texture_argb_from_lump(struct texture_maker *maker, int lump, uint32_t alpha)
{
    struct picture picture;
    char name[9];
    if (lump < 0 || !texture_picture(maker, lump, false, &picture)) return SCENE_FILL;
    wad_name(maker->wad, lump, name);
    struct scene_texture *texture = add(maker, name, FORMAT_ARGB8888, picture.width, picture.height);
    for (uint32_t at = 0; texture != NULL && at < picture.width * picture.height; at++)
        put(texture, at % picture.width, at / picture.width,
            picture.opaque[at] ? (maker->palette[picture.indices[at]] & 0xffffffu) | alpha << 24 : 0);
    picture_free(&picture);
    return texture != NULL ? maker->scene->texture_count - 1u : SCENE_FILL;
}

uint32_t texture_glow(struct texture_maker *maker, const char *name, uint32_t side, uint32_t colour)
{
    struct scene_texture *texture = add(maker, name, FORMAT_ARGB8888, side, side);
    if (texture == NULL) return SCENE_FILL;
    uint32_t radius = side / 2u;
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            uint32_t dx = x > radius ? x - radius : radius - x, dy = y > radius ? y - radius : radius - y;
            uint32_t distance = dx * dx + dy * dy, limit = radius * radius;
            uint32_t light = distance < limit ? 160u * (limit - distance) / limit * (limit - distance) / limit : 0;
            uint32_t unit = (light / 2u) << 24; /* brighter than opaque: light adds more than it covers */
            for (unsigned lsb = 0; lsb < 24; lsb += 8) unit |= pixel_div255((colour >> lsb & 255u) * light) << lsb;
            put(texture, x, y, unit);
        }
    }
    return maker->scene->texture_count - 1u;
}

uint32_t texture_plain(struct texture_maker *maker, const char *name, uint32_t width, uint32_t height, uint32_t argb)
{
    struct scene_texture *texture = add(maker, name, FORMAT_ARGB8888, width, height);
    if (texture == NULL) return SCENE_FILL;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) put(texture, x, y, argb);
    return maker->scene->texture_count - 1u;
}
