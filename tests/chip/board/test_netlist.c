/* SPDX-License-Identifier: Apache-2.0
 *
 * One program of the host library on two machines: a simulated board (argument: its simulator; core memory holds the
 * firmware already) over its serial line, and the golden model. It takes every part of the chip along: surfaces of four
 * formats in both local segments and behind the aperture, a tiled allocation, random blits of every mode, copies and
 * fills by the render node, content moved in and out by the paging node. Every byte read back must be the same, and so
 * must what the firmware has counted, but for cycles. With NETLIST_DAMAGE (netlist.h) the bytes must differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "simulator.h"
#include "tessera.h"
#include "tessera_stream.h"
#include "lib/device/transport_wire.h"

enum { WIDTH = 23, HEIGHT = 13, SURFACES = 6, ROUNDS = 3, BLITS = 14, TILED_PITCH = 64, TILED_ROWS = 8 };
enum { TILED_BYTES = TILED_PITCH * TILED_ROWS, MOST_BYTES = 4 * WIDTH * HEIGHT };

/* Where each surface must be while it is used: bit 0 segment 1, bit 1 segment 2, bit 2 the aperture. */
static const struct {
    uint32_t format, unit, segments;
} surfaces[SURFACES] = {{FORMAT_RGB565, 2, 1},   {FORMAT_ARGB8888, 4, 2}, {FORMAT_RGB888, 3, 4},
                        {FORMAT_ARGB1555, 2, 2}, {FORMAT_RGB565, 2, 4},   {FORMAT_ARGB8888, 4, 1}};

/* What a machine answered. */
struct result {
    uint8_t surface[SURFACES][MOST_BYTES], tiled[TILED_BYTES];
    uint32_t statistics[STAT_COUNT];
};

static uint32_t random_state;
static uint32_t any(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * below) >> 32);
}

static void holds(struct tessera *gpu, int status)
{
    if (status != TESSERA_OK) fail_msg("%s: %s", tessera_status_name(status), tessera_message(gpu));
}

/* ------------------------------------------------------------------ the program */

static void random_blit(struct tessera_stream *stream)
{
    static const uint32_t modes[] = {BLIT_COPY, BLIT_KEY, BLIT_BLEND, BLIT_ROP, BLIT_ADD, BLIT_MOD};
    struct tessera_blit blit = {
        .mode = modes[any(6)], .value = random_state * 0x9e3779b9u, .is_alpha_zero = true, .rop = any(256)};
    blit.target = any(SURFACES);
    do blit.source = any(SURFACES);
    while (blit.source == blit.target);
    if (blit.mode == BLIT_ROP) { /* between equal formats only */
        blit.target = any(2) ? 0 : 1;
        blit.source = blit.target + 4;
    }
    blit.width = 1 + any(WIDTH);
    blit.height = 1 + any(HEIGHT);
    blit.target_x = any(WIDTH - blit.width + 1);
    blit.target_y = any(HEIGHT - blit.height + 1);
    blit.source_x = any(WIDTH - blit.width + 1);
    blit.source_y = any(HEIGHT - blit.height + 1);
    blit.is_premultiplied = (blit.mode == BLIT_BLEND || blit.mode == BLIT_ADD) && any(2);
    blit.is_coloured = blit.mode != BLIT_KEY && blit.mode != BLIT_ROP && any(2);
    blit.is_truncated = blit.mode != BLIT_ROP && any(2);
    blit.is_by_256 = blit.mode == BLIT_BLEND && any(2);
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK);
}

