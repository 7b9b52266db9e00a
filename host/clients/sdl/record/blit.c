/* SPDX-License-Identifier: Apache-2.0
 *
 * See blit.h.
 */
#include "clients/sdl/record/blit.h"

#include <stddef.h>
#include <string.h>

/* ------------------------------------------------------------------ rectangles, as SDL clips them */

/* Sums of such numbers fit. What SDL makes of others depends on its version: it is left to the comparison of pixels. */
static bool is_sane(const struct sdl2_rect *rect)
{
    enum { FAR = 1 << 28 };
    return rect->x > -FAR && rect->x < FAR && rect->y > -FAR && rect->y < FAR && rect->width > -FAR &&
           rect->width < FAR && rect->height > -FAR && rect->height < FAR;
}

/* Clip [*at, *at + *length) to [low, low + room) and move the other side by as much. */
static void clip_side(int32_t *at, int32_t *length, int32_t *other, int32_t low, int32_t room)
{
    int32_t before = low - *at;
    if (before > 0) {
        *length -= before;
        *at += before;
        *other += before;
    }
    int32_t behind = *at + *length - low - room;
    if (behind > 0) *length -= behind;
}

bool blit_clip(const struct view *source, const void *source_rect, const struct view *target, const void *target_rect,
               struct area *area, int32_t *source_x, int32_t *source_y)
{
    struct sdl2_rect from = {0, 0, source->width, source->height}, to = {0, 0, 0, 0};
    (void)rect_get(source_rect, &from);
    (void)rect_get(target_rect, &to);
    to.width = to.height = 0; /* SDL does not look at them */
    if (!is_sane(&from) || !is_sane(&to)) return false;
    clip_side(&from.x, &from.width, &to.x, 0, source->width);
    clip_side(&from.y, &from.height, &to.y, 0, source->height);
    clip_side(&to.x, &from.width, &from.x, target->clip.x, target->clip.width);
    clip_side(&to.y, &from.height, &from.y, target->clip.y, target->clip.height);
    *area = (struct area){to.x, to.y, from.width, from.height};
    *source_x = from.x;
    *source_y = from.y;
    return from.width > 0 && from.height > 0;
}

bool fill_clip(const struct view *target, const void *rect, struct area *area)
{
    struct sdl2_rect to = target->clip;
    int32_t unused = 0;
    if (rect_get(rect, &to)) {
        if (!is_sane(&to)) return false;
        clip_side(&to.x, &to.width, &unused, target->clip.x, target->clip.width);
        clip_side(&to.y, &to.height, &unused, target->clip.y, target->clip.height);
    }
    *area = (struct area){to.x, to.y, to.width, to.height};
    return to.width > 0 && to.height > 0;
}

/* ------------------------------------------------------------------ blits */

bool blit_takes_alpha(const struct view *target)
{
    return target->unit_bytes == 4 && target->red == 0xff0000u && target->green == 0xff00u && target->blue == 0xffu &&
           target->alpha_mask == 0xff000000u;
}

enum recording_reason blit_classify(const struct view *source, const struct view *target, struct recording_event *event)
{
    bool has_alpha = source->alpha_mask != 0, is_keyed = source->has_key;
    event->mode = source->mode;
    event->alpha = source->alpha;
    event->colour = source->colour;
    event->surface = 0;
    event->source = source->surface != target->surface; /* the same one or another: all that is asked below */
    bool is_read = target->alpha_mask != 0 || event->mode != RECORDING_COPY; /* alpha, by what the blit does */
    if (source->is_odd || (source->has_clear_colours && is_read)) return REASON_ODD;
    if (event->mode == RECORDING_BLEND && !has_alpha && event->alpha == 255) event->mode = RECORDING_COPY;
    if (sdl_version() == SDL_1_2 && event->mode == RECORDING_COPY) {
        if (has_alpha && is_keyed) return REASON_KEYED_ALPHA; /* compares colours only */
        if (target->alpha_mask == 0 || has_alpha) event->alpha = 255;
        if (event->alpha != 255 && !blit_takes_alpha(target)) return REASON_CONSTANT_ALPHA;
    } else if (sdl_version() == SDL_1_2) {
        if (target->alpha_mask != 0) return REASON_KEEPS_ALPHA;
        if (has_alpha) {
            is_keyed = false;
            event->alpha = 255;
        }
    }
    if (is_keyed) event->mode = (enum recording_mode)((uint32_t)event->mode | 1u);
    return recording_blit_reason(event, view_format(source), view_format(target));
}

bool blit_is_reordered(const struct view *view)
{
    return view->unit_bytes == 4 && (view->red != 0xff0000u || view->green != 0xff00u || view->blue != 0xffu);
}

/* A mask of 0, or of 8 bits. */
static bool is_byte(uint32_t mask) { return mask == 0 || mask / (mask & (0u - mask)) == 255u; }

