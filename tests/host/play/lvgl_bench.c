/* SPDX-License-Identifier: Apache-2.0
 *
 * See lvgl_bench.h.
 */
#include "lvgl_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "engine_model.h"
#include "gpu_spec.h"
#include "pixel_model.h"
#include "tessera.h"

enum { MEMORY = 16 << 20, OWN = 4 << 20 };
enum { FINISHED = LV_DRAW_TASK_STATE_IN_PROGRESS + 1 + (STAND_IN_MINOR >= 6) };
/* What LVGL calls a task that may begin. */
enum { READY_TO_BEGIN = LV_DRAW_TASK_STATE_WAITING };

const struct bench_format bench_formats[BENCH_SOURCES] = {
    {LV_COLOR_FORMAT_RGB565, FORMAT_RGB565},     {LV_COLOR_FORMAT_RGB888, FORMAT_RGB888},
    {LV_COLOR_FORMAT_XRGB8888, FORMAT_XRGB8888}, {LV_COLOR_FORMAT_ARGB8888, FORMAT_ARGB8888},
    {LV_COLOR_FORMAT_ARGB1555, FORMAT_ARGB1555}, {LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED, FORMAT_ARGB8888},
};

/* ------------------------------------------------------------------ LVGL, as far as it is needed */

static struct stand_in_object active;
static lv_display_t display = {.width = 24, .act_scr = &active};
static lv_draw_unit_t *registered;
static struct device *device;
static unsigned dispatch_requests;

void *lv_draw_create_unit(size_t size)
{
    assert_null(registered);
    return registered = calloc(1, size);
}

void lv_draw_dispatch_request(void) { dispatch_requests++; }
lv_display_t *lv_refr_get_disp_refreshing(void) { return &display; }
lv_layer_type_t lv_obj_get_layer_type(const lv_obj_t *object) { return object->layer_type; }
lv_obj_t *lv_obj_get_parent(const lv_obj_t *object) { return object->parent; }
lv_opa_t lv_obj_get_style_bg_opa(const lv_obj_t *object, uint32_t part)
{
    assert_true(object == &active && part == LV_PART_MAIN);
    return LV_OPA_COVER;
}

static lv_layer_t *layer_of(const lv_draw_task_t *task) { return ((const lv_draw_dsc_base_t *)task->draw_dsc)->layer; }

lv_draw_task_t bench_task(lv_draw_task_type_t type, lv_area_t area, void *dsc)
{
    return (lv_draw_task_t){.type = type,
                            .area = area,
                            ._real_area = area,
                            .clip_area = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1},
                            .draw_dsc = dsc};
}

lv_draw_image_dsc_t bench_image(struct bench_screen *screen, const lv_image_dsc_t *picture, lv_area_t area,
                                lv_color_t colour)
{
    return (lv_draw_image_dsc_t){.base = {.layer = &screen->layer},
                                 .src = picture,
                                 .header = picture->header,
                                 .scale_x = LV_SCALE_NONE,
                                 .scale_y = LV_SCALE_NONE,
                                 .recolor = colour,
                                 .opa = LV_OPA_COVER,
                                 .image_area = area};
}

void bench_evaluate(lv_draw_task_t *task)
{
    task->state = READY_TO_BEGIN;
    task->preference_score = 100;
    task->preferred_draw_unit_id = 0;
    if (task->_real_area.x2 == 0) task->_real_area = task->area;
    task->next = NULL;
    registered->evaluate_cb(registered, task);
}

bool bench_offer(lv_draw_task_t *task)
{
    unsigned requests = dispatch_requests, looks = 0;
    bench_evaluate(task);
    layer_of(task)->draw_task_head = task;
    if (registered->dispatch_cb(registered, layer_of(task)) != 1) return false;
    assert_int_equal(dispatch_requests, requests + 1);
    for (; task->state != FINISHED; looks++) {
        assert_true(looks < 2000);
        (void)registered->dispatch_cb(registered, layer_of(task));
    }
    layer_of(task)->draw_task_head = NULL;
    assert_ptr_equal(task->draw_unit, registered);
    return true;
}

void bench_begin_all(lv_draw_task_t *tasks, unsigned count)
{
    lv_layer_t *layer = layer_of(&tasks[0]);
    for (unsigned i = 0; i < count; i++) {
        bench_evaluate(&tasks[i]);
        if (i > 0) tasks[i - 1].next = &tasks[i];
    }
    layer->draw_task_head = &tasks[0];
    (void)registered->dispatch_cb(registered, layer);
}

