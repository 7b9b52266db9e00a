/* SPDX-License-Identifier: Apache-2.0
 *
 * build/libtessera-record.so: the functions of SDL 1.2 and SDL 2 by which surface programs draw and show, in front of
 * SDL's own (LD_PRELOAD). Each does what SDL does and lets the tracker record it. Calls that SDL makes to itself while
 * one of them runs are not looked at, and of the processes that a program consists of only one is (link.h). There is
 * nothing to do at the end: the launcher ends the recording.
 *
 * RLE acceleration is refused on the program's behalf: an encoded surface has no pixels to look at, and what it looks
 * like does not depend on it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/events.h"
#include "record/link.h"
#include "record/tracker.h"
#include "record/surface.h"

#define HOOK __attribute__((visibility("default")))

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "surfaces are recorded as they lie in memory");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth; /* of hooked calls on this thread */
static __thread bool is_locked;

/* ------------------------------------------------------------------ beginning */

static bool set_up(void)
{
    static bool is_set_up, is_good;
    if (is_set_up) return is_good;
    is_set_up = true;
    return is_good = events_parse(getenv(LINK_EVENTS_VARIABLE)) && tracker_open(link_attach());
}

/* Enter a hook: is this call the program's own, and are we recording? Every enter has its leave. A process that does
 * not record takes no lock, which it may have inherited from the one that does. */
static bool enter(void)
{
    if (depth++ != 0 || !link_is_ours()) return false;
    pthread_mutex_lock(&lock);
    is_locked = true;
    return set_up();
}

/* The same for what shows a surface. */
static bool enter_present(void)
{
    if (depth == 0) link_has_screen();
    return enter();
}

static void leave(void)
{
    if (--depth != 0 || !is_locked) return;
    is_locked = false;
    pthread_mutex_unlock(&lock);
}

