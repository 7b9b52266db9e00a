/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder: every call of SDL 2's renderer that draws, with random arguments, in so many frames of
 * 160 x 120. Of each frame it prints its number and the CRC-32 of what it shows, by its own eyes; the recording,
 * played, must show the same (rendered.sh). It knows nothing of the recorder.
 *
 *   rendered KIND [FRAMES [SEED]]   KIND: all, or one of those below, which draws that alone
 */
#include <SDL2/SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WIDTH = 160, HEIGHT = 120, TEXTURES = 12, SIDE = 40, CALLS = 24, OPAQUE = 255, TALL = 400 };

static SDL_Renderer *renderer;
static SDL_Texture *textures[TEXTURES];
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
    fprintf(stderr, "rendered: %s: %s\n", what, SDL_GetError());
    exit(1);
}

/* ------------------------------------------------------------------ what is random */

static SDL_Rect a_rect(void)
{
    return (SDL_Rect){from_to(-30, WIDTH + 10), from_to(-30, HEIGHT + 10), from_to(0, 90), from_to(0, 70)};
}

static SDL_FRect a_wide_rect(void)
{
    SDL_Rect rect = a_rect();
    return (SDL_FRect){(float)rect.x + (float)pick(8) / 8, (float)rect.y + (float)pick(8) / 8,
                       (float)rect.w + (float)pick(8) / 8, (float)rect.h};
}

static SDL_Point a_point(void) { return (SDL_Point){from_to(-20, WIDTH + 20), from_to(-20, HEIGHT + 20)}; }

static SDL_FPoint a_wide_point(void)
{
    SDL_Point point = a_point();
    return (SDL_FPoint){(float)point.x + (float)pick(8) / 8, (float)point.y + (float)pick(8) / 8};
}

static SDL_BlendMode a_mode(void)
{
    static const SDL_BlendMode modes[] = {SDL_BLENDMODE_NONE, SDL_BLENDMODE_BLEND, SDL_BLENDMODE_BLEND,
                                          SDL_BLENDMODE_ADD,  SDL_BLENDMODE_MOD,   SDL_BLENDMODE_MUL};
    return modes[pick(6)];
}

static Uint8 a_level(void) { return (Uint8)(pick(3) == 0 ? OPAQUE : pick(256)); }

static void colour(void)
{
    SDL_SetRenderDrawColor(renderer, a_level(), a_level(), a_level(), a_level());
    SDL_SetRenderDrawBlendMode(renderer, pick(2) != 0 ? SDL_BLENDMODE_NONE : a_mode());
}

static void scribble(Uint8 *units, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) units[i] = (Uint8)pick(256);
}

/* ------------------------------------------------------------------ textures */

static SDL_Texture *from_surface(int kind)
{
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, SIDE, SIDE, 32,
                                                          kind % 3 == 0   ? SDL_PIXELFORMAT_RGBA32
                                                          : kind % 3 == 1 ? SDL_PIXELFORMAT_RGB24
                                                                          : SDL_PIXELFORMAT_INDEX8);
    scribble(surface->pixels, (size_t)surface->pitch * SIDE);
    if (kind % 3 == 2) {
        SDL_Color colours[256];
        for (int i = 0; i < 256; i++) colours[i] = (SDL_Color){(Uint8)i, (Uint8)(i * 7), (Uint8)(255 - i), OPAQUE};
        SDL_SetPaletteColors(surface->format->palette, colours, 0, 256);
        SDL_SetColorKey(surface, SDL_TRUE, 7);
    }
    SDL_Texture *texture = SDL_CreateTextureFromSurface(renderer, surface);
    SDL_FreeSurface(surface);
    return texture;
}

