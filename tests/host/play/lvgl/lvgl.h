/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for LVGL 9.4 and 9.5, and the 9.6 to come, written for the tests of host/clients/lvgl/: the names, types
 * and values that the draw unit uses, each as in the version 9.STAND_IN_MINOR, and nothing else. A real LVGL takes its
 * place with make test-lvgl-real LVGL_DIR=...
 */
#ifndef STAND_IN_LVGL_H
#define STAND_IN_LVGL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LVGL_VERSION_MAJOR 9
#define LVGL_VERSION_MINOR STAND_IN_MINOR

#ifdef STAND_IN_SILENT /* where there is no stderr */
#define LV_LOG_ERROR(...) ((void)sizeof printf(__VA_ARGS__))
#else
#define LV_LOG_ERROR(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))
#endif
/* How the stand-in is called. */
#define CHECK(is_so) ((is_so) ? (void)0 : __builtin_trap())

#define LV_USE_DRAW_SW 1
#define LV_DRAW_SW_SUPPORT_A8 1
#define LV_DRAW_SW_SUPPORT_L8 1
#define LV_DRAW_SW_SUPPORT_ARGB8888 1
#define LV_DRAW_SW_SUPPORT_ARGB8888_PREMULTIPLIED 1
#define LV_USE_FONT_PLACEHOLDER 1
#define LV_USE_FREETYPE 0
#define LV_USE_VECTOR_GRAPHIC 0
#define LV_USE_THORVG 0
#define LV_DRAW_BUF_ALIGN 4
#define LV_MIN(a, b) ((a) < (b) ? (a) : (b))
#define LV_MAX(a, b) ((a) > (b) ? (a) : (b))
#define LV_PART_MAIN 0
#define LV_UDIV255(x) (((x)*0x8081u) >> 23)
#define lv_malloc malloc
#define lv_free free
#define lv_memzero(place, bytes) memset(place, 0, bytes)
#define lv_memset memset

typedef uint8_t lv_opa_t;
enum { LV_OPA_MIN = 2, LV_OPA_MAX = 253, LV_OPA_COVER = 255 };
enum { LV_SCALE_NONE = 256 };

typedef enum {
    LV_COLOR_FORMAT_L8 = 0x06,
    LV_COLOR_FORMAT_I1 = 0x07,
    LV_COLOR_FORMAT_A8 = 0x0e,
    LV_COLOR_FORMAT_RGB888 = 0x0f,
    LV_COLOR_FORMAT_ARGB8888 = 0x10,
    LV_COLOR_FORMAT_XRGB8888 = 0x11,
    LV_COLOR_FORMAT_RGB565A8 = 0x14,
    LV_COLOR_FORMAT_AL88 = 0x15,
    LV_COLOR_FORMAT_ARGB1555 = 0x16,
    LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED = 0x1a,
    LV_COLOR_FORMAT_RGB565_SWAPPED = 0x1b,
    LV_COLOR_FORMAT_RGB565 = 0x12
} lv_color_format_t;
uint8_t lv_color_format_get_size(lv_color_format_t format);
bool lv_color_format_has_alpha(lv_color_format_t format);

typedef struct {
    uint8_t blue, green, red;
} lv_color_t;

