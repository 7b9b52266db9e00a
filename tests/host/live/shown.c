/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for tessera-live that says of every frame the CRC-32 of its screen before and after the call that shows
 * it: what SDL has drawn, and what is shown. Compiled twice, against SDL 1.2 and SDL 2. It draws by fills and copies,
 * some of them keyed, and writes and reads pixels without a lock, where SDL wants none; what it reads it draws with.
 *
 * shown [MILLISECONDS [WIDTH HEIGHT]]: to wait after each frame; the screen's size, at least 200 x 120, which it has
 * else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
#endif

enum { FRAMES = 20, SIDE = 24 };

static int width = 200, height = 120;
static SDL_Surface *screen;

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;
static void open_screen(void)
{
    window = SDL_CreateWindow("shown", 0, 0, width, height, 0);
    screen = SDL_GetWindowSurface(window);
}
static void show(void) { SDL_UpdateWindowSurface(window); }
static void set_key(SDL_Surface *surface, Uint32 key) { SDL_SetColorKey(surface, SDL_TRUE, key); }
#else
static void open_screen(void) { screen = SDL_SetVideoMode(width, height, 32, SDL_SWSURFACE); }
static void show(void) { SDL_Flip(screen); }
static void set_key(SDL_Surface *surface, Uint32 key) { SDL_SetColorKey(surface, SDL_SRCCOLORKEY, key); }
#endif

static Uint32 *unit(SDL_Surface *surface, int x, int y)
{
    return (Uint32 *)(void *)((Uint8 *)surface->pixels + y * surface->pitch) + x;
}

/* Of the colours alone. */
static unsigned long crc(void)
{
    unsigned long sum = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            Uint32 colour = *unit(screen, x, y) & 0xffffffu;
            sum = crc32(sum, (const Bytef *)&colour, sizeof colour);
        }
    return sum;
}

static SDL_Surface *sprite(Uint32 key)
{
    SDL_Surface *surface = SDL_CreateRGBSurface(0, SIDE, SIDE, 32, 0xff0000, 0xff00, 0xff, 0);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            *unit(surface, x, y) =
                (x - 12) * (x - 12) + (y - 12) * (y - 12) > 120 ? key : (Uint32)(x * 9 << 16 | y * 8);
    return surface;
}

static void draw(SDL_Surface *ball, SDL_Surface *back, int frame)
{
    SDL_Rect at = {(Sint16)(frame * 7), (Sint16)(frame * 3), SIDE, SIDE}, bar = {20, (Sint16)(frame * 5), 60, 8};
    SDL_FillRect(screen, NULL, 0x203040u + (Uint32)frame);
    SDL_BlitSurface(ball, NULL, back, NULL);
    SDL_BlitSurface(ball, NULL, screen, &at);
    /* What was just drawn, read and written without a lock. */
    Uint32 seen = *unit(screen, frame * 7 + SIDE / 2, frame * 3 + SIDE / 2);
    SDL_FillRect(screen, &bar, seen ^ 0xffffffu);
    memset(unit(screen, 100, 60 + frame), frame * 11 & 255, 40 * sizeof(Uint32));
    *unit(ball, frame, 12) = seen + 5;
    at = (SDL_Rect){(Sint16)(150 - frame * 4), 90, SIDE, SIDE};
    SDL_BlitSurface(back, NULL, screen, &at);
}

int main(int argc, char **argv)
{
    const Uint32 key = 0xff00ff;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    if (argc > 3) {
        width = atoi(argv[2]);
        height = atoi(argv[3]);
    }
    open_screen();
    SDL_Surface *ball = sprite(key), *back = sprite(key);
    SDL_FillRect(back, NULL, 0x446622);
    set_key(ball, key);
    for (int frame = 0; frame < FRAMES; frame++) {
        draw(ball, back, frame);
        unsigned long before = crc();
        show();
        printf("%d %08lx %08lx\n", frame, before, crc());
        fflush(stdout);
        if (argc > 1) usleep((useconds_t)atoi(argv[1]) * 1000u);
    }
    return 0;
}
