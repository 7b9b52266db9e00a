/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder: what SDL 3 draws, with random arguments, in so many frames of 160 x 120. Of each frame it
 * prints its number and the CRC-32 of what it shows, by its own eyes; the recording, played, must show the same
 * (three.sh). It knows nothing of the recorder.
 *
 *   three KIND [FRAMES [SEED]]   KIND: surfaces, stretches (both with a window's surface), or one of those of the
 *                                renderer below
 *   three gpu | opengl           shows nothing of this, but asks for a GPU device's window, or for OpenGL's frame
 */
#include <SDL3/SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120, TEXTURES = 12, SURFACES = 14, SIDE = 40, CALLS = 24, OPAQUE = 255 };

static SDL_Window *window;
static SDL_Renderer *renderer;
static SDL_Texture *textures[TEXTURES];
static SDL_Surface *surfaces[SURFACES];
static Uint32 random_state = 1;

static Uint32 pick(Uint32 limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % limit;
}

static int from_to(int low, int high) { return low + (int)pick((Uint32)(high - low + 1)); }

static void die(const char *what)
{
    fprintf(stderr, "three: %s: %s\n", what, SDL_GetError());
    exit(1);
}

/* ------------------------------------------------------------------ what is random */

static SDL_Rect a_rect(void)
{
    return (SDL_Rect){from_to(-30, WIDTH + 10), from_to(-30, HEIGHT + 10), from_to(0, 90), from_to(0, 70)};
}

static float part(void) { return (float)pick(8) / 8; }

static SDL_FRect a_wide_rect(void)
{
    SDL_Rect rect = a_rect();
    return (SDL_FRect){(float)rect.x + part(), (float)rect.y + part(), (float)rect.w + part(), (float)rect.h};
}

static SDL_FPoint a_point(void)
{
    return (SDL_FPoint){(float)from_to(-20, WIDTH + 20) + part(), (float)from_to(-20, HEIGHT + 20)};
}

static SDL_BlendMode a_mode(void)
{
    static const SDL_BlendMode modes[] = {SDL_BLENDMODE_NONE, SDL_BLENDMODE_BLEND, SDL_BLENDMODE_BLEND,
                                          SDL_BLENDMODE_ADD,  SDL_BLENDMODE_MOD,   SDL_BLENDMODE_MUL};
    return modes[pick(6)];
}

static Uint8 a_level(void) { return (Uint8)(pick(3) == 0 ? OPAQUE : pick(256)); }

static void scribble(Uint8 *units, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) units[i] = (Uint8)pick(256);
}

static const SDL_PixelFormat formats[] = {SDL_PIXELFORMAT_ARGB8888, SDL_PIXELFORMAT_ARGB8888, SDL_PIXELFORMAT_XRGB8888,
                                          SDL_PIXELFORMAT_ABGR8888, SDL_PIXELFORMAT_RGBA8888, SDL_PIXELFORMAT_XBGR8888,
                                          SDL_PIXELFORMAT_RGB565,   SDL_PIXELFORMAT_XRGB1555, SDL_PIXELFORMAT_ARGB1555,
                                          SDL_PIXELFORMAT_RGB24,    SDL_PIXELFORMAT_BGR24,    SDL_PIXELFORMAT_INDEX8};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ------------------------------------------------------------------ surfaces */

/* Alpha of surfaces and textures: any, or opaque and clear alone. */
static void cut_alpha(SDL_Surface *surface)
{
    for (int y = 0; surface->format == SDL_PIXELFORMAT_ARGB8888 && y < surface->h; y++) {
        Uint32 *row = (Uint32 *)(void *)((Uint8 *)surface->pixels + y * surface->pitch);
        for (int x = 0; x < surface->w; x++) row[x] = pick(3) == 0 ? 0 : row[x] | 0xff000000u;
    }
}

