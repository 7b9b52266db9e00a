/* SPDX-License-Identifier: Apache-2.0
 *
 * SDL 3's own functions, as it has put them into its table: see sdl3.h.
 */
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/library.h"
#include "clients/sdl/record/sdl3.h"

static void *own[SDL3_PLACES];

void sdl3_keep(void *const *table, uint32_t bytes) { memcpy(own, table, bytes); }

void *sdl3_own(enum sdl3_place place) { return own[place]; }

/* SDL decodes a surface when it next blits it. */
void sdl3_decode(void *surface)
{
    static bool (*set_rle)(void *, bool);
    static bool (*blit)(void *, const struct sdl2_rect *, void *, const struct sdl2_rect *);
    static void *elsewhere;
    const struct sdl2_rect one = {0, 0, 1, 1};
    if (elsewhere == NULL) {
        void *(*make)(int, int, uint32_t) = NULL;
        *(void **)&make = sdl_function("SDL_CreateSurface");
        *(void **)&blit = sdl_function("SDL_BlitSurfaceUnchecked");
        *(void **)&set_rle = sdl_function("SDL_SetSurfaceRLE");
        elsewhere = make(1, 1, SDL2_PIXELFORMAT_XRGB8888);
    }
    (void)set_rle(surface, false);
    if (elsewhere != NULL) (void)blit(surface, &one, elsewhere, &one);
}
