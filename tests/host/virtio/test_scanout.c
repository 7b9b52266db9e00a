/* SPDX-License-Identifier: Apache-2.0
 *
 * What shows for the virtio GPU (host/virtio/scanout.c). Goal: a scanout of a mode's size is shown by the display unit,
 * straight from the resource, exactly and with its cursor; a flush after a flip returns when it is shown, and not
 * sooner than a frame after the last; what the display cannot show is read back, with the reason; what is shown holds
 * up no transfer; nothing stays in the GPU. Method: the golden model and its frames, against pictures made here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "device.h"
#include "virtio/scanout.h"

enum { MEMORY = 64 << 20, GUEST_BYTES = 8 << 20, GUEST_AT = MEMORY - GUEST_BYTES, SCREEN_AT = GUEST_AT - (4 << 20) };
enum { WIDTH = 640, HEIGHT = 480, BYTES = WIDTH * HEIGHT * 4, SIDE = 64, PAGE = 4096 };

static struct transport transport;
static struct tessera *tessera;
static struct painter *painter;
static struct scanout *scanout;
static struct platform platform;
static struct virtio_gpu_painter table;
static struct virtio_gpu_display display;
static uint8_t *system_memory;
static char message[256];
static const struct virtio_gpu_rectangle whole = {0, 0, WIDTH, HEIGHT};

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    if (address > GUEST_BYTES || bytes > GUEST_BYTES - address) return NULL;
    return system_memory + GUEST_AT + address;
}

/* As host/lib/device/platform.c, without the simulator. A board is a platform without a model. */
static void shows(void *context, const uint32_t *pixels, uint32_t width, uint32_t height, uint32_t frame,
                  uint64_t cycle)
{
    (void)frame, (void)cycle;
    const struct platform *of = context;
    of->frame(of->frame_context, pixels, width, height);
}

bool platform_display(struct platform *of, platform_frame *frame, void *context)
{
    of->frame = frame;
    of->frame_context = context;
    if (of->model == NULL) return false;
    device_display(of->model)->on_frame = shows;
    device_display(of->model)->context = of;
    return true;
}

static void begin(uint32_t local_bytes, bool has_display, bool has_frames)
{
    const struct device_options options = {
        .memory_bytes = MEMORY, .seed = 1, .segment2_bytes = local_bytes, .has_display = has_display};
    const struct tessera_options open_options = {.seed = 3, .own_bytes = MEMORY - SCREEN_AT};
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    system_memory = device_engine(device)->system;
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &open_options, message), TESSERA_OK);
    const struct painter_options of_painter = {.memory = {NULL, at},
                                               .system = system_memory,
                                               .screen = SCREEN_AT,
                                               .guest = GUEST_AT,
                                               .guest_bytes = GUEST_BYTES};
    platform = (struct platform){.model = has_frames ? device : NULL};
    painter = painter_create(tessera, &of_painter, message);
    assert_non_null(painter);
    scanout = scanout_create(tessera, painter, &platform);
    assert_non_null(scanout);
    painter_table(painter, &table);
    scanout_table(scanout, &display);
    for (uint32_t i = 0; i < GUEST_BYTES; i++) system_memory[GUEST_AT + i] = (uint8_t)(i * 7 + i / 251 + i / PAGE * 13);
}

static void end(void)
{
    uint32_t statistics[TESSERA_STATISTICS];
    scanout_destroy(scanout);
    painter_destroy(painter);
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    assert_int_equal(statistics[TESSERA_STATISTIC_RESIDENT_PAGES_2], 0);
    assert_int_equal(statistics[TESSERA_STATISTIC_MAPPED_PAGES], 0);
    tessera_close(tessera);
}

/* A resource over the driver's memory from `address` on. */
static void make(uint32_t place, uint32_t width, uint32_t height, uint64_t address)
{
    const struct virtio_gpu_entry entry = {address, width * height * 4, 0};
    const struct virtio_gpu_rectangle all = {0, 0, width, height};
    assert_true(table.create(table.context, place, width, height));
    assert_true(table.attach(table.context, place, &entry, 1));
    assert_true(table.transfer(table.context, place, &all, 0));
}

static const uint8_t *picture(uint32_t width, uint32_t height)
{
    uint32_t w = 0, h = 0;
    while (scanout_run(scanout)) continue;
    const uint8_t *pixels = scanout_picture(scanout, &w, &h);
    assert_non_null(pixels);
    assert_int_equal(w, width);
    assert_int_equal(h, height);
    return pixels;
}

