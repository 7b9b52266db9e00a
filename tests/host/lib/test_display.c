/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the library's calls of the display refuse says what is wrong, and changes nothing. Method: the golden
 * model with a display unit that has one pixel clock; a picture is shown while every call is given wrong values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"
#include "tessera.h"

enum { COLUMNS = 640, ROWS = 480, PITCH = COLUMNS * 2, KHZ = 25175, VGA_SIZE = COLUMNS * 10000 + ROWS };

static struct transport transport;
static struct device *device;
static struct tessera *tessera;
static struct tessera_allocation *red, *blue, *image;

static struct tessera_allocation *create(uint32_t bytes, uint32_t flags, uint32_t set)
{
    const struct tessera_allocation_options options = {.bytes = bytes,
                                                       .flags = ALLOCATION_CPU_VISIBLE | flags,
                                                       .read_set = set,
                                                       .write_set = set,
                                                       .pitch = PITCH, /* of what is swizzled, these */
                                                       .height = ROWS,
                                                       .levels = 1};
    struct tessera_allocation *made = NULL;
    assert_int_equal(tessera_allocation_create(tessera, &options, &made), TESSERA_OK);
    return made;
}

static struct tessera_flip flip_of(struct tessera_allocation *allocation)
{
    return (struct tessera_flip){
        .allocation = allocation, .pitch = PITCH, .format = FORMAT_RGB565, .when = TESSERA_WHEN_NEXT};
}

static void show(struct tessera_allocation *allocation)
{
    const struct tessera_flip flip = flip_of(allocation);
    tessera_ticket ticket;
    assert_int_equal(tessera_flip(tessera, &flip, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
}

static int open_display(void **state)
{
    char message[256];
    const struct device_options options = {
        .memory_bytes = 32 << 20, .segment2_bytes = 4 << 20, .seed = 1, .has_display = true, .display_khz = KHZ};
    const struct tessera_options open_options = {.seed = 3};
    (void)state;
    device = device_create(&options, message);
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &open_options, message), TESSERA_OK);
    red = create(PITCH * ROWS, 0, 2);
    blue = create(PITCH * ROWS, 0, 2);
    image = create(64 * 64 * 4, 0, 2);
    assert_int_equal(tessera_set_mode(tessera, TESSERA_DISPLAY_VGA), TESSERA_OK);
    show(red);
    return 0;
}

static int close_display(void **state)
{
    (void)state;
    tessera_close(tessera);
    return 0;
}