static void dress(SDL_Surface *surface)
{
    SDL_SetSurfaceBlendMode(surface, pick(3) == 0 ? a_mode() : SDL_BLENDMODE_NONE);
    SDL_SetSurfaceColorKey(surface, pick(4) == 0, pick(65536));
    SDL_SetSurfaceAlphaMod(surface, pick(4) == 0 ? a_level() : OPAQUE);
    SDL_SetSurfaceColorMod(surface, pick(4) == 0 ? a_level() : OPAQUE, OPAQUE, OPAQUE);
}

static void make_surface(int i)
{
    if (surfaces[i] != NULL) SDL_DestroySurface(surfaces[i]);
    surfaces[i] = SDL_CreateSurface(SIDE, SIDE, formats[(unsigned)i % FORMATS]);
    if (surfaces[i] == NULL) die("no surface");
    scribble(surfaces[i]->pixels, (size_t)surfaces[i]->pitch * SIDE);
    if (i == 1) cut_alpha(surfaces[i]);
    if (surfaces[i]->format == SDL_PIXELFORMAT_INDEX8) {
        SDL_Color colours[256];
        for (int c = 0; c < 256; c++) colours[c] = (SDL_Color){(Uint8)c, (Uint8)(c * 7), (Uint8)(255 - c), OPAQUE};
        SDL_SetPaletteColors(SDL_CreateSurfacePalette(surfaces[i]), colours, 0, 256);
    }
    SDL_SetSurfaceRLE(surfaces[i], pick(2) != 0);
    dress(surfaces[i]);
}

static void by_other_functions(SDL_Surface *source, const SDL_Rect *from, SDL_Surface *target, const SDL_Rect *to)
{
    const SDL_ScaleMode mode = pick(2) != 0 ? SDL_SCALEMODE_NEAREST : SDL_SCALEMODE_LINEAR;
    switch (pick(4)) {
    case 0: SDL_StretchSurface(source, NULL, target, to, SDL_SCALEMODE_NEAREST); break;
    case 1: SDL_BlitSurfaceTiledWithScale(source, from, 2, mode, target, to); break;
    case 2: SDL_BlitSurface9Grid(source, NULL, 4, 5, 6, 7, 1, mode, target, to); break;
    default: SDL_BlitSurfaceTiled(source, pick(2) != 0 ? NULL : from, target, to);
    }
}

static void surface_call(bool is_scaled)
{
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    SDL_Surface *source = surfaces[pick(SURFACES)], *target = pick(3) == 0 ? surfaces[pick(SURFACES)] : screen;
    SDL_Rect from = {(int)pick(20) - 4, (int)pick(20) - 4, 1 + (int)pick(SIDE), 1 + (int)pick(SIDE)}, to = a_rect();
    if (pick(12) == 0) make_surface((int)pick(SURFACES));
    else if (pick(8) == 0) SDL_SetSurfaceClipRect(screen, pick(2) != 0 ? NULL : &to);
    else if (pick(8) == 0) SDL_FillSurfaceRect(target, pick(4) != 0 ? &to : NULL, pick(1u << 31));
    else if (pick(20) == 0) SDL_FillSurfaceRects(target, (SDL_Rect[]){to, from, a_rect()}, 3, pick(1u << 31));
    else if (pick(40) == 0) SDL_ClearSurface(target, 0.25f, 0.5f, 0.75f, 1);
    else if (is_scaled && source != target && pick(5) == 0) by_other_functions(source, &from, target, &to);
    else if (is_scaled && source != target)
        SDL_BlitSurfaceScaled(source, pick(3) != 0 ? &from : NULL, target, &to,
                              pick(2) != 0 ? SDL_SCALEMODE_NEAREST : SDL_SCALEMODE_LINEAR);
    else if (source != target) SDL_BlitSurface(source, pick(3) != 0 ? &from : NULL, target, &to);
    if (pick(4) == 0) dress(source);
}

static void blits(void) { surface_call(false); }
static void stretches(void) { surface_call(true); }

