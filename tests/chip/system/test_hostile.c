/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile host found on the simulated chip (the golden model: tests/unit/whole/test_hostile.c). Goal: whatever
 * it sends, the firmware goes on and others are served in time. Method: a host of its own (tests/unit/client.h) over
 * the simulator's transport, the shipped firmware, answers and cycles compared.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "client.h"
#include "simulator.h"
#include "tessera.h"

enum { SET_1 = 1, SET_LOCAL = 3 };

static struct client client;
static struct stream stream;

static void stay_open(void *context) { (void)context; }

/* The firmware is loaded by the library, then the client takes over. */
static void open_chip(void)
{
    const struct simulator_options options = {.memory_bytes = 8u << 20, .firmware_elf = "build/firmware/gpu.elf"};
    const struct tessera_options loading = {.firmware = "build/firmware/gpu.elf"};
    struct tessera *tessera;
    char message[256];
    struct simulator *simulator = simulator_create(&options, message);
    if (simulator == NULL) {
        printf("%s\n", message);
        exit(2);
    }
    simulator_transport(simulator, &client.transport);
    struct transport loader = client.transport;
    loader.close = stay_open;
    if (tessera_open(&tessera, &loader, &loading, message) != TESSERA_OK) {
        printf("%s\n", message);
        exit(2);
    }
    tessera_close(tessera);
}

static uint32_t submit(uint32_t context)
{
    uint32_t message[16];
    client_stage(&client, &stream, context, 0, message);
    return client_call(&client, message).status;
}

/* Two allocations of a huge alignment and a copy of both stopped the firmware for everybody. */
static void test_alignment(void)
{
    struct client_allocation allocation[2];
    CHECK(client_start(&client, &(struct client_boot){0}));
    uint32_t context = client_context(&client, 0);
    for (uint32_t log2 = 24; log2 < 32u; log2++) {
        const bool is_legal = 1u << log2 <= GPU_LIMIT(ALIGNMENT_BYTES);
        uint32_t words[16] = {0};
        words[MSG_CREATE_ALLOCATION_ALIGNMENT] = 1u << log2;
        for (uint32_t i = 0; i < 2u; i++)
            CHECK_EQUAL(client_create(&client, &allocation[i], 1, SET_LOCAL, words),
                        is_legal ? STATUS_OK : STATUS_BAD_ARGUMENT);
        if (!is_legal) continue;
        stream_init(&stream);
        stream_copy(&stream, allocation[0].handle, 0, allocation[1].handle, 0, CLIENT_PAGE, 0);
        CHECK_EQUAL(submit(context), STATUS_OK);
    }
}

/* ------------------------------------------------------------------ clients */

static uint32_t call_for(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3, uint32_t word4)
{
    const uint32_t message[16] = {code, 0, word2, word3, word4};
    client.id = id;
    return client_call(&client, message).status;
}