/* What is shown, and in which mode, after a refusal. */
static void check_text(const char *text)
{
    struct tessera_display display;
    if (strstr(tessera_message(tessera), text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", tessera_message(tessera), text);
    const uint32_t shown = device_register(device, DISPLAY_BASE + DISPLAY_SHOWN_PRIMARY_OFFSET);
    static uint32_t first;
    if (first == 0) first = shown;
    assert_int_equal(shown, first);
    assert_int_equal(tessera_query_display(tessera, &display), TESSERA_OK);
    assert_int_equal(display.columns * 10000 + display.rows, VGA_SIZE);
}

static void refuse_flip(const struct tessera_flip *flip, const char *text)
{
    tessera_ticket ticket;
    if (tessera_flip(tessera, flip, &ticket) == TESSERA_OK) assert_true(tessera_wait(tessera, ticket, NULL) > 0);
    check_text(text);
}

static void refuse_cursor(struct tessera_allocation *allocation, uint32_t offset, uint32_t x, uint32_t y,
                          const char *text)
{
    tessera_ticket ticket;
    if (tessera_cursor(tessera, allocation, offset, x, y, &ticket) == TESSERA_OK)
        assert_true(tessera_wait(tessera, ticket, NULL) > 0);
    check_text(text);
}

/* ------------------------------------------------------------------ the tests */

static void test_flips(void **state)
{
    (void)state;
    static const struct {
        size_t member;
        uint32_t value;
        const char *text;
    } rows[] = {
#define WORD(name) offsetof(struct tessera_flip, name)
        {WORD(plane), 2, "BAD_ARGUMENT: FLIP: PLANE is 2"},
        {WORD(plane), UINT32_MAX, "BAD_ARGUMENT: FLIP: PLANE is 4294967295"},
        {WORD(offset), 1, "BAD_ARGUMENT: FLIP: OFFSET is 1"},
        {WORD(offset), 4096, "EXTENT: FLIP: The surface leaves its allocation"},
        {WORD(offset), 0xfffffffe, "EXTENT: FLIP: The surface leaves its allocation"},
        {WORD(pitch), 0, "BAD_ARGUMENT: FLIP: PITCH is 0"},
        {WORD(pitch), PITCH - 2, "BAD_ARGUMENT: FLIP: PITCH is 1278"},
        {WORD(pitch), PITCH + 1, "BAD_ARGUMENT: FLIP: PITCH is 1281"},
        {WORD(pitch), 65536, "BAD_ARGUMENT: FLIP: PITCH is 65536"},
        {WORD(pitch), PITCH + 32, "EXTENT: FLIP: The surface leaves its allocation"},
        {WORD(format), FORMAT_ARGB8888, "BAD_ARGUMENT: FLIP: FORMAT is"},
        {WORD(format), UINT32_MAX, "BAD_ARGUMENT: FLIP: FORMAT is"},
        {WORD(when), 3, "BAD_ARGUMENT: FLIP: WHEN is 3"},
        {WORD(when), UINT32_MAX, "BAD_ARGUMENT: FLIP: WHEN is"},
        {WORD(frame), 7, "BAD_ARGUMENT: FLIP: FRAME is 7"},
        {WORD(context), 99, "BAD_CONTEXT: FLIP"},
        {WORD(x), 1, "BAD_ARGUMENT: FLIP: POSITION is 1"},
        {WORD(x), 65536, "each is at most 4095"},
        {WORD(y), UINT32_MAX, "each is at most 4095"},
        {WORD(width), 1, "BAD_ARGUMENT: FLIP: SIZE is 1"},
        {WORD(height), 65536, "each is at most 4095"},
        {WORD(mix), 1, "BAD_ARGUMENT: FLIP: MIX is 1"},
        {WORD(value), 1, "BAD_ARGUMENT: FLIP: VALUE is 1"},
#undef WORD
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tessera_flip flip = flip_of(blue);
        memcpy((char *)&flip + rows[i].member, &rows[i].value, sizeof rows[i].value);
        refuse_flip(&flip, rows[i].text);
    }
    struct tessera_flip flip = flip_of(NULL); /* none, and words of a surface */
    refuse_flip(&flip, "BAD_ARGUMENT: FLIP: PITCH is 1280");
    flip = flip_of(blue);
    flip.when = TESSERA_WHEN_FRAME;
    flip.frame = 1u << 20;
    refuse_flip(&flip, "BAD_ARGUMENT: FLIP: FRAME is 1048576");
    flip = flip_of(blue);
    flip.plane = TESSERA_PLANE_OVERLAY; /* without a size */
    refuse_flip(&flip, "BAD_ARGUMENT: FLIP: SIZE is 0");
    flip.width = flip.height = 16;
    flip.mix = TESSERA_MIX_ALPHA;
    flip.value = 256;
    refuse_flip(&flip, "BAD_ARGUMENT: FLIP: VALUE is 256");
    flip.mix = 9;
    refuse_flip(&flip, "BAD_ARGUMENT: FLIP: MIX is 9");
}

static void test_surfaces(void **state)
{
    bool is_discarded;
    (void)state;
    struct tessera_allocation *mapped = create(PITCH * ROWS, 0, 4),
                              *tiled = create(PITCH * ROWS, ALLOCATION_SWIZZLED, 2);
    struct tessera_flip flip = flip_of(mapped);
    refuse_flip(&flip, "NO_SEGMENT: FLIP: The display reads memory segments alone");
    refuse_cursor(mapped, 0, 0, 0, "NO_SEGMENT: SET_CURSOR: The display reads memory segments alone");
    flip = flip_of(tiled);
    refuse_flip(&flip, "UNSUPPORTED: FLIP: A swizzled surface cannot be shown.");
    flip = flip_of(blue);
    assert_int_equal(tessera_lock(tessera, blue, 0), TESSERA_OK);
    refuse_flip(&flip, "flip: the allocation is locked. Unlock it first.");
    assert_int_equal(tessera_unlock(tessera, blue), TESSERA_OK);
    assert_int_equal(tessera_offer(tessera, blue, 1), TESSERA_OK);
    refuse_flip(&flip, "OFFERED: FLIP");
    assert_int_equal(tessera_reclaim(tessera, blue, &is_discarded), TESSERA_OK);
    assert_true(tessera_lock(tessera, red, 0) > 0);
    check_text("SHOWN: LOCK");
    assert_true(tessera_offer(tessera, red, 1) > 0);
    check_text("SHOWN: OFFER");
    assert_true(tessera_evict(tessera, red) > 0);
    check_text("SHOWN: EVICT");
}

static void test_cursors(void **state)
{
    (void)state;
    refuse_cursor(image, 0, 64, 0, "hot spot 64, 0 is outside the cursor");
    refuse_cursor(image, 0, 0, UINT32_MAX, "is outside the cursor");
    refuse_cursor(image, 4, 0, 0, "BAD_ARGUMENT: SET_CURSOR: OFFSET is 4");
    refuse_cursor(image, 256, 0, 0, "EXTENT: SET_CURSOR: The surface leaves its allocation");
    refuse_cursor(image, 0xffffff00, 0, 0, "EXTENT: SET_CURSOR: The surface leaves its allocation");
    refuse_cursor(NULL, 256, 0, 0, "BAD_ARGUMENT: SET_CURSOR: OFFSET is 256");
    refuse_cursor(NULL, 0, 1, 0, "BAD_ARGUMENT: SET_CURSOR: HOT_SPOT is 1");
    assert_int_equal(tessera_move_cursor(tessera, 32768, 0), TESSERA_MISUSE);
    check_text("move_cursor: 32768, 0 is out of range");
}

static void test_modes_and_owners(void **state)
{
    static const uint32_t colours[256];
    const struct tessera_flip flip = flip_of(red);
    (void)state;
    assert_true(tessera_set_mode(tessera, TESSERA_DISPLAY_HD) > 0);
    check_text("NO_MODE: SET_MODE: The display is off, or this build has no clock for the mode.");
    assert_true(tessera_set_mode(tessera, 5) > 0);
    check_text("BAD_ARGUMENT: SET_MODE: MODE is 5");
    assert_true(tessera_set_mode(tessera, UINT32_MAX) > 0);
    check_text("BAD_ARGUMENT: SET_MODE: MODE is 4294967295");
    assert_true(tessera_wait_vblank(tessera, TESSERA_WHEN_NOW, 0, NULL) > 0);
    check_text("BAD_ARGUMENT: WAIT_VBLANK: WHEN is");
    assert_true(tessera_wait_vblank(tessera, TESSERA_WHEN_NEXT, 1, NULL) > 0);
    check_text("BAD_ARGUMENT: WAIT_VBLANK: FRAME is 1");
    assert_true(tessera_wait_vblank(tessera, TESSERA_WHEN_FRAME, 1u << 20, NULL) > 0);
    check_text("BAD_ARGUMENT: WAIT_VBLANK: FRAME is 1048576");
    assert_int_equal(tessera_give_display(tessera, 64), TESSERA_MISUSE);
    check_text("give_display");
    assert_int_equal(tessera_set_client(tessera, 1), TESSERA_OK);
    refuse_flip(&flip, "NOT_OWNER: FLIP: The client does not own the display. Client 0 gives it");
    refuse_cursor(image, 0, 0, 0, "NOT_OWNER: SET_CURSOR");
    assert_true(tessera_set_mode(tessera, TESSERA_DISPLAY_OFF) > 0);
    check_text("NOT_OWNER: SET_MODE");
    assert_true(tessera_set_palette(tessera, colours) > 0);
    check_text("NOT_OWNER: SET_PALETTE");
    assert_true(tessera_move_cursor(tessera, 0, 0) > 0);
    check_text("NOT_OWNER: MOVE_CURSOR");
    assert_int_equal(tessera_set_client(tessera, 0), TESSERA_OK);
}

/* The fifth that would wait. */
static void test_busy(void **state)
{
    struct tessera_display display;
    tessera_ticket ticket[4];
    (void)state;
    assert_int_equal(tessera_query_display(tessera, &display), TESSERA_OK);
    struct tessera_flip flip = flip_of(blue);
    flip.when = TESSERA_WHEN_FRAME;
    flip.frame = display.frame + 1000;
    for (size_t i = 0; i < 4; i++) assert_int_equal(tessera_flip(tessera, &flip, &ticket[i]), TESSERA_OK);
    refuse_flip(&flip, "BUSY: FLIP: Try again later");
    refuse_cursor(image, 0, 0, 0, "BUSY: SET_CURSOR: Try again later");
    assert_int_equal(tessera_give_display(tessera, 0), TESSERA_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_true(tessera_wait(tessera, ticket[i], NULL) > 0);
        check_text("DROPPED: FLIP");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flips), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_cursors), cmocka_unit_test(test_modes_and_owners),
                                       cmocka_unit_test(test_busy)};
    const int failed = cmocka_run_group_tests(tests, open_display, close_display);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
