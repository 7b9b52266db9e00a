/* SPDX-License-Identifier: Apache-2.0
 *
 * What the chip's display shows after a panic of the firmware (firmware/display/panel.h). Goal: a panel with code and
 * place on black, or black alone when the paging node hangs; of what was shown nothing stays, and what waited is not
 * shown. Method: the host's debug unit sends the core to an address without instructions, while a picture, an overlay
 * and a cursor are shown and four flips wait. The panel's letters at the display's pins are compared with those below.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "lib/gdb/debug.h"
#include "open_chip.h"
#include "tessera_stream.h"

enum {
    COLUMNS = 640,
    ROWS = 480,
    PITCH = COLUMNS * 2,
    LETTERS = 17,
    ADVANCE = 12, /* pixels; a dot is two each way */
    WIDTH = LETTERS * ADVANCE + 32,
    HEIGHT = 7 * 2 + 32,
    LEFT = (COLUMNS - WIDTH) / 2,
    TOP = (ROWS - HEIGHT) / 2,
    BLUE = 0x000084,
    WHITE = 0xffffff,
    NOWHERE = 0x40000000, /* nothing can be fetched there */
    LONG = 1000000000,    /* cycles: for ever */
    LOOKS = 100000        /* at what does not come */
};

static const char text[] = "PANIC 02 40000000";
static const struct {
    char letter;
    const char *row[7];
} font[] = {
    {'P', {"####.", "#...#", "#...#", "####.", "#....", "#....", "#...."}},
    {'A', {".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}},
    {'N', {"#...#", "##..#", "#.#.#", "#..##", "#...#", "#...#", "#...#"}},
    {'I', {".###.", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    {'C', {".###.", "#...#", "#....", "#....", "#....", "#...#", ".###."}},
    {'0', {".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."}},
    {'2', {".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"}},
    {'4', {"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."}},
};

static struct tessera *gpu;
static struct transport *chip;
static struct simulator *simulator;
static uint32_t seen[COLUMNS * ROWS], frames;

static void take_frame(void *unused, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle)
{
    (void)unused, (void)cycle;
    if (width != COLUMNS || height != ROWS) return;
    memcpy(seen, pixels, sizeof seen);
    frames++;
}

/* ------------------------------------------------------------------ the chip */

static void open_chip(void)
{
    const struct simulator_options options = {.seed = 3};
    const struct tessera_options limits = {.seed = 1, .patience_cycles = 400000000, .own_bytes = 16u << 20};
    simulator = open_chip_with(&gpu, &options, &limits);
    chip = tessera_transport(gpu);
    CHECK(simulator_display(simulator, take_frame, NULL));
}

/* Pixels of one colour, not the panel's. */
static struct tessera_allocation *create_picture(uint16_t colour)
{
    static uint16_t units[COLUMNS * ROWS];
    const struct tessera_allocation_options options = {
        .bytes = sizeof units, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    struct tessera_allocation *picture;
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) units[i] = colour;
    CHECK_EQUAL(tessera_allocation_create(gpu, &options, &picture), TESSERA_OK);
    CHECK_EQUAL(tessera_write(gpu, picture, 0, units, sizeof units), TESSERA_OK);
    return picture;
}

static tessera_ticket flip(struct tessera_allocation *picture, bool is_overlay, uint32_t frame)
{
    struct tessera_flip wish = {.allocation = picture, .pitch = PITCH, .format = FORMAT_RGB565};
    tessera_ticket ticket;
    wish.when = frame != 0 ? TESSERA_WHEN_FRAME : TESSERA_WHEN_NEXT;
    wish.frame = frame;
    if (is_overlay) {
        wish.plane = TESSERA_PLANE_OVERLAY;
        wish.x = LEFT - 30, wish.y = TOP - 10; /* beside the panel, and under it */
        wish.width = 100, wish.height = 40;
    }
    CHECK_EQUAL(tessera_flip(gpu, &wish, &ticket), TESSERA_OK);
    return ticket;
}

/* All that a display can show, and all that can wait. */
static void show_all(void)
{
    struct tessera_allocation *red = create_picture(0xf800), *green = create_picture(0x07e0);
    struct tessera_allocation *yellow = create_picture(0xffe0), *purple = create_picture(0xf81f);
    struct tessera_blank blank;
    tessera_ticket ticket;
    CHECK_EQUAL(tessera_set_mode(gpu, TESSERA_DISPLAY_VGA), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, flip(yellow, false, 0), NULL), TESSERA_OK); /* so that it is in memory */
    CHECK_EQUAL(tessera_wait(gpu, flip(red, false, 0), NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, flip(green, true, 0), NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_move_cursor(gpu, LEFT + 10, TOP + 10), TESSERA_OK);
    CHECK_EQUAL(tessera_cursor(gpu, purple, 0, 0, 0, &ticket), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK);
    CHECK_EQUAL(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, &blank), TESSERA_OK);
    CHECK_EQUAL(seen[0], 0xff0000);
    CHECK_EQUAL(seen[(TOP - 9) * COLUMNS + LEFT], 0x00ff00);
    CHECK(seen[(TOP + 11) * COLUMNS + LEFT + 11] != 0xff0000 && seen[(TOP + 11) * COLUMNS + LEFT + 11] != 0x00ff00);
    for (uint32_t frame = blank.frame + 1u; frame <= blank.frame + 2u; frame++) { /* the first two are armed at once */
        (void)flip(yellow, false, frame);
        (void)flip(purple, true, frame);
    }
}

/* Accesses let time pass: the simulator does not wait for a core that has stopped. */
static void await_frames(uint32_t count)
{
    uint32_t value;
    for (const uint32_t end = frames + count; frames < end;)
        if (tessera_register_read(gpu, DISPLAY_FRAME_OFFSET, &value) != TESSERA_OK) break;
}

static void stop_firmware(void)
{
    struct debug debug;
    uint32_t code = 0, place = 0, status = 0;
    CHECK_EQUAL(debug_attach(&debug, chip), DEBUG_OK);
    CHECK_EQUAL(debug_stop(&debug), DEBUG_OK);
    for (int looks = 0; looks < LOOKS && FIELD_GET(status, DEBUG_STATUS_STOPPED) == 0u; looks++)
        CHECK_EQUAL(debug_status(&debug, &status), DEBUG_OK);
    CHECK_EQUAL(debug_set_register(&debug, DEBUG_PC, NOWHERE), DEBUG_OK);
    CHECK_EQUAL(debug_detach(&debug), DEBUG_OK);
    (void)chip->wait(chip->context, LOOKS); /* ends with the panic */
    CHECK_EQUAL(tessera_register_read(gpu, HOST_PANIC_CODE_OFFSET, &code), TESSERA_OK);
    CHECK_EQUAL(tessera_register_read(gpu, HOST_PANIC_PLACE_OFFSET, &place), TESSERA_OK);
    CHECK_EQUAL(code, PANIC_TRAP);
    CHECK_EQUAL(place, NOWHERE);
}

/* ------------------------------------------------------------------ what is shown */

static bool is_ink(uint32_t x, uint32_t y)
{
    const uint32_t column = x / ADVANCE, dot = x % ADVANCE / 2u, row = y / 2u;
    if (column >= LETTERS || row >= 7u || dot >= 5u) return false;
    for (size_t i = 0; i < sizeof font / sizeof *font; i++)
        if (font[i].letter == text[column]) return font[i].row[row][dot] == '#';
    return false;
}

static uint32_t expected(uint32_t x, uint32_t y)
{
    const uint32_t column = x - LEFT, row = y - TOP; /* beyond the panel also left of it and above */
    if (column >= WIDTH || row >= HEIGHT) return 0;
    return is_ink(column - 16u, row - 16u) ? WHITE : BLUE;
}

static void test_panel(void)
{
    uint32_t wrong = 0;
    open_chip();
    show_all();
    stop_firmware();
    await_frames(3);
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < COLUMNS; x++) wrong += seen[y * COLUMNS + x] != expected(x, y);
    CHECK_EQUAL(wrong, 0);
    for (uint32_t y = 0; y < HEIGHT && wrong != 0; y++, putchar('\n'))
        for (uint32_t x = 0; x < WIDTH; x++) putchar(seen[(TOP + y) * COLUMNS + LEFT + x] == WHITE ? '#' : '.');
    tessera_close(gpu);
}

/* The paging node waits for answers that do not come, and its reset does not end. */
static void test_black(void)
{
    const struct simulator_fault hold = {.kind = SIMULATOR_HOLD_ANSWERS, .memory = 2, .node = 1, .cycles = LONG};
    uint32_t lit = 0;
    open_chip();
    struct tessera_allocation *other;
    show_all();
    const struct tessera_allocation_options options = {
        .bytes = 1u << 16, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    uint32_t context;
    tessera_ticket ticket;
    struct tessera_stream *stream = tessera_stream_create();
    CHECK_EQUAL(tessera_allocation_create(gpu, &options, &other), TESSERA_OK);
    CHECK_EQUAL(tessera_write(gpu, other, 0, &lit, sizeof lit), TESSERA_OK);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    const struct tessera_surface surface = {
        .allocation = other, .format = FORMAT_RGB565, .pitch = 512, .bytes = 1u << 16, .is_target = true};
    CHECK_EQUAL(tessera_stream_bind(stream, 0, &surface), TESSERA_OK);
    CHECK_EQUAL(tessera_stream_fill_rect(stream, 0, 0, 0, 8, 8, 1), TESSERA_OK);
    simulator_inject(simulator, &hold);
    CHECK_EQUAL(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    for (int looks = 0; looks < LOOKS && !simulator_fault_fired(simulator); looks++) {
        uint32_t value;
        CHECK_EQUAL(tessera_register_read(gpu, DISPLAY_FRAME_OFFSET, &value), TESSERA_OK);
    }
    CHECK(simulator_fault_fired(simulator));
    stop_firmware();
    await_frames(4);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) lit += seen[i] != 0;
    CHECK_EQUAL(lit, 0);
    tessera_stream_destroy(stream);
    tessera_close(gpu);
}

int main(void)
{
    CHECK_RUN(test_panel);
    CHECK_RUN(test_black);
    return check_finish();
}
