/* SPDX-License-Identifier: Apache-2.0
 *
 * One node's command ring: room, push, kick, fence, error, reset. It knows words and registers, not what
 * a submission is for.
 */
#ifndef FIRMWARE_ENGINE_H
#define FIRMWARE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base.h"
#include "packet.h"

struct engine {
    uint32_t node;
    uint32_t ring;   /* command RAM byte offset */
    uint32_t tail;   /* words pushed, free running */
    uint32_t kicked; /* the tail the node knows */
};

/* Why a node stands still; all zero while it runs. */
struct engine_error {
    uint32_t code, address, packet, word;
};

/* Puts the node's ring at `ring`, its fence register to `fence`, and enables it. */
void engine_init(struct engine *engine, uint32_t node, uint32_t ring, uint32_t fence);

/* Words that can be pushed now. */
uint32_t engine_room(const struct engine *engine);

/* The packet must fit (engine_room). The node does not see it before engine_kick. */
void engine_push(struct engine *engine, const struct packet *packet);
/* Everything pushed is visible before the doorbell: the one place where that order matters. */
void engine_kick(struct engine *engine);

/* Last completed fence; acknowledges the node's interrupt first, so none is lost. */
uint32_t engine_fence(const struct engine *engine);
bool engine_error(const struct engine *engine, struct engine_error *error);
void engine_pause(const struct engine *engine, bool is_paused);

/* Reset a node and let it run again what it had not completed: the ring's words are still in command RAM,
 * so the tail is wound back to the head. A RUN whose submission's fence is_cancelled() becomes empty. */
void engine_restart(struct engine *engine, bool (*is_cancelled)(const void *context, uint32_t fence),
                    const void *context);

#endif
