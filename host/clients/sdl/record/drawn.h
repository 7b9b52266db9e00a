/* SPDX-License-Identifier: Apache-2.0
 *
 * Under tessera-live: what the GPU has drawn takes the place of what SDL has drawn, before it is shown.
 *
 * A picture comes through a pipe: struct drawn_header, then rows without padding, in the format that the recording has
 * for the surface. SDL draws, too, into the program's memory: what the program reads there is what it expects, under a
 * lock or without, and what the GPU has drawn can be held against it.
 */
#ifndef TESSERA_RECORD_DRAWN_H
#define TESSERA_RECORD_DRAWN_H

#include <stddef.h>

#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

struct drawn_header {
    uint32_t frame, bytes; /* from 0; of the picture */
};

/* Wait for the picture of this frame, of so many bytes. NULL: the GPU is gone, or out of memory. Valid until the next
 * call. */
const uint8_t *drawn_take(const struct link_drawn *drawn, uint32_t frame, size_t bytes);
/* Make the surface show the picture, and count what was unlike. Bits of units that mean nothing stay as they are. */
void drawn_put(struct link_drawn *drawn, uint32_t frame, const struct view *view, const struct conversion *conversion,
               const uint8_t *picture);

#endif
