/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder that uses much of one thing. load textures N, load surfaces N: so many of them, more than
 * a recording has at a time, all drawn in the first of two frames and some in the second. load writes N: as many blits,
 * and after each of them a few pixels that the program writes by itself, into the screen and in turn into the sprite;
 * three frames. load blits N: the same without those writes. load dots N: N frames with twelve units written, far
 * apart.
 */
#include <SDL2/SDL.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 480, SIDE = 8, SOME = 37 };

static SDL_Window *window;

static SDL_Surface *make(Uint32 format, Uint32 number)
{
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, SIDE, SIDE, 32, format);
    if (surface == NULL) exit(3);
    SDL_FillRect(surface, NULL, 0xff000000u | number * 7919u);
    return surface;
}

static SDL_Rect place(int i) { return (SDL_Rect){i * 7 % (WIDTH - SIDE), i / 90 * 7 % (HEIGHT - SIDE), SIDE, SIDE}; }

static void textures(int count)
{
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, 0);
    SDL_Texture **list = calloc((size_t)count, sizeof *list);
    for (int i = 0; list != NULL && i < count; i++) {
        SDL_Surface *surface = make(SDL_PIXELFORMAT_ARGB8888, (Uint32)i);
        list[i] = SDL_CreateTextureFromSurface(renderer, surface);
        SDL_SetTextureBlendMode(list[i], i % 2 == 0 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
        SDL_FreeSurface(surface);
    }
    for (int step = 1; list != NULL && step <= SOME; step += SOME - 1) {
        SDL_RenderClear(renderer);
        for (int i = 0; i < count; i += step) {
            const SDL_Rect to = place(i);
            SDL_RenderCopy(renderer, list[i], NULL, &to);
        }
        SDL_RenderPresent(renderer);
    }
    free(list);
}

static void surfaces(int count)
{
    SDL_Surface **list = calloc((size_t)count, sizeof *list);
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    for (int i = 0; list != NULL && i < count; i++) list[i] = make(SDL_PIXELFORMAT_XRGB8888, (Uint32)i);
    for (int step = 1; list != NULL && step <= SOME; step += SOME - 1) {
        SDL_FillRect(screen, NULL, 0x203040);
        for (int i = 0; i < count; i += step) {
            SDL_Rect to = place(i);
            SDL_BlitSurface(list[i], NULL, screen, &to);
        }
        SDL_UpdateWindowSurface(window);
    }
    for (int i = 0; list != NULL && i < count; i++) SDL_FreeSurface(list[i]);
    free(list);
}

static void scribble(const SDL_Surface *surface, int x, int y, int width, int height, Uint32 unit)
{
    for (int row = y; row < y + height; row++) {
        Uint8 *units = (Uint8 *)surface->pixels + row * surface->pitch + 4 * x;
        for (int i = 0; i < width; i++) memcpy(units + (size_t)i * 4, &unit, 4);
    }
}

static void writes(int count, int is_written)
{
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    SDL_Surface *sprites[2] = {make(SDL_PIXELFORMAT_XRGB8888, 3), make(SDL_PIXELFORMAT_ARGB8888, 5)};
    for (int frame = 0; frame < 3; frame++) {
        SDL_FillRect(screen, NULL, 0x203040);
        for (int i = 0; i < count; i++) {
            SDL_Rect to = place(i * 3);
            const Uint32 unit = 0x80000000u | (Uint32)(i * 99 + frame);
            if (is_written && i % 3 == 0) scribble(screen, to.x + 1, to.y, 3, 8, unit);
            if (is_written && i % 3 != 0) scribble(sprites[i % 2], i % 5, i % 3, 3, 2, unit);
            SDL_BlitSurface(sprites[i % 2], NULL, screen, &to);
        }
        SDL_UpdateWindowSurface(window);
    }
    for (int i = 0; i < 2; i++) SDL_FreeSurface(sprites[i]);
}

static void dots(int count)
{
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    for (int frame = 0; frame < count; frame++) {
        for (int i = 0; i < 12; i++)
            scribble(screen, 3 + i % 3 * 310, 5 + i / 3 * 150, 1, 1, (Uint32)(i * 7919 + frame * 99 + 1));
        SDL_UpdateWindowSurface(window);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? atoi(argv[2]) : 0;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 3;
    window = SDL_CreateWindow("load", 0, 0, WIDTH, HEIGHT, 0);
    if (window == NULL) return 3;
    if (strcmp(mode, "textures") == 0) textures(count);
    if (strcmp(mode, "surfaces") == 0) surfaces(count);
    if (strcmp(mode, "writes") == 0) writes(count, 1);
    if (strcmp(mode, "dots") == 0) dots(count);
    if (strcmp(mode, "blits") == 0) writes(count, 0);
    SDL_Quit();
    return 0;
}
