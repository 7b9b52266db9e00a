/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every picture that the GPU draws for a running program arrives whole, however its pipe takes it, and a pipe
 * that takes none ends the work without a failure; and pictures of a mode's size are what the display shows after
 * flips. Method: a recording of three frames on the golden model, with a write() in between that is interrupted by
 * signals before the first byte, takes a few bytes at a time, or fails; then screens of several sizes and formats.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "clients/sdl/live/live_gpu.h"
#include "clients/sdl/record/drawn.h"
#include "tools/recording/recording.h"

enum { SCREEN, WIDTH = 20, HEIGHT = 12, FRAMES = 3, PICTURE = WIDTH * HEIGHT * 4, PIECE = 7 };
enum { WHOLE = (int)(FRAMES * (sizeof(struct drawn_header) + PICTURE)) };

/* How the pipe takes what is written; `stop`: which call of write() ends it, 0: none. */
static struct {
    int file, calls, stop, stop_error;
    bool is_interrupted, is_slow;
    size_t bytes;
} taker;
static uint8_t small[WHOLE], *taken = small;
static size_t taken_room = sizeof small;

ssize_t __real_write(int file, const void *bytes, size_t count);
ssize_t __wrap_write(int file, const void *bytes, size_t count);
ssize_t __wrap_write(int file, const void *bytes, size_t count)
{
    if (file != taker.file) return __real_write(file, bytes, count);
    taker.calls++;
    assert_true(taker.calls < 10000);
    if (taker.calls == taker.stop) {
        errno = taker.stop_error;
        return taker.stop_error != 0 ? -1 : 0;
    }
    if (taker.is_interrupted && taker.calls % 3 != 0) {
        errno = EINTR;
        return -1;
    }
    if (taker.is_slow && count > PIECE) count = PIECE;
    assert_true(taker.bytes + count <= taken_room);
    memcpy(taken + taker.bytes, bytes, count);
    taker.bytes += count;
    return (ssize_t)count;
}

static uint32_t unit_of(uint32_t frame) { return 0xff000000u | 0x102030u * (frame + 1u); }

static void write_frames(struct recording_writer *writer)
{
    const struct recording_rect all = {0, 0, WIDTH, HEIGHT};
    struct recording_event event = {
        .kind = RECORDING_SURFACE, .surface = SCREEN, .format = RECORDING_XRGB8888, .rect = all};
    assert_int_equal(recording_add(writer, &event), 0);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        event =
            (struct recording_event){.kind = RECORDING_FILL, .surface = SCREEN, .rect = all, .unit = unit_of(frame)};
        assert_int_equal(recording_add(writer, &event), 0);
        event = (struct recording_event){.kind = RECORDING_PRESENT, .surface = SCREEN};
        assert_int_equal(recording_add(writer, &event), 0);
    }
}

static void write_recording(const char *path, void (*write_events)(struct recording_writer *writer))
{
    struct recording_writer *writer = recording_create(path);
    assert_non_null(writer);
    write_events(writer);
    assert_int_equal(recording_finish(writer), 0);
}

/* The recording is served; what arrives is in `taken`. */
static bool serve(void (*write_events)(struct recording_writer *writer), struct live_result *result)
{
    static const struct option_limits limits;
    char message[256] = "", folder[] = "/tmp/tessera-live-gpu-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/recording", folder);
    write_recording(path, write_events);
    const int events = open(path, O_RDONLY);
    taker.file = open("/dev/null", O_WRONLY);
    assert_true(events >= 0 && taker.file >= 0);
    struct live_gpu *gpu = live_gpu_open("model", &limits, message);
    if (gpu == NULL) fail_msg("%s", message);
    memset(result, 0, sizeof *result);
    const bool is_good = live_gpu_serve(gpu, events, taker.file, result);
    live_gpu_close(gpu);
    close(taker.file);
    close(events);
    unlink(path);
    rmdir(folder);
    taker.file = -1;
    return is_good;
}

static void expect_pictures(uint32_t frames)
{
    const size_t each = sizeof(struct drawn_header) + PICTURE;
    assert_int_equal(taker.bytes, frames * each);
    for (uint32_t frame = 0; frame < frames; frame++) {
        struct drawn_header header;
        memcpy(&header, taken + frame * each, sizeof header);
        assert_int_equal(header.frame, frame);
        assert_int_equal(header.bytes, PICTURE);
        for (uint32_t i = 0; i < PICTURE / 4; i++) {
            uint32_t unit;
            memcpy(&unit, taken + frame * each + sizeof header + 4u * i, 4);
            assert_int_equal(unit, unit_of(frame));
        }
    }
}

/* Nothing is lost and nothing comes twice. */
static void whole(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 4; how++) {
        struct live_result result;
        memset(&taker, 0, sizeof taker);
        taker.is_interrupted = (how & 1u) != 0;
        taker.is_slow = (how & 2u) != 0;
        assert_true(serve(write_frames, &result));
        assert_false(result.has_failed);
        assert_int_equal(result.frames, FRAMES);
        expect_pictures(FRAMES);
    }
}

