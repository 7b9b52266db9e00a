/* SPDX-License-Identifier: Apache-2.0
 *
 * When a world has calmed down: what it is held to.
 */
#include <string.h>

#include "world_internal.h"

enum { SOON = 20, CALM_TRIES = 800, CALM_CYCLES = 100000, LONG_CYCLES = 1 << 24, GUARD_BYTE = 0xe7 };

bool world_has_stopped(struct fuzz_world *world)
{
    const uint32_t code = world_get(world, HOST_PANIC_CODE_OFFSET);
    if (code == PANIC_NONE) return false;
    if (code != PANIC_RECOVERY || !world->may_recover) world_die("the firmware has stopped: PANIC_CODE", code);
    return true;
}

/* What waits for a frame or is shown would wait on: the display goes back to client 0, and off. Where FLIPs fill the
 * completion ring that is not taken before their frames have come. */
static void end_display(struct fuzz_world *world)
{
    const uint32_t take[16] = {MSG_GIVE_DISPLAY}, set_off[16] = {MSG_SET_MODE};
    world_send(world, take, KIND_OTHER, 0);
    world_send(world, set_off, KIND_OTHER, 0);
}

/* Everything that was sent is answered, once. */
void world_settle(struct fuzz_world *world)
{
    struct client *client = &world->client;
    struct answer answer;
    const uint32_t entries = 1u << client->submit_log2;
    world->spoil_count = world->sender = 0;
    world_set(world, HOST_FORCE_OFFSET, 0);
    world_set(world, HOST_IRQ_ENABLE_OFFSET, 3);
    world_collect(world, 0, &answer); /* and COMPLETE_HEAD says so again, whatever it was made to say */
    const uint32_t head = world_get(world, HOST_SUBMIT_HEAD_OFFSET), tail = world_get(world, HOST_SUBMIT_TAIL_OFFSET);
    client->submit_tail = tail - head <= entries ? tail : head;
    /* As many as may have been taken out of their turn are sent (again). */
    if (world->moves_tail) client->submit_tail = head + min_u32(entries, HOST_LOOK_LIMIT);
    world_set(world, HOST_SUBMIT_TAIL_OFFSET, client->submit_tail);
    world_end_limits(world);
    if (world->has_display) end_display(world);
    world_end_timelines(world);
    uint32_t end_tries = CALM_TRIES;
    for (uint32_t tries = 0; tries < CALM_TRIES; tries++) {
        /* A timeline that nobody here knows of may have the longest limit that there is. */
        world_wait(world, tries < CALM_TRIES / 2 ? CALM_CYCLES : LONG_CYCLES);
        if (world_has_stopped(world)) return;
        world_collect(world, 0, &answer);
        if (world->has_display && tries > SOON) world->hooks->pass_frames(world);
        const uint32_t taken = world_get(world, HOST_SUBMIT_HEAD_OFFSET);
        const uint32_t done = world_get(world, HOST_COMPLETE_TAIL_OFFSET);
        if (tries % (CALM_TRIES / 4) == SOON) world_end_limits(world); /* now there may be room */
        if (taken != client->submit_tail || done - world->first_tail != taken - world->first_head) continue;
        if (!world->has_display || tries > end_tries) return;
        end_display(world); /* now there is room */
        end_tries = tries;
    }
    world_die("messages without an answer", world_get(world, HOST_SUBMIT_HEAD_OFFSET) - client->submit_tail);
}

/* The answer to a message of an honest host. */
static struct answer ask(struct fuzz_world *world, const uint32_t message[16])
{
    struct answer answer = {.status = STATUS_COUNT};
    const uint32_t tag = world->client.next_tag;
    world_send(world, message, KIND_OTHER, 0);
    for (uint32_t tries = 0; tries < CALM_TRIES; tries++) {
        if (world_collect(world, tag, &answer)) return answer;
        world_wait(world, CALM_CYCLES);
        if (world_has_stopped(world)) world_die("the firmware stops for an honest message", message[0]);
    }
    world_die("an honest message gets no answer", message[0]);
}

/* An honest context is served, if there is room for it, and sees what it has drawn. */
void world_serve(struct fuzz_world *world)
{
    enum { PATTERN = 0x600d1dea };
    const uint32_t nop[16] = {MSG_NOP}, context[16] = {MSG_CREATE_CONTEXT};
    struct client_allocation *allocation = &world->allocation[0];
    if (ask(world, nop).status != STATUS_OK) world_die("a NOP is refused", 0);
    struct answer answer = ask(world, context);
    if (answer.status == STATUS_OUT_OF_HANDLES) return;
    if (answer.status != STATUS_OK) world_die("no context", answer.status);
    const uint32_t id = answer.words[0];
    world->client.next_page = world->client.transport.memory_bytes / CLIENT_PAGE - 16u * 16u - 8u;
    client_pages(&world->client, allocation, 1);
    const uint32_t create[16] = {[0] = MSG_CREATE_ALLOCATION,
                                 [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                 [MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE,
                                 [MSG_CREATE_ALLOCATION_READ_SET] = 3,
                                 [MSG_CREATE_ALLOCATION_WRITE_SET] = 3,
                                 [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                 [MSG_CREATE_ALLOCATION_PAGES] = allocation->list};
    answer = ask(world, create);
    if (answer.status == STATUS_OUT_OF_HANDLES) return;
    if (answer.status != STATUS_OK) world_die("no allocation", answer.status);
    allocation->handle = answer.words[0];
    uint32_t words[16];
    stream_init(&world->stream);
    stream_fill(&world->stream, allocation->handle, 0, CLIENT_PAGE, PATTERN, 0);
    client_stage(&world->client, &world->stream, id, 0, words);
    answer = ask(world, words);
    if (answer.status == STATUS_NO_PLACEMENT) return; /* what is pinned is in the way */
    if (answer.status != STATUS_OK) world_die("an honest stream is refused", answer.status);
    const uint32_t lock[16] = {MSG_LOCK, 0, allocation->handle, LOCK_ENTIRE};
    answer = ask(world, lock);
    if (answer.status != STATUS_OK) world_die("no lock", answer.status);
    for (uint32_t at = 0; at < CLIENT_PAGE; at += 4u) {
        const uint32_t word = world_peek(world, allocation->page[0] * (uint32_t)CLIENT_PAGE + at);
        if (word != (uint32_t)PATTERN) world_die("an honest stream has drawn something else", word);
    }
}

void world_guard(struct fuzz_world *world, bool is_checked)
{
    uint8_t bytes[WORLD_GUARD_BYTES];
    const uint32_t at = world->client.transport.memory_bytes;
    memset(bytes, GUARD_BYTE, sizeof bytes);
    if (!is_checked) world->client.transport.memory_write(world->client.transport.context, at, bytes, sizeof bytes);
    else world->client.transport.memory_read(world->client.transport.context, at, bytes, sizeof bytes);
    for (uint32_t i = 0; i < sizeof bytes; i++)
        if (bytes[i] != GUARD_BYTE && !world->reads_beyond) world_die("memory behind SYSTEM_PAGES was written", at + i);
}
