/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame as a PNG file of 24 bits per pixel, through libpng.
 */
#ifndef TESSERA_IMAGE_PNG_H
#define TESSERA_IMAGE_PNG_H

#include <stdint.h>

/* 0, or -1 with a line in `message` (256 bytes). */
int image_png_write(const char *path, const uint8_t *rgb565, uint32_t width, uint32_t height, char message[256]);
/* The same of 32-bit units: blue, green, red, anything. */
int image_png_write_rgb888(const char *path, const uint8_t *units, uint32_t width, uint32_t height, char message[256]);

#endif
