/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of SDL 3 by which programs draw surfaces and show them, and how they come in front of SDL's own: see
 * sdl3.h. They have no names of their own outside, as SDL 2's have many of the same names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/library.h"
#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/renderer.h"
#include "clients/sdl/record/sdl3.h"
#include "clients/sdl/record/steps.h"

enum { DYNAPI_VERSION = 2, OLDEST = 3002000, NEXT_MAJOR = 4000000 };

/* ------------------------------------------------------------------ surfaces */

static bool blit_surface(void *source, const void *source_rect, void *target, const void *target_rect)
{
    REAL_3(bool, BlitSurface, void *, const void *, void *, const void *);
    return hook3_blit(source, source_rect, target, target_rect, real);
}

static struct sdl2_rect rect_of(const void *rect, const struct view *view)
{
    struct sdl2_rect result = {0, 0, view->width, view->height};
    (void)rect_get(rect, &result);
    return result;
}

static bool blit_unchecked(void *source, const void *source_rect, void *target, const void *target_rect)
{
    REAL_3(bool, BlitSurfaceUnchecked, void *, const void *, void *, const void *);
    return hook3_blit(source, source_rect, target, target_rect, real);
}

typedef bool scaling(void *source, const void *source_rect, void *target, const void *target_rect, int mode);

static bool scale_by(scaling *real, void *source, const void *source_rect, void *target, const void *target_rect,
                     int mode)
{
    struct view from_view, to_view;
    bool is_recorded = hook3_enter() && view_make(&from_view, source) && texture_target(&to_view, target) &&
                       from_view.palette == NULL && to_view.palette == NULL;
    if (is_recorded) {
        const struct sdl2_rect from = rect_of(source_rect, &from_view), to = rect_of(target_rect, &to_view);
        steps_begin(&to_view);
        if (!plan_stretched(&from_view, &from, &to_view, &to, mode != 0)) steps_blit(&from_view, &from, to.x, to.y);
        steps_ready();
    }
    bool result = real(source, source_rect, target, target_rect, mode);
    if (is_recorded && result) steps_end();
    hook3_leave();
    return result;
}

static bool blit_scaled(void *source, const void *source_rect, void *target, const void *target_rect, int mode)
{
    return scale_by((scaling *)sdl3_own(SDL3_BlitSurfaceScaled), source, source_rect, target, target_rect, mode);
}

static bool blit_unchecked_scaled(void *source, const void *source_rect, void *target, const void *target_rect,
                                  int mode)
{
    scaling *real = (scaling *)sdl3_own(SDL3_BlitSurfaceUncheckedScaled);
    return scale_by(real, source, source_rect, target, target_rect, mode);
}

/* ------------------------------------------------------------------ what is left to pixels, and tiles */

/* The call is left to pixels. False: nothing is to be done after it. */
static bool leave(struct view *view, void *target, const void *rect, enum recording_reason reason)
{
    if (!hook3_enter() || !texture_target(view, target)) return false;
    if (view->palette != NULL) {
        tracker_leave(view, &(struct area){0, 0, view->width, view->height}, reason);
        return false;
    }
    const struct sdl2_rect to = rect_of(rect, view);
    steps_begin(view);
    steps_leave(&to, reason);
    steps_ready();
    return true;
}

static bool left(bool is_recorded, bool result)
{
    if (is_recorded && result) steps_end();
    hook3_leave();
    return result;
}

static bool stretch(void *source, const void *source_rect, void *target, const void *target_rect, int mode)
{
    REAL_3(bool, StretchSurface, void *, const void *, void *, const void *, int);
    struct view view;
    bool is_recorded = leave(&view, target, target_rect, REASON_SCALED);
    return left(is_recorded, real(source, source_rect, target, target_rect, mode));
}

static bool blit_grid(void *source, const void *source_rect, int left_width, int right_width, int top_height,
                      int bottom_height, float scale, int mode, void *target, const void *target_rect)
{
    REAL_3(bool, BlitSurface9Grid, void *, const void *, int, int, int, int, float, int, void *, const void *);
    struct view view;
    bool is_recorded = leave(&view, target, target_rect, REASON_SCALED);
    return left(is_recorded, real(source, source_rect, left_width, right_width, top_height, bottom_height, scale, mode,
                                  target, target_rect));
}

