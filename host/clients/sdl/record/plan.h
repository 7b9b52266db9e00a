/* SPDX-License-Identifier: Apache-2.0
 *
 * What the calls of SDL 2's renderer draw, as steps (steps.h): where SDL's software renderer puts rectangles, lines,
 * points, copies and pairs of triangles, with its rounding.
 */
#ifndef TESSERA_RECORD_PLAN_H
#define TESSERA_RECORD_PLAN_H

#include "clients/sdl/record/renderer.h"

struct sdl2_point {
    int x, y;
};
struct sdl2_float_point {
    float x, y;
};
struct sdl2_float_rect {
    float x, y, width, height;
};
struct sdl2_vertex {
    struct sdl2_float_point at;
    uint8_t red, green, blue, alpha;
    struct sdl2_float_point texture;
};

/* The arrays of SDL_RenderGeometryRaw. */
struct plan_triangles {
    const void *at, *colour, *texture; /* of each vertex; texture: NULL with a flat colour */
    int at_stride, colour_stride, texture_stride, vertices;
    const void *indices; /* NULL: the vertices in order */
    int count, index_bytes;
};

void plan_clear(const struct renderer_state *state);
/* NULL: all of the viewport. */
void plan_fill(const struct renderer_state *state, const struct sdl2_float_rect *rect);
void plan_points(const struct renderer_state *state, const struct sdl2_float_point *points, int count);
void plan_lines(const struct renderer_state *state, const struct sdl2_float_point *points, int count);
void plan_outline(const struct renderer_state *state, const struct sdl2_float_rect *rect);
void plan_copy(const struct renderer_state *state, void *texture, const struct sdl2_rect *source,
               const struct sdl2_float_rect *rect);
/* What is turned or mirrored; `flip` as SDL has it, 1 across, 2 up; `centre` NULL: the middle. */
struct plan_turn {
    double angle;
    const struct sdl2_float_point *centre;
    int flip;
};
void plan_turned(const struct renderer_state *state, void *texture, const struct sdl2_rect *source,
                 const struct sdl2_float_rect *rect, const struct plan_turn *turn);
/* SDL_BlitScaled: between surfaces; the target is that of steps_begin. False: it is not scaled. */
bool plan_scaled(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                 const struct sdl2_rect *to);
/* The same of SDL 3, which may filter. */
bool plan_stretched(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                    const struct sdl2_rect *to, bool has_filter);
void plan_triangles(const struct renderer_state *state, void *texture, const struct plan_triangles *triangles);

#endif
