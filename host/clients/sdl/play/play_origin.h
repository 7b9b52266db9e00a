/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the pixels that a recording shows come from. Every pixel of every surface has an origin:
 *
 *   nothing   it was never written
 *   host      the host wrote it (PIXELS), for the reason that the recording gives
 *   GPU       a fill or a blit wrote it last. A plain copy, keyed or not, of a pixel that the host wrote since the
 *             frame before stays the host's: a frame that a program draws by itself and copies to its screen is not
 *             the GPU's
 *
 * What a key leaves out keeps its origin, as long as the source's pixels are known, which are those of surfaces that
 * no blit has written; of others a keyed blit counts whole. A blend counts whatever its alpha. It costs a byte per
 * pixel of all surfaces, and another copy of those that no blit has written.
 */
#ifndef PLAY_ORIGIN_H
#define PLAY_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/recording/recording.h"

/* Of the frames that count. */
struct play_shown {
    uint64_t pixels, drawn, host, nothing; /* the sum of the other three; by the GPU, by the host, by none */
    uint64_t finished[RECORDING_REASONS];  /* those by the host, each for one reason: their sum is `host` */
    uint32_t frames, frames_without;       /* presented; of them, without a fill or blit since the frame before */
};

struct play_origin;

/* NULL: out of memory. */
struct play_origin *play_origin_create(void);
void play_origin_destroy(struct play_origin *origin); /* NULL is fine */
/* Every event of the recording from its beginning on, in order; the frame of a PRESENT counts if `counts`. False: out
 * of memory, and nothing may be told any more. */
bool play_origin_event(struct play_origin *origin, const struct recording_event *event, bool counts);
struct play_shown play_origin_shown(const struct play_origin *origin);

#endif