static bool blit_scaled_tiles(void *source, const void *source_rect, float scale, int mode, void *target,
                              const void *target_rect)
{
    REAL_3(bool, BlitSurfaceTiledWithScale, void *, const void *, float, int, void *, const void *);
    struct view view;
    bool is_recorded = leave(&view, target, target_rect, REASON_SCALED);
    return left(is_recorded, real(source, source_rect, scale, mode, target, target_rect));
}

/* The tile is what of the rectangle lies in the source; the last of a row or a column is cut. */
static void plan_tiles(const struct view *source, struct sdl2_rect tile, const struct sdl2_rect *to)
{
    enum { MOST = 512 };
    const int right = tile.x + tile.width, bottom = tile.y + tile.height;
    tile.x = tile.x > 0 ? tile.x : 0;
    tile.y = tile.y > 0 ? tile.y : 0;
    tile.width = (right < source->width ? right : source->width) - tile.x;
    tile.height = (bottom < source->height ? bottom : source->height) - tile.y;
    if (tile.width <= 0 || tile.height <= 0) return;
    if ((to->width / tile.width + 1ll) * (to->height / tile.height + 1ll) > MOST) {
        steps_leave(to, REASON_SCALED);
        return;
    }
    for (int y = 0; y < to->height; y += tile.height)
        for (int x = 0; x < to->width; x += tile.width) {
            struct sdl2_rect part = tile;
            if (part.width > to->width - x) part.width = to->width - x;
            if (part.height > to->height - y) part.height = to->height - y;
            steps_blit(source, &part, to->x + x, to->y + y);
        }
}

static bool blit_tiles(void *source, const void *source_rect, void *target, const void *target_rect)
{
    REAL_3(bool, BlitSurfaceTiled, void *, const void *, void *, const void *);
    struct view from_view, to_view;
    bool is_recorded = hook3_enter() && view_make(&from_view, source) && texture_target(&to_view, target) &&
                       from_view.palette == NULL && to_view.palette == NULL;
    if (is_recorded) {
        const struct sdl2_rect to = rect_of(target_rect, &to_view);
        steps_begin(&to_view);
        plan_tiles(&from_view, rect_of(source_rect, &from_view), &to);
        steps_ready();
    }
    return left(is_recorded, real(source, source_rect, target, target_rect));
}

/* ------------------------------------------------------------------ fills */

/* A unit with more bits than the surface's makes stripes: what SDL has drawn is compared. */
static void expect_fill(const struct view *view, const struct area *area, uint32_t raw)
{
    const uint32_t bits = 8 * view->unit_bytes;
    tracker_expect_fill(view, area, bits < 32 ? raw & ((1u << bits) - 1u) : raw);
}

static void compare_fill(const struct view *view, const struct area *area)
{
    if (!tracker_agree(view, area, REASON_OTHERWISE)) tracker_count_pixels(REASON_OTHERWISE);
}

static void record_fill(const struct view *view, const struct area *area, uint32_t raw)
{
    expect_fill(view, area, raw);
    compare_fill(view, area);
}

static bool fill_rect(void *target, const void *rect, uint32_t colour)
{
    REAL_3(bool, FillSurfaceRect, void *, const void *, uint32_t);
    struct view view;
    struct area area;
    bool is_recorded = hook3_enter() && texture_target(&view, target) && fill_clip(&view, rect, &area);
    bool result = real(target, rect, colour);
    if (is_recorded && result) record_fill(&view, &area, colour);
    hook3_leave();
    return result;
}

static bool fill_rects(void *target, const struct sdl2_rect *rects, int count, uint32_t colour)
{
    REAL_3(bool, FillSurfaceRects, void *, const struct sdl2_rect *, int, uint32_t);
    struct view view;
    struct area area;
    bool is_recorded = hook3_enter() && texture_target(&view, target) && rects != NULL;
    bool result = real(target, rects, count, colour);
    for (int i = 0; is_recorded && result && i < count; i++)
        if (fill_clip(&view, &rects[i], &area)) expect_fill(&view, &area, colour);
    for (int i = 0; is_recorded && result && i < count; i++)
        if (fill_clip(&view, &rects[i], &area)) compare_fill(&view, &area);
    hook3_leave();
    return result;
}

