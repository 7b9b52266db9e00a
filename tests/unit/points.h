/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of timelines share: timelines, DMA buffers with points, answers that come in any order.
 */
#ifndef TESSERA_UNIT_POINTS_H
#define TESSERA_UNIT_POINTS_H

#include "display.h"

enum { ANSWERS = 256, LIMIT = 200000 };

/* A wait or a signal; timeline 0: none. */
struct point {
    uint32_t timeline;
    uint64_t value;
};
static const struct point no_point;

/* Answers that have come, by tag. */
static struct {
    struct answer answer[ANSWERS];
    bool has[ANSWERS];
    uint32_t place; /* of the staging memory: the next DMA buffer's */
} came;

static inline void forget_answers(void) { memset(&came, 0, sizeof came); }

static inline void take_answers(void)
{
    struct answer answer;
    while (client_has_answer(&client)) {
        CHECK(client_receive(&client, &answer));
        CHECK(!came.has[answer.tag % ANSWERS]); /* each is answered once */
        came.has[answer.tag % ANSWERS] = true;
        came.answer[answer.tag % ANSWERS] = answer;
    }
}

static inline void pass(uint32_t cycles)
{
    client.transport.register_write(client.transport.context, HOST_IRQ_STATUS_OFFSET, 1);
    client.transport.wait(client.transport.context, cycles);
}

static inline bool is_answered(uint32_t tag)
{
    take_answers();
    return came.has[tag % ANSWERS];
}

/* Cycles in which the firmware comes to look whatever happens, and in which all nodes end what they have. */
static inline void settle(void)
{
    for (uint32_t i = 0; i < 40u; i++) pass(500);
    take_answers();
}

static inline struct answer answer_of(uint32_t tag)
{
    for (uint32_t i = 0; i < 4000u && !is_answered(tag); i++) pass(2000);
    CHECK(is_answered(tag));
    came.has[tag % ANSWERS] = false;
    return came.answer[tag % ANSWERS];
}

static inline uint32_t status_of(uint32_t tag) { return answer_of(tag).status; }

static inline struct answer ask(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3, uint32_t word4)
{
    const uint32_t message[16] = {code, 0, word2, word3, word4};
    client.id = id;
    return answer_of(client_send(&client, message));
}

static inline uint32_t timeline_of(uint32_t id, uint64_t value, uint32_t limit)
{
    const struct answer answer = ask(id, MSG_CREATE_TIMELINE, (uint32_t)value, (uint32_t)(value >> 32), limit);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK(answer.words[0] != 0u);
    return answer.words[0];
}

static inline uint32_t signal_to(uint32_t id, uint32_t timeline, uint64_t value)
{
    return ask(id, MSG_SIGNAL_TIMELINE, timeline, (uint32_t)value, (uint32_t)(value >> 32)).status;
}

static inline uint64_t value_of(uint32_t id, uint32_t timeline)
{
    const struct answer answer = ask(id, MSG_QUERY_TIMELINE, timeline, 0, 0);
    CHECK_EQUAL(answer.status, STATUS_OK);
    return (uint64_t)answer.words[1] << 32 | answer.words[0];
}

static inline uint32_t share_with(uint32_t id, uint32_t timeline, uint32_t with, uint32_t rights)
{
    return ask(id, MSG_SHARE_TIMELINE, timeline, with, rights).status;
}

static inline uint32_t wait_for(uint32_t id, struct point point, uint32_t limit)
{
    const uint32_t message[16] = {
        MSG_WAIT_TIMELINE, 0, point.timeline, (uint32_t)point.value, (uint32_t)(point.value >> 32), limit};
    client.id = id;
    return client_send(&client, message);
}

static inline void write_points(uint32_t words[6], struct point wait, struct point signal)
{
    const struct point points[2] = {wait, signal};
    for (uint32_t i = 0; i < 2u; i++) {
        words[3u * i] = points[i].timeline;
        words[3u * i + 1u] = (uint32_t)points[i].value;
        words[3u * i + 2u] = (uint32_t)(points[i].value >> 32);
    }
}

/* A DMA buffer of what `stream` has; its tag. */
static inline uint32_t send_stream(uint32_t id, uint32_t context, struct point wait, struct point signal)
{
    uint32_t message[16];
    client.id = id;
    client_stage(&client, &stream, context, came.place++ % 16u, message);
    message[MSG_SUBMIT_FLAGS] = SUBMIT_FLAG_POINTS;
    write_points(&message[MSG_SUBMIT_WAIT_TIMELINE], wait, signal);
    return client_send(&client, message);
}

/* One that draws nothing. */
static inline uint32_t send_empty(uint32_t id, uint32_t context, struct point wait, struct point signal)
{
    stream_init(&stream);
    stream_push(&stream, PKT_NOP);
    return send_stream(id, context, wait, signal);
}

static inline uint32_t context_for(uint32_t id)
{
    client.id = id;
    const uint32_t context = client_context(&client, 0);
    CHECK(context != 0u);
    return context;
}

static inline uint32_t waits_left(void) { return device_gpu(client.device)->manager.timelines->wait_count; }

#endif
