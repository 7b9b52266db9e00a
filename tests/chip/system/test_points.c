/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines between two clients, by libtessera on the simulated chip. Goal: what each has sent in advance runs in
 * turns, by points alone, without the host; two that wait for each other in a circle end by name after their limit,
 * while a third is served; and everything of a client goes although it waits. Method: both draw into one allocation,
 * and the last word counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "open_chip.h"
#include "tessera_stream.h"
#include "transport.h"

enum { ONE = 1, TWO = 2, THREE = 3, ROUNDS = 3, LIMIT = 400000, WORDS = 16 };

static struct tessera *gpu;
static struct tessera_allocation *shared;

static void as(uint32_t client) { CHECK_EQUAL(tessera_set_client(gpu, client), TESSERA_OK); }

static uint32_t context_of(uint32_t client)
{
    uint32_t context = 0;
    as(client);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    return context;
}

static uint32_t timeline_of(uint32_t client, uint32_t with)
{
    uint32_t timeline = 0;
    as(client);
    CHECK_EQUAL(tessera_timeline_create(gpu, 0, LIMIT, &timeline), TESSERA_OK);
    CHECK_EQUAL(tessera_timeline_share(gpu, timeline, with, true), TESSERA_OK);
    return timeline;
}

static struct tessera_allocation *create(uint32_t client)
{
    const struct tessera_allocation_options options = {.bytes = 4096, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct tessera_allocation *allocation = NULL;
    as(client);
    CHECK_EQUAL(tessera_allocation_create(gpu, &options, &allocation), TESSERA_OK);
    return allocation;
}

/* A DMA buffer that writes this word; 0: one that draws nothing. */
static tessera_ticket submit(uint32_t client, uint32_t context, struct tessera_allocation *target, uint32_t word,
                             const struct tessera_point *wait, const struct tessera_point *signal)
{
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_place place = {.allocation = target, .slot = 5};
    tessera_ticket ticket = 0;
    if (word != 0u) CHECK_EQUAL(tessera_stream_fill(stream, &place, 4 * WORDS, word), TESSERA_OK);
    as(client);
    CHECK_EQUAL(tessera_submit_points(gpu, context, stream, 0, wait, signal, &ticket), TESSERA_OK);
    tessera_stream_destroy(stream);
    return ticket;
}

static uint32_t status_of(uint32_t client, tessera_ticket ticket)
{
    as(client);
    return (uint32_t)tessera_wait(gpu, ticket, NULL);
}

static uint32_t word_of(uint32_t client, struct tessera_allocation *allocation)
{
    uint32_t word = 0;
    as(client);
    CHECK_EQUAL(tessera_read(gpu, allocation, 0, &word, sizeof word), TESSERA_OK);
    return word;
}

static void start(void)
{
    const struct simulator_options chip = {.memory_bytes = 16 << 20, .seed = 1};
    const struct tessera_options options = {.seed = 1};
    (void)open_chip_with(&gpu, &chip, &options);
    shared = create(ONE);
    CHECK_EQUAL(tessera_share(gpu, shared, TWO, TESSERA_RIGHT_READ | TESSERA_RIGHT_WRITE), TESSERA_OK);
}

/* The second one's are sent first, and the first one's last of all; each waits for the other's last. */
static void test_turns(void)
{
    start();
    const uint32_t first = context_of(ONE), second = context_of(TWO);
    const uint32_t ones = timeline_of(ONE, TWO), twos = timeline_of(TWO, ONE);
    tessera_ticket tickets[2][ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const struct tessera_point wait = {ones, i + 1u}, signal = {twos, i + 1u};
        tickets[1][i] = submit(TWO, second, shared, 0x200u + i, &wait, &signal);
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const struct tessera_point wait = {twos, i}, signal = {ones, i + 1u};
        tickets[0][i] = submit(ONE, first, shared, 0x100u + i, i == 0u ? NULL : &wait, &signal);
    }
    const struct tessera_point last = {twos, ROUNDS};
    tessera_ticket ticket = 0;
    as(ONE);
    CHECK_EQUAL(tessera_timeline_wait(gpu, &last, 0, &ticket), TESSERA_OK);
    CHECK_EQUAL(status_of(ONE, ticket), TESSERA_OK);
    uint64_t value = 0;
    CHECK_EQUAL(tessera_timeline_query(gpu, ones, &value), TESSERA_OK);
    CHECK(value == ROUNDS);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK_EQUAL(status_of(ONE, tickets[0][i]), TESSERA_OK);
        CHECK_EQUAL(status_of(TWO, tickets[1][i]), TESSERA_OK);
    }
    CHECK_EQUAL(word_of(ONE, shared), 0x200 + ROUNDS - 1);
    CHECK_EQUAL(tessera_client_clear(gpu, TWO), TESSERA_OK);
    CHECK_EQUAL(tessera_client_clear(gpu, ONE), TESSERA_OK);
    tessera_close(gpu);
}