void bench_end(lv_draw_task_t *task) { task->state = FINISHED; }

void bench_finish_all(lv_draw_task_t *tasks, unsigned count)
{
    unsigned done = 0;
    for (unsigned looks = 0; done < count; looks++) {
        assert_true(looks < 3000);
        (void)registered->dispatch_cb(registered, layer_of(&tasks[0]));
        done = 0;
        for (unsigned i = 0; i < count; i++) done += tasks[i].state == FINISHED;
    }
    layer_of(&tasks[0])->draw_task_head = NULL;
}

unsigned bench_offer_all(lv_draw_task_t *tasks, unsigned count)
{
    unsigned ended = 0;
    bench_begin_all(tasks, count);
    for (unsigned i = 0; i < count; i++) ended += tasks[i].state == FINISHED;
    bench_finish_all(tasks, count);
    return ended;
}

/* ------------------------------------------------------------------ the device */

static struct tessera *tessera;
static struct transport transport;

void bench_await_blank(void) { assert_int_equal(tessera_wait_vblank(tessera, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK); }

static int open_with(uint32_t own_bytes)
{
    const struct device_options options = {
        .memory_bytes = MEMORY, .seed = 1, .segment2_bytes = 4 << 20, .has_display = true};
    const struct tessera_options open_options = {.own_bytes = own_bytes};
    char message[256];
    device = device_create(&options, message);
    if (device == NULL) return -1;
    device_transport(device, &transport);
    if (tessera_open(&tessera, &transport, &open_options, message) != TESSERA_OK) return -1;
    if (lv_draw_tessera_init(tessera) != TESSERA_OK || own_bytes == 0) return own_bytes == 0 ? 0 : -1;
    const struct lv_draw_tessera_memory memory = {device_engine(device)->system + MEMORY - own_bytes, own_bytes,
                                                  MEMORY - own_bytes, NULL, true};
    return lv_draw_tessera_share(&memory);
}

struct device *bench_device(void) { return device; }

int bench_open(void **state)
{
    (void)state;
    return open_with(0);
}

int bench_open_shared(void **state)
{
    (void)state;
    return open_with(OWN);
}

int bench_close(void **state)
{
    (void)state;
    registered->delete_cb(registered);
    free(registered);
    registered = NULL;
    tessera_close(tessera);
    return 0;
}

/* ------------------------------------------------------------------ layers */

static uint32_t get(const uint8_t *from, uint32_t bytes)
{
    uint32_t unit = 0;
    memcpy(&unit, from, bytes);
    return unit;
}

void bench_random(uint8_t *bytes, size_t count)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

void bench_screen(struct bench_screen *screen, uint32_t index)
{
    const lv_draw_buf_handlers_t *handlers = lv_draw_buf_get_handlers();
    const lv_color_format_t format = bench_formats[index].lvgl;
    uint32_t unit = lv_color_format_get_size(format), stride = LAYER_WIDTH * unit + PADDING;
    screen->bytes = stride * LAYER_HEIGHT;
    screen->format = bench_formats[index].engine;
    screen->pixels =
        handlers->buf_malloc_cb != NULL ? handlers->buf_malloc_cb(screen->bytes, format) : malloc(screen->bytes);
    screen->before = malloc(screen->bytes);
    bench_random(screen->pixels, screen->bytes);
    memcpy(screen->before, screen->pixels, screen->bytes);
    screen->buffer =
        (lv_draw_buf_t){{(uint32_t)format, LAYER_WIDTH, LAYER_HEIGHT, stride, 0}, screen->pixels, screen->bytes};
    screen->layer = (lv_layer_t){.draw_buf = &screen->buffer,
                                 .buf_area = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1},
                                 .color_format = format};
    display.layer_head = &screen->layer;
}

void bench_screen_free(struct bench_screen *screen)
{
    const lv_draw_buf_handlers_t *handlers = lv_draw_buf_get_handlers();
    if (handlers->buf_free_cb != NULL) handlers->buf_free_cb(screen->pixels);
    else free(screen->pixels);
    free(screen->before);
}

