/* SPDX-License-Identifier: Apache-2.0
 *
 * See surface.h.
 */
#define _GNU_SOURCE
#include "clients/sdl/record/surface.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clients/sdl/record/library.h"
#include "clients/sdl/record/link.h"

/* ------------------------------------------------------------------ the library */

static struct library library; /* the program's SDL */
static enum sdl_version version;
static struct library library_3, compat;
static bool has_3, has_compat;

static const struct library_mark marks[] = {
    [SDL_1_2] = {"SDL_SetVideoMode", "SDL_UpperBlit", NULL}, [SDL_2] = {"SDL_CreateWindow", "SDL_UpperBlit", NULL}};

/* sdl2-compat says so by its version: 2.N.50 and above. */
static bool is_compat(const struct library *library_2)
{
    struct {
        uint8_t major, minor, patch;
    } number = {0, 0, 0};
    void (*get_version)(void *) = NULL;
    *(void **)&get_version = library_function(library_2, "SDL_GetVersion");
    if (get_version != NULL) get_version(&number);
    return number.major == 2 && number.patch >= 50;
}

void sdl_has_3(const void *address) { has_3 = library_at(&library_3, address); }

enum sdl_version sdl_version(void)
{
    static struct library found;
    if (version == SDL_NONE) {
        enum sdl_version which = library_find(&found, &marks[SDL_1_2]) ? SDL_1_2
                                 : library_find(&found, &marks[SDL_2]) ? SDL_2
                                                                       : SDL_NONE;
        if (which == SDL_2 && has_3 && is_compat(&found)) {
            has_compat = true;
            compat = found;
            which = SDL_NONE;
        }
        if (which == SDL_NONE && has_3) {
            which = SDL_3;
            found = library_3;
        }
        if (which != SDL_NONE) library = found;
        version = which;
    }
    return version;
}

void *sdl_function(const char *name)
{
    static struct library other;
    const struct library_mark mark = {name, NULL, NULL};
    if (sdl_version() != SDL_NONE) return library_function(&library, name);
    return library_find(&other, &mark) ? library_function(&other, name) : NULL;
}

static long nothing(void) { return 0; }

void *sdl_real(const char *name)
{
    static bool has_said;
    void *function = sdl_version() == SDL_3 && has_compat ? library_function(&compat, name) : sdl_function(name);
    if (function != NULL) return function;
    if (!has_said)
        fprintf(stderr, "%s: %s: no loaded library has this function: the call does nothing.\n", link_self(), name);
    has_said = true;
    return (void *)(uintptr_t)nothing; /* NOLINT(performance-no-int-to-ptr) */
}

bool sdl_is_library(const void *address)
{
    struct library at;
    return library_at(&at, address) && (library_has_mark(&at, &marks[SDL_1_2]) || library_has_mark(&at, &marks[SDL_2]));
}

