/* SPDX-License-Identifier: Apache-2.0
 *
 * What a virtio GPU's displays show (gpu.h), as pictures, without a display unit: flushed rectangles are read back from
 * the GPU, and the cursor is laid over them here. scanout.h says when.
 */
#ifndef TESSERA_VIRTIO_SCREEN_H
#define TESSERA_VIRTIO_SCREEN_H

#include "virtio/painter.h"

struct screen;

struct screen *screen_create(struct painter *painter); /* NULL: out of memory */
void screen_destroy(struct screen *screen);            /* NULL is fine */
void screen_table(struct screen *screen, struct virtio_gpu_display *table);
/* The first scanout, cursor and all: 32-bit units, blue first. NULL: it shows nothing. Valid until the next call. */
const uint8_t *screen_picture(struct screen *screen, uint32_t *width, uint32_t *height);
/* Is there a cursor, and where? */
bool screen_cursor(const struct screen *screen, uint32_t *x, uint32_t *y);
/* Its 64 x 64 pixels, blue first, alpha last, colours multiplied by it. NULL: there is none. */
const uint8_t *screen_cursor_image(const struct screen *screen);
/* Has anything changed since this was asked last? */
bool screen_changed(struct screen *screen);

#endif
