/* SPDX-License-Identifier: Apache-2.0
 *
 * See hooks3_rig.h.
 */
#include "hooks3_rig.h"

#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/blit.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/library.h"
#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/renderer.h"
#include "clients/sdl/record/steps.h"

#define AREA(area) (area)->x, (area)->y, (area)->width, (area)->height
#define FLOATS(rect) (double)(rect)->x, (double)(rect)->y, (double)(rect)->width, (double)(rect)->height

static void note_rect(const struct sdl2_rect *rect)
{
    if (rect == NULL) note("all ");
    else note("%d,%d %dx%d ", AREA(rect));
}

static void note_floats(const void *rect)
{
    if (rect == NULL) note("all ");
    else note("%g,%g %gx%g ", FLOATS((const struct floats *)rect));
}

/* ------------------------------------------------------------------ SDL's own */

/* One that draws: its format says the arguments. */
#define RETURNS(name, type, result, parameters, ...) \
    static type own_##name parameters \
    { \
        note("<" #name " " __VA_ARGS__); \
        note("> "); \
        return result; \
    }
#define OWN(name, ...) RETURNS(name, bool, is.succeeds, __VA_ARGS__)

static void *if_good(const char *name) { return is.succeeds ? address_of(name) : NULL; }

OWN(BlitSurface, (void *a, const void *b, void *c, const void *d), "%s %d %s %d", named(a), b != NULL, named(c),
    d != NULL)
OWN(BlitSurfaceUnchecked, (void *a, const void *b, void *c, const void *d), "%s %d %s %d", named(a), b != NULL,
    named(c), d != NULL)
OWN(BlitSurfaceScaled, (void *a, const void *b, void *c, const void *d, int e), "%s %d %s %d %d", named(a), b != NULL,
    named(c), d != NULL, e)
OWN(BlitSurfaceUncheckedScaled, (void *a, const void *b, void *c, const void *d, int e), "%s %d %s %d %d", named(a),
    b != NULL, named(c), d != NULL, e)
OWN(StretchSurface, (void *a, const void *b, void *c, const void *d, int e), "%s %d %s %d %d", named(a), b != NULL,
    named(c), d != NULL, e)
OWN(BlitSurfaceTiled, (void *a, const void *b, void *c, const void *d), "%s %d %s %d", named(a), b != NULL, named(c),
    d != NULL)
OWN(BlitSurfaceTiledWithScale, (void *a, const void *b, float c, int d, void *e, const void *f), "%s %d %g %d %s %d",
    named(a), b != NULL, (double)c, d, named(e), f != NULL)
OWN(BlitSurface9Grid, (void *a, const void *b, int c, int d, int e, int f, float g, int h, void *i, const void *j),
    "%s %d %d %d %d %d %g %d %s %d", named(a), b != NULL, c, d, e, f, (double)g, h, named(i), j != NULL)
OWN(FillSurfaceRect, (void *a, const void *b, uint32_t c), "%s %d %08x", named(a), b != NULL, (unsigned)c)
OWN(FillSurfaceRects, (void *a, const void *b, int c, uint32_t d), "%s %d %d %08x", named(a), b != NULL, c, (unsigned)d)
OWN(ClearSurface, (void *a, float b, float c, float d, float e), "%s %g %g %g %g", named(a), (double)b, (double)c,
    (double)d, (double)e)
RETURNS(DestroySurface, void, , (void *a), "%s", named(a))
OWN(Init, (uint32_t a), "%u", (unsigned)a)
OWN(InitSubSystem, (uint32_t a), "%u", (unsigned)a)
RETURNS(Quit, void, , (void), "all")
RETURNS(QuitSubSystem, void, , (uint32_t a), "%u", (unsigned)a)
RETURNS(GetWindowSurface, void *, if_good("target"), (void *a), "%s", named(a))
OWN(UpdateWindowSurface, (void *a), "%s", named(a))
OWN(UpdateWindowSurfaceRects, (void *a, const void *b, int c), "%s %d %d", named(a), b != NULL, c)
OWN(GL_SwapWindow, (void *a), "%s", named(a))
OWN(ClaimWindowForGPUDevice, (void *a, void *b), "%s %s", named(a), named(b))
OWN(Vulkan_CreateSurface, (void *a, void *b, const void *c, void *d), "%s %s %s %s", named(a), named(b), named(c),
    named(d))
RETURNS(CreateRenderer, void *, if_good("renderer"), (void *a, const char *b), "%s %s", named(a), b)
RETURNS(CreateRendererWithProperties, void *, if_good("renderer"), (uint32_t a), "%u", (unsigned)a)
RETURNS(CreateSoftwareRenderer, void *, if_good("renderer"), (void *a), "%s", named(a))
RETURNS(DestroyRenderer, void, , (void *a), "%s", named(a))
RETURNS(DestroyWindow, void, , (void *a), "%s", named(a))
OWN(SetRenderVSync, (void *a, int b), "%s %d", named(a), b)
OWN(RenderPresent, (void *a), "%s", named(a))
RETURNS(CreateTexture, void *, if_good("texture"), (void *a, uint32_t b, int c, int d, int e), "%s %u %d %d %d",
        named(a), (unsigned)b, c, d, e)
RETURNS(CreateTextureFromSurface, void *, if_good("texture"), (void *a, void *b), "%s %s", named(a), named(b))
RETURNS(CreateTextureWithProperties, void *, if_good("texture"), (void *a, uint32_t b), "%s %u", named(a), (unsigned)b)
RETURNS(DestroyTexture, void, , (void *a), "%s", named(a))
OWN(UpdateTexture, (void *a, const void *b, const void *c, int d), "%s %d %s %d", named(a), b != NULL, named(c), d)
OWN(RenderClear, (void *a), "%s", named(a))
OWN(RenderFillRect, (void *a, const void *b), "%s %d", named(a), b != NULL)
OWN(RenderFillRects, (void *a, const void *b, int c), "%s %d %d", named(a), b != NULL, c)
OWN(RenderRect, (void *a, const void *b), "%s %d", named(a), b != NULL)
OWN(RenderRects, (void *a, const void *b, int c), "%s %d %d", named(a), b != NULL, c)
OWN(RenderPoint, (void *a, float b, float c), "%s %g %g", named(a), (double)b, (double)c)
OWN(RenderPoints, (void *a, const void *b, int c), "%s %d %d", named(a), b != NULL, c)
OWN(RenderLine, (void *a, float b, float c, float d, float e), "%s %g %g %g %g", named(a), (double)b, (double)c,
    (double)d, (double)e)
OWN(RenderLines, (void *a, const void *b, int c), "%s %d %d", named(a), b != NULL, c)
OWN(RenderTexture, (void *a, void *b, const void *c, const void *d), "%s %s %d %d", named(a), named(b), c != NULL,
    d != NULL)
OWN(RenderTextureRotated, (void *a, void *b, const void *c, const void *d, double e, const void *f, int g),
    "%s %s %d %d %g %d %d", named(a), named(b), c != NULL, d != NULL, e, f != NULL, g)
OWN(RenderTextureTiled, (void *a, void *b, const void *c, float d, const void *e), "%s %s %d %g %d", named(a), named(b),
    c != NULL, (double)d, e != NULL)
OWN(RenderTexture9Grid, (void *a, void *b, const void *c, float d, float e, float f, float g, float h, const void *i),
    "%s %s %d %g %g %g %g %g %d", named(a), named(b), c != NULL, (double)d, (double)e, (double)f, (double)g, (double)h,
    i != NULL)
OWN(RenderTextureAffine, (void *a, void *b, const void *c, const void *d, const void *e, const void *f),
    "%s %s %d %d %d %d", named(a), named(b), c != NULL, d != NULL, e != NULL, f != NULL)
OWN(RenderDebugText, (void *a, float b, float c, const char *d), "%s %g %g %s", named(a), (double)b, (double)c, d)
OWN(RenderGeometry, (void *a, void *b, const void *c, int d, const int *e, int f), "%s %s %d %d %d %d", named(a),
    named(b), c != NULL, d, e != NULL, f)
OWN(RenderGeometryRaw,
    (void *a, void *b, const float *c, int d, const void *e, int f, const float *g, int h, int i, const void *j, int k,
     int l),
    "%s %s %g %d %d %d %g %d %d %d %d %d", named(a), named(b), (double)*c, d, e != NULL, f, (double)*g, h, i, j != NULL,
    k, l)

static bool own_CreateWindowAndRenderer(const char *title, int width, int height, uint64_t flags, void **a_window,
                                        void **a_renderer)
{
    note("<CreateWindowAndRenderer %s %d %d %llx> ", title, width, height, (unsigned long long)flags);
    *a_window = address_of("window");
    *a_renderer = address_of("renderer");
    return is.succeeds;
}

static uint32_t own_GetMouseState(float *x, float *y)
{
    note("<GetMouseState> ");
    if (x != NULL) *x = 5;
    if (y != NULL) *y = 6;
    return 4;
}

static const bool *own_GetKeyboardState(int *count)
{
    static bool keys[600];
    note("<GetKeyboardState> ");
    *count = is.keys;
    is.own_keys = keys;
    return is.succeeds ? keys : NULL;
}

static int own_GetVersion(void) { return is.version; }
static void own_other(void) {}

void *hooks3_own(uint32_t place)
{
#define AT(name) \
    case SDL3_##name: return (void *)(uintptr_t)own_##name;
    switch (place) {
        AT(BlitSurface)
        AT(BlitSurface9Grid)
        AT(BlitSurfaceScaled)
        AT(BlitSurfaceTiled)
        AT(BlitSurfaceTiledWithScale)
        AT(BlitSurfaceUnchecked)
        AT(BlitSurfaceUncheckedScaled)
        AT(ClaimWindowForGPUDevice)
        AT(ClearSurface)
        AT(CreateRenderer)
        AT(CreateRendererWithProperties)
        AT(CreateSoftwareRenderer)
        AT(CreateTexture)
        AT(CreateTextureFromSurface)
        AT(CreateTextureWithProperties)
        AT(CreateWindowAndRenderer)
        AT(DestroyRenderer)
        AT(DestroySurface)
        AT(DestroyTexture)
        AT(DestroyWindow)
        AT(FillSurfaceRect)
        AT(FillSurfaceRects)
        AT(GL_SwapWindow)
        AT(GetKeyboardState)
        AT(GetMouseState)
        AT(GetVersion)
        AT(GetWindowSurface)
        AT(Init)
        AT(InitSubSystem)
        AT(Quit)
        AT(QuitSubSystem)
        AT(RenderClear)
        AT(RenderFillRect)
        AT(RenderFillRects)
        AT(RenderGeometry)
        AT(RenderGeometryRaw)
        AT(RenderLine)
        AT(RenderLines)
        AT(RenderPoint)
        AT(RenderPoints)
        AT(RenderPresent)
        AT(RenderRect)
        AT(RenderRects)
        AT(RenderTexture)
        AT(RenderTexture9Grid)
        AT(RenderTextureRotated)
        AT(RenderTextureTiled)
        AT(SetRenderVSync)
        AT(UpdateTexture)
        AT(UpdateWindowSurface)
        AT(UpdateWindowSurfaceRects)
        AT(Vulkan_CreateSurface)
        AT(RenderDebugText)
        AT(RenderTextureAffine)
        AT(StretchSurface)
    default: return (void *)(uintptr_t)own_other;
    }
#undef AT
}

/* SDL's other functions, which the recorder asks for by name. */
static void *get_pointer(uint32_t properties, const char *name, void *otherwise)
{
    note("<pointer %u %s %s> ", (unsigned)properties, name, named(otherwise));
    return address_of(strstr(name, "window") != NULL ? "window" : is.has_surface != 0 ? "target" : "none");
}
OWN(set_text, (uint32_t a, const char *b, const char *c), "%u %s %s", (unsigned)a, b, c)
OWN(set_number, (uint32_t a, const char *b, int64_t c), "%u %s %d", (unsigned)a, b, (int)c)
RETURNS(get_number, int64_t, is.access, (uint32_t a, const char *b, int64_t c), "%u %s %d", (unsigned)a, b, (int)c)
RETURNS(properties, uint32_t, 11, (void *a), "%s", named(a))
OWN(set_rle, (void *a, bool b), "%s %d", named(a), b)
RETURNS(has_window_surface, bool, is.agrees, (void *a), "%s", named(a))
RETURNS(get_target, void *, is.has_texture_target ? address_of("texture") : NULL, (void *a), "%s", named(a))
RETURNS(set_target, bool, true, (void *a, void *b), "%s %s", named(a), named(b))
RETURNS(make_surface, void *, address_of("another"), (int a, int b, uint32_t c), "%d %d %u", a, b, (unsigned)c)
RETURNS(get_window, void *, is.has_window ? address_of("window") : NULL, (void *a), "%s", named(a))

static bool get_presentation(void *of, int *width, int *height, int *mode)
{
    note("<presentation %s> ", named(of));
    *width = *height = 1;
    *mode = is.mode;
    return is.succeeds;
}
static bool get_place(void *of, struct sdl2_float_rect *place)
{
    note("<place %s> ", named(of));
    memcpy(place, &is.place, sizeof is.place);
    return is.place.x != 0.5f;
}

void *sdl_function(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } list[] = {{"SDL_GetPointerProperty", (void *)get_pointer},
                {"SDL_SetStringProperty", (void *)own_set_text},
                {"SDL_SetNumberProperty", (void *)own_set_number},
                {"SDL_GetNumberProperty", (void *)own_get_number},
                {"SDL_GetTextureProperties", (void *)own_properties},
                {"SDL_SetSurfaceRLE", (void *)own_set_rle},
                {"SDL_WindowHasSurface", (void *)own_has_window_surface},
                {"SDL_GetRenderTarget", (void *)own_get_target},
                {"SDL_SetRenderTarget", (void *)own_set_target},
                {"SDL_GetRenderWindow", (void *)own_get_window},
                {"SDL_GetRenderLogicalPresentation", (void *)get_presentation},
                {"SDL_GetRenderLogicalPresentationRect", (void *)get_place},
                {"SDL_CreateSurface", (void *)own_make_surface},
                {"SDL_BlitSurfaceUnchecked", (void *)own_BlitSurfaceUnchecked}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0) return list[i].function;
    note("no %s ", name);
    abort();
}

