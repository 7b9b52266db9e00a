/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder that draws with SDL 2 in ways that the GPU can express, though no call says it alone. Its
 * argument says which; eight frames, all different.
 *
 *   logical, viewport, clip     SDL_RenderClear where a part of the window is drawn to: it clears all of it
 *   update FROM TO PART         draw into a surface of FROM (xrgb, argb, rgb), SDL_UpdateTexture of TO (xrgb, argb,
 *                               rgb) with all of it, a part of it, or a surface that was not drawn to last (all, part,
 *                               older)
 *   blended                     the same from xrgb to argb, of which every second frame is blended
 *   mirrored                    SDL_RenderGeometry of rectangles that are mirrored across, up and both
 *   locked                      SDL_LockTexture, and the rows of a surface copied there by the program
 *   own                         the program fills the window's surface by itself, and copies rows of a surface there
 */
#include <SDL2/SDL.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 100, SIDE = 24, FRAMES = 8 };

static SDL_Window *window;
static SDL_Renderer *renderer;

static int kind_of(const char *name) { return strcmp(name, "xrgb") == 0 ? 0 : strcmp(name, "argb") == 0 ? 1 : 2; }

static SDL_Surface *make(int kind, int width, int height)
{
    static const Uint32 formats[] = {SDL_PIXELFORMAT_XRGB8888, SDL_PIXELFORMAT_ARGB8888, SDL_PIXELFORMAT_BGR24};
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 0, formats[kind]);
    if (surface == NULL) exit(3);
    return surface;
}

static SDL_Texture *texture_of(int kind)
{
    static const Uint32 formats[] = {SDL_PIXELFORMAT_XRGB8888, SDL_PIXELFORMAT_ARGB8888, SDL_PIXELFORMAT_BGR24};
    return SDL_CreateTexture(renderer, formats[kind], SDL_TEXTUREACCESS_STREAMING, WIDTH, HEIGHT);
}

static void draw(SDL_Surface *surface, SDL_Surface *sprite, int frame)
{
    SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, (Uint8)(frame * 20), 90, 40));
    for (int i = 0; i < 3; i++) SDL_BlitSurface(sprite, NULL, surface, &(SDL_Rect){frame * 3 + 40 * i, 20 + i, 0, 0});
}

static SDL_Surface *sprite_of(void)
{
    SDL_Surface *sprite = make(0, SIDE, SIDE);
    SDL_FillRect(sprite, NULL, 0x20c060);
    SDL_FillRect(sprite, &(SDL_Rect){4, 5, 10, 9}, 0xe01020);
    return sprite;
}

static void clears(const char *mode, int frame)
{
    const SDL_Rect part = {30, 20, 60, 50};
    if (strcmp(mode, "logical") == 0) SDL_RenderSetLogicalSize(renderer, 80, 80);
    if (strcmp(mode, "viewport") == 0) SDL_RenderSetViewport(renderer, &part);
    if (strcmp(mode, "clip") == 0) SDL_RenderSetClipRect(renderer, &part);
    SDL_SetRenderDrawColor(renderer, (Uint8)(frame * 30), 40, 80, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 250, 200, 0, 255);
    SDL_RenderFillRect(renderer, &(SDL_Rect){5 + frame, 5, 20, 20});
}

static void updates(char **argv, int frame)
{
    static SDL_Surface *surface, *sprite, *later;
    static SDL_Texture *texture;
    const SDL_Rect all = {0, 0, WIDTH, HEIGHT}, part = {16, 10, 100, 60};
    const SDL_Rect *rect = strcmp(argv[2], "part") == 0 ? &part : &all;
    if (surface == NULL) {
        surface = make(kind_of(argv[0]), WIDTH, HEIGHT);
        sprite = sprite_of();
        later = make(0, WIDTH, HEIGHT);
        texture = texture_of(kind_of(argv[1]));
        SDL_UpdateTexture(texture, NULL, later->pixels, later->pitch);
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    }
    draw(surface, sprite, frame);
    if (strcmp(argv[2], "older") == 0) draw(later, sprite, frame + 1);
    SDL_UpdateTexture(texture, rect,
                      (Uint8 *)surface->pixels + rect->y / 2 * surface->pitch +
                          rect->x / 2 * surface->format->BytesPerPixel,
                      surface->pitch);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
}

