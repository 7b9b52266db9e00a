/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of a world (world.c) and its judgement (world_judge.c) share.
 */
#ifndef TESTS_FUZZ_WORLD_INTERNAL_H
#define TESTS_FUZZ_WORLD_INTERNAL_H

#include "world.h"

/* What an answer brings. */
enum kind { KIND_OTHER, KIND_ALLOCATION, KIND_CONTEXT, KIND_TIMELINE };

/* What the host does: `what`, for `client`, three small operands and a word. */
struct step {
    uint32_t what, client, a, b, c, w;
};

uint32_t world_get(struct fuzz_world *world, uint32_t offset);
void world_set(struct fuzz_world *world, uint32_t offset, uint32_t value);
uint32_t world_peek(struct fuzz_world *world, uint32_t address);
void world_wait(struct fuzz_world *world, uint32_t cycles);
/* Take every completion that is there; true when that of `tag` was among them. */
bool world_collect(struct fuzz_world *world, uint32_t tag, struct answer *wanted);
/* Send for world->sender, unless the ring stays full. */
void world_send(struct fuzz_world *world, const uint32_t message[16], enum kind kind, uint32_t slot);

/* A handle: mostly one that exists. A context likewise; its client is the sender. */
uint32_t world_handle(struct fuzz_world *world, uint32_t number);
uint32_t world_context(struct fuzz_world *world, uint32_t number);
/* Send one of the display's messages: the low bits of step->a. */
void world_display(struct fuzz_world *world, const struct step *step);

/* Send one of the timelines' messages: the low bits of step->a. */
void world_timeline(struct fuzz_world *world, const struct step *step);
/* SUBMIT's words 10 to 15, as `w` says; the same in memory, for a FLIP: where. */
void world_points(struct fuzz_world *world, uint32_t w, uint32_t points[6]);
uint32_t world_flip_points(struct fuzz_world *world, uint32_t w);
/* Destroy all that are known: waits for them end. */
void world_end_timelines(struct fuzz_world *world);

/* Send one of the messages of figures, limits and budgets: from 0xfa of step->a. */
void world_client(struct fuzz_world *world, const struct step *step);
/* A budget event may never come, and limits may be in everybody's way: both end. A message that was spoiled can be of
 * any client. */
void world_end_limits(struct fuzz_world *world);

/* Has the firmware stopped? Aborts unless this host may have made it. */
bool world_has_stopped(struct fuzz_world *world);
/* Everything that was sent is answered, once. */
void world_settle(struct fuzz_world *world);
/* An honest context is served, if there is room for it, and sees what it has drawn. */
void world_serve(struct fuzz_world *world);
/* Fill the bytes after the host's memory, or check that they are as they were. */
void world_guard(struct fuzz_world *world, bool is_checked);

#endif
