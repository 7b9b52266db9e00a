/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of SDL 2 of whose pictures the GPU draws little or nothing, for record.sh: four frames of 64 x 48.
 *
 *   software pixels   writes every pixel of the screen itself
 *   software copy     writes a surface of its own and copies it onto the screen
 *   software half     fills the upper half of the screen with SDL, writes the lower one itself
 *   software blends   fills, and blends in ways that no recording expresses: 3 of one, 2 of another a frame
 *   software twice    the same where two operations express each
 */
#include <SDL2/SDL.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 4 };

static void write_rows(SDL_Surface *surface, int from, int frame)
{
    for (int y = from; y < HEIGHT; y++) {
        Uint32 *row = (Uint32 *)(void *)((Uint8 *)surface->pixels + y * surface->pitch);
        for (int x = 0; x < WIDTH; x++) row[x] = (Uint32)(x * 0x10305 + y * 0x301 + frame * 0x40511 + 1);
    }
}

static void blend(SDL_Surface *screen, SDL_bool is_hard)
{
    SDL_Surface *sprite = SDL_CreateRGBSurface(0, 8, 8, 32, 0xff0000, 0xff00, 0xff, 0xff000000u);
    SDL_FillRect(sprite, NULL, 0x80402010);
    SDL_SetSurfaceBlendMode(sprite, SDL_BLENDMODE_BLEND);
    SDL_SetSurfaceAlphaMod(sprite, 100);
    SDL_SetColorKey(sprite, is_hard, 0x123456);
    for (int i = 0; i < 3; i++) SDL_BlitSurface(sprite, NULL, screen, &(SDL_Rect){9 * i, 4, 0, 0});
    SDL_SetSurfaceAlphaMod(sprite, 255);
    SDL_SetColorKey(sprite, SDL_FALSE, 0);
    SDL_SetSurfaceColorMod(sprite, 9, 200, 30);
    if (is_hard) SDL_SetSurfaceBlendMode(sprite, SDL_BLENDMODE_MUL);
    for (int i = 0; i < 2; i++) SDL_BlitSurface(sprite, NULL, screen, &(SDL_Rect){9 * i, 20, 0, 0});
    SDL_FreeSurface(sprite);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    SDL_Window *window = SDL_CreateWindow("software", 0, 0, WIDTH, HEIGHT, 0);
    SDL_Surface *screen = SDL_GetWindowSurface(window);
    SDL_Surface *own = SDL_CreateRGBSurface(0, WIDTH, HEIGHT, 32, 0xff0000, 0xff00, 0xff, 0);
    if (screen == NULL || own == NULL) return 1;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (strcmp(mode, "pixels") == 0) write_rows(screen, 0, frame);
        if (strcmp(mode, "half") == 0) {
            SDL_FillRect(screen, &(SDL_Rect){0, 0, WIDTH, HEIGHT / 2}, (Uint32)(frame * 99));
            write_rows(screen, HEIGHT / 2, frame);
        }
        if (strcmp(mode, "copy") == 0) {
            write_rows(own, 0, frame);
            SDL_BlitSurface(own, NULL, screen, NULL);
        }
        if (strcmp(mode, "blends") == 0 || strcmp(mode, "twice") == 0) {
            SDL_FillRect(screen, NULL, (Uint32)(frame * 77));
            blend(screen, strcmp(mode, "blends") == 0);
        }
        SDL_UpdateWindowSurface(window);
    }
    SDL_Quit();
    return 0;
}
