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

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/hook.h"
#include "clients/sdl/record/renderer.h"
#include "clients/sdl/record/steps.h"

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
    return is_good = events_start() && tracker_open(link_attach());
}

/* A process that does not record takes no lock, which it may have inherited from the one that does. */
bool hook3_enter(void)
{
    if (depth++ != 0 || !link_is_ours()) return false;
    pthread_mutex_lock(&lock);
    is_locked = true;
    const bool is_good = set_up();
    events_enter();
    return is_good;
}

bool hook3_enter_present(void)
{
    if (depth == 0) link_has_screen();
    return hook3_enter();
}

void hook_screen(void)
{
    link_has_screen();
    if (link_is_ours()) (void)events_start();
}

void hook3_leave(void)
{
    if (--depth != 0 || !is_locked) return;
    is_locked = false;
    events_leave();
    pthread_mutex_unlock(&lock);
}

bool hook_enter(void) { return sdl_version() != SDL_3 && hook3_enter(); }

bool hook_enter_present(void) { return sdl_version() != SDL_3 && hook3_enter_present(); }

void hook_leave(void)
{
    if (sdl_version() != SDL_3) hook3_leave();
}

/* ------------------------------------------------------------------ blits */

struct blit {
    struct view source, target;
    struct area area;
    struct recording_event event; /* mode and modulations */
    int32_t source_x, source_y;
    bool is_recorded;
    bool is_stepped; /* by steps.h */
};

/* What one operation does not express, two may; of surfaces of SDL 2 and 3 without palettes. */
static bool has_steps(const struct blit *blit, enum recording_reason reason)
{
    bool is_hopeful = reason == REASON_COLOURED || reason == REASON_ALPHA_TWICE || reason == REASON_ALPHA_ONTO ||
                      reason == REASON_BYTES;
    return is_hopeful && sdl_version() != SDL_1_2 && blit->source.palette == NULL && blit->target.palette == NULL &&
           blit->source.surface != blit->target.surface;
}

static void plan_steps(const struct blit *blit)
{
    const struct sdl2_rect from = {blit->source_x, blit->source_y, blit->area.width, blit->area.height};
    steps_begin(&blit->target);
    steps_blit(&blit->source, &from, blit->area.x, blit->area.y);
    steps_ready();
}

/* SDL 1.2 alone copies with an alpha of its own. */
static bool gives_alpha(const struct blit *blit)
{
    return sdl_version() == SDL_1_2 && recording_unkeyed(blit->event.mode) == RECORDING_COPY &&
           blit->event.alpha != 255;
}

/* What this SDL draws otherwise than the GPU, if that matters. */
static enum recording_reason inexact(struct blit *blit)
{
    const struct area from = {blit->source_x, blit->source_y, blit->area.width, blit->area.height};
    if (!link_attach()->drawn.is_exact && sdl_version() != SDL_3) return REASON_NONE;
    enum recording_reason reason = blit_inexact(&blit->source, &blit->target, &blit->event);
    bool is_hopeful = reason == REASON_ROUNDED && blit->event.mode == RECORDING_BLEND &&
                      view_format(&blit->source) == RECORDING_ARGB8888 &&
                      view_format(&blit->target) == RECORDING_XRGB8888 && blit->target.palette == NULL &&
                      !blit_is_reordered(&blit->source) && !blit_is_reordered(&blit->target);
    return is_hopeful && blit_find_key(&blit->source, &from, &blit->event) ? REASON_NONE : reason;
}

/* A source with a palette is recorded as indices as long as it is read alone, and as indices serve. */
static enum recording_reason classify(struct blit *blit)
{
    struct view *source = &blit->source;
    source->is_indexed =
        source->palette != NULL && source->surface != blit->target.surface && tracker_is_read_alone(source->surface);
    enum recording_reason reason = blit_classify(source, &blit->target, &blit->event);
    if (reason != REASON_INDEXED) return reason;
    source->is_indexed = false;
    return blit_classify(source, &blit->target, &blit->event);
}

/* SDL 2 draws a surface that blends onto itself unit by unit, although all of it is opaque; a copy it moves. */
static bool smears(const struct blit *blit)
{
    const struct area *to = &blit->area;
    const int32_t across = blit->source_x - to->x, down = blit->source_y - to->y;
    const bool is_apart = abs(across) >= to->width || abs(down) >= to->height;
    return blit->source.surface == blit->target.surface && sdl_version() == SDL_2 && !is_apart &&
           blit->source.mode != RECORDING_COPY;
}