/* All of the surface, whatever its clip rectangle. The unit is SDL's: that of the first pixel. */
static bool clear_surface(void *target, float red, float green, float blue, float alpha)
{
    REAL_3(bool, ClearSurface, void *, float, float, float, float);
    struct view view;
    bool is_recorded = hook3_enter() && texture_target(&view, target);
    bool result = real(target, red, green, blue, alpha);
    if (is_recorded && result) {
        const struct area all = {0, 0, view.width, view.height};
        uint32_t raw = 0;
        memcpy(&raw, view.pixels, view.unit_bytes);
        record_fill(&view, &all, raw);
    }
    hook3_leave();
    return result;
}

static void destroy_surface(void *surface)
{
    REAL_3(void, DestroySurface, void *);
    if (hook3_enter() && surface != NULL) {
        texture_forget(surface);
        if (((const struct sdl3_surface *)surface)->references <= 1) steps_forget(surface);
    }
    real(surface);
    hook3_leave();
}

/* ------------------------------------------------------------------ screens */

static bool init(uint32_t flags)
{
    REAL_3(bool, Init, uint32_t);
    link_see(SEEN_SDL);
    return real(flags);
}

static bool init_subsystem(uint32_t flags)
{
    REAL_3(bool, InitSubSystem, uint32_t);
    link_see(SEEN_SDL);
    return real(flags);
}

static void *get_window_surface(void *window)
{
    REAL_3(void *, GetWindowSurface, void *);
    void *surface = real(window);
    if (surface != NULL) hook_screen();
    return surface;
}

static bool update_window(void *window)
{
    REAL_3(bool, UpdateWindowSurface, void *);
    void *(*surface_of)(void *) = (void *(*)(void *))sdl3_own(SDL3_GetWindowSurface);
    if (hook3_enter_present()) hook_present(surface_of(window));
    bool result = real(window);
    hook3_leave();
    return result;
}

static bool update_window_rects(void *window, const void *rects, int count)
{
    REAL_3(bool, UpdateWindowSurfaceRects, void *, const void *, int);
    void *(*surface_of)(void *) = (void *(*)(void *))sdl3_own(SDL3_GetWindowSurface);
    if (hook3_enter_present() && count > 0) hook_present(surface_of(window));
    bool result = real(window, rects, count);
    hook3_leave();
    return result;
}

static bool swap_window(void *window)
{
    REAL_3(bool, GL_SwapWindow, void *);
    link_see(SEEN_OPENGL);
    return real(window);
}

static bool claim_window(void *device, void *window)
{
    REAL_3(bool, ClaimWindowForGPUDevice, void *, void *);
    const bool result = real(device, window);
    if (result) link_see(SEEN_GPU);
    return result;
}

static bool vulkan_surface(void *window, void *instance, const void *allocator, void *surface)
{
    REAL_3(bool, Vulkan_CreateSurface, void *, void *, const void *, void *);
    const bool result = real(window, instance, allocator, surface);
    if (result) link_see(SEEN_GPU);
    return result;
}

/* ------------------------------------------------------------------ mouse and keyboard, for events.h */

static uint32_t mouse_state(float *x, float *y)
{
    REAL_3(uint32_t, GetMouseState, float *, float *);
    int position[2];
    uint32_t buttons = real(x, y);
    if (!events_mouse(position, &buttons)) return buttons;
    if (x != NULL) *x = (float)position[0];
    if (y != NULL) *y = (float)position[1];
    return buttons;
}

static const bool *keyboard_state(int *count)
{
    enum { KEYS = 512 };
    static uint8_t keys[KEYS];
    REAL_3(const bool *, GetKeyboardState, int *);
    static int here; /* static: analysers take the state for a pointer to it */
    const bool *now = real(&here);
    if (count != NULL) *count = here;
    if (now == NULL || here > KEYS) return now;
    memcpy(keys, now, (size_t)here);
    events_keys(keys, KEYS);
    return (const bool *)keys;
}

/* ------------------------------------------------------------------ in front of SDL's own */

