/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for tessera-live and the recorder: blits of noise between all pairs of SDL 2's formats of 8 to 32 bits, in
 * every mode, with and without a constant alpha, a key, and alpha in the source. A frame has one source and one way of
 * blitting, onto a surface of each format. What became of that is shown twice: its colours, and below them blended, so
 * that its alpha is seen.
 *
 * pairs [FIRST [COUNT]]: frames from FIRST on, all if not given. pairs name FRAME Y: whose the tile at Y is.
 */
#include <SDL2/SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many rows are alike between two tiles that the recorder writes neither for the other. */
enum { WIDTH = 12, HEIGHT = 8, GAP = 6, STRIDE = HEIGHT + GAP, WAYS = 4 * 2 * 2 * 2 };

static const struct {
    const char *name;
    Uint32 format;
} formats[] = {
#define FORMAT(name) \
    { \
#name, SDL_PIXELFORMAT_##name \
    }
    FORMAT(RGB24),    FORMAT(BGR24),      FORMAT(RGB888),   FORMAT(BGR888),   FORMAT(RGBX8888), FORMAT(BGRX8888),
    FORMAT(ARGB8888), FORMAT(ABGR8888),   FORMAT(RGBA8888), FORMAT(BGRA8888), FORMAT(RGB565),   FORMAT(BGR565),
    FORMAT(RGB555),   FORMAT(BGR555),     FORMAT(RGB444),   FORMAT(BGR444),   FORMAT(ARGB4444), FORMAT(ABGR4444),
    FORMAT(RGBA4444), FORMAT(BGRA4444),   FORMAT(ARGB1555), FORMAT(ABGR1555), FORMAT(RGBA5551), FORMAT(BGRA5551),
    FORMAT(RGB332),   FORMAT(ARGB2101010)};
enum { FORMATS = sizeof formats / sizeof *formats, FRAMES = FORMATS * WAYS };

/* One way of blitting. */
struct way {
    SDL_BlendMode mode;
    Uint8 alpha;
    bool has_key, is_opaque;
};

static struct way way_of(int number)
{
    static const SDL_BlendMode modes[4] = {SDL_BLENDMODE_NONE, SDL_BLENDMODE_BLEND, SDL_BLENDMODE_ADD,
                                           SDL_BLENDMODE_MOD};
    return (struct way){modes[number & 3], number & 4 ? 255 : (Uint8)(60 + 7 * number), (number & 8) != 0,
                        (number & 16) != 0};
}

static unsigned seed = 1;
static Uint8 random_byte(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (Uint8)(seed >> 24);
}

static void scribble(SDL_Surface *surface, bool is_opaque)
{
    const int bytes = surface->format->BytesPerPixel;
    for (int y = 0; y < surface->h; y++)
        for (int x = 0; x < surface->w; x++) {
            const Uint8 alpha = is_opaque ? 255 : random_byte();
            const Uint32 unit = SDL_MapRGBA(surface->format, random_byte(), random_byte(), random_byte(), alpha);
            memcpy((Uint8 *)surface->pixels + y * surface->pitch + x * bytes, &unit, (size_t)bytes);
        }
}

/* The bits of a unit that mean nothing; of 24 bits, those that a key has beside a unit. */
static Uint32 unused_bits(const SDL_Surface *surface)
{
    const SDL_PixelFormat *format = surface->format;
    const Uint32 used = format->Rmask | format->Gmask | format->Bmask | format->Amask;
    return format->BytesPerPixel == 2 ? ~used & 0xffffu : ~used;
}

/* They are set in a part of the surface: its units have the colours that they had. */
static void fill_unused(SDL_Surface *surface, const SDL_Rect *part)
{
    const int bytes = surface->format->BytesPerPixel;
    for (int y = part->y; y < part->y + part->h; y++)
        for (int x = part->x; x < part->x + part->w; x++) {
            Uint8 *at = (Uint8 *)surface->pixels + y * surface->pitch + x * bytes;
            Uint32 unit = 0;
            memcpy(&unit, at, (size_t)bytes);
            unit |= unused_bits(surface);
            memcpy(at, &unit, (size_t)bytes);
        }
}

static SDL_Surface *make(int format)
{
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, formats[format].format);
    if (surface == NULL) exit(3);
    return surface;
}

static SDL_Surface *make_source(int frame)
{
    const struct way way = way_of(frame % WAYS);
    SDL_Surface *source = make(frame / WAYS);
    const SDL_Rect hole = {2, 2, 6, 3};
    const Uint32 key = SDL_MapRGBA(source->format, 255, 0, 255, 255);
    scribble(source, way.is_opaque);
    SDL_FillRect(source, &hole, key);
    fill_unused(source, &(SDL_Rect){4, 2, 4, 2});
    if (way.has_key) SDL_SetColorKey(source, SDL_TRUE, way.alpha == 255 ? key : key | unused_bits(source));
    SDL_SetSurfaceBlendMode(source, way.mode);
    SDL_SetSurfaceAlphaMod(source, way.alpha);
    return source;
}

static void draw(SDL_Surface *screen, SDL_Surface *source, int format)
{
    SDL_Surface *target = make(format);
    SDL_Rect at = {0, 2 * format * STRIDE, 0, 0};
    scribble(target, false);
    SDL_BlitSurface(source, NULL, target, NULL);
    SDL_SetSurfaceBlendMode(target, SDL_BLENDMODE_NONE);
    SDL_BlitSurface(target, NULL, screen, &at);
    at = (SDL_Rect){0, (2 * format + 1) * STRIDE, 0, 0};
    SDL_SetSurfaceBlendMode(target, SDL_BLENDMODE_BLEND);
    SDL_BlitSurface(target, NULL, screen, &at);
    SDL_FreeSurface(target);
}

static int name(int frame, int y)
{
    const struct way way = way_of(frame % WAYS);
    printf("%s onto %s, mode %d, alpha %d%s%s\n", formats[frame / WAYS].name, formats[y / STRIDE / 2 % FORMATS].name,
           (int)way.mode, way.alpha, way.has_key ? ", keyed" : "", way.is_opaque ? ", opaque" : "");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4) return name(atoi(argv[2]), atoi(argv[3]));
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    const int first = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : FRAMES - first;
    SDL_Window *window = SDL_CreateWindow("pairs", 0, 0, WIDTH, 2 * FORMATS * STRIDE, 0);
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    for (int frame = first; frame < first + count; frame++) {
        SDL_Surface *source = make_source(frame);
        SDL_FillRect(screen, NULL, 0x335577);
        for (int format = 0; format < FORMATS; format++) draw(screen, source, format);
        SDL_FreeSurface(source);
        SDL_UpdateWindowSurface(window);
    }
    SDL_Quit();
    return 0;
}