static const Uint32 formats[] = {SDL_PIXELFORMAT_ARGB8888, SDL_PIXELFORMAT_ABGR8888, SDL_PIXELFORMAT_RGBA8888,
                                 SDL_PIXELFORMAT_BGRA8888, SDL_PIXELFORMAT_RGB888,   SDL_PIXELFORMAT_BGR888,
                                 SDL_PIXELFORMAT_RGB565,   SDL_PIXELFORMAT_RGB555,   SDL_PIXELFORMAT_RGB24};
enum { FORMATS = sizeof formats / sizeof *formats };

static SDL_Texture *made(int i)
{
    static const int accesses[] = {SDL_TEXTUREACCESS_STATIC, SDL_TEXTUREACCESS_STREAMING, SDL_TEXTUREACCESS_TARGET};
    Uint8 units[SIDE * SIDE * 4];
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, formats[pick(3) == 0 ? pick(FORMATS) : 0], accesses[i % 3], SIDE, SIDE);
    scribble(units, sizeof units);
    if (texture == NULL) die("no texture");
    SDL_UpdateTexture(texture, NULL, units, SIDE * 4);
    return texture;
}

static void make(int i)
{
    if (textures[i] != NULL) SDL_DestroyTexture(textures[i]);
    textures[i] = i >= 9 ? from_surface(i) : made(i);
    if (textures[i] == NULL) die("no texture");
    SDL_SetTextureBlendMode(textures[i], pick(2) != 0 ? SDL_BLENDMODE_BLEND : a_mode());
    if (pick(3) == 0) SDL_SetTextureAlphaMod(textures[i], a_level());
    if (pick(3) == 0) SDL_SetTextureColorMod(textures[i], a_level(), a_level(), a_level());
}

/* The texture has other pixels: handed over, written where they are, drawn. */
static void change(SDL_Texture *texture)
{
    int access = 0, pitch = 0;
    Uint8 units[SIDE * SIDE * 4];
    void *pixels = NULL;
    SDL_Rect part = {(int)pick(10), (int)pick(10), 1 + (int)pick(20), 1 + (int)pick(20)};
    SDL_QueryTexture(texture, NULL, &access, NULL, NULL);
    if (access == SDL_TEXTUREACCESS_STREAMING && SDL_LockTexture(texture, &part, &pixels, &pitch) == 0) {
        for (int y = 0; y < part.h; y++) scribble((Uint8 *)pixels + y * pitch, (size_t)part.w * 2);
        SDL_UnlockTexture(texture);
    } else {
        scribble(units, sizeof units);
        SDL_UpdateTexture(texture, &part, units, SIDE * 4);
    }
}

/* ------------------------------------------------------------------ calls */

static void fills(void)
{
    SDL_Rect rects[3] = {a_rect(), a_rect(), a_rect()};
    SDL_FRect wide[3] = {a_wide_rect(), a_wide_rect(), a_wide_rect()};
    colour();
    switch (pick(5)) {
    case 0: SDL_RenderFillRect(renderer, pick(9) == 0 ? NULL : rects); break;
    case 1: SDL_RenderFillRectF(renderer, wide); break;
    case 2: SDL_RenderFillRects(renderer, rects, 3); break;
    case 3: SDL_RenderFillRectsF(renderer, wide, 3); break;
    default: pick(4) == 0 ? SDL_RenderClear(renderer) : SDL_RenderFillRect(renderer, rects);
    }
}