/* ------------------------------------------------------------------ the recorder's parts */

bool hook3_enter(void) { return note("("), is.enters; }
bool hook3_enter_present(void) { return note("(("), is.enters; }
void hook3_leave(void) { note(") "); }
void hook_screen(void) { note("screen "); }
void hook_present(void *surface) { note("present %s ", named(surface)); }
bool hook3_blit(void *from, const void *from_rect, void *to, const void *to_rect,
                bool (*draw)(void *, const void *, void *, const void *))
{
    note("blit ");
    return draw(from, from_rect, to, to_rect);
}
bool hook3_update(void *of, const void *rect, const void *pixels, int pitch,
                  bool (*update)(void *, const void *, const void *, int))
{
    note("update ");
    return update(of, rect, pixels, pitch);
}

/* If there is a palette, one of the two surfaces has it. */
static void make_view(struct view *view, const void *surface)
{
    static const struct sdl_palette palette;
    struct fake_surface *fake = address_of(named(surface));
    memset(view, 0, sizeof *view);
    view->surface = surface;
    view->width = fake->head.width;
    view->height = fake->head.height;
    view->pixels = fake->units;
    view->unit_bytes = is.unit_bytes != 0 ? is.unit_bytes : 4;
    view->pitch = (uint32_t)view->width * 4u;
    view->alpha = is.alpha;
    view->alpha_mask = is.alpha_mask;
    view->palette = is.has_palette && is.agrees == (surface == address_of("target")) ? &palette : NULL;
}

