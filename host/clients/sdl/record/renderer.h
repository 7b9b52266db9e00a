/* SPDX-License-Identifier: Apache-2.0
 *
 * SDL 2's renderers and their textures, seen as surfaces. Only the software renderer has them: it is asked for whatever
 * the program wants, without waiting for the display. Its screen is the window's surface; a texture's surface is found
 * by where SDL keeps it, which is looked for once, with a texture whose pixels are known (`find_surfaces`).
 *
 * The renderer gathers calls and draws later: renderer_flush before pixels are looked at.
 */
#ifndef TESSERA_RECORD_RENDERER_H
#define TESSERA_RECORD_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/sdl/record/surface.h"

/* Before a renderer is made: the next one will be the software renderer, if SDL has one. */
void renderer_force(void);
/* A renderer was made, on a window or (`surface`) a surface. */
void renderer_add(void *renderer, void *window, void *surface);
/* It is about to go, and all its textures; NULL: nothing happens. */
void renderer_remove(void *renderer);
/* The renderer of the window; of none, NULL: any renderer. NULL: there is none. */
void *renderer_of(const void *window);
/* Can be looked at: made by renderer_force, and where textures lie is known. */
bool renderer_is_seen(const void *renderer);
void renderer_flush(void *renderer);
/* What it shows; NULL: a renderer that cannot be looked at. */
void *renderer_screen(const void *renderer);
/* Does it draw to a surface of the program's, which no window shows? */
bool renderer_is_hidden(const void *renderer);

/* A texture was made, or is about to go, and its surface. */
void texture_add(void *renderer, void *texture);
void texture_remove(void *texture);
/* A surface of bytes in another order, as ARGB8888 or XRGB8888, whose blends recordings have: SDL makes a texture of
 * whatever format it likes of a surface. NULL: it is in that order, or another kind. */
void *texture_ordered(void *surface);
void texture_free_ordered(void *surface);
/* NULL: none, or not known. */
void *texture_surface(void *texture);
/* The texture's surface with blend mode, alpha and colours as it is drawn with. */
bool texture_view(struct view *view, void *texture);
/* A surface that is about to be drawn to, which may be the pixels of a texture: then the view is the texture's. False:
 * its pixels cannot be looked at. */
bool texture_target(struct view *view, void *surface);
/* The texture's surface, about to take units of the source as they are. One that is not blended takes units without
 * alpha as such. False: their colours lie elsewhere, or it is not known. */
bool texture_takes(struct view *view, struct view *source, void *texture);
/* The recorder has this surface of the program's no longer, if it had it: one of its owners gives it up. */
void texture_forget(const void *surface);

/* The surface of the window is this one now. SDL has freed the one before, if it was another. */
void screen_is(const void *window, void *surface);
/* SDL is about to free the surface of this window, or of all windows (NULL). */
void screens_forget(const void *window);
/* A part of the texture is locked as this surface of SDL's, and is about to be unlocked or destroyed. */
void texture_lock(void *texture, void *surface);
void texture_unlock(void *texture);

/* How a renderer draws now. */
struct renderer_state {
    struct view target; /* clipped to what viewport and clip rectangle leave */
    float scale_x, scale_y;
    struct sdl2_rect viewport; /* in units of the target */
    uint32_t colour;           /* red 31:24, green, blue, alpha */
    int mode;                  /* one of SDL's blend modes */
    uint32_t raw;              /* the colour as a unit of the target */
    const void *format;        /* SDL's, of the target; of SDL 3: its surface */
};
/* False: what it draws to cannot be looked at. */
bool renderer_look(struct renderer_state *state, void *renderer);
/* All of the state but its target's pixels, of a renderer of SDL 3 (renderer3.c). */
void renderer3_look(struct renderer_state *state, void *renderer);
/* A colour as a unit of its target. */
uint32_t renderer_raw(const struct renderer_state *state, uint32_t colour);

#endif
