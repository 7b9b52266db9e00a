/* SPDX-License-Identifier: Apache-2.0
 *
 * See steps.h.
 */
#include "clients/sdl/record/steps.h"

#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/blit.h"

enum { STEPS = 512, FLAT_SIDE = 256, BESIDE = 256, OPAQUE = 255 };

struct step {
    enum { STEP_FILL, STEP_BLIT, STEP_FLAT } kind;
    struct area area;
    uint32_t raw;       /* FILL; FLAT: its colour, XRGB8888 */
    struct view source; /* BLIT */
    int32_t source_x, source_y;
    struct recording_event how; /* BLIT and FLAT: mode and modulations */
};

/* A surface of the recorder's own: a grey for each unit of a source. */
struct beside {
    const void *surface; /* the source; NULL: free */
    struct view view;
    uint32_t *units;
};

static struct {
    struct view target;
    struct step list[STEPS];
    uint32_t count;
    struct sdl2_rect touched; /* what may have changed; no width: nothing */
    enum recording_reason reason;
    struct beside beside[BESIDE];
    uint32_t next_beside;
    struct flat {
        uint32_t units[FLAT_SIDE * FLAT_SIDE], colour;
        struct area area; /* has that colour */
    } flats[2];           /* for MOD, for ADD */
} steps;

/* ------------------------------------------------------------------ surfaces of the recorder's own */

static struct view own_view(void *units, int32_t width, int32_t height)
{
    return (struct view){.surface = units,
                         .width = width,
                         .height = height,
                         .pitch = 4u * (uint32_t)width,
                         .unit_bytes = 4,
                         .pixels = units,
                         .red = 0xff0000,
                         .green = 0xff00,
                         .blue = 0xff,
                         .clip = {0, 0, width, height},
                         .alpha = OPAQUE,
                         .colour = RECORDING_WHITE};
}

static void free_beside(struct beside *beside)
{
    if (beside->surface != NULL) tracker_forget(beside->units);
    free(beside->units);
    memset(beside, 0, sizeof *beside);
}

void steps_forget(const void *surface)
{
    tracker_forget(surface);
    for (uint32_t i = 0; i < BESIDE; i++)
        if (steps.beside[i].surface == surface) free_beside(&steps.beside[i]);
}

static struct beside *beside_of(const struct view *source)
{
    for (uint32_t i = 0; i < BESIDE; i++) {
        struct beside *known = &steps.beside[i];
        if (known->surface != source->surface) continue;
        if (known->view.width == source->width && known->view.height == source->height) return known;
        free_beside(known);
    }
    struct beside *beside = &steps.beside[steps.next_beside++ % BESIDE];
    free_beside(beside);
    beside->units = calloc((size_t)source->width * (size_t)source->height, sizeof *beside->units);
    if (beside->units == NULL) return NULL;
    beside->surface = source->surface;
    beside->view = own_view(beside->units, source->width, source->height);
    return beside;
}

/* What the source leaves of the target, 255 less its alpha, for these units. NULL: out of memory. */
static const struct view *make_beside(const struct view *source, const struct area *area)
{
    struct beside *beside = beside_of(source);
    struct conversion conversion;
    if (beside == NULL) return NULL;
    conversion_make(&conversion, source);
    for (int32_t y = area->y; y < area->y + area->height; y++) {
        const uint8_t *units = source->pixels + (size_t)y * source->pitch + (size_t)area->x * source->unit_bytes;
        uint32_t *grey = beside->units + (size_t)y * (size_t)source->width + area->x;
        for (int32_t x = 0; x < area->width; x++, units += source->unit_bytes) {
            uint32_t raw = 0;
            memcpy(&raw, units, source->unit_bytes);
            uint32_t alpha = (conversion_unit(&conversion, raw) >> 24) * source->alpha / OPAQUE;
            grey[x] = 0xff000000u | (OPAQUE - alpha) * 0x10101u;
        }
    }
    return tracker_sync(&beside->view, area) ? &beside->view : NULL;
}

/* ------------------------------------------------------------------ the list */

void steps_begin(const struct view *target)
{
    steps.target = *target;
    steps.count = 0;
    steps.reason = REASON_NONE;
    steps.touched = (struct sdl2_rect){0, 0, 0, 0};
}

