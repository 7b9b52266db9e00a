/* SPDX-License-Identifier: Apache-2.0
 *
 * What draws and shows for the virtio GPU (host/virtio/painter.c, screen.c). Goal: after any transfers a resource has
 * exactly the bytes that the specification says, whether the GPU read the driver's pages or the host copied; resources
 * of three times local memory stay exact; every format and the cursor look right; nothing stays in the GPU. Method: the
 * golden model, a driver's memory with known bytes, transfers at random against a copy of them in this test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "virtio/screen.h"

enum { MEMORY = 64 << 20, GUEST_BYTES = 8 << 20, GUEST_AT = MEMORY - GUEST_BYTES, SCREEN_AT = GUEST_AT - (4 << 20) };
enum { WIDTH = 50, HEIGHT = 90, PITCH = WIDTH * 4, PAGE = 4096, LOCAL = 1 << 20 };

static struct transport transport;
static struct tessera *tessera;
static struct painter *painter;
static struct virtio_gpu_painter table;
static uint8_t *system_memory;
static char message[256];

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    if (address > GUEST_BYTES || bytes > GUEST_BYTES - address) return NULL;
    return system_memory + GUEST_AT + address;
}

/* Without pages the painter has to copy, as for a board. */
static void open_painter(bool has_pages)
{
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1, .segment2_bytes = LOCAL};
    const struct tessera_options open_options = {.seed = 3, .own_bytes = MEMORY - SCREEN_AT};
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    system_memory = device_engine(device)->system;
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &open_options, message), TESSERA_OK);
    struct painter_options of_painter = {.memory = {NULL, at}};
    if (has_pages) {
        of_painter.system = system_memory;
        of_painter.screen = SCREEN_AT;
        of_painter.guest = GUEST_AT;
        of_painter.guest_bytes = GUEST_BYTES;
    }
    painter = painter_create(tessera, &of_painter, message);
    assert_non_null(painter);
    painter_table(painter, &table);
    for (uint32_t i = 0; i < GUEST_BYTES; i++) system_memory[GUEST_AT + i] = (uint8_t)(i * 7 + i / 251 + i / PAGE * 13);
}

static void close_painter(void)
{
    uint32_t statistics[TESSERA_STATISTICS];
    assert_string_equal(painter_message(painter), "");
    painter_destroy(painter);
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    assert_int_equal(statistics[TESSERA_STATISTIC_RESIDENT_PAGES_2], 0);
    assert_int_equal(statistics[TESSERA_STATISTIC_MAPPED_PAGES], 0);
    tessera_close(tessera);
}

static uint32_t below(uint32_t limit)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

/* ------------------------------------------------------------------ transfers */

static struct virtio_gpu_entry entries[8];
static uint32_t entry_count;
static uint8_t expected[HEIGHT * PITCH], pixels[HEIGHT * PITCH];

/* A byte of the backing; false behind its end. */
static bool backing(uint64_t offset, uint8_t *byte)
{
    for (uint32_t i = 0; i < entry_count; i++) {
        if (offset < entries[i].bytes) {
            *byte = *at(NULL, entries[i].address + offset, 1);
            return true;
        }
        offset -= entries[i].bytes;
    }
    return false;
}

/* What is behind the end of the backing stays; of whole pages, a last one is part of it. */
static void expect(const struct virtio_gpu_rectangle *part, uint64_t offset)
{
    if (offset > UINT32_MAX) return; /* and does not go around */
    for (uint32_t y = 0; y < part->height; y++)
        for (uint32_t i = 0; i < part->width * 4u; i++)
            (void)backing(offset + y * (uint64_t)PITCH + i, &expected[(part->y + y) * PITCH + part->x * 4u + i]);
}

static void check_content(uint32_t place)
{
    const struct virtio_gpu_rectangle whole = {0, 0, WIDTH, HEIGHT};
    memset(pixels, 0x99, sizeof pixels);
    assert_true(painter_read(painter, place, &whole, pixels, PITCH));
    assert_memory_equal(pixels, expected, sizeof pixels);
}

static void transfer_at_random(uint32_t place)
{
    struct virtio_gpu_rectangle part = {below(WIDTH), below(HEIGHT), 0, 0};
    if (below(3) == 0) part.x = 0;
    part.width = below(3) == 0 ? WIDTH - part.x : 1 + below(WIDTH - part.x);
    part.height = 1 + below(HEIGHT - part.y);
    uint64_t offset = part.y * (uint64_t)PITCH + part.x * 4u;
    if (below(4) == 0) offset = below(HEIGHT * PITCH);
    if (below(20) == 0) offset = UINT64_MAX - below(100);
    *at(NULL, below(GUEST_BYTES), 1) ^= 0x55; /* the driver goes on writing */
    assert_true(table.transfer(table.context, place, &part, offset));
    expect(&part, offset);
}

