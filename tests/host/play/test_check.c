/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge of played recordings, judged. Goal: it allows a pixel as many levels as it has gone through blends, and not
 * one more. Method: one pixel of a frame that SDL drew is spoiled by one level or two, after no blend, blends that are
 * none (alpha 0 and 255) and one and two real ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tools/picture/sdl2.h"
#include "clients/sdl/play/play_check.h"
#include "tools/recording/recording.h"

enum { SIDE = 4, BYTES = SIDE * SIDE * 4, WHITE = RECORDING_WHITE };

static struct play_check *judge;
static char message[256];

static void draw(const struct recording_event *event) { assert_int_equal(play_check_event(judge, event, message), 0); }

/* Surface 0 of one colour, surface 1 blended on it `count` times with this alpha. */
static void draw_blends(unsigned count, uint32_t alpha)
{
    const struct recording_rect whole = {0, 0, SIDE, SIDE};
    judge = play_check_create(1, message);
    assert_non_null(judge);
    for (uint32_t i = 0; i < 2; i++) {
        draw(&(struct recording_event){
            .kind = RECORDING_SURFACE, .surface = i, .format = RECORDING_XRGB8888, .rect = whole});
        draw(&(struct recording_event){
            .kind = RECORDING_FILL, .surface = i, .format = RECORDING_XRGB8888, .rect = whole, .unit = 0xff808080u});
    }
    for (unsigned i = 0; i < count; i++)
        draw(&(struct recording_event){.kind = RECORDING_BLIT,
                                       .surface = 0,
                                       .source = 1,
                                       .rect = whole,
                                       .mode = RECORDING_BLEND,
                                       .alpha = alpha,
                                       .colour = WHITE});
}

/* All pixels 0x808080 but one channel of pixel (2, 1), which is off by `levels`: how many are bad? */
static uint32_t bad(uint32_t levels, struct check_result *result)
{
    uint32_t pixels[SIDE * SIDE];
    for (unsigned i = 0; i < SIDE * SIDE; i++) pixels[i] = 0xff808080u;
    pixels[SIDE + 2] += levels << 8;
    struct check_picture *kept = play_check_keep(judge, 0);
    assert_non_null(kept);
    play_check_kept(judge, kept, (const uint8_t *)pixels, result);
    play_check_forget(kept);
    return result->bad;
}

static void test_depths(void **state)
{
    static const struct {
        unsigned blends;
        uint32_t alpha, depth;
    } rows[] = {{0, 0, 0}, {1, 255, 0}, {1, 0, 0}, {3, 255, 0}, {1, 128, 1}, {2, 128, 2}, {3, 100, 3}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct check_result result;
        draw_blends(rows[k].blends, rows[k].alpha);
        assert_int_equal(bad(0, &result), 0);
        assert_int_equal(result.largest_depth, rows[k].depth);
        assert_int_equal(result.blended, rows[k].depth != 0 ? SIDE * SIDE : 0);
        if (rows[k].depth != 0) assert_int_equal(bad(rows[k].depth, &result), 0);
        assert_int_equal(bad(rows[k].depth + 1, &result), 1);
        assert_int_equal(result.x, 2);
        assert_int_equal(result.y, 1);
        assert_int_equal(result.exact_bad, rows[k].depth == 0);
        assert_int_equal(result.largest, rows[k].depth + 1);
        play_check_destroy(judge);
    }
}

/* What is drawn later does not count, and counts for a picture kept later. */
static void test_kept(void **state)
{
    uint32_t pixels[SIDE * SIDE];
    struct check_result result;
    (void)state;
    for (unsigned i = 0; i < SIDE * SIDE; i++) pixels[i] = 0xff808080u;
    draw_blends(0, 0);
    struct check_picture *first = play_check_keep(judge, 0);
    draw(&(struct recording_event){
        .kind = RECORDING_FILL, .surface = 0, .format = RECORDING_XRGB8888, .rect = {1, 2, 2, 1}, .unit = 0xff000000u});
    struct check_picture *second = play_check_keep(judge, 0);
    assert_true(first != NULL && second != NULL);
    play_check_kept(judge, first, (const uint8_t *)pixels, &result);
    play_check_forget(first);
    assert_int_equal(result.bad, 0);
    play_check_kept(judge, second, (const uint8_t *)pixels, &result);
    play_check_forget(second);
    assert_int_equal(result.bad, 2);
    assert_int_equal(result.x, 1);
    assert_int_equal(result.y, 2);
    play_check_destroy(judge);
}

/* A source of one unit is left out by a key of its colour, whatever the other bits of both are; another is drawn. */
static void test_keys(void **state)
{
    static const struct {
        enum recording_format format;
        uint32_t unit, key;
    } rows[] = {{RECORDING_RGB565, 0xf81f, 0x1234f81f},
                {RECORDING_XRGB8888, 0x00ff00ff, 0xffff00ff},
                {RECORDING_XRGB8888, 0xffff00ff, 0x00ff00ff},
                {RECORDING_XRGB8888, 0x12ff00ff, 0x34ff00ff},
                {RECORDING_ARGB8888, 0x80ff00ff, 0x00ff00ff},
                {RECORDING_RGB888, 0xff00ff, 0xffff00ff},
                {RECORDING_RGB888, 0xff00ff, 0x00ff00ff},
                {RECORDING_ARGB1555, 0xfc1f, 0x7c1f},
                {RECORDING_ARGB1555, 0x7c1f, 0xabcdfc1f},
                {RECORDING_XRGB1555, 0xfc1f, 0x7c1f},
                {RECORDING_XRGB1555, 0x7c1f, 0xffff7c1f},
                {RECORDING_INDEX8, 0, 0x100},
                {RECORDING_INDEX8, 0, 0xffffff00}};
    static const enum recording_mode modes[] = {RECORDING_KEY, RECORDING_KEYED_ADD, RECORDING_KEYED_BLEND};
    const struct recording_rect whole = {0, 0, SIDE, SIDE};
    (void)state;
    for (size_t k = 0; k < 6 * sizeof rows / sizeof *rows; k++) {
        const enum recording_format format = rows[k / 6].format;
        const enum recording_mode mode = modes[k % 3];
        const uint32_t other = k % 6 < 3 ? 0 : 4; /* a bit of the colour */
        uint8_t units[BYTES];
        struct check_result result;
        if (mode != RECORDING_KEY && (recording_has_alpha(format) || format == RECORDING_INDEX8)) continue;
        draw_blends(0, 0);
        draw(&(struct recording_event){.kind = RECORDING_SURFACE, .surface = 2, .format = format, .rect = whole});
        for (uint32_t i = 0, bytes = recording_unit_bytes((uint32_t)format); i < SIDE * SIDE; i++)
            memcpy(units + (size_t)i * bytes, &rows[k / 6].unit, bytes);
        draw(&(struct recording_event){.kind = RECORDING_PIXELS, .surface = 2, .rect = whole, .pixels = units});
        draw(&(struct recording_event){.kind = RECORDING_BLIT,
                                       .surface = 0,
                                       .source = 2,
                                       .rect = whole,
                                       .mode = mode,
                                       .key = rows[k / 6].key ^ other,
                                       .alpha = mode == RECORDING_KEYED_BLEND ? 128 : 255,
                                       .colour = WHITE});
        const uint32_t differing = bad(0, &result) != 0 || result.largest_depth != 0;
        assert_int_equal(differing, other != 0);
        play_check_destroy(judge);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_depths), cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_keys)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