/* The picture is that of the driver's memory from `address` on, whose rows are `pitch` bytes. */
static void check_picture(uint64_t address, uint32_t pitch)
{
    const uint8_t *pixels = picture(WIDTH, HEIGHT);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            if (memcmp(pixels + (y * WIDTH + x) * 4, at(NULL, address + (uint64_t)y * pitch + x * 4u, 4), 3) != 0)
                fail_msg("pixel %u, %u", x, y);
}

static void check_pixel(uint32_t x, uint32_t y, uint32_t colour)
{
    const uint8_t *pixel = picture(WIDTH, HEIGHT) + (y * WIDTH + x) * 4;
    assert_int_equal(pixel[0] | pixel[1] << 8 | pixel[2] << 16, colour);
}

/* All of it is grey, but for the cursor's square, half red, whose corner is there. */
static void check_square(int32_t left, int32_t top)
{
    const uint8_t *pixels = picture(WIDTH, HEIGHT);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            const bool is_inside = x >= left && x < left + SIDE && y >= top && y < top + SIDE;
            const uint8_t *pixel = pixels + (y * WIDTH + x) * 4;
            const uint32_t colour = pixel[0] | pixel[1] << 8 | pixel[2] << 16;
            if (colour != (is_inside ? 0xb23232 : 0x646464)) fail_msg("pixel %d, %d is %06x", x, y, colour);
        }
}

static uint64_t flips(void) { return scanout_counts(scanout)->flips; }
static uint64_t read_back(void) { return scanout_counts(scanout)->read_back; }

/* ------------------------------------------------------------------ exact */

static void test_shown(void **state)
{
    (void)state;
    enum { WIDE = 700, HIGH = 490, LEFT = 33, TOP = 7 };
    static const struct virtio_gpu_rectangle part = {LEFT, TOP, WIDTH, HEIGHT}, line = {40, 10, 50, 3};
    uint32_t w, h;
    begin(4 << 20, true, true);
    assert_null(scanout_picture(scanout, &w, &h));
    display.flush(display.context, 0, &whole); /* nothing is shown yet */
    make(0, WIDE, HIGH, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &part);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_is_shown(scanout));
    assert_int_equal(flips(), 1);
    check_picture((TOP * WIDE + LEFT) * 4, WIDE * 4);
    assert_true(scanout_changed(scanout));
    assert_false(scanout_changed(scanout));
    /* What is drawn into what is shown needs no flip. */
    for (uint32_t i = 0; i < BYTES; i++) *at(NULL, i, 1) ^= 0x3c;
    assert_true(table.transfer(table.context, 0, &(struct virtio_gpu_rectangle){0, 0, WIDE, HIGH}, 0));
    display.flush(display.context, 0, &whole);
    check_picture((TOP * WIDE + LEFT) * 4, WIDE * 4);
    assert_true(scanout_changed(scanout));
    display.flush(display.context, 0, &line);
    check_picture((TOP * WIDE + LEFT) * 4, WIDE * 4);
    assert_false(scanout_changed(scanout)); /* it is the same */
    assert_int_equal(flips(), 1);
    display.show(display.context, 1, VIRTIO_GPU_NOTHING, 0, &whole); /* the second is never plugged in */
    display.cursor(display.context, 1, 0, VIRTIO_BGRA, 0, 0);
    display.move(display.context, 1, 5, 5);
    assert_true(scanout_is_shown(scanout));
    assert_false(scanout_cursor(scanout, &w, &h));
    display.show(display.context, 0, VIRTIO_GPU_NOTHING, 0, &whole);
    assert_null(scanout_picture(scanout, &w, &h));
    assert_false(scanout_is_shown(scanout));
    table.destroy(table.context, 0);
    assert_int_equal(read_back(), 0);
    end();
}

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Each is a frame after the one before, for the device and for the guest. Without a flush it is shown as well. */
static void test_flips(void **state)
{
    (void)state;
    enum { COUNT = 12, FRAME_CYCLES = 1600000 };
    begin(4 << 20, true, true);
    make(0, WIDTH, HEIGHT, 0);
    make(1, WIDTH, HEIGHT, BYTES);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    const uint64_t begun = milliseconds(), cycle = transport_cycles(&transport);
    for (uint32_t i = 1; i <= COUNT; i++) {
        display.show(display.context, 0, i % 2, VIRTIO_BGRA, &whole);
        display.flush(display.context, 0, &whole);
        assert_int_equal(flips(), 1 + i);
    }
    assert_true(milliseconds() - begun >= COUNT * 16);
    assert_true(transport_cycles(&transport) - cycle >= (COUNT - 1) * (uint64_t)FRAME_CYCLES);
    check_picture(0, WIDTH * 4);
    display.show(display.context, 0, 1, VIRTIO_BGRX, &whole);
    check_picture(BYTES, WIDTH * 4);
    assert_int_equal(flips(), 2 + COUNT);
    /* What was shown before goes while the flip is on its way. */
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    table.destroy(table.context, 1);
    display.flush(display.context, 0, &whole);
    check_picture(0, WIDTH * 4);
    assert_int_equal(read_back(), 0);
    end();
}

