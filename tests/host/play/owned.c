/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder whose surfaces, textures and renderers SDL 2 frees by itself. Its argument says which:
 * lock (the surface of a locked texture), resize (a window's surface), window (a window with its renderer), quit
 * (everything, twice), update (a window's surface that a texture takes over after the window is gone), screens (many
 * sizes of a window, whose surface is not the one last drawn to), parts (the surface of a locked texture, read alone).
 * Ten frames.
 */
#include <SDL2/SDL.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 10, WIDTH = 64, HEIGHT = 48 };

static SDL_Window *window;

static void open_window(int width) { window = SDL_CreateWindow("owned", 0, 0, width, HEIGHT, SDL_WINDOW_RESIZABLE); }

static void show_surface(int i)
{
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    SDL_FillRect(screen, NULL, 0x102030u * (Uint32)(i + 1));
    SDL_UpdateWindowSurface(window);
}

static void show_texture(SDL_Renderer *renderer, SDL_Texture *texture, int i)
{
    SDL_Rect rect = {3 + i, 5, 20, 20};
    SDL_SetRenderDrawColor(renderer, (Uint8)(i * 20), 40, 80, 255);
    SDL_RenderClear(renderer);
    SDL_RenderCopy(renderer, texture, NULL, &rect);
    SDL_RenderPresent(renderer);
}

static SDL_Texture *make_texture(SDL_Renderer *renderer)
{
    return SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, 20, 20);
}

static void lock(void)
{
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, 0);
    SDL_Texture *texture = make_texture(renderer);
    Uint32 *units = calloc(400, sizeof *units);
    for (int i = 0; i < FRAMES; i++) {
        const SDL_Rect part = {1, 1, 9 + i, 9};
        SDL_Surface *surface;
        SDL_UpdateTexture(texture, NULL, units, 80);
        if (SDL_LockTextureToSurface(texture, &part, &surface) == 0) {
            SDL_FillRect(surface, NULL, 0xff00ff00u + (Uint32)i);
            SDL_UnlockTexture(texture);
        }
        show_texture(renderer, texture, i);
    }
    free(units);
}

static void resize(void)
{
    for (int i = 0; i < FRAMES; i++) {
        SDL_SetWindowSize(window, WIDTH + i % 3 * 20, HEIGHT + i % 2 * 10);
        SDL_PumpEvents();
        show_surface(i);
    }
}

static void windows(int quits)
{
    for (int i = 0; i < FRAMES; i += 2) {
        SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, 0);
        SDL_Texture *texture = make_texture(renderer);
        show_texture(renderer, texture, i);
        show_texture(renderer, texture, i + 1);
        if (quits) {
            SDL_Quit();
            SDL_Init(SDL_INIT_VIDEO);
        } else {
            SDL_DestroyWindow(window);
        }
        open_window(WIDTH + i);
    }
}

static void update(void)
{
    for (int i = 0; i < FRAMES; i += 2) {
        show_surface(i);
        SDL_DestroyWindow(window);
        open_window(WIDTH + i);
        SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, 0);
        SDL_Texture *texture = make_texture(renderer);
        Uint32 *units = calloc(400, sizeof *units);
        SDL_UpdateTexture(texture, NULL, units, 80);
        show_texture(renderer, texture, i + 1);
        free(units);
        SDL_DestroyWindow(window);
        open_window(WIDTH + i);
    }
}

static void screens(void)
{
    SDL_Surface *own = SDL_CreateRGBSurfaceWithFormat(0, 8, 8, 32, SDL_PIXELFORMAT_XRGB8888);
    for (int i = 0; i < FRAMES; i++) {
        SDL_SetWindowSize(window, WIDTH + i * 4, HEIGHT + i);
        SDL_PumpEvents();
        SDL_Surface *screen = SDL_GetWindowSurface(window), *away = SDL_CreateRGBSurface(0, 90 + i, 9, 32, 0, 0, 0, 0);
        SDL_FillRect(screen, NULL, 0x102030u * (Uint32)(i + 1));
        SDL_FillRect(own, NULL, 0x405060u + (Uint32)i);
        SDL_BlitSurface(own, NULL, screen, NULL);
        SDL_FillRect(own, NULL, 0x405060u);
        SDL_UpdateWindowSurface(window);
        SDL_FreeSurface(away);
    }
    SDL_FreeSurface(own);
}

static void parts(void)
{
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    SDL_Surface *software = SDL_CreateRGBSurfaceWithFormat(0, 64, 64, 32, SDL_PIXELFORMAT_XRGB8888);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(software);
    SDL_Texture *texture = make_texture(renderer);
    for (int i = 0; i < FRAMES; i++) {
        const SDL_Rect part = {1, 1, 5 + i, 9};
        SDL_Surface *locked;
        if (SDL_LockTextureToSurface(texture, &part, &locked) != 0) continue;
        memset(locked->pixels, 40 + i, 20);
        SDL_BlitSurface(locked, NULL, screen, NULL);
        SDL_UnlockTexture(texture);
        SDL_UpdateWindowSurface(window);
    }
    SDL_DestroyTexture(texture);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(software);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 3;
    open_window(WIDTH);
    if (strcmp(mode, "lock") == 0) lock();
    if (strcmp(mode, "resize") == 0) resize();
    if (strcmp(mode, "window") == 0) windows(0);
    if (strcmp(mode, "quit") == 0) windows(1);
    if (strcmp(mode, "update") == 0) update();
    if (strcmp(mode, "screens") == 0) screens();
    if (strcmp(mode, "parts") == 0) parts();
    return 0;
}
