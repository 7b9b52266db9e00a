/* SPDX-License-Identifier: Apache-2.0
 *
 * See renderer.h.
 */
#define _GNU_SOURCE
#include "clients/sdl/record/renderer.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clients/sdl/record/link.h"
#include "clients/sdl/record/steps.h"

enum {
    RENDERERS = 16,
    SCREENS = 16,
    HINT_OVERRIDE = 2,
    ACCESS_STATIC = 0,
    ACCESS_STREAMING = 1,
    PROBE_WIDTH = 13,
    PROBE_HEIGHT = 7,
    LONGEST_TEXTURE = 1024 /* bytes of SDL's structure that are looked through */
};

struct texture {
    void *texture, *renderer, *surface;
    void *drawn;    /* the texture itself, or one that SDL has made for it in a format that the renderer has */
    bool is_opaque; /* has taken units without alpha, and is not blended: its alpha means nothing */
    void *locked;   /* SDL's surface of a part of it; NULL: none */
};

static struct {
    struct {
        void *renderer, *window, *surface;
        bool is_seen;
    } list[RENDERERS];
    struct texture *textures;
    size_t texture_count, texture_room;
    struct {
        const void *window;
        void *surface;
    } screens[SCREENS]; /* surfaces of windows, which SDL frees by itself */
    bool has_looked, has_found;
    size_t surface_at, native_at; /* in SDL's structure of a texture */
} renderers;

