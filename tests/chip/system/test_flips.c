/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware and the display on the simulated chip. Goal: every frame is whole, each flip's frame is the one of
 * its answer, no pixel is late, and what docs/display.md says of time holds. Method: each picture has one colour. The
 * frames at the display's pins, the firmware's trace and the packets of the render node give the times.
 * test_flips [FLIPS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "open_chip.h"
#include "tessera_stream.h"

enum {
    PICTURES = 3,
    COLUMNS = 640,
    ROWS = 480,
    PITCH = COLUMNS * 2,
    LOG = 4096,             /* flips and frames that are kept */
    LAST_CYCLES = 2000,     /* 20 us: a flip that is armed before them is shown at this blank */
    MOST_TO_ARM = 1000,     /* cycles from the last packet to the flip */
    MOST_TO_EVENT = 2000,   /* from the blank to the host */
    MOST_TO_TAKE = 6000,    /* from the message to the armed flip, where nothing is drawn */
    FRAME_CYCLES = 1668400, /* 800 * 525 pixels at 25,175 kHz of 100,000 */
    BLANK_CYCLES = 142999,  /* 800 * 45 pixels */
    ROOM = 100              /* the pixel clock is not a divider's */
};

static struct tessera *gpu;
static struct transport *chip;
static struct tessera_allocation *picture[PICTURES];
static struct tessera_stream *stream;
static uint32_t context, seed = 1, flip_count = 4;
static struct {
    uint32_t frame, colour;
    uint64_t sent, blank, drawn, armed; /* cycles; drawn: the node's last packet before it was armed */
    bool is_drawn;
} flips[LOG];
static uint32_t seen[LOG], seen_count, torn; /* colour of each frame, as XRGB8888; frames of two colours */
static uint64_t last_packet, last_arm, drawn_at_arm;
static uint32_t longest_arm, longest_event, longest_take, in_blank;

static uint64_t now(void) { return chip->cycles(chip->context); }

static uint32_t pick(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

static void packet_ends(void *unused, uint64_t cycle, unsigned node)
{
    (void)unused;
    if (node == 0) last_packet = cycle;
}

static void firmware_says(void *unused, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)unused, (void)argument;
    if (event != TRACE_ARM) return;
    last_arm = cycle;
    drawn_at_arm = last_packet;
}

static void take_frame(void *unused, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle)
{
    (void)unused, (void)cycle;
    bool is_whole = width == COLUMNS && height == ROWS;
    for (uint32_t i = 1; i < width * height && is_whole; i++) is_whole = pixels[i] == pixels[0];
    torn += !is_whole;
    if (seen_count < LOG) seen[seen_count++] = pixels[0];
}

/* ------------------------------------------------------------------ the chip */

static void open_chip(void)
{
    static const struct probe probe = {.packet_end = packet_ends, .firmware = firmware_says};
    const struct simulator_options options = {.seed = seed};
    const struct tessera_options limits = {.seed = 1, .patience_cycles = 400000000, .own_bytes = 16u << 20};
    const struct tessera_allocation_options target = {
        .bytes = PITCH * ROWS, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    struct simulator *simulator = open_chip_with(&gpu, &options, &limits);
    chip = tessera_transport(gpu);
    simulator_probe(simulator, &probe);
    CHECK(simulator_display(simulator, take_frame, NULL));
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    for (uint32_t i = 0; i < PICTURES; i++)
        CHECK_EQUAL(tessera_allocation_create(gpu, &target, &picture[i]), TESSERA_OK);
    stream = tessera_stream_create();
    CHECK_EQUAL(tessera_set_mode(gpu, TESSERA_DISPLAY_VGA), TESSERA_OK);
}

/* The GPU fills the picture with a colour of five bits of blue and six of green. */
static tessera_ticket draw(uint32_t index, uint32_t colour)
{
    const struct tessera_surface surface = {
        .allocation = picture[index], .format = FORMAT_RGB565, .pitch = PITCH, .is_target = true};
    tessera_ticket ticket;
    tessera_stream_clear(stream);
    CHECK_EQUAL(tessera_stream_bind(stream, 0, &surface), TESSERA_OK);
    CHECK_EQUAL(tessera_stream_fill_rect(stream, 0, 0, 0, COLUMNS, ROWS, colour), TESSERA_OK);
    CHECK_EQUAL(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    return ticket;
}

static uint32_t shown_as(uint32_t colour)
{
    const uint32_t green = colour >> 5 & 63u, blue = colour & 31u;
    return (green << 2 | green >> 4) << 8 | blue << 3 | blue >> 2;
}

/* ------------------------------------------------------------------ flips */

/* Draw, and flip after it or when it is complete, at any time of a frame; wait until it is shown. */
static void one_flip(uint32_t number)
{
    const uint32_t index = number % PICTURES, colour = number + 1u;
    struct tessera_flip flip = {.plane = TESSERA_PLANE_PRIMARY,
                                .allocation = picture[index],
                                .pitch = PITCH,
                                .format = FORMAT_RGB565,
                                .when = TESSERA_WHEN_NEXT};
    struct tessera_completion completion;
    struct tessera_blank blank;
    tessera_ticket ticket;
    const bool is_drawn = number % 2u == 0;
    const tessera_ticket drawn = draw(index, colour);
    if (is_drawn) flip.context = context, flip.after = drawn;
    else {
        CHECK_EQUAL(tessera_wait(gpu, drawn, NULL), TESSERA_OK);
        CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, &blank), TESSERA_OK);
        const uint32_t event = (uint32_t)(now() - blank.cycle);
        if (event > longest_event) longest_event = event;
        /* One is in time for the end of the blank, the next comes at any time. */
        const uint32_t delay = number % 4u == 1 ? BLANK_CYCLES - 11000u + pick(3000) : pick(FRAME_CYCLES);
        for (const uint64_t end = blank.cycle + delay; now() < end;)
            (void)chip->wait(chip->context, (uint32_t)(end - now()));
    }
    flips[number].sent = now();
    CHECK_EQUAL(tessera_flip(gpu, &flip, &ticket), TESSERA_OK);
    if (is_drawn) CHECK_EQUAL(tessera_wait(gpu, drawn, NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, &completion), TESSERA_OK);
    flips[number].frame = completion.words[REPLY_FLIP_FRAME - 4];
    flips[number].blank =
        (uint64_t)completion.words[REPLY_FLIP_TIME_HI - 4] << 32 | completion.words[REPLY_FLIP_TIME_LO - 4];
    flips[number].colour = colour;
    flips[number].is_drawn = is_drawn;
    flips[number].drawn = drawn_at_arm;
    flips[number].armed = last_arm;
}

static void check_time(uint32_t number)
{
    const uint64_t armed = flips[number].armed, blank = flips[number].blank;
    const uint32_t to_arm = (uint32_t)(armed - flips[number].drawn);
    /* Not at a blank after the first one that it came in time for. */
    const uint64_t before = blank + BLANK_CYCLES - FRAME_CYCLES + ROOM;
    printf("flip %u: frame %u, armed %lld cycles after its blank began; %u cycles after drawing\n", number,
           flips[number].frame, (long long)armed - (long long)blank, flips[number].is_drawn ? to_arm : 0);
    CHECK(armed < blank + BLANK_CYCLES);
    in_blank += armed > blank;
    CHECK(armed + LAST_CYCLES > before);
    const uint32_t to_take = (uint32_t)(armed - flips[number].sent);
    if (!flips[number].is_drawn) {
        if (to_take > longest_take) longest_take = to_take;
        return;
    }
    if (to_arm > longest_arm) longest_arm = to_arm;
}

/* What was seen: black, then the flips' colours in order, each for as many frames as the answers say. */
static void check_frames(void)
{
    uint32_t at = 0;
    while (at < seen_count && seen[at] == 0) at++;
    for (uint32_t i = 0; i < flip_count; i++) {
        const uint32_t begin = at;
        while (at < seen_count && seen[at] == shown_as(flips[i].colour)) at++;
        const uint32_t frames = i + 1u < flip_count ? flips[i + 1u].frame - flips[i].frame : at - begin;
        CHECK_EQUAL(at - begin, frames);
        CHECK(at > begin);
    }
    CHECK_EQUAL(at, seen_count);
}

static void test_flips(void)
{
    uint32_t missed;
    open_chip();
    for (uint32_t i = 0; i < flip_count; i++) one_flip(i);
    for (int i = 0; i < 2; i++) CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_register_read(gpu, DISPLAY_MISSED_OFFSET, &missed), TESSERA_OK);
    for (uint32_t i = 0; i < flip_count; i++) check_time(i);
    printf("%u frames seen, %u torn, %u pixels missed; sent to armed %u, drawn to armed %u, blank to host %u cycles\n",
           seen_count, torn, missed, longest_take, longest_arm, longest_event);
    check_frames();
    CHECK_EQUAL(torn, 0);
    CHECK_EQUAL(missed, 0);
    CHECK_EQUAL(in_blank, (flip_count + 2u) / 4u);
    CHECK(longest_arm < MOST_TO_ARM);
    CHECK(longest_event < MOST_TO_EVENT);
    CHECK(longest_take < MOST_TO_TAKE);
    tessera_close(gpu);
}

int main(int count, char **arguments)
{
    if (count > 1) flip_count = (uint32_t)atoi(arguments[1]);
    if (count > 2) seed = (uint32_t)atoi(arguments[2]);
    if (flip_count > LOG) flip_count = LOG;
    CHECK_RUN(test_flips);
    return check_finish();
}
