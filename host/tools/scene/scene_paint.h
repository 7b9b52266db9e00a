/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenes without files: textures computed by a function of their units' places, and draws of them.
 */
#ifndef TESSERA_SCENE_PAINT_H
#define TESSERA_SCENE_PAINT_H

#include <stdbool.h>

#include "tools/scene/scene.h"

enum { PAINT_KEY = 0xf81f, PAINT_CLEAR = 0xff00ff }; /* a hole: the key, and the colour that becomes it */

/* 0xRRGGBB at a place; `seed` tells textures of one kind apart. */
typedef uint32_t paint_colour(uint32_t seed, uint32_t x, uint32_t y);

/* Room for so many textures. False: out of memory. */
bool paint_begin(struct scene *scene, uint32_t capacity);
/* One more, of format RGB565; there must be room. Its number; SCENE_FILL: out of memory. */
uint32_t paint_texture(struct scene *scene, const char *name, uint32_t width, uint32_t height, paint_colour *colour,
                       uint32_t seed);
/* RGB565 of a computed picture into `data`, of rows without padding. */
void paint_units(uint8_t *data, uint32_t width, uint32_t height, paint_colour *colour, uint32_t seed);
/* Free everything; `state` by free(). For scene.destroy. */
void paint_destroy(struct scene *scene);

/* Begin a DMA buffer of the program's. */
void paint_buffer(struct scene_frame *frame, uint32_t program);
/* A rectangle of one colour, 0xRRGGBB. */
void paint_rectangle(struct scene_frame *frame, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     uint32_t colour);
/* A texture as a whole, what is outside the frame left out; `is_keyed`: without its holes. */
void paint_draw(const struct scene *scene, struct scene_frame *frame, uint32_t texture, int x, int y, bool is_keyed);
/* A part of it; both lie inside. */
void paint_part(struct scene_frame *frame, uint32_t texture, uint32_t x, uint32_t y, uint32_t source_x,
                uint32_t source_y, uint32_t width, uint32_t height);

/* Patterns for any size; a seed decides colours, pattern and scale. */
uint32_t paint_pattern(uint32_t seed, uint32_t x, uint32_t y);
/* A number's digits, 4 by 6 units each, as they stand from (0, 0) on: is this place ink? */
bool paint_is_digit(uint32_t number, uint32_t x, uint32_t y);
/* Of hue 0..255 the bright colour. */
uint32_t paint_hue(uint32_t hue);
/* `colour` with its parts times level / 255. */
uint32_t paint_shade(uint32_t colour, uint32_t level);
/* 32 bits that look like chance. */
uint32_t paint_hash(uint32_t value);

#endif
