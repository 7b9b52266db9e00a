/* SPDX-License-Identifier: Apache-2.0
 *
 * The LVGL draw unit (host/clients/lvgl/) on the golden model: images scaled without antialiasing come from the pixels
 * that LVGL's renderer takes (its arithmetic stands here once more, pixel by pixel) and fade at their edges as there;
 * recoloured ones, gradients, and what LVGL's renderer draws as a picture, mixed as documented. make test-lvgl-real
 * compares with LVGL itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu_spec.h"
#include "lvgl_bench.h"
#include "pixel_model.h"
#include "stand_in_draw.h"

enum { SIDE = 13, RED = 0xc8, GREEN = 0x37, BLUE = 0x91, FORMATS = 5, SIZES = 6 };

static const lv_color_t colour = {BLUE, GREEN, RED};
static const lv_area_t all = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1};

static const struct bench_format formats[FORMATS] = {{LV_COLOR_FORMAT_ARGB8888, FORMAT_ARGB8888},
                                                     {LV_COLOR_FORMAT_XRGB8888, FORMAT_XRGB8888},
                                                     {LV_COLOR_FORMAT_RGB888, FORMAT_RGB888},
                                                     {LV_COLOR_FORMAT_RGB565, FORMAT_RGB565},
                                                     {LV_COLOR_FORMAT_A8, FORMAT_A8}};

static uint32_t unit_of(uint32_t format, const uint8_t *pixels, int32_t x, int32_t y)
{
    const uint32_t bytes = pixel_unit_bytes(format);
    uint32_t unit = 0;
    memcpy(&unit, pixels + (size_t)(y * SIDE + x) * bytes, bytes);
    return unit;
}

static uint32_t colour_of(uint32_t format, const uint8_t *pixels, int32_t x, int32_t y)
{
    const uint32_t unit = unit_of(format, pixels, x, y);
    if (format == FORMAT_A8) return unit << 24 | RED << 16 | GREEN << 8 | BLUE;
    return pixel_expand(format, unit);
}

/* A picture of that format with noise in it. */
static lv_image_dsc_t picture_of(const struct bench_format *format)
{
    static uint8_t pixels[SIDE * SIDE * 4];
    bench_random(pixels, sizeof pixels);
    return (lv_image_dsc_t){
        {(uint32_t)format->lvgl, SIDE, SIDE, SIDE * lv_color_format_get_size(format->lvgl), 0}, pixels, sizeof pixels};
}

/* ------------------------------------------------------------------ scaled */

struct scale_case {
    const lv_draw_image_dsc_t *image;
    const uint8_t *pixels;
    const struct bench_format *format;
    uint32_t target;
    lv_area_t drawn; /* the layer's part that the image covers */
    int32_t chunk;   /* rows that LVGL's renderer does at once */
};

/* Where in the image, in 256ths, place `i` of `count` from `first` on is. */
static int32_t place(int32_t i, int32_t count, int32_t first, int32_t pivot, int32_t scale)
{
    const int32_t last = (((SIDE - 1 - pivot) * scale) >> 8) + pivot, end = first + count - 1;
    const int32_t start = ((first > last ? last : first) - pivot) * 65536 / scale + pivot * 256;
    const int32_t stop = ((end > last ? last : end) - pivot) * 65536 / scale + pivot * 256;
    return start + 128 + (((count > 1 ? 256 * (stop - start) / (count - 1) : 0) * i) >> 8);
}

static bool fades(int32_t at) { return at < 128 || at >= SIDE * 256 - 128; }

/* An opaque pixel's alpha there. */
static uint32_t faded(const struct bench_format *format, int32_t at)
{
    const uint32_t fraction = (uint32_t)at & 255, away = fraction < 128 ? 127 - fraction : fraction - 128;
    if (format->lvgl == LV_COLOR_FORMAT_ARGB8888) return 255 * (127 - away) >> 7;
    if (format->engine == FORMAT_RGB565 || format->engine == FORMAT_A8) return 255 * (255 - 2 * away) >> 8;
    return 255 * (255 - away) >> 8;
}