static void touch(const struct sdl2_rect *rect)
{
    struct sdl2_rect *all = &steps.touched;
    if (rect->width <= 0 || rect->height <= 0) return;
    if (all->width == 0) {
        *all = *rect;
        return;
    }
    int32_t right = all->x + all->width, bottom = all->y + all->height;
    if (rect->x + rect->width > right) right = rect->x + rect->width;
    if (rect->y + rect->height > bottom) bottom = rect->y + rect->height;
    if (rect->x < all->x) all->x = rect->x;
    if (rect->y < all->y) all->y = rect->y;
    all->width = right - all->x;
    all->height = bottom - all->y;
}

static void touch_area(const struct area *area)
{
    touch(&(struct sdl2_rect){area->x, area->y, area->width, area->height});
}

void steps_leave(const struct sdl2_rect *rect, enum recording_reason reason)
{
    struct area area;
    if (!fill_clip(&steps.target, rect, &area)) return;
    steps.reason = reason;
    touch_area(&area);
}

/* One more step, on that area. NULL: too many. */
static struct step *add(int kind, const struct area *area)
{
    touch_area(area);
    if (steps.count == STEPS) {
        steps.reason = REASON_LINE;
        return NULL;
    }
    struct step *step = &steps.list[steps.count++];
    *step = (struct step){.kind = kind, .area = *area};
    step->how = (struct recording_event){.alpha = OPAQUE, .colour = RECORDING_WHITE};
    return step;
}

void steps_fill(const struct sdl2_rect *rect, uint32_t raw)
{
    struct area area;
    if (!fill_clip(&steps.target, rect, &area)) return;
    struct step *step = add(STEP_FILL, &area);
    if (step != NULL) step->raw = raw;
}

void steps_clear(uint32_t raw)
{
    const struct sdl2_rect all = {0, 0, steps.target.width, steps.target.height};
    steps.target.clip = all;
    steps_fill(&all, raw);
}

static void add_flat(const struct area *area, enum recording_mode mode, uint32_t colour)
{
    struct step *step = add(STEP_FLAT, area);
    if (step == NULL) return;
    step->raw = colour;
    step->how.mode = mode;
}

static uint32_t multiplied(uint32_t colour)
{
    const uint32_t alpha = colour & 255u;
    return (colour >> 24) * alpha / OPAQUE << 16 | (colour >> 16 & 255u) * alpha / OPAQUE << 8 |
           (colour >> 8 & 255u) * alpha / OPAQUE;
}

/* Colours of 8 bits and nothing else: MOD and ADD between such are SDL's products and sums. */
static bool is_plain(const struct view *view) { return view->unit_bytes == 4 && view->alpha_mask == 0; }

void steps_flat(const struct sdl2_rect *rect, uint32_t colour, int mode, uint32_t raw)
{
    const uint32_t alpha = colour & 255u;
    struct area area;
    if (mode == SDL2_BLENDMODE_NONE || (mode == SDL2_BLENDMODE_BLEND && alpha == OPAQUE)) {
        steps_fill(rect, raw);
        return;
    }
    if (!fill_clip(&steps.target, rect, &area)) return;
    if (!is_plain(&steps.target) ||
        (mode != SDL2_BLENDMODE_BLEND && mode != SDL2_BLENDMODE_ADD && mode != SDL2_BLENDMODE_MOD)) {
        steps_leave(rect, REASON_FLAT);
    } else if (mode == SDL2_BLENDMODE_MOD) {
        add_flat(&area, RECORDING_MOD, colour >> 8);
    } else {
        if (mode == SDL2_BLENDMODE_BLEND) add_flat(&area, RECORDING_MOD, (OPAQUE - alpha) * 0x10101u);
        add_flat(&area, RECORDING_ADD, multiplied(colour));
    }
}

/* ------------------------------------------------------------------ blits */

/* The two blits that make SDL's blend with modulations; `from` of the source is read. */
static bool add_modulated(const struct view *source, const struct area *area, const struct area *from,
                          const struct recording_map *map)
{
    const struct view *beside = make_beside(source, from);
    struct step *step = beside != NULL ? add(STEP_BLIT, area) : NULL;
    if (step == NULL) return false;
    step->source = *beside;
    step->how.mode = RECORDING_MOD;
    step->how.map = *map;
    step->source_x = from->x;
    step->source_y = from->y;
    step = add(STEP_BLIT, area);
    if (step == NULL) return false;
    step->source = *source;
    step->how.mode = RECORDING_ADD;
    step->how.alpha = source->alpha;
    step->how.colour = source->colour;
    step->how.map = *map;
    step->source_x = from->x;
    step->source_y = from->y;
    return true;
}