static void blit_before(struct blit *blit, void *source, const void *source_rect, void *target, const void *target_rect)
{
    blit->is_recorded = blit->is_stepped = false;
    if (!texture_target(&blit->target, target)) return;
    const struct area all = {0, 0, blit->target.width, blit->target.height};
    bool is_seen = view_make(&blit->source, source);
    if (is_seen && !blit_clip(&blit->source, source_rect, &blit->target, target_rect, &blit->area, &blit->source_x,
                              &blit->source_y))
        return;
    enum recording_reason reason = is_seen ? classify(blit) : REASON_UNSEEN;
    const enum recording_reason width = is_seen ? blit_width(&blit->source, &blit->target, &blit->event) : REASON_NONE;
    if (width != REASON_NONE) reason = width;
    if (reason == REASON_NONE && smears(blit)) reason = REASON_ITSELF;
    if (reason == REASON_NONE) reason = inexact(blit);
    if (reason != REASON_NONE) {
        blit->is_stepped = has_steps(blit, reason);
        if (blit->is_stepped) plan_steps(blit);
        else tracker_leave(&blit->target, is_seen ? &blit->area : &all, reason);
        return;
    }
    const struct area from = {blit->source_x, blit->source_y, blit->area.width, blit->area.height};
    blit->is_recorded = tracker_sync(&blit->source, &from);
    if (blit->is_recorded && (blit->event.mode != RECORDING_COPY || gives_alpha(blit)))
        blit->is_recorded = tracker_sync(&blit->target, &blit->area);
}

/* What SDL 1.2 is expected to have drawn; if it has drawn something else, that is found. */
static void expect_alpha(const struct blit *blit)
{
    const struct view *source = &blit->source;
    const struct area *area = &blit->area;
    const uint32_t colours = source->red | source->green | source->blue;
    struct conversion conversion;
    uint32_t row_bytes = 0;
    uint8_t *shadow =
        tracker_expect_blit(&blit->target, area, source, blit->source_x, blit->source_y, &blit->event, &row_bytes);
    conversion_make(&conversion, source);
    for (int32_t y = 0; shadow != NULL && y < area->height; y++) {
        const uint8_t *from =
            source->pixels + (size_t)(blit->source_y + y) * source->pitch + (size_t)blit->source_x * source->unit_bytes;
        uint8_t *to = shadow + (size_t)(area->y + y) * row_bytes + (size_t)area->x * 4u;
        for (int32_t x = 0; x < area->width; x++, from += source->unit_bytes, to += 4) {
            uint32_t raw = 0;
            memcpy(&raw, from, source->unit_bytes);
            bool is_key = source->palette != NULL ? raw == source->key : ((raw ^ source->key) & colours) == 0;
            if (recording_is_keyed(blit->event.mode) && is_key) continue;
            raw = (conversion_unit(&conversion, raw) & 0xffffffu) | blit->event.alpha << 24;
            memcpy(to, &raw, 4);
        }
    }
    if (!tracker_agree(&blit->target, area, REASON_CONSTANT_ALPHA)) tracker_count_pixels(REASON_CONSTANT_ALPHA);
}

/* Where SDL has drawn units that have the key's colour, that is found. */
static void expect_keyed(const struct blit *blit)
{
    const struct view *source = &blit->source, *target = &blit->target;
    const struct area *area = &blit->area;
    const uint32_t colours = source->red | source->green | source->blue;
    uint32_t row_bytes = 0;
    uint8_t *shadow =
        tracker_expect_blit(target, area, source, blit->source_x, blit->source_y, &blit->event, &row_bytes);
    for (int32_t y = 0; shadow != NULL && y < area->height; y++) {
        const uint8_t *from =
            source->pixels + (size_t)(blit->source_y + y) * source->pitch + (size_t)blit->source_x * source->unit_bytes;
        const size_t left = (size_t)area->x * target->unit_bytes;
        const uint8_t *drawn = target->pixels + (size_t)(area->y + y) * target->pitch + left;
        uint8_t *to = shadow + (size_t)(area->y + y) * row_bytes + left;
        for (int32_t x = 0; x < area->width; x++) {
            uint32_t raw = 0;
            memcpy(&raw, from, source->unit_bytes);
            if (raw == source->key || ((raw ^ source->key) & colours) != 0) memcpy(to, drawn, target->unit_bytes);
            from += source->unit_bytes;
            drawn += target->unit_bytes;
            to += target->unit_bytes;
        }
    }
    if (!tracker_agree(target, area, REASON_KEY_BITS)) tracker_count_pixels(REASON_KEY_BITS);
}

