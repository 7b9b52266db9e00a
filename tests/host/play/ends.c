/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the recorder that ends, forks or shows its pictures in an odd way, which its first argument names.
 * Compiled twice, against SDL 1.2 and SDL 2. Frames are of 64 x 48 and filled; each differs from the one before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
#endif

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 5 };

static SDL_Surface *screen;

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;
static void open_screen(void)
{
    window = SDL_CreateWindow("ends", 0, 0, WIDTH, HEIGHT, 0);
    screen = SDL_GetWindowSurface(window);
}
static void update(void) { SDL_UpdateWindowSurface(window); }
#else
static void open_screen(void) { screen = SDL_SetVideoMode(WIDTH, HEIGHT, 32, SDL_SWSURFACE); }
static void update(void) { SDL_Flip(screen); }
#endif

static void show(int count)
{
    static Uint32 colour;
    for (int i = 0; i < count; i++) {
        SDL_Rect rect = {8, 8, 20, 10};
        SDL_FillRect(screen, NULL, colour += 3);
        SDL_FillRect(screen, &rect, ~colour);
        update();
    }
}

/* Until a signal comes. */
static void show_for_ever(void)
{
    show(FRAMES);
    printf("shown\n");
    fflush(stdout);
    for (;;) SDL_Delay(20);
}

static void on_alarm(int number)
{
    (void)number;
    exit(0);
}

/* exit() from a handler that runs in the middle of the recorder, nearly always. */
static void exit_in_handler(void)
{
    show(FRAMES);
    signal(SIGALRM, on_alarm);
    ualarm(50000, 0);
    for (;;) SDL_FillRect(screen, NULL, 7);
}

/* A child that ends, by way of exit() and its handlers, before the parent goes on. */
static void child_exits(void)
{
    show(2);
    pid_t child = fork();
    if (child == 0) exit(0);
    (void)waitpid(child, NULL, 0);
    show(FRAMES - 2);
}

/* A child that draws and shows, too, at the same time. */
static void child_draws(void)
{
    show(1);
    pid_t child = fork();
    for (int i = 0; i < FRAMES - 1; i++) {
        show(1);
        SDL_Delay(20);
    }
    if (child == 0) _exit(0);
    (void)waitpid(child, NULL, 0);
}