static uint32_t expected_scaled(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct scale_case *c = context;
    const lv_draw_image_dsc_t *image = c->image;
    const int32_t row = y - c->drawn.y1, begin = row / c->chunk * c->chunk, height = lv_area_get_height(&c->drawn);
    const int32_t rows = height - begin < c->chunk ? height - begin : c->chunk;
    const int32_t u = place(x - c->drawn.x1, lv_area_get_width(&c->drawn), c->drawn.x1 - image->image_area.x1,
                            image->pivot.x, image->scale_x);
    const int32_t v =
        place(row - begin, rows, c->drawn.y1 + begin - image->image_area.y1, image->pivot.y, image->scale_y);
    uint32_t alpha = 255;
    if (u < 0 || v < 0 || u >= SIDE * 256 || v >= SIDE * 256) return before;
    if (fades(u)) alpha = faded(c->format, u);
    else if (fades(v)) alpha = faded(c->format, v);
    if (alpha >= LV_OPA_MAX) alpha = 255;
    const uint32_t opacity = image->opa >= LV_OPA_MAX ? 255u : image->opa;
    const bool has_alpha = lv_color_format_has_alpha(c->format->lvgl); /* it is one less for what has none */
    if (opacity != 255) alpha = alpha == 255 && has_alpha ? opacity : alpha * opacity >> 8;
    const uint32_t source = colour_of(c->format->engine, c->pixels, u >> 8, v >> 8);
    if (alpha == 255 && !lv_color_format_has_alpha(c->format->lvgl))
        return c->target == c->format->engine
                   ? unit_of(c->target, c->pixels, u >> 8, v >> 8)
                   : bench_copied(c->target, c->format->engine, unit_of(c->format->engine, c->pixels, u >> 8, v >> 8));
    if (c->format->engine != FORMAT_A8 && !lv_color_format_has_alpha(c->format->lvgl))
        return pixel_reduce(c->target, bench_opaque(c->target, c->format->engine, source, before, alpha));
    return pixel_reduce(c->target, bench_over(c->target, c->format->engine, source, before, alpha, false));
}

static void draw_scaled(uint32_t target, uint32_t source, uint32_t size, lv_opa_t opacity)
{
    static const int32_t scales[SIZES][2] = {{300, 256}, {1100, 700}, {90, 333}, {257, 255}, {256, 2000}, {60, 60}};
    const lv_image_dsc_t picture = picture_of(&formats[source]);
    const lv_area_t area = {LEFT + 20, TOP + 14, LEFT + 20 + SIDE - 1, TOP + 14 + SIDE - 1};
    struct bench_screen screen;
    bench_screen(&screen, target);
    lv_draw_image_dsc_t image = bench_image(&screen, &picture, area, colour);
    image.scale_x = scales[size][0];
    image.scale_y = scales[size][1];
    image.pivot = (lv_point_t){(int32_t)size * 3 % SIDE, (int32_t)size * 5 % SIDE};
    image.opa = opacity;
    lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, area, &image);
    /* A pixel more on each side than LVGL says. */
    task._real_area = (lv_area_t){area.x1 + image.pivot.x - 1 - image.pivot.x * image.scale_x / 256,
                                  area.y1 + image.pivot.y - 1 - image.pivot.y * image.scale_y / 256, 0, 0};
    task._real_area.x2 = task._real_area.x1 + SIDE * image.scale_x / 256 + 2;
    task._real_area.y2 = task._real_area.y1 + SIDE * image.scale_y / 256 + 2;
    struct scale_case c = {&image, picture.data, &formats[source], screen.format, all, 0};
    assert_true(lv_area_intersect(&c.drawn, &task._real_area, &all));
    const int32_t bytes = formats[source].engine == FORMAT_RGB565 ? 3 : formats[source].engine == FORMAT_A8 ? 1 : 4;
    c.chunk = 4 * 24 * (int32_t)pixel_unit_bytes(screen.format) / (lv_area_get_width(&c.drawn) * bytes);
    if (c.chunk < 1) c.chunk = 1;
    const uint32_t mapped = lv_draw_tessera_counts().mapped;
    assert_true(bench_offer(&task));
    assert_int_equal(lv_draw_tessera_counts().mapped, mapped + 1);
    bench_assert_screen(&screen, &c.drawn, expected_scaled, &c);
    bench_screen_free(&screen);
}

