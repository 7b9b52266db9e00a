/* SPDX-License-Identifier: Apache-2.0
 *
 * The LVGL draw unit (host/lvgl/) on the golden model: every pair of formats, opaque and not, clipped, must come out
 * as the documented arithmetic says, and pixels outside the task's area stay as they were. Tasks it cannot draw it
 * must leave alone. tests/host/play/lvgl/ stands in for LVGL, in each of its versions.
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
#include "lvgl/lv_draw_tessera.h"
#include "lvgl.h"
#include "lvgl_private.h"
#include "pixel_model.h"
#include "tessera.h"

enum { LAYER_WIDTH = 61, LAYER_HEIGHT = 40, IMAGE_WIDTH = 33, IMAGE_HEIGHT = 21, PADDING = 8, LEFT = 100, TOP = 50 };

/* ------------------------------------------------------------------ LVGL, as far as it is needed */

static lv_draw_unit_t *registered;
static lv_draw_task_t *waiting;
static unsigned dispatch_requests;

void *lv_draw_create_unit(size_t size)
{
    assert_null(registered);
    return registered = calloc(1, size);
}

static lv_layer_t *layer_of(const lv_draw_task_t *task) { return ((const lv_draw_dsc_base_t *)task->draw_dsc)->layer; }

#if STAND_IN_MINOR >= 3
lv_draw_task_t *lv_draw_get_available_task(lv_layer_t *layer, lv_draw_task_t *previous, uint8_t unit_id)
#else
lv_draw_task_t *lv_draw_get_next_available_task(lv_layer_t *layer, lv_draw_task_t *previous, uint8_t unit_id)
#endif
{
    (void)previous;
    bool is_ready = waiting != NULL && layer_of(waiting) == layer && waiting->preferred_draw_unit_id == unit_id &&
                    waiting->state == LV_DRAW_TASK_STATE_QUEUED;
    return is_ready ? waiting : NULL;
}

void lv_draw_dispatch_request(void) { dispatch_requests++; }

/* ------------------------------------------------------------------ the device */

static struct tessera *tessera;
static struct transport transport;

static int open_device(void **state)
{
    const struct device_options options = {.seed = 1};
    const struct tessera_options open_options = {0};
    char message[256];
    (void)state;
    struct device *device = device_create(&options, message);
    if (device == NULL) return -1;
    device_transport(device, &transport);
    if (tessera_open(&tessera, &transport, &open_options, message) != TESSERA_OK) return -1;
    return lv_draw_tessera_init(tessera);
}

static int close_device(void **state)
{
    (void)state;
    registered->delete_cb(registered);
    free(registered);
    registered = NULL;
    tessera_close(tessera);
    return 0;
}

/* ------------------------------------------------------------------ what must come out */

static const struct {
    lv_color_format_t lvgl;
    uint32_t engine;
} formats[] = {{LV_COLOR_FORMAT_RGB565, FORMAT_RGB565},
               {LV_COLOR_FORMAT_RGB888, FORMAT_RGB888},
               {LV_COLOR_FORMAT_XRGB8888, FORMAT_XRGB8888},
               {LV_COLOR_FORMAT_ARGB8888, FORMAT_ARGB8888},
#if STAND_IN_MINOR >= 3
               {LV_COLOR_FORMAT_ARGB1555, FORMAT_ARGB1555},
               {LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED, FORMAT_ARGB8888}
#endif
};
enum { TARGETS = 4, SOURCES = sizeof formats / sizeof *formats, PREMULTIPLIED = 5 };
enum { FINISHED = STAND_IN_MINOR >= 6 ? 3 : 2 }; /* the last of the states */

static uint32_t get(const uint8_t *from, uint32_t bytes)
{
    uint32_t unit = 0;
    memcpy(&unit, from, bytes);
    return unit;
}

static uint32_t divided(uint32_t x) { return (2 * x + 255) / 510; } /* x / 255 to the nearest */

/* A colour over another, the formulas of docs/engine.md written once more. */
static uint32_t over(uint32_t source, uint32_t target, uint32_t opacity, bool is_premultiplied)
{
    uint32_t alpha = divided((source >> 24) * opacity);
    uint32_t result = (alpha + divided((target >> 24) * (255 - alpha))) << 24;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) {
        uint32_t s = (source >> lsb) & 255, t = (target >> lsb) & 255, sum;
        if (is_premultiplied) sum = divided(s * opacity) + divided(t * (255 - alpha));
        else sum = divided(s * alpha + t * (255 - alpha));
        result |= (sum > 255 ? 255 : sum) << lsb;
    }
    return result;
}

struct screen {
    lv_layer_t layer;
    lv_draw_buf_t buffer;
    uint32_t bytes, format;
    uint8_t *pixels, *before;
};

static void fill_random(uint8_t *bytes, size_t count)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

