/* SPDX-License-Identifier: Apache-2.0
 *
 * See sdl2.h.
 */
#include "tools/picture/sdl2.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static struct sdl2 sdl2;

#define ENTRY(name) \
    { \
        "SDL_" #name, offsetof(struct sdl2, name) \
    }
static const struct {
    const char *name;
    size_t offset;
} entries[] = {ENTRY(GetVersion),
               ENTRY(GetError),
               ENTRY(CreateRGBSurfaceWithFormat),
               ENTRY(FreeSurface),
               ENTRY(FillRect),
               ENTRY(SetColorKey),
               ENTRY(SetPaletteColors),
               ENTRY(SetSurfaceAlphaMod),
               ENTRY(SetSurfaceColorMod),
               ENTRY(SetSurfaceBlendMode),
               ENTRY(UpperBlit),
               ENTRY(UpperBlitScaled),
               ENTRY(Init),
               ENTRY(Quit),
               ENTRY(CreateWindow),
               ENTRY(DestroyWindow),
               ENTRY(GetWindowSurface),
               ENTRY(UpdateWindowSurface),
               ENTRY(PollEvent)};

const struct sdl2 *sdl2_load(char message[256])
{
    static void *library;
    if (library != NULL) return &sdl2;
    library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(message, 256,
                 "--check and --window need the SDL 2 library. Install it: apt-get install libsdl2-2.0-0");
        return NULL;
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = dlsym(library, entries[i].name);
        if (function == NULL) {
            snprintf(message, 256, "the SDL 2 library is too old: it has no %s. Version 2.0.5 or later is needed.",
                     entries[i].name);
            dlclose(library);
            library = NULL;
            return NULL;
        }
        memcpy((char *)&sdl2 + entries[i].offset, &function, sizeof function);
    }
    return &sdl2;
}