/* ------------------------------------------------------------------ textures */

static SDL_Texture *made(int i)
{
    static const SDL_TextureAccess accesses[] = {SDL_TEXTUREACCESS_STATIC, SDL_TEXTUREACCESS_STREAMING,
                                                 SDL_TEXTUREACCESS_TARGET};
    Uint8 units[SIDE * SIDE * 4];
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, formats[pick(3) == 0 ? pick(FORMATS - 1) : 0], accesses[i % 3], SIDE, SIDE);
    scribble(units, sizeof units);
    if (texture == NULL) die("no texture");
    SDL_UpdateTexture(texture, NULL, units, SIDE * 4);
    return texture;
}

static void make(int i)
{
    if (textures[i] != NULL) SDL_DestroyTexture(textures[i]);
    if (i < 8) {
        textures[i] = made(i);
    } else {
        make_surface(i);
        SDL_SetSurfaceColorMod(surfaces[i], OPAQUE, OPAQUE, OPAQUE);
        if (i == 9) make_surface(1);
        textures[i] = SDL_CreateTextureFromSurface(renderer, surfaces[i == 9 ? 1 : i]);
    }
    if (textures[i] == NULL) die("no texture");
    SDL_SetTextureScaleMode(textures[i], pick(2) != 0 ? SDL_SCALEMODE_NEAREST : SDL_SCALEMODE_LINEAR);
    SDL_SetTextureBlendMode(textures[i], pick(2) != 0 ? SDL_BLENDMODE_BLEND : a_mode());
    if (pick(3) == 0) SDL_SetTextureAlphaMod(textures[i], a_level());
    if (pick(3) == 0) SDL_SetTextureColorMod(textures[i], a_level(), a_level(), a_level());
}

/* The texture has other pixels: handed over, written where they are. */
static void change(SDL_Texture *texture)
{
    int pitch = 0;
    Uint8 units[SIDE * SIDE * 4];
    void *pixels = NULL;
    SDL_Rect rect = {(int)pick(10), (int)pick(10), 1 + (int)pick(20), 1 + (int)pick(20)};
    if (SDL_LockTexture(texture, &rect, &pixels, &pitch)) {
        for (int y = 0; y < rect.h; y++) scribble((Uint8 *)pixels + y * pitch, (size_t)rect.w * 2);
        SDL_UnlockTexture(texture);
    } else {
        scribble(units, sizeof units);
        SDL_UpdateTexture(texture, &rect, units, SIDE * 4);
    }
}

/* ------------------------------------------------------------------ drawing */

static void colour(void)
{
    SDL_SetRenderDrawColor(renderer, a_level(), a_level(), a_level(), a_level());
    if (pick(4) == 0) SDL_SetRenderDrawColorFloat(renderer, part(), part() * 1.2f, part(), part());
    SDL_SetRenderDrawBlendMode(renderer, pick(2) != 0 ? SDL_BLENDMODE_NONE : a_mode());
}

static void fills(void)
{
    SDL_FRect rects[] = {a_wide_rect(), a_wide_rect()};
    colour();
    switch (pick(5)) {
    case 0:
        if (pick(6) == 0) SDL_RenderClear(renderer);
        break;
    case 1: SDL_RenderFillRect(renderer, pick(8) == 0 ? NULL : rects); break;
    case 2: SDL_RenderFillRects(renderer, rects, 2); break;
    case 3: SDL_RenderRect(renderer, pick(8) == 0 ? NULL : rects); break;
    default: SDL_RenderRects(renderer, rects, 2);
    }
}

static void lines(void)
{
    SDL_FPoint points[] = {a_point(), a_point(), a_point(), a_point()};
    if (pick(2) == 0) points[1].x = points[0].x;
    if (pick(2) == 0) points[2].y = points[1].y;
    colour();
    switch (pick(4)) {
    case 0: SDL_RenderLine(renderer, points[0].x, points[0].y, points[1].x, points[1].y); break;
    case 1: SDL_RenderLines(renderer, points, 4); break;
    case 2: SDL_RenderPoint(renderer, points[0].x, points[0].y); break;
    default: SDL_RenderPoints(renderer, points, 4);
    }
}

