/* SPDX-License-Identifier: Apache-2.0
 *
 * See window.h.
 */
#include "tools/picture/window.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/sdl2.h"

enum { INIT_VIDEO = 0x20, POSITION_ANY = 0x1fff0000, WIDE = 1300 };

struct window {
    const struct sdl2 *sdl;
    void *window;
    struct sdl2_surface *frames[2]; /* one of 16, one of 32 bits per pixel */
    uint32_t width, height, shown;
    bool is_closed;
};

void window_close(struct window *window)
{
    if (window == NULL) return;
    for (unsigned i = 0; i < 2; i++)
        if (window->frames[i] != NULL) window->sdl->FreeSurface(window->frames[i]);
    if (window->window != NULL) window->sdl->DestroyWindow(window->window);
    window->sdl->Quit();
    free(window);
}

/* Without a display SDL takes a driver that shows nothing, unless one is named. */
static bool has_display(void)
{
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != 0) return true;
    }
    return false;
}

struct window *window_open(const char *title, uint32_t width, uint32_t height, char message[256])
{
    const struct sdl2 *sdl = sdl2_load(message);
    int scale = width * 2u <= WIDE ? 2 : 1;
    if (sdl == NULL) return NULL;
    if (!has_display()) {
        snprintf(message, 256, "no window: there is no display (DISPLAY is not set). Leave --window out.");
        return NULL;
    }
    if (sdl->Init(INIT_VIDEO) != 0) {
        snprintf(message, 256, "no window: %.180s. Leave --window out.", sdl->GetError());
        return NULL;
    }
    struct window *window = calloc(1, sizeof *window);
    if (window != NULL) {
        window->sdl = sdl;
        window->width = width;
        window->height = height;
        window->window =
            sdl->CreateWindow(title, POSITION_ANY, POSITION_ANY, (int)width * scale, (int)height * scale, 0);
        window->frames[0] = sdl->CreateRGBSurfaceWithFormat(0, (int)width, (int)height, 16, SDL2_PIXELFORMAT_RGB565);
        window->frames[1] = sdl->CreateRGBSurfaceWithFormat(0, (int)width, (int)height, 24, SDL2_PIXELFORMAT_XRGB8888);
    }
    if (window == NULL || window->window == NULL || window->frames[0] == NULL || window->frames[1] == NULL) {
        snprintf(message, 256, "no window: %.180s. Leave --window out.", sdl->GetError());
        window_close(window);
        return NULL;
    }
    return window;
}

bool window_show(struct window *window, enum recording_format format, const uint8_t *pixels)
{
    union sdl2_event event;
    if (window == NULL || window->is_closed) return window == NULL;
    struct sdl2_surface *frame = window->frames[format != RECORDING_RGB565];
    size_t row_bytes = (size_t)window->width * recording_unit_bytes((uint32_t)format);
    for (uint32_t y = 0; y < window->height; y++)
        memcpy((uint8_t *)frame->pixels + (size_t)y * (size_t)frame->pitch, pixels + y * row_bytes, row_bytes);
    struct sdl2_surface *screen = window->sdl->GetWindowSurface(window->window);
    if (screen != NULL && window->sdl->UpperBlitScaled(frame, NULL, screen, NULL) == 0 &&
        window->sdl->UpdateWindowSurface(window->window) == 0)
        window->shown++;
    while (window->sdl->PollEvent(&event) != 0) window->is_closed = window->is_closed || event.type == SDL2_QUIT;
    return !window->is_closed;
}

uint32_t window_frames(const struct window *window) { return window != NULL ? window->shown : 0; }
