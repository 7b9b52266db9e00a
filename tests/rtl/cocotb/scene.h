/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream with paging, small enough for a simulator that asks Python in every cycle: 32 KB of textures, which are
 * drawn into each other and into a picture, with 24 KB of local memory. It leaves pages that have to be written back.
 */
#ifndef TESTS_COCOTB_SCENE_H
#define TESTS_COCOTB_SCENE_H

#include "tessera.h"

enum { SCENE_WIDTH = 64, SCENE_HEIGHT = 64, SCENE_BYTES = SCENE_WIDTH * SCENE_HEIGHT * 2 };
/* Of local memory's pages the firmware uses so many. */
enum { SCENE_SEGMENT1_PAGES = 3, SCENE_SEGMENT2_PAGES = 3 };

/* tessera_open with that little memory; `firmware` is an image's path, or NULL. */
int scene_open(struct tessera **gpu, struct transport *transport, const char *firmware, uint32_t seed,
               char message[256]);
/* What the GPU has drawn, RGB565; *evictions: of this time. TESSERA_OK, or what tessera_message(gpu) tells. Whatever it
 * answers, nothing is left of it in the GPU but a context. */
int scene_draw(struct tessera *gpu, uint8_t pixels[SCENE_BYTES], uint32_t *evictions);

#endif
