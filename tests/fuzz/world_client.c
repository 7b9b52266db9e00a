/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures, limits and budget events of clients in a hostile world.
 */
#include "world_internal.h"

void world_client(struct fuzz_world *world, const struct step *step)
{
    uint32_t words[16] = {step->a == 0xfau ? MSG_QUERY_CLIENT : step->a < 0xfdu ? MSG_SET_CLIENT : MSG_WAIT_BUDGET};
    world->sender = step->client;
    switch (words[0]) {
    case MSG_QUERY_CLIENT:
        words[MSG_QUERY_CLIENT_CLIENT] = step->c & 3u;
        words[MSG_QUERY_CLIENT_PART] = step->b % 3u + (step->b & 0x40u) / 4u;
        break;
    case MSG_SET_CLIENT:
        if (step->client != 3u) world->sender = 0;
        words[MSG_SET_CLIENT_CLIENT] = step->c & 3u;
        words[MSG_SET_CLIENT_SEGMENT] = 1u + step->b % 3u;
        words[MSG_SET_CLIENT_MINIMUM] = step->w & 15u;
        words[MSG_SET_CLIENT_MAXIMUM] = (step->w & 15u) + (step->w >> 4 & 31u);
        break;
    default: words[MSG_WAIT_BUDGET_CANCEL] = step->c % 3u; break;
    }
    world_send(world, words, KIND_OTHER, 0);
}

void world_end_limits(struct fuzz_world *world)
{
    for (world->sender = 0; world->sender < GPU_LIMIT(CLIENTS); world->sender++) {
        const uint32_t cancel[16] = {MSG_WAIT_BUDGET, 0, 1};
        world_send(world, cancel, KIND_OTHER, 0);
    }
    world->sender = 0;
    for (uint32_t i = 0; i < 12u; i++) {
        const uint32_t none[16] = {MSG_SET_CLIENT, 0, i / 3u, 1u + i % 3u, 0, 0xffffffffu};
        world_send(world, none, KIND_OTHER, 0);
    }
}