static void blended(int frame)
{
    static SDL_Surface *surface, *sprite;
    static SDL_Texture *texture;
    if (surface == NULL) {
        surface = make(0, WIDTH, HEIGHT);
        sprite = sprite_of();
        texture = texture_of(1);
    }
    draw(surface, sprite, frame);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    SDL_UpdateTexture(texture, NULL, surface->pixels, surface->pitch);
    SDL_SetTextureBlendMode(texture, frame % 2 != 0 ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE);
    SDL_SetRenderDrawColor(renderer, 10, 40, (Uint8)(frame * 30), 255);
    SDL_RenderClear(renderer);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
}

static void quad(SDL_Texture *texture, float x, float y, int flip, Uint8 level)
{
    static const int order[6] = {0, 1, 3, 0, 3, 2};
    SDL_Vertex corners[6];
    for (int i = 0; i < 6; i++) {
        const int right = order[i] & 1, low = order[i] >> 1;
        corners[i].position = (SDL_FPoint){x + (float)(right * SIDE), y + (float)(low * SIDE)};
        corners[i].tex_coord = (SDL_FPoint){(float)(right ^ (flip & 1)), (float)(low ^ (flip >> 1))};
        corners[i].color = (SDL_Color){level, level, 255, 255};
    }
    SDL_RenderGeometry(renderer, texture, corners, 6, NULL, 0);
}

static void mirrored(int frame)
{
    static SDL_Texture *texture;
    SDL_Surface *sprite = sprite_of();
    if (texture == NULL) texture = SDL_CreateTextureFromSurface(renderer, sprite);
    SDL_FreeSurface(sprite);
    SDL_SetRenderDrawColor(renderer, 10, 40, (Uint8)(frame * 30), 255);
    SDL_RenderClear(renderer);
    for (int flip = 0; flip < 4; flip++) {
        quad(texture, (float)(frame * 5 + 30 * flip), 10, flip, 255);
        quad(texture, (float)(30 * flip), 50, flip, (Uint8)(100 + frame));
    }
}

static void locked(int frame)
{
    static SDL_Surface *surface, *sprite;
    static SDL_Texture *texture;
    void *pixels;
    int pitch;
    if (surface == NULL) {
        surface = make(0, WIDTH, HEIGHT);
        sprite = sprite_of();
        texture = texture_of(0);
    }
    draw(surface, sprite, frame);
    if (SDL_LockTexture(texture, NULL, &pixels, &pitch) != 0) exit(4);
    for (int y = 0; y < HEIGHT; y++)
        memcpy((Uint8 *)pixels + y * pitch, (Uint8 *)surface->pixels + y * surface->pitch, 4 * WIDTH);
    SDL_UnlockTexture(texture);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
}

static void own(int frame)
{
    static SDL_Surface *surface, *sprite;
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    if (surface == NULL) {
        surface = make(0, WIDTH, HEIGHT);
        sprite = sprite_of();
    }
    draw(surface, sprite, frame);
    for (int y = 0; y < HEIGHT; y++) {
        Uint8 *row = (Uint8 *)screen->pixels + y * screen->pitch;
        if (y < HEIGHT / 2) memset(row, frame * 9 + 1, 4 * WIDTH);
        else if (y >= HEIGHT / 2 + 8) memcpy(row, (Uint8 *)surface->pixels + y * surface->pitch, 4 * WIDTH);
    }
    SDL_UpdateWindowSurface(window);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    window = SDL_CreateWindow("taken", 0, 0, WIDTH, HEIGHT, 0);
    if (strcmp(mode, "own") != 0) renderer = SDL_CreateRenderer(window, -1, 0);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (strcmp(mode, "update") == 0 && argc == 5) updates(argv + 2, frame);
        else if (strcmp(mode, "blended") == 0) blended(frame);
        else if (strcmp(mode, "mirrored") == 0) mirrored(frame);
        else if (strcmp(mode, "locked") == 0) locked(frame);
        else if (strcmp(mode, "own") == 0) own(frame);
        else clears(mode, frame);
        if (renderer != NULL) SDL_RenderPresent(renderer);
    }
    SDL_Quit();
    return 0;
}