static void test_scaled(void **state)
{
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++)
        for (uint32_t source = 0; source < FORMATS; source++)
            for (uint32_t size = 0; size < SIZES; size++)
                draw_scaled(target, source, size, (size + source) % 3 == 0 ? 130 : 255);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* ------------------------------------------------------------------ recoloured */

struct recolour_case {
    const uint8_t *pixels;
    const struct bench_format *format;
    uint32_t target, mix, opacity;
};

static uint32_t expected_recoloured(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct recolour_case *c = context;
    const uint32_t source = colour_of(c->format->engine, c->pixels, x - LEFT - 5, y - TOP + 4);
    const uint32_t to = (uint32_t)RED << 16 | GREEN << 8 | BLUE, mix = c->mix >= LV_OPA_MAX ? 255 : c->mix;
    const bool is_opaque = c->format->engine != FORMAT_ARGB8888;
    uint32_t mixed = source & 0xff000000u;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) {
        const uint32_t from = (source >> lsb & 255) * (255 - mix), with = (to >> lsb & 255) * mix;
        if (is_opaque && mix == 255) mixed |= to & 255u << lsb;
        else mixed |= (is_opaque ? (from + with) >> 8 : from / 255 + with / 255) << lsb; /* LVGL's; a level off */
    }
    if (c->opacity == 255 && is_opaque) return pixel_reduce(c->target, mixed);
    if (is_opaque) return pixel_reduce(c->target, bench_opaque(c->target, FORMAT_ARGB8888, mixed, before, c->opacity));
    return pixel_reduce(c->target, bench_over(c->target, FORMAT_ARGB8888, mixed, before, c->opacity, false));
}

static void test_recoloured(void **state)
{
    const lv_area_t area = {LEFT + 5, TOP - 4, LEFT + 5 + SIDE - 1, TOP - 4 + SIDE - 1};
    const lv_area_t drawn = {LEFT + 5, TOP, LEFT + 5 + SIDE - 1, TOP - 4 + SIDE - 1};
    static const lv_opa_t mixes[] = {3, 128, 252, 254};
    (void)state;
    const uint32_t covers = lv_draw_tessera_counts().covers;
    for (uint32_t i = 0; i < 12 * BENCH_TARGETS; i++) {
        struct bench_screen screen;
        const struct bench_format *format = &formats[i % 3];
        bench_screen(&screen, i / 12);
        const lv_image_dsc_t picture = picture_of(format);
        lv_draw_image_dsc_t image = bench_image(&screen, &picture, area, colour);
        image.recolor_opa = mixes[i % 4];
        image.opa = i % 2 != 0 ? 255 : 60;
        const struct recolour_case c = {picture.data, format, screen.format, mixes[i % 4], image.opa};
        lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, area, &image);
        assert_true(bench_offer(&task));
        bench_assert_screen(&screen, &drawn, expected_recoloured, &c);
        bench_screen_free(&screen);
    }
    assert_int_equal(lv_draw_tessera_counts().covers, covers);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* ------------------------------------------------------------------ LVGL's pictures, gradients */

struct picture_case {
    uint32_t kind, target, opacity;
    bool is_across, is_down; /* it changes along x, along y */
    bool is_premultiplied;
    bool is_strip; /* a gradient that is made once, and mixed by a map */
    bool is_fade;  /* ... of `colour` alone */
    int32_t left, top;
};

