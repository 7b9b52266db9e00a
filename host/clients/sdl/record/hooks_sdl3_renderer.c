/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of SDL 3's renderer, in front of SDL's own (sdl3.h), as hooks_renderer.c has those of SDL 2: each says
 * what it is going to draw, lets SDL draw it at once, and has it recorded.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/sdl3.h"
#include "clients/sdl/record/steps.h"

/* ------------------------------------------------------------------ renderers */

/* A renderer was made. */
static void *made(void *renderer, void *window, void *surface)
{
    if (renderer == NULL) return NULL;
    if (surface == NULL) (void)hook3_enter_present();
    else (void)hook3_enter();
    renderer_add(renderer, window, surface);
    hook3_leave();
    return renderer;
}

static void *create_renderer(void *window, const char *name)
{
    REAL_3(void *, CreateRenderer, void *, const char *);
    (void)name;
    renderer_force();
    return made(real(window, "software"), window, NULL);
}

static void *create_renderer_of(uint32_t properties)
{
    REAL_3(void *, CreateRendererWithProperties, uint32_t);
    void *(*pointer)(uint32_t, const char *, void *) = NULL;
    bool (*set_text)(uint32_t, const char *, const char *) = NULL;
    bool (*set_number)(uint32_t, const char *, int64_t) = NULL;
    *(void **)&pointer = sdl_function("SDL_GetPointerProperty");
    *(void **)&set_text = sdl_function("SDL_SetStringProperty");
    *(void **)&set_number = sdl_function("SDL_SetNumberProperty");
    renderer_force();
    void *surface = pointer(properties, "SDL.renderer.create.surface", NULL);
    void *window = pointer(properties, "SDL.renderer.create.window", NULL);
    (void)set_text(properties, "SDL.renderer.create.name", "software");
    (void)set_number(properties, "SDL.renderer.create.present_vsync", 0);
    return made(real(properties), window, surface);
}

static bool create_window_and_renderer(const char *title, int width, int height, uint64_t flags, void **window,
                                       void **renderer)
{
    REAL_3(bool, CreateWindowAndRenderer, const char *, int, int, uint64_t, void **, void **);
    renderer_force();
    bool result = real(title, width, height, flags, window, renderer);
    if (result) (void)made(*renderer, *window, NULL);
    return result;
}

static void *create_software_renderer(void *surface)
{
    REAL_3(void *, CreateSoftwareRenderer, void *);
    return made(real(surface), NULL, surface);
}

static void destroy_renderer(void *renderer)
{
    REAL_3(void, DestroyRenderer, void *);
    if (hook3_enter()) renderer_remove(renderer);
    real(renderer);
    hook3_leave();
}

/* With its renderer and its surface. */
static void destroy_window(void *window)
{
    REAL_3(void, DestroyWindow, void *);
    bool (*has_surface)(void *) = NULL;
    if (hook3_enter() && window != NULL) {
        *(void **)&has_surface = sdl_function("SDL_WindowHasSurface");
        void *(*surface_of)(void *) = (void *(*)(void *))sdl3_own(SDL3_GetWindowSurface);
        renderer_remove(renderer_of(window));
        if (has_surface(window)) steps_forget(surface_of(window));
    }
    real(window);
    hook3_leave();
}

/* With them SDL destroys all renderers and their textures. */
static void forget_renderers(void)
{
    if (hook3_enter())
        for (void *renderer; (renderer = renderer_of(NULL)) != NULL;) renderer_remove(renderer);
    hook3_leave();
}

static void quit(void)
{
    REAL_3(void, Quit, void);
    forget_renderers();
    real();
}

static void quit_subsystem(uint32_t flags)
{
    enum { VIDEO = 0x20 };
    REAL_3(void, QuitSubSystem, uint32_t);
    if ((flags & VIDEO) != 0) forget_renderers();
    real(flags);
}

/* Nothing waits for a display. */
static bool set_vsync(void *renderer, int vsync)
{
    REAL_3(bool, SetRenderVSync, void *, int);
    (void)vsync;
    return real(renderer, 0);
}

