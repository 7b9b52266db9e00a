/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of preemption and recovery share: several jobs at once, nodes held still, answers by tag.
 */
#ifndef TESSERA_UNIT_SCHEDULING_H
#define TESSERA_UNIT_SCHEDULING_H

#include "record.h"

enum { JOBS_MAX = 16 };

struct sent {
    uint32_t tag[JOBS_MAX], count;
    struct answer answer[JOBS_MAX]; /* of the same index */
};

static struct sent sent;

static inline uint32_t host_read(uint32_t offset)
{
    uint32_t value = 0;
    client.transport.register_read(client.transport.context, offset, &value);
    return value;
}

static inline void turns(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) device_turn(client.device);
}

static inline struct engine_node *node(uint32_t index) { return &device_engine(client.device)->node[index]; }

/* The node alone; what it waits for does not come. */
static inline void step_node(uint32_t index) { CHECK(engine_model_step(device_engine(client.device), index)); }

/* The word of its ring where it stands. */
static inline uint32_t *at_head(uint32_t index)
{
    return &device_engine(client.device)->command[node(index)->ring_base / 4u + node(index)->head % 1024u];
}

/* Something happens to a node: it stands still for a while, becomes slow, or hangs for good. */
static inline void disturb(uint32_t *random)
{
    uint32_t index = check_pick(random, 2);
    switch (check_pick(random, 12)) {
    case 0: device_hang(client.device, index); break;
    case 1: device_release(client.device, index); break;
    case 2:
    case 3: node(index)->is_enabled = !node(index)->is_enabled; break;
    case 4: device_slow(client.device, index, check_pick(random, 30), 64); break;
    default: break;
    }
}

/* HOST.FORCE from now on. */
static inline void set_force(uint32_t force)
{
    client.transport.register_write(client.transport.context, HOST_FORCE_OFFSET, force);
}

/* Send what is in `stream`; its answer will be sent.answer[the result]. */
static inline uint32_t send_job(uint32_t context)
{
    uint32_t message[16];
    CHECK(sent.count < JOBS_MAX);
    client_stage(&client, &stream, context, sent.count, message);
    sent.tag[sent.count] = client_send(&client, message);
    return sent.count++;
}

static inline uint32_t send_fill(uint32_t context, const struct client_allocation *target, uint32_t offset,
                                 uint32_t bytes, uint32_t pattern)
{
    stream_init(&stream);
    stream_fill(&stream, target->handle, offset, bytes, pattern, 0);
    return send_job(context);
}

static inline uint32_t send_preempt(uint32_t index)
{
    const uint32_t message[16] = {MSG_PREEMPT, 0, index};
    CHECK(sent.count < JOBS_MAX);
    sent.tag[sent.count] = client_send(&client, message);
    return sent.count++;
}

/* All answers, whatever their order. */
static inline void receive_all(void)
{
    for (uint32_t i = 0; i < sent.count; i++) {
        struct answer answer;
        uint32_t k = 0;
        CHECK(client_receive(&client, &answer));
        while (k < sent.count && sent.tag[k] != answer.tag) k++;
        CHECK(k < sent.count);
        sent.answer[k] = answer;
    }
    sent.count = 0;
}

static inline void begin(uint32_t segment1_pages, uint32_t segment2_pages)
{
    sent.count = 0;
    open_recorded(segment1_pages, segment2_pages);
}

static inline void check_words(const struct client_allocation *allocation, uint32_t word, uint32_t value)
{
    CHECK_EQUAL(client_lock(&client, allocation, 0), STATUS_OK);
    CHECK_EQUAL(word_of(allocation, word), value);
    CHECK_EQUAL(client_unlock(&client, allocation), STATUS_OK);
}

/* The firmware has stopped with this code; the world is closed. */
static inline void check_panic(uint32_t code)
{
    CHECK_EQUAL(host_read(HOST_PANIC_CODE_OFFSET), code);
    CHECK((host_read(HOST_IRQ_STATUS_OFFSET) & FIELD_PUT(1, HOST_IRQ_STATUS_PANIC)) != 0u);
    client_close(&client);
}

#endif