/* What the display had before the first flip of a mode is no picture of the guest's. */
static void test_first(void **state)
{
    (void)state;
    enum { WIDE = 800, HIGH = 600 };
    static const struct virtio_gpu_rectangle larger = {0, 0, WIDE, HIGH};
    uint32_t w, h;
    begin(8 << 20, true, true);
    make(0, WIDTH, HEIGHT, 0);
    make(1, WIDE, HIGH, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    assert_true(scanout_run(scanout));
    assert_int_equal(flips(), 0); /* a little, and not up to the blank */
    for (uint32_t i = 0; i < 400; i++) assert_int_equal(tessera_work(tessera, 20000), TESSERA_OK);
    assert_null(scanout_picture(scanout, &w, &h));
    display.flush(display.context, 1, &whole);
    assert_int_equal(flips(), 0);
    check_picture(0, WIDTH * 4);
    assert_int_equal(flips(), 1);
    display.show(display.context, 0, 1, VIRTIO_BGRX, &larger);
    assert_null(scanout_picture(scanout, &w, &h));
    display.flush(display.context, 0, &larger);
    (void)picture(WIDE, HIGH);
    display.show(display.context, 0, VIRTIO_GPU_NOTHING, 0, &whole);
    display.flush(display.context, 0, &whole);
    assert_null(scanout_picture(scanout, &w, &h));
    assert_int_equal(read_back(), 0);
    end();
}

static void test_preferred(void **state)
{
    (void)state;
    enum { ALL = 31, HIGH_ONLY = 1 << TESSERA_DISPLAY_HD | 1, NO_XGA = ALL & ~(1 << TESSERA_DISPLAY_XGA) };
    static const struct {
        uint32_t modes, promise, width, height;
    } known[] = {{ALL, 300, 1024, 768},       {ALL, 211, 1024, 768},       {ALL, 210, 800, 600},
                 {ALL, 131, 800, 600},        {ALL, 130, 640, 480},        {ALL, 89, 640, 480},
                 {ALL, 88, 1024, 768},        {ALL, 0, 1024, 768},         {0, UINT32_MAX, 1024, 768},
                 {HIGH_ONLY, 242, 1280, 720}, {HIGH_ONLY, 241, 1024, 768}, {NO_XGA, 300, 800, 600}};
    uint32_t w, h;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        scanout_prefer_of(known[i].modes, known[i].promise, &w, &h);
        if (w != known[i].width || h != known[i].height) fail_msg("%zu: %u x %u", i, w, h);
    }
}

/* ------------------------------------------------------------------ the cursor */

static void fill_guest(uint64_t address, uint32_t colour, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) memcpy(at(NULL, address + i * 4u, 4), &colour, 4);
}

