/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface of either SDL version, seen in one way, and its pixels in the formats of recordings.
 */
#ifndef TESSERA_RECORD_SURFACE_H
#define TESSERA_RECORD_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/recording/recording.h"
#include "tools/picture/sdl_abi.h"

/* The SDL library of the program. If both are loaded (SDL_mixer 1.2 brings SDL 2 along), 1.2 is the program's. */
enum sdl_version { SDL_NONE = 0, SDL_1_2 = 1, SDL_2 = 2, SDL_3 = 3 };
enum sdl_version sdl_version(void);
/* A function of that library itself, below any hook; NULL if it has none of that name. */
void *sdl_function(const char *name);
/* The same for a hook, never NULL: where no loaded library has the function, a line says so once, and what is returned
 * does nothing and returns 0. */
void *sdl_real(const char *name);
/* SDL 3 has been loaded, where this code is (hooks_sdl3.c). */
void sdl_has_3(const void *address);
/* Does the address lie in an SDL 1.2 or SDL 2 library? */
bool sdl_is_library(const void *address);
/* The program has taken this function out of an SDL library: its SDL, if none is known so far. False: it has another.
 */
bool sdl_take_library(const void *address);

struct view {
    const void *surface;
    int32_t width, height;
    uint32_t pitch, unit_bytes; /* bytes */
    uint8_t *pixels;
    uint32_t red, green, blue, alpha_mask; /* masks; 0 with a palette */
    const struct sdl_palette *palette;
    struct sdl2_rect clip;
    bool has_key;
    enum recording_mode mode; /* without the key; BLEND: SDL_SRCALPHA, SDL_BLENDMODE_BLEND */
    bool is_odd;              /* another blend mode: no mode of a recording */
    bool has_clear_colours;   /* in its palette: alpha that a recording does not keep */
    bool is_indexed;          /* it is read alone: recorded as indices with a palette; else as colours */
    uint32_t key;             /* a raw unit */
    uint32_t alpha, colour;   /* modulations, as in a recording */
};

/* False when there are no pixels to look at: no surface, hardware or RLE surface, less than 8 bits per pixel, longer
 * than RECORDING_SIDE. */
bool view_make(struct view *view, void *surface);

/* A view with these modulations and one of SDL 2's blend modes instead of its own. */
void view_attributes(struct view *view, int mode, uint32_t alpha, uint32_t colour);

/* The two rectangle types. NULL gives false. */
bool rect_get(const void *rect, struct sdl2_rect *result);

/* Which of a recording's formats keeps every colour of the surface. */
enum recording_format view_format(const struct view *view);

/* Raw units to a recording's units. With a palette, `colours` holds the unit of every index; of INDEX8, units are
 * indices and `colours` its palette. */
struct conversion {
    enum recording_format format;
    bool is_raw; /* units are stored alike, but for the unused byte */
    uint32_t unit_bytes, red, green, blue, alpha_mask;
    uint32_t colours[256];
    bool has_palette;
};
/* Where units are colours, that of a palette's key is unlike those of all other indices. */
void conversion_make(struct conversion *conversion, const struct view *view);
uint32_t conversion_unit(const struct conversion *conversion, uint32_t raw);
void conversion_row(const struct conversion *conversion, const uint8_t *raw, uint32_t count, uint8_t *units);
/* A raw unit's alpha 31:24, red, green, blue, each of 255; alpha is 0 where there is none. */
uint32_t conversion_colour(const struct conversion *conversion, uint32_t raw);
/* The raw unit that becomes this unit; where a palette has none such, the nearest. Bits that mean nothing are those of
 * `raw`. */
uint32_t conversion_back(const struct conversion *conversion, uint32_t unit, uint32_t raw);

#endif