static uint32_t expected_picture(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct picture_case *c = context;
    uint32_t source = stand_in_coloured(c->kind, c->is_across ? x - c->left : 0, c->is_down ? y - c->top : 0);
    const uint32_t alpha = c->opacity == 255 ? source >> 24 : (source >> 24) * c->opacity >> 8;
    if (c->is_strip && c->is_down && alpha <= LV_OPA_MIN) return before; /* LVGL draws no such row */
    if (c->is_fade) {
        source = (source & 0xff000000u) | RED << 16 | GREEN << 8 | BLUE;
        return pixel_reduce(c->target, bench_over(c->target, FORMAT_A8, source, before, c->opacity, false));
    }
    if (!c->is_strip && !c->is_premultiplied) {
        source = (source & 0xffffffu) | alpha << 24;
        return pixel_reduce(c->target, bench_over(c->target, FORMAT_ARGB8888, source, before, 255, false));
    }
    return pixel_reduce(c->target,
                        bench_over(c->target, FORMAT_ARGB8888, source, before, c->opacity, c->is_premultiplied));
}

static lv_draw_fill_dsc_t gradient_of(struct bench_screen *screen, int direction, lv_opa_t opacity)
{
    return (lv_draw_fill_dsc_t){
        .base = {.layer = &screen->layer},
        .opa = opacity,
        .grad = {.stops = {{colour, 255, 0}, {{RED, BLUE, GREEN}, 100, 255}}, .stops_count = 2, .dir = direction}};
}

static void test_gradients(void **state)
{
    const lv_area_t area = {LEFT + 7, TOP - 5, LEFT + 90, TOP + 30}, drawn = {LEFT + 7, TOP, all.x2, TOP + 30};
    (void)state;
    for (uint32_t i = 0; i < 4 * BENCH_TARGETS; i++) {
        struct bench_screen screen;
        bench_screen(&screen, i / 4);
        const bool is_across = i % 2 != 0;
        lv_draw_fill_dsc_t fill =
            gradient_of(&screen, is_across ? LV_GRAD_DIR_HOR : LV_GRAD_DIR_VER, i / 2 % 2 != 0 ? 255 : 90);
        const struct picture_case c = {.kind = 7,
                                       .target = screen.format,
                                       .opacity = fill.opa,
                                       .is_across = is_across,
                                       .is_down = !is_across,
                                       .is_strip = true,
                                       .left = area.x1,
                                       .top = area.y1};
        lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_FILL, area, &fill);
        const unsigned pictures = stand_in_pictures;
        assert_true(bench_offer(&task));
        assert_int_equal(stand_in_pictures - pictures, i < 2); /* two strips in all */
        bench_assert_screen(&screen, &drawn, expected_picture, &c);
        bench_screen_free(&screen);
    }
    for (int32_t i = 0; i < 40; i++) { /* more than are kept, each with colours of its own */
        struct bench_screen screen;
        bench_screen(&screen, 2);
        lv_draw_fill_dsc_t fill = gradient_of(&screen, LV_GRAD_DIR_HOR, 255);
        fill.grad.stops[i % 2].color.red = (uint8_t)i;
        const struct picture_case c = {.kind = 7,
                                       .target = screen.format,
                                       .opacity = 255,
                                       .is_across = true,
                                       .is_strip = true,
                                       .left = area.x1,
                                       .top = area.y1};
        lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_FILL, area, &fill);
        const unsigned pictures = stand_in_pictures;
        assert_true(bench_offer(&task));
        assert_int_equal(stand_in_pictures - pictures, 1);
        bench_assert_screen(&screen, &drawn, expected_picture, &c);
        bench_screen_free(&screen);
    }
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* A strip is kept for its own gradient alone: whatever differs in either stop, it is another. */
static void test_strips_apart(void **state)
{
    const lv_area_t area = {LEFT + 7, TOP, LEFT + 30, TOP + 9};
    (void)state;
    for (uint32_t i = 0; i <= 13; i++) {
        struct bench_screen screen;
        for (uint32_t again = 0; again < 3; again++) { /* as it is; changed, and once more */
            bench_screen(&screen, 2);
            lv_draw_fill_dsc_t fill = gradient_of(&screen, LV_GRAD_DIR_HOR, 255);
            fill.grad.stops[0].color.red = 201; /* of no other test */
            lv_grad_stop_t *stop = &fill.grad.stops[i % 2];
            const uint32_t field = again != 0 ? i / 2 : 7;
            if (field == 0) stop->color.red++;
            if (field == 1) stop->color.green++;
            if (field == 2) stop->color.blue++;
            if (field == 3) stop->opa = 99;
            if (field == 4) stop->frac = (uint8_t)(i % 2 == 0 ? 9 : 246);
            if (field == 5) fill.grad.stops_count = 1;
            if (field == 6) fill.grad.dir = LV_GRAD_DIR_VER;
            lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_FILL, area, &fill);
            const unsigned pictures = stand_in_pictures;
            assert_true(bench_offer(&task));
            const bool is_known = again == 2 || (again == 0 && i != 0) || (i % 2 != 0 && (field == 5 || field == 6));
            assert_int_equal(stand_in_pictures - pictures, is_known ? 0 : 1);
            bench_screen_free(&screen);
        }
    }
}