bool sdl_take_library(const void *address)
{
    struct library at;
    if (!library_at(&at, address)) return false;
    if (version == SDL_NONE) {
        (void)dlopen(at.path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        library = at;
        version = library_has_mark(&at, &marks[SDL_1_2]) ? SDL_1_2 : SDL_2;
    }
    return at.base == library.base;
}

/* ------------------------------------------------------------------ surfaces */

void view_attributes(struct view *view, int mode, uint32_t alpha, uint32_t colour)
{
    view->alpha = alpha;
    view->colour = colour;
    view->mode = mode == SDL2_BLENDMODE_BLEND ? RECORDING_BLEND
                 : mode == SDL2_BLENDMODE_ADD ? RECORDING_ADD
                 : mode == SDL2_BLENDMODE_MOD ? RECORDING_MOD
                                              : RECORDING_COPY;
    view->is_odd = view->mode == RECORDING_COPY && mode != SDL2_BLENDMODE_NONE;
    for (int i = 0; view->palette != NULL && i < view->palette->count; i++)
        view->has_clear_colours = view->has_clear_colours || view->palette->colours[i].alpha != 255;
}

/* Of SDL 2 and SDL 3, whose results differ: one says 0, the other true. */
static void attributes2(struct view *view, void *surface)
{
    static int (*get_alpha)(void *, uint8_t *);
    static int (*get_colours)(void *, uint8_t *, uint8_t *, uint8_t *);
    static int (*get_mode)(void *, int *);
    static int (*get_key)(void *, uint32_t *);
    uint8_t alpha = 255, red = 255, green = 255, blue = 255;
    int mode = SDL2_BLENDMODE_NONE;
    if (get_alpha == NULL) {
        *(void **)&get_alpha = sdl_function("SDL_GetSurfaceAlphaMod");
        *(void **)&get_colours = sdl_function("SDL_GetSurfaceColorMod");
        *(void **)&get_mode = sdl_function("SDL_GetSurfaceBlendMode");
        *(void **)&get_key = sdl_function(sdl_version() == SDL_3 ? "SDL_GetSurfaceColorKey" : "SDL_GetColorKey");
    }
    (void)get_alpha(surface, &alpha);
    (void)get_colours(surface, &red, &green, &blue);
    (void)get_mode(surface, &mode);
    const bool result = ((uint32_t)get_key(surface, &view->key) & 255u) != 0;
    view->has_key = result == (sdl_version() == SDL_3);
    view_attributes(view, mode, alpha, (uint32_t)red << 16 | (uint32_t)green << 8 | (uint32_t)blue);
}

static bool view_1(struct view *view, const struct sdl1_surface *surface)
{
    const struct sdl1_format *format = surface->format;
    if (format == NULL || (surface->flags & SDL1_RLEACCEL) != 0 || format->bits < 8) return false;
    view->width = surface->width;
    view->height = surface->height;
    view->pitch = surface->pitch;
    view->unit_bytes = format->bytes;
    view->pixels = surface->pixels;
    view->palette = format->palette;
    view->red = format->red;
    view->green = format->green;
    view->blue = format->blue;
    view->alpha_mask = format->alpha_mask;
    view->clip = (struct sdl2_rect){surface->clip.x, surface->clip.y, surface->clip.width, surface->clip.height};
    view->has_key = (surface->flags & SDL1_SRCCOLORKEY) != 0;
    view->key = format->key;
    view->alpha = format->alpha;
    view->colour = RECORDING_WHITE;
    view->mode = (surface->flags & SDL1_SRCALPHA) != 0 ? RECORDING_BLEND : RECORDING_COPY;
    return true;
}

static bool view_2(struct view *view, struct sdl2_surface *surface)
{
    const struct sdl2_format *format = surface->format;
    if (format == NULL || surface->pixels == NULL || format->bits < 8) return false;
    view->width = surface->width;
    view->height = surface->height;
    view->pitch = (uint32_t)surface->pitch;
    view->unit_bytes = format->bytes;
    view->pixels = surface->pixels;
    view->palette = format->palette;
    view->red = format->red;
    view->green = format->green;
    view->blue = format->blue;
    view->alpha_mask = format->alpha_mask;
    view->clip = surface->clip;
    attributes2(view, surface);
    return true;
}

/* Surfaces of more than 8 bits to a colour, or of another colour space, have no format in a recording. */
static bool view_3(struct view *view, struct sdl3_surface *surface)
{
    static const struct sdl3_format *(*get_format)(uint32_t);
    static const struct sdl_palette *(*get_palette)(void *);
    static bool (*get_clip)(void *, struct sdl2_rect *);
    static uint32_t (*get_space)(void *);
    if (get_format == NULL) {
        *(void **)&get_palette = sdl_function("SDL_GetSurfacePalette");
        *(void **)&get_clip = sdl_function("SDL_GetSurfaceClipRect");
        *(void **)&get_space = sdl_function("SDL_GetSurfaceColorspace");
        *(void **)&get_format = sdl_function("SDL_GetPixelFormatDetails");
    }
    const struct sdl3_format *format = get_format(surface->format);
    if (format == NULL || surface->pixels == NULL || format->bits < 8 || format->bytes > 4) return false;
    for (int i = 0; i < 4; i++)
        if (format->channel_bits[i] > 8) return false;
    if (get_space(surface) != SDL3_COLORSPACE_SRGB) return false;
    view->width = surface->width;
    view->height = surface->height;
    view->pitch = (uint32_t)surface->pitch;
    view->unit_bytes = format->bytes;
    view->pixels = surface->pixels;
    view->palette = get_palette(surface);
    view->red = format->red;
    view->green = format->green;
    view->blue = format->blue;
    view->alpha_mask = format->alpha_mask;
    (void)get_clip(surface, &view->clip);
    attributes2(view, surface);
    return true;
}

bool view_make(struct view *view, void *surface)
{
    memset(view, 0, sizeof *view);
    view->surface = surface;
    if (surface == NULL) return false;
    bool is_seen = sdl_version() == SDL_3   ? view_3(view, surface)
                   : sdl_version() == SDL_2 ? view_2(view, surface)
                                            : view_1(view, surface);
    if (view->palette != NULL) view->red = view->green = view->blue = view->alpha_mask = 0;
    return is_seen && view->pixels != NULL && view->width > 0 && view->height > 0 && view->width <= RECORDING_SIDE &&
           view->height <= RECORDING_SIDE && view->unit_bytes >= 1 && view->unit_bytes <= 4 &&
           (view->palette != NULL) == (view->unit_bytes == 1);
}

bool rect_get(const void *rect, struct sdl2_rect *result)
{
    const struct sdl1_rect *small = rect;
    if (rect == NULL) return false;
    if (sdl_version() != SDL_1_2) *result = *(const struct sdl2_rect *)rect;
    else *result = (struct sdl2_rect){small->x, small->y, small->width, small->height};
    return true;
}

/* ------------------------------------------------------------------ units */

/* The unused bit of a unit may be anything. */
static bool is_555(const struct view *view)
{
    return view->unit_bytes == 2 && view->red == 0x7c00 && view->green == 0x3e0 && view->blue == 0x1f &&
           (view->alpha_mask | 0x8000u) == 0x8000u;
}

static bool is_565(const struct view *view)
{
    return view->unit_bytes == 2 && view->red == 0xf800 && view->green == 0x7e0 && view->blue == 0x1f;
}

enum recording_format view_format(const struct view *view)
{
    if (view->palette != NULL && view->is_indexed) return RECORDING_INDEX8;
    if (is_565(view)) return RECORDING_RGB565;
    if (is_555(view)) return view->alpha_mask != 0 ? RECORDING_ARGB1555 : RECORDING_XRGB1555;
    if (view->unit_bytes == 3 && view->alpha_mask == 0) return RECORDING_RGB888;
    return view->alpha_mask != 0 ? RECORDING_ARGB8888 : RECORDING_XRGB8888;
}

/* The field of a raw unit under `mask`, scaled to 0..255. */
static uint32_t channel(uint32_t raw, uint32_t mask)
{
    if (mask == 0) return 0;
    uint32_t low = mask & (0u - mask), highest = mask / low;
    return highest == 255u ? (raw & mask) / low : (raw & mask) / low * 255u / highest;
}

/* Give the key's index a colour that no other index has, by changing its blue as little as it takes. */
static void make_key_unique(uint32_t *colours, uint32_t count, uint32_t key)
{
    for (uint32_t change = 0; change < 256; change++) {
        uint32_t colour = colours[key] ^ change;
        bool is_taken = false;
        for (uint32_t i = 0; i < count; i++) is_taken = is_taken || (i != key && colours[i] == colour);
        if (is_taken) continue;
        colours[key] = colour;
        return;
    }
}

void conversion_make(struct conversion *conversion, const struct view *view)
{
    memset(conversion, 0, sizeof *conversion);
    conversion->format = view_format(view);
    conversion->unit_bytes = view->unit_bytes;
    conversion->red = view->red;
    conversion->green = view->green;
    conversion->blue = view->blue;
    conversion->alpha_mask = view->alpha_mask;
    conversion->is_raw = is_565(view) || (view->unit_bytes == 4 && view->red == 0xff0000u && view->green == 0xff00u &&
                                          view->blue == 0xffu && (view->alpha_mask | 0xff000000u) == 0xff000000u);
    conversion->has_palette = view->palette != NULL;
    if (view->palette == NULL) return;
    for (uint32_t i = 0; i < 256; i++) conversion->colours[i] = 0xff000000u;
    for (uint32_t i = 0; i < 256 && (int)i < view->palette->count; i++) {
        const struct sdl_colour *colour = &view->palette->colours[i];
        conversion->colours[i] =
            0xff000000u | (uint32_t)colour->red << 16 | (uint32_t)colour->green << 8 | (uint32_t)colour->blue;
    }
    if (conversion->format == RECORDING_INDEX8) conversion->is_raw = true;
    else if (view->has_key && view->key < 256u) make_key_unique(conversion->colours, 256, view->key);
}

uint32_t conversion_unit(const struct conversion *conversion, uint32_t raw)
{
    if (conversion->format == RECORDING_INDEX8) return raw & 255u;
    if (conversion->has_palette) return conversion->colours[raw & 255u];
    if (conversion->format == RECORDING_RGB565 || conversion->format == RECORDING_ARGB1555) return raw & 0xffffu;
    if (conversion->format == RECORDING_XRGB1555) return raw & 0x7fffu;
    return conversion_colour(conversion, raw) | (conversion->alpha_mask != 0 ? 0 : 0xff000000u);
}

void conversion_row(const struct conversion *conversion, const uint8_t *raw, uint32_t count, uint8_t *units)
{
    uint32_t bytes = recording_unit_bytes((uint32_t)conversion->format);
    if (conversion->is_raw) {
        memcpy(units, raw, (size_t)count * bytes);
        if (conversion->format == RECORDING_XRGB8888)
            for (uint32_t i = 0; i < count; i++) units[4 * i + 3] = 255;
        return;
    }
    for (uint32_t i = 0; i < count; i++, raw += conversion->unit_bytes) {
        uint32_t word = 0;
        memcpy(&word, raw, conversion->unit_bytes);
        word = conversion_unit(conversion, word);
        memcpy(units + (size_t)i * bytes, &word, bytes);
    }
}

uint32_t conversion_colour(const struct conversion *conversion, uint32_t raw)
{
    if (conversion->has_palette) return conversion->colours[raw & 255u];
    return channel(raw, conversion->alpha_mask) << 24 | channel(raw, conversion->red) << 16 |
           channel(raw, conversion->green) << 8 | channel(raw, conversion->blue);
}

/* The unit of the palette that is least unlike. */
static uint32_t nearest(const struct conversion *conversion, uint32_t unit)
{
    uint32_t found = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < 256 && least != 0; i++) {
        uint32_t distance = 0;
        for (unsigned lsb = 0; lsb < 24; lsb += 8) {
            int32_t apart = (int32_t)(conversion->colours[i] >> lsb & 255u) - (int32_t)(unit >> lsb & 255u);
            distance += (uint32_t)(apart * apart);
        }
        if (distance >= least) continue;
        least = distance;
        found = i;
    }
    return found;
}

/* The field under `mask` that becomes this channel. */
static uint32_t unscaled(uint32_t value, uint32_t mask)
{
    if (mask == 0) return 0;
    uint32_t low = mask & (0u - mask), highest = mask / low;
    return (value * highest + 254u) / 255u * low;
}

uint32_t conversion_back(const struct conversion *conversion, uint32_t unit, uint32_t raw)
{
    const uint32_t mask = conversion->red | conversion->green | conversion->blue | conversion->alpha_mask;
    if (conversion->has_palette) return nearest(conversion, unit);
    if (recording_unit_bytes((uint32_t)conversion->format) == 2) return (raw & ~mask) | (unit & mask);
    return (raw & ~mask) | unscaled(unit >> 24, conversion->alpha_mask) | unscaled(unit >> 16 & 255u, conversion->red) |
           unscaled(unit >> 8 & 255u, conversion->green) | unscaled(unit & 255u, conversion->blue);
}