/* `unit`: entries are multiples of so many bytes and begin at them. */
static void transfer_from(uint32_t unit, uint32_t bytes, uint32_t place)
{
    uint32_t left = bytes;
    for (entry_count = 0; left != 0; entry_count++) {
        assert_true(entry_count < 8);
        const uint32_t some = entry_count == 7 ? left : unit * (1 + below(bytes / unit / 4 + 1));
        entries[entry_count].bytes = some < left ? some : left;
        entries[entry_count].address = unit * (uint64_t)below((GUEST_BYTES - bytes) / unit);
        left -= entries[entry_count].bytes;
    }
    assert_true(table.create(table.context, place, WIDTH, HEIGHT));
    memset(expected, 0, sizeof expected);
    check_content(place);
    assert_true(table.attach(table.context, place, entries, entry_count));
    for (uint32_t round = 0; round < 60; round++) {
        transfer_at_random(place);
        if (round % 6 == 0) check_content(place);
    }
    check_content(place);
    table.detach(table.context, place);
    table.destroy(table.context, place);
}

enum { FULL = (HEIGHT * PITCH + PAGE - 1) / PAGE * PAGE };

static void test_pages(void **state)
{
    (void)state;
    open_painter(true);
    transfer_from(PAGE, FULL, 0);
    transfer_from(PAGE, FULL, 479);
    transfer_from(PAGE, 2 * PAGE, 3); /* shorter than the picture */
    transfer_from(PAGE, 0, 3);        /* none at all */
    assert_true(painter_counts(painter)->in_place > 100);
    close_painter();
}

static void test_copied(void **state)
{
    (void)state;
    open_painter(true);
    transfer_from(4, FULL, 0);
    transfer_from(1, HEIGHT * PITCH - 5, 1);
    assert_int_equal(painter_counts(painter)->in_place, 0);
    close_painter();
    open_painter(false); /* as with a board */
    transfer_from(PAGE, FULL, 0);
    assert_int_equal(painter_counts(painter)->in_place, 0);
    assert_true(painter_counts(painter)->copied > 0);
    close_painter();
}

static void test_refused(void **state)
{
    (void)state;
    static const struct virtio_gpu_entry outside[] = {{GUEST_BYTES, PAGE, 0},
                                                      {GUEST_BYTES - PAGE, 2 * PAGE, 0},
                                                      {UINT64_MAX - 4095, PAGE, 0},
                                                      {1ull << 40, PAGE, 0},
                                                      {GUEST_BYTES - 3, 4, 0}};
    open_painter(true);
    assert_true(table.create(table.context, 0, WIDTH, HEIGHT));
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_false(table.attach(table.context, 0, &outside[i], 1));
    assert_false(table.create(table.context, 1, PAGE / 4, LOCAL / PAGE + 1)); /* larger than local memory */
    assert_int_equal(strncmp(painter_message(painter), "create: ", 8), 0);
    assert_int_equal(painter_counts(painter)->too_large, 1); /* the GPU has not failed */
    assert_int_equal(painter_counts(painter)->failures, 0);
    painter_destroy(painter);
    tessera_close(tessera);
}

static void fail_next(void)
{
    const uint32_t force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_FAIL_STEP);
    assert_int_equal(tessera_register_write(tessera, HOST_FORCE_OFFSET, force), TESSERA_OK);
}

/* A transfer and a look at a picture for which no room is made: one sentence each, and the next ones are done. What is
 * left when the painter goes, goes with it. */