/* SDL's own function of that name, of that type. */
#define SDL(type, name, ...) \
    static type (*name)(__VA_ARGS__); \
    if (name == NULL) *(void **)&name = sdl_function("SDL_" #name)

/* ------------------------------------------------------------------ where textures lie */

/* Memory that may not be there. */
static bool peek(const void *from, void *to, size_t bytes)
{
    const struct iovec own = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
    return from != NULL && process_vm_readv(getpid(), &own, 1, &there, 1, 0) == (ssize_t)bytes;
}

static void *word_at(const void *structure, size_t at)
{
    void *word = NULL;
    memcpy(&word, (const uint8_t *)structure + at, sizeof word);
    return word;
}

static bool is_surface_3(const void *word, const void *pixels)
{
    struct sdl3_surface surface = {0};
    return peek(word, &surface, sizeof surface) && surface.width == PROBE_WIDTH && surface.height == PROBE_HEIGHT &&
           surface.pixels != NULL && surface.references > 0 && (pixels == NULL || surface.pixels == pixels);
}

static bool is_surface(const void *word, const void *pixels)
{
    struct sdl2_surface surface = {0};
    if (sdl_version() == SDL_3) return is_surface_3(word, pixels);
    return peek(word, &surface, sizeof surface) && surface.width == PROBE_WIDTH && surface.height == PROBE_HEIGHT &&
           surface.format != NULL && surface.pixels != NULL && (pixels == NULL || surface.pixels == pixels);
}

static size_t structure_bytes(void *texture)
{
    size_t bytes = malloc_usable_size(texture);
    return bytes < LONGEST_TEXTURE ? bytes : LONGEST_TEXTURE;
}

/* The word of the texture that is the surface with these pixels. 0: there is none. */
static size_t find_surface(void *texture, const void *pixels)
{
    for (size_t at = sizeof(void *); at + sizeof(void *) <= structure_bytes(texture); at += sizeof(void *))
        if (is_surface(word_at(texture, at), pixels)) return at;
    return 0;
}

/* The word of a texture whose format the renderer has not, that is one whose format it has. */
static size_t find_native(void *texture)
{
    for (size_t at = sizeof(void *); at + sizeof(void *) <= structure_bytes(texture); at += sizeof(void *)) {
        void *native = word_at(texture, at), *surface = NULL;
        if (peek((uint8_t *)native + renderers.surface_at, &surface, sizeof surface) && is_surface(surface, NULL))
            return at;
    }
    return 0;
}

/* Where in SDL's structure of a texture its surface is: two textures are made and gone again. */
static void find_surfaces(void *renderer)
{
    SDL(void *, CreateTexture, void *, uint32_t, int, int, int);
    SDL(int, LockTexture, void *, const void *, void **, int *);
    SDL(void, UnlockTexture, void *);
    SDL(void, DestroyTexture, void *);
    const int succeeded = sdl_version() == SDL_3;
    void *pixels = NULL;
    int pitch = 0;
    renderers.has_looked = true;
    void *plain = CreateTexture(renderer, SDL2_PIXELFORMAT_ARGB8888, ACCESS_STREAMING, PROBE_WIDTH, PROBE_HEIGHT);
    void *other = CreateTexture(renderer, SDL2_PIXELFORMAT_BGR24, ACCESS_STATIC, PROBE_WIDTH, PROBE_HEIGHT);
    if (plain != NULL && other != NULL && (LockTexture(plain, NULL, &pixels, &pitch) & 255) == succeeded) {
        renderers.surface_at = find_surface(plain, pixels);
        UnlockTexture(plain);
        if (renderers.surface_at != 0) renderers.native_at = find_native(other);
        renderers.has_found = renderers.native_at != 0;
    }
    if (plain != NULL) DestroyTexture(plain);
    if (other != NULL) DestroyTexture(other);
}

/* ------------------------------------------------------------------ renderers */

void renderer_force(void)
{
    SDL(int, SetHintWithPriority, const char *, const char *, int);
    if (link_attach() == NULL || SetHintWithPriority == NULL) return;
    (void)SetHintWithPriority("SDL_RENDER_DRIVER", "software", HINT_OVERRIDE);
    (void)SetHintWithPriority("SDL_RENDER_VSYNC", "0", HINT_OVERRIDE);
    (void)SetHintWithPriority("SDL_FRAMEBUFFER_ACCELERATION", "0", HINT_OVERRIDE);
}

static int find(const void *renderer)
{
    int i = RENDERERS - 1;
    while (i >= 0 && renderers.list[i].renderer != renderer) i--;
    return i;
}

static bool is_software(void *renderer)
{
    struct {
        const char *name;
        uint32_t more[64];
    } about = {.name = NULL};
    SDL(int, GetRendererInfo, void *, void *);
    SDL(const char *, GetRendererName, void *);
    if (sdl_version() == SDL_3) about.name = GetRendererName(renderer);
    else if (GetRendererInfo(renderer, &about) != 0) about.name = NULL;
    return about.name != NULL && strcmp(about.name, "software") == 0;
}

void renderer_add(void *renderer, void *window, void *surface)
{
    int i = find(NULL);
    if (i < 0 || renderer == NULL) return;
    bool is_software_one = is_software(renderer);
    if (is_software_one && !renderers.has_looked) find_surfaces(renderer);
    renderers.list[i].renderer = renderer;
    renderers.list[i].window = window;
    renderers.list[i].surface = surface;
    renderers.list[i].is_seen = is_software_one && renderers.has_found;
}

void renderer_remove(void *renderer)
{
    int i = find(renderer);
    if (renderer == NULL) return;
    for (size_t n = 0; n < renderers.texture_count;) { /* the last one takes the place of one that goes */
        if (renderers.textures[n].renderer == renderer) texture_remove(renderers.textures[n].texture);
        else n++;
    }
    if (i >= 0) memset(&renderers.list[i], 0, sizeof renderers.list[i]);
}

void *renderer_of(const void *window)
{
    for (int i = 0; i < RENDERERS; i++)
        if (renderers.list[i].renderer != NULL && (window == NULL || renderers.list[i].window == window))
            return renderers.list[i].renderer;
    return NULL;
}

bool renderer_is_seen(const void *renderer)
{
    int i = renderer != NULL ? find(renderer) : -1;
    return i >= 0 && renderers.list[i].is_seen;
}

void renderer_flush(void *renderer)
{
    SDL(int, RenderFlush, void *);
    SDL(int, FlushRenderer, void *); /* of SDL 3 */
    if (RenderFlush != NULL) (void)RenderFlush(renderer);
    if (FlushRenderer != NULL) (void)FlushRenderer(renderer);
}

void *renderer_screen(const void *renderer)
{
    SDL(void *, GetWindowSurface, void *);
    if (!renderer_is_seen(renderer)) return NULL;
    int i = find(renderer);
    if (renderers.list[i].window == NULL) return renderers.list[i].surface;
    void *surface = GetWindowSurface(renderers.list[i].window);
    screen_is(renderers.list[i].window, surface);
    return surface;
}

bool renderer_is_hidden(const void *renderer)
{
    int i = renderer != NULL ? find(renderer) : -1;
    return i >= 0 && renderers.list[i].window == NULL;
}

/* ------------------------------------------------------------------ textures */

static struct texture *find_texture(const void *texture)
{
    for (size_t i = 0; i < renderers.texture_count; i++)
        if (renderers.textures[i].texture == texture) return &renderers.textures[i];
    return NULL;
}

/* The texture that SDL draws with. */
static void *look_up_drawn(void *texture)
{
    void *native = word_at(texture, renderers.surface_at) == NULL ? word_at(texture, renderers.native_at) : NULL;
    return native != NULL ? native : texture;
}

void texture_add(void *renderer, void *texture)
{
    SDL(int, SetSurfaceRLE, void *, int);
    if (texture == NULL || !renderer_is_seen(renderer)) return;
    void *drawn = look_up_drawn(texture), *surface = word_at(drawn, renderers.surface_at);
    if (renderers.texture_count == renderers.texture_room) {
        size_t room = renderers.texture_room * 2u + 64u;
        struct texture *textures = realloc(renderers.textures, room * sizeof *textures);
        if (textures == NULL) return;
        renderers.textures = textures;
        renderers.texture_room = room;
    }
    if (surface != NULL) (void)SetSurfaceRLE(surface, 0); /* an encoded surface has no pixels */
    renderers.textures[renderers.texture_count++] = (struct texture){texture, renderer, surface, drawn, false, NULL};
}

static bool is_byte(uint32_t mask)
{
    return mask == 0xffu || mask == 0xff00u || mask == 0xff0000u || mask == 0xff000000u;
}

void *texture_ordered(void *surface)
{
    SDL(void *, ConvertSurfaceFormat, void *, uint32_t, uint32_t);
    const uint32_t alpha = 0xff000000u;
    struct view view;
    if (sdl_version() == SDL_3 || !view_make(&view, surface) || view.unit_bytes != 4 || view.has_key) return NULL;
    bool is_bytes = is_byte(view.red) && is_byte(view.green) && is_byte(view.blue);
    bool is_ordered = view.red == 0xff0000u && view.blue == 0xffu && (view.alpha_mask | alpha) == alpha;
    if (is_ordered || !is_bytes) return NULL;
    return ConvertSurfaceFormat(surface, view.alpha_mask != 0 ? SDL2_PIXELFORMAT_ARGB8888 : SDL2_PIXELFORMAT_XRGB8888,
                                0);
}

void texture_free_ordered(void *surface)
{
    SDL(void, FreeSurface, void *);
    if (surface != NULL) FreeSurface(surface);
}

void texture_remove(void *texture)
{
    struct texture *known = find_texture(texture);
    if (known == NULL) return;
    texture_unlock(texture);
    const void *surface = known->surface;
    *known = renderers.textures[--renderers.texture_count];
    if (surface != NULL) steps_forget(surface);
}

void *texture_surface(void *texture)
{
    const struct texture *known = find_texture(texture);
    return known != NULL ? known->surface : NULL;
}

bool texture_view(struct view *view, void *texture)
{
    SDL(int, GetTextureAlphaMod, void *, uint8_t *);
    SDL(int, GetTextureColorMod, void *, uint8_t *, uint8_t *, uint8_t *);
    SDL(int, GetTextureBlendMode, void *, int *);
    uint8_t alpha = 255, red = 255, green = 255, blue = 255;
    int mode = SDL2_BLENDMODE_NONE;
    struct texture *known = find_texture(texture);
    if (known == NULL || !view_make(view, known->surface)) return false;
    (void)GetTextureAlphaMod(known->drawn, &alpha);
    (void)GetTextureColorMod(known->drawn, &red, &green, &blue);
    (void)GetTextureBlendMode(known->drawn, &mode);
    known->is_opaque = known->is_opaque && mode == SDL2_BLENDMODE_NONE;
    if (known->is_opaque) view->alpha_mask = 0;
    view_attributes(view, mode, alpha, (uint32_t)red << 16 | (uint32_t)green << 8 | (uint32_t)blue);
    return true;
}

static void claim_3(struct view *view)
{
    const struct sdl3_surface *own = view->surface;
    for (size_t i = 0; i < renderers.texture_count; i++) {
        const struct sdl3_surface *surface = renderers.textures[i].surface;
        if (surface == NULL || surface->pixels != own->pixels || surface->pitch != own->pitch ||
            surface->width != own->width || surface->height != own->height || surface->format != own->format)
            continue;
        view->surface = surface;
        return;
    }
}

/* A surface of the program's whose pixels are those of a texture is that texture. */
static void claim(struct view *view)
{
    if (sdl_version() == SDL_3) {
        claim_3(view);
        return;
    }
    for (size_t i = 0; i < renderers.texture_count; i++) {
        const struct sdl2_surface *surface = renderers.textures[i].surface;
        if (surface == NULL || surface->pixels != view->pixels || surface->pitch != (int)view->pitch ||
            surface->width != view->width || surface->height != view->height || surface->format->red != view->red ||
            surface->format->green != view->green || surface->format->blue != view->blue ||
            surface->format->alpha_mask != view->alpha_mask)
            continue;
        view->surface = surface;
        return;
    }
}

/* The surface that was last drawn to, which a texture may take over next; of SDL 2 and 3. The recorder is one of its
 * owners, as SDL frees some by itself: a locked texture's when it is unlocked, a window's when it is resized or
 * destroyed. */
static void *last_drawn;

static int *references_of(void *surface)
{
    return sdl_version() == SDL_3 ? &((struct sdl3_surface *)surface)->references
                                  : &((struct sdl2_surface *)surface)->references;
}

static void give_up_last_drawn(void)
{
    static void (*release)(void *);
    void *before = last_drawn;
    if (before == NULL) return;
    last_drawn = NULL;
    if (release == NULL)
        *(void **)&release = sdl_function(sdl_version() == SDL_3 ? "SDL_DestroySurface" : "SDL_FreeSurface");
    if (*references_of(before) > 1) {
        --*references_of(before);
        return;
    }
    steps_forget(before);
    release(before);
}

static void own_last_drawn(void *surface)
{
    if (surface == last_drawn || sdl_version() == SDL_1_2) return;
    give_up_last_drawn();
    last_drawn = surface;
    ++*references_of(surface);
}

bool texture_target(struct view *view, void *surface)
{
    if (!view_make(view, surface)) return false;
    own_last_drawn(surface);
    claim(view);
    return true;
}

bool texture_takes(struct view *view, struct view *source, void *texture)
{
    SDL(int, GetTextureBlendMode, void *, int *);
    struct texture *known = find_texture(texture);
    int mode = SDL2_BLENDMODE_BLEND;
    if (known == NULL || !view_make(view, known->surface)) return false;
    view->clip = (struct sdl2_rect){0, 0, view->width, view->height};
    (void)GetTextureBlendMode(known->drawn, &mode);
    if (source->surface == view->surface) return false;
    if (known->drawn != texture) return true; /* SDL converts them */
    known->is_opaque = source->alpha_mask == 0 && view->alpha_mask != 0 && mode == SDL2_BLENDMODE_NONE;
    if (known->is_opaque) view->alpha_mask = 0;
    return source->unit_bytes == view->unit_bytes && source->red == view->red && source->green == view->green &&
           source->blue == view->blue;
}

void texture_forget(const void *surface)
{
    if (last_drawn == NULL || last_drawn != surface) return;
    --*references_of(last_drawn);
    last_drawn = NULL;
}

/* ------------------------------------------------------------------ what SDL frees by itself */

void screen_is(const void *window, void *surface)
{
    int i = 0, room = -1;
    for (; i < SCREENS && (renderers.screens[i].surface == NULL || renderers.screens[i].window != window); i++)
        if (renderers.screens[i].surface == NULL) room = i;
    if (i == SCREENS) i = room;
    if (i < 0 || renderers.screens[i].surface == surface) return;
    void *before = renderers.screens[i].surface;
    renderers.screens[i].window = window;
    renderers.screens[i].surface = surface;
    if (before == NULL) return;
    if (before == last_drawn) give_up_last_drawn();
    steps_forget(before);
}

static void forget_before_free(void *surface)
{
    texture_forget(surface);
    steps_forget(surface);
}

void screens_forget(const void *window)
{
    for (int i = 0; i < SCREENS; i++) {
        void *surface = renderers.screens[i].surface;
        if (surface == NULL || (window != NULL && renderers.screens[i].window != window)) continue;
        renderers.screens[i].surface = NULL;
        forget_before_free(surface);
    }
}

void texture_lock(void *texture, void *surface)
{
    struct texture *known = find_texture(texture);
    if (known != NULL) known->locked = surface;
}

void texture_unlock(void *texture)
{
    struct texture *known = find_texture(texture);
    if (known == NULL || known->locked == NULL) return;
    forget_before_free(known->locked);
    known->locked = NULL;
}

/* ------------------------------------------------------------------ state */

static struct sdl2_rect shared_part(const struct sdl2_rect *a, const struct sdl2_rect *b)
{
    int left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
    int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
    int bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
    return (struct sdl2_rect){left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

/* Viewport and clip rectangle are told by SDL in the renderer's scaled units, rounded: in units of the target, while
 * the scale is 1. */
static void look_at_clip(struct renderer_state *state, void *renderer)
{
    SDL(void, RenderGetScale, void *, float *, float *);
    SDL(int, RenderSetScale, void *, float, float);
    SDL(void, RenderGetViewport, void *, struct sdl2_rect *);
    SDL(void, RenderGetClipRect, void *, struct sdl2_rect *);
    SDL(int, RenderIsClipEnabled, void *);
    struct sdl2_rect clip = {0, 0, 0, 0};
    RenderGetScale(renderer, &state->scale_x, &state->scale_y);
    (void)RenderSetScale(renderer, 1, 1);
    RenderGetViewport(renderer, &state->viewport);
    RenderGetClipRect(renderer, &clip);
    (void)RenderSetScale(renderer, state->scale_x, state->scale_y);
    struct sdl2_rect all = {0, 0, state->target.width, state->target.height};
    state->target.clip = shared_part(&all, &state->viewport);
    if (!RenderIsClipEnabled(renderer)) return;
    clip.x += state->viewport.x;
    clip.y += state->viewport.y;
    state->target.clip = shared_part(&state->target.clip, &clip);
}

uint32_t renderer_raw(const struct renderer_state *state, uint32_t colour)
{
    SDL(uint32_t, MapRGBA, const void *, uint8_t, uint8_t, uint8_t, uint8_t);
    SDL(uint32_t, MapSurfaceRGBA, const void *, uint8_t, uint8_t, uint8_t, uint8_t); /* of SDL 3 */
    return (sdl_version() == SDL_3 ? MapSurfaceRGBA : MapRGBA)(
        state->format, (uint8_t)(colour >> 24), (uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour);
}

static void look_at_colour(struct renderer_state *state, void *renderer)
{
    SDL(int, GetRenderDrawColor, void *, uint8_t *, uint8_t *, uint8_t *, uint8_t *);
    SDL(int, GetRenderDrawBlendMode, void *, int *);
    uint8_t red = 0, green = 0, blue = 0, alpha = 0;
    (void)GetRenderDrawColor(renderer, &red, &green, &blue, &alpha);
    (void)GetRenderDrawBlendMode(renderer, &state->mode);
    state->colour = (uint32_t)red << 24 | (uint32_t)green << 16 | (uint32_t)blue << 8 | alpha;
}

bool renderer_look(struct renderer_state *state, void *renderer)
{
    SDL(void *, GetRenderTarget, void *);
    void *surface = renderer_screen(renderer);
    if (surface == NULL) return false;
    void *texture = GetRenderTarget(renderer);
    if (texture != NULL)
        surface = word_at(texture, renderers.surface_at); /* perhaps one that SDL has made for another's format */
    renderer_flush(renderer);
    if (!view_make(&state->target, surface)) return false;
    state->format = surface;
    if (sdl_version() == SDL_3) renderer3_look(state, renderer);
    else {
        look_at_clip(state, renderer);
        state->format = ((const struct sdl2_surface *)surface)->format;
        look_at_colour(state, renderer);
    }
    state->raw = renderer_raw(state, state->colour);
    return true;
}