/* A child that works on surfaces of its own before the parent has a screen, as one that looks for fonts does. */
static void child_first(void)
{
    pid_t child = fork();
    if (child == 0) {
        SDL_Surface *own = SDL_CreateRGBSurface(0, 16, 16, 32, 0xff0000, 0xff00, 0xff, 0);
        SDL_FillRect(own, NULL, 1);
        SDL_FreeSurface(own);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    open_screen();
    show(FRAMES);
}

#if SDL_VERSION_WANTED == 2
/* Whether SDL itself survives this blit, which 2.32.4 does not: tried in a child, past the recorder's hooks. */
static bool survives_blit(SDL_Surface *sprite, SDL_Rect at)
{
    int (*blit)(SDL_Surface *, const SDL_Rect *, SDL_Surface *, SDL_Rect *);
    *(void **)&blit = dlsym(dlopen("libSDL2-2.0.so.0", RTLD_NOW), "SDL_UpperBlit");
    pid_t child = fork();
    if (child == 0) {
        (void)blit(sprite, NULL, screen, &at);
        _exit(0);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status);
}
#endif

/* Rectangles that end beyond the largest integer, or begin at the smallest: SDL draws nothing. */
static void far_away(void)
{
#if SDL_VERSION_WANTED == 2
    SDL_Surface *sprite = SDL_CreateRGBSurface(0, 16, 16, 32, 0xff0000, 0xff00, 0xff, 0);
    const int far[] = {0x7ffffffe, -0x7fffffff - 1};
    show(1);
    for (int i = 0; i < 2; i++) {
        SDL_Rect rect = {far[i], 4, 10, 10};
        SDL_FillRect(screen, &rect, 0x123456);
        SDL_FillRects(screen, &rect, 1, 0x123456);
        if (survives_blit(sprite, rect)) SDL_BlitSurface(sprite, NULL, screen, &rect);
        update();
    }
    SDL_Rect large = {4, far[1], 10, 0x7fffffff}, from = {far[1], far[1], 16, 16};
    SDL_FillRect(screen, &large, 0x123456);
    SDL_BlitSurface(sprite, &from, screen, NULL);
    show(2);
#else
    show(FRAMES);
#endif
}

#if SDL_VERSION_WANTED == 2
/* After: made by SDL's own function, which the recorder's is not in front of, as dlsym of that version is not. */
static void renderer(bool is_behind)
{
    void *(*own_dlsym)(void *, const char *) = NULL;
    *(void **)&own_dlsym = dlvsym(dlopen("libc.so.6", RTLD_LAZY), "dlsym", "GLIBC_2.34");
    SDL_Window *own_window = SDL_CreateWindow("ends", 0, 0, WIDTH, HEIGHT, 0);
    SDL_Renderer *(*create)(SDL_Window *, int, Uint32) = SDL_CreateRenderer;
    if (is_behind)
        *(void **)&create = own_dlsym(dlopen("libSDL2-2.0.so.0", RTLD_NOLOAD | RTLD_LAZY), "SDL_CreateRenderer");
    SDL_Renderer *own = create(own_window, -1, 0);
    for (int i = 0; i < 75; i++) {
        SDL_RenderClear(own);
        SDL_RenderPresent(own);
        SDL_Delay(20);
    }
}
static void opengl(void) { SDL_GL_SwapWindow(NULL); }
#else
static void opengl(void) { SDL_GL_SwapBuffers(); }
#endif

/* The process that draws is left behind by the one that was started, and ends by a signal. */
static void orphan(void)
{
    pid_t parent = getpid();
    if (fork() != 0) {
        sleep(1);
        _exit(0);
    }
    open_screen();
    while (getppid() == parent) SDL_Delay(10);
    show(FRAMES);
    abort();
}

/* A renderer of a surface presents, too: no window shows that. */
static void show_hidden(void)
{
#if SDL_VERSION_WANTED == 2
    SDL_Surface *surface = SDL_CreateRGBSurface(0, WIDTH, HEIGHT, 32, 0xff0000, 0xff00, 0xff, 0);
    SDL_Renderer *own = SDL_CreateSoftwareRenderer(surface);
    for (int i = 0; i < 3; i++) {
        SDL_RenderClear(own);
        SDL_RenderPresent(own);
    }
#endif
    show(FRAMES);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    if (strcmp(mode, "child-first") == 0) child_first();
    if (strcmp(mode, "orphan") == 0) orphan();
    if (strcmp(mode, "opengl") == 0) opengl();
#if SDL_VERSION_WANTED == 2
    if (strncmp(mode, "renderer", 8) == 0) renderer(mode[8] != 0);
#endif
    if (strcmp(mode, "nothing") == 0) SDL_Delay(1500);
    if (strcmp(mode, "child-first") == 0 || screen != NULL || strcmp(mode, "opengl") == 0 ||
        strncmp(mode, "renderer", 8) == 0 || strcmp(mode, "nothing") == 0)
        return 0;
    open_screen();
    /* As if nobody had asked SDL: a signal ends the program at once. */
    if (strcmp(mode, "default") == 0) {
        signal(SIGTERM, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        show_for_ever();
    }
    if (strcmp(mode, "crash") == 0) {
        show(FRAMES);
        abort();
    }
    if (strcmp(mode, "fails") == 0) {
        show(FRAMES);
        exit(3);
    }
    if (strcmp(mode, "early") == 0) abort();
    if (strcmp(mode, "hidden") == 0) show_hidden();
    if (strcmp(mode, "handler") == 0) exit_in_handler();
    if (strcmp(mode, "child-exits") == 0) child_exits();
    if (strcmp(mode, "child-draws") == 0) child_draws();
    if (strcmp(mode, "far") == 0) far_away();
    if (strcmp(mode, "empty") == 0) SDL_FillRect(screen, NULL, 3);
    return 0;
}