static void test_failures(void **state)
{
    (void)state;
    enum { SIDE = 256, BYTES = SIDE * SIDE * 4, COUNT = LOCAL / BYTES + 1 };
    static uint8_t shown[BYTES];
    static const struct virtio_gpu_rectangle whole = {0, 0, SIDE, SIDE};
    uint32_t statistics[TESSERA_STATISTICS];
    open_painter(true);
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct virtio_gpu_entry entry = {i * (uint64_t)BYTES, BYTES, 0};
        assert_true(table.create(table.context, i, SIDE, SIDE));
        assert_true(table.attach(table.context, i, &entry, 1));
        if (i == COUNT - 1) fail_next();
        assert_int_equal(table.transfer(table.context, i, &whole, 0), i < COUNT - 1);
    }
    assert_int_equal(strncmp(painter_message(painter), "transfer: NO_PLACEMENT", 22), 0);
    assert_false(painter_read(painter, COUNT - 1, &whole, shown, SIDE * 4));
    assert_int_equal(strncmp(painter_message(painter), "flush: NO_PLACEMENT", 19), 0);
    assert_int_equal(tessera_register_write(tessera, HOST_FORCE_OFFSET, 0), TESSERA_OK);
    assert_true(table.transfer(table.context, COUNT - 1, &whole, 0));
    assert_true(painter_read(painter, COUNT - 1, &whole, shown, SIDE * 4));
    assert_memory_equal(shown, at(NULL, (COUNT - 1) * (uint64_t)BYTES, BYTES), BYTES);
    assert_int_equal(painter_counts(painter)->failures, 2);
    painter_destroy(painter);
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    assert_int_equal(statistics[TESSERA_STATISTIC_RESIDENT_PAGES_2], 0);
    assert_int_equal(statistics[TESSERA_STATISTIC_MAPPED_PAGES], 0);
    tessera_close(tessera);
}

/* Pages are attached when the GPU has no number left for an allocation: a sentence, and later they are. */
static void test_no_number(void **state)
{
    (void)state;
    enum { MOST = LIMIT_BITS_ALLOCATIONS + 64 };
    static struct tessera_allocation *others[MOST];
    static const struct tessera_allocation_options options = {.bytes = PAGE, .read_set = 2, .write_set = 2};
    static const struct virtio_gpu_rectangle whole = {0, 0, WIDTH, HEIGHT};
    uint32_t count = 0;
    open_painter(true);
    entries[0] = (struct virtio_gpu_entry){8 * PAGE, FULL, 0};
    entry_count = 1;
    assert_true(table.create(table.context, 7, WIDTH, HEIGHT));
    while (count < MOST && tessera_allocation_create(tessera, &options, &others[count]) == TESSERA_OK) count++;
    assert_in_range(count, 1000, MOST - 1);
    assert_false(table.attach(table.context, 7, entries, 1));
    assert_int_equal(strncmp(painter_message(painter), "attach: ", 8), 0);
    assert_int_equal(painter_counts(painter)->failures, 1);
    assert_true(table.transfer(table.context, 7, &whole, 0)); /* it has no backing, and nothing is read */
    for (uint32_t i = 0; i < count; i++) assert_int_equal(tessera_allocation_destroy(tessera, others[i]), TESSERA_OK);
    assert_true(table.attach(table.context, 7, entries, 1));
    assert_true(table.transfer(table.context, 7, &whole, 0));
    memset(expected, 0, sizeof expected);
    expect(&whole, 0);
    check_content(7);
    assert_int_equal(painter_counts(painter)->failures, 1);
    painter_destroy(painter);
    tessera_close(tessera);
}

/* ------------------------------------------------------------------ more than memory holds */

static void test_evicted(void **state)
{
    (void)state;
    enum { SIDE = 256, BYTES = SIDE * SIDE * 4, COUNT = 3 * LOCAL / BYTES };
    static uint8_t shown[BYTES];
    const struct virtio_gpu_rectangle whole = {0, 0, SIDE, SIDE};
    uint32_t statistics[TESSERA_STATISTICS];
    open_painter(true);
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct virtio_gpu_entry entry = {i * (uint64_t)BYTES, BYTES, 0};
        assert_true(table.create(table.context, i, SIDE, SIDE));
        assert_true(table.attach(table.context, i, &entry, 1));
        assert_true(table.transfer(table.context, i, &whole, 0));
    }
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_true(painter_read(painter, i, &whole, shown, SIDE * 4));
            assert_memory_equal(shown, at(NULL, i * (uint64_t)BYTES, BYTES), BYTES);
        }
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    assert_true(statistics[TESSERA_STATISTIC_EVICTIONS] > COUNT);
    for (uint32_t i = 0; i < COUNT; i++) table.destroy(table.context, i);
    close_painter();
}

/* ------------------------------------------------------------------ what is shown */

static void fill(uint32_t place, const uint8_t pixel[4], uint32_t width, uint32_t height)
{
    const struct virtio_gpu_entry entry = {0, 4 * PAGE, 0};
    const struct virtio_gpu_rectangle whole = {0, 0, width, height};
    for (uint32_t i = 0; i < 4 * PAGE; i++) *at(NULL, i, 1) = pixel[i % 4];
    assert_true(table.create(table.context, place, width, height));
    assert_true(table.attach(table.context, place, &entry, 1));
    assert_true(table.transfer(table.context, place, &whole, 0));
}