static void copies(bool is_scaled, bool is_turned)
{
    SDL_Texture *texture = textures[pick(TEXTURES)];
    SDL_FRect from = {(float)pick(30) + part(), (float)pick(30), 1 + (float)pick(30), 1 + (float)pick(30)};
    SDL_FRect to = a_wide_rect();
    SDL_FPoint centre = a_point();
    if (SDL_GetRenderTarget(renderer) == texture) return;
    if (!is_scaled) to.w = from.w = SDL_floorf(from.w), to.h = from.h;
    if (!is_scaled && (from.x + from.w > SIDE || from.y + from.h > SIDE)) from.x = from.y = 0;
    if (!is_turned) SDL_RenderTexture(renderer, texture, pick(4) != 0 || !is_scaled ? &from : NULL, &to);
    else
        SDL_RenderTextureRotated(renderer, texture, &from, &to, pick(3) == 0 ? 30 : 90.0 * pick(5),
                                 pick(2) != 0 ? &centre : NULL, (SDL_FlipMode)pick(3));
    if (pick(16) == 0) SDL_RenderTextureTiled(renderer, texture, NULL, 1, &to);
    if (is_turned && pick(16) == 0) SDL_RenderDebugText(renderer, to.x, to.y, "tessera");
    if (is_turned && pick(16) == 0)
        SDL_RenderTextureAffine(renderer, texture, NULL, &centre, &(SDL_FPoint){90, 9}, NULL);
    if (pick(16) == 0) SDL_RenderTexture9Grid(renderer, texture, NULL, 4, 4, 4, 4, 1, &to);
    if (pick(8) == 0) change(texture);
}

static void plain(void) { copies(false, false); }
static void scaled(void) { copies(true, false); }
static void turned(void) { copies(pick(2) != 0, true); }

static void geometry(void)
{
    static const int order[] = {0, 1, 2, 0, 2, 3};
    SDL_Vertex corners[4];
    const SDL_Rect rect = a_rect();
    SDL_FColor tint = {part(), part(), 1, pick(2) != 0 ? 1 : part()};
    for (int i = 0; i < 4; i++) {
        bool is_right = i == 1 || i == 2, is_low = i >= 2;
        corners[i].position = (SDL_FPoint){(float)(rect.x + is_right * rect.w), (float)(rect.y + is_low * rect.h)};
        corners[i].tex_coord = (SDL_FPoint){is_right, is_low};
        corners[i].color = tint;
    }
    if (pick(3) == 0) corners[pick(4)].position.x += 9;
    if (pick(6) == 0) corners[pick(4)].color.r /= 2;
    SDL_RenderGeometry(renderer, pick(2) != 0 ? textures[pick(2)] : NULL, corners, 4, order, 6);
}

static void state(void)
{
    SDL_Rect rect = a_rect();
    static const float scales[] = {1, 1, 1, 2, 0.5f, 1.25f};
    SDL_FlushRenderer(renderer);
    switch (pick(8)) {
    case 0: SDL_SetRenderViewport(renderer, pick(2) != 0 ? NULL : &rect); break;
    case 1: SDL_SetRenderClipRect(renderer, pick(2) != 0 ? NULL : &rect); break;
    case 2: SDL_SetRenderScale(renderer, scales[pick(6)], scales[pick(6)]); break;
    case 3: SDL_SetRenderTarget(renderer, textures[2]); break;
    case 4: SDL_SetRenderTarget(renderer, NULL); break;
    case 5:
        SDL_SetRenderLogicalPresentation(renderer, WIDTH - (int)pick(2) * 40, HEIGHT - (int)pick(2) * 50,
                                         (SDL_RendererLogicalPresentation)pick(5));
        break;
    case 6: change(textures[pick(TEXTURES)]); break;
    default: make((int)pick(TEXTURES));
    }
    /* What is queued before a change of the state SDL 3.2 may draw by the new one: it is the recorder that flushes. */
    SDL_FlushRenderer(renderer);
}

