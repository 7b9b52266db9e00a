/* SPDX-License-Identifier: Apache-2.0
 *
 * What a running display costs drawing on a board, whose SDRAM both share. Goal: drawing loses at most the display's
 * share of the data that the SDRAM moves, and 3 % of its speed. Method: the whole firmware on the simulated chip of a
 * board draws the same frames, which the SDRAM limits, with the display off, and while it shows 640 x 480 in two
 * formats.
 * test_display_cost [FRAMES [BYTES]]: pixels of so many bytes alone, 2 or 4.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "open_chip.h"
#include "tessera_stream.h"

enum {
    COLUMNS = 640,
    ROWS = 480,
    TEXTURES = 4,
    SIDE = 256,          /* of target and textures, RGB565 */
    BLITS = 6,           /* of each kind in a frame */
    SDRAM_BYTES = 2,     /* in a cycle that moves data */
    MORE_PER_MILLE = 30, /* than its share */
    FRAME_PIXELS = 800 * 525,
    PIXEL_KHZ = 25175
};

static struct tessera *gpu;
static struct transport *chip;
static struct tessera_allocation *picture, *target, *texture[TEXTURES];
static struct tessera_stream *stream;
static uint32_t context, frames = 3, only;
static uint64_t sdram_cycles, sdram_moves;

static void count(void *unused, uint64_t cycle, const struct probe_counters *counters)
{
    (void)unused, (void)cycle;
    sdram_cycles = counters->sdram.passed;
    sdram_moves = counters->sdram.moves;
}

static struct tessera_allocation *create(uint32_t bytes)
{
    const struct tessera_allocation_options options = {
        .bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    struct tessera_allocation *created = NULL;
    CHECK_EQUAL(tessera_allocation_create(gpu, &options, &created), TESSERA_OK);
    return created;
}

static void open_chip(void)
{
    static const struct probe probe = {.counters = count};
    const struct simulator_options options = {.seed = 1};
    const struct tessera_options limits = {.seed = 1, .patience_cycles = 400000000};
    struct simulator *simulator = open_chip_with(&gpu, &options, &limits);
    chip = tessera_transport(gpu);
    simulator_probe(simulator, &probe);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    picture = create(COLUMNS * ROWS * 4);
    target = create(SIDE * SIDE * 2);
    for (uint32_t i = 0; i < TEXTURES; i++) texture[i] = create(SIDE * SIDE * 2);
    stream = tessera_stream_create();
}

/* A frame: a fill, then copies and blends of whole textures. All of it is in the board's SDRAM. */
static void write_frame(void)
{
    struct tessera_surface surface = {
        .allocation = target, .format = FORMAT_RGB565, .pitch = SIDE * 2, .is_target = true};
    CHECK_EQUAL(tessera_stream_bind(stream, 0, &surface), TESSERA_OK);
    surface.is_target = false;
    for (uint32_t i = 0; i < TEXTURES; i++) {
        surface.allocation = texture[i];
        CHECK_EQUAL(tessera_stream_bind(stream, i + 1u, &surface), TESSERA_OK);
    }
    CHECK_EQUAL(tessera_stream_fill_rect(stream, 0, 0, 0, SIDE, SIDE, 0x1234), TESSERA_OK);
    for (uint32_t i = 0; i < BLITS * 2; i++) {
        const bool is_blend = i % 2u != 0;
        const struct tessera_blit blit = {.source = 1u + i % TEXTURES,
                                          .mode = is_blend ? TESSERA_BLEND : TESSERA_COPY,
                                          .width = SIDE,
                                          .height = SIDE,
                                          .value = is_blend ? 128 : 0};
        CHECK_EQUAL(tessera_stream_blit(stream, &blit), TESSERA_OK);
    }
}

struct drawn {
    uint64_t cycles, sdram, moves; /* `moves`: cycles of the SDRAM with data, the display's too */
};

static struct drawn draw_frames(void)
{
    tessera_ticket ticket;
    CHECK_EQUAL(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK); /* brings everything in */
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    struct drawn drawn = {chip->cycles(chip->context), sdram_cycles, sdram_moves};
    for (uint32_t i = 0; i < frames; i++) CHECK_EQUAL(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    drawn.cycles = chip->cycles(chip->context) - drawn.cycles;
    drawn.sdram = sdram_cycles - drawn.sdram;
    drawn.moves = sdram_moves - drawn.moves;
    return drawn;
}

/* The picture from its start on, and what frames take then. */
static void check_cost(const struct drawn *alone, uint32_t format, uint32_t bytes)
{
    const struct tessera_flip flip = {.plane = TESSERA_PLANE_PRIMARY,
                                      .allocation = picture,
                                      .pitch = COLUMNS * bytes,
                                      .format = format,
                                      .when = TESSERA_WHEN_NEXT};
    tessera_ticket ticket;
    uint32_t missed = 1;
    CHECK_EQUAL(tessera_set_mode(gpu, TESSERA_DISPLAY_VGA), TESSERA_OK);
    CHECK_EQUAL(tessera_flip(gpu, &flip, &ticket), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    const struct drawn beside = draw_frames();
    CHECK_EQUAL(tessera_register_read(gpu, DISPLAY_MISSED_OFFSET, &missed), TESSERA_OK);
    CHECK_EQUAL(missed, 0);
    const double seconds = (double)beside.cycles / simulator_clock_hz();
    const double shown = seconds * PIXEL_KHZ * 1000 / FRAME_PIXELS * COLUMNS * ROWS * bytes;
    const double share = shown * 1000 / ((double)beside.moves * SDRAM_BYTES);
    const double cost = 1000 - (double)alone->cycles * 1000 / (double)beside.cycles;
    printf("%u bytes a pixel: %llu cycles, not %llu: drawing loses %.1f %%; the display's share is %.1f %% of the "
           "data, which is moved in %.1f %% of the SDRAM's cycles\n",
           bytes, (unsigned long long)beside.cycles, (unsigned long long)alone->cycles, cost / 10, share / 10,
           (double)beside.moves * 100 / (double)beside.sdram);
    CHECK(cost > 0);
    CHECK(cost <= share + MORE_PER_MILLE);
    CHECK_EQUAL(tessera_set_mode(gpu, TESSERA_DISPLAY_OFF), TESSERA_OK);
}

static void test_cost(void)
{
    open_chip();
    write_frame();
    const struct drawn alone = draw_frames();
    printf("alone: data in %.1f %% of the SDRAM's cycles\n", (double)alone.moves * 100 / (double)alone.sdram);
    if (only != 4) check_cost(&alone, FORMAT_RGB565, 2);
    if (only != 2) check_cost(&alone, FORMAT_XRGB8888, 4);
    tessera_close(gpu);
}

int main(int argument_count, char **arguments)
{
    if (simulator_board() == NULL) {
        printf("this is the plain chip: build with SIM_BOARD=ulx3s\n");
        return 2;
    }
    if (argument_count > 1) frames = (uint32_t)atoi(arguments[1]);
    if (argument_count > 2) only = (uint32_t)atoi(arguments[2]);
    CHECK_RUN(test_cost);
    return check_finish();
}
