/* SPDX-License-Identifier: Apache-2.0
 *
 * What the functions in front of SDL's share: hooks.c has those of surfaces, hooks_renderer.c those of SDL 2's
 * renderer.
 */
#ifndef TESSERA_RECORD_HOOK_H
#define TESSERA_RECORD_HOOK_H

#include <stdbool.h>

#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

#define HOOK __attribute__((visibility("default")))

/* `real`: a pointer to SDL's own function of that name. */
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (real == NULL) *(void **)&real = sdl_real(#name)

/* Enter a hook: is this call the program's own, and are we recording? Every enter has its leave. */
bool hook_enter(void);
/* The same for what shows a surface. */
bool hook_enter_present(void);
void hook_leave(void);
/* The program has a screen, which it may never show anything on before it gets an event. */
void hook_screen(void);
/* The same three for the hooks of SDL 3. */
bool hook3_enter(void);
bool hook3_enter_present(void);
void hook3_leave(void);
/* A blit of SDL 3's between surfaces, which `draw` does. */
bool hook3_blit(void *source, const void *source_rect, void *target, const void *target_rect,
                bool (*draw)(void *, const void *, void *, const void *));
/* Pixels that a texture of SDL 3's is given, which `update` does. */
bool hook3_update(void *texture, const void *rect, const void *pixels, int pitch,
                  bool (*update)(void *, const void *, const void *, int));
/* The program shows this surface: a frame of the recording. Does not return from the last frame that is wanted. */
void hook_present(void *surface);

#endif