static void test_formats(void **state)
{
    (void)state;
    static const struct {
        uint32_t format;
        uint8_t pixel[4]; /* blue 10, green 20, red 30, alpha or anything 40 */
    } formats[] = {{VIRTIO_BGRA, {10, 20, 30, 40}}, {VIRTIO_BGRX, {10, 20, 30, 40}}, {VIRTIO_ARGB, {40, 30, 20, 10}},
                   {VIRTIO_XRGB, {40, 30, 20, 10}}, {VIRTIO_RGBA, {30, 20, 10, 40}}, {VIRTIO_RGBX, {30, 20, 10, 40}},
                   {VIRTIO_ABGR, {40, 10, 20, 30}}, {VIRTIO_XBGR, {40, 10, 20, 30}}};
    static const struct virtio_gpu_rectangle part = {5, 6, 40, 30};
    struct virtio_gpu_display display;
    uint32_t width, height;
    open_painter(true);
    struct screen *screen = screen_create(painter);
    screen_table(screen, &display);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        fill(0, formats[i].pixel, 64, 64);
        assert_null(screen_picture(screen, &width, &height));
        display.show(display.context, 0, 0, formats[i].format, &part);
        assert_true(screen_changed(screen));
        assert_false(screen_changed(screen));
        const uint8_t *picture = screen_picture(screen, &width, &height);
        assert_int_equal(width, 40);
        assert_int_equal(height, 30);
        for (uint32_t at_pixel = 0; at_pixel < 40 * 30; at_pixel++)
            assert_memory_equal(picture + 4 * at_pixel, "\x0a\x14\x1e\xff", 4);
        display.show(display.context, 0, VIRTIO_GPU_NOTHING, 0, &part);
        table.destroy(table.context, 0);
    }
    screen_destroy(screen);
    close_painter();
}

/* A flushed part alone becomes what the resource has; the cursor lies over it, its hot spot at its place. */
static void test_cursor(void **state)
{
    (void)state;
    static const uint8_t grey[4] = {100, 100, 100, 0}, red[4] = {0, 0, 128, 128};
    static const struct virtio_gpu_rectangle whole = {0, 0, 64, 64}, part = {2, 3, 1, 2};
    struct virtio_gpu_display display;
    uint32_t width, height;
    open_painter(true);
    struct screen *screen = screen_create(painter);
    screen_table(screen, &display);
    fill(0, grey, 64, 64);
    fill(1, red, 64, 64); /* half transparent */
    display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
    assert_true(table.transfer(table.context, 0, &whole, 0)); /* now it is red, too, and nobody has said so */
    display.flush(display.context, 0, &part);
    const uint8_t *picture = screen_picture(screen, &width, &height);
    for (uint32_t i = 0; i < 64 * 64; i++) {
        const bool is_part = i % 64 == 2 && (i / 64 == 3 || i / 64 == 4);
        assert_memory_equal(picture + 4 * i, is_part ? "\0\0\x80\xff" : "\x64\x64\x64\xff", 4);
    }
    display.cursor(display.context, 0, 1, VIRTIO_BGRA, 4, 5);
    display.move(display.context, 0, 60, 1); /* its corner is at 56, -4 */
    picture = screen_picture(screen, &width, &height);
    assert_memory_equal(picture + 4 * (59 * 64 + 57), "\x31\x31\xb1\xff", 4);
    assert_memory_equal(picture + 4 * (60 * 64 + 57), "\x64\x64\x64\xff", 4);
    assert_memory_equal(picture + 4 * (10 * 64 + 55), "\x64\x64\x64\xff", 4);
    assert_memory_equal(picture + 4 * 63, "\x31\x31\xb1\xff", 4);
    display.cursor(display.context, 0, 1, VIRTIO_BGRX, 0, 0); /* without alpha all of it covers */
    display.move(display.context, 0, 0, 0);
    picture = screen_picture(screen, &width, &height);
    for (uint32_t i = 0; i < 64 * 64; i++) assert_memory_equal(picture + 4 * i, "\0\0\x80\xff", 4);
    display.cursor(display.context, 0, VIRTIO_GPU_NOTHING, 0, 0, 0);
    picture = screen_picture(screen, &width, &height);
    assert_memory_equal(picture + 4 * 63, "\x64\x64\x64\xff", 4);
    table.destroy(table.context, 0);
    table.destroy(table.context, 1);
    screen_destroy(screen);
    close_painter();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages),    cmocka_unit_test(test_copied),
                                       cmocka_unit_test(test_refused),  cmocka_unit_test(test_evicted),
                                       cmocka_unit_test(test_formats),  cmocka_unit_test(test_cursor),
                                       cmocka_unit_test(test_failures), cmocka_unit_test(test_no_number)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