static void make_screen(struct screen *screen, uint32_t index)
{
    uint32_t unit = lv_color_format_get_size(formats[index].lvgl), stride = LAYER_WIDTH * unit + PADDING;
    screen->bytes = stride * LAYER_HEIGHT;
    screen->format = formats[index].engine;
    screen->pixels = malloc(screen->bytes);
    screen->before = malloc(screen->bytes);
    fill_random(screen->pixels, screen->bytes);
    memcpy(screen->before, screen->pixels, screen->bytes);
    screen->buffer =
        (lv_draw_buf_t){{(uint32_t)formats[index].lvgl, LAYER_WIDTH, LAYER_HEIGHT, stride}, screen->pixels};
    screen->layer =
        (lv_layer_t){&screen->buffer, {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1}, formats[index].lvgl};
}

static void free_screen(struct screen *screen)
{
    free(screen->pixels);
    free(screen->before);
}

/* Offer the task to the unit as LVGL does. True: it took it, and drew it. */
static bool offer(lv_draw_task_t *task)
{
    unsigned requests = dispatch_requests;
    task->state = LV_DRAW_TASK_STATE_QUEUED;
    task->preference_score = 100;
    task->preferred_draw_unit_id = 0;
    registered->evaluate_cb(registered, task);
    waiting = task;
    bool is_taken = registered->dispatch_cb(registered, layer_of(task)) == 1;
    waiting = NULL;
    if (!is_taken) return false;
    assert_int_equal(task->state, FINISHED);
#if STAND_IN_MINOR >= 3
    assert_ptr_equal(task->draw_unit, registered);
#endif
    assert_int_equal(dispatch_requests, requests + 1);
    return true;
}

/* Every byte of the layer: inside `area` what `expected` says of the pixel, outside what was there. */
static void assert_screen(const struct screen *screen, const lv_area_t *area,
                          uint32_t (*expected)(const void *context, int32_t x, int32_t y, uint32_t before),
                          const void *context)
{
    uint32_t unit = pixel_unit_bytes(screen->format), stride = screen->buffer.header.stride;
    for (int32_t y = 0; y < LAYER_HEIGHT; y++) {
        for (int32_t x = 0; x < LAYER_WIDTH; x++) {
            size_t at = (size_t)y * stride + (size_t)x * unit;
            uint32_t before = get(screen->before + at, unit), want = before;
            bool is_inside = x + LEFT >= area->x1 && x + LEFT <= area->x2 && y + TOP >= area->y1 && y + TOP <= area->y2;
            if (is_inside) want = expected(context, x + LEFT, y + TOP, before);
            if (get(screen->pixels + at, unit) != want)
                fail_msg("pixel %d, %d: %08x, not %08x", x, y, get(screen->pixels + at, unit), want);
        }
        size_t end = (size_t)y * stride + LAYER_WIDTH * unit;
        assert_memory_equal(screen->pixels + end, screen->before + end, PADDING);
    }
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
    uint32_t colour =
        c->opacity >= LV_OPA_MAX ? c->colour : over(c->colour, pixel_expand(c->format, before), c->opacity, false);
    return pixel_reduce(c->format, colour);
}

static void test_fills(void **state)
{
    static const lv_opa_t opacities[] = {255, 253, 252, 128, 3};
    const lv_area_t area = {LEFT + 5, TOP - 3, LEFT + 40, TOP + 22}, clip = {LEFT, TOP, LEFT + 30, TOP + 39};
    const lv_area_t drawn = {LEFT + 5, TOP, LEFT + 30, TOP + 22};
    (void)state;
    for (uint32_t target = 0; target < TARGETS; target++) {
        for (size_t i = 0; i < sizeof opacities; i++) {
            struct screen screen;
            make_screen(&screen, target);
            lv_draw_fill_dsc_t fill = {
                .base = {&screen.layer}, .opa = opacities[i], .color = {.red = 0xc8, .green = 0x37, .blue = 0x91}};
            lv_draw_task_t task = {.type = LV_DRAW_TASK_TYPE_FILL, .area = area, .clip_area = clip, .draw_dsc = &fill};
            const struct fill_case c = {screen.format, 0xffc83791, opacities[i]};
            assert_true(offer(&task));
            assert_screen(&screen, &drawn, expected_fill, &c);
            free_screen(&screen);
        }
    }
    assert_int_equal(lv_draw_tessera_counts().fills, TARGETS * sizeof opacities);
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
        return c->source_format == c->target_format ? source : pixel_reduce(c->target_format, colour);
    return pixel_reduce(c->target_format,
                        over(colour, pixel_expand(c->target_format, before), opacity, c->is_premultiplied));
}

