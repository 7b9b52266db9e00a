/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/scene/scene_paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"

/* ------------------------------------------------------------------ colours */

uint32_t paint_hash(uint32_t value)
{
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

uint32_t paint_hue(uint32_t hue)
{
    const uint32_t at = (hue & 255u) * 6u, rise = at & 255u, fall = 255u - rise;
    static const uint8_t full = 255;
    switch (at >> 8) {
    case 0: return full << 16 | rise << 8;
    case 1: return fall << 16 | full << 8;
    case 2: return full << 8 | rise;
    case 3: return fall << 8 | full;
    case 4: return rise << 16 | full;
    default: return full << 16 | fall;
    }
}

uint32_t paint_shade(uint32_t colour, uint32_t level)
{
    uint32_t shaded = 0;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) shaded |= pixel_div255((colour >> lsb & 255u) * level) << lsb;
    return shaded;
}

bool paint_is_digit(uint32_t number, uint32_t x, uint32_t y)
{
    /* Three columns by five rows, the highest bit first. */
    static const uint16_t digits[10] = {0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf};
    char text[12];
    const int length = snprintf(text, sizeof text, "%u", (unsigned)number);
    const uint32_t place = x / 4u, column = x % 4u;
    if (place >= (uint32_t)length || column > 2u || y > 4u) return false;
    return (digits[text[place] - '0'] >> (14u - y * 3u - column) & 1u) != 0;
}

static uint32_t weave(uint32_t kind, uint32_t scale, uint32_t x, uint32_t y)
{
    const uint32_t dx = x > 64u ? x - 64u : 64u - x, dy = y > 64u ? y - 64u : 64u - y;
    switch (kind) {
    case 0: return (x / scale + y / scale) % 2u * 255u;                                             /* a chequer */
    case 1: return (x + y) % (2u * scale) < scale ? 255u : 90u;                                     /* stripes */
    case 2: return (dx * dx + dy * dy) / (scale * 16u) % 2u * 200u;                                 /* rings */
    case 3: return (x + y / scale % 2u * scale) % (2u * scale) < 2u || y % scale < 2u ? 40u : 220u; /* bricks */
    case 4: return (x * x + y * y * 3u) / scale & 255u;                                             /* waves */
    default: return (x ^ y) * 255u / 127u & 255u;
    }
}

uint32_t paint_pattern(uint32_t seed, uint32_t x, uint32_t y)
{
    const uint32_t chance = paint_hash(seed), level = weave(chance % 6u, 4u + (chance >> 4) % 12u, x, y);
    const uint32_t front = paint_hue(chance >> 8), back = paint_shade(paint_hue(chance >> 16), 70);
    uint32_t colour = 0;
    for (unsigned lsb = 0; lsb < 24; lsb += 8)
        colour |= pixel_div255((front >> lsb & 255u) * level + (back >> lsb & 255u) * (255u - level)) << lsb;
    return colour;
}

/* ------------------------------------------------------------------ textures */

bool paint_begin(struct scene *scene, uint32_t capacity)
{
    scene->textures = calloc(capacity, sizeof *scene->textures);
    return scene->textures != NULL;
}

void paint_units(uint8_t *data, uint32_t width, uint32_t height, paint_colour *colour, uint32_t seed)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, data += 2) {
            const uint32_t wanted = colour(seed, x, y);
            uint32_t unit = pixel_reduce(FORMAT_RGB565, wanted | 0xff000000u);
            if (wanted != PAINT_CLEAR && unit == PAINT_KEY) unit--;
            data[0] = (uint8_t)unit;
            data[1] = (uint8_t)(unit >> 8);
        }
    }
}

uint32_t paint_texture(struct scene *scene, const char *name, uint32_t width, uint32_t height, paint_colour *colour,
                       uint32_t seed)
{
    struct scene_texture *texture = &scene->textures[scene->texture_count];
    *texture = (struct scene_texture){.format = FORMAT_RGB565, .width = width, .height = height, .pitch = 2u * width};
    snprintf(texture->name, sizeof texture->name, "%s", name);
    texture->data = malloc((size_t)texture->pitch * height);
    if (texture->data == NULL) return SCENE_FILL;
    paint_units(texture->data, width, height, colour, seed);
    return scene->texture_count++;
}

void paint_destroy(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->texture_count; i++) free(scene->textures[i].data);
    free(scene->textures);
    free(scene->state);
    memset(scene, 0, sizeof *scene);
}

/* ------------------------------------------------------------------ draws */

void paint_buffer(struct scene_frame *frame, uint32_t program)
{
    if (frame->buffer_count == SCENE_BUFFERS) return;
    frame->buffer[frame->buffer_count].program = program;
    frame->buffer[frame->buffer_count++].count = 0;
}

static struct scene_draw *add(struct scene_frame *frame)
{
    uint32_t *count = &frame->buffer[frame->buffer_count - 1u].count;
    static struct scene_draw nothing;
    return *count < SCENE_BUFFER_DRAWS ? &frame->buffer[frame->buffer_count - 1u].draws[(*count)++] : &nothing;
}

void paint_rectangle(struct scene_frame *frame, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     uint32_t colour)
{
    *add(frame) = (struct scene_draw){.texture = SCENE_FILL,
                                      .target_x = (uint16_t)x,
                                      .target_y = (uint16_t)y,
                                      .width = (uint16_t)width,
                                      .height = (uint16_t)height,
                                      .value = pixel_reduce(FORMAT_RGB565, colour | 0xff000000u)};
}

void paint_part(struct scene_frame *frame, uint32_t texture, uint32_t x, uint32_t y, uint32_t source_x,
                uint32_t source_y, uint32_t width, uint32_t height)
{
    *add(frame) = (struct scene_draw){.texture = (uint16_t)texture,
                                      .mode = BLIT_COPY,
                                      .target_x = (uint16_t)x,
                                      .target_y = (uint16_t)y,
                                      .source_x = (uint16_t)source_x,
                                      .source_y = (uint16_t)source_y,
                                      .width = (uint16_t)width,
                                      .height = (uint16_t)height};
}

void paint_draw(const struct scene *scene, struct scene_frame *frame, uint32_t texture, int x, int y, bool is_keyed)
{
    const struct scene_texture *of = &scene->textures[texture];
    const int left = x < 0 ? -x : 0, top = y < 0 ? -y : 0;
    const int right = x + (int)of->width > SCENE_WIDTH ? SCENE_WIDTH - x : (int)of->width;
    const int bottom = y + (int)of->height > SCENE_HEIGHT ? SCENE_HEIGHT - y : (int)of->height;
    if (left >= right || top >= bottom) return;
    struct scene_draw *draw = add(frame);
    *draw = (struct scene_draw){.texture = (uint16_t)texture,
                                .mode = is_keyed ? BLIT_KEY : BLIT_COPY,
                                .target_x = (uint16_t)(x + left),
                                .target_y = (uint16_t)(y + top),
                                .source_x = (uint16_t)left,
                                .source_y = (uint16_t)top,
                                .width = (uint16_t)(right - left),
                                .height = (uint16_t)(bottom - top),
                                .value = PAINT_KEY};
}