/* Down, from one opacity of a colour to another. */
static void test_fades(void **state)
{
    const lv_area_t area = {LEFT + 7, TOP - 5, LEFT + 30, TOP + 39}, drawn = {LEFT + 7, TOP, LEFT + 30, TOP + 39};
    (void)state;
    for (uint32_t i = 0; i < 2 * BENCH_TARGETS; i++) {
        struct bench_screen screen;
        bench_screen(&screen, i / 2);
        lv_draw_fill_dsc_t fill = gradient_of(&screen, LV_GRAD_DIR_VER, i % 2 != 0 ? 255 : 90);
        fill.grad.stops[1].color = colour;
        const struct picture_case c = {.kind = 7,
                                       .target = screen.format,
                                       .opacity = fill.opa,
                                       .is_down = true,
                                       .is_strip = true,
                                       .is_fade = true,
                                       .left = area.x1,
                                       .top = area.y1};
        lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_FILL, area, &fill);
        assert_true(bench_offer(&task));
        bench_assert_screen(&screen, &drawn, expected_picture, &c);
        bench_screen_free(&screen);
    }
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

static void offer_picture(struct bench_screen *screen, lv_draw_task_t *task, const struct picture_case *c)
{
    const struct lv_draw_tessera_counts before = lv_draw_tessera_counts();
    const lv_area_t area = task->_real_area;
    lv_area_t drawn;
    assert_true(lv_area_intersect(&drawn, &area, &all));
    assert_true(bench_offer(task));
    assert_int_equal(lv_draw_tessera_counts().covers, before.covers + 1);
    bench_assert_screen(screen, &drawn, expected_picture, c);
    bench_screen_free(screen);
    lv_draw_tessera_without_covers(true); /* the same is left then */
    assert_false(bench_offer(task));
    lv_draw_tessera_without_covers(false);
    assert_int_equal(lv_draw_tessera_counts().left_tasks, before.left_tasks + 1);
}

/* What is turned, antialiased, cut out, coloured and scaled, of a format that the GPU does not know; layers, straight
 * and premultiplied; gradients with corners; scaled images where there are no maps. */
