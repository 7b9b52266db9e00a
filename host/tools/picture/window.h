/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that shows frames as they are finished, through SDL 2 (sdl2.h). Works with any of SDL's video drivers.
 */
#ifndef TESSERA_WINDOW_H
#define TESSERA_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/recording/recording.h"

struct window;

/* Frames of the given size, shown twice as large while that stays below 1300 pixels. NULL after a line in `message`. */
struct window *window_open(const char *title, uint32_t width, uint32_t height, char message[256]);
/* Show a frame: rows without padding. False once the user has closed the window; then it stays as it is. */
bool window_show(struct window *window, enum recording_format format, const uint8_t *pixels);
/* Frames shown. NULL is fine for both. */
uint32_t window_frames(const struct window *window);
void window_close(struct window *window);

#endif
