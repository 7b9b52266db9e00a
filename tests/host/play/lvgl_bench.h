/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the LVGL draw unit share: the golden model, layers that are compared pixel by pixel, and the part
 * of LVGL that hands out tasks (the rest is tests/host/play/lvgl/).
 */
#ifndef TESTS_LVGL_BENCH_H
#define TESTS_LVGL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/lvgl/lv_draw_tessera.h"
#include "lvgl.h"
#include "lvgl_private.h"

enum { LAYER_WIDTH = 61, LAYER_HEIGHT = 40, PADDING = 8, LEFT = 100, TOP = 50 };

struct stand_in_object {
    lv_layer_type_t layer_type;
    lv_obj_t *parent;
};

/* LVGL's formats with the engine's. */
struct bench_format {
    lv_color_format_t lvgl;
    uint32_t engine;
};
enum { BENCH_TARGETS = 4, BENCH_SOURCES = 6, BENCH_PREMULTIPLIED = 5 };
extern const struct bench_format bench_formats[BENCH_SOURCES];

/* Setup and teardown of a group: a device, the unit on it; every layer lies outside the GPU's memory. */
int bench_open(void **state);
int bench_close(void **state);
/* The same with `bytes` of memory that both have, nothing in it. */
int bench_open_shared(void **state);

/* The device, which has a display, too. */
struct device;
struct device *bench_device(void);
/* Time passes until a vertical blank begins. */
void bench_await_blank(void);

/* A layer full of noise, and what it was. */
struct bench_screen {
    lv_layer_t layer;
    lv_draw_buf_t buffer;
    uint32_t bytes, format;
    uint8_t *pixels, *before;
};
void bench_screen(struct bench_screen *screen, uint32_t format); /* index into bench_formats */
void bench_screen_free(struct bench_screen *screen);
/* Every byte of the layer: inside `area` what `expected` says of the pixel, outside what was there. */
typedef uint32_t (*bench_expected)(const void *context, int32_t x, int32_t y, uint32_t before);
void bench_assert_screen(const struct bench_screen *screen, const lv_area_t *area, bench_expected expected,
                         const void *context);
void bench_random(uint8_t *bytes, size_t count);

/* A task over `area`, clipped to a bench_screen; an image as it stands, opaque, all of `area`. */
lv_draw_task_t bench_task(lv_draw_task_type_t type, lv_area_t area, void *dsc);
lv_draw_image_dsc_t bench_image(struct bench_screen *screen, const lv_image_dsc_t *picture, lv_area_t area,
                                lv_color_t colour);

/* Offer the task to the unit as LVGL does. True: it took it, and drew it. */
bool bench_offer(lv_draw_task_t *task);
/* Offer them as LVGL does when it has them all; returns how many have ended before the unit was asked again. */
unsigned bench_offer_all(lv_draw_task_t *tasks, unsigned count);

/* Ask the unit about the task alone. */
void bench_evaluate(lv_draw_task_t *task);
/* The same in parts: until it is asked the first time; an end that is not the unit's; until all have ended. */
void bench_begin_all(lv_draw_task_t *tasks, unsigned count);
void bench_end(lv_draw_task_t *task);
void bench_finish_all(lv_draw_task_t *tasks, unsigned count);

/* A colour over a unit of the format, with an opacity: as LVGL mixes them, but on ARGB8888, where it is as
 * docs/pixels.md and lv_draw_tessera.h say; ARGB8888. */
uint32_t bench_over(uint32_t format, uint32_t source_format, uint32_t source, uint32_t before, uint32_t opacity,
                    bool is_premultiplied);
/* The same of an image without alpha. */
uint32_t bench_opaque(uint32_t format, uint32_t source_format, uint32_t source, uint32_t before, uint32_t opacity);
/* The same of a fill, of one colour with LVGL's alpha. */
uint32_t bench_fill(uint32_t format, uint32_t source, uint32_t before);
/* A unit of another format or of this one, as it is copied. */
uint32_t bench_copied(uint32_t format, uint32_t source_format, uint32_t unit);

#endif