/* A bar of one colour that SDL has drawn there: a fill. */
static void record_bar(const struct view *view, int left, int top, int right, int bottom)
{
    const struct area area = {left, top, right - left, bottom - top};
    uint32_t raw = 0, unit = 0;
    if (area.width <= 0 || area.height <= 0) return;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const uint8_t *at = view->pixels + (size_t)y * view->pitch + (size_t)x * view->unit_bytes;
            memcpy(&unit, at, view->unit_bytes);
            if (x == left && y == top) raw = unit;
            if (unit != raw) return;
        }
    tracker_expect_fill(view, &area, raw);
    if (!tracker_agree(view, &area, REASON_OTHERWISE)) tracker_count_pixels(REASON_OTHERWISE);
}

/* Of the window, not of a texture that is the target now. */
static bool presentation_of(void *renderer, struct sdl2_float_rect *at)
{
    static bool (*presentation)(void *, int *, int *, int *);
    static bool (*place)(void *, struct sdl2_float_rect *);
    static void *(*target_of)(void *);
    static bool (*set_target)(void *, void *);
    int width = 0, height = 0, mode = 0;
    if (presentation == NULL) {
        *(void **)&place = sdl_function("SDL_GetRenderLogicalPresentationRect");
        *(void **)&target_of = sdl_function("SDL_GetRenderTarget");
        *(void **)&set_target = sdl_function("SDL_SetRenderTarget");
        *(void **)&presentation = sdl_function("SDL_GetRenderLogicalPresentation");
    }
    void *target = target_of(renderer);
    if (target != NULL) (void)set_target(renderer, NULL);
    const bool result = presentation(renderer, &width, &height, &mode) && mode != 0 && place(renderer, at);
    if (target != NULL) (void)set_target(renderer, target);
    return result;
}

/* May SDL draw while it presents? Then what differs before is the program's. */
static bool will_draw(void *renderer, void *screen)
{
    struct sdl2_float_rect at;
    struct view view;
    if (!presentation_of(renderer, &at)) return false;
    renderer_flush(renderer);
    return view_make(&view, screen) && view.palette == NULL &&
           tracker_sync(&view, &(struct area){0, 0, view.width, view.height});
}

/* The bars beside a logical size; what else differs is SDL's, too. */
static void record_bars(void *renderer, void *screen)
{
    struct sdl2_float_rect at = {0, 0, 0, 0};
    struct view view;
    if (!view_make(&view, screen)) return;
    const struct area all = {0, 0, view.width, view.height};
    if (presentation_of(renderer, &at) && at.x >= 0 && at.y >= 0) {
        const int left = (int)ceilf(at.x), top = (int)ceilf(at.y);
        const int right = (int)ceilf(at.x + at.width), bottom = (int)ceilf(at.y + at.height);
        record_bar(&view, 0, 0, left < view.width ? left : view.width, view.height);
        record_bar(&view, right, 0, view.width, view.height);
        record_bar(&view, 0, 0, view.width, top < view.height ? top : view.height);
        record_bar(&view, 0, bottom, view.width, view.height);
    }
    if (!tracker_agree(&view, &all, REASON_OTHERWISE)) tracker_count_pixels(REASON_OTHERWISE);
}

/* What SDL draws while it presents is in the frame, which is looked at afterwards. What the GPU has drawn of it
 * (tessera-live) is shown by a second update. A renderer of a surface of the program's shows nothing. */
static bool render_present(void *renderer)
{
    REAL_3(bool, RenderPresent, void *);
    bool (*update)(void *) = (bool (*)(void *))sdl3_own(SDL3_UpdateWindowSurface);
    static void *(*window_of)(void *);
    const bool is_shown = !renderer_is_hidden(renderer);
    const bool is_recorded = is_shown ? hook3_enter_present() : hook3_enter();
    void *screen = is_recorded ? renderer_screen(renderer) : NULL;
    const bool draws = screen != NULL && will_draw(renderer, screen);
    bool result = real(renderer);
    if (is_recorded && is_shown && screen == NULL) link_see(SEEN_RENDERER);
    if (screen != NULL) screen = renderer_screen(renderer);
    if (screen != NULL && draws) record_bars(renderer, screen);
    if (screen != NULL && is_shown) {
        hook_present(screen);
        if (window_of == NULL) *(void **)&window_of = sdl_function("SDL_GetRenderWindow");
        void *window = link_attach()->drawn.pictures[0] != 0 ? window_of(renderer) : NULL;
        if (window != NULL) (void)update(window);
    }
    hook3_leave();
    return result;
}