/* Another's allocation does not exist; and what had another's pages before shows none of its bytes. */
static void test_clients(void)
{
    enum { PAGES = 16, SECRET = 0x5ec4e701, PATTERN = 0x01020304 };
    static uint8_t bytes[PAGES * CLIENT_PAGE], own[PAGES * CLIENT_PAGE];
    struct client_allocation theirs, mine[2];
    CHECK(client_start(&client, &(struct client_boot){0}));
    client.id = 2;
    const uint32_t their_context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &theirs, PAGES, SET_1, NULL), STATUS_OK);
    client.id = 1;
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 2u; i++) {
        uint32_t words[16] = {0};
        words[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | (i != 0u ? ALLOCATION_UNDEFINED : 0u);
        words[MSG_CREATE_ALLOCATION_PATTERN] = PATTERN;
        CHECK_EQUAL(client_create(&client, &mine[i], PAGES, SET_1, words), STATUS_OK);
    }
    for (uint32_t i = 0; i < sizeof own; i++) own[i] = (uint8_t)(i * 13u + i / 256u);
    client_write(&client, &mine[0], own);
    for (uint32_t i = 0; i < 2u; i++) {
        client.id = 2;
        stream_init(&stream);
        stream_bind(&stream, 5, theirs.handle, 0, 64, PAGES * CLIENT_PAGE, true);
        stream_fill_rect(&stream, 5, 0, 0, 16, PAGES * CLIENT_PAGE / 64u, SECRET);
        CHECK_EQUAL(submit(their_context), STATUS_OK);
        CHECK_EQUAL(call_for(2, MSG_EVICT, 0, 0, 0), STATUS_OK); /* its pages are the next one's */
        client.id = 1;
        stream_init(&stream);
        stream_fill(&stream, mine[i].handle, 0, 4, 0x55, 0);
        CHECK_EQUAL(submit(context), STATUS_OK);
        stream_init(&stream);
        stream_fill_rect(&stream, 5, 0, 0, 1, 1, 0); /* the slot that the other has bound */
        CHECK_EQUAL(submit(context), STATUS_UNBOUND_SLOT);
        CHECK_EQUAL(client_lock(&client, &mine[i], 0), STATUS_OK);
        client_read(&client, &mine[i], bytes);
        for (uint32_t k = 4; k < sizeof bytes; k++)
            CHECK_EQUAL(bytes[k], i == 0u ? own[k] : (uint8_t)(PATTERN >> 8u * (k % 4u)));
        CHECK_EQUAL(client_unlock(&client, &mine[i]), STATUS_OK);
    }
    static const uint32_t codes[] = {MSG_LOCK, MSG_EVICT, MSG_OFFER, MSG_QUERY_ALLOCATION, MSG_DESTROY_ALLOCATION};
    for (uint32_t i = 0; i < 5u; i++)
        CHECK_EQUAL(call_for(1, codes[i], theirs.handle, i == 0u ? LOCK_ENTIRE : 1u, 0), STATUS_BAD_HANDLE);
    stream_init(&stream);
    stream_copy(&stream, theirs.handle, 0, mine[0].handle, 0, 4, 0);
    CHECK_EQUAL(submit(context), STATUS_BAD_HANDLE);
    CHECK_EQUAL(submit(their_context), STATUS_BAD_CONTEXT);
    CHECK_EQUAL(call_for(2, MSG_SHARE, theirs.handle, 1, RIGHT_READ), STATUS_OK);
    client.id = 1;
    CHECK_EQUAL(submit(context), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &mine[0], 0), STATUS_OK);
    client_read(&client, &mine[0], bytes);
    CHECK_EQUAL(bytes[0], SECRET & 255);
    CHECK_EQUAL(client_unlock(&client, &mine[0]), STATUS_OK);
    CHECK_EQUAL(call_for(2, MSG_SHARE, theirs.handle, 1, 0), STATUS_OK);
    client.id = 1;
    CHECK_EQUAL(submit(context), STATUS_BAD_HANDLE);
    client.id = 0;
}

/* ------------------------------------------------------------------ memory that is not there */