/* ------------------------------------------------------------------ frames */

static const struct {
    const char *name;
    void (*call)(void);
    bool has_state, has_surfaces;
} kinds[] = {{"surfaces", blits, false, true}, {"stretches", stretches, false, true}, {"fills", fills, false, false},
             {"lines", lines, false, false},   {"copies", plain, false, false},       {"scaled", scaled, false, false},
             {"turned", turned, false, false}, {"geometry", geometry, false, false},  {"states", fills, true, false},
             {"all", plain, true, false}};
enum { KINDS = sizeof kinds / sizeof *kinds, FIRST = 2 };

static void draw(unsigned kind)
{
    for (int i = 0; i < CALLS; i++) {
        const unsigned now = kind < KINDS - 1 ? kind : FIRST + pick(KINDS - 1 - FIRST);
        if (kinds[kind].has_state && pick(3) == 0) state();
        kinds[now].call();
    }
}

static Uint32 crc32_of(const Uint8 *bytes, size_t count) { return SDL_crc32(0, bytes, count); }

/* What the window shows: of a renderer after it has been presented, as bars are drawn then. */
static void tell(int frame)
{
    static Uint32 units[WIDTH * HEIGHT];
    const SDL_Surface *surface = SDL_GetWindowSurface(window);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            units[y * WIDTH + x] =
                ((const Uint32 *)(const void *)((const Uint8 *)surface->pixels + y * surface->pitch))[x] | 0xff000000u;
    printf("%d %08x\n", frame, crc32_of((const Uint8 *)units, sizeof units));
}

/* What SDL says of it, and long enough to be seen. */
static int other_way(bool is_gpu)
{
    window = SDL_CreateWindow("three", WIDTH, HEIGHT, 0);
    const bool result = is_gpu ? SDL_ClaimWindowForGPUDevice(NULL, window) : SDL_GL_SwapWindow(window);
    printf("%s: %s\n", is_gpu ? "gpu" : "opengl", result ? "good" : SDL_GetError());
    SDL_Delay(500);
    SDL_Quit();
    return 0;
}

int main(int argc, char **argv)
{
    const int frames = argc > 2 ? atoi(argv[2]) : 60;
    unsigned kind = 0;
    while (argc > 1 && kind < KINDS - 1 && strcmp(argv[1], kinds[kind].name) != 0) kind++;
    random_state = argc > 3 ? (Uint32)atoi(argv[3]) : 1;
    if (argc == 2 ? !SDL_InitSubSystem(SDL_INIT_VIDEO) : !SDL_Init(SDL_INIT_VIDEO)) die("no SDL");
    if (argc == 2 && (strcmp(argv[1], "gpu") == 0 || strcmp(argv[1], "opengl") == 0))
        return other_way(argv[1][0] == 'g');
    if (kinds[kind].has_surfaces) window = SDL_CreateWindow("three", WIDTH, HEIGHT, 0);
    else if (!SDL_CreateWindowAndRenderer("three", WIDTH, HEIGHT, 0, &window, &renderer)) die("no renderer");
    if (window == NULL) die("no window");
    for (int i = 0; i < SURFACES; i++) make_surface(i);
    for (int i = 0; renderer != NULL && i < TEXTURES; i++) make(i);
    for (int frame = 0; frame < frames; frame++) {
        draw(kind);
        if (renderer != NULL) SDL_RenderPresent(renderer);
        else SDL_UpdateWindowSurface(window);
        tell(frame);
    }
    if (renderer != NULL) SDL_DestroyRenderer(renderer);
    SDL_Quit();
    return 0;
}
