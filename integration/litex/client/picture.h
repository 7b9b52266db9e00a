/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture that does not fit: textures that together are larger than local memory, drawn twice, so that every one has
 * to leave for others and come back. Nothing of it needs an operating system: the same text runs on the processor of a
 * LiteX system and on the golden model.
 */
#ifndef TESSERA_LITEX_PICTURE_H
#define TESSERA_LITEX_PICTURE_H

#include "tessera.h"

enum { PICTURE_WIDTH = 320, PICTURE_HEIGHT = 200, PICTURE_BYTES = PICTURE_WIDTH * PICTURE_HEIGHT * 2 };
enum { PICTURE_X = (640 - PICTURE_WIDTH) / 2, PICTURE_Y = (480 - PICTURE_HEIGHT) / 2 }; /* on the display */

struct picture {
    uint8_t *pixels;    /* PICTURE_BYTES, RGB565: the caller's; what the GPU has drawn, as the processor read it */
    uint32_t crc;       /* CRC-32 of these */
    uint32_t evictions; /* of textures, to make room */
    uint32_t texture_bytes, local_bytes;
    struct tessera_allocation
        *target;              /* where the GPU drew it: the caller's, to destroy when it is not shown any more */
    uint32_t segment2_offset; /* ... and where that stays */
};

/* `say` gets lines of text without their ends. TESSERA_OK, or what tessera_message(gpu) tells; TESSERA_MISUSE: all
 * textures fit into local memory, so the picture would show nothing. */
int picture_draw(struct tessera *gpu, struct picture *picture, void (*say)(const char *line));
/* Show the picture in the middle of 640 x 480 on the chip's display, as its overlay, and wait until a frame has shown
 * it. *is_shown is false, and nothing has changed, if the chip has no display with that mode. */
int picture_show(struct tessera *gpu, const struct picture *picture, bool *is_shown, void (*say)(const char *line));
/* Bytes that the processor writes, the GPU copies and the processor reads, again and again at the same places: *old is
 * how many were not what had been written last, of all, which is 0 where caches and GPU agree (docs/litex.md, Memory).
 */
int picture_agree(struct tessera *gpu, uint32_t *old, void (*say)(const char *line));
uint32_t picture_crc(const uint8_t *bytes, uint32_t count);

#endif
