/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines in a hostile world: their messages, and points in SUBMITs and FLIPs. Most names exist, and most points are
 * near; so waits are met, run in circles, or lose what they wait for.
 */
#include "world_internal.h"

enum { POINTS_AT = 5 * CLIENT_PAGE - 64 };

/* Mostly one that exists; its client is the sender. */
static uint32_t timeline_of(struct fuzz_world *world, uint32_t number)
{
    uint32_t timeline = 0;
    for (uint32_t i = 0; i < WORLD_TIMELINES && timeline == 0u; i++) {
        timeline = world->timeline[(number + i) % WORLD_TIMELINES];
        world->sender = world->timeline_owner[(number + i) % WORLD_TIMELINES];
    }
    return number < 0xf8u ? timeline : timeline ^ 1u << (number & 7u) * 4u;
}

void world_timeline(struct fuzz_world *world, const struct step *step)
{
    static const uint8_t codes[] = {MSG_CREATE_TIMELINE, MSG_CREATE_TIMELINE, MSG_SHARE_TIMELINE, MSG_SIGNAL_TIMELINE,
                                    MSG_SIGNAL_TIMELINE, MSG_QUERY_TIMELINE,  MSG_WAIT_TIMELINE,  MSG_DESTROY_TIMELINE};
    const uint32_t w = step->w;
    uint32_t words[16] = {codes[step->a & 7u]};
    if (words[0] == (uint32_t)MSG_CREATE_TIMELINE) {
        words[MSG_CREATE_TIMELINE_VALUE_LO] = w & 3u;
        words[MSG_CREATE_TIMELINE_LIMIT] = 1000u + (w >> 8 & 0xffu) * 1000u;
        world->sender = world->timeline_owner[step->b % WORLD_TIMELINES] = narrow_u8(step->client);
        world_send(world, words, KIND_TIMELINE, step->b);
        return;
    }
    words[2] = timeline_of(world, step->b);
    if (words[0] == (uint32_t)MSG_SHARE_TIMELINE) {
        words[MSG_SHARE_TIMELINE_CLIENT] = step->c & 3u;
        words[MSG_SHARE_TIMELINE_RIGHTS] = w & 1u;
    } else {
        words[MSG_WAIT_TIMELINE_VALUE_LO] = step->c & 7u;
        words[MSG_WAIT_TIMELINE_VALUE_HI] = (w & 0x3fu) == 0u;
        if (words[0] == (uint32_t)MSG_WAIT_TIMELINE) words[MSG_WAIT_TIMELINE_LIMIT] = (w >> 8 & 0xffu) * 1000u;
    }
    if (step->client == 3u) world->sender = 3;
    world_send(world, words, KIND_OTHER, 0);
}

void world_points(struct fuzz_world *world, uint32_t w, uint32_t points[6])
{
    const uint32_t sender = world->sender;
    points[0] = (w & 7u) == 0u ? 0u : timeline_of(world, w >> 3 & 0xffu);
    points[1] = w >> 11 & 7u;
    points[3] = (w >> 14 & 1u) == 0u ? 0u : timeline_of(world, w >> 15 & 0xffu);
    points[4] = w >> 23 & 7u;
    world->sender = sender;
}

uint32_t world_flip_points(struct fuzz_world *world, uint32_t w)
{
    uint32_t points[6] = {0};
    world_points(world, w, points);
    world->client.transport.memory_write(world->client.transport.context, POINTS_AT, points, sizeof points);
    return POINTS_AT;
}

void world_end_timelines(struct fuzz_world *world)
{
    for (uint32_t i = 0; i < WORLD_TIMELINES; i++) {
        const uint32_t words[16] = {MSG_DESTROY_TIMELINE, 0, world->timeline[i]};
        world->sender = world->timeline_owner[i];
        if (world->timeline[i] != 0u) world_send(world, words, KIND_OTHER, 0);
        world->timeline[i] = 0;
    }
    world->sender = 0;
}