static void test_pictures(void **state)
{
    enum { CASES = 10 };
    const lv_area_t area = {LEFT + 30, TOP + 20, LEFT + 40, TOP + 32},
                    turned = {LEFT + 20, TOP + 9, LEFT + 49, TOP + 37};
    (void)state;
    for (uint32_t i = 0; i < CASES * BENCH_TARGETS; i++) {
        struct bench_screen screen;
        bench_screen(&screen, i / CASES);
        lv_image_dsc_t picture = picture_of(&formats[1]);
        lv_draw_image_dsc_t image = bench_image(&screen, &picture, area, colour);
        lv_draw_fill_dsc_t fill = gradient_of(&screen, LV_GRAD_DIR_VER, 140);
        lv_draw_buf_t buffer = {picture.header, (uint8_t *)(uintptr_t)picture.data, sizeof buffer};
        lv_layer_t layer = {.draw_buf = &buffer, .color_format = formats[1].lvgl};
        struct picture_case c = {
            .kind = 5, .target = screen.format, .opacity = 255, .is_across = true, .is_down = true};
        lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, area, &image);
        task._real_area = turned;
        image.rotation = 300;
        switch (i % CASES) {
        case 0: image.opa = 77; break;
        case 1: image.skew_x = 3; break;
        case 2: image.clip_radius = 4; break;
        case 3:
            image.rotation = 0;
            image.scale_x = 300;
            image.antialias = true;
            break;
        case 4:
            image.rotation = 0;
            image.scale_y = 300;
            image.recolor_opa = 90;
            break;
        case 5: image.header.cf = LV_COLOR_FORMAT_RGB565A8; break;
        case 6:
            task.type = LV_DRAW_TASK_TYPE_LAYER;
            image.src = &layer;
            c.kind = 6;
            break;
        case 7:
            task.type = LV_DRAW_TASK_TYPE_LAYER;
            image.src = &layer;
            layer.color_format = LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
            buffer.header.cf = LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
            c.kind = 6; /* straight from here on */
            image.opa = 200;
            break;
        case 8:
            task.type = LV_DRAW_TASK_TYPE_FILL;
            task.draw_dsc = &fill;
            task.area = task._real_area = area;
            fill.radius = 3;
            c = (struct picture_case){
                .kind = 7, .target = screen.format, .opacity = 255, .is_down = true, .left = area.x1, .top = area.y1};
            break;
        default:
            image.rotation = 0;
            image.scale_x = 300;
            lv_draw_tessera_without_maps(true);
        }
        c.opacity = i % CASES == 8 ? fill.opa : image.opa;
        offer_picture(&screen, &task, &c);
        lv_draw_tessera_without_maps(false);
    }
    assert_int_not_equal(stand_in_opaque, 0);
    assert_int_equal(stand_in_unused, 0);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* Another blend mode; grays; a layer that the GPU does not mix onto; a wish. */
static void test_left(void **state)
{
    struct bench_screen screen;
    (void)state;
    bench_screen(&screen, 0);
    const lv_area_t area = {LEFT, TOP, LEFT + SIDE - 1, TOP + SIDE - 1};
    const lv_image_dsc_t picture = picture_of(&formats[0]);
    lv_draw_image_dsc_t image = bench_image(&screen, &picture, area, colour);
    lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, area, &image);
    const struct lv_draw_tessera_counts before = lv_draw_tessera_counts();
    image.blend_mode = LV_BLEND_MODE_ADDITIVE;
    assert_false(bench_offer(&task));
    image.blend_mode = LV_BLEND_MODE_NORMAL;
    image.header.cf = LV_COLOR_FORMAT_L8;
    assert_false(bench_offer(&task));
    image.header.cf = LV_COLOR_FORMAT_AL88;
    image.rotation = 300;
    assert_false(bench_offer(&task));
    image.header.cf = picture.header.cf;
    image.rotation = 0;
    lv_draw_tessera_opaque_only(true);
    assert_false(bench_offer(&task));
    lv_draw_tessera_opaque_only(false);
    screen.layer.color_format = LV_COLOR_FORMAT_A8;
    assert_false(bench_offer(&task));
    const struct lv_draw_tessera_counts after = lv_draw_tessera_counts();
    assert_int_equal(after.left_tasks - before.left_tasks, 3);
    assert_int_equal(after.left_wishes - before.left_wishes, 1);
    assert_int_equal(after.left_layers - before.left_layers, 1);
    assert_memory_equal(screen.pixels, screen.before, screen.bytes);
    bench_screen_free(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scaled),    cmocka_unit_test(test_recoloured),
                                       cmocka_unit_test(test_gradients), cmocka_unit_test(test_strips_apart),
                                       cmocka_unit_test(test_fades),     cmocka_unit_test(test_pictures),
                                       cmocka_unit_test(test_left)};
    const int failed = cmocka_run_group_tests(tests, bench_open, bench_close) +
                       cmocka_run_group_tests(tests, bench_open_shared, bench_close);
    printf("%d passed, %d failed\n", 2 * (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