/* ------------------------------------------------------------------ textures */

static void *with_texture(void *renderer, void *texture)
{
    if (hook3_enter()) texture_add(renderer, texture);
    hook3_leave();
    return texture;
}

static void *create_texture(void *renderer, uint32_t format, int access, int width, int height)
{
    REAL_3(void *, CreateTexture, void *, uint32_t, int, int, int);
    return with_texture(renderer, real(renderer, format, access, width, height));
}

static void *create_texture_from(void *renderer, void *surface)
{
    REAL_3(void *, CreateTextureFromSurface, void *, void *);
    return with_texture(renderer, real(renderer, surface));
}

static void *create_texture_of(void *renderer, uint32_t properties)
{
    REAL_3(void *, CreateTextureWithProperties, void *, uint32_t);
    return with_texture(renderer, real(renderer, properties));
}

static void destroy_texture(void *texture)
{
    REAL_3(void, DestroyTexture, void *);
    if (hook3_enter()) texture_remove(texture);
    real(texture);
    hook3_leave();
}

static bool update_texture(void *texture, const void *rect, const void *pixels, int pitch)
{
    REAL_3(bool, UpdateTexture, void *, const void *, const void *, int);
    return hook3_update(texture, rect, pixels, pitch, real);
}

/* ------------------------------------------------------------------ drawing */

static bool begin(struct renderer_state *state, void *renderer)
{
    if (!hook3_enter() || !renderer_look(state, renderer)) return false;
    steps_begin(&state->target);
    return true;
}

static void end(bool is_recorded, void *renderer, bool result)
{
    if (is_recorded && result) {
        renderer_flush(renderer);
        steps_end();
    }
    hook3_leave();
}

