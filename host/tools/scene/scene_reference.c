/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge of the pictures: a scene drawn in plain C on one flat array, with the pixel arithmetic of
 * model/pixel_model.h and nothing else of the GPU: no packets, slots, segments, paging or splitting.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"
#include "tools/scene/scene.h"

static uint32_t unit_get(const uint8_t *bytes, uint32_t unit_bytes)
{
    uint32_t unit = 0;
    for (uint32_t i = 0; i < unit_bytes; i++) unit |= (uint32_t)bytes[i] << 8u * i;
    return unit;
}

static void unit_put(uint8_t *bytes, uint32_t unit)
{
    bytes[0] = (uint8_t)unit;
    bytes[1] = (uint8_t)(unit >> 8);
}

static void draw_pixel(const struct scene_draw *draw, uint32_t format, const uint8_t *from, uint8_t *to)
{
    uint32_t source = unit_get(from, pixel_unit_bytes(format));
    uint32_t colour = pixel_expand(format, source);
    if (draw->mode == BLIT_KEY && source == draw->value) return;
    if (draw->mode == BLIT_BLEND)
        colour = pixel_blend(colour, pixel_expand(FORMAT_RGB565, unit_get(to, 2)), draw->value & 255u,
                             draw->is_premultiplied != 0);
    unit_put(to, pixel_reduce(FORMAT_RGB565, colour));
}

/* A texture's content in this frame. */
static const uint8_t *content(const struct scene *scene, const struct scene_frame *frame, uint32_t texture)
{
    for (uint32_t i = 0; i < frame->touch_count; i++)
        if (frame->touches[i].texture == texture) return frame->touches[i].data;
    return scene->textures[texture].data;
}

void scene_reference(const struct scene *scene, const struct scene_frame *frame, uint8_t *target)
{
    for (uint32_t b = 0; b < frame->buffer_count; b++) {
        for (uint32_t d = 0; d < frame->buffer[b].count; d++) {
            const struct scene_draw *draw = &frame->buffer[b].draws[d];
            const struct scene_texture *texture = draw->texture == SCENE_FILL ? NULL : &scene->textures[draw->texture];
            const uint8_t *data = texture != NULL ? content(scene, frame, draw->texture) : NULL;
            for (uint32_t y = 0; y < draw->height; y++) {
                uint8_t *to = target + (draw->target_y + y) * SCENE_PITCH + draw->target_x * 2u;
                for (uint32_t x = 0; x < draw->width; x++, to += 2) {
                    if (texture == NULL) unit_put(to, draw->value);
                    else
                        draw_pixel(draw, texture->format,
                                   data + (draw->source_y + y) * texture->pitch +
                                       (draw->source_x + x) * pixel_unit_bytes(texture->format),
                                   to);
                }
            }
        }
    }
}

uint64_t scene_frame_footprint(const struct scene *scene, uint32_t number)
{
    struct scene_frame *frame = calloc(1, sizeof *frame);
    uint8_t *is_used = calloc(scene->texture_count + 1u, 1);
    uint64_t bytes = 0;
    if (frame != NULL && is_used != NULL) {
        scene->frame(scene, number, frame);
        for (uint32_t b = 0; b < frame->buffer_count; b++)
            for (uint32_t d = 0; d < frame->buffer[b].count; d++)
                if (frame->buffer[b].draws[d].texture != SCENE_FILL) is_used[frame->buffer[b].draws[d].texture] = 1;
        for (uint32_t i = 0; i < scene->texture_count; i++)
            if (is_used[i]) bytes += (scene->textures[i].pitch * scene->textures[i].height + 4095u) / 4096u * 4096u;
    }
    free(frame);
    free(is_used);
    return bytes;
}