void bench_assert_screen(const struct bench_screen *screen, const lv_area_t *area, bench_expected expected,
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

/* ------------------------------------------------------------------ what must come out */

static uint32_t divided(uint32_t x) { return (2 * x + 255) / 510; } /* x / 255 to the nearest */

/* A channel of RGB565 by 256. */
static uint32_t padded(uint32_t format, uint32_t unit)
{
    const uint32_t target = pixel_expand(format, unit);
    return format == FORMAT_RGB565 ? target & 0xfff8fcf8u : target;
}

/* As LVGL's renderer mixes channels of bytes, or of 5 and 6 bits: `mix` is of 255, `is_by_32`: it takes 5 bits of it.
 */
static uint32_t mixed(uint32_t s, uint32_t t, uint32_t mix, bool is_by_32, uint32_t all)
{
    if (is_by_32) return (s * ((mix + 4) / 8) + t * (32 - (mix + 4) / 8)) / 32;
    return mix == 0 ? t : mix >= all ? s : (s * mix + t * (255 - mix)) / 256;
}

static uint32_t even(uint32_t format, uint32_t source_format, uint32_t source, uint32_t before, uint32_t mix,
                     bool is_premultiplied)
{
    const bool is_coarse = format == FORMAT_RGB565, is_565 = source_format == FORMAT_RGB565;
    const bool has_16_bits = is_565 || source_format == FORMAT_ARGB1555;
    const uint32_t target = padded(format, before);
    uint32_t result = 0xff000000u;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) {
        const bool has_six = lsb == 8 && source_format != FORMAT_ARGB1555;
        const uint32_t kept = !is_coarse || is_premultiplied ? 255u : has_six ? 0xfcu : 0xf8u;
        uint32_t s = source >> lsb & kept, t = target >> lsb & 255u, sum;
        if (has_16_bits && !is_coarse) s = has_six ? (s >> 2) * 255 / 63 : (s >> 3) * 255 / 31;
        sum = mixed(is_premultiplied ? 0 : s, t, mix, is_coarse && (has_16_bits || source_format == FORMAT_A8),
                    is_coarse ? 255 : LV_OPA_MAX);
        sum += is_premultiplied ? s : 0;
        result |= (sum > 255 ? 255 : sum) << lsb;
    }
    return result;
}

uint32_t bench_over(uint32_t format, uint32_t source_format, uint32_t source, uint32_t before, uint32_t opacity,
                    bool is_premultiplied)
{
    const bool is_by_256 = source_format != FORMAT_RGB565 && source_format != FORMAT_ARGB1555;
    const uint32_t target = pixel_expand(format, before), own = source >> 24;
    if (format != FORMAT_ARGB8888) {
        uint32_t scaled = source & 0xff000000u;
        const uint32_t whole = format == FORMAT_RGB565 ? source & 0xf8fcf8u : source;
        for (unsigned lsb = 0; lsb < 24; lsb += 8) scaled |= (whole >> lsb & 255u) * opacity / 255 << lsb;
        return even(format, source_format, is_premultiplied ? scaled : source, before,
                    opacity == 255 ? own : own * opacity >> 8, is_premultiplied);
    }
    uint32_t alpha = divided(own * opacity);
    uint32_t result = (alpha + divided((target >> 24) * (255 - alpha))) << 24;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) {
        uint32_t s = (source >> lsb) & 255, t = (target >> lsb) & 255, sum;
        if (is_by_256 && is_premultiplied) sum = divided(s * opacity) + (t * (256 - alpha) >> 8);
        else if (is_by_256) sum = (s * alpha + t * (256 - alpha)) >> 8;
        else if (is_premultiplied) sum = divided(s * opacity) + divided(t * (255 - alpha));
        else sum = divided(s * alpha + t * (255 - alpha));
        result |= (sum > 255 ? 255 : sum) << lsb;
    }
    return result;
}

uint32_t bench_opaque(uint32_t format, uint32_t source_format, uint32_t source, uint32_t before, uint32_t opacity)
{
    if (format != FORMAT_ARGB8888) return even(format, source_format, source, before, opacity, false);
    return bench_over(format, source_format, source | 0xff000000u, before, opacity, false);
}

uint32_t bench_fill(uint32_t format, uint32_t source, uint32_t before)
{
    return bench_opaque(format, FORMAT_A8, source, before, source >> 24);
}

uint32_t bench_copied(uint32_t format, uint32_t source_format, uint32_t unit)
{
    return pixel_reduce(format, pixel_expand_rounded(source_format, unit, source_format != format, false));
}