static void test_circle(void)
{
    start();
    struct tessera_allocation *other = create(THREE);
    const uint32_t contexts[3] = {context_of(ONE), context_of(TWO), context_of(THREE)};
    const struct tessera_point ones = {timeline_of(ONE, TWO), 1}, twos = {timeline_of(TWO, ONE), 1};
    const tessera_ticket first = submit(ONE, contexts[0], shared, 0x111, &twos, &ones);
    const tessera_ticket second = submit(TWO, contexts[1], shared, 0x222, &ones, &twos);
    for (uint32_t i = 1; i < 4u; i++) {
        const tessera_ticket third = submit(THREE, contexts[2], other, i, NULL, NULL);
        CHECK_EQUAL(status_of(THREE, third), TESSERA_OK);
        CHECK_EQUAL(word_of(THREE, other), i);
    }
    CHECK(!tessera_is_done(gpu, first) && !tessera_is_done(gpu, second));
    CHECK_EQUAL(status_of(ONE, first), TESSERA_STATUS_POINT_TIMEOUT);
    printf("%s\n", tessera_message(gpu));
    CHECK_EQUAL(status_of(TWO, second), TESSERA_STATUS_POINT_TIMEOUT);
    CHECK_EQUAL(word_of(ONE, shared), 0); /* nothing was drawn */
    CHECK_EQUAL(status_of(ONE, submit(ONE, contexts[0], shared, 0x333, NULL, &ones)), TESSERA_OK);
    CHECK_EQUAL(status_of(TWO, submit(TWO, contexts[1], shared, 0x444, &ones, NULL)), TESSERA_OK);
    CHECK_EQUAL(word_of(ONE, shared), 0x444);
    tessera_close(gpu);
}

/* A client goes that waits for another's point and for its own, and for whose point another waits. */
static void test_clear(void)
{
    start();
    const uint32_t first = context_of(ONE), second = context_of(TWO);
    const struct tessera_point ones = {timeline_of(ONE, TWO), 1}, twos = {timeline_of(TWO, ONE), 1};
    const tessera_ticket waits = submit(ONE, first, shared, 1, &twos, NULL);
    const tessera_ticket theirs = submit(TWO, second, shared, 2, &ones, &twos);
    as(TWO);
    CHECK_EQUAL(tessera_context_destroy(gpu, second), TESSERA_OK);
    CHECK_EQUAL(status_of(TWO, theirs), TESSERA_STATUS_WAIT_ENDED);
    CHECK(!tessera_is_done(gpu, waits));
    const uint32_t third = context_of(TWO);
    (void)submit(TWO, third, shared, 2, &ones, &twos);
    (void)submit(TWO, third, shared, 3, &twos, NULL);
    const uint64_t begin = tessera_transport(gpu)->cycles(tessera_transport(gpu)->context);
    CHECK_EQUAL(tessera_client_clear(gpu, TWO), TESSERA_OK);
    CHECK(tessera_transport(gpu)->cycles(tessera_transport(gpu)->context) - begin < LIMIT); /* not for its limit */
    CHECK_EQUAL(status_of(ONE, waits), TESSERA_STATUS_TIMELINE_GONE);
    CHECK_EQUAL(status_of(ONE, submit(ONE, first, shared, 7, NULL, &ones)), TESSERA_OK);
    CHECK_EQUAL(word_of(ONE, shared), 7);
    as(TWO); /* what has the id next inherits no right */
    uint64_t value;
    CHECK_EQUAL(tessera_timeline_query(gpu, ones.timeline, &value), TESSERA_STATUS_BAD_TIMELINE);
    CHECK_EQUAL(tessera_client_clear(gpu, ONE), TESSERA_OK);
    tessera_close(gpu);
}

int main(void)
{
    CHECK_RUN(test_turns);
    CHECK_RUN(test_circle);
    CHECK_RUN(test_clear);
    return check_finish();
}
