/* SPDX-License-Identifier: Apache-2.0
 *
 * Two programs that fight for memory: each draws its half of the frame with textures of its own, and each has as many
 * as memory holds. The left one draws all of them in every frame; the right one, a few in turn and those often.
 */
#include "tools/scene/scene_paint.h"
#include "tools/scene/scenes.h"

#include <stdio.h>
#include <string.h>

enum { OWN = 40, SIDE = 64, HALF = SCENE_WIDTH / 2, STEP_X = 31, STEP_Y = 29, COLUMNS = 5, FEW = 12 };

/* seed: the texture's number in the program, 1000 more for the right one. */
static uint32_t tile(uint32_t seed, uint32_t x, uint32_t y)
{
    const uint32_t number = seed % 1000u, hue = seed >= 1000u ? 130u : 10u;
    if (x < 2u || y < 2u) return 0x202020;
    if (x >= 4u && y >= 4u && paint_is_digit(number, (x - 4u) / 3u, (y - 4u) / 3u)) return 0xffffff;
    return paint_shade(paint_hue(hue + number), 120u + (x + y));
}

static void draw_half(const struct scene *scene, struct scene_frame *frame, uint32_t program, uint32_t first,
                      uint32_t number)
{
    paint_buffer(frame, program);
    if (first == 0) paint_rectangle(frame, program * HALF, 0, HALF, SCENE_HEIGHT, program != 0 ? 0x081830 : 0x301008);
    for (uint32_t i = first; i < first + OWN / 2u; i++) {
        const uint32_t which = program == 0 ? i : (i % FEW + number) % OWN;
        const uint32_t texture = program * OWN + which;
        const int x = (int)(program * HALF + 2u + i % COLUMNS * STEP_X), y = (int)(i / COLUMNS * STEP_Y);
        const int width = (int)scene->textures[texture].width;
        if (x + width <= (int)((program + 1u) * HALF)) paint_draw(scene, frame, texture, x, y, false);
        else paint_part(frame, texture, (uint32_t)x, (uint32_t)y, 0, 0, (program + 1u) * HALF - (uint32_t)x, STEP_Y);
    }
}

static void programs_frame(const struct scene *scene, uint32_t number, struct scene_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t program = 0; program < SCENE_PROGRAMS; program++)
            draw_half(scene, frame, program, half * (OWN / 2u), number);
}

bool scene_two_programs(struct scene *scene, uint32_t seed)
{
    char name[16];
    (void)seed;
    scene->frame = programs_frame;
    scene->destroy = paint_destroy;
    scene->unbinds = true;
    scene->program_count = SCENE_PROGRAMS;
    if (!paint_begin(scene, OWN * SCENE_PROGRAMS)) return false;
    for (uint32_t i = 0; i < OWN * SCENE_PROGRAMS; i++) {
        const uint32_t program = i / OWN, number = i % OWN, height = number % 3u == 0 ? 2u * SIDE : SIDE;
        snprintf(name, sizeof name, "%s %u", program != 0 ? "right" : "left", number);
        if (paint_texture(scene, name, SIDE, height, tile, program * 1000u + number) == SCENE_FILL) return false;
    }
    return true;
}
