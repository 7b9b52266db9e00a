/* SPDX-License-Identifier: Apache-2.0
 *
 * The SDL 2 library, loaded when a run asks for it (--check, --window): nothing is linked with it, and a run
 * that does not ask does not need it.
 */
#ifndef TESSERA_SDL2_H
#define TESSERA_SDL2_H

#include "tools/picture/sdl_abi.h"

struct sdl2 {
    void (*GetVersion)(uint8_t version[3]);
    const char *(*GetError)(void);
    struct sdl2_surface *(*CreateRGBSurfaceWithFormat)(uint32_t flags, int width, int height, int depth,
                                                       uint32_t format);
    void (*FreeSurface)(struct sdl2_surface *surface);
    int (*FillRect)(struct sdl2_surface *surface, const struct sdl2_rect *rect, uint32_t unit);
    int (*SetColorKey)(struct sdl2_surface *surface, int flag, uint32_t key);
    int (*SetPaletteColors)(struct sdl_palette *palette, const struct sdl_colour *colours, int first, int count);
    int (*SetSurfaceAlphaMod)(struct sdl2_surface *surface, uint8_t alpha);
    int (*SetSurfaceColorMod)(struct sdl2_surface *surface, uint8_t red, uint8_t green, uint8_t blue);
    int (*SetSurfaceBlendMode)(struct sdl2_surface *surface, int mode);
    int (*UpperBlit)(struct sdl2_surface *source, const struct sdl2_rect *source_rect, struct sdl2_surface *target,
                     struct sdl2_rect *target_rect);
    int (*UpperBlitScaled)(struct sdl2_surface *source, const struct sdl2_rect *source_rect,
                           struct sdl2_surface *target, struct sdl2_rect *target_rect);
    int (*Init)(uint32_t what);
    void (*Quit)(void);
    void *(*CreateWindow)(const char *title, int x, int y, int width, int height, uint32_t flags);
    void (*DestroyWindow)(void *window);
    struct sdl2_surface *(*GetWindowSurface)(void *window);
    int (*UpdateWindowSurface)(void *window);
    int (*PollEvent)(union sdl2_event *event);
};

/* The library, loaded once; NULL after a line in `message` (256 bytes). */
const struct sdl2 *sdl2_load(char message[256]);

#endif