static inline lv_color_t lv_color_white(void) { return (lv_color_t){255, 255, 255}; }
static inline lv_color_t lv_color_black(void) { return (lv_color_t){0, 0, 0}; }
static inline bool lv_color_eq(lv_color_t a, lv_color_t b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

typedef struct {
    int32_t x1, y1, x2, y2; /* the last pixel is inside */
} lv_area_t;
typedef struct {
    int32_t x, y;
} lv_point_t;
int32_t lv_area_get_width(const lv_area_t *area);
int32_t lv_area_get_height(const lv_area_t *area);
bool lv_area_intersect(lv_area_t *result, const lv_area_t *a, const lv_area_t *b);

enum { LV_IMAGE_FLAGS_MODIFIABLE = 2 };
typedef struct {
    uint32_t cf, w, h, stride, flags;
} lv_image_header_t;
typedef struct {
    lv_image_header_t header;
    uint8_t *data;
    uint32_t data_size;
} lv_draw_buf_t;
typedef struct {
    void *(*buf_malloc_cb)(size_t size, lv_color_format_t format);
    void (*buf_free_cb)(void *data);
} lv_draw_buf_handlers_t;
lv_draw_buf_handlers_t *lv_draw_buf_get_handlers(void);
lv_draw_buf_handlers_t *lv_draw_buf_get_image_handlers(void);
typedef struct {
    lv_image_header_t header;
    const uint8_t *data;
    uint32_t data_size;
} lv_image_dsc_t;

typedef struct lv_layer {
    lv_draw_buf_t *draw_buf;
    lv_area_t buf_area;
    lv_color_format_t color_format;
    struct lv_draw_task *draw_task_head;
    struct lv_layer *parent;
    lv_area_t _clip_area;
} lv_layer_t;
void *lv_draw_layer_alloc_buf(lv_layer_t *layer);
void *lv_draw_layer_go_to_xy(lv_layer_t *layer, int32_t x, int32_t y);

typedef enum {
    LV_DRAW_TASK_TYPE_FILL = 1,
    LV_DRAW_TASK_TYPE_BORDER,
    LV_DRAW_TASK_TYPE_LABEL,
    LV_DRAW_TASK_TYPE_IMAGE,
    LV_DRAW_TASK_TYPE_LAYER,
    LV_DRAW_TASK_TYPE_ARC,
    LV_DRAW_TASK_TYPE_LINE,
    LV_DRAW_TASK_TYPE_TRIANGLE,
    LV_DRAW_TASK_TYPE_BOX_SHADOW,
    LV_DRAW_TASK_TYPE_MASK_RECTANGLE
} lv_draw_task_type_t;
enum {
    LV_DRAW_TASK_STATE_BLOCKED,
    LV_DRAW_TASK_STATE_WAITING,
    LV_DRAW_TASK_STATE_QUEUED,
    LV_DRAW_TASK_STATE_IN_PROGRESS,
#if STAND_IN_MINOR >= 6
    LV_DRAW_TASK_STATE_FAILED,
#endif
    LV_DRAW_TASK_STATE_FINISHED
};
enum { LV_GRAD_DIR_NONE, LV_GRAD_DIR_VER, LV_GRAD_DIR_HOR };
enum { LV_BLEND_MODE_NORMAL, LV_BLEND_MODE_ADDITIVE };
typedef enum { LV_IMAGE_SRC_VARIABLE, LV_IMAGE_SRC_FILE } lv_image_src_t;
lv_image_src_t lv_image_src_get_type(const void *source);

typedef struct stand_in_object lv_obj_t;
typedef struct {
    lv_obj_t *obj;
    lv_layer_t *layer;
} lv_draw_dsc_base_t;
typedef struct {
    lv_color_t color;
    lv_opa_t opa;
    uint8_t frac;
} lv_grad_stop_t;
typedef struct {
    lv_grad_stop_t stops[2];
    uint8_t stops_count;
    int dir;
} lv_grad_dsc_t;
typedef struct {
    lv_draw_dsc_base_t base;
    int32_t radius;
    lv_opa_t opa;
    lv_color_t color;
    lv_grad_dsc_t grad;
} lv_draw_fill_dsc_t;

enum {
    LV_BORDER_SIDE_NONE = 0,
    LV_BORDER_SIDE_BOTTOM = 1,
    LV_BORDER_SIDE_TOP = 2,
    LV_BORDER_SIDE_LEFT = 4,
    LV_BORDER_SIDE_RIGHT = 8,
    LV_BORDER_SIDE_FULL = 15
};
typedef struct {
    lv_draw_dsc_base_t base;
    int32_t radius;
    lv_color_t color;
    int32_t width;
    lv_opa_t opa;
    uint8_t side;
} lv_draw_border_dsc_t;

typedef struct {
    lv_draw_dsc_base_t base;
    lv_area_t area;
    int32_t radius;
} lv_draw_mask_rect_dsc_t;

typedef struct {
    lv_draw_dsc_base_t base;
    lv_color_t color;
    lv_opa_t opa;
    const void *img_src;
    bool rounded;
} lv_draw_arc_dsc_t;
typedef struct {
    lv_draw_dsc_base_t base;
    lv_color_t color;
    lv_opa_t opa;
    int32_t width;
    bool round_start, round_end;
#if STAND_IN_MINOR >= 5
    const lv_point_t *points;
#endif
} lv_draw_line_dsc_t;
typedef struct {
    lv_draw_dsc_base_t base;
    lv_opa_t opa;
    lv_color_t color;
    lv_grad_dsc_t grad;
} lv_draw_triangle_dsc_t;
typedef lv_draw_border_dsc_t lv_draw_box_shadow_dsc_t;

typedef struct lv_font {
    int32_t line_height;
} lv_font_t;
typedef enum {
    LV_FONT_GLYPH_FORMAT_NONE = 0,
    LV_FONT_GLYPH_FORMAT_A1 = 1,
    LV_FONT_GLYPH_FORMAT_A8 = 8,
    LV_FONT_GLYPH_FORMAT_IMAGE = 9
} lv_font_glyph_format_t;
typedef struct {
    const lv_font_t *resolved_font;
    int16_t ofs_y;
    uint16_t box_h;
    union {
        uint32_t index;
    } gid;
} lv_font_glyph_dsc_t;
const void *lv_font_get_glyph_bitmap(lv_font_glyph_dsc_t *glyph, lv_draw_buf_t *buffer);
typedef struct {
    lv_draw_dsc_base_t base;
    const char *text;
    const lv_font_t *font;
    lv_color_t color;
    lv_opa_t opa;
} lv_draw_label_dsc_t;

typedef struct lv_draw_image_sup lv_draw_image_sup_t;
typedef struct {
    lv_draw_dsc_base_t base;
    const void *src;
    lv_image_header_t header;
    int32_t clip_radius, rotation, scale_x, scale_y, skew_x, skew_y;
    lv_color_t recolor;
    lv_opa_t recolor_opa, opa;
    lv_point_t pivot;
    int blend_mode;
    bool antialias, tile;
    const void *colorkey;
    lv_draw_image_sup_t *sup;
    lv_area_t image_area;
    const lv_image_dsc_t *bitmap_mask_src;
} lv_draw_image_dsc_t;

void lv_draw_image_dsc_init(lv_draw_image_dsc_t *image);
void lv_draw_border_dsc_init(lv_draw_border_dsc_t *border);

typedef struct {
    const lv_draw_buf_t *decoded;
} lv_image_decoder_dsc_t;

/* ------------------------------------------------------------------ a program with a display */

typedef struct stand_in_display lv_display_t;
typedef void (*lv_display_flush_cb_t)(lv_display_t *display, const lv_area_t *area, uint8_t *pixels);
typedef void (*lv_display_flush_wait_cb_t)(lv_display_t *display);
enum { LV_DISPLAY_RENDER_MODE_FULL = 2 };
void lv_init(void);
void lv_tick_set_cb(uint32_t (*tick)(void));
lv_display_t *lv_display_create(int32_t width, int32_t height);
int32_t lv_display_get_horizontal_resolution(const lv_display_t *display);
int32_t lv_display_get_vertical_resolution(const lv_display_t *display);
lv_color_format_t lv_display_get_color_format(lv_display_t *display);
lv_draw_buf_t *lv_display_get_buf_active(lv_display_t *display);
void lv_display_set_color_format(lv_display_t *display, lv_color_format_t format);
void lv_display_set_buffers(lv_display_t *display, void *first, void *second, uint32_t bytes, int mode);
void lv_display_set_flush_cb(lv_display_t *display, lv_display_flush_cb_t flush);
void lv_display_set_flush_wait_cb(lv_display_t *display, lv_display_flush_wait_cb_t wait);
bool lv_display_flush_is_last(lv_display_t *display);
void lv_display_enable_invalidation(lv_display_t *display, bool is_enabled);
void lv_display_flush_ready(lv_display_t *display);
lv_obj_t *lv_screen_active(void);
void lv_obj_update_layout(const lv_obj_t *object);
void lv_obj_invalidate(const lv_obj_t *object);
void lv_obj_enable_style_refresh(bool is_enabled);
void lv_refr_now(lv_display_t *display);
lv_display_t *lv_refr_get_disp_refreshing(void);
typedef enum { LV_LAYER_TYPE_NONE, LV_LAYER_TYPE_SIMPLE, LV_LAYER_TYPE_TRANSFORM } lv_layer_type_t;
lv_layer_type_t lv_obj_get_layer_type(const lv_obj_t *object);
lv_obj_t *lv_obj_get_parent(const lv_obj_t *object);
lv_opa_t lv_obj_get_style_bg_opa(const lv_obj_t *object, uint32_t part);

#endif