static void draw_one_image(uint32_t target, uint32_t source, lv_opa_t opacity)
{
    uint32_t stride = (uint32_t)IMAGE_WIDTH * lv_color_format_get_size(formats[source].lvgl) + 12u;
    const lv_area_t area = {LEFT - 4, TOP + 7, LEFT - 4 + IMAGE_WIDTH - 1, TOP + 7 + IMAGE_HEIGHT - 1};
    const lv_area_t clip = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + 20}, drawn = {LEFT, TOP + 7, area.x2, TOP + 20};
    struct screen screen;
    uint8_t *pixels = malloc((size_t)stride * IMAGE_HEIGHT);
    fill_random(pixels, (size_t)stride * IMAGE_HEIGHT);
    make_screen(&screen, target);
    const lv_image_dsc_t picture = {{(uint32_t)formats[source].lvgl, IMAGE_WIDTH, IMAGE_HEIGHT, stride}, pixels};
    lv_draw_image_dsc_t image = {.base = {&screen.layer},
                                 .src = &picture,
                                 .header = picture.header,
                                 .scale_x = LV_SCALE_NONE,
                                 .scale_y = LV_SCALE_NONE,
                                 .opa = opacity,
                                 .image_area = STAND_IN_MINOR >= 3 ? area : (lv_area_t){.x2 = INT32_MIN}};
    lv_draw_task_t task = {.type = LV_DRAW_TASK_TYPE_IMAGE, .area = area, .clip_area = clip, .draw_dsc = &image};
    const struct image_case c = {screen.format,
                                 formats[source].engine,
                                 opacity,
                                 stride,
                                 lv_color_format_has_alpha(formats[source].lvgl),
                                 source == PREMULTIPLIED,
                                 pixels,
                                 area.x1,
                                 area.y1};
    assert_true(offer(&task));
    assert_screen(&screen, &drawn, expected_image, &c);
    free_screen(&screen);
    free(pixels);
}

static void test_images(void **state)
{
    static const lv_opa_t opacities[] = {255, 200, 7};
    uint32_t images = lv_draw_tessera_counts().images;
    (void)state;
    for (uint32_t target = 0; target < TARGETS; target++)
        for (uint32_t source = 0; source < SOURCES; source++)
            for (size_t i = 0; i < sizeof opacities; i++) draw_one_image(target, source, opacities[i]);
    assert_int_equal(lv_draw_tessera_counts().images - images, TARGETS * SOURCES * sizeof opacities);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

/* ------------------------------------------------------------------ what it must leave to others */

static void test_left_alone(void **state)
{
    struct screen screen;
    const lv_image_dsc_t picture = {{LV_COLOR_FORMAT_RGB565, 4, 4, 8}, NULL};
    const lv_area_t area = {LEFT, TOP, LEFT + 3, TOP + 3};
    (void)state;
    make_screen(&screen, 0);
    const lv_draw_fill_dsc_t plain_fill = {.base = {&screen.layer}, .opa = 255};
    const lv_draw_image_dsc_t plain = {.base = {&screen.layer},
                                       .src = &picture,
                                       .header = picture.header,
                                       .scale_x = LV_SCALE_NONE,
                                       .scale_y = LV_SCALE_NONE,
                                       .opa = 255,
                                       .image_area = area};
    lv_draw_fill_dsc_t fills[2] = {plain_fill, plain_fill};
    lv_draw_image_dsc_t images[11];
    fills[0].radius = 3;
    fills[1].grad.dir = LV_GRAD_DIR_VER;
    for (size_t i = 0; i < 11; i++) images[i] = plain;
    images[0].rotation = 900;
    images[1].scale_x = 300;
    images[2].skew_y = 1;
    images[3].recolor_opa = 100;
    images[4].blend_mode = LV_BLEND_MODE_ADDITIVE;
    images[5].tile = true;
    images[6].bitmap_mask_src = &picture;
    images[7].header.cf = LV_COLOR_FORMAT_L8;
    images[8].src = NULL;
    images[9].clip_radius = 2;
#if STAND_IN_MINOR >= 4
    images[10].colorkey = &picture;
#else
    images[10].skew_x = 1;
#endif
    lv_draw_task_t task = {.area = area, .clip_area = area};
    for (size_t i = 0; i < 13; i++) {
        task.type = i < 2 ? LV_DRAW_TASK_TYPE_FILL : LV_DRAW_TASK_TYPE_IMAGE;
        task.draw_dsc = i < 2 ? (void *)&fills[i] : (void *)&images[i - 2];
        if (offer(&task)) fail_msg("case %zu was taken", i);
        assert_int_equal(task.preference_score, 100);
    }
    task.type = LV_DRAW_TASK_TYPE_BORDER;
    assert_false(offer(&task));
    screen.layer.color_format = LV_COLOR_FORMAT_A8;
    task.type = LV_DRAW_TASK_TYPE_FILL;
    fills[0] = plain_fill;
    task.draw_dsc = &fills[0];
    assert_false(offer(&task));
    assert_memory_equal(screen.pixels, screen.before, screen.bytes);
    free_screen(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fills), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_left_alone)};
    int failed = cmocka_run_group_tests(tests, open_device, close_device);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
