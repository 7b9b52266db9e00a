/* SPDX-License-Identifier: Apache-2.0
 *
 * Pixels that are really missed on the simulated chip. Goal: the host's figure, the unit's register and what the
 * display's pins have missed are the same, and the next frame is whole. Method: a white picture; for a while segment 2
 * takes no address. Every pixel at the pins that is not white was missed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "open_chip.h"

enum {
    COLUMNS = 640,
    ROWS = 480,
    PITCH = COLUMNS * 2,
    LINE_CYCLES = 3178,
    BLANK_LINES = 45,
    HOLDS = 2,
    WHITE = 0xffffff
};

static struct tessera *gpu;
static struct transport *chip;
static struct simulator *simulator;
static uint32_t frames, black, wrong, last_black;

static void take_frame(void *unused, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle)
{
    (void)unused, (void)cycle;
    last_black = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        last_black += pixels[i] == 0;
        wrong += pixels[i] != 0 && pixels[i] != WHITE;
    }
    black += last_black;
    frames++;
}

static void show_white(void)
{
    static uint16_t units[COLUMNS * ROWS];
    const struct simulator_options options = {.seed = 5};
    const struct tessera_options limits = {.seed = 1, .patience_cycles = 400000000};
    const struct tessera_allocation_options wish = {
        .bytes = sizeof units, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    struct tessera_flip flip = {
        .plane = TESSERA_PLANE_PRIMARY, .pitch = PITCH, .format = FORMAT_RGB565, .when = TESSERA_WHEN_NEXT};
    tessera_ticket ticket;
    simulator = open_chip_with(&gpu, &options, &limits);
    chip = tessera_transport(gpu);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) units[i] = 0xffff;
    CHECK_EQUAL(tessera_allocation_create(gpu, &wish, &flip.allocation), TESSERA_OK);
    CHECK_EQUAL(tessera_write(gpu, flip.allocation, 0, units, sizeof units), TESSERA_OK);
    CHECK_EQUAL(tessera_set_mode(gpu, TESSERA_DISPLAY_VGA), TESSERA_OK);
    CHECK_EQUAL(tessera_flip(gpu, &flip, &ticket), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    CHECK(simulator_display(simulator, take_frame, NULL));
    CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK);
    frames = black = wrong = 0; /* from here on every frame is the picture */
}

/* From some line of the next frame on, for so many lines' time. */
static void hold_memory(uint32_t line, uint32_t lines)
{
    struct tessera_blank blank;
    CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, &blank), TESSERA_OK);
    const struct simulator_fault fault = {.kind = SIMULATOR_HOLD_ADDRESSES,
                                          .memory = 2,
                                          .at = blank.cycle + (uint64_t)(BLANK_LINES + line) * LINE_CYCLES,
                                          .cycles = (uint64_t)lines * LINE_CYCLES};
    simulator_inject(simulator, &fault);
}

static void test_missed(void)
{
    static const uint32_t held[HOLDS][2] = {{470, 4}, {100, 5}}; /* at the end of a frame, and in its middle */
    uint32_t statistics[TESSERA_STATISTICS], missed = 0;
    show_white();
    for (uint32_t i = 0; i < HOLDS; i++) {
        const uint32_t before = black;
        hold_memory(held[i][0], held[i][1]);
        for (uint32_t k = 0; k < 3u; k++) /* a frame is seen when the next one begins */
            CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK);
        CHECK(simulator_fault_fired(simulator));
        CHECK_EQUAL(tessera_register_read(gpu, DISPLAY_MISSED_OFFSET, &missed), TESSERA_OK);
        CHECK_EQUAL(tessera_statistics(gpu, statistics), TESSERA_OK);
        printf("segment 2 held for %u lines: the pins missed %u pixels, the register says %u, the host %u\n",
               held[i][1], black - before, missed, statistics[TESSERA_STATISTIC_MISSED_PIXELS]);
        CHECK(black > before);
        CHECK_EQUAL(last_black, 0);
        CHECK_EQUAL(missed, black & ~3u);
        CHECK_EQUAL(statistics[TESSERA_STATISTIC_MISSED_PIXELS], missed);
    }
    CHECK_EQUAL(wrong, 0);
    printf("%u frames\n", frames);
    tessera_close(gpu);
}

int main(void)
{
    CHECK_RUN(test_missed);
    return check_finish();
}
