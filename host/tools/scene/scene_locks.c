/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that touches its surfaces itself: eight instruments are painted by the program before every frame, in
 * memory that it locks for that, and drawn by the GPU between forty that stay as they are. What a lock costs shows: the
 * GPU has to have done with the surface, its content comes back to the program's pages, and later it is fetched again.
 */
#include "tools/scene/scene_paint.h"
#include "tools/scene/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 40, SIDE = 64, HEIGHT = 96, STEPS = 4, STEP_X = 32, COLUMNS = 10, BYTES = SIDE * SIDE * 2 };

struct locks {
    uint8_t *steps[SCENE_TOUCHES][STEPS]; /* what an instrument shows, over and over */
};

/* seed: instrument * STEPS + step. A scale with a bar that rises and falls. */
static uint32_t instrument(uint32_t seed, uint32_t x, uint32_t y)
{
    static const uint32_t heights[STEPS] = {10, 30, 50, 30};
    const uint32_t which = seed / STEPS, height = heights[(seed + which) % STEPS];
    if (x < 2u || y < 2u || x >= SIDE - 2u || y >= SIDE - 2u) return 0xd0d0d0;
    if (x >= 5u && y >= 5u && paint_is_digit(which, (x - 5u) / 2u, (y - 5u) / 2u)) return 0xffffff;
    if (x >= 20u && x < 44u && y >= SIDE - 4u - height) return paint_hue(90u - height);
    return y % 10u == 0 ? 0x506070 : 0x182028;
}

static void locks_frame(const struct scene *scene, uint32_t number, struct scene_frame *frame)
{
    const struct locks *locks = scene->state;
    memset(frame, 0, sizeof *frame);
    for (uint32_t i = 0; i < SCENE_TOUCHES; i++)
        frame->touches[frame->touch_count++] = (struct scene_touch){i, locks->steps[i][number % STEPS]};
    for (uint32_t half = 0; half < 2; half++) {
        paint_buffer(frame, 0);
        if (half == 0) paint_rectangle(frame, 0, 0, SCENE_WIDTH, SCENE_HEIGHT, 0x101418);
        for (uint32_t i = half * FIXED / 2u; i < (half + 1u) * FIXED / 2u; i++)
            paint_draw(scene, frame, SCENE_TOUCHES + i, (int)(i % COLUMNS * STEP_X), (int)(i / COLUMNS * 44u), false);
        for (uint32_t i = half * SCENE_TOUCHES / 2u; i < (half + 1u) * SCENE_TOUCHES / 2u; i++)
            paint_draw(scene, frame, i, (int)(4u + i % 4u * 80u), (int)(20u + half * 120u), false);
    }
}

static void locks_destroy(struct scene *scene)
{
    struct locks *locks = scene->state;
    for (uint32_t i = 0; locks != NULL && i < SCENE_TOUCHES; i++)
        for (uint32_t step = 0; step < STEPS; step++) free(locks->steps[i][step]);
    paint_destroy(scene);
}

static bool make_instrument(struct scene *scene, uint32_t i)
{
    struct locks *locks = scene->state;
    char name[16];
    snprintf(name, sizeof name, "instrument %u", i);
    for (uint32_t step = 0; step < STEPS; step++) {
        locks->steps[i][step] = malloc(BYTES);
        if (locks->steps[i][step] == NULL) return false;
        paint_units(locks->steps[i][step], SIDE, SIDE, instrument, i * STEPS + step);
    }
    return paint_texture(scene, name, SIDE, SIDE, instrument, i * STEPS) != SCENE_FILL;
}

bool scene_locks(struct scene *scene, uint32_t seed)
{
    char name[16];
    scene->frame = locks_frame;
    scene->destroy = locks_destroy;
    scene->unbinds = true;
    scene->state = calloc(1, sizeof(struct locks));
    if (scene->state == NULL || !paint_begin(scene, SCENE_TOUCHES + FIXED)) return false;
    for (uint32_t i = 0; i < SCENE_TOUCHES; i++)
        if (!make_instrument(scene, i)) return false;
    for (uint32_t i = 0; i < FIXED; i++) {
        snprintf(name, sizeof name, "panel %u", i);
        if (paint_texture(scene, name, SIDE, HEIGHT, paint_pattern, seed * 64u + i) == SCENE_FILL) return false;
    }
    return true;
}