/* SYSTEM_PAGES above what is installed: a page list in the hole was a trap of the core, the end for everybody. */
static void test_hole(void)
{
    enum { HOLE = 64 << 20 };
    struct client_allocation allocation;
    uint32_t message[16] = {0};
    CHECK(client_start(&client, &(struct client_boot){.system_pages = 0x80000}));
    uint32_t context = client_context(&client, 0);
    message[MSG_CREATE_ALLOCATION_PAGES] = HOLE;
    CHECK_EQUAL(client_create(&client, &allocation, 9, SET_LOCAL, message), STATUS_BUS_ERROR);
    CHECK_EQUAL(client_create(&client, &allocation, 1, SET_LOCAL, NULL), STATUS_OK);
    static const uint32_t words[] = {MSG_SUBMIT_DMA, MSG_SUBMIT_LIST, MSG_SUBMIT_PATCHES};
    for (uint32_t i = 0; i < 3u; i++) {
        stream_init(&stream);
        stream_fill(&stream, allocation.handle, 0, 8, 1, 0);
        client_stage(&client, &stream, context, 0, message);
        message[words[i]] = HOLE + 64;
        struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_BUS_ERROR);
        CHECK(answer.detail >= HOLE + 64u && answer.detail < HOLE + 128u);
        CHECK_EQUAL(submit(context), STATUS_OK);
    }
    const uint32_t statistics[16] = {MSG_QUERY_STATISTICS, 0, HOLE, STAT_COUNT};
    CHECK_EQUAL(client_call(&client, statistics).status, STATUS_BUS_ERROR);
    CHECK_EQUAL(submit(context), STATUS_OK);
    /* Rings in the hole stop the boot. */
    const uint32_t installed = client.transport.memory_bytes;
    client.transport.memory_bytes = 2 * HOLE;
    CHECK(!client_start(&client, &(struct client_boot){.ring_log2 = 8}));
    client.transport.memory_bytes = installed;
    CHECK(client_start(&client, &(struct client_boot){0}));
}

/* ------------------------------------------------------------------ programs that end the GPU for others */

/* Six COPY_2D of 65,535 x 65,535 with pitch 0 in fresh contexts were the end for everybody. They are refused; and
 * programs that do take longer than is allowed lose only their own contexts, at the lowest limit. */
static void test_time_outs(void)
{
    enum { PAGES = 48, PROGRAMS = 8 };
    struct client_allocation large, small;
    const struct client_boot boot = {
        .timeout = 3000, .preempt_delay = 1000, .recovery_limit = 1, .recovery_window = UINT32_MAX};
    CHECK(client_start(&client, &boot));
    const uint32_t other = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &large, PAGES, 2, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &small, 1, SET_LOCAL, NULL), STATUS_OK);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const uint32_t context = client_context(&client, 0);
        stream_init(&stream);
        stream_push(&stream, PKT_COPY_2D);
        stream_patch(&stream, stream_list(&stream, small.handle, false), 0, 0);
        stream_push(&stream, 0);
        stream_patch(&stream, stream_list(&stream, large.handle, true), 1, 0);
        stream_push(&stream, 0);
        stream_push(&stream, 0xffffffffu);
        stream_push(&stream, 0);
        CHECK_EQUAL(submit(context), STATUS_EXTENT); /* of the source: 65,535 bytes */
        stream.words[3] = FIELD_PUT(4096, PKT_COPY_2D_ROW_BYTES) | FIELD_PUT(65535, PKT_COPY_2D_ROWS);
        CHECK_EQUAL(submit(context), STATUS_WORK_LIMIT);
        stream_init(&stream);
        stream_fill(&stream, large.handle, 0, PAGES * CLIENT_PAGE, i, 0);
        CHECK_EQUAL(submit(context), STATUS_TIMEOUT);
        CHECK_EQUAL(submit(context), STATUS_CONTEXT_LOST);
        stream_init(&stream);
        stream_fill(&stream, small.handle, 0, 8, i, 0);
        CHECK_EQUAL(submit(other), STATUS_OK);
    }
}

/* The same for clients: who does it more often than is allowed is barred, the others are served. */
static void test_barred(void)
{
    enum { PAGES = 48, CLIENTS = 3 };
    struct client_allocation large, small;
    const struct client_boot boot = {
        .timeout = 3000, .preempt_delay = 1000, .recovery_limit = 1, .recovery_window = UINT32_MAX};
    const uint32_t create[16] = {MSG_CREATE_CONTEXT};
    CHECK(client_start(&client, &boot));
    const uint32_t other = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &small, 1, SET_LOCAL, NULL), STATUS_OK);
    for (uint32_t id = 1; id <= CLIENTS; id++) {
        client.id = id;
        CHECK_EQUAL(client_create(&client, &large, PAGES, 2, NULL), STATUS_OK);
        for (uint32_t i = 0; i < 2u; i++) {
            const uint32_t context = client_context(&client, 0);
            stream_init(&stream);
            stream_fill(&stream, large.handle, 0, PAGES * CLIENT_PAGE, i, 0);
            CHECK_EQUAL(submit(context), STATUS_TIMEOUT);
        }
        CHECK_EQUAL(client_call(&client, create).status, STATUS_BARRED);
        client.id = 0;
        stream_init(&stream);
        stream_fill(&stream, small.handle, 0, 8, id, 0);
        CHECK_EQUAL(submit(other), STATUS_OK);
    }
    CHECK_EQUAL(call_for(0, MSG_ADMIT_CLIENT, 1, 0, 0), STATUS_OK);
    client.id = 1;
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OK);
    client.id = 2;
    CHECK_EQUAL(client_call(&client, create).status, STATUS_BARRED);
    client.id = 0;
}