static void test_cursor(void **state)
{
    (void)state;
    enum { IMAGE = BYTES, SECOND = IMAGE + SIDE * SIDE * 4 };
    static const struct virtio_gpu_rectangle image = {0, 0, SIDE, SIDE};
    uint32_t x, y;
    begin(4 << 20, true, true);
    fill_guest(0, 0x646464, WIDTH * HEIGHT);
    fill_guest(IMAGE, 0x80800000, SIDE * SIDE); /* half of red, multiplied */
    fill_guest(SECOND, 0xff00aa11, SIDE * SIDE);
    make(0, WIDTH, HEIGHT, 0);
    make(1, SIDE, SIDE, IMAGE);
    make(2, SIDE, SIDE, SECOND);
    display.cursor(display.context, 0, 1, VIRTIO_BGRA, 4, 5); /* before there is a mode */
    display.move(display.context, 0, 100, 50);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_cursor(scanout, &x, &y));
    assert_int_equal(x, 100);
    check_square(96, 45);
    static const int32_t places[][2] = {{1, 2},     {4, 5},      {-59, 40},   {-60, 40},  {579, 420}, {580, 421},
                                        {30, 0},    {643, 50},   {644, 50},   {50, 484},  {50, 485},  {-32768, 50},
                                        {639, 479}, {32771, 50}, {32772, 50}, {50, 32773}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) { /* some of them are partly outside */
        display.move(display.context, 0, (uint32_t)places[i][0], (uint32_t)places[i][1]);
        check_square(places[i][0] - 4, places[i][1] - 5);
    }
    display.move(display.context, 0, UINT32_MAX - 9, 0x7fffffff);
    check_square(WIDTH, HEIGHT);
    assert_true(scanout_is_shown(scanout));
    display.move(display.context, 0, 104, 55);
    display.move(display.context, 1, 7, 9); /* of no display */
    /* The resource changes, and nobody says that it is the cursor's. */
    fill_guest(IMAGE, 0xff00feff, SIDE * SIDE);
    assert_true(table.transfer(table.context, 1, &image, 0));
    check_pixel(100, 50, 0xb23232);
    display.cursor(display.context, 0, 1, VIRTIO_BGRA, 4, 5);
    display.cursor(display.context, 0, 2, VIRTIO_BGRA, 0, 0);
    check_pixel(104, 55, 0x00aa11);
    check_pixel(103, 55, 0x646464);
    display.cursor(display.context, 0, 1, VIRTIO_BGRA, 4, 5);
    check_pixel(100, 50, 0x00feff);
    table.destroy(table.context, 1);
    check_pixel(100, 50, 0x00feff);
    /* Nothing is seen where alpha is 0, and no colour is more than all of it. */
    fill_guest(SECOND, 0x00ffffff, SIDE * SIDE / 2);
    fill_guest(SECOND + SIDE * SIDE * 2, 0x80ff4000, SIDE * SIDE / 2);
    assert_true(table.transfer(table.context, 2, &image, 0));
    display.cursor(display.context, 0, 2, VIRTIO_BGRA, 4, 5);
    check_pixel(100, 50, 0x646464);
    check_pixel(100, 81, 0x646464);
    check_pixel(100, 82, 0xb27232);
    display.cursor(display.context, 0, VIRTIO_GPU_NOTHING, 0, 0, 0);
    check_pixel(100, 50, 0x646464);
    assert_int_equal(read_back(), 0);
    end();
}

/* ------------------------------------------------------------------ what the display cannot */

static void expect_reason(const char *reason, uint64_t count)
{
    assert_false(scanout_is_shown(scanout));
    assert_string_equal(scanout_counts(scanout)->reason, reason);
    assert_int_equal(read_back(), count);
}

static void test_read_back(void **state)
{
    (void)state;
    static const struct virtio_gpu_rectangle narrow = {0, 0, WIDTH - 1, HEIGHT}, low = {0, 0, WIDTH, HEIGHT - 1};
    begin(4 << 20, true, true);
    make(0, WIDTH, HEIGHT, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &narrow);
    expect_reason("its size is not a mode of the display", 1);
    (void)picture(WIDTH - 1, HEIGHT);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &low);
    expect_reason("its size is not a mode of the display", 2);
    (void)picture(WIDTH, HEIGHT - 1);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    assert_true(scanout_is_shown(scanout));
    display.flush(display.context, 0, &whole);
    check_picture(0, WIDTH * 4);
    display.show(display.context, 0, 0, VIRTIO_RGBX, &whole);
    expect_reason("its format is not one of the display", 3);
    const uint8_t *pixels = picture(WIDTH, HEIGHT);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(pixels[i], *at(NULL, 2 - i, 1));
    fill_guest(0, 0x123456, WIDTH * HEIGHT);
    assert_true(table.transfer(table.context, 0, &whole, 0));
    display.flush(display.context, 0, &whole);
    check_pixel(5, 5, 0x563412);
    assert_int_equal(flips(), 1);
    end();
    begin(4 << 20, false, true);
    make(0, WIDTH, HEIGHT, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    expect_reason("there is no display", 1);
    check_picture(0, WIDTH * 4);
    end();
}

