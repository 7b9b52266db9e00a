/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for LVGL 9.2 to 9.6, written for the tests of host/lvgl/: the names, types and values that the draw unit
 * uses, each as in the version 9.STAND_IN_MINOR, and nothing else. A real LVGL takes its place with
 * make lvgl-run LVGL_DIR=...
 */
#ifndef STAND_IN_LVGL_H
#define STAND_IN_LVGL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LVGL_VERSION_MAJOR 9
#define LVGL_VERSION_MINOR STAND_IN_MINOR

#ifdef STAND_IN_SILENT /* where there is no stderr */
#define LV_LOG_ERROR(...) ((void)sizeof printf(__VA_ARGS__))
#else
#define LV_LOG_ERROR(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))
#endif
/* How the stand-in is called. */
#define CHECK(is_so) ((is_so) ? (void)0 : __builtin_trap())

typedef uint8_t lv_opa_t;
enum { LV_OPA_MIN = 2, LV_OPA_MAX = 253, LV_OPA_COVER = 255 };
enum { LV_SCALE_NONE = 256 };

typedef enum {
    LV_COLOR_FORMAT_L8 = 0x06,
    LV_COLOR_FORMAT_A8 = 0x0e,
    LV_COLOR_FORMAT_RGB888 = 0x0f,
    LV_COLOR_FORMAT_ARGB8888 = 0x10,
    LV_COLOR_FORMAT_XRGB8888 = 0x11,
#if STAND_IN_MINOR >= 3
    LV_COLOR_FORMAT_ARGB1555 = 0x16,
    LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED = 0x1a,
#endif
    LV_COLOR_FORMAT_RGB565 = 0x12
} lv_color_format_t;
uint8_t lv_color_format_get_size(lv_color_format_t format);
bool lv_color_format_has_alpha(lv_color_format_t format);

typedef struct {
    uint8_t blue, green, red;
} lv_color_t;

typedef struct {
    int32_t x1, y1, x2, y2; /* the last pixel is inside */
} lv_area_t;
int32_t lv_area_get_width(const lv_area_t *area);
int32_t lv_area_get_height(const lv_area_t *area);
bool lv_area_intersect(lv_area_t *result, const lv_area_t *a, const lv_area_t *b);

typedef struct {
    uint32_t cf, w, h, stride;
} lv_image_header_t;
typedef struct {
    lv_image_header_t header;
    uint8_t *data;
} lv_draw_buf_t;
typedef struct {
    lv_image_header_t header;
    const uint8_t *data;
} lv_image_dsc_t;

typedef struct {
    lv_draw_buf_t *draw_buf;
    lv_area_t buf_area;
    lv_color_format_t color_format;
} lv_layer_t;
void *lv_draw_layer_alloc_buf(lv_layer_t *layer);
void *lv_draw_layer_go_to_xy(lv_layer_t *layer, int32_t x, int32_t y);

typedef enum { LV_DRAW_TASK_TYPE_FILL = 1, LV_DRAW_TASK_TYPE_BORDER, LV_DRAW_TASK_TYPE_IMAGE } lv_draw_task_type_t;
enum {
    LV_DRAW_TASK_STATE_QUEUED,
    LV_DRAW_TASK_STATE_IN_PROGRESS,
#if STAND_IN_MINOR >= 6
    LV_DRAW_TASK_STATE_FAILED,
#endif
#if STAND_IN_MINOR >= 4
    LV_DRAW_TASK_STATE_FINISHED
#else
    LV_DRAW_TASK_STATE_READY
#endif
};
enum { LV_GRAD_DIR_NONE, LV_GRAD_DIR_VER };
enum { LV_BLEND_MODE_NORMAL, LV_BLEND_MODE_ADDITIVE };
typedef enum { LV_IMAGE_SRC_VARIABLE, LV_IMAGE_SRC_FILE } lv_image_src_t;
lv_image_src_t lv_image_src_get_type(const void *source);

typedef struct {
    lv_layer_t *layer;
} lv_draw_dsc_base_t;
typedef struct {
    lv_draw_dsc_base_t base;
    int32_t radius;
    lv_opa_t opa;
    lv_color_t color;
    struct {
        int dir;
    } grad;
} lv_draw_fill_dsc_t;

typedef struct lv_draw_image_sup lv_draw_image_sup_t;
typedef struct {
    lv_draw_dsc_base_t base;
    const void *src;
    lv_image_header_t header;
    int32_t clip_radius, rotation, scale_x, scale_y, skew_x, skew_y;
    lv_opa_t recolor_opa, opa;
    int blend_mode;
    bool tile;
#if STAND_IN_MINOR >= 4
    const void *colorkey;
#endif
    lv_draw_image_sup_t *sup;
    lv_area_t image_area;
    const lv_image_dsc_t *bitmap_mask_src;
} lv_draw_image_dsc_t;

typedef struct {
    const lv_draw_buf_t *decoded;
} lv_image_decoder_dsc_t;

/* ------------------------------------------------------------------ a program with a display */

typedef struct stand_in_display lv_display_t;
typedef struct stand_in_object lv_obj_t;
typedef void (*lv_display_flush_cb_t)(lv_display_t *display, const lv_area_t *area, uint8_t *pixels);
enum { LV_DISPLAY_RENDER_MODE_FULL = 2 };
void lv_init(void);
void lv_tick_set_cb(uint32_t (*tick)(void));
lv_display_t *lv_display_create(int32_t width, int32_t height);
void lv_display_set_color_format(lv_display_t *display, lv_color_format_t format);
void lv_display_set_buffers(lv_display_t *display, void *first, void *second, uint32_t bytes, int mode);
void lv_display_set_flush_cb(lv_display_t *display, lv_display_flush_cb_t flush);
void lv_display_enable_invalidation(lv_display_t *display, bool is_enabled);
void lv_display_flush_ready(lv_display_t *display);
lv_obj_t *lv_screen_active(void);
void lv_obj_update_layout(const lv_obj_t *object);
void lv_obj_invalidate(const lv_obj_t *object);
void lv_obj_enable_style_refresh(bool is_enabled);
void lv_refr_now(lv_display_t *display);

#endif
