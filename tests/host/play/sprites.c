/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder: every way a surface program draws, in 24 frames of 320 x 200 that move. Compiled twice,
 * against SDL 1.2 (the argument is the screen's bits per pixel: 8, 16 or 32) and against SDL 2 (a window's surface).
 * It knows nothing of the recorder.
 */
#include <stdio.h>
#include <stdlib.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
#endif

enum { WIDTH = 320, HEIGHT = 200, FRAMES = 24, SPRITE = 40, WALL_WIDTH = 700, WALL_HEIGHT = 300 };

static SDL_Surface *screen;

static void die(const char *what)
{
    fprintf(stderr, "sprites: %s: %s\n", what, SDL_GetError());
    exit(1);
}

static SDL_Surface *must(SDL_Surface *surface)
{
    if (surface == NULL) die("no surface");
    return surface;
}

/* ------------------------------------------------------------------ what the two versions call differently */

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;

static void open_screen(int bits)
{
    (void)bits;
    window = SDL_CreateWindow("sprites", 0, 0, WIDTH, HEIGHT, 0);
    if (window == NULL) die("no window");
    screen = must(SDL_GetWindowSurface(window));
}
static void show(int frame)
{
    SDL_Rect all = {0, 0, WIDTH, HEIGHT};
    if (frame % 2 == 0) SDL_UpdateWindowSurface(window);
    else SDL_UpdateWindowSurfaceRects(window, &all, 1);
}
static void set_key(SDL_Surface *surface, Uint32 key) { SDL_SetColorKey(surface, SDL_TRUE | SDL_RLEACCEL, key); }
static void set_alpha(SDL_Surface *surface, Uint8 alpha)
{
    SDL_SetSurfaceBlendMode(surface, alpha == 255 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    SDL_SetSurfaceAlphaMod(surface, alpha);
}
static void set_blend(SDL_Surface *surface) { SDL_SetSurfaceBlendMode(surface, SDL_BLENDMODE_BLEND); }
static void set_colours(SDL_Surface *surface, SDL_Color *colours, int count)
{
    SDL_SetPaletteColors(surface->format->palette, colours, 0, count);
}
#else
static void open_screen(int bits) { screen = must(SDL_SetVideoMode(WIDTH, HEIGHT, bits, SDL_SWSURFACE)); }
static void show(int frame)
{
    SDL_Rect all = {0, 0, WIDTH, HEIGHT};
    if (frame % 3 == 0) SDL_Flip(screen);
    else if (frame % 3 == 1) SDL_UpdateRects(screen, 1, &all);
    else SDL_UpdateRect(screen, 0, 0, 0, 0);
}
static void set_key(SDL_Surface *surface, Uint32 key) { SDL_SetColorKey(surface, SDL_SRCCOLORKEY | SDL_RLEACCEL, key); }
static void set_alpha(SDL_Surface *surface, Uint8 alpha)
{
    SDL_SetAlpha(surface, alpha == 255 ? 0 : SDL_SRCALPHA | SDL_RLEACCEL, alpha);
}
static void set_blend(SDL_Surface *surface) { SDL_SetAlpha(surface, SDL_SRCALPHA, 255); }
static void set_colours(SDL_Surface *surface, SDL_Color *colours, int count)
{
    SDL_SetColors(surface, colours, 0, count);
}
#endif

/* ------------------------------------------------------------------ surfaces */

static Uint32 random_state = 1;
static Uint32 random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* A surface of the screen's own format, as SDL_DisplayFormat makes them. */
static SDL_Surface *like_screen(int width, int height)
{
    const SDL_PixelFormat *format = screen->format;
    int bits = format->BitsPerPixel == 8 ? 32 : format->BitsPerPixel;
    return must(bits == 16 ? SDL_CreateRGBSurface(0, width, height, 16, 0xf800, 0x7e0, 0x1f, 0)
                           : SDL_CreateRGBSurface(0, width, height, 32, 0xff0000, 0xff00, 0xff, 0));
}

static Uint8 *row(SDL_Surface *surface, int y) { return (Uint8 *)surface->pixels + y * surface->pitch; }

/* Straight to the pixels, which nothing but the recorder's comparison can see. */
static void scribble(SDL_Surface *surface, int left, int top, int width, int height)
{
    int bytes = surface->format->BytesPerPixel;
    SDL_LockSurface(surface);
    for (int y = top; y < top + height; y++)
        for (int x = left * bytes; x < (left + width) * bytes; x++) row(surface, y)[x] = (Uint8)(random_next() >> 8);
    SDL_UnlockSurface(surface);
}

/* Key colour around a diamond. */
static SDL_Surface *diamond(Uint32 key)
{
    SDL_Surface *surface = like_screen(SPRITE, SPRITE);
    scribble(surface, 0, 0, SPRITE, SPRITE);
    for (int y = 0; y < SPRITE; y++) {
        int half = y < SPRITE / 2 ? y : SPRITE - 1 - y;
        SDL_Rect left = {0, (Sint16)y, (Uint16)(SPRITE / 2 - half), 1};
        SDL_Rect right = {(Sint16)(SPRITE / 2 + half), (Sint16)y, (Uint16)(SPRITE / 2 - half), 1};
        SDL_FillRect(surface, &left, key);
        SDL_FillRect(surface, &right, key);
    }
    set_key(surface, key);
    return surface;
}

/* 8 bits per pixel; two indices have the same colour, one of them is the key. */
static SDL_Surface *indexed(SDL_Color *colours)
{
    SDL_Surface *surface = must(SDL_CreateRGBSurface(0, SPRITE, SPRITE, 8, 0, 0, 0, 0));
    for (int i = 0; i < 256; i++) {
        colours[i].r = (Uint8)(i * 7);
        colours[i].g = (Uint8)(255 - i);
        colours[i].b = (Uint8)(i * 3);
#if SDL_VERSION_WANTED == 2
        colours[i].a = 255;
#endif
    }
    colours[5] = colours[4];
    set_colours(surface, colours, 256);
    for (int y = 0; y < SPRITE; y++)
        for (int x = 0; x < SPRITE; x++) row(surface, y)[x] = (Uint8)((x / 4 + y / 4) % 3 == 0 ? 4 + x % 2 : x * 4);
    set_key(surface, 5);
    return surface;
}

/* Every alpha, in a byte order of its own as libpng makes it. */
static SDL_Surface *halo(void)
{
    SDL_Surface *surface = must(SDL_CreateRGBSurface(0, 64, 64, 32, 0xff, 0xff00, 0xff0000, 0xff000000));
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            Uint32 alpha = (Uint32)(x < 4 ? 0 : x > 60 ? 255 : x * 4), unit = random_next() & 0xffffff;
            ((Uint32 *)(void *)row(surface, y))[x] = unit | alpha << 24;
        }
    }
    set_blend(surface);
    return surface;
}