bool view_make(struct view *view, void *surface)
{
    note("view %s ", named(surface));
    if (surface != NULL) make_view(view, surface);
    return surface != NULL && is.has_source;
}
bool texture_target(struct view *view, void *surface)
{
    note("target %s ", named(surface));
    make_view(view, surface);
    return is.has_target;
}
bool texture_view(struct view *view, void *of)
{
    note("texture's view %s ", named(of));
    make_view(view, address_of("source"));
    view->palette = NULL;
    return is.has_source;
}
void *texture_surface(void *of)
{
    return note("surface of %s ", named(of)), is.has_source_surface ? address_of("source") : NULL;
}
void texture_add(void *to, void *of) { note("add %s %s ", named(to), named(of)); }
void texture_remove(void *of) { note("remove texture %s ", named(of)); }
void texture_forget(const void *surface) { note("forget texture %s ", named(surface)); }

bool rect_get(const void *rect, struct sdl2_rect *result)
{
    if (rect != NULL) *result = *(const struct sdl2_rect *)rect;
    return rect != NULL;
}
bool fill_clip(const struct view *view, const void *rect, struct area *area)
{
    struct sdl2_rect all = {0, 0, view->width, view->height};
    (void)rect_get(rect, &all);
    *area = (struct area){all.x, all.y, all.width, all.height};
    return all.x >= 0;
}

