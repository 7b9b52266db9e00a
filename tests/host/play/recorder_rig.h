/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the recorder inside a program (host/clients/sdl/record: hooks, tracker, surface, events, link), which is
 * linked into the test. A child draws and notes what a plain look at the pixels says of it; the parent ends the
 * recording as the launcher does and reads it: `found` and `noted` are texts, a line for each record.
 */
#ifndef TESTS_RECORDER_RIG_H
#define TESTS_RECORDER_RIG_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if SDL_VERSION_WANTED == 2
#include <SDL2/SDL.h>
#else
#include <SDL/SDL.h>
#endif

#include "held.h"
#include "clients/sdl/record/link.h"

enum { WIDTH = 64, HEIGHT = 48, SIDE = 20, TEXT = 4 << 20 };

#define RECORDING "build/play/recorder.tsdl"
static struct record_link *shared;
static char *noted; /* by the child, in shared memory */
static char found[TEXT];
static SDL_Surface *screen;

static inline void note(const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(noted);
    va_start(arguments, format);
    vsnprintf(noted + used, TEXT - used, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------ what the two versions call differently */

#if SDL_VERSION_WANTED == 2
static SDL_Window *window;
static inline void open_screen(void)
{
    window = SDL_CreateWindow("recorder", 0, 0, WIDTH, HEIGHT, 0);
    screen = SDL_GetWindowSurface(window);
}
static inline void show(void) { SDL_UpdateWindowSurface(window); }
#else
static inline void open_screen(void) { screen = SDL_SetVideoMode(WIDTH, HEIGHT, 32, SDL_SWSURFACE); }
static inline void show(void) { SDL_Flip(screen); }
#endif

static inline SDL_Surface *make(int bits, Uint32 red, Uint32 green, Uint32 blue, Uint32 alpha)
{
    SDL_Surface *surface = SDL_CreateRGBSurface(0, SIDE, SIDE, bits, red, green, blue, alpha);
    if (surface == NULL) fprintf(stderr, "no surface of %d bits: %s\n", bits, SDL_GetError()), _exit(3);
#if SDL_VERSION_WANTED == 2
    SDL_SetSurfaceBlendMode(surface, SDL_BLENDMODE_NONE);
#else
    SDL_SetAlpha(surface, 0, 255);
#endif
    return surface;
}

static inline SDL_Surface *plain(void) { return make(32, 0xff0000, 0xff00, 0xff, 0); }

static inline Uint8 *at(const SDL_Surface *surface, int x, int y)
{
    return (Uint8 *)surface->pixels + y * surface->pitch + x * surface->format->BytesPerPixel;
}

static inline Uint32 unit_at(const SDL_Surface *surface, int x, int y)
{
    Uint32 unit = 0;
    memcpy(&unit, at(surface, x, y), surface->format->BytesPerPixel);
    return unit;
}

static inline void scribble(SDL_Surface *surface)
{
    for (int y = 0; y < surface->h; y++)
        for (int x = 0; x < surface->w * surface->format->BytesPerPixel; x++) at(surface, 0, y)[x] = (Uint8)pick(256);
}

/* ------------------------------------------------------------------ recording and reading */

static inline uint32_t sum_of(const uint8_t *bytes, size_t count) { return (uint32_t)crc32(0, bytes, (uInt)count); }

static inline void tell(char *text, const struct recording_event *e)
{
    const struct recording_rect *r = &e->rect;
    text += strlen(text);
    switch (e->kind) {
    case RECORDING_SURFACE:
        sprintf(text, "surface %u format %d %ux%u\n", e->surface, e->format, r->width, r->height);
        break;
    case RECORDING_FREE: sprintf(text, "free %u\n", e->surface); break;
    case RECORDING_PIXELS:
        sprintf(text, "pixels %u %u,%u %ux%u %08x", e->surface, r->x, r->y, r->width, r->height,
                (unsigned)sum_of(e->pixels, (size_t)r->width * r->height * recording_unit_bytes((uint32_t)e->format)));
        text += strlen(text);
        if (e->reason != REASON_FIRST && e->reason != REASON_PROGRAM) text += sprintf(text, " because %d", e->reason);
        sprintf(text, "\n");
        break;
    case RECORDING_FILL:
        sprintf(text, "fill %u %u,%u %ux%u %08x\n", e->surface, r->x, r->y, r->width, r->height, (unsigned)e->unit);
        break;
    case RECORDING_BLIT:
        sprintf(text, "blit %u %u,%u %ux%u from %u %u,%u mode %d alpha %u colour %06x key %08x\n", e->surface, r->x,
                r->y, r->width, r->height, e->source, e->source_x, e->source_y, e->mode, e->alpha, (unsigned)e->colour,
                recording_is_keyed(e->mode) ? (unsigned)e->key : 0);
        if (e->map.width != 0)
            sprintf(text + strlen(text) - 1, " map %ux%u %d,%d %d,%d %d,%d %d\n", e->map.width, e->map.height,
                    (int)e->map.u, (int)e->map.v, (int)e->map.u_x, (int)e->map.v_x, (int)e->map.u_y, (int)e->map.v_y,
                    e->map.is_filtered);
        break;
    case RECORDING_PRESENT: sprintf(text, "present %u\n", e->surface); break;
    case RECORDING_PALETTE:
        sprintf(text, "palette %u %08x\n", e->surface,
                (unsigned)sum_of((const uint8_t *)e->colours, RECORDING_COLOURS * sizeof *e->colours));
        break;
    case RECORDING_END:
    case RECORDING_LEFT:
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
    case RECORDING_BECAUSE:
    case RECORDING_KINDS: break;
    }
}

/* Whole or not, what the recording holds, into `found`. */
static inline void read_recording(void)
{
    struct recording *recording;
    struct recording_event event;
    char message[256] = "";
    found[0] = 0;
    struct recording_writer *writer = recording_continue(open(RECORDING, O_RDWR), &shared->state);
    if (writer == NULL || recording_finish(writer) != 0) printf("no recording\n");
    if (recording_open(&recording, RECORDING, message) != 0) {
        printf("%s\n", message);
        return;
    }
    while (recording_next(recording, &event, message) == 1) tell(found, &event);
    if (message[0] != 0) sprintf(found + strlen(found), "%s\n", message);
    recording_close(recording);
}

/* Draw in a child that records into `file`; its exit status. */
static inline int record(void (*draw)(void), const char *file, const char *events)
{
    int descriptor = open("build/play/recorder.link", O_RDWR | O_CREAT | O_TRUNC, 0666), status = 0;
    if (ftruncate(descriptor, (off_t)sizeof *shared) != 0) exit(2);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    close(open(RECORDING, O_RDWR | O_CREAT | O_TRUNC, 0666));
    snprintf(shared->file, sizeof shared->file, "%s", file);
    snprintf(shared->name, sizeof shared->name, "the file");
    setenv(LINK_VARIABLE, "build/play/recorder.link", 1);
    if (events != NULL) setenv(LINK_EVENTS_VARIABLE, events, 1);
    else unsetenv(LINK_EVENTS_VARIABLE);
    noted[0] = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (dup2(open("build/play/recorder.err", O_WRONLY | O_CREAT | O_TRUNC, 0666), 2) < 0) _exit(4);
        if (SDL_Init(SDL_INIT_VIDEO) != 0) _exit(5);
        draw();
        _exit(0);
    }
    waitpid(child, &status, 0);
    read_recording();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void check(bool is_good, const char *what)
{
    if (is_good) passed++;
    else failed++, printf("FAILED: %s\n", what);
}

/* The recording says what was noted, line for line. */
static inline void same(const char *what)
{
    if (strcmp(found, noted) == 0) {
        passed++;
        return;
    }
    size_t i = 0;
    while (found[i] == noted[i]) i++;
    while (i > 0 && found[i - 1] != '\n') i--;
    failed++, printf("FAILED: %s: recorded:\n%.300s\nnoted:\n%.300s\n", what, found + i, noted + i);
}

static inline void hold_found(const char *name)
{
    char title[64];
    snprintf(title, sizeof title, "recorded%d-%s", SDL_VERSION_WANTED, name);
    snprintf(found + strlen(found), 128, "counts %u %u %u %u %u seen %u failed %d\n", shared->counts.surfaces,
             shared->counts.blits, shared->counts.fills, shared->counts.blits_as_pixels,
             (unsigned)shared->counts.pixel_bytes, (unsigned)shared->seen, shared->has_failed);
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, title);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(found, file) < 0 || fclose(file) != 0) exit(2);
    hold(title, sum_of((const uint8_t *)found, strlen(found)));
}

/* argv: FOLDER SUMS */
static inline void rig_begin(char **argv)
{
    folder = argv[1];
    sums = argv[2];
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    noted = mmap(NULL, TEXT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

#endif
