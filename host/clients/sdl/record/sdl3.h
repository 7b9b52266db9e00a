/* SPDX-License-Identifier: Apache-2.0
 *
 * SDL 3's own functions below the hooks. All calls of SDL 3 from outside go through one table of pointers, of which
 * SDL lets the library that SDL3_DYNAMIC_API names make its own (SDL_DYNAPI_entry, hooks_sdl3.c): however the program
 * has come by SDL 3, linked with it, by dlopen, under another file name, or through sdl2-compat. What SDL calls itself
 * does not go through the table. A library that the user names there makes the table before the recorder does.
 *
 * The table only grows at its end, and a function's place in it is part of SDL 3's binary interface.
 */
#ifndef TESSERA_RECORD_SDL3_H
#define TESSERA_RECORD_SDL3_H

#include "clients/sdl/record/hook.h"

enum sdl3_place {
    SDL3_BlitSurface = 49,
    SDL3_BlitSurface9Grid = 50,
    SDL3_BlitSurfaceScaled = 51,
    SDL3_BlitSurfaceTiled = 52,
    SDL3_BlitSurfaceTiledWithScale = 53,
    SDL3_BlitSurfaceUnchecked = 54,
    SDL3_BlitSurfaceUncheckedScaled = 55,
    SDL3_ClaimWindowForGPUDevice = 58,
    SDL3_ClearSurface = 65,
    SDL3_CreateRenderer = 112,
    SDL3_CreateRendererWithProperties = 113,
    SDL3_CreateSoftwareRenderer = 115,
    SDL3_CreateTexture = 121,
    SDL3_CreateTextureFromSurface = 122,
    SDL3_CreateTextureWithProperties = 123,
    SDL3_CreateWindowAndRenderer = 127,
    SDL3_DestroyRenderer = 144,
    SDL3_DestroySurface = 146,
    SDL3_DestroyTexture = 147,
    SDL3_DestroyWindow = 148,
    SDL3_FillSurfaceRect = 176,
    SDL3_FillSurfaceRects = 177,
    SDL3_GL_SwapWindow = 202,
    SDL3_GetKeyboardState = 401,
    SDL3_GetMouseState = 413,
    SDL3_GetVersion = 534,
    SDL3_GetWindowSurface = 560,
    SDL3_Init = 602,
    SDL3_InitSubSystem = 604,
    SDL3_Quit = 689,
    SDL3_QuitSubSystem = 690,
    SDL3_RenderClear = 732,
    SDL3_RenderFillRect = 736,
    SDL3_RenderFillRects = 737,
    SDL3_RenderGeometry = 738,
    SDL3_RenderGeometryRaw = 739,
    SDL3_RenderLine = 740,
    SDL3_RenderLines = 741,
    SDL3_RenderPoint = 742,
    SDL3_RenderPoints = 743,
    SDL3_RenderPresent = 744,
    SDL3_RenderRect = 746,
    SDL3_RenderRects = 747,
    SDL3_RenderTexture = 748,
    SDL3_RenderTexture9Grid = 749,
    SDL3_RenderTextureRotated = 750,
    SDL3_RenderTextureTiled = 751,
    SDL3_SetRenderVSync = 852,
    SDL3_UpdateTexture = 957,
    SDL3_UpdateWindowSurface = 958,
    SDL3_UpdateWindowSurfaceRects = 959,
    SDL3_Vulkan_CreateSurface = 963, /* all of these are in the table of SDL 3.2.0 */
    SDL3_RenderDebugText = 1179,
    SDL3_RenderTextureAffine = 1202,
    SDL3_StretchSurface = 1231
};

enum { SDL3_PLACES = 4096 };
/* Remember the table of SDL's own functions: at most SDL3_PLACES pointers. */
void sdl3_keep(void *const *table, uint32_t bytes);
/* SDL 3's own function of that place. */
void *sdl3_own(enum sdl3_place place);

/* `real`: a pointer to it. */
#define REAL_3(type, name, ...) type (*real)(__VA_ARGS__) = (type(*)(__VA_ARGS__))sdl3_own(SDL3_##name)

/* The surface is not encoded any more (RLE), and has pixels. */
void sdl3_decode(void *surface);

/* A function that takes the place of SDL's. */
struct sdl3_hook {
    enum sdl3_place place;
    void *hook;
};
/* Those of the renderer; the last has no function. */
extern const struct sdl3_hook sdl3_renderer_hooks[];

#endif