void renderer_force(void) { note("force "); }
void renderer_add(void *one, void *its_window, void *surface)
{
    note("renderer %s %s %s ", named(one), named(its_window), named(surface));
}
static int left; /* renderers that there are */
void renderer_remove(void *one) { note("remove %s ", named(one)), left--; }
void *renderer_of(const void *its_window)
{
    if (its_window == NULL) return left > 0 ? address_of("renderer") : (left = 2, NULL);
    return note("of %s ", named(its_window)), address_of("renderer");
}
void renderer_flush(void *one) { note("flush %s ", named(one)); }
void *renderer_screen(const void *one)
{
    return note("screen of %s ", named(one)), is.has_screen ? address_of("target") : NULL;
}
bool renderer_is_hidden(const void *one) { return note("hidden %s ", named(one)), is.is_hidden; }
bool renderer_look(struct renderer_state *state, void *one)
{
    note("look %s ", named(one));
    memset(state, 0, sizeof *state);
    make_view(&state->target, address_of("target"));
    state->target.clip = (struct sdl2_rect){7, 8, 9, 10};
    return is.has_target;
}

void steps_begin(const struct view *view) { note("steps %s ", named(view->surface)); }
void steps_blit(const struct view *view, const struct sdl2_rect *part, int32_t x, int32_t y)
{
    note("step %s ", named(view->surface));
    note_rect(part);
    note("to %d,%d ", x, y);
}
void steps_leave(const struct sdl2_rect *rect, enum recording_reason reason)
{
    note("leave %d ", reason), note_rect(rect);
}
void steps_ready(void) { note("ready "); }
void steps_end(void) { note("end "); }
void steps_forget(const void *surface) { note("forget %s ", named(surface)); }