/* A board: the display shows it on a monitor of its own, and what this program has is read back. */
static void test_no_frames(void **state)
{
    (void)state;
    begin(4 << 20, true, false);
    make(0, WIDTH, HEIGHT, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    assert_true(scanout_is_shown(scanout));
    assert_false(scanout_run(scanout));
    check_picture(0, WIDTH * 4);
    fill_guest(0, 0x123456, WIDTH * HEIGHT);
    assert_true(table.transfer(table.context, 0, &whole, 0));
    display.flush(display.context, 0, &whole);
    check_picture(0, WIDTH * 4);
    assert_int_equal(flips(), 1);
    end();
}

/* Local memory holds one picture, and another is drawn while it is shown. */
static void test_room(void **state)
{
    (void)state;
    begin(2 << 20, true, true);
    const uint32_t before =
        (uint32_t)*at(NULL, 0, 1) | (uint32_t)*at(NULL, 1, 1) << 8 | (uint32_t)*at(NULL, 2, 1) << 16;
    make(0, WIDTH, HEIGHT, 0);
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_is_shown(scanout));
    make(1, WIDTH, HEIGHT, BYTES);
    expect_reason("its memory was needed", 1);
    (void)scanout_changed(scanout);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_changed(scanout));
    check_picture(0, WIDTH * 4);
    fill_guest(0, 0x123456, 2);
    assert_true(table.transfer(table.context, 0, &whole, 0));
    check_pixel(0, 0, before); /* nobody has flushed it */
    display.flush(display.context, 0, &(struct virtio_gpu_rectangle){1, 0, 1, 1});
    check_pixel(0, 0, before);
    check_pixel(1, 0, 0x123456);
    display.show(display.context, 0, 1, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_is_shown(scanout));
    check_picture(BYTES, WIDTH * 4);
    /* The flush after a transfer reads what was let go. */
    assert_true(table.transfer(table.context, 0, &whole, 0));
    assert_false(scanout_is_shown(scanout));
    fill_guest(BYTES, 0x345678, WIDTH * HEIGHT);
    assert_true(table.transfer(table.context, 1, &whole, 0));
    display.flush(display.context, 0, &(struct virtio_gpu_rectangle){0, 0, 1, 1});
    check_picture(BYTES, WIDTH * 4);
    display.show(display.context, 0, 1, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    assert_true(scanout_is_shown(scanout));
    /* A flip that finds no room is read back. */
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    assert_false(scanout_is_shown(scanout));
    assert_int_equal(strncmp(scanout_counts(scanout)->reason, "NO_PLACEMENT", 12), 0);
    check_picture(0, WIDTH * 4);
    assert_int_equal(painter_counts(painter)->failures, 0);
    end();
}

/* Pages that the GPU cannot name: the host copies into what is shown. */
static void test_copied(void **state)
{
    (void)state;
    static const struct virtio_gpu_entry entry = {5, BYTES, 0};
    static const struct virtio_gpu_rectangle part = {11, 22, 300, 200};
    begin(4 << 20, true, true);
    assert_true(table.create(table.context, 0, WIDTH, HEIGHT));
    assert_true(table.attach(table.context, 0, &entry, 1));
    assert_true(table.transfer(table.context, 0, &whole, 0));
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    display.flush(display.context, 0, &whole);
    check_picture(5, WIDTH * 4);
    fill_guest(5, 0x00c0ff, WIDTH * HEIGHT);
    assert_true(table.transfer(table.context, 0, &part, (22 * WIDTH + 11) * 4));
    display.flush(display.context, 0, &part);
    check_pixel(11, 22, 0x00c0ff);
    check_pixel(310, 221, 0x00c0ff);
    for (uint32_t i = 0; i < BYTES; i++) *at(NULL, i + 5, 1) = (uint8_t)(i * 3);
    assert_true(table.transfer(table.context, 0, &whole, 0));
    display.flush(display.context, 0, &whole);
    check_picture(5, WIDTH * 4);
    assert_true(scanout_is_shown(scanout));
    assert_int_equal(read_back(), 0);
    assert_int_equal(painter_counts(painter)->in_place, 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),     cmocka_unit_test(test_flips),  cmocka_unit_test(test_first),
        cmocka_unit_test(test_preferred), cmocka_unit_test(test_cursor), cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_no_frames), cmocka_unit_test(test_room),   cmocka_unit_test(test_copied)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
