/* SPDX-License-Identifier: Apache-2.0
 *
 * What one call of SDL's renderer is expected to come to: a list of fills and blits on one surface, made before SDL
 * draws. Afterwards they are recorded; SDL's own blits draw them on the shadow, so that where the renderer has drawn
 * something else the pixels are found to differ and are recorded, too. Nothing depends on the expectation being right.
 *
 * Two of SDL's blends are one blit of no engine, but two of this one: t*(255-a)/255 + s*a/255 with both divisions
 * rounded down, which is what it does to flat rectangles and to sources with modulated colour or alpha. MOD by 255-a,
 * then ADD. The grey of 255-a comes from a surface of the recorder's own: a flat one, or one beside the source.
 */
#ifndef TESSERA_RECORD_STEPS_H
#define TESSERA_RECORD_STEPS_H

#include "clients/sdl/record/tracker.h"

/* SDL 2's surfaces alone. Everything is drawn to `target`, which is clipped to its `clip`. */
void steps_begin(const struct view *target);
/* Fill what the clip leaves of the rectangle with a raw unit. */
void steps_fill(const struct sdl2_rect *rect, uint32_t raw);
/* Fill all of the target, whatever its clip. */
void steps_clear(uint32_t raw);
/* Blend a colour onto it, red 31:24, green, blue, alpha, with one of SDL's blend modes; `raw`: the colour as a unit. */
void steps_flat(const struct sdl2_rect *rect, uint32_t colour, int mode, uint32_t raw);
/* Blit `from` of the source, as its view says, to that place. */
void steps_blit(const struct view *source, const struct sdl2_rect *from, int32_t x, int32_t y);
/* The same through a map: `from` of the source onto `to`. `is_general`: SDL blends by its general formula, as it does
 * while it scales; `has_alpha`: SDL has made a copy of the source first, which has alpha, whether the source has or
 * not.
 */
struct steps_map {
    struct recording_map map; /* of all of `to` */
    struct sdl2_rect from, to;
    bool is_general, has_alpha;
};
void steps_map(const struct view *source, const struct steps_map *how);
/* Something that is left to the comparison of pixels, for this reason, within the rectangle. */
void steps_leave(const struct sdl2_rect *rect, enum recording_reason reason);
/* The list is whole, and SDL is about to draw it; SDL has drawn all of it. */
void steps_ready(void);
void steps_end(void);
/* The surface is gone. */
void steps_forget(const void *surface);

#endif