bool tracker_sync(const struct view *view, const struct area *area)
{
    return note("sync %s %d,%d %dx%d ", named(view->surface), AREA(area)), is.agrees;
}
void tracker_expect_fill(const struct view *view, const struct area *area, uint32_t raw)
{
    note("fill %s %d,%d %dx%d %08x ", named(view->surface), AREA(area), (unsigned)raw);
}
bool tracker_agree(const struct view *view, const struct area *area, enum recording_reason reason)
{
    return note("agree %s %d,%d %dx%d %d ", named(view->surface), AREA(area), reason), is.agrees;
}
void tracker_count_pixels(enum recording_reason reason) { note("count %d ", reason); }
void tracker_leave(const struct view *view, const struct area *area, enum recording_reason reason)
{
    note("left %s %d,%d %dx%d %d ", named(view->surface), AREA(area), reason);
}

bool plan_stretched(const struct view *from, const struct sdl2_rect *part, const struct view *to,
                    const struct sdl2_rect *rect, bool has_filter)
{
    note("plan %s %s %d ", named(from->surface), named(to->surface), has_filter);
    note_rect(part);
    note_rect(rect);
    return is.is_planned;
}
void plan_clear(const struct renderer_state *state) { note("clear %d ", state->target.clip.x); }
void plan_fill(const struct renderer_state *state, const struct sdl2_float_rect *rect)
{
    note("fill %d ", state->target.clip.x), note_floats(rect);
}
void plan_outline(const struct renderer_state *state, const struct sdl2_float_rect *rect)
{
    note("outline %d ", state->target.clip.x), note_floats(rect);
}
static void note_points(const char *what, const struct sdl2_float_point *points, int count)
{
    note("%s %d ", what, count);
    for (int i = 0; i < count; i++) note("%g,%g ", (double)points[i].x, (double)points[i].y);
}
void plan_points(const struct renderer_state *state, const struct sdl2_float_point *points, int count)
{
    (void)state;
    note_points("points", points, count);
}
void plan_lines(const struct renderer_state *state, const struct sdl2_float_point *points, int count)
{
    (void)state;
    note_points("lines", points, count);
}
void plan_copy(const struct renderer_state *state, void *of, const struct sdl2_rect *part,
               const struct sdl2_float_rect *rect)
{
    note("copy %d %s ", state->target.clip.x, named(of)), note_rect(part), note_floats(rect);
}
void plan_turned(const struct renderer_state *state, void *of, const struct sdl2_rect *part,
                 const struct sdl2_float_rect *rect, const struct plan_turn *turn)
{
    note("turned %d %s ", state->target.clip.x, named(of)), note_rect(part), note_floats(rect);
    note("%g %d %d ", turn->angle, turn->centre != NULL, turn->flip);
}

