/* SPDX-License-Identifier: Apache-2.0
 *
 * LVGL's flushes as flips (host/clients/lvgl/lv_tessera_display.h) on the golden model's display. Goal: in each of
 * LVGL's render modes every frame at the display's pins is a refresh of LVGL's, whole, and the last one is shown.
 * Method: refreshes of random areas and pixels are flushed as LVGL does it, from buffers that are overwritten
 * afterwards as LVGL may; each frame is compared with the pictures after each refresh. tests/host/play/lvgl/ stands in
 * for LVGL.
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
#include "gpu_spec.h"
#include "lvgl_bench.h"
#include "clients/lvgl/lv_tessera_display.h"

enum { COLUMNS = 640, ROWS = 480, PIXELS = COLUMNS * ROWS, REFRESHES = 6, AREAS = 3, MANY_AREAS = 40 };
enum render { PARTIAL, DIRECT, FULL, MODES };

/* XRGB8888: what is shown, what the refresh makes of it, and between them a refresh that was not waited for. */
static uint32_t now_shown[PIXELS], next_shown[PIXELS], between[PIXELS];
static uint32_t frames, torn, fresh, random_state = 1;
static lv_layer_t layer;
static lv_display_t display;
static lv_draw_buf_t buffer;

static uint32_t pick(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void take_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                       uint64_t cycle)
{
    (void)context, (void)frame, (void)cycle;
    frames++;
    const bool is_old = columns == COLUMNS && rows == ROWS && memcmp(pixels, now_shown, sizeof now_shown) == 0;
    const bool is_new = columns == COLUMNS && rows == ROWS && memcmp(pixels, next_shown, sizeof next_shown) == 0;
    const bool is_between = columns == COLUMNS && rows == ROWS && memcmp(pixels, between, sizeof between) == 0;
    torn += !is_old && !is_new && !is_between;
    fresh += is_new;
}

/* ------------------------------------------------------------------ LVGL's part */