/* The program has gone, or its pipe takes nothing: no more is drawn, and that is no failure. */
static void gone(void **state)
{
    static const struct {
        int stop, error;
        uint32_t frames;
    } ends[] = {{1, EPIPE, 1}, {2, EPIPE, 1}, {3, EPIPE, 2}, {1, 0, 1}, {4, 0, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct live_result result;
        memset(&taker, 0, sizeof taker);
        taker.stop = ends[i].stop;
        taker.stop_error = ends[i].error;
        assert_true(serve(write_frames, &result));
        assert_false(result.has_failed);
        assert_int_equal(result.frames, ends[i].frames);
        assert_int_equal(taker.calls, ends[i].stop);
    }
}

/* ------------------------------------------------------------------ flips */

enum { SHOWS = 8, LARGEST = 800 * 600 };

struct screen {
    enum recording_format format;
    uint32_t width, height;
};

/* By show: the screen is another one now and then, also of the same size, of a size that is no mode, and of a format
 * that the display does not have. Of every screen the third picture is the second. */
static const struct screen screens[SHOWS] = {
    {RECORDING_XRGB8888, 640, 480}, {RECORDING_XRGB8888, 640, 480}, {RECORDING_RGB565, 640, 480},
    {RECORDING_RGB565, 800, 600},   {RECORDING_XRGB8888, 320, 200}, {RECORDING_XRGB8888, 800, 600},
    {RECORDING_ARGB8888, 640, 480}, {RECORDING_RGB565, 640, 480},
};
enum { PICTURES = 3 };
static const uint32_t flipped_pictures = (SHOWS - 2) * PICTURES;
static uint8_t expected[SHOWS * PICTURES][LARGEST * 4];
static uint32_t expected_bytes[SHOWS * PICTURES];

static uint32_t some_unit(enum recording_format format, uint32_t seed)
{
    const uint32_t unit = seed * 2654435761u >> 3;
    return format == RECORDING_RGB565 ? unit & 0xffffu : 0xff000000u | (unit & 0xffffffu);
}

static void paint(uint8_t *to, const struct screen *screen, const struct recording_rect *rect, uint32_t unit)
{
    const uint32_t bytes = recording_unit_bytes((uint32_t)screen->format);
    for (uint32_t y = rect->y; y < rect->y + rect->height; y++)
        for (uint32_t x = rect->x; x < rect->x + rect->width; x++)
            memcpy(to + ((size_t)y * screen->width + x) * bytes, &unit, bytes);
}

static void write_shows(struct recording_writer *writer)
{
    for (uint32_t i = 0; i < SHOWS * PICTURES; i++) {
        const struct screen *screen = &screens[i / PICTURES];
        const uint32_t bytes = screen->width * screen->height * recording_unit_bytes((uint32_t)screen->format);
        struct recording_rect rect = {0, 0, screen->width, screen->height};
        struct recording_event event = {
            .kind = RECORDING_SURFACE, .surface = SCREEN, .format = screen->format, .rect = rect};
        if (i % PICTURES == 0) assert_int_equal(recording_add(writer, &event), 0);
        if (i % PICTURES != 0) memcpy(expected[i], expected[i - 1], bytes);
        for (uint32_t k = 0; k < 40 && i % PICTURES != 2; k++) {
            if (k != 0) rect = (struct recording_rect){(i * 31u + k * 17u) % 200u, (k * 53u) % 150u, 90, 3 + k % 40u};
            const uint32_t unit = some_unit(screen->format, i * 64u + k);
            event = (struct recording_event){.kind = RECORDING_FILL, .surface = SCREEN, .rect = rect, .unit = unit};
            if (k == 0 && i % PICTURES != 0) continue; /* a part of the picture changes */
            assert_int_equal(recording_add(writer, &event), 0);
            paint(expected[i], screen, &rect, unit);
        }
        event = (struct recording_event){.kind = RECORDING_PRESENT, .surface = SCREEN};
        assert_int_equal(recording_add(writer, &event), 0);
        expected_bytes[i] = bytes;
        event = (struct recording_event){.kind = RECORDING_FREE, .surface = SCREEN};
        if (i % PICTURES == 2) assert_int_equal(recording_add(writer, &event), 0);
    }
}

/* What the display shows, or what is read back: the same, in the surface's format. */
static void flips(void **state)
{
    struct live_result result;
    size_t at = 0;
    (void)state;
    memset(&taker, 0, sizeof taker);
    taken_room = sizeof expected + SHOWS * PICTURES * sizeof(struct drawn_header);
    taken = malloc(taken_room);
    assert_non_null(taken);
    assert_true(serve(write_shows, &result));
    assert_false(result.has_failed);
    assert_int_equal(result.frames, SHOWS * PICTURES);
    assert_int_equal(result.flipped, flipped_pictures);
    assert_string_equal(result.read_back, "the display has no mode of 640 x 480 in their format");
    for (uint32_t i = 0; i < SHOWS * PICTURES; i++) {
        struct drawn_header header;
        memcpy(&header, taken + at, sizeof header);
        assert_int_equal(header.frame, i);
        assert_int_equal(header.bytes, expected_bytes[i]);
        if (memcmp(taken + at + sizeof header, expected[i], expected_bytes[i]) != 0) fail_msg("picture %u differs", i);
        at += sizeof header + expected_bytes[i];
    }
    assert_int_equal(at, taker.bytes);
    free(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(gone), cmocka_unit_test(flips)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", 3 - failed, failed);
    return failed;
}
