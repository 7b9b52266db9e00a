/* SPDX-License-Identifier: Apache-2.0
 *
 * See lvgl_pictures.h.
 */
#include "lvgl_pictures.h"

#include <string.h>

#include "lvgl.h"

enum { IMAGES = 6, SIDE = 48, GRADIENTS = 4, WIDTH = 480, HEIGHT = 320 };

static const lv_color_format_t formats[IMAGES] = {LV_COLOR_FORMAT_ARGB8888, LV_COLOR_FORMAT_XRGB8888,
                                                  LV_COLOR_FORMAT_RGB888,   LV_COLOR_FORMAT_RGB565,
                                                  LV_COLOR_FORMAT_A8,       LV_COLOR_FORMAT_RGB565A8};
static struct {
    uint8_t pixels[IMAGES][SIDE * SIDE * 4];
    lv_image_dsc_t images[IMAGES];
    lv_obj_t *shown[IMAGES], *gradients[GRADIENTS];

    const char *kinds;
    uint32_t state;
} all;

static uint32_t next(uint32_t bound)
{
    all.state = all.state * 1664525u + 1013904223u;
    return (all.state >> 16) % bound;
}

static lv_color_t some_colour(void)
{
    return lv_color_make((uint8_t)next(256), (uint8_t)next(256), (uint8_t)next(256));
}
static bool does(char kind) { return strpbrk(all.kinds, "satrog") == NULL || strchr(all.kinds, kind) != NULL; }
static bool shows(unsigned i)
{
    return strpbrk(all.kinds, "012345") == NULL || strchr(all.kinds, '0' + (int)i) != NULL;
}

static void make_image(unsigned i)
{
    const uint32_t unit = formats[i] == LV_COLOR_FORMAT_RGB565A8 ? 2 : lv_color_format_get_size(formats[i]);
    for (size_t at = 0; at < sizeof all.pixels[i]; at++) all.pixels[i][at] = (uint8_t)next(256);
    all.images[i] = (lv_image_dsc_t){
        .header = {.magic = LV_IMAGE_HEADER_MAGIC, .cf = formats[i], .w = SIDE, .h = SIDE, .stride = SIDE * unit},
        .data = all.pixels[i],
        .data_size = SIDE * SIDE * (unit + (unit == 2))};
    all.shown[i] = lv_image_create(lv_screen_active());
    lv_image_set_src(all.shown[i], &all.images[i]);
    if (!shows(i)) lv_obj_add_flag(all.shown[i], LV_OBJ_FLAG_HIDDEN);
}

void pictures_begin(const char *kinds)
{
    all.kinds = kinds;
    for (unsigned i = 0; i < GRADIENTS; i++) {
        all.gradients[i] = lv_obj_create(lv_screen_active());
        lv_obj_set_style_border_width(all.gradients[i], 0, 0);
        if (!does('g')) lv_obj_add_flag(all.gradients[i], LV_OBJ_FLAG_HIDDEN);
    }
    for (unsigned i = 0; i < IMAGES; i++) make_image(i);
}

static void step_image(lv_obj_t *image)
{
    lv_obj_set_pos(image, (int32_t)next(WIDTH) - SIDE / 2, (int32_t)next(HEIGHT) - SIDE / 2);
    lv_image_set_antialias(image, does('a') && (next(2) != 0 || !does('s')));
    lv_image_set_pivot(image, (int32_t)next(SIDE + 1), (int32_t)next(SIDE + 1));
    if (does('s') || does('a')) {
        lv_image_set_scale_x(image, 64 + next(900));
        lv_image_set_scale_y(image, 64 + next(900));
    }
    if (does('t')) lv_image_set_rotation(image, next(3) == 0 ? (int32_t)next(3600) : 0);
    if (does('r')) {
        lv_obj_set_style_image_recolor(image, some_colour(), 0);
        lv_obj_set_style_image_recolor_opa(image, next(2) != 0 ? (lv_opa_t)next(256) : 0, 0);
    }
    if (does('o')) lv_obj_set_style_image_opa(image, next(2) != 0 ? (lv_opa_t)next(256) : LV_OPA_COVER, 0);
}

static void step_gradient(lv_obj_t *gradient)
{
    lv_obj_set_pos(gradient, (int32_t)next(WIDTH), (int32_t)next(HEIGHT));
    lv_obj_set_size(gradient, 1 + (int32_t)next(200), 1 + (int32_t)next(200));
    lv_obj_set_style_radius(gradient, next(4) == 0 ? (int32_t)next(30) : 0, 0);
    lv_obj_set_style_bg_color(gradient, some_colour(), 0);
    lv_obj_set_style_bg_grad_color(gradient, some_colour(), 0);
    lv_obj_set_style_bg_grad_dir(gradient, next(2) != 0 ? LV_GRAD_DIR_HOR : LV_GRAD_DIR_VER, 0);
    lv_obj_set_style_bg_opa(gradient, next(2) != 0 ? (lv_opa_t)next(256) : LV_OPA_COVER, 0);
    lv_obj_set_style_bg_grad_opa(gradient, next(2) != 0 ? (lv_opa_t)next(256) : LV_OPA_COVER, 0);
    lv_obj_set_style_bg_main_stop(gradient, (int32_t)next(100), 0);
    lv_obj_set_style_bg_grad_stop(gradient, 100 + (int32_t)next(156), 0);
}

void pictures_step(void)
{
    for (unsigned i = 0; i < GRADIENTS && does('g'); i++) step_gradient(all.gradients[i]);
    for (unsigned i = 0; i < IMAGES; i++) step_image(all.shown[i]);
}