static void lines(void)
{
    SDL_Point points[5] = {a_point(), a_point(), a_point(), a_point(), a_point()};
    SDL_FPoint wide[5] = {a_wide_point(), a_wide_point(), a_wide_point(), a_wide_point(), a_wide_point()};
    SDL_Rect rects[2] = {a_rect(), a_rect()};
    SDL_FRect wide_rects[2] = {a_wide_rect(), a_wide_rect()};
    colour();
    if (pick(2) == 0) points[1].x = points[0].x, wide[1].y = wide[0].y;
    if (pick(2) == 0) points[2].y = points[1].y, points[4] = points[0];
    switch (pick(12)) {
    case 0: SDL_RenderDrawPoint(renderer, points[0].x, points[0].y); break;
    case 1: SDL_RenderDrawPointF(renderer, wide[0].x, wide[0].y); break;
    case 2: SDL_RenderDrawPoints(renderer, points, 5); break;
    case 3: SDL_RenderDrawPointsF(renderer, wide, 5); break;
    case 4: SDL_RenderDrawLine(renderer, points[0].x, points[0].y, points[1].x, points[1].y); break;
    case 5: SDL_RenderDrawLineF(renderer, wide[0].x, wide[0].y, wide[1].x, wide[1].y); break;
    case 6: SDL_RenderDrawLines(renderer, points, 5); break;
    case 7: SDL_RenderDrawLinesF(renderer, wide, 5); break;
    case 8: SDL_RenderDrawRect(renderer, pick(9) == 0 ? NULL : rects); break;
    case 9: SDL_RenderDrawRectF(renderer, wide_rects); break;
    case 10: SDL_RenderDrawRects(renderer, rects, 2); break;
    default: SDL_RenderDrawRectsF(renderer, wide_rects, 2);
    }
}

static void copies(void)
{
    SDL_Texture *texture = textures[pick(TEXTURES)];
    SDL_Rect from = {from_to(-5, 25), from_to(-5, 25), 1 + (int)pick(SIDE), 1 + (int)pick(SIDE)}, part = from;
    SDL_Rect whole = {0, 0, SIDE, SIDE};
    bool is_part = pick(2) != 0;
    if (texture == SDL_GetRenderTarget(renderer)) return;
    SDL_IntersectRect(&from, &whole, &part);
    SDL_Rect to = {from_to(-30, WIDTH), from_to(-30, HEIGHT), is_part ? part.w : SIDE, is_part ? part.h : SIDE};
    if (pick(6) == 0) to.w += from_to(-3, 20);
    SDL_FRect wide = {(float)to.x + (float)pick(8) / 8, (float)to.y, (float)to.w, (float)to.h};
    SDL_Point centre = {3, 4};
    SDL_FPoint wide_centre = {5, 6};
    double angle = pick(3) == 0 ? (double)from_to(0, 359) : pick(2) * 360.0;
    SDL_RendererFlip flip = pick(3) == 0 ? (SDL_RendererFlip)pick(4) : SDL_FLIP_NONE;
    switch (pick(6)) {
    case 0: SDL_RenderCopyF(renderer, texture, is_part ? &from : NULL, &wide); break;
    case 1: SDL_RenderCopyEx(renderer, texture, is_part ? &from : NULL, &to, angle, &centre, flip); break;
    case 2: SDL_RenderCopyExF(renderer, texture, is_part ? &from : NULL, &wide, angle, &wide_centre, flip); break;
    case 3: SDL_RenderCopy(renderer, texture, NULL, pick(5) == 0 ? NULL : &to); break;
    default: SDL_RenderCopy(renderer, texture, is_part ? &from : NULL, &to);
    }
}

/* Scaled to any size, mirrored, turned by quarters around any point. */
static void scaled(void)
{
    SDL_Texture *texture = textures[pick(TEXTURES)];
    SDL_Rect from = {from_to(-5, 35), from_to(-5, 35), 1 + (int)pick(SIDE), 1 + (int)pick(SIDE)}, to = a_rect();
    SDL_Point centre = {from_to(-9, 60), from_to(-9, 60)};
    SDL_FPoint wide_centre = {(float)from_to(-9, 60) + (float)pick(8) / 8, (float)from_to(-9, 60)};
    SDL_FRect wide = a_wide_rect();
    bool is_part = pick(2) != 0, has_centre = pick(2) != 0;
    double angle = 90.0 * (double)from_to(-5, 9);
    SDL_RendererFlip flip = (SDL_RendererFlip)pick(4);
    if (texture == SDL_GetRenderTarget(renderer)) return;
    if (pick(3) == 0) to.w = to.h = SIDE;
    if (pick(4) == 0) to.w += (int)pick(2) * 400, to.h += (int)pick(2) * 300;
    switch (pick(5)) {
    case 0: SDL_RenderCopyF(renderer, texture, is_part ? &from : NULL, &wide); break;
    case 1:
        SDL_RenderCopyEx(renderer, texture, is_part ? &from : NULL, &to, angle, has_centre ? &centre : NULL, flip);
        break;
    case 2:
        SDL_RenderCopyExF(renderer, texture, is_part ? &from : NULL, &wide, angle, has_centre ? &wide_centre : NULL,
                          flip);
        break;
    default: SDL_RenderCopy(renderer, texture, is_part ? &from : NULL, pick(9) == 0 ? NULL : &to);
    }
}