/* `real`: a pointer to SDL's own function of that name. */
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL) *(void **)&real = sdl_function(#name)

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

/* False when nothing is left. */
static bool clip_blit(const struct view *source, const void *source_rect, const struct view *target,
                      const void *target_rect, struct area *area, int32_t *source_x, int32_t *source_y)
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

static bool clip_fill(const struct view *target, const void *rect, struct area *area)
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

/* Which mode of a recording does what SDL is going to do? REASON_NONE: the event has it. */
static enum recording_reason classify(const struct view *source, const struct view *target,
                                      struct recording_event *event)
{
    bool has_alpha = source->alpha_mask != 0, is_keyed = source->has_key;
    event->mode = source->mode;
    event->alpha = source->alpha;
    event->colour = source->colour;
    event->surface = 0;
    event->source = source->surface != target->surface; /* the same one or another: all that is asked below */
    if (source->is_odd) return REASON_ODD;
    if (event->mode == RECORDING_BLEND && !has_alpha && event->alpha == 255) event->mode = RECORDING_COPY;
    if (sdl_version() == SDL_1_2 && event->mode == RECORDING_COPY) {
        if (has_alpha && is_keyed) return REASON_KEYED_ALPHA; /* compares colours only */
        if (target->alpha_mask != 0 && event->alpha != 255) return REASON_CONSTANT_ALPHA;
        event->alpha = 255;
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

struct blit {
    struct view source, target;
    struct area area;
    struct recording_event event; /* mode and modulations */
    int32_t source_x, source_y;
    bool is_recorded;
};

static void blit_before(struct blit *blit, void *source, const void *source_rect, void *target, const void *target_rect)
{
    blit->is_recorded = false;
    if (!view_make(&blit->target, target)) return;
    bool is_seen = view_make(&blit->source, source);
    if (is_seen && !clip_blit(&blit->source, source_rect, &blit->target, target_rect, &blit->area, &blit->source_x,
                              &blit->source_y))
        return;
    enum recording_reason reason = is_seen ? classify(&blit->source, &blit->target, &blit->event) : REASON_UNSEEN;
    if (reason != REASON_NONE) {
        tracker_count_pixels(reason);
        return;
    }
    const struct area from = {blit->source_x, blit->source_y, blit->area.width, blit->area.height};
    blit->is_recorded = tracker_sync(&blit->source, &from);
    if (blit->is_recorded && blit->event.mode != RECORDING_COPY)
        blit->is_recorded = tracker_sync(&blit->target, &blit->area);
}

static void blit_after(const struct blit *blit, int result)
{
    if (blit->is_recorded && result == 0)
        tracker_blit(&blit->target, &blit->area, &blit->source, blit->source_x, blit->source_y, &blit->event);
}

HOOK int SDL_UpperBlit(void *source, void *source_rect, void *target, void *target_rect);
HOOK int SDL_UpperBlit(void *source, void *source_rect, void *target, void *target_rect)
{
    struct blit blit = {.is_recorded = false};
    REAL(int, SDL_UpperBlit, void *, void *, void *, void *);
    if (enter()) blit_before(&blit, source, source_rect, target, target_rect);
    int result = real(source, source_rect, target, target_rect);
    blit_after(&blit, result);
    leave();
    return result;
}

HOOK int SDL_LowerBlit(void *source, void *source_rect, void *target, void *target_rect);
HOOK int SDL_LowerBlit(void *source, void *source_rect, void *target, void *target_rect)
{
    struct blit blit = {.is_recorded = false};
    REAL(int, SDL_LowerBlit, void *, void *, void *, void *);
    if (enter()) blit_before(&blit, source, source_rect, target, target_rect);
    int result = real(source, source_rect, target, target_rect);
    blit_after(&blit, result);
    leave();
    return result;
}

/* ------------------------------------------------------------------ fills */

HOOK int SDL_FillRect(void *target, void *rect, uint32_t colour);
HOOK int SDL_FillRect(void *target, void *rect, uint32_t colour)
{
    struct view view;
    struct area area;
    REAL(int, SDL_FillRect, void *, void *, uint32_t);
    bool is_recorded = enter() && view_make(&view, target) && clip_fill(&view, rect, &area);
    int result = real(target, rect, colour);
    if (is_recorded && result == 0) tracker_fill(&view, &area, colour);
    leave();
    return result;
}

/* SDL 2 only. */
HOOK int SDL_FillRects(void *target, const void *rects, int count, uint32_t colour);
HOOK int SDL_FillRects(void *target, const void *rects, int count, uint32_t colour)
{
    const struct sdl2_rect *list = rects;
    struct view view;
    struct area area;
    REAL(int, SDL_FillRects, void *, const void *, int, uint32_t);
    bool is_recorded = enter() && view_make(&view, target) && rects != NULL;
    int result = real(target, rects, count, colour);
    for (int i = 0; is_recorded && result == 0 && i < count; i++)
        if (clip_fill(&view, &list[i], &area)) tracker_fill(&view, &area, colour);
    leave();
    return result;
}

/* ------------------------------------------------------------------ presents */

static void present(void *surface)
{
    struct view view;
    if (!view_make(&view, surface)) {
        link_see(SEEN_UNSEEABLE);
        return;
    }
    uint32_t number = tracker_present(&view);
    if (number == 0) return;
    events_push(number);
    if (number != link_attach()->frame_limit) return;
    fflush(NULL);
    _exit(0); /* the program is in the middle of a frame: nothing of it may run again */
}

HOOK int SDL_Flip(void *screen);
HOOK int SDL_Flip(void *screen)
{
    REAL(int, SDL_Flip, void *);
    if (enter_present()) present(screen);
    int result = real(screen);
    leave();
    return result;
}

HOOK void SDL_UpdateRects(void *screen, int count, void *rects);
HOOK void SDL_UpdateRects(void *screen, int count, void *rects)
{
    REAL(void, SDL_UpdateRects, void *, int, void *);
    if (enter_present() && count > 0) present(screen);
    real(screen, count, rects);
    leave();
}

HOOK void SDL_UpdateRect(void *screen, int32_t x, int32_t y, uint32_t width, uint32_t height);
HOOK void SDL_UpdateRect(void *screen, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    REAL(void, SDL_UpdateRect, void *, int32_t, int32_t, uint32_t, uint32_t);
    if (enter_present()) present(screen);
    real(screen, x, y, width, height);
    leave();
}

static void *window_surface(void *window)
{
    REAL(void *, SDL_GetWindowSurface, void *);
    return real != NULL ? real(window) : NULL;
}

HOOK int SDL_UpdateWindowSurface(void *window);
HOOK int SDL_UpdateWindowSurface(void *window)
{
    REAL(int, SDL_UpdateWindowSurface, void *);
    if (enter_present()) present(window_surface(window));
    int result = real(window);
    leave();
    return result;
}

HOOK int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count);
HOOK int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    REAL(int, SDL_UpdateWindowSurfaceRects, void *, const void *, int);
    if (enter_present() && count > 0) present(window_surface(window));
    int result = real(window, rects, count);
    leave();
    return result;
}

/* ------------------------------------------------------------------ screens, and what is not recorded */

HOOK int SDL_Init(uint32_t flags);
HOOK int SDL_Init(uint32_t flags)
{
    REAL(int, SDL_Init, uint32_t);
    link_see(SEEN_SDL);
    return real(flags);
}

HOOK void *SDL_SetVideoMode(int width, int height, int bits, uint32_t flags);
HOOK void *SDL_SetVideoMode(int width, int height, int bits, uint32_t flags)
{
    REAL(void *, SDL_SetVideoMode, int, int, int, uint32_t);
    void *screen = real(width, height, bits, flags);
    if (screen != NULL) link_has_screen();
    return screen;
}

HOOK void *SDL_GetWindowSurface(void *window);
HOOK void *SDL_GetWindowSurface(void *window)
{
    void *surface = window_surface(window);
    if (surface != NULL) link_has_screen();
    return surface;
}

HOOK void SDL_RenderPresent(void *renderer);
HOOK void SDL_RenderPresent(void *renderer)
{
    REAL(void, SDL_RenderPresent, void *);
    link_see(SEEN_RENDERER);
    real(renderer);
}

HOOK void SDL_GL_SwapWindow(void *window);
HOOK void SDL_GL_SwapWindow(void *window)
{
    REAL(void, SDL_GL_SwapWindow, void *);
    link_see(SEEN_OPENGL);
    real(window);
}

HOOK void SDL_GL_SwapBuffers(void);
HOOK void SDL_GL_SwapBuffers(void)
{
    REAL(void, SDL_GL_SwapBuffers, void);
    link_see(SEEN_OPENGL);
    real();
}

HOOK int SDL_DisplayYUVOverlay(void *overlay, void *rect);
HOOK int SDL_DisplayYUVOverlay(void *overlay, void *rect)
{
    REAL(int, SDL_DisplayYUVOverlay, void *, void *);
    link_see(SEEN_OVERLAY);
    return real(overlay, rect);
}

/* ------------------------------------------------------------------ lives and attributes of surfaces */

HOOK void SDL_FreeSurface(void *surface);
HOOK void SDL_FreeSurface(void *surface)
{
    REAL(void, SDL_FreeSurface, void *);
    if (enter() && surface != NULL) {
        int references = sdl_version() == SDL_2 ? ((const struct sdl2_surface *)surface)->references
                                                : ((const struct sdl1_surface *)surface)->references;
        if (references <= 1) tracker_forget(surface);
    }
    real(surface);
    leave();
}

HOOK int SDL_SetColorKey(void *surface, uint32_t flag, uint32_t key);
HOOK int SDL_SetColorKey(void *surface, uint32_t flag, uint32_t key)
{
    REAL(int, SDL_SetColorKey, void *, uint32_t, uint32_t);
    if (sdl_version() == SDL_2) flag = flag != 0;
    if (sdl_version() == SDL_1_2) flag &= ~(uint32_t)SDL1_RLEACCEL;
    return real(surface, flag, key);
}

HOOK int SDL_SetAlpha(void *surface, uint32_t flag, uint8_t alpha);
HOOK int SDL_SetAlpha(void *surface, uint32_t flag, uint8_t alpha)
{
    REAL(int, SDL_SetAlpha, void *, uint32_t, uint8_t);
    return real(surface, flag & ~(uint32_t)SDL1_RLEACCEL, alpha);
}

HOOK int SDL_SetSurfaceRLE(void *surface, int flag);
HOOK int SDL_SetSurfaceRLE(void *surface, int flag)
{
    REAL(int, SDL_SetSurfaceRLE, void *, int);
    (void)flag;
    return real(surface, 0);
}

/* ------------------------------------------------------------------ mouse and keyboard, for events.h */

HOOK uint32_t SDL_GetMouseState(int *x, int *y);
HOOK uint32_t SDL_GetMouseState(int *x, int *y)
{
    int position[2];
    REAL(uint32_t, SDL_GetMouseState, int *, int *);
    uint32_t buttons = real(x, y);
    if (!events_mouse(position, &buttons)) return buttons;
    if (x != NULL) *x = position[0];
    if (y != NULL) *y = position[1];
    return buttons;
}

enum { KEYS = 512 };

static uint8_t *key_state(const uint8_t *now, int count)
{
    static uint8_t keys[KEYS];
    memcpy(keys, now, (size_t)(count < KEYS ? count : KEYS));
    events_keys(keys, KEYS);
    return keys;
}

HOOK uint8_t *SDL_GetKeyState(int *count);
HOOK uint8_t *SDL_GetKeyState(int *count)
{
    int own = 0;
    REAL(uint8_t *, SDL_GetKeyState, int *);
    const uint8_t *now = real(&own);
    if (count != NULL) *count = own;
    return key_state(now, own);
}

HOOK const uint8_t *SDL_GetKeyboardState(int *count);
HOOK const uint8_t *SDL_GetKeyboardState(int *count)
{
    int own = 0;
    REAL(const uint8_t *, SDL_GetKeyboardState, int *);
    const uint8_t *now = real(&own);
    if (count != NULL) *count = own;
    return key_state(now, own);
}
