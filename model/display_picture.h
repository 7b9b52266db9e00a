/* SPDX-License-Identifier: Apache-2.0
 *
 * What a display unit shows, pixel by pixel: the golden model of rtl/display. The planes are read through a function,
 * so that the caller says what memory is.
 */
#ifndef DISPLAY_PICTURE_H
#define DISPLAY_PICTURE_H

#include <stdint.h>

/* Format is of the FORMAT group; FORMAT_BYTES: the plane is off. */
struct display_plane {
    uint32_t address, pitch, format;
};

struct display_picture {
    uint32_t width, height;
    struct display_plane primary, overlay;
    uint32_t overlay_x, overlay_y, overlay_width, overlay_height;
    uint32_t is_keyed, key, alpha; /* as DISPLAY.OVERLAY_MODE and OVERLAY_MIX */
    uint32_t cursor_image;         /* GPU address; 0: no cursor */
    int32_t cursor_x, cursor_y;
    uint32_t palette[256];
};

/* Reads 1, 2 or 4 bytes at a GPU address, little end first. */
typedef uint32_t (*display_read)(void *context, uint32_t address, uint32_t bytes);

/* A visible pixel: red in bits 23:16, green, blue. */
uint32_t display_pixel(const struct display_picture *picture, uint32_t x, uint32_t y, display_read read, void *context);

#endif