/* Larger than what the player has in one allocation, and opaque, whatever its alpha may be. */
static SDL_Texture *tall(void)
{
    static SDL_Texture *texture;
    static Uint32 units[TALL * SIDE * 4];
    bool is_new = texture == NULL;
    if (is_new) texture = SDL_CreateTexture(renderer, formats[0], SDL_TEXTUREACCESS_STREAMING, 4 * SIDE, TALL);
    if (texture == NULL) die("no texture");
    if (is_new || pick(50) == 0) {
        scribble((Uint8 *)units, sizeof units);
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) units[i] |= 0xff000000u;
        SDL_UpdateTexture(texture, NULL, units, 4 * SIDE * 4);
    }
    SDL_SetTextureBlendMode(texture, pick(2) != 0 ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE);
    return texture;
}

/* Scaled between the units. */
static void filtered(void)
{
    bool is_tall = pick(3) == 0;
    SDL_Texture *texture = is_tall ? tall() : textures[pick(TEXTURES)];
    SDL_Rect from = {from_to(-5, 35), from_to(-5, 35), 1 + (int)pick(SIDE), 1 + (int)pick(is_tall ? TALL : SIDE)};
    SDL_Rect to = a_rect();
    bool is_part = pick(2) != 0;
    if (texture == SDL_GetRenderTarget(renderer)) return;
    if (pick(4) == 0) to.w += (int)pick(2) * 400, to.h += (int)pick(2) * 300;
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear);
    SDL_RenderCopy(renderer, texture, is_part ? &from : NULL, pick(9) == 0 ? NULL : &to);
    SDL_RenderFlush(renderer);
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
}

/* Rectangles of two triangles in one of their orders, or any triangles. */
static void geometry(void)
{
    static const int orders[3][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}, {2, 1, 0, 3, 0, 2}};
    const int *order = orders[pick(3)];
    SDL_Texture *texture = pick(2) != 0 ? textures[pick(TEXTURES)] : NULL;
    SDL_Rect rect = a_rect(), part = {(int)pick(10), (int)pick(10), 1 + (int)pick(30), 1 + (int)pick(30)};
    SDL_Color tint = {a_level(), a_level(), a_level(), a_level()};
    SDL_Vertex corners[4], list[6];
    if (texture != NULL && texture == SDL_GetRenderTarget(renderer)) return;
    if (texture != NULL && pick(4) != 0) rect.w = part.w, rect.h = part.h;
    for (int i = 0; i < 4; i++) {
        int right = i == 1 || i == 2, low = i >= 2;
        corners[i].position = (SDL_FPoint){(float)(rect.x + right * rect.w), (float)(rect.y + low * rect.h)};
        corners[i].tex_coord =
            (SDL_FPoint){(float)(part.x + right * part.w) / SIDE, (float)(part.y + low * part.h) / SIDE};
        corners[i].color = tint;
    }
    if (pick(4) == 0) corners[pick(4)].position.x += 9;
    if (pick(6) == 0) corners[pick(4)].color.r ^= 128;
    for (int i = 0; i < 6; i++) list[i] = corners[order[i]];
    switch (pick(3)) {
    case 0: SDL_RenderGeometry(renderer, texture, corners, 4, order, 6); break;
    case 1: SDL_RenderGeometry(renderer, texture, list, 6, NULL, 0); break;
    default: {
        Uint16 small[6];
        for (int i = 0; i < 6; i++) small[i] = (Uint16)order[i];
        SDL_RenderGeometryRaw(renderer, texture, &corners->position.x, sizeof *corners, &corners->color,
                              sizeof *corners, &corners->tex_coord.x, sizeof *corners, 4, small, 6, 2);
    }
    }
}

