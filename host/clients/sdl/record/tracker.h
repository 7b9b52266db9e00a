/* SPDX-License-Identifier: Apache-2.0
 *
 * What the recorder knows of the program's surfaces, and the recording it makes of them.
 *
 * Of every surface the tracker keeps a *shadow*: its raw bytes as the file's reader has them. Before an operation is
 * recorded, the pixels it reads are compared with the shadow, and where the program has changed them by itself (under
 * SDL_LockSurface or not, by SDL_SoftStretch, a font library, a decoder) the difference is recorded as PIXELS.
 * Nothing therefore depends on hooking every function that can write a surface. After an operation, the shadow takes
 * what SDL made of it.
 *
 * Not for several threads at once: hooks.c holds a lock around every call.
 */
#ifndef TESSERA_RECORD_TRACKER_H
#define TESSERA_RECORD_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/sdl/record/difference.h"
#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

/* Begin the recording of the link. False after a line on stderr. */
bool tracker_open(struct record_link *link);
/* The reader now has exactly these pixels of the surface. False: it cannot be recorded. */
bool tracker_sync(const struct view *view, const struct area *area);
/* As the program has just drawn: record the operation, and take over the target's pixels. */
void tracker_fill(const struct view *target, const struct area *area, uint32_t raw);
/* `how`: mode, alpha, colour and map. */
void tracker_blit(const struct view *target, const struct area *area, const struct view *source, int32_t source_x,
                  int32_t source_y, const struct recording_event *how);
/* As the program is said to have drawn: record the operation, and the shadow becomes what the operation makes of it, be
 * the target what it may. Of a blit the caller draws it: returned is the shadow, with the target's units; NULL: none.
 */
void tracker_expect_fill(const struct view *target, const struct area *area, uint32_t raw);
uint8_t *tracker_expect_blit(const struct view *target, const struct area *area, const struct view *source,
                             int32_t source_x, int32_t source_y, const struct recording_event *how,
                             uint32_t *row_bytes);
/* The reader has these pixels, as tracker_sync. False: what was expected was something else, and is put right for that
 * reason. */
bool tracker_agree(const struct view *view, const struct area *area, enum recording_reason reason);
/* The program showed the surface. Its number, from 1. 0: it could not be recorded. */
uint32_t tracker_present(const struct view *view);
/* Nothing has been recorded that draws to the surface or shows it: with a palette, it may be recorded as indices. */
bool tracker_is_read_alone(const void *surface);
/* The surface, of those used last the first, that these bytes lie in. The view is what was last seen of it, without
 * its attributes; only memory that the program gives may be looked at, as the surface itself may be gone. */
bool tracker_find(struct view *view, const void *pixels, uint32_t pitch);
void tracker_forget(const void *surface);
/* The program is about to draw what no mode expresses, for this reason, inside the area: it arrives as PIXELS of that
 * reason when the pixels are next looked at. */
void tracker_leave(const struct view *target, const struct area *area, enum recording_reason reason);
/* The count alone: tracker_agree has the pixels. */
void tracker_count_pixels(enum recording_reason reason);

#endif
