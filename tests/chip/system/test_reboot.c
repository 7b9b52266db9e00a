/* SPDX-License-Identifier: Apache-2.0
 *
 * A board is not reset between two programs. Each boot below finds the nodes, the aperture, the rings' counts and core
 * memory as the one before left them; the last ones find it at work, because the program before gave up in the middle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { WIDTH = 64, HEIGHT = 64, SURFACE_BYTES = 2 * WIDTH * HEIGHT, TEXTURES = 24 };

static unsigned passed, failed;

static void check(bool is_right, const char *what, unsigned boot)
{
    passed += is_right;
    failed += !is_right;
    if (!is_right) printf("boot %u: %s\n", boot, what);
}

static void stay_open(void *context) { (void)context; }

static struct tessera *start(struct simulator *simulator, struct transport *transport, bool is_loaded, unsigned boot)
{
    /* 12 + 20 pages, no aperture: the surfaces do not fit, so that every boot evicts. */
    const struct tessera_options options = {.firmware = is_loaded ? NULL : "build/firmware/gpu.elf",
                                            .seed = boot,
                                            .segment1_pages = 12,
                                            .segment2_pages = 20,
                                            .patience_cycles = 4000000};
    char message[256] = "";
    struct tessera *gpu;
    simulator_transport(simulator, transport);
    transport->close = stay_open;
    if (tessera_open(&gpu, transport, &options, message) == TESSERA_OK) return gpu;
    printf("boot %u: %s\n", boot, message);
    failed++;
    return NULL;
}

static uint16_t colour_of(unsigned boot, unsigned texture) { return (uint16_t)(boot * 0x2f1bu + texture * 0x0813u); }

/* Fills each texture, copies them all to one target, 8 x 8 pixels of each. */
static int draw(struct tessera *gpu, unsigned boot, struct tessera_allocation **target, tessera_ticket *ticket)
{
    const struct tessera_allocation_options surface = {
        .bytes = SURFACE_BYTES, .read_set = 3, .write_set = 3, .flags = ALLOCATION_CPU_VISIBLE};
    struct tessera_allocation *texture[TEXTURES];
    struct tessera_stream *stream = tessera_stream_create();
    uint32_t context;
    int status = tessera_context_create(gpu, 0, 0, &context);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu, &surface, target);
    for (unsigned i = 0; i < TEXTURES && status == TESSERA_OK; i++) {
        status = tessera_allocation_create(gpu, &surface, &texture[i]);
        struct tessera_surface to = {
            .allocation = texture[i], .format = FORMAT_RGB565, .pitch = 2 * WIDTH, .is_target = true};
        if (status == TESSERA_OK) status = tessera_stream_bind(stream, 0, &to);
        if (status == TESSERA_OK) status = tessera_stream_fill_rect(stream, 0, 0, 0, WIDTH, HEIGHT, colour_of(boot, i));
    }
    for (unsigned i = 0; i < TEXTURES && status == TESSERA_OK; i++) {
        struct tessera_surface to = {
            .allocation = *target, .format = FORMAT_RGB565, .pitch = 2 * WIDTH, .is_target = true};
        struct tessera_surface from = {.allocation = texture[i], .format = FORMAT_RGB565, .pitch = 2 * WIDTH};
        struct tessera_blit blit = {.target = 0,
                                    .source = 1,
                                    .mode = BLIT_COPY,
                                    .target_x = i % 8 * 8,
                                    .target_y = i / 8 * 8,
                                    .width = 8,
                                    .height = 8};
        status = tessera_stream_bind(stream, 0, &to);
        if (status == TESSERA_OK) status = tessera_stream_bind(stream, 1, &from);
        if (status == TESSERA_OK) status = tessera_stream_blit(stream, &blit);
    }
    if (status == TESSERA_OK) status = tessera_submit(gpu, context, stream, 0, ticket);
    tessera_stream_destroy(stream);
    return status;
}

static bool is_drawn(struct tessera *gpu, struct tessera_allocation *target, unsigned boot)
{
    static uint16_t pixels[WIDTH * HEIGHT];
    if (tessera_read(gpu, target, 0, pixels, sizeof pixels) != TESSERA_OK) {
        printf("%s\n", tessera_message(gpu));
        return false;
    }
    for (unsigned y = 0; y < TEXTURES / 8 * 8; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            if (pixels[y * WIDTH + x] != colour_of(boot, y / 8 * 8 + x / 8)) return false;
    return true;
}

/* One program. With `leaves_after` != 0 it works for so many cycles and then is gone. */
static void run(struct simulator *simulator, unsigned boot, bool is_loaded, uint32_t leaves_after)
{
    struct transport transport;
    struct tessera_allocation *target;
    struct tessera_completion completion;
    tessera_ticket ticket;
    struct tessera *gpu = start(simulator, &transport, is_loaded, boot);
    if (gpu == NULL) return;
    check(draw(gpu, boot, &target, &ticket) == TESSERA_OK, "nothing can be submitted", boot);
    if (leaves_after != 0) {
        transport.wait(transport.context, leaves_after);
        tessera_close(gpu);
        return;
    }
    check(tessera_wait(gpu, ticket, &completion) == TESSERA_OK && completion.status == STATUS_OK, "not drawn", boot);
    check(is_drawn(gpu, target, boot), "not what was drawn", boot);
    uint32_t statistics[STAT_COUNT];
    check(tessera_statistics(gpu, statistics) == TESSERA_OK && statistics[STAT_RECOVERIES] == 0 &&
              statistics[STAT_EVICTIONS] != 0,
          "a recovery, or nothing was evicted", boot);
    tessera_close(gpu);
}

int main(void)
{
    const struct simulator_options options = {.read_latency = 20, .write_latency = 10, .seed = 3};
    char message[256];
    struct simulator *simulator = simulator_create(&options, message);
    if (simulator == NULL) {
        printf("%s\n", message);
        return 1;
    }
    run(simulator, 1, false, 0);
    run(simulator, 2, true, 0); /* what core memory holds, not loaded again */
    run(simulator, 3, false, 0);
    for (unsigned i = 0; i < 4; i++) {
        run(simulator, 4 + 2 * i, true, 5000 + 17001 * i);
        run(simulator, 5 + 2 * i, true, 0);
    }
    struct transport transport;
    simulator_transport(simulator, &transport);
    transport.close(transport.context);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
