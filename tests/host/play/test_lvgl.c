/* SPDX-License-Identifier: Apache-2.0
 *
 * The LVGL draw unit (host/clients/lvgl/) on the golden model: every pair of formats, opaque and not, clipped, must
 * come out as the documented arithmetic says, and pixels outside the task's area stay as they were. Tasks it cannot
 * draw it must leave alone. tests/host/play/lvgl/ stands in for LVGL, in each of its versions.
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
#include "clients/lvgl/lv_draw_tessera.h"
#include "pixel_model.h"

enum { IMAGE_WIDTH = 33, IMAGE_HEIGHT = 21 };

static uint32_t get(const uint8_t *from, uint32_t bytes)
{
    uint32_t unit = 0;
    memcpy(&unit, from, bytes);
    return unit;
}

/* ------------------------------------------------------------------ fills */

struct fill_case {
    uint32_t format, colour, opacity;
};

static uint32_t expected_fill(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct fill_case *c = context;
    (void)x;
    (void)y;
    uint32_t colour = c->opacity >= LV_OPA_MAX
                          ? c->colour
                          : bench_fill(c->format, c->opacity << 24 | (c->colour & 0xffffffu), before);
    return pixel_reduce(c->format, colour);
}

static void test_fills(void **state)
{
    static const lv_opa_t opacities[] = {255, 253, 252, 128, 3};
    const lv_area_t area = {LEFT + 5, TOP - 3, LEFT + 40, TOP + 22}, clip = {LEFT, TOP, LEFT + 30, TOP + 39};
    const lv_area_t drawn = {LEFT + 5, TOP, LEFT + 30, TOP + 22};
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++) {
        for (size_t i = 0; i < sizeof opacities; i++) {
            struct bench_screen screen;
            bench_screen(&screen, target);
            lv_draw_fill_dsc_t fill = {.base = {.layer = &screen.layer},
                                       .opa = opacities[i],
                                       .color = {.red = 0xc8, .green = 0x37, .blue = 0x91}};
            lv_draw_task_t task = {
                .type = LV_DRAW_TASK_TYPE_FILL, .area = area, ._real_area = area, .clip_area = clip, .draw_dsc = &fill};
            const struct fill_case c = {screen.format, 0xffc83791, opacities[i]};
            assert_true(bench_offer(&task));
            bench_assert_screen(&screen, &drawn, expected_fill, &c);
            bench_screen_free(&screen);
        }
    }
    assert_int_equal(lv_draw_tessera_counts().fills, BENCH_TARGETS * sizeof opacities);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* ------------------------------------------------------------------ images */

struct image_case {
    uint32_t target_format, source_format, opacity, stride;
    bool has_alpha, is_premultiplied;
    const uint8_t *pixels;
    int32_t left, top;
};

static uint32_t expected_image(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct image_case *c = context;
    uint32_t unit = pixel_unit_bytes(c->source_format), opacity = c->opacity >= LV_OPA_MAX ? 255 : c->opacity;
    uint32_t source = get(c->pixels + (size_t)(y - c->top) * c->stride + (size_t)(x - c->left) * unit, unit);
    uint32_t colour = pixel_expand(c->source_format, source);
    if (!c->has_alpha && opacity == 255)
        return c->source_format == c->target_format ? source : bench_copied(c->target_format, c->source_format, source);
    if (!c->has_alpha)
        return pixel_reduce(c->target_format,
                            bench_opaque(c->target_format, c->source_format, colour, before, opacity));
    return pixel_reduce(c->target_format,
                        bench_over(c->target_format, c->source_format, colour, before, opacity, c->is_premultiplied));
}

