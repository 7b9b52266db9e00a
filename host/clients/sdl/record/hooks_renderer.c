/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of SDL 2's renderer, in front of SDL's own (see hooks.c). Each says what it is going to draw, lets SDL
 * draw it at once, and has it recorded. Textures need little: what is written to them is found by comparison.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/hook.h"
#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/steps.h"

/* ------------------------------------------------------------------ renderers */

/* SDL 2: window, index, flags. SDL 3 has a name as its second, which is passed on. */
HOOK void *SDL_CreateRenderer(void *window, uintptr_t index, uint32_t flags);
HOOK void *SDL_CreateRenderer(void *window, uintptr_t index, uint32_t flags)
{
    enum { SOFTWARE = 1, VSYNC = 4, TARGETS = 8 };
    const uintptr_t any = UINTPTR_MAX;
    REAL(void *, SDL_CreateRenderer, void *, uintptr_t, uint32_t);
    bool is_recorded = link_attach() != NULL && sdl_version() != SDL_3;
    if (is_recorded) renderer_force();
    void *renderer = is_recorded ? real(window, any, (flags & TARGETS) | SOFTWARE) : real(window, index, flags);
    if (is_recorded && renderer != NULL) {
        (void)hook_enter_present();
        renderer_add(renderer, window, NULL);
        hook_leave();
    }
    return renderer;
}

