/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile host found on the simulated chip (the golden model: tests/unit/test_hostile.c). Goal: whatever it
 * sends, the firmware goes on and others are served in time. Method: a host of its own (tests/unit/client.h) over the
 * simulator's transport, the shipped firmware, answers and cycles compared.
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

int main(void)
{
    open_chip();
    CHECK_RUN(test_alignment);
    client.transport.close(client.transport.context);
    return check_finish();
}
