/* SPDX-License-Identifier: Apache-2.0
 *
 * What core memory and command RAM hold at power-on is nothing that the firmware's state may depend on. The same host
 * program runs before machines whose state was filled with different bytes: every answer comes at the same cycle, with
 * the same words, and the statistics are the same.
 */
#include "device_internal.h"
#include "system.h"

enum { ALLOCATIONS = 6, JOBS = 30, SEEN = 200 };

struct history {
    struct answer answer[SEEN];
    uint32_t cycle[SEEN], count, statistics[STAT_COUNT];
};

static void note(struct history *history, const struct answer *answer)
{
    CHECK(history->count < SEEN);
    history->cycle[history->count] = device_register(client.device, CORE_CYCLE_LO_OFFSET);
    history->answer[history->count++] = *answer;
}

static void send_noted(struct history *history, const uint32_t message[16])
{
    const struct answer answer = client_call(&client, message);
    note(history, &answer);
}

/* Allocations that do not fit together, jobs with two of them each, and all destroyed: paging, fences and slots. */
static void work(struct history *history)
{
    struct client_allocation a[ALLOCATIONS];
    uint32_t message[16];
    for (uint32_t i = 0; i < ALLOCATIONS; i++)
        CHECK_EQUAL(client_create(&client, &a[i], 3, i % 2u == 0 ? SET_LOCAL : SET_ALL, NULL), STATUS_OK);
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < JOBS; i++) {
        stream_init(&stream);
        stream_fill(&stream, a[i % ALLOCATIONS].handle, 64u * i, 256, i, 1);
        stream_copy(&stream, a[(i + 2u) % ALLOCATIONS].handle, 0, a[i % ALLOCATIONS].handle, 4096, 512, 2);
        client_stage(&client, &stream, context, i % 4u, message);
        send_noted(history, message);
        CHECK_EQUAL(history->answer[history->count - 1u].status, STATUS_OK);
    }
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        const uint32_t words[16] = {MSG_DESTROY_ALLOCATION, 0, a[i].handle};
        send_noted(history, words);
    }
    client_statistics(&client, history->statistics);
}

static void run(struct history *history, uint8_t fill, uint32_t seed)
{
    gpu_options = (struct gpu_options){.first_fence = seed % 2u == 0 ? 0 : 0xfffffff0u};
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = 5u * CLIENT_PAGE,
                                           .segment2_bytes = 4u * CLIENT_PAGE,
                                           .aperture_pages = 8,
                                           .seed = seed,
                                           .gpu = &gpu_options};
    char error[256];
    memset(history, 0, sizeof *history);
    client = (struct client){.device = device_create(&options, error)};
    CHECK(client.device != NULL);
    memset(device_gpu(client.device), fill, sizeof(struct gpu));
    memset(client.device->tables, fill, client.device->table_bytes);
    memset(client.device->engine.command, fill, client.device->engine.command_bytes);
    device_transport(client.device, &client.transport);
    CHECK(client_start(&client, &(struct client_boot){0}));
    work(history);
    client_close(&client);
}

static void test_any_memory(void)
{
    static struct history zero, other;
    static const uint8_t fills[] = {0xa5, 0x01, 0xff};
    for (uint32_t seed = 0; seed < 8; seed++) {
        run(&zero, 0, seed);
        CHECK_EQUAL(zero.count, JOBS + ALLOCATIONS);
        CHECK(zero.statistics[STAT_EVICTIONS] > 5);
        for (uint32_t i = 0; i < sizeof fills; i++) {
            run(&other, fills[i], seed);
            CHECK_EQUAL(other.count, zero.count);
            for (uint32_t k = 0; k < zero.count; k++) {
                CHECK_EQUAL(other.cycle[k], zero.cycle[k]);
                CHECK(memcmp(&other.answer[k], &zero.answer[k], sizeof zero.answer[k]) == 0);
            }
            for (uint32_t k = 0; k < STAT_COUNT; k++) CHECK_EQUAL(other.statistics[k], zero.statistics[k]);
        }
    }
}

int main(void)
{
    CHECK_RUN(test_any_memory);
    return check_finish();
}