/* SDL 2: width, height, flags, window, renderer. SDL 3 has one more, which is passed on; all six are words. */
HOOK int SDL_CreateWindowAndRenderer(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f);
HOOK int SDL_CreateWindowAndRenderer(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f)
{
    REAL(int, SDL_CreateWindowAndRenderer, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    if (sdl_version() == SDL_3) return real(a, b, c, d, e, f);
    renderer_force();
    int result = real(a, b, c, d, e, f);
    if (link_attach() != NULL && result == 0) {
        void **window = (void **)d, **renderer = (void **)e;
        (void)hook_enter_present();
        renderer_add(*renderer, *window, NULL);
        hook_leave();
    }
    return result;
}

HOOK void *SDL_CreateSoftwareRenderer(void *surface);
HOOK void *SDL_CreateSoftwareRenderer(void *surface)
{
    REAL(void *, SDL_CreateSoftwareRenderer, void *);
    void *renderer = real(surface);
    (void)hook_enter();
    if (link_attach() != NULL && sdl_version() != SDL_3) renderer_add(renderer, NULL, surface);
    hook_leave();
    return renderer;
}

HOOK void SDL_DestroyRenderer(void *renderer);
HOOK void SDL_DestroyRenderer(void *renderer)
{
    REAL(void, SDL_DestroyRenderer, void *);
    if (hook_enter()) renderer_remove(renderer);
    real(renderer);
    hook_leave();
}

/* With its window SDL destroys a renderer and its textures, and at the end all of them. */
HOOK void SDL_DestroyWindow(void *window);
HOOK void SDL_DestroyWindow(void *window)
{
    REAL(void, SDL_DestroyWindow, void *);
    if (hook_enter() && window != NULL) {
        renderer_remove(renderer_of(window));
        screens_forget(window);
    }
    real(window);
    hook_leave();
}

static void forget_renderers(void)
{
    for (void *renderer; hook_enter() && (renderer = renderer_of(NULL)) != NULL; hook_leave())
        renderer_remove(renderer);
    hook_leave();
    if (hook_enter()) screens_forget(NULL);
    hook_leave();
}

HOOK void SDL_VideoQuit(void);
HOOK void SDL_VideoQuit(void)
{
    REAL(void, SDL_VideoQuit, void);
    forget_renderers();
    events_pause(true);
    real();
    events_pause(false);
}

HOOK void SDL_QuitSubSystem(uint32_t flags);
HOOK void SDL_QuitSubSystem(uint32_t flags)
{
    enum { VIDEO = 0x20 };
    REAL(void, SDL_QuitSubSystem, uint32_t);
    if ((flags & VIDEO) != 0) forget_renderers();
    events_pause(true);
    real(flags);
    events_pause(false);
}

HOOK void SDL_Quit(void);
HOOK void SDL_Quit(void)
{
    REAL(void, SDL_Quit, void);
    forget_renderers();
    events_pause(true);
    real();
    events_pause(false);
}

/* Nothing waits for a display. */
HOOK int SDL_RenderSetVSync(void *renderer, int vsync);
HOOK int SDL_RenderSetVSync(void *renderer, int vsync)
{
    REAL(int, SDL_RenderSetVSync, void *, int);
    return real(renderer, link_attach() != NULL ? 0 : vsync);
}

/* SDL 2 has no result; that of SDL 3 is passed on. */
HOOK int SDL_RenderPresent(void *renderer);
HOOK int SDL_RenderPresent(void *renderer)
{
    REAL(int, SDL_RenderPresent, void *);
    bool is_shown = !renderer_is_hidden(renderer);
    if (is_shown ? hook_enter_present() : hook_enter() && is_shown) {
        void *screen = renderer_screen(renderer);
        if (screen != NULL) {
            renderer_flush(renderer);
            hook_present(screen);
        } else {
            link_see(SEEN_RENDERER);
        }
    }
    int result = real(renderer);
    hook_leave();
    return result;
}

/* ------------------------------------------------------------------ textures */

HOOK void *SDL_CreateTexture(void *renderer, uint32_t format, int access, int width, int height);
HOOK void *SDL_CreateTexture(void *renderer, uint32_t format, int access, int width, int height)
{
    REAL(void *, SDL_CreateTexture, void *, uint32_t, int, int, int);
    void *texture = real(renderer, format, access, width, height);
    if (hook_enter()) texture_add(renderer, texture);
    hook_leave();
    return texture;
}

HOOK void *SDL_CreateTextureFromSurface(void *renderer, void *surface);
HOOK void *SDL_CreateTextureFromSurface(void *renderer, void *surface)
{
    REAL(void *, SDL_CreateTextureFromSurface, void *, void *);
    bool is_recorded = hook_enter();
    void *ordered = is_recorded && renderer_is_seen(renderer) ? texture_ordered(surface) : NULL;
    void *texture = real(renderer, ordered != NULL ? ordered : surface);
    if (is_recorded) texture_add(renderer, texture);
    texture_free_ordered(ordered);
    hook_leave();
    return texture;
}

HOOK void SDL_DestroyTexture(void *texture);
HOOK void SDL_DestroyTexture(void *texture)
{
    REAL(void, SDL_DestroyTexture, void *);
    if (hook_enter()) texture_remove(texture);
    real(texture);
    hook_leave();
}

HOOK int SDL_LockTextureToSurface(void *texture, const void *rect, void **surface);
HOOK int SDL_LockTextureToSurface(void *texture, const void *rect, void **surface)
{
    REAL(int, SDL_LockTextureToSurface, void *, const void *, void **);
    int result = real(texture, rect, surface);
    if (hook_enter() && result == 0) texture_lock(texture, *surface);
    hook_leave();
    return result;
}

HOOK void SDL_UnlockTexture(void *texture);
HOOK void SDL_UnlockTexture(void *texture)
{
    REAL(void, SDL_UnlockTexture, void *);
    if (hook_enter()) texture_unlock(texture);
    real(texture);
    hook_leave();
}

/* What a texture takes over of a surface as it is: a copy. */
static bool takes_over(struct view *from, struct view *to, void *texture, const void *pixels, int pitch)
{
    return pitch > 0 && tracker_find(from, pixels, (uint32_t)pitch) && texture_takes(to, from, texture);
}

static void take_over(struct view *from, struct view *to, const void *rect, const void *pixels)
{
    struct sdl2_rect area = {0, 0, to->width, to->height};
    (void)rect_get(rect, &area);
    const size_t at = (size_t)((const uint8_t *)pixels - from->pixels);
    const struct sdl2_rect part = {(int)(at % from->pitch / from->unit_bytes), (int)(at / from->pitch), area.width,
                                   area.height};
    steps_begin(to);
    steps_blit(from, &part, area.x, area.y);
    steps_end();
}

HOOK int SDL_UpdateTexture(void *texture, const void *rect, const void *pixels, int pitch);
HOOK int SDL_UpdateTexture(void *texture, const void *rect, const void *pixels, int pitch)
{
    struct view from, to;
    REAL(int, SDL_UpdateTexture, void *, const void *, const void *, int);
    bool is_recorded = hook_enter() && takes_over(&from, &to, texture, pixels, pitch);
    int result = real(texture, rect, pixels, pitch);
    if (is_recorded && result == 0) take_over(&from, &to, rect, pixels);
    hook_leave();
    return result;
}

bool hook3_update(void *texture, const void *rect, const void *pixels, int pitch,
                  bool (*update)(void *, const void *, const void *, int))
{
    struct view from, to;
    bool is_recorded = hook3_enter() && takes_over(&from, &to, texture, pixels, pitch);
    bool result = update(texture, rect, pixels, pitch);
    if (is_recorded && result) take_over(&from, &to, rect, pixels);
    hook3_leave();
    return result;
}

/* ------------------------------------------------------------------ drawing */

/* Enter, and how the renderer draws. */
static bool begin(struct renderer_state *state, void *renderer)
{
    if (!hook_enter() || !renderer_look(state, renderer)) return false;
    steps_begin(&state->target);
    return true;
}

static void end(bool is_recorded, void *renderer, int result)
{
    if (is_recorded && result == 0) {
        renderer_flush(renderer);
        steps_end();
    }
    hook_leave();
}

/* A call that draws: its name, parameters and arguments, and what it plans with `state`. */
#define DRAWS(name, parameters, arguments, plan) \
    HOOK int name parameters; \
    HOOK int name parameters \
    { \
        struct renderer_state state; \
        static __typeof__(&(name)) real; \
        if (real == NULL) *(void **)&real = sdl_real(#name); \
        bool is_recorded = begin(&state, renderer); \
        if (is_recorded) { \
            plan; \
            steps_ready(); \
        } \
        int result = real arguments; \
        end(is_recorded, renderer, result); \
        return result; \
    }

static const struct sdl2_float_rect *widened(const struct sdl2_rect *rect, struct sdl2_float_rect *wide)
{
    if (rect == NULL) return NULL;
    *wide = (struct sdl2_float_rect){(float)rect->x, (float)rect->y, (float)rect->width, (float)rect->height};
    return wide;
}

static void fill_all(const struct renderer_state *state, const struct sdl2_rect *rects, int count)
{
    struct sdl2_float_rect wide;
    for (int i = 0; rects != NULL && i < count; i++) plan_fill(state, widened(&rects[i], &wide));
}

static void fill_all_wide(const struct renderer_state *state, const struct sdl2_float_rect *rects, int count)
{
    for (int i = 0; rects != NULL && i < count; i++) plan_fill(state, &rects[i]);
}

static void outline(const struct renderer_state *state, const struct sdl2_rect *rect)
{
    struct sdl2_float_rect wide;
    plan_outline(state, widened(rect, &wide));
}

static void outline_all(const struct renderer_state *state, const struct sdl2_rect *rects, int count)
{
    for (int i = 0; rects != NULL && i < count; i++) outline(state, &rects[i]);
}

static void outline_all_wide(const struct renderer_state *state, const struct sdl2_float_rect *rects, int count)
{
    for (int i = 0; rects != NULL && i < count; i++) plan_outline(state, &rects[i]);
}

/* Points of whole numbers, for a plan of others. */
static void with_points(const struct renderer_state *state, const struct sdl2_point *points, int count,
                        void (*plan)(const struct renderer_state *, const struct sdl2_float_point *, int))
{
    struct sdl2_float_point *wide = points != NULL && count > 0 ? malloc((size_t)count * sizeof *wide) : NULL;
    for (int i = 0; wide != NULL && i < count; i++)
        wide[i] = (struct sdl2_float_point){(float)points[i].x, (float)points[i].y};
    if (wide != NULL) plan(state, wide, count);
    free(wide);
}

static void line(const struct renderer_state *state, float x1, float y1, float x2, float y2)
{
    plan_lines(state, (const struct sdl2_float_point[]){{x1, y1}, {x2, y2}}, 2);
}

static void copy(const struct renderer_state *state, void *texture, const void *source, const struct sdl2_rect *rect)
{
    struct sdl2_float_rect wide;
    plan_copy(state, texture, source, widened(rect, &wide));
}

/* SDL's own rule of what is a plain copy. */
static bool is_turned(double angle, int flip) { return flip != 0 || (int)(angle / 360) != angle / 360; }

static void turned_copy(const struct renderer_state *state, void *texture, const struct sdl2_rect *source,
                        const struct sdl2_float_rect *rect, double angle, const struct sdl2_float_point *centre,
                        int flip)
{
    const struct plan_turn turn = {angle, centre, flip};
    if (is_turned(angle, flip)) plan_turned(state, texture, source, rect, &turn);
    else plan_copy(state, texture, source, rect);
}

static const struct sdl2_float_point *floated(const struct sdl2_point *point, struct sdl2_float_point *wide)
{
    if (point == NULL) return NULL;
    *wide = (struct sdl2_float_point){(float)point->x, (float)point->y};
    return wide;
}

DRAWS(SDL_RenderClear, (void *renderer), (renderer), plan_clear(&state))
DRAWS(SDL_RenderFillRect, (void *renderer, const struct sdl2_rect *rect), (renderer, rect), struct sdl2_float_rect wide;
      plan_fill(&state, widened(rect, &wide)))
DRAWS(SDL_RenderFillRectF, (void *renderer, const struct sdl2_float_rect *rect), (renderer, rect),
      plan_fill(&state, rect))
DRAWS(SDL_RenderFillRects, (void *renderer, const struct sdl2_rect *rects, int count), (renderer, rects, count),
      fill_all(&state, rects, count))
DRAWS(SDL_RenderFillRectsF, (void *renderer, const struct sdl2_float_rect *rects, int count), (renderer, rects, count),
      fill_all_wide(&state, rects, count))
DRAWS(SDL_RenderDrawRect, (void *renderer, const struct sdl2_rect *rect), (renderer, rect), outline(&state, rect))
DRAWS(SDL_RenderDrawRectF, (void *renderer, const struct sdl2_float_rect *rect), (renderer, rect),
      plan_outline(&state, rect))
DRAWS(SDL_RenderDrawRects, (void *renderer, const struct sdl2_rect *rects, int count), (renderer, rects, count),
      outline_all(&state, rects, count))
DRAWS(SDL_RenderDrawRectsF, (void *renderer, const struct sdl2_float_rect *rects, int count), (renderer, rects, count),
      outline_all_wide(&state, rects, count))
DRAWS(SDL_RenderDrawPoint, (void *renderer, int x, int y), (renderer, x, y),
      with_points(&state, &(struct sdl2_point){x, y}, 1, plan_points))
DRAWS(SDL_RenderDrawPointF, (void *renderer, float x, float y), (renderer, x, y),
      plan_points(&state, &(struct sdl2_float_point){x, y}, 1))
DRAWS(SDL_RenderDrawPoints, (void *renderer, const struct sdl2_point *points, int count), (renderer, points, count),
      with_points(&state, points, count, plan_points))
DRAWS(SDL_RenderDrawPointsF, (void *renderer, const struct sdl2_float_point *points, int count),
      (renderer, points, count), plan_points(&state, points, points != NULL ? count : 0))
DRAWS(SDL_RenderDrawLine, (void *renderer, int x1, int y1, int x2, int y2), (renderer, x1, y1, x2, y2),
      line(&state, (float)x1, (float)y1, (float)x2, (float)y2))
DRAWS(SDL_RenderDrawLineF, (void *renderer, float x1, float y1, float x2, float y2), (renderer, x1, y1, x2, y2),
      line(&state, x1, y1, x2, y2))
DRAWS(SDL_RenderDrawLines, (void *renderer, const struct sdl2_point *points, int count), (renderer, points, count),
      with_points(&state, points, count, plan_lines))
DRAWS(SDL_RenderDrawLinesF, (void *renderer, const struct sdl2_float_point *points, int count),
      (renderer, points, count), plan_lines(&state, points, points != NULL ? count : 0))
DRAWS(SDL_RenderCopy, (void *renderer, void *texture, const struct sdl2_rect *source, const struct sdl2_rect *rect),
      (renderer, texture, source, rect), copy(&state, texture, source, rect))
DRAWS(SDL_RenderCopyF,
      (void *renderer, void *texture, const struct sdl2_rect *source, const struct sdl2_float_rect *rect),
      (renderer, texture, source, rect), plan_copy(&state, texture, source, rect))
DRAWS(SDL_RenderCopyEx,
      (void *renderer, void *texture, const struct sdl2_rect *source, const struct sdl2_rect *rect, double angle,
       const struct sdl2_point *centre, int flip),
      (renderer, texture, source, rect, angle, centre, flip), struct sdl2_float_rect wide;
      turned_copy(&state, texture, source, widened(rect, &wide), angle,
                  floated(centre, &(struct sdl2_float_point){0, 0}), flip))
DRAWS(SDL_RenderCopyExF,
      (void *renderer, void *texture, const struct sdl2_rect *source, const struct sdl2_float_rect *rect, double angle,
       const struct sdl2_float_point *centre, int flip),
      (renderer, texture, source, rect, angle, centre, flip),
      turned_copy(&state, texture, source, rect, angle, centre, flip))

static void triangles(const struct renderer_state *state, void *texture, const struct plan_triangles *list)
{
    if (list->at != NULL && list->colour != NULL && (texture == NULL || list->texture != NULL) && list->vertices >= 3)
        plan_triangles(state, texture, list);
}

static void vertices(const struct renderer_state *state, void *texture, const struct sdl2_vertex *list, int count,
                     const int *indices, int index_count)
{
    enum { STRIDE = sizeof(struct sdl2_vertex) };
    if (list == NULL) return;
    const struct plan_triangles all = {&list->at,
                                       &list->red,
                                       texture != NULL ? &list->texture : NULL,
                                       STRIDE,
                                       STRIDE,
                                       STRIDE,
                                       count,
                                       indices,
                                       indices != NULL ? index_count : count,
                                       (int)sizeof *indices};
    triangles(state, texture, &all);
}

DRAWS(SDL_RenderGeometry,
      (void *renderer, void *texture, const struct sdl2_vertex *list, int count, const int *indices, int index_count),
      (renderer, texture, list, count, indices, index_count),
      vertices(&state, texture, list, count, indices, index_count))
DRAWS(SDL_RenderGeometryRaw,
      (void *renderer, void *texture, const float *at, int at_stride, const void *colour, int colour_stride,
       const float *uv, int uv_stride, int count, const void *indices, int index_count, int index_bytes),
      (renderer, texture, at, at_stride, colour, colour_stride, uv, uv_stride, count, indices, index_count,
       index_bytes),
      triangles(&state, texture,
                &(struct plan_triangles){at, colour, texture != NULL ? uv : NULL, at_stride, colour_stride, uv_stride,
                                         count, indices, indices != NULL ? index_count : count, index_bytes}))
