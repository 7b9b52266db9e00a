/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for tessera-live: blits of every format that programs have onto a screen of BITS bits, each plain, keyed,
 * blended and both, one a frame, of random pixels. Compiled twice, against SDL 1.2 and SDL 2 (whose screen has 32
 * bits).
 *
 * formats BITS
 */
#include <stdbool.h>
#include <stdlib.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
#endif

enum { SIDE = 48, MODES = 4 };

static const struct format {
    int bits;
    Uint32 red, green, blue, alpha;
} formats[] = {
    {16, 0xf800, 0x7e0, 0x1f, 0},
    {15, 0x7c00, 0x3e0, 0x1f, 0},
    {24, 0xff0000, 0xff00, 0xff, 0},
    {32, 0xff0000, 0xff00, 0xff, 0},
    {32, 0xff, 0xff00, 0xff0000, 0},
    {32, 0xff0000, 0xff00, 0xff, 0xff000000},
    {32, 0xff, 0xff00, 0xff0000, 0xff000000},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static SDL_Surface *screen;

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;
static void open_screen(int bits)
{
    (void)bits;
    window = SDL_CreateWindow("formats", 0, 0, SIDE, SIDE, 0);
    screen = SDL_GetWindowSurface(window);
}
static void show(void) { SDL_UpdateWindowSurface(window); }
static void set_modes(SDL_Surface *surface, bool has_key, Uint32 key, bool is_blended, Uint8 alpha)
{
    SDL_SetColorKey(surface, has_key, key);
    SDL_SetSurfaceBlendMode(surface, is_blended ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE);
    if (is_blended) SDL_SetSurfaceAlphaMod(surface, alpha);
}
#else
static void open_screen(int bits) { screen = SDL_SetVideoMode(SIDE, SIDE, bits, SDL_SWSURFACE); }
static void show(void) { SDL_Flip(screen); }
static void set_modes(SDL_Surface *surface, bool has_key, Uint32 key, bool is_blended, Uint8 alpha)
{
    SDL_SetColorKey(surface, has_key ? SDL_SRCCOLORKEY : 0, key);
    SDL_SetAlpha(surface, is_blended ? SDL_SRCALPHA : 0, alpha);
}
#endif

static void scribble(SDL_Surface *surface)
{
    for (int i = 0; i < SIDE * surface->pitch; i++) ((Uint8 *)surface->pixels)[i] = (Uint8)(rand() >> 7);
}

/* Alpha is full or none, and what is clear has a colour that nothing else has. */
static void cut_out(SDL_Surface *surface)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            Uint32 *unit = (Uint32 *)(void *)((Uint8 *)surface->pixels + y * surface->pitch) + x;
            *unit = (x ^ y) & 8 ? 0xff00ff : *unit | 0xff000001u;
        }
}

static void draw(const struct format *format, int mode, bool is_cut_out)
{
    SDL_Surface *sprite =
        SDL_CreateRGBSurface(0, SIDE, SIDE, format->bits, format->red, format->green, format->blue, format->alpha);
    SDL_Rect hole = {10, 12, 20, 15}, all = {0, 0, SIDE, SIDE};
    Uint32 key = SDL_MapRGB(sprite->format, 255, 0, 255);
    scribble(sprite);
    if (is_cut_out) cut_out(sprite);
    else SDL_FillRect(sprite, &hole, key);
    set_modes(sprite, (mode & 1) != 0, key, (mode & 2) != 0, (Uint8)(is_cut_out ? 255 : 37 * mode + format->bits));
    scribble(screen);
    SDL_BlitSurface(sprite, NULL, screen, &all);
    SDL_FreeSurface(sprite);
    show();
}

int main(int argc, char **argv)
{
    if (argc != 2 || SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    open_screen(atoi(argv[1]));
    for (int mode = 0; mode < MODES; mode++)
        for (int i = 0; i < FORMATS; i++) draw(&formats[i], mode, false);
    draw(&formats[FORMATS - 2], 2, true);
    draw(&formats[FORMATS - 1], 2, true);
    return 0;
}