static void draw_one_image(uint32_t target, uint32_t source, lv_opa_t opacity)
{
    uint32_t stride = (uint32_t)IMAGE_WIDTH * lv_color_format_get_size(bench_formats[source].lvgl) + 12u;
    const lv_area_t area = {LEFT - 4, TOP + 7, LEFT - 4 + IMAGE_WIDTH - 1, TOP + 7 + IMAGE_HEIGHT - 1};
    const lv_area_t clip = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + 20}, drawn = {LEFT, TOP + 7, area.x2, TOP + 20};
    struct bench_screen screen;
    uint8_t *pixels = malloc((size_t)stride * IMAGE_HEIGHT);
    bench_random(pixels, (size_t)stride * IMAGE_HEIGHT);
    bench_screen(&screen, target);
    const lv_image_dsc_t picture = {
        {(uint32_t)bench_formats[source].lvgl, IMAGE_WIDTH, IMAGE_HEIGHT, stride, 0}, pixels, stride * IMAGE_HEIGHT};
    lv_draw_image_dsc_t image = {.base = {.layer = &screen.layer},
                                 .src = &picture,
                                 .header = picture.header,
                                 .scale_x = LV_SCALE_NONE,
                                 .scale_y = LV_SCALE_NONE,
                                 .opa = opacity,
                                 .image_area = area};
    lv_draw_task_t task = {
        .type = LV_DRAW_TASK_TYPE_IMAGE, .area = area, ._real_area = area, .clip_area = clip, .draw_dsc = &image};
    const struct image_case c = {screen.format,
                                 bench_formats[source].engine,
                                 opacity,
                                 stride,
                                 lv_color_format_has_alpha(bench_formats[source].lvgl),
                                 source == BENCH_PREMULTIPLIED,
                                 pixels,
                                 area.x1,
                                 area.y1};
    assert_true(bench_offer(&task));
    bench_assert_screen(&screen, &drawn, expected_image, &c);
    bench_screen_free(&screen);
    lv_draw_tessera_forget(pixels); /* the next image may lie in the same place */
    free(pixels);
}

static void test_images(void **state)
{
    static const lv_opa_t opacities[] = {255, 200, 7};
    uint32_t images = lv_draw_tessera_counts().images;
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++)
        for (uint32_t source = 0; source < BENCH_SOURCES; source++)
            for (size_t i = 0; i < sizeof opacities; i++) draw_one_image(target, source, opacities[i]);
    assert_int_equal(lv_draw_tessera_counts().images - images, BENCH_TARGETS * BENCH_SOURCES * sizeof opacities);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* ------------------------------------------------------------------ what it must leave to others */

static void test_left_alone(void **state)
{
    struct bench_screen screen;
    const lv_image_dsc_t picture = {{LV_COLOR_FORMAT_RGB565, 4, 4, 8, 0}, NULL, 0};
    const lv_area_t area = {LEFT, TOP, LEFT + 3, TOP + 3};
    (void)state;
    bench_screen(&screen, 0);
    const lv_draw_fill_dsc_t plain_fill = {.base = {.layer = &screen.layer}, .opa = 255};
    const lv_draw_image_dsc_t plain = {.base = {.layer = &screen.layer},
                                       .src = &picture,
                                       .header = picture.header,
                                       .scale_x = LV_SCALE_NONE,
                                       .scale_y = LV_SCALE_NONE,
                                       .opa = 255,
                                       .image_area = area};
    lv_draw_fill_dsc_t fills[2] = {plain_fill, plain_fill};
    lv_draw_image_dsc_t images[11];
    fills[0].grad.dir = LV_GRAD_DIR_VER;
    fills[1].grad.dir = LV_GRAD_DIR_VER;
    fills[1].radius = 3;
    for (size_t i = 0; i < 11; i++) images[i] = plain;
    images[0].rotation = 900;
    images[1].scale_x = 300;
    images[2].skew_y = 1;
    images[3].recolor_opa = 100;
    images[4].blend_mode = LV_BLEND_MODE_ADDITIVE;
    images[5].skew_x = 3;
    images[6].bitmap_mask_src = &picture;
    images[7].header.cf = LV_COLOR_FORMAT_L8;
    images[8].src = NULL;
    images[9].clip_radius = 2;
    images[10].colorkey = &picture;
    lv_draw_task_t task = {.area = area, .clip_area = area};
    lv_draw_tessera_without_covers(true);
    lv_draw_tessera_without_maps(true);
    for (size_t i = 0; i < 13; i++) {
        task.type = i < 2 ? LV_DRAW_TASK_TYPE_FILL : LV_DRAW_TASK_TYPE_IMAGE;
        task.draw_dsc = i < 2 ? (void *)&fills[i] : (void *)&images[i - 2];
        if (bench_offer(&task)) fail_msg("case %zu was taken", i);
        assert_int_equal(task.preference_score, 100);
    }
    task.type = (lv_draw_task_type_t)99;
    assert_false(bench_offer(&task));
    screen.layer.color_format = LV_COLOR_FORMAT_A8;
    task.type = LV_DRAW_TASK_TYPE_FILL;
    fills[0] = plain_fill;
    task.draw_dsc = &fills[0];
    assert_false(bench_offer(&task));
    assert_memory_equal(screen.pixels, screen.before, screen.bytes);
    bench_screen_free(&screen);
    lv_draw_tessera_without_covers(false);
    lv_draw_tessera_without_maps(false);
}