/* ------------------------------------------------------------------ messages that wait */

/* A NOP after a LOCK of a busy allocation waited as long as that: 495,000 cycles. */
static void test_nop_overtakes(void)
{
    enum { PAGES = 48, WAITING = 12 };
    struct client_allocation large;
    struct answer answer;
    uint32_t message[16];
    CHECK(client_start(&client, &(struct client_boot){0}));
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &large, PAGES, 2, NULL), STATUS_OK);
    for (uint32_t kind = 0; kind < 4u; kind++) {
        const uint32_t waits[4][16] = {{MSG_LOCK, 0, large.handle, LOCK_ENTIRE | LOCK_READ_ONLY},
                                       {MSG_EVICT, 0, large.handle},
                                       {MSG_OFFER, 0, large.handle, 2},
                                       {MSG_DESTROY_CONTEXT, 0, context}};
        const uint32_t nop[16] = {MSG_NOP};
        stream_init(&stream);
        for (uint32_t i = 0; i < 4u; i++) stream_fill(&stream, large.handle, 0, PAGES * CLIENT_PAGE, i, 0);
        client_stage(&client, &stream, context, 0, message);
        const uint32_t submitted = client_send(&client, message);
        client.transport.wait(client.transport.context, 50000); /* it runs */
        for (uint32_t i = 0; i < WAITING; i++) client_send(&client, waits[kind]);
        const uint64_t begin = client.transport.cycles(client.transport.context);
        const uint32_t tag = client_send(&client, nop);
        CHECK(client_receive(&client, &answer));
        const uint64_t cycles = client.transport.cycles(client.transport.context) - begin;
        CHECK_EQUAL(answer.tag, tag);
        printf("a NOP after %u messages that wait: %u cycles\n", WAITING, (uint32_t)cycles);
        CHECK(cycles < 5000u);
        bool is_submitted = false;
        for (uint32_t i = 0; i < WAITING + 1u; i++) {
            CHECK(client_receive(&client, &answer));
            is_submitted |= answer.tag == submitted && answer.status == STATUS_OK;
        }
        CHECK(is_submitted);
        const uint32_t after[2][16] = {{MSG_UNLOCK, 0, large.handle}, {MSG_RECLAIM, 0, large.handle}};
        if (kind == 0u) CHECK_EQUAL(client_call(&client, after[0]).status, STATUS_OK);
        if (kind == 2u) CHECK_EQUAL(client_call(&client, after[1]).status, STATUS_OK);
    }
}

