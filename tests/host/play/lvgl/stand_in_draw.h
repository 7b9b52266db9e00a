/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-in's renderer draws, for those who check what the unit makes of it.
 */
#ifndef STAND_IN_DRAW_H
#define STAND_IN_DRAW_H

#include "lvgl_private.h"

/* A rectangle: line 0: filled; else a border on `side`. */
struct stand_in_shape {
    int32_t width, height, radius, line, side;
};
/* How much of its pixel x, y it covers: something else in every place of a corner. */
uint8_t stand_in_cover(const struct stand_in_shape *shape, int32_t x, int32_t y);
extern unsigned stand_in_masks; /* that it has drawn */
/* Arcs (1), lines (2), triangles (3) and shadows (4) cover this much of a pixel, by LVGL's coordinates. */
uint8_t stand_in_covered(uint32_t kind, int32_t x, int32_t y);

/* What it makes of an image (5), a layer (6) or a gradient (7) on a clear picture: ARGB8888. A gradient differs along
 * its direction alone, by places from its beginning on. */
uint32_t stand_in_coloured(uint32_t kind, int32_t x, int32_t y);
extern unsigned stand_in_pictures; /* that it has drawn */
/* Pixels of XRGB8888 that it has drawn so, and those of them whose unused byte would have come out as alpha. */
extern unsigned stand_in_opaque, stand_in_unused;

/* A label's text: letters from 'a' on are masks, one beside the other, each over a pixel of the one before; '_' is a
 * fill of the label's colour, '*' a glyph with colours, whose bytes are all STAND_IN_COLOURED. */
enum { STAND_IN_GLYPH_SIDE = 9, STAND_IN_STEP = 8, STAND_IN_COLOURED = 0x5a };
uint8_t stand_in_glyph(uint32_t index, int32_t x, int32_t y);
extern unsigned stand_in_bitmaps; /* asked for */

#endif
