/* SPDX-License-Identifier: Apache-2.0
 *
 * What the device's display shows of a running program: each picture is flipped to (play/play_gpu.h), and the frame
 * that the display then shows is the one that the program's window gets.
 */
#ifndef TESSERA_LIVE_SCREEN_H
#define TESSERA_LIVE_SCREEN_H

#include "clients/sdl/play/play_gpu.h"

enum { LIVE_REASON = 96 };

struct live_screen;

/* Frames of the device's display are kept from now on, until it is closed. NULL: out of memory. */
struct live_screen *live_screen_create(struct tessera *tessera, struct play_gpu *drawing);
/* After tessera_close. */
void live_screen_destroy(struct live_screen *screen);
/* The frame ends, and *pixels is what the display has shown of it: rows without padding, in the surface's format, valid
 * until the next call. NULL after a clause in `reason`, which says why the display does not show it: then it can be
 * presented and taken. So for all frames after one that it has refused. */
int live_screen_show(struct live_screen *screen, uint32_t surface, const struct recording_surface *of,
                     const uint8_t **pixels, char reason[LIVE_REASON]);

#endif