/* Recorded with 8 bits a channel, of which it has fewer, or more. */
static bool is_widened(const struct view *view)
{
    return view->palette == NULL && recording_unit_bytes((uint32_t)view_format(view)) == 4 &&
           !(is_byte(view->red) && is_byte(view->green) && is_byte(view->blue) && is_byte(view->alpha_mask));
}

/* More bits than a recording keeps. */
static bool is_cut(const struct view *view) { return is_widened(view) && view->unit_bytes == 4; }

enum recording_reason blit_width(const struct view *source, const struct view *target,
                                 const struct recording_event *event)
{
    const bool is_from = is_widened(source), is_onto = is_widened(target);
    const bool is_copy =
        recording_unkeyed(event->mode) == RECORDING_COPY && event->alpha == 255 && event->colour == RECORDING_WHITE;
    const bool is_alike = source->unit_bytes == target->unit_bytes && source->red == target->red &&
                          source->green == target->green && source->blue == target->blue &&
                          source->alpha_mask == target->alpha_mask;
    if (!is_from && !is_onto) return REASON_NONE;
    if (is_cut(source)) return REASON_WIDTH;
    if (is_copy && is_alike) return REASON_NONE;
    if (is_onto || sdl_version() == SDL_1_2) return REASON_WIDTH;
    return recording_unkeyed(event->mode) == RECORDING_BLEND ? REASON_WIDTH : REASON_NONE;
}

/* Of the same palette, so that indices are copied. */
static bool has_palette_of(const struct view *source, const struct view *target)
{
    const struct sdl_palette *a = source->palette, *b = target->palette;
    bool is_alike = a != NULL && a->count == b->count;
    for (int i = 0; is_alike && i < a->count; i++)
        is_alike = a->colours[i].red == b->colours[i].red && a->colours[i].green == b->colours[i].green &&
                   a->colours[i].blue == b->colours[i].blue;
    return is_alike;
}

/* SDL 1.2 widens channels of 5 and 6 bits by shifting them, and has formulas of SDL 2's for few blends. */
static bool is_exact_1_2(const struct view *source, const struct view *target, enum recording_mode mode)
{
    const enum recording_format from = view_format(source), to = view_format(target);
    if (recording_unkeyed(mode) != RECORDING_BLEND)
        return source->unit_bytes != 2 || from == to || (from == RECORDING_RGB565 && target->unit_bytes == 2);
    if (recording_is_keyed(mode) || blit_is_reordered(source) || blit_is_reordered(target)) return false;
    if (from == RECORDING_ARGB8888) return to == RECORDING_RGB565;
    return from == to && source->unit_bytes != 3;
}

enum recording_reason blit_inexact(const struct view *source, const struct view *target,
                                   const struct recording_event *event)
{
    const enum recording_mode mode = recording_unkeyed(event->mode);
    bool is_plain = mode == RECORDING_COPY && event->alpha == 255 && event->colour == RECORDING_WHITE;
    if (target->palette != NULL && (!is_plain || !has_palette_of(source, target))) return REASON_PALETTE;
    if (sdl_version() == SDL_1_2) return is_exact_1_2(source, target, event->mode) ? REASON_NONE : REASON_ROUNDED;
    if (sdl_version() == SDL_3) return mode == RECORDING_BLEND ? REASON_ROUNDED : REASON_NONE;
    bool is_reordered = blit_is_reordered(source) || blit_is_reordered(target);
    return mode == RECORDING_BLEND && is_reordered ? REASON_BYTES : REASON_NONE;
}

bool blit_has_key_bits(const struct view *source, const struct area *area)
{
    const uint32_t colours = source->red | source->green | source->blue;
    for (int32_t y = area->y; source->palette == NULL && y < area->y + area->height; y++) {
        const uint8_t *units = source->pixels + (size_t)y * source->pitch + (size_t)area->x * source->unit_bytes;
        for (int32_t x = 0; x < area->width; x++, units += source->unit_bytes) {
            uint32_t raw = 0;
            memcpy(&raw, units, source->unit_bytes);
            if (raw != source->key && ((raw ^ source->key) & colours) == 0) return true;
        }
    }
    return false;
}

bool blit_find_key(struct view *source, const struct area *area, struct recording_event *how)
{
    const uint32_t mask = source->red | source->green | source->blue, opaque = source->alpha_mask;
    bool has_key = false;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t y = area->y; y < area->y + area->height; y++) {
            const uint8_t *units = source->pixels + (size_t)y * source->pitch + (size_t)area->x * source->unit_bytes;
            for (int32_t x = 0; x < area->width; x++, units += source->unit_bytes) {
                uint32_t raw = 0;
                memcpy(&raw, units, source->unit_bytes);
                bool is_clear = (raw & opaque) == 0;
                if (!is_clear && (raw & opaque) != opaque) return false;
                if (is_clear && !has_key) source->key = raw, has_key = true;
                if (has_key && is_clear != ((raw & mask) == (source->key & mask))) return false;
            }
            if (!has_key && pass == 1) break;
        }
    how->mode = has_key ? RECORDING_KEY : RECORDING_COPY;
    source->has_key = has_key;
    return true;
}