static void run(struct tessera *gpu, struct result *result)
{
    struct tessera_allocation *allocation[SURFACES], *tiled;
    struct tessera_stream *stream = tessera_stream_create();
    uint8_t content[MOST_BYTES];
    uint32_t context;
    tessera_ticket ticket;
    random_state = 1;
    holds(gpu, tessera_context_create(gpu, 0, 0, &context));
    for (uint32_t i = 0; i < SURFACES; i++) {
        const struct tessera_allocation_options options = {.bytes = surfaces[i].unit * WIDTH * HEIGHT,
                                                           .read_set = surfaces[i].segments,
                                                           .write_set = surfaces[i].segments,
                                                           .flags = ALLOCATION_CPU_VISIBLE};
        for (uint32_t byte = 0; byte < sizeof content; byte++) content[byte] = (uint8_t)any(256);
        holds(gpu, tessera_allocation_create(gpu, &options, &allocation[i]));
        holds(gpu, tessera_write(gpu, allocation[i], 0, content, options.bytes));
    }
    const struct tessera_allocation_options tiled_options = {.bytes = TILED_BYTES,
                                                             .flags = ALLOCATION_SWIZZLED | ALLOCATION_CPU_VISIBLE,
                                                             .read_set = 1,
                                                             .write_set = 1,
                                                             .pitch = TILED_PITCH,
                                                             .height = TILED_ROWS | 1u << 16};
    holds(gpu, tessera_allocation_create(gpu, &tiled_options, &tiled));
    holds(gpu, tessera_write(gpu, tiled, 0, content, TILED_BYTES));
    for (unsigned round = 0; round < ROUNDS; round++) {
        tessera_stream_clear(stream);
        for (uint32_t i = 0; i < SURFACES; i++) {
            const struct tessera_surface surface = {.allocation = allocation[i],
                                                    .format = surfaces[i].format,
                                                    .pitch = surfaces[i].unit * WIDTH,
                                                    .is_target = true};
            assert_int_equal(tessera_stream_bind(stream, i, &surface), TESSERA_OK);
        }
        for (unsigned i = 0; i < BLITS; i++) random_blit(stream);
        assert_int_equal(
            tessera_stream_fill_rect(stream, any(SURFACES), any(WIDTH - 5), any(HEIGHT - 5), 5, 5, random_state),
            TESSERA_OK);
        const struct tessera_place source = {tiled, 64 + any(300), SURFACES};
        const struct tessera_place target = {allocation[any(SURFACES)], any(200), SURFACES + 1};
        assert_int_equal(tessera_stream_copy(stream, &target, &source, 1 + any(100)), TESSERA_OK);
        const struct tessera_place filled = {tiled, any(400), SURFACES + 2};
        assert_int_equal(tessera_stream_fill(stream, &filled, 1 + any(100), random_state), TESSERA_OK);
        holds(gpu, tessera_submit(gpu, context, stream, 0, &ticket));
        holds(gpu, tessera_wait(gpu, ticket, NULL));
        if (round == 0) holds(gpu, tessera_evict(gpu, NULL)); /* the next round brings everything back */
    }
    for (uint32_t i = 0; i < SURFACES; i++)
        holds(gpu, tessera_read(gpu, allocation[i], 0, result->surface[i], surfaces[i].unit * WIDTH * HEIGHT));
    holds(gpu, tessera_read(gpu, tiled, 0, result->tiled, TILED_BYTES));
    holds(gpu, tessera_statistics(gpu, result->statistics));
    for (uint32_t i = 0; i < SURFACES; i++) holds(gpu, tessera_allocation_destroy(gpu, allocation[i]));
    holds(gpu, tessera_allocation_destroy(gpu, tiled));
    tessera_stream_destroy(stream);
}

static const char *firmware; /* to be loaded; NULL: it is there */
static void run_on(struct transport *transport, struct result *result)
{
    const struct tessera_options options = {.seed = 1, .patience_cycles = 20000000, .firmware = firmware};
    struct tessera *gpu;
    char message[256];
    if (tessera_open(&gpu, transport, &options, message) != TESSERA_OK) fail_msg("%s", message);
    run(gpu, result);
    tessera_close(gpu);
}

/* ------------------------------------------------------------------ the machines */

static void run_on_model(struct result *result)
{
    const struct device_options options = {.segment1_bytes = 131072, .segment2_bytes = 7 << 20, .aperture_pages = 1024};
    char message[256];
    struct transport transport;
    struct device *device = device_create(&options, message);
    if (device == NULL) fail_msg("%s", message);
    device_transport(device, &transport);
    run_on(&transport, result);
}

static const char *simulator_path, *loaded;

/* The library clears its control pages, which takes 13 million cycles over the wire. The simulated SDRAM starts as
 * zeros. */
static int (*wire_write)(void *context, uint32_t address, const void *data, size_t bytes);
static int write_unless_clear(void *context, uint32_t address, const void *data, size_t bytes)
{
    static const uint8_t page[4096];
    bool is_clear = bytes == sizeof page && memcmp(data, page, bytes) == 0;
    return is_clear ? TRANSPORT_OK : wire_write(context, address, data, bytes);
}

/* Cycles are the device's own; the golden model has none. */
static bool is_of_time(uint32_t statistic)
{
    return statistic == STAT_DECISION_CYCLES || statistic == STAT_DECISION_MAX || statistic == STAT_TURN_MAX ||
           statistic == STAT_FIRMWARE_CYCLES;
}

static void compare(const struct result *seen, const struct result *modelled)
{
    for (uint32_t i = 0; i < SURFACES; i++)
        assert_memory_equal(seen->surface[i], modelled->surface[i], surfaces[i].unit * WIDTH * HEIGHT);
    assert_memory_equal(seen->tiled, modelled->tiled, TILED_BYTES);
    for (uint32_t i = 0; i < STAT_COUNT; i++)
        if (!is_of_time(i)) assert_int_equal(seen->statistics[i], modelled->statistics[i]);
}

static void test_same_on_both(void **state)
{
    static struct result modelled, seen;
    struct transport transport;
    char device[64], message[256];
    unsigned port;
    (void)state;
    run_on_model(&modelled);
    if (simulator_path == NULL) skip();
    pid_t simulator = simulator_start(simulator_path, NULL, &port);
    assert_int_not_equal(simulator, -1);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%u", port);
    if (wire_open(&transport, device, 600000, message) != 0) fail_msg("%s", message);
    firmware = loaded;
    if (loaded == NULL) wire_write = transport.memory_write;
    if (loaded == NULL) transport.memory_write = write_unless_clear;
    run_on(&transport, &seen);
    assert_true(simulator_stop(simulator));
    if (getenv("NETLIST_DAMAGE") == NULL) compare(&seen, &modelled);
    else assert_memory_not_equal(seen.surface, modelled.surface, sizeof seen.surface);
    printf("%u cycles of the firmware's work\n", seen.statistics[STAT_FIRMWARE_CYCLES]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_on_both)};
    signal(SIGPIPE, SIG_IGN);
    if (argc > 1) simulator_path = argv[1];
    loaded = argc > 2 ? argv[2] : NULL;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