static uint32_t as_xrgb(uint32_t unit, uint32_t bytes)
{
    if (bytes == 4) return unit & 0xffffffu;
    const uint32_t red = unit >> 11, green = unit >> 5 & 63u, blue = unit & 31u;
    return (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8 | blue << 3 | blue >> 2;
}

static lv_area_t pick_area(void)
{
    const int32_t left = (int32_t)pick(COLUMNS), top = (int32_t)pick(ROWS);
    return (lv_area_t){left, top, left + (int32_t)pick((uint32_t)(COLUMNS - left)),
                       top + (int32_t)pick((uint32_t)(ROWS - top))};
}

/* New pixels in the area: in the buffer, from `first` on, and in the picture that is shown next. */
static void draw_area(const lv_area_t *area, uint8_t *first, uint32_t stride, uint32_t bytes)
{
    for (int32_t y = area->y1; y <= area->y2; y++)
        for (int32_t x = area->x1; x <= area->x2; x++) {
            const uint32_t unit = pick(1u << 24) ^ pick(1u << 24) << 8;
            memcpy(first + (uint32_t)(y - area->y1) * stride + (uint32_t)(x - area->x1) * bytes, &unit, bytes);
            next_shown[y * COLUMNS + x] = as_xrgb(bytes == 2 ? unit & 0xffffu : unit, bytes);
        }
}

static void flush_area(enum render mode, const lv_area_t *area, bool is_last)
{
    static const lv_area_t all = {0, 0, COLUMNS - 1, ROWS - 1};
    const uint32_t bytes = lv_color_format_get_size(layer.color_format);
    buffer.header = (lv_image_header_t){layer.color_format, COLUMNS, ROWS, COLUMNS * bytes, 0};
    display.wait(&display);
    if (mode == PARTIAL) {
        buffer.header.w = (uint32_t)lv_area_get_width(area);
        buffer.header.h = (uint32_t)lv_area_get_height(area);
        buffer.header.stride = buffer.header.w * bytes;
        draw_area(area, buffer.data, buffer.header.stride, bytes);
    } else
        draw_area(area, buffer.data + ((uint32_t)area->y1 * COLUMNS + (uint32_t)area->x1) * bytes, COLUMNS * bytes,
                  bytes);
    display.flushing_last = is_last;
    display.flush(&display, mode == FULL ? &all : area, buffer.data);
}

static void refresh_one(enum render mode)
{
    const lv_area_t area = pick_area();
    flush_area(mode, &area, true);
}

static void refresh(enum render mode, uint32_t areas)
{
    for (uint32_t i = 1; i < areas; i++) {
        const lv_area_t area = pick_area();
        flush_area(mode, &area, false);
    }
    refresh_one(mode);
    if (mode != PARTIAL) return;
    display.wait(&display);
    memset(buffer.data, 0xa5, 4096); /* the buffer is LVGL's again */
}

/* ------------------------------------------------------------------ tests */

static void begin_display(lv_color_format_t format, bool is_shared)
{
    const size_t bytes = (size_t)PIXELS * lv_color_format_get_size(format);
    struct display_model *model = device_display(bench_device());
    layer = (lv_layer_t){.color_format = format};
    display = (lv_display_t){.width = COLUMNS, .height = ROWS, .layer_head = &layer, .buf_act = &buffer};
    buffer.data = is_shared ? lv_draw_buf_get_handlers()->buf_malloc_cb(bytes, format) : malloc(bytes);
    assert_non_null(buffer.data);
    memset(buffer.data, 0, bytes);
    memset(now_shown, 0, sizeof now_shown);
    memset(next_shown, 0, sizeof next_shown);
    memset(between, 0, sizeof between);
    frames = torn = 0;
    model->on_frame = take_frame;
    assert_int_equal(lv_tessera_display_begin(&display), TESSERA_OK);
}

static void end_display(bool is_shared)
{
    lv_tessera_display_end();
    if (is_shared) lv_draw_buf_get_handlers()->buf_free_cb(buffer.data);
    else free(buffer.data);
}

/* Until a frame is the refresh. */
static void await_fresh(void)
{
    fresh = 0;
    for (int blanks = 0; blanks < 8 && fresh == 0; blanks++) bench_await_blank();
    assert_true(fresh > 0);
    memcpy(now_shown, next_shown, sizeof now_shown);
}

/* The copy takes longer than a frame: what is shown does not change before it is done. */
static void show_slowly(enum render mode)
{
    device_hang(bench_device(), 0);
    refresh_one(mode);
    memcpy(between, now_shown, sizeof between);
    fresh = 0;
    for (int blanks = 0; blanks < 2; blanks++) bench_await_blank();
    assert_int_equal(fresh, 0);
    device_release(bench_device(), 0);
    await_fresh();
}

static void show_refreshes(enum render mode, lv_color_format_t format, bool is_shared)
{
    begin_display(format, is_shared);
    for (uint32_t i = 0; i < REFRESHES; i++) {
        refresh(mode, i == 3 ? MANY_AREAS : mode == FULL ? 1 : 1 + pick(AREAS));
        if (i % 2 == 0) await_fresh();
        else memcpy(between, next_shown, sizeof between);
    }
    await_fresh();
    if (is_shared) show_slowly(mode);
    const struct lv_tessera_display_counts counts = lv_tessera_display_counts();
    assert_int_equal(counts.flips, REFRESHES + is_shared);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(counts.repeated == 0, mode == FULL);
    assert_int_equal(torn, 0);
    end_display(is_shared);
}

static void show_modes(bool is_shared)
{
    for (int mode = PARTIAL; mode < MODES; mode++) {
        show_refreshes((enum render)mode, LV_COLOR_FORMAT_RGB565, is_shared);
        show_refreshes((enum render)mode, LV_COLOR_FORMAT_XRGB8888, is_shared);
    }
}

static void test_shared(void **state)
{
    (void)state;
    show_modes(true);
}

static void test_travelling(void **state)
{
    (void)state;
    show_modes(false);
}

static void test_refusals(void **state)
{
    (void)state;
    layer = (lv_layer_t){.color_format = LV_COLOR_FORMAT_XRGB8888};
    display = (lv_display_t){.width = COLUMNS, .height = ROWS - 1, .layer_head = &layer, .buf_act = &buffer};
    assert_int_equal(lv_tessera_display_begin(&display), TESSERA_MISUSE); /* no mode of that size */
    display.height = ROWS;
    layer.color_format = LV_COLOR_FORMAT_L8;
    assert_int_equal(lv_tessera_display_begin(&display), TESSERA_MISUSE);
    assert_null(display.flush);
    begin_display(LV_COLOR_FORMAT_RGB565, false);
    assert_int_equal(lv_tessera_display_begin(&display), TESSERA_MISUSE); /* there is one */
    refresh(PARTIAL, 1);
    await_fresh();
    end_display(false);
    lv_tessera_display_end();
    begin_display(LV_COLOR_FORMAT_ARGB8888, false); /* and after it another */
    end_display(false);
}

int main(void)
{
    const struct CMUnitTest shared[] = {cmocka_unit_test(test_shared)};
    const struct CMUnitTest others[] = {cmocka_unit_test(test_travelling), cmocka_unit_test(test_refusals)};
    const int failed = cmocka_run_group_tests(shared, bench_open_shared, bench_close) +
                       cmocka_run_group_tests(others, bench_open, bench_close);
    printf("%d passed, %d failed\n", 3 - failed, failed);
    return failed;
}