static void blit_after(const struct blit *blit, int result)
{
    const struct area from = {blit->source_x, blit->source_y, blit->area.width, blit->area.height};
    if (blit->is_recorded && result == 0 && !gives_alpha(blit) && recording_is_keyed(blit->event.mode) &&
        blit_has_key_bits(&blit->source, &from))
        expect_keyed(blit);
    else if (blit->is_stepped && result == 0) steps_end();
    else if (blit->is_recorded && result == 0 && gives_alpha(blit)) expect_alpha(blit);
    else if (blit->is_recorded && result == 0)
        tracker_blit(&blit->target, &blit->area, &blit->source, blit->source_x, blit->source_y, &blit->event);
}

HOOK int SDL_UpperBlit(void *source, void *source_rect, void *target, void *target_rect);
HOOK int SDL_UpperBlit(void *source, void *source_rect, void *target, void *target_rect)
{
    struct blit blit = {.is_recorded = false};
    REAL(int, SDL_UpperBlit, void *, void *, void *, void *);
    if (hook_enter()) blit_before(&blit, source, source_rect, target, target_rect);
    int result = real(source, source_rect, target, target_rect);
    blit_after(&blit, result);
    hook_leave();
    return result;
}

HOOK int SDL_LowerBlit(void *source, void *source_rect, void *target, void *target_rect);
HOOK int SDL_LowerBlit(void *source, void *source_rect, void *target, void *target_rect)
{
    struct blit blit = {.is_recorded = false};
    REAL(int, SDL_LowerBlit, void *, void *, void *, void *);
    if (hook_enter()) blit_before(&blit, source, source_rect, target, target_rect);
    int result = real(source, source_rect, target, target_rect);
    blit_after(&blit, result);
    hook_leave();
    return result;
}

bool hook3_blit(void *source, const void *source_rect, void *target, const void *target_rect,
                bool (*draw)(void *, const void *, void *, const void *))
{
    struct blit blit = {.is_recorded = false};
    if (hook3_enter()) blit_before(&blit, source, source_rect, target, target_rect);
    bool result = draw(source, source_rect, target, target_rect);
    blit_after(&blit, result ? 0 : -1);
    hook3_leave();
    return result;
}

/* ------------------------------------------------------------------ fills */

HOOK int SDL_FillRect(void *target, void *rect, uint32_t colour);
HOOK int SDL_FillRect(void *target, void *rect, uint32_t colour)
{
    struct view view;
    struct area area;
    REAL(int, SDL_FillRect, void *, void *, uint32_t);
    bool is_recorded = hook_enter() && texture_target(&view, target) && fill_clip(&view, rect, &area);
    int result = real(target, rect, colour);
    if (is_recorded && result == 0) tracker_fill(&view, &area, colour);
    hook_leave();
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
    bool is_recorded = hook_enter() && texture_target(&view, target) && rects != NULL;
    int result = real(target, rects, count, colour);
    for (int i = 0; is_recorded && result == 0 && i < count; i++)
        if (fill_clip(&view, &list[i], &area)) tracker_fill(&view, &area, colour);
    hook_leave();
    return result;
}

/* ------------------------------------------------------------------ presents */

void hook_present(void *surface)
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
    if (hook_enter_present()) hook_present(screen);
    int result = real(screen);
    hook_leave();
    return result;
}

HOOK void SDL_UpdateRects(void *screen, int count, void *rects);
HOOK void SDL_UpdateRects(void *screen, int count, void *rects)
{
    REAL(void, SDL_UpdateRects, void *, int, void *);
    if (hook_enter_present() && count > 0) hook_present(screen);
    real(screen, count, rects);
    hook_leave();
}