/* One blit, or what it draws is left. */
static void add_if(enum recording_reason reason, const struct view *source, const struct area *part,
                   const struct area *area, const struct recording_event *how)
{
    if (reason != REASON_NONE) {
        steps_leave(&(struct sdl2_rect){area->x, area->y, area->width, area->height}, reason);
        return;
    }
    struct step *step = add(STEP_BLIT, area);
    if (step == NULL) return;
    step->source = *source;
    step->how = *how;
    step->source_x = part->x;
    step->source_y = part->y;
}

/* `part` of the source onto `area`; by a map, or without one: its width is 0. `is_general`: any blend by SDL's general
 * formula. With a filter SDL scales first, and then blits: what is half transparent is left, since the player gives the
 * engine what it blends multiplied by alpha, and SDL multiplies after the filter. */
static void add_blit(const struct view *source, const struct area *part, const struct area *area,
                     const struct recording_map *map, bool is_general)
{
    const struct view *target = &steps.target;
    struct recording_event how = {.kind = RECORDING_BLIT};
    enum recording_reason reason = blit_classify(source, target, &how);
    bool is_blend = how.mode == RECORDING_BLEND;
    how.map = *map;
    if (reason == REASON_NONE) reason = recording_blit_reason(&how, view_format(source), view_format(target));
    if (source->surface == target->surface) reason = REASON_ITSELF;
    else if (reason == REASON_NONE && !is_general && sdl_version() == SDL_3 &&
             recording_unkeyed(how.mode) == RECORDING_BLEND) /* SDL 3 rounds by another rule: of a key, or left */
        reason = is_blend && how.alpha == OPAQUE ? REASON_BYTES : REASON_ROUNDED;
    else if (reason == REASON_NONE && is_blend && (blit_is_reordered(source) || blit_is_reordered(target)))
        reason = REASON_BYTES;
    else if (reason == REASON_NONE && is_general && recording_unkeyed(how.mode) == RECORDING_BLEND)
        reason = !is_blend ? REASON_SCALED : how.alpha != OPAQUE ? REASON_ALPHA_TWICE : REASON_BYTES;
    if (!tracker_sync(source, part)) return;
    enum recording_reason bits = blit_width(source, target, &how);
    if (bits == REASON_NONE && source->has_key && blit_has_key_bits(source, part)) bits = REASON_KEY_BITS;
    if (bits != REASON_NONE) {
        add_if(bits, source, part, area, &how);
        return;
    }
    struct view keyed = *source;
    if ((reason == REASON_BYTES || reason == REASON_ALPHA_ONTO || reason == REASON_FILTERED) && is_blend &&
        how.alpha == OPAQUE && how.colour == RECORDING_WHITE && !source->has_key && source->alpha_mask != 0 &&
        blit_find_key(&keyed, part, &how))
        reason = recording_blit_reason(&how, view_format(&keyed), view_format(target)); /* no filter with a key */
    if (!map->is_filtered &&
        (reason == REASON_COLOURED || reason == REASON_ALPHA_TWICE || (reason == REASON_BYTES && is_general)) &&
        is_plain(target) && source->unit_bytes == 4 && !source->has_key && add_modulated(source, area, part, map))
        return;
    if (reason == REASON_BYTES && is_general) reason = REASON_SCALED;
    if (reason == REASON_BYTES && sdl_version() == SDL_3) reason = REASON_ROUNDED;
    add_if(reason, &keyed, part, area, &how);
}

void steps_blit(const struct view *source, const struct sdl2_rect *from, int32_t x, int32_t y)
{
    const struct sdl2_rect to = {x, y, from->width, from->height};
    struct area area, part;
    if (!blit_clip(source, from, &steps.target, &to, &area, &part.x, &part.y)) return;
    part.width = area.width;
    part.height = area.height;
    add_blit(source, &part, &area, &(struct recording_map){.width = 0}, false);
}