/* ------------------------------------------------------------------ frames */

static void blit(SDL_Surface *source, int source_x, int source_y, int width, int height, int x, int y)
{
    SDL_Rect from = {(Sint16)source_x, (Sint16)source_y, (Uint16)width, (Uint16)height};
    SDL_Rect to = {(Sint16)x, (Sint16)y, 0, 0};
    SDL_BlitSurface(source, &from, screen, &to);
}

/* The picture moves within itself: up, down, left, right. */
static void scroll(int frame)
{
    static const int moves[4][2] = {{0, -3}, {0, 5}, {-7, 0}, {6, 2}};
    blit(screen, 40, 60, 120, 70, 40 + moves[frame % 4][0], 60 + moves[frame % 4][1]);
}

int main(int argc, char **argv)
{
    static SDL_Color colours[256];
    if (SDL_Init(SDL_INIT_VIDEO) != 0) die("no SDL");
    open_screen(argc > 1 ? atoi(argv[1]) : 32);
    SDL_Surface *wall = like_screen(WALL_WIDTH, WALL_HEIGHT), *palette = indexed(colours), *glow = halo();
    Uint32 key = SDL_MapRGB(wall->format, 255, 0, 255);
    SDL_Surface *keyed = diamond(key), *faded = diamond(key), *veil = like_screen(80, 60);
    scribble(wall, 0, 0, WALL_WIDTH, WALL_HEIGHT);
    scribble(veil, 0, 0, 80, 60);
    for (int frame = 0; frame < FRAMES; frame++) {
        SDL_Rect band = {(Sint16)(frame * 9 - 20), 150, 60, 80};
        SDL_Rect middle = {20, 20, 280, 160};
        blit(wall, frame * 12, frame * 4, WIDTH, HEIGHT, 0, 0);
        SDL_FillRect(screen, &band, SDL_MapRGB(screen->format, 30, 200, (Uint8)(frame * 9)));
        SDL_SetClipRect(screen, &middle);
        blit(keyed, 0, 0, SPRITE, SPRITE, frame * 11 - 10, 10);
        blit(keyed, 5, 5, 100, 100, 290, frame * 6);
        SDL_SetClipRect(screen, NULL);
        blit(palette, 0, 0, SPRITE, SPRITE, 300 - frame * 10, 100);
        blit(glow, 0, 0, 64, 64, frame * 10 - 30, 40);
        blit(glow, 0, 0, 64, 64, 310 - frame * 12, 90);
        set_alpha(veil, (Uint8)(frame * 11));
        blit(veil, 0, 0, 80, 60, 200, 30 + frame);
        set_alpha(faded, (Uint8)(250 - frame * 10));
        blit(faded, 0, 0, SPRITE, SPRITE, 120, 130 - frame * 2);
        scroll(frame);
        if (frame % 5 == 2) scribble(keyed, 12, 17, 15, 3);
        if (frame % 7 == 3) scribble(screen, frame, 180, 50, 7);
        if (frame == 12) {
            colours[40].r ^= 255;
            set_colours(palette, colours, 256);
            SDL_FreeSurface(veil);
            veil = like_screen(90, 50);
            SDL_FillRect(veil, NULL, key);
        }
        show(frame);
    }
    SDL_FreeSurface(wall);
    SDL_Quit();
    return 0;
}