static const struct sdl3_hook hooks[] = {{SDL3_BlitSurface, (void *)blit_surface},
                                         {SDL3_BlitSurfaceScaled, (void *)blit_scaled},
                                         {SDL3_BlitSurfaceUnchecked, (void *)blit_unchecked},
                                         {SDL3_BlitSurfaceUncheckedScaled, (void *)blit_unchecked_scaled},
                                         {SDL3_BlitSurfaceTiled, (void *)blit_tiles},
                                         {SDL3_BlitSurfaceTiledWithScale, (void *)blit_scaled_tiles},
                                         {SDL3_BlitSurface9Grid, (void *)blit_grid},
                                         {SDL3_StretchSurface, (void *)stretch},
                                         {SDL3_FillSurfaceRect, (void *)fill_rect},
                                         {SDL3_FillSurfaceRects, (void *)fill_rects},
                                         {SDL3_ClearSurface, (void *)clear_surface},
                                         {SDL3_DestroySurface, (void *)destroy_surface},
                                         {SDL3_Init, (void *)init},
                                         {SDL3_InitSubSystem, (void *)init_subsystem},
                                         {SDL3_GetWindowSurface, (void *)get_window_surface},
                                         {SDL3_UpdateWindowSurface, (void *)update_window},
                                         {SDL3_UpdateWindowSurfaceRects, (void *)update_window_rects},
                                         {SDL3_GL_SwapWindow, (void *)swap_window},
                                         {SDL3_ClaimWindowForGPUDevice, (void *)claim_window},
                                         {SDL3_Vulkan_CreateSurface, (void *)vulkan_surface},
                                         {SDL3_GetMouseState, (void *)mouse_state},
                                         {SDL3_GetKeyboardState, (void *)keyboard_state},
                                         {SDL3_Init, NULL}};

/* Functions that a later SDL 3 has may not be there. */
static void put(void **table, uint32_t bytes, const struct sdl3_hook *list)
{
    for (; list->hook != NULL; list++)
        if ((list->place + 1u) * sizeof *table <= bytes) table[list->place] = list->hook;
}

typedef int32_t (*entry_function)(uint32_t version, void *table, uint32_t bytes);

static entry_function entry_of(const struct library *library)
{
    entry_function entry = NULL;
    *(void **)&entry = library_function(library, "SDL_DYNAPI_entry");
    return entry;
}

HOOK int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes);

/* What the user has named in SDL3_DYNAMIC_API, libraries with commas between, as SDL reads it: the first that makes the
 * table. Where one is an SDL 3, that is the program's: `library`. */
static bool make_by_user(uint32_t version, void *table, uint32_t bytes, struct library *library)
{
    static const struct library_mark sdl = {"SDL_BlitSurfaceScaled", NULL, NULL};
    const char *names = getenv(LINK_SDL3_USER_VARIABLE);
    char name[4096];
    if (names == NULL || names[0] == 0) return false;
    for (const char *at = names; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL) {
        entry_function entry = NULL;
        struct library found;
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        void *handle = dlopen(name, RTLD_NOW);
        if (handle != NULL) *(void **)&entry = dlsym(handle, "SDL_DYNAPI_entry");
        if (entry == NULL || entry == SDL_DYNAPI_entry || entry(version, table, bytes) < 0) continue;
        if (library_at(&found, (const void *)(uintptr_t)entry) && library_has_mark(&found, &sdl)) *library = found;
        return true;
    }
    fprintf(stderr,
            "%s: SDL3_DYNAMIC_API: %s: none of it is a library that SDL 3 can use. The program's own SDL 3 is used. "
            "Check the path.\n",
            link_self(), names);
    return false;
}

/* SDL asks for its table of functions. Less than 0: it makes its own. */
int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes)
{
    static struct library library;
    int32_t result = 0;
    if (!library_at(&library, __builtin_return_address(0))) return -1;
    const entry_function entry = entry_of(&library);
    if (version != DYNAPI_VERSION || entry == NULL || entry == SDL_DYNAPI_entry || bytes > SDL3_PLACES * sizeof(void *))
        return -1;
    if (bytes < (SDL3_Vulkan_CreateSurface + 1u) * sizeof(void *)) return -1;
    if (!make_by_user(version, table, bytes, &library)) result = entry(version, table, bytes);
    if (result < 0 || link_attach() == NULL) return result;
    sdl3_keep(table, bytes);
    const int number = ((int (*)(void))sdl3_own(SDL3_GetVersion))();
    if (number < OLDEST || number >= NEXT_MAJOR) return result; /* not the interface that sdl3.h has */
    sdl_has_3((const void *)(uintptr_t)entry_of(&library));
    put(table, bytes, hooks);
    put(table, bytes, sdl3_renderer_hooks);
    return result;
}
