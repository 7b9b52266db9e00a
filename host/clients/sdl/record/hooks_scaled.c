/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of SDL that scale surfaces: SDL_SoftStretch of both versions, which copies units of one format, and
 * SDL_BlitScaled of SDL 2, a blit with all that one may have. What is between surfaces of 8 bits, or filtered, needs no
 * hook: it is found by comparison.
 */
#include <string.h>

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/hook.h"
#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/renderer.h"
#include "clients/sdl/record/steps.h"

static struct sdl2_rect rect_of(const void *rect, const struct view *view)
{
    struct sdl2_rect result = {0, 0, view->width, view->height};
    (void)rect_get(rect, &result);
    return result;
}

/* ------------------------------------------------------------------ SDL_SoftStretch */

static bool is_inside(const struct sdl2_rect *rect, const struct view *view)
{
    return rect->width > 0 && rect->height > 0 && rect->x >= 0 && rect->y >= 0 &&
           rect->width <= view->width - rect->x && rect->height <= view->height - rect->y;
}

static bool is_alike(const struct view *source, const struct view *target)
{
    return source->unit_bytes == target->unit_bytes && source->red == target->red && source->green == target->green &&
           source->blue == target->blue && source->alpha_mask == target->alpha_mask && source->palette == NULL &&
           target->palette == NULL;
}

/* Has SDL taken the units that the map takes? */
static bool is_drawn(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                     const struct sdl2_rect *to, const struct recording_map *map)
{
    const size_t unit = source->unit_bytes;
    for (uint32_t y = 0; y < (uint32_t)to->height; y++) {
        const uint8_t *units = target->pixels + ((uint32_t)to->y + y) * (size_t)target->pitch + (uint32_t)to->x * unit;
        for (uint32_t x = 0; x < (uint32_t)to->width; x++, units += unit) {
            uint32_t column, row;
            recording_map_at(map, x, y, &column, &row);
            const uint8_t *taken = source->pixels + ((uint32_t)from->y + row) * (size_t)source->pitch +
                                   ((uint32_t)from->x + column) * unit;
            if (memcmp(units, taken, unit) != 0) return false;
        }
    }
    return true;
}

/* SDL 2 begins at the middle of a step, SDL 1.2 at 0. What neither explains is found by comparison. */
static void record_stretch(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                           const struct sdl2_rect *to)
{
    const struct area area = {to->x, to->y, to->width, to->height};
    struct recording_event how = {.mode = RECORDING_COPY, .alpha = 255, .colour = RECORDING_WHITE};
    how.map = (struct recording_map){.width = (uint32_t)from->width,
                                     .height = (uint32_t)from->height,
                                     .u_x = (int32_t)(((int64_t)from->width << 16) / to->width),
                                     .v_y = (int32_t)(((int64_t)from->height << 16) / to->height)};
    if (sdl_version() == SDL_2) {
        how.map.u = how.map.u_x / 2;
        how.map.v = how.map.v_y / 2;
    }
    if (recording_map_fits(&how.map, (uint32_t)to->width, (uint32_t)to->height) &&
        is_drawn(source, from, target, to, &how.map))
        tracker_blit(target, &area, source, from->x, from->y, &how);
    else if (!tracker_agree(target, &area, REASON_SCALED)) tracker_count_pixels(REASON_SCALED);
}

static void leave(const struct view *target, const struct sdl2_rect *to, enum recording_reason reason)
{
    tracker_leave(target, &(struct area){to->x, to->y, to->width, to->height}, reason);
}

HOOK int SDL_SoftStretch(void *source, const void *source_rect, void *target, const void *target_rect);
HOOK int SDL_SoftStretch(void *source, const void *source_rect, void *target, const void *target_rect)
{
    struct view from_view, to_view;
    struct sdl2_rect from, to;
    bool is_seen = hook_enter() && view_make(&from_view, source) && texture_target(&to_view, target),
         is_recorded = false;
    REAL(int, SDL_SoftStretch, void *, const void *, void *, const void *);
    if (is_seen) {
        from = rect_of(source_rect, &from_view);
        to = rect_of(target_rect, &to_view);
        const struct area area = {from.x, from.y, from.width, from.height};
        bool is_good = is_inside(&from, &from_view) && is_inside(&to, &to_view);
        is_recorded = is_good && source != target && is_alike(&from_view, &to_view) && tracker_sync(&from_view, &area);
        if (is_good && !is_recorded) leave(&to_view, &to, REASON_SCALED);
    }
    int result = real(source, source_rect, target, target_rect);
    if (is_recorded && result == 0) record_stretch(&from_view, &from, &to_view, &to);
    hook_leave();
    return result;
}

/* With a filter, and always the whole of both. */
HOOK int SDL_SoftStretchLinear(void *source, const void *source_rect, void *target, const void *target_rect);
HOOK int SDL_SoftStretchLinear(void *source, const void *source_rect, void *target, const void *target_rect)
{
    struct view view;
    REAL(int, SDL_SoftStretchLinear, void *, const void *, void *, const void *);
    if (hook_enter() && texture_target(&view, target)) {
        const struct sdl2_rect to = rect_of(target_rect, &view);
        if (is_inside(&to, &view)) leave(&view, &to, REASON_FILTERED);
    }
    int result = real(source, source_rect, target, target_rect);
    hook_leave();
    return result;
}

/* ------------------------------------------------------------------ SDL_BlitScaled */

/* Of SDL 2 alone. The same sizes are a blit. */
HOOK int SDL_UpperBlitScaled(void *source, const void *source_rect, void *target, void *target_rect);
HOOK int SDL_UpperBlitScaled(void *source, const void *source_rect, void *target, void *target_rect)
{
    struct view from_view, to_view;
    bool is_seen = hook_enter() && view_make(&from_view, source) && texture_target(&to_view, target);
    bool is_recorded = is_seen && from_view.palette == NULL && to_view.palette == NULL;
    REAL(int, SDL_UpperBlitScaled, void *, const void *, void *, void *);
    if (is_recorded) {
        const struct sdl2_rect from = rect_of(source_rect, &from_view), to = rect_of(target_rect, &to_view);
        steps_begin(&to_view);
        if (!plan_scaled(&from_view, &from, &to_view, &to)) steps_blit(&from_view, &from, to.x, to.y);
        steps_ready();
    } else if (is_seen) {
        leave(&to_view, &(struct sdl2_rect){0, 0, to_view.width, to_view.height}, REASON_SCALED);
    }
    int result = real(source, source_rect, target, target_rect);
    if (is_recorded && result == 0) steps_end();
    hook_leave();
    return result;
}