/* A call that draws: its name, parameters and arguments, and what it plans with `state`. */
#define DRAWS(function, name, parameters, arguments, plan) \
    static bool function parameters \
    { \
        struct renderer_state state; \
        __typeof__(&(function)) real = (__typeof__(&(function)))sdl3_own(SDL3_##name); \
        bool is_recorded = begin(&state, renderer); \
        if (is_recorded) { \
            plan; \
            steps_ready(); \
        } \
        bool result = real arguments; \
        end(is_recorded, renderer, result); \
        return result; \
    }

static void fill_all(const struct renderer_state *state, const struct sdl2_float_rect *rects, int count)
{
    for (int i = 0; rects != NULL && i < count; i++) plan_fill(state, &rects[i]);
}

static void outline_all(const struct renderer_state *state, const struct sdl2_float_rect *rects, int count)
{
    for (int i = 0; rects != NULL && i < count; i++) plan_outline(state, &rects[i]);
}

/* Within the texture, and then rounded down, as SDL does. False: SDL draws nothing. */
static bool source_of(void *texture, const struct sdl2_float_rect *source, struct sdl2_rect *part)
{
    struct view view;
    if (!texture_view(&view, texture)) return true;
    struct sdl2_float_rect at = {0, 0, (float)view.width, (float)view.height};
    if (source != NULL) {
        const float right = fminf(source->x + source->width, at.width);
        const float bottom = fminf(source->y + source->height, at.height);
        at.x = fmaxf(source->x, 0);
        at.y = fmaxf(source->y, 0);
        at.width = right - at.x;
        at.height = bottom - at.y;
    }
    *part = (struct sdl2_rect){(int)at.x, (int)at.y, (int)at.width, (int)at.height};
    return at.width > 0 && at.height > 0;
}

static void copy(const struct renderer_state *state, void *texture, const struct sdl2_float_rect *source,
                 const struct sdl2_float_rect *rect)
{
    struct sdl2_rect part = {0, 0, 0, 0}; /* of an unknown texture, which is left to pixels */
    if (source_of(texture, source, &part)) plan_copy(state, texture, &part, rect);
}

static void copy_turned(const struct renderer_state *state, void *texture, const struct sdl2_float_rect *source,
                        const struct sdl2_float_rect *rect, const struct plan_turn *turn)
{
    struct sdl2_rect part = {0, 0, 0, 0}; /* of an unknown texture, which is left to pixels */
    if (!source_of(texture, source, &part)) return;
    if (turn->flip == 0 && (int)(turn->angle / 360) == turn->angle / 360) plan_copy(state, texture, &part, rect);
    else plan_turned(state, texture, &part, rect, turn);
}

static void leave(const struct renderer_state *state, enum recording_reason reason)
{
    steps_leave(&state->target.clip, reason);
}

/* Static textures without alpha are encoded by SDL, and what is half transparent of them looks otherwise then: encoded
 * for this call again. NULL: not so. */
static void *encode(void *texture)
{
    static uint32_t (*properties)(void *);
    static int64_t (*number)(uint32_t, const char *, int64_t);
    static bool (*set_rle)(void *, bool);
    struct view view;
    if (!texture_view(&view, texture) || view.alpha == 255 || view.alpha_mask != 0) return NULL;
    if (properties == NULL) {
        *(void **)&number = sdl_function("SDL_GetNumberProperty");
        *(void **)&set_rle = sdl_function("SDL_SetSurfaceRLE");
        *(void **)&properties = sdl_function("SDL_GetTextureProperties");
    }
    if (number(properties(texture), "SDL.texture.access", -1) != 0) return NULL;
    void *surface = texture_surface(texture);
    return set_rle(surface, true) ? surface : NULL;
}

DRAWS(render_clear, RenderClear, (void *renderer), (renderer), plan_clear(&state))
DRAWS(fill_rect, RenderFillRect, (void *renderer, const struct sdl2_float_rect *rect), (renderer, rect),
      plan_fill(&state, rect))
DRAWS(fill_rects, RenderFillRects, (void *renderer, const struct sdl2_float_rect *rects, int count),
      (renderer, rects, count), fill_all(&state, rects, count))
DRAWS(draw_rect, RenderRect, (void *renderer, const struct sdl2_float_rect *rect), (renderer, rect),
      plan_outline(&state, rect))
DRAWS(draw_rects, RenderRects, (void *renderer, const struct sdl2_float_rect *rects, int count),
      (renderer, rects, count), outline_all(&state, rects, count))
DRAWS(draw_point, RenderPoint, (void *renderer, float x, float y), (renderer, x, y),
      plan_points(&state, &(struct sdl2_float_point){x, y}, 1))
DRAWS(draw_points, RenderPoints, (void *renderer, const struct sdl2_float_point *points, int count),
      (renderer, points, count), plan_points(&state, points, points != NULL ? count : 0))
DRAWS(draw_line, RenderLine, (void *renderer, float x1, float y1, float x2, float y2), (renderer, x1, y1, x2, y2),
      plan_lines(&state, (const struct sdl2_float_point[]){{x1, y1}, {x2, y2}}, 2))
DRAWS(draw_lines, RenderLines, (void *renderer, const struct sdl2_float_point *points, int count),
      (renderer, points, count), plan_lines(&state, points, points != NULL ? count : 0))
static bool render_texture(void *renderer, void *texture, const struct sdl2_float_rect *source,
                           const struct sdl2_float_rect *rect)
{
    REAL_3(bool, RenderTexture, void *, void *, const struct sdl2_float_rect *, const struct sdl2_float_rect *);
    struct renderer_state state;
    void *encoded = NULL;
    bool is_recorded = begin(&state, renderer);
    if (is_recorded) {
        copy(&state, texture, source, rect);
        steps_ready();
        encoded = encode(texture);
    }
    bool result = real(renderer, texture, source, rect);
    if (encoded != NULL) renderer_flush(renderer);
    if (encoded != NULL) sdl3_decode(encoded);
    end(is_recorded, renderer, result);
    return result;
}

DRAWS(render_turned, RenderTextureRotated,
      (void *renderer, void *texture, const struct sdl2_float_rect *source, const struct sdl2_float_rect *rect,
       double angle, const struct sdl2_float_point *centre, int flip),
      (renderer, texture, source, rect, angle, centre, flip),
      copy_turned(&state, texture, source, rect, &(struct plan_turn){angle, centre, flip}))
DRAWS(render_tiled, RenderTextureTiled,
      (void *renderer, void *texture, const struct sdl2_float_rect *source, float scale,
       const struct sdl2_float_rect *rect),
      (renderer, texture, source, scale, rect), leave(&state, REASON_SCALED))
DRAWS(render_grid, RenderTexture9Grid,
      (void *renderer, void *texture, const struct sdl2_float_rect *source, float left, float right, float top,
       float bottom, float scale, const struct sdl2_float_rect *rect),
      (renderer, texture, source, left, right, top, bottom, scale, rect), leave(&state, REASON_SCALED))
DRAWS(render_affine, RenderTextureAffine,
      (void *renderer, void *texture, const void *source, const void *origin, const void *right, const void *down),
      (renderer, texture, source, origin, right, down), leave(&state, REASON_TURNED))
DRAWS(debug_text, RenderDebugText, (void *renderer, float x, float y, const char *text), (renderer, x, y, text),
      leave(&state, REASON_COLOURED))
DRAWS(geometry, RenderGeometry,
      (void *renderer, void *texture, const void *list, int count, const int *indices, int index_count),
      (renderer, texture, list, count, indices, index_count), leave(&state, REASON_TRIANGLE))
DRAWS(geometry_raw, RenderGeometryRaw,
      (void *renderer, void *texture, const float *at, int at_stride, const void *colour, int colour_stride,
       const float *uv, int uv_stride, int count, const void *indices, int index_count, int index_bytes),
      (renderer, texture, at, at_stride, colour, colour_stride, uv, uv_stride, count, indices, index_count,
       index_bytes),
      leave(&state, REASON_TRIANGLE))

const struct sdl3_hook sdl3_renderer_hooks[] = {{SDL3_CreateRenderer, (void *)create_renderer},
                                                {SDL3_CreateRendererWithProperties, (void *)create_renderer_of},
                                                {SDL3_CreateWindowAndRenderer, (void *)create_window_and_renderer},
                                                {SDL3_CreateSoftwareRenderer, (void *)create_software_renderer},
                                                {SDL3_DestroyRenderer, (void *)destroy_renderer},
                                                {SDL3_DestroyWindow, (void *)destroy_window},
                                                {SDL3_Quit, (void *)quit},
                                                {SDL3_QuitSubSystem, (void *)quit_subsystem},
                                                {SDL3_SetRenderVSync, (void *)set_vsync},
                                                {SDL3_RenderPresent, (void *)render_present},
                                                {SDL3_CreateTexture, (void *)create_texture},
                                                {SDL3_CreateTextureFromSurface, (void *)create_texture_from},
                                                {SDL3_CreateTextureWithProperties, (void *)create_texture_of},
                                                {SDL3_DestroyTexture, (void *)destroy_texture},
                                                {SDL3_UpdateTexture, (void *)update_texture},
                                                {SDL3_RenderClear, (void *)render_clear},
                                                {SDL3_RenderFillRect, (void *)fill_rect},
                                                {SDL3_RenderFillRects, (void *)fill_rects},
                                                {SDL3_RenderRect, (void *)draw_rect},
                                                {SDL3_RenderRects, (void *)draw_rects},
                                                {SDL3_RenderPoint, (void *)draw_point},
                                                {SDL3_RenderPoints, (void *)draw_points},
                                                {SDL3_RenderLine, (void *)draw_line},
                                                {SDL3_RenderLines, (void *)draw_lines},
                                                {SDL3_RenderTexture, (void *)render_texture},
                                                {SDL3_RenderTextureRotated, (void *)render_turned},
                                                {SDL3_RenderTextureTiled, (void *)render_tiled},
                                                {SDL3_RenderTexture9Grid, (void *)render_grid},
                                                {SDL3_RenderTextureAffine, (void *)render_affine},
                                                {SDL3_RenderDebugText, (void *)debug_text},
                                                {SDL3_RenderGeometry, (void *)geometry},
                                                {SDL3_RenderGeometryRaw, (void *)geometry_raw},
                                                {SDL3_RenderClear, NULL}};