HOOK void SDL_UpdateRect(void *screen, int32_t x, int32_t y, uint32_t width, uint32_t height);
HOOK void SDL_UpdateRect(void *screen, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    REAL(void, SDL_UpdateRect, void *, int32_t, int32_t, uint32_t, uint32_t);
    if (hook_enter_present()) hook_present(screen);
    real(screen, x, y, width, height);
    hook_leave();
}

static void *window_surface(void *window)
{
    REAL(void *, SDL_GetWindowSurface, void *);
    void *surface = real != NULL ? real(window) : NULL;
    if (hook_enter()) screen_is(window, surface);
    hook_leave();
    return surface;
}

/* Its surface is presented. */
static void show_window(void *window)
{
    void *surface = window_surface(window);
    screen_is(window, surface);
    hook_present(surface);
}

HOOK int SDL_UpdateWindowSurface(void *window);
HOOK int SDL_UpdateWindowSurface(void *window)
{
    REAL(int, SDL_UpdateWindowSurface, void *);
    if (hook_enter_present()) show_window(window);
    int result = real(window);
    hook_leave();
    return result;
}

HOOK int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count);
HOOK int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    REAL(int, SDL_UpdateWindowSurfaceRects, void *, const void *, int);
    if (hook_enter_present() && count > 0) show_window(window);
    int result = real(window, rects, count);
    hook_leave();
    return result;
}

/* ------------------------------------------------------------------ screens, and what is not recorded */

HOOK int SDL_Init(uint32_t flags);
HOOK int SDL_Init(uint32_t flags)
{
    REAL(int, SDL_Init, uint32_t);
    if (sdl_version() != SDL_NONE) link_see(SEEN_SDL);
    return real(flags);
}

HOOK void *SDL_SetVideoMode(int width, int height, int bits, uint32_t flags);
HOOK void *SDL_SetVideoMode(int width, int height, int bits, uint32_t flags)
{
    REAL(void *, SDL_SetVideoMode, int, int, int, uint32_t);
    void *screen = real(width, height, bits, flags);
    if (screen != NULL) hook_screen();
    if (hook_enter()) screen_is(NULL, screen);
    hook_leave();
    return screen;
}

HOOK void *SDL_GetWindowSurface(void *window);
HOOK void *SDL_GetWindowSurface(void *window)
{
    void *surface = window_surface(window);
    if (surface != NULL && sdl_version() != SDL_3) hook_screen();
    return surface;
}

/* SDL 2 has no result; that of SDL 3 is passed on. */
HOOK int SDL_GL_SwapWindow(void *window);
HOOK int SDL_GL_SwapWindow(void *window)
{
    REAL(int, SDL_GL_SwapWindow, void *);
    link_see(SEEN_OPENGL);
    return real(window);
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
    if (hook_enter() && surface != NULL) {
        texture_forget(surface);
        int references = sdl_version() == SDL_2 ? ((const struct sdl2_surface *)surface)->references
                                                : ((const struct sdl1_surface *)surface)->references;
        if (references <= 1) steps_forget(surface);
    }
    real(surface);
    hook_leave();
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
    return real(surface, sdl_version() == SDL_3 ? flag : 0);
}

/* ------------------------------------------------------------------ mouse and keyboard, for events.h */

HOOK uint32_t SDL_GetMouseState(int *x, int *y);
HOOK uint32_t SDL_GetMouseState(int *x, int *y)
{
    int position[2];
    REAL(uint32_t, SDL_GetMouseState, int *, int *);
    uint32_t buttons = real(x, y);
    if (sdl_version() == SDL_3 || !events_mouse(position, &buttons)) return buttons;
    if (x != NULL) *x = position[0];
    if (y != NULL) *y = position[1];
    return buttons;
}

enum { KEYS = 512 };

static uint8_t *key_state(const uint8_t *now, int count)
{
    static uint8_t keys[KEYS];
    memcpy(keys, now, (size_t)count < sizeof keys ? (size_t)count : sizeof keys);
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

/* Of SDL 3, too, whose hook has set the keys already. */
HOOK const uint8_t *SDL_GetKeyboardState(int *count);
HOOK const uint8_t *SDL_GetKeyboardState(int *count)
{
    int own = 0;
    REAL(const uint8_t *, SDL_GetKeyboardState, int *);
    const uint8_t *now = real(&own);
    if (count != NULL) *count = own;
    return key_state(now, own);
}