/* So many LOCKs of one client wait, and SUBMITs of another: a third one's NOP and LOCK are answered all the same. */
static void test_flood(void)
{
    enum { PAGES = 48, FLOOD = 60 };
    struct client_allocation large, idle;
    struct answer answer;
    uint32_t message[16];
    CHECK(client_start(&client, &(struct client_boot){.ring_log2 = 10}));
    client.id = 1;
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &large, PAGES, 2, NULL), STATUS_OK);
    client.id = 2;
    const uint32_t theirs = client_context(&client, 0);
    client.id = 3;
    CHECK_EQUAL(client_create(&client, &idle, 1, SET_LOCAL, NULL), STATUS_OK);
    const uint32_t lock[16] = {MSG_LOCK, 0, large.handle, LOCK_ENTIRE}, nop[16] = {MSG_NOP};
    client.id = 1;
    stream_init(&stream);
    for (uint32_t i = 0; i < 40u; i++) stream_fill(&stream, large.handle, 0, PAGES * CLIENT_PAGE, i, 0);
    client_stage(&client, &stream, context, 0, message);
    client_send(&client, message);
    client.transport.wait(client.transport.context, 50000); /* it runs */
    stream_init(&stream);
    stream_push(&stream, PKT_NOP);
    for (uint32_t i = 0; i < FLOOD; i++) {
        client.id = 1;
        client_send(&client, lock);
        client.id = 2;
        client_stage(&client, &stream, theirs, 1, message);
        client_send(&client, message);
    }
    const uint64_t settled = client.transport.cycles(client.transport.context) + 300000u;
    uint32_t busy = 0;
    while (client.transport.cycles(client.transport.context) < settled) {
        client.transport.wait(client.transport.context, 10000);
        for (; client_has_answer(&client); busy++) {
            CHECK(client_receive(&client, &answer));
            CHECK_EQUAL(answer.status, STATUS_BUSY);
        }
    }
    CHECK(busy > FLOOD);
    client.id = 3;
    for (uint32_t i = 0; i < 2u; i++) {
        const uint32_t idle_lock[16] = {MSG_LOCK, 0, idle.handle, LOCK_ENTIRE};
        const uint64_t begin = client.transport.cycles(client.transport.context);
        const uint32_t tag = client_send(&client, i == 0u ? nop : idle_lock);
        CHECK(client_receive(&client, &answer));
        const uint64_t cycles = client.transport.cycles(client.transport.context) - begin;
        CHECK_EQUAL(answer.tag, tag);
        CHECK_EQUAL(answer.status, STATUS_OK);
        printf("a %s after what waits of others: %u cycles\n", i == 0u ? "NOP" : "LOCK", (uint32_t)cycles);
        CHECK(cycles < 5000u);
    }
    client.id = 0;
}

/* ------------------------------------------------------------------ a deep ring */

enum { DEEP_LOG2 = 12, DEEP_COUNT = 160 };

/* Cycles for DEEP_COUNT tiny SUBMITs while so many wait after each. The ring is refilled as it is emptied. */
static uint32_t time_waiting(uint32_t waiting)
{
    uint32_t message[16];
    struct answer answer;
    CHECK(client_start(&client, &(struct client_boot){.ring_log2 = DEEP_LOG2}));
    uint32_t context = client_context(&client, 0), sent = 0;
    stream_init(&stream);
    stream_push(&stream, PKT_NOP);
    client_stage(&client, &stream, context, 0, message);
    for (; sent < waiting; sent++) client_send(&client, message);
    const uint64_t begin = client.transport.cycles(client.transport.context);
    for (uint32_t done = 0; done < DEEP_COUNT; done++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        client_send(&client, message);
    }
    return (uint32_t)(client.transport.cycles(client.transport.context) - begin);
}

/* Every turn looked at everything that waited: 8 times as long a SUBMIT with a full ring. */
static void test_deep_ring(void)
{
    const uint32_t shallow = time_waiting(16), deep = time_waiting((1u << DEEP_LOG2) - 1u);
    printf("a SUBMIT takes %u cycles with 16 waiting, %u with 4095\n", shallow / DEEP_COUNT, deep / DEEP_COUNT);
    CHECK(deep <= shallow + shallow * 3u / 100u);
}

int main(void)
{
    open_chip();
    CHECK_RUN(test_alignment);
    CHECK_RUN(test_clients);
    CHECK_RUN(test_hole);
    CHECK_RUN(test_time_outs);
    CHECK_RUN(test_barred);
    CHECK_RUN(test_nop_overtakes);
    CHECK_RUN(test_flood);
    CHECK_RUN(test_deep_ring);
    client.transport.close(client.transport.context);
    return check_finish();
}