void steps_map(const struct view *source, const struct steps_map *how)
{
    const struct area part = {how->from.x, how->from.y, how->from.width, how->from.height};
    const struct sdl2_rect *to = &how->to;
    struct area area;
    if (!fill_clip(&steps.target, to, &area)) return;
    struct recording_map map = recording_map_from(&how->map, (uint32_t)(area.x - to->x), (uint32_t)(area.y - to->y));
    if (source->palette != NULL || !recording_map_fits(&map, (uint32_t)area.width, (uint32_t)area.height)) {
        steps_leave(to, REASON_SCALED);
        return;
    }
    bool is_modulated = source->alpha != OPAQUE || source->colour != RECORDING_WHITE;
    add_blit(source, &part, &area, &map,
             how->is_general || (how->has_alpha && source->alpha_mask == 0 && is_modulated));
}

/* ------------------------------------------------------------------ as SDL draws them */

struct sdl_blits {
    void *(*make)(void *, int, int, int, int, uint32_t, uint32_t, uint32_t, uint32_t);
    void (*destroy)(void *);
    int (*set_mode)(void *, int);
    int (*set_key)(void *, int, uint32_t);
    int (*set_alpha)(void *, uint8_t);
    int (*set_colour)(void *, uint8_t, uint8_t, uint8_t);
    int (*blit)(void *, const struct sdl2_rect *, void *, struct sdl2_rect *);
};

/* SDL 3 makes surfaces of a format's number. */
static void *make_3(void *pixels, int width, int height, int bits, int pitch, uint32_t red, uint32_t green,
                    uint32_t blue, uint32_t alpha)
{
    static void *(*make)(int, int, uint32_t, void *, int);
    static uint32_t (*format_of)(int, uint32_t, uint32_t, uint32_t, uint32_t);
    if (make == NULL) {
        *(void **)&format_of = sdl_function("SDL_GetPixelFormatForMasks");
        *(void **)&make = sdl_function("SDL_CreateSurfaceFrom");
    }
    return make(width, height, format_of(bits, red, green, blue, alpha), pixels, pitch);
}

static const struct sdl_blits *sdl_blits(void)
{
    static struct sdl_blits sdl;
    const bool is_3 = sdl_version() == SDL_3;
    if (sdl.make == NULL) {
        if (is_3) sdl.make = make_3;
        else *(void **)&sdl.make = sdl_function("SDL_CreateRGBSurfaceFrom");
        *(void **)&sdl.destroy = sdl_function(is_3 ? "SDL_DestroySurface" : "SDL_FreeSurface");
        *(void **)&sdl.set_mode = sdl_function("SDL_SetSurfaceBlendMode");
        *(void **)&sdl.set_key = sdl_function(is_3 ? "SDL_SetSurfaceColorKey" : "SDL_SetColorKey");
        *(void **)&sdl.set_alpha = sdl_function("SDL_SetSurfaceAlphaMod");
        *(void **)&sdl.set_colour = sdl_function("SDL_SetSurfaceColorMod");
        *(void **)&sdl.blit = sdl_function(is_3 ? "SDL_BlitSurface" : "SDL_UpperBlit");
    }
    return &sdl;
}

static void *surface_of(const struct view *view, void *pixels, uint32_t pitch)
{
    return sdl_blits()->make(pixels, view->width, view->height, 8 * (int)view->unit_bytes, (int)pitch, view->red,
                             view->green, view->blue, view->alpha_mask);
}

/* SDL's own blit between two surfaces of the same units as source and target. */
static void draw(const struct view *source, int32_t source_x, int32_t source_y, uint8_t *pixels, uint32_t pitch,
                 const struct area *area, const struct recording_event *how)
{
    static const int modes[RECORDING_MODES] = {[RECORDING_BLEND] = SDL2_BLENDMODE_BLEND,
                                               [RECORDING_ADD] = SDL2_BLENDMODE_ADD,
                                               [RECORDING_MOD] = SDL2_BLENDMODE_MOD};
    const struct sdl_blits *sdl = sdl_blits();
    const struct sdl2_rect from = {source_x, source_y, area->width, area->height};
    struct sdl2_rect to = {area->x, area->y, area->width, area->height};
    void *surface = surface_of(source, source->pixels, source->pitch);
    void *target = surface_of(&steps.target, pixels, pitch);
    if (surface != NULL && target != NULL) {
        (void)sdl->set_mode(surface, modes[recording_unkeyed(how->mode)]);
        (void)sdl->set_key(surface, recording_is_keyed(how->mode), source->key);
        (void)sdl->set_alpha(surface, (uint8_t)how->alpha);
        (void)sdl->set_colour(surface, (uint8_t)(how->colour >> 16), (uint8_t)(how->colour >> 8), (uint8_t)how->colour);
        (void)sdl->blit(surface, &from, target, &to);
    }
    if (surface != NULL) sdl->destroy(surface);
    if (target != NULL) sdl->destroy(target);
}

