/* SPDX-License-Identifier: Apache-2.0
 *
 * One node's command ring: room, push, kick, fence, error, reset. It knows words and registers, not what
 * a submission is for.
 */
#ifndef FIRMWARE_ENGINE_H
#define FIRMWARE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "driver/packet.h"

enum { ENGINE_SUBMISSIONS_MAX = 256 };
_Static_assert(LIMIT_BITS_RING_WORDS / (PKT_RUN_WORDS + PKT_FENCE_WORDS) <= ENGINE_SUBMISSIONS_MAX,
               "fence ids in the ring differ in their low bits");

struct engine {
    uint32_t node;
    uint32_t ring;   /* command RAM byte offset */
    uint32_t words;  /* in the ring, a power of two */
    uint32_t tail;   /* words pushed, free running */
    uint32_t kicked; /* the tail the node knows */
    /* Bit per fence id, modulo: its submission goes on with the DMA buffer of the one before. */
    uint32_t continues[ENGINE_SUBMISSIONS_MAX / 32];
};

/* Why a node stands still; all zero while it runs. */
struct engine_error {
    uint32_t code, address, packet, word;
};

/* Puts the node's ring of `words` (a power of two, RING_WORDS at most) at `ring`, its fence register to `fence`, and
 * enables it. */
void engine_init(struct engine *engine, uint32_t node, uint32_t ring, uint32_t words, uint32_t fence);

/* Words that can be pushed now. */
uint32_t engine_room(const struct engine *engine);
/* The node has taken everything that was pushed. */
bool engine_is_empty(const struct engine *engine);

/* The packet must fit (engine_room). The node does not see it before engine_kick. */
void engine_push(struct engine *engine, const struct packet *packet);
/* Everything pushed is visible before the doorbell: the one place where that order matters. */
void engine_kick(struct engine *engine);

/* Last completed fence; acknowledges the node's interrupt first, so none is lost. */
uint32_t engine_fence(const struct engine *engine);
bool engine_error(const struct engine *engine, struct engine_error *error);
void engine_pause(const struct engine *engine, bool is_paused);
/* Stopped between two ring packets by engine_pause: what follows may be rewritten. */
bool engine_is_paused(const struct engine *engine);

/* Note of a submission about to be pushed, for engine_withhold. */
void engine_note(struct engine *engine, uint32_t fence, bool continues_buffer);
/* While paused: from the first submission on that begins a DMA buffer and has not run, WAIT_FENCE, RUN and FENCE
 * become NOPs; access rights stay as they are, in pairs. Returns the fence of the last submission that is kept, or,
 * if there is none, the last completed one. O(words in the ring). */
uint32_t engine_withhold(struct engine *engine);

/* Drop the ring and what is being executed, the bus left legal; the last completed fence becomes `fence`. The node
 * stands still until engine_start. */
void engine_stop(struct engine *engine, uint32_t fence);
void engine_start(const struct engine *engine);

#endif