/* The format that a layer of ARGB8888 has after a task was offered onto it: premultiplied where the GPU mixes it; what
 * is left to LVGL stays. */
static lv_color_format_t format_onto(lv_layer_t *below, bool has_buffer, lv_obj_t *object)
{
    lv_draw_buf_t buffer = {.header = {.cf = LV_COLOR_FORMAT_ARGB8888}};
    lv_layer_t layer = {.color_format = LV_COLOR_FORMAT_ARGB8888, .parent = below};
    lv_draw_fill_dsc_t fill = {.base = {object, &layer}, .opa = 255};
    lv_draw_task_t task = {.type = LV_DRAW_TASK_TYPE_FILL, .draw_dsc = &fill};
    if (has_buffer) layer.draw_buf = &buffer;
    bench_evaluate(&task);
    return layer.color_format;
}

static void test_layer_formats(void **state)
{
    static const lv_color_format_t left[] = {LV_COLOR_FORMAT_L8, LV_COLOR_FORMAT_A8, LV_COLOR_FORMAT_AL88,
                                             LV_COLOR_FORMAT_I1, LV_COLOR_FORMAT_RGB565_SWAPPED};
    struct bench_screen screen;
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++) {
        bench_screen(&screen, target);
        assert_int_equal(format_onto(&screen.layer, false, NULL), LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED);
        assert_int_equal(format_onto(&screen.layer, true, NULL), LV_COLOR_FORMAT_ARGB8888);
        /* Turned or scaled ones are mixed straight: the layer of the object, or of the next above that has one. */
        lv_obj_t owner = {LV_LAYER_TYPE_TRANSFORM, NULL}, child = {LV_LAYER_TYPE_NONE, &owner};
        assert_int_equal(format_onto(&screen.layer, false, &owner), LV_COLOR_FORMAT_ARGB8888);
        assert_int_equal(format_onto(&screen.layer, false, &child), LV_COLOR_FORMAT_ARGB8888);
        child.layer_type = LV_LAYER_TYPE_SIMPLE;
        assert_int_equal(format_onto(&screen.layer, false, &child), LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED);
        owner.layer_type = LV_LAYER_TYPE_NONE;
        assert_int_equal(format_onto(&screen.layer, false, &owner), LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED);
        lv_draw_tessera_opaque_only(true);
        assert_int_equal(format_onto(&screen.layer, false, NULL), LV_COLOR_FORMAT_ARGB8888);
        lv_draw_tessera_opaque_only(false);
        bench_screen_free(&screen);
    }
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        lv_layer_t display = {.color_format = left[i]};
        lv_layer_t between = {.color_format = LV_COLOR_FORMAT_ARGB8888, .parent = &display};
        assert_int_equal(format_onto(&display, false, NULL), LV_COLOR_FORMAT_ARGB8888);
        assert_int_equal(format_onto(&between, false, NULL), LV_COLOR_FORMAT_ARGB8888);
    }
    lv_layer_t canvas = {.color_format = LV_COLOR_FORMAT_ARGB8888};
    assert_int_equal(format_onto(&canvas, false, NULL), LV_COLOR_FORMAT_ARGB8888);
    assert_int_equal(format_onto(NULL, false, NULL), LV_COLOR_FORMAT_ARGB8888);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fills), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_layer_formats), cmocka_unit_test(test_left_alone)};
    int failed = cmocka_run_group_tests(tests, bench_open, bench_close);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
