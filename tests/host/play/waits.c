/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that draws only after a key or a click, under SDL 1.2 or SDL 2: it shows a frame and waits. Letters change
 * its colour, a click draws where it is; Escape ends it. Exit status 4: a key was not seen as held when it came, or has
 * not been released. With an argument it draws and shows nothing before the first key.
 */
#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
static SDL_Window *window;
static SDL_Surface *open_screen(void)
{
    window = SDL_CreateWindow("waits", 0, 0, 64, 48, 0);
    return SDL_GetWindowSurface(window);
}
static void show(SDL_Surface *screen)
{
    (void)screen;
    SDL_UpdateWindowSurface(window);
}
static int is_held(const SDL_Event *event) { return SDL_GetKeyboardState(NULL)[event->key.keysym.scancode]; }
#else
#include <SDL/SDL.h>
static SDL_Surface *open_screen(void) { return SDL_SetVideoMode(64, 48, 32, SDL_SWSURFACE); }
static void show(SDL_Surface *screen) { SDL_Flip(screen); }
static int is_held(const SDL_Event *event) { return SDL_GetKeyState(NULL)[event->key.keysym.sym]; }
#endif

int main(int argc, char **argv)
{
    SDL_Event event;
    int downs = 0, ups = 0;
    (void)argv;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 3;
    SDL_Surface *screen = open_screen();
    if (screen == NULL) return 3;
    if (argc < 2) SDL_FillRect(screen, NULL, 0x102030), show(screen);
    while (SDL_WaitEvent(&event)) {
        ups += event.type == SDL_KEYUP;
        if (event.type != SDL_KEYDOWN && event.type != SDL_MOUSEBUTTONDOWN) continue;
        if (event.type == SDL_KEYDOWN) {
            if (event.key.keysym.sym == SDLK_ESCAPE) break;
            downs++;
            if (!is_held(&event)) return 4;
            SDL_FillRect(screen, NULL, (Uint32)event.key.keysym.sym * 0x10203u);
        } else {
            SDL_Rect at = {(Sint16)event.button.x, (Sint16)event.button.y, 8, 8};
            SDL_FillRect(screen, &at, 0xffffff);
        }
        show(screen);
    }
    SDL_Quit();
    return ups == downs ? 0 : 4;
}