static void state(void)
{
    SDL_Rect rect = a_rect();
    static const float scales[] = {1, 1, 1, 2, 0.5f, 1.25f};
    switch (pick(8)) {
    case 0: SDL_RenderSetViewport(renderer, pick(2) != 0 ? NULL : &rect); break;
    case 1: SDL_RenderSetClipRect(renderer, pick(2) != 0 ? NULL : &rect); break;
    case 2: SDL_RenderSetScale(renderer, scales[pick(6)], scales[pick(6)]); break;
    case 3: SDL_SetRenderTarget(renderer, textures[2]); break;
    case 4: SDL_SetRenderTarget(renderer, NULL); break;
    case 5: SDL_RenderSetLogicalSize(renderer, (int)pick(2) * WIDTH, (int)pick(2) * (HEIGHT - (int)pick(40))); break;
    case 6: change(textures[pick(TEXTURES)]); break;
    default: make((int)pick(TEXTURES));
    }
}

/* ------------------------------------------------------------------ frames */

static const struct {
    const char *name;
    void (*call)(void);
    bool has_state; /* other states between its calls */
} kinds[] = {{"fills", fills, false}, {"lines", lines, false},       {"copies", copies, false},
             {"turns", copies, true}, {"geometry", geometry, false}, {"scaled", scaled, false},
             {"states", fills, true}, {"filtered", filtered, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What is queued before a change of state SDL 3, below sdl2-compat, may draw by the new one: the recorder flushes, and
 * so does this program. */
static void draw(int kind)
{
    for (int i = 0; i < CALLS; i++) {
        int now = kind < KINDS ? kind : (int)pick(KINDS);
        if (kinds[now].has_state && pick(3) == 0) state();
        SDL_RenderFlush(renderer);
        kinds[now].call();
        SDL_RenderFlush(renderer);
    }
}

/* What the window shows: after it has been presented, as SDL 3, below sdl2-compat, draws bars then. */
static void tell(int frame, SDL_Window *window)
{
    static Uint32 units[WIDTH * HEIGHT];
    const SDL_Surface *surface = SDL_GetWindowSurface(window);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            units[y * WIDTH + x] =
                ((const Uint32 *)(const void *)((const Uint8 *)surface->pixels + y * surface->pitch))[x] | 0xff000000u;
    printf("%d %08lx\n", frame, crc32(0, (const Bytef *)units, sizeof units));
}

int main(int argc, char **argv)
{
    int frames = argc > 2 ? atoi(argv[2]) : 60, kind = 0;
    while (argc > 1 && kind < KINDS && strcmp(argv[1], kinds[kind].name) != 0) kind++;
    random_state = argc > 3 ? (Uint32)atoi(argv[3]) : 1;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) die("no SDL");
    SDL_Window *window = SDL_CreateWindow("rendered", 0, 0, WIDTH, HEIGHT, 0);
    renderer = window != NULL ? SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC) : NULL;
    if (renderer == NULL) die("no renderer");
    for (int i = 0; i < TEXTURES; i++) make(i);
    for (int frame = 0; frame < frames; frame++) {
        draw(kind);
        SDL_SetRenderTarget(renderer, NULL);
        SDL_RenderPresent(renderer);
        tell(frame, window);
    }
    SDL_DestroyRenderer(renderer);
    SDL_Quit();
    return 0;
}
