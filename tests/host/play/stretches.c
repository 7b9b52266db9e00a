/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder: surfaces scaled by the functions that SDL 1.2 and SDL 2 have for it, of random formats,
 * sizes, rectangles, clips, keys and modes. Compiled twice. Of each frame it prints its number and the CRC-32 of what
 * it shows, by its own eyes; the recording, played, must show the same (rendered.sh). It knows nothing of the recorder.
 *
 *   stretches [FRAMES [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
/* In no header of SDL 1.2, but in the library. */
int SDL_SoftStretch(SDL_Surface *source, SDL_Rect *from, SDL_Surface *target, SDL_Rect *to);
#endif

enum { WIDTH = 160, HEIGHT = 120, SURFACES = 6, CALLS = 9 };

static SDL_Surface *screen, *surfaces[SURFACES];
static Uint32 random_state = 1;

static Uint32 pick(Uint32 limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % limit;
}

static void die(const char *what)
{
    fprintf(stderr, "stretches: %s: %s\n", what, SDL_GetError());
    exit(1);
}

/* ------------------------------------------------------------------ what the two versions call differently */

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;
static void open_screen(void)
{
    window = SDL_CreateWindow("stretches", 0, 0, WIDTH, HEIGHT, 0);
    screen = window != NULL ? SDL_GetWindowSurface(window) : NULL;
}
static void show(void) { SDL_UpdateWindowSurface(window); }
static void change(SDL_Surface *surface)
{
    static const SDL_BlendMode modes[] = {SDL_BLENDMODE_NONE, SDL_BLENDMODE_BLEND, SDL_BLENDMODE_BLEND,
                                          SDL_BLENDMODE_ADD, SDL_BLENDMODE_MOD};
    SDL_SetSurfaceBlendMode(surface, modes[pick(5)]);
    SDL_SetSurfaceAlphaMod(surface, (Uint8)(pick(3) == 0 ? pick(256) : 255));
    SDL_SetSurfaceColorMod(surface, (Uint8)(pick(3) == 0 ? pick(256) : 255), 255, 255);
    Uint32 key = 0;
    memcpy(&key, surface->pixels, surface->format->BytesPerPixel);
    SDL_SetColorKey(surface, pick(4) == 0, key);
}
static void draw_scaled(SDL_Surface *source, SDL_Rect *from, SDL_Rect *to)
{
    SDL_BlitScaled(source, pick(3) == 0 ? NULL : from, screen, pick(9) == 0 ? NULL : to);
}
#else
static void open_screen(void) { screen = SDL_SetVideoMode(WIDTH, HEIGHT, 32, SDL_SWSURFACE); }
static void show(void) { SDL_Flip(screen); }
static void change(SDL_Surface *surface) { SDL_SetAlpha(surface, 0, 255); }
static void draw_scaled(SDL_Surface *source, SDL_Rect *from, SDL_Rect *to)
{
    SDL_BlitSurface(source, from, screen, to);
}
#endif

/* ------------------------------------------------------------------ frames */

static void make(int i)
{
    static const Uint32 masks[3][5] = {
        {32, 0xff0000, 0xff00, 0xff, 0}, {32, 0xff0000, 0xff00, 0xff, 0xff000000u}, {16, 0xf800, 0x7e0, 0x1f, 0}};
    const Uint32 *mask = masks[i == 0 ? 0 : pick(3)];
    if (surfaces[i] != NULL) SDL_FreeSurface(surfaces[i]);
    SDL_Surface *surface =
        SDL_CreateRGBSurface(0, 1 + (int)pick(70), 1 + (int)pick(60), (int)mask[0], mask[1], mask[2], mask[3], mask[4]);
    if (surface == NULL) die("no surface");
    for (int k = 0; k < surface->h * surface->pitch; k++) ((Uint8 *)surface->pixels)[k] = (Uint8)pick(256);
    change(surface);
    surfaces[i] = surface;
}

static SDL_Rect within(const SDL_Surface *surface)
{
    SDL_Rect rect = {0, 0, 0, 0};
    int x = (int)pick((Uint32)surface->w), y = (int)pick((Uint32)surface->h);
    int width = 1 + (int)pick((Uint32)(surface->w - x)), height = 1 + (int)pick((Uint32)(surface->h - y));
    rect.x = (Sint16)x, rect.y = (Sint16)y, rect.w = (Uint16)width, rect.h = (Uint16)height;
    return rect;
}

static void draw(void)
{
    SDL_Surface *source = surfaces[pick(SURFACES)];
    SDL_Rect from = within(source), to = within(screen), clip = within(screen);
    SDL_SetClipRect(screen, pick(2) != 0 ? NULL : &clip);
    if (pick(2) == 0) { /* onto a surface of the same kind, which is then shown */
        SDL_Surface *like = SDL_CreateRGBSurface(0, WIDTH, HEIGHT, source->format->BitsPerPixel, source->format->Rmask,
                                                 source->format->Gmask, source->format->Bmask, source->format->Amask);
        SDL_Rect none = {0, 0, 0, 0};
        if (like == NULL) die("no surface");
        change(like);
        if (SDL_SoftStretch(source, pick(3) == 0 ? NULL : &from, like, pick(5) == 0 ? NULL : &to) != 0) die("stretch");
        SDL_BlitSurface(like, &to, screen, &none);
        SDL_FreeSurface(like);
    } else {
        if (pick(3) == 0) to.x = (Sint16)(to.x - 40), to.y = (Sint16)(to.y + 30), to.w = (Uint16)(to.w + 50);
        draw_scaled(source, &from, &to);
    }
}

static void tell(int frame)
{
    static Uint32 units[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            units[y * WIDTH + x] =
                ((const Uint32 *)(const void *)((const Uint8 *)screen->pixels + y * screen->pitch))[x] | 0xff000000u;
    printf("%d %08lx\n", frame, crc32(0, (const Bytef *)units, sizeof units));
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 60;
    random_state = argc > 2 ? (Uint32)atoi(argv[2]) : 1;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) die("no SDL");
    open_screen();
    if (screen == NULL) die("no screen");
    for (int i = 0; i < SURFACES; i++) make(i);
    for (int frame = 0; frame < frames; frame++) {
        for (int i = 0; i < CALLS; i++) draw();
        make((int)pick(SURFACES));
        tell(frame);
        show();
    }
    SDL_Quit();
    return 0;
}