/* The source's units laid out as the map takes them, and those drawn. */
static void draw_mapped(const struct view *source, int32_t source_x, int32_t source_y, uint8_t *pixels, uint32_t pitch,
                        const struct area *area, const struct recording_event *how)
{
    struct view laid = *source;
    laid.width = area->width;
    laid.height = area->height;
    laid.pitch = (uint32_t)area->width * source->unit_bytes;
    laid.pixels = malloc((size_t)laid.pitch * (size_t)area->height);
    if (laid.pixels == NULL) return;
    recording_map_lay(
        &how->map, source->unit_bytes,
        source->pixels + (uint32_t)source_y * (size_t)source->pitch + (uint32_t)source_x * (size_t)source->unit_bytes,
        (size_t)source->pitch, (uint32_t)area->width, (uint32_t)area->height, laid.pixels, (size_t)laid.pitch);
    draw(&laid, 0, 0, pixels, pitch, area, how);
    free(laid.pixels);
}

static void emit_blit(const struct view *source, int32_t source_x, int32_t source_y, const struct area *area,
                      const struct recording_event *how)
{
    uint32_t pitch = 0;
    uint8_t *shadow = tracker_expect_blit(&steps.target, area, source, source_x, source_y, how, &pitch);
    if (shadow == NULL) return;
    if (how->map.width == 0) draw(source, source_x, source_y, shadow, pitch, area, how);
    else draw_mapped(source, source_x, source_y, shadow, pitch, area, how);
}

/* The flat surface has that colour as far as it is needed. */
static void colour_flat(struct flat *flat, const struct view *view, uint32_t colour, const struct area *needed)
{
    const struct area area = {0, 0, needed->width < FLAT_SIDE ? needed->width : FLAT_SIDE,
                              needed->height < FLAT_SIDE ? needed->height : FLAT_SIDE};
    if (flat->colour == colour && flat->area.width >= area.width && flat->area.height >= area.height) return;
    for (int32_t y = 0; y < area.height; y++)
        for (int32_t x = 0; x < area.width; x++) flat->units[y * FLAT_SIDE + x] = colour;
    tracker_fill(view, &area, colour);
    flat->colour = colour;
    flat->area = area;
}

static void emit_flat(const struct step *step)
{
    struct flat *flat = &steps.flats[step->how.mode == RECORDING_ADD];
    const struct view view = own_view(flat->units, FLAT_SIDE, FLAT_SIDE);
    const struct area *area = &step->area;
    colour_flat(flat, &view, step->raw | 0xff000000u, area);
    for (int32_t y = 0; y < area->height; y += FLAT_SIDE)
        for (int32_t x = 0; x < area->width; x += FLAT_SIDE) {
            struct area part = {area->x + x, area->y + y, area->width - x, area->height - y};
            if (part.width > FLAT_SIDE) part.width = FLAT_SIDE;
            if (part.height > FLAT_SIDE) part.height = FLAT_SIDE;
            emit_blit(&view, 0, 0, &part, &step->how);
        }
}

static void emit(const struct step *step)
{
    switch (step->kind) {
    case STEP_FILL: tracker_expect_fill(&steps.target, &step->area, step->raw); break;
    case STEP_BLIT: emit_blit(&step->source, step->source_x, step->source_y, &step->area, &step->how); break;
    case STEP_FLAT: emit_flat(step); break;
    }
}

static struct area touched_area(void)
{
    return (struct area){steps.touched.x, steps.touched.y, steps.touched.width, steps.touched.height};
}

void steps_ready(void)
{
    const struct area touched = touched_area();
    if (touched.width != 0) (void)tracker_sync(&steps.target, &touched);
}

void steps_end(void)
{
    const struct area touched = touched_area();
    if (touched.width == 0) return;
    if (steps.reason == REASON_NONE) {
        for (uint32_t i = 0; i < steps.count; i++) emit(&steps.list[i]);
        if (!tracker_agree(&steps.target, &touched, REASON_OTHERWISE)) tracker_count_pixels(REASON_OTHERWISE);
    } else {
        tracker_count_pixels(steps.reason);
        (void)tracker_agree(&steps.target, &touched, steps.reason);
    }
}
