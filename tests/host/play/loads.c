/* SPDX-License-Identifier: Apache-2.0
 *
 * A program whose SDL 2 has another file name, or is loaded by the program itself. It shows five frames.
 *   loads FILE   take SDL's functions out of FILE with dlopen and dlsym, FILE's names known to nobody else
 *   loads none   call a function of SDL that no library has, if the loader says that it is there
 * With IS_LINKED: linked with the SDL.
 */
#define _GNU_SOURCE
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 5, WIDTH = 64, HEIGHT = 48 };

static __typeof__(&SDL_Init) init;
static __typeof__(&SDL_CreateWindow) create_window;
static __typeof__(&SDL_GetWindowSurface) get_surface;
static __typeof__(&SDL_FillRect) fill;
static __typeof__(&SDL_UpdateWindowSurface) update;

#ifdef IS_LINKED
static int take(const char *file)
{
    (void)file;
    init = SDL_Init;
    create_window = SDL_CreateWindow;
    get_surface = SDL_GetWindowSurface;
    fill = SDL_FillRect;
    update = SDL_UpdateWindowSurface;
    return 0;
}
#else
static int take(const char *file)
{
    /* Who calls decides what comes next: for this program the recorder, which it is started with. */
    if ((dlsym(RTLD_NEXT, "SDL_FillRect") != NULL) != (getenv("TESSERA_RECORD") != NULL)) return 3;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 4;
    *(void **)&init = dlsym(library, "SDL_Init");
    *(void **)&create_window = dlsym(library, "SDL_CreateWindow");
    *(void **)&get_surface = dlsym(library, "SDL_GetWindowSurface");
    *(void **)&fill = dlsym(library, "SDL_FillRect");
    *(void **)&update = dlsym(library, "SDL_UpdateWindowSurface");
    return dlsym(library, "SDL_SetVideoMode") != NULL ? 5 : 0; /* SDL 1.2 alone has it */
}
#endif

int main(int argc, char **argv)
{
#ifndef IS_LINKED
    __typeof__(&SDL_FillRect) nobody = NULL;
    *(void **)&nobody = dlsym(RTLD_DEFAULT, "SDL_FillRect");
    if (argc > 1 && strcmp(argv[1], "none") == 0) {
        if (nobody != NULL && (nobody(NULL, NULL, 0) != 0 || nobody(NULL, NULL, 0) != 0)) return 6;
        puts("undisturbed");
        return 0;
    }
#endif
    int status = take(argc > 1 ? argv[1] : "");
    if (status != 0) return status;
    if (init(SDL_INIT_VIDEO) != 0) return 1;
    SDL_Window *window = create_window("loads", 0, 0, WIDTH, HEIGHT, 0);
    for (int i = 0; i < FRAMES; i++) {
        fill(get_surface(window), i == 0 ? NULL : &(SDL_Rect){i, i, 20, 10}, 0x2040ffu * (unsigned)(i + 1));
        update(window);
    }
    puts("5 frames");
    return 0;
}