bool events_mouse(int position[2], uint32_t *buttons)
{
    position[0] = 17, position[1] = 18;
    if (is.agrees) *buttons |= 1;
    return note("mouse "), is.agrees;
}
void events_keys(uint8_t *keys, int count) { note("keys %d ", count), memset(keys, 1, (size_t)count); }

/* ------------------------------------------------------------------ the library and the link */

static struct record_link link;
struct record_link *link_attach(void)
{
    link.drawn.pictures[0] = is.has_drawn ? '/' : 0;
    return is.has_link || is.enters ? &link : NULL;
}
void link_see(enum link_seen what) { note("see %d ", what); }
const char *link_self(void) { return "test_hooks3"; }
void sdl_has_3(const void *address) { note("SDL 3 is %s ", named(address)); }

static int32_t own_entry(uint32_t version, void *table, uint32_t bytes)
{
    note("<entry %u %u> ", (unsigned)version, (unsigned)bytes);
    for (uint32_t i = 0; i < bytes / sizeof(void *) && i < PLACES; i++) ((void **)table)[i] = hooks3_own(i);
    return is.entry_result;
}

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes);
bool library_at(struct library *library, const void *address)
{
    memset(library, 0, sizeof *library);
    return address != NULL && is.is_library;
}
bool library_has_mark(const struct library *library, const struct library_mark *mark)
{
    (void)library;
    return note("mark %s ", mark->with), is.user_has_mark;
}
void *library_function(const struct library *library, const char *name)
{
    (void)library;
    note("function %s ", name);
    return !is.has_entry ? NULL : (void *)(uintptr_t)(is.is_own_entry ? SDL_DYNAPI_entry : own_entry);
}
