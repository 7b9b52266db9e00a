/* SPDX-License-Identifier: Apache-2.0
 *
 * See lvgl.h: what LVGL keeps in its private headers.
 */
#ifndef STAND_IN_LVGL_PRIVATE_H
#define STAND_IN_LVGL_PRIVATE_H

#include "lvgl.h"

typedef struct lv_draw_unit lv_draw_unit_t;

typedef struct lv_draw_task {
    lv_draw_task_type_t type;
    struct lv_draw_task *next;
    lv_area_t area, _real_area, clip_area;
    lv_layer_t *target_layer;
    lv_draw_unit_t *draw_unit;
    int state;
    void *draw_dsc;
    uint8_t preferred_draw_unit_id, preference_score;
} lv_draw_task_t;

struct stand_in_display {
    int32_t width, height;
    lv_display_flush_cb_t flush;
    bool is_valid;
    lv_layer_t *layer_head;
    lv_obj_t *act_scr;
    lv_display_flush_wait_cb_t wait;
    lv_draw_buf_t *buf_act;
    bool flushing_last;
};

struct lv_draw_unit {
    const char *name;
    int32_t (*dispatch_cb)(lv_draw_unit_t *unit, lv_layer_t *layer);
    int32_t (*evaluate_cb)(lv_draw_unit_t *unit, lv_draw_task_t *task);
    int32_t (*delete_cb)(lv_draw_unit_t *unit);
};

#define LV_DRAW_UNIT_IDLE (-1)

void *lv_draw_create_unit(size_t size);
void lv_draw_dispatch_request(void);

/* What functions that draw are handed. */
typedef lv_draw_task_t stand_in_caller;
typedef struct lv_image_decoder_args lv_image_decoder_args_t;
typedef void (*lv_draw_image_core_cb)(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                      const lv_image_decoder_dsc_t *decoder, lv_draw_image_sup_t *sup,
                                      const lv_area_t *coordinates, const lv_area_t *clipped);
#if STAND_IN_MINOR >= 5
#define STAND_IN_ARGUMENTS , const lv_image_decoder_args_t *arguments
#else
#define STAND_IN_ARGUMENTS
#endif
void lv_draw_image_normal_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                 const lv_area_t *coordinates, lv_draw_image_core_cb core STAND_IN_ARGUMENTS);
void lv_draw_image_tiled_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *coordinates,
                                lv_draw_image_core_cb core STAND_IN_ARGUMENTS);

/* ------------------------------------------------------------------ labels, and the renderer's own drawing */

typedef struct {
    const void *glyph_data;
    lv_font_glyph_format_t format;
    const lv_area_t *letter_coords, *bg_coords;
    lv_font_glyph_dsc_t *g;
    lv_color_t color;
    lv_opa_t opa;
    int32_t rotation;
    lv_point_t pivot;
    lv_draw_buf_t *_draw_buf;
} lv_draw_glyph_dsc_t;
typedef void (*lv_draw_glyph_cb_t)(stand_in_caller *caller, lv_draw_glyph_dsc_t *glyph, lv_draw_fill_dsc_t *fill,
                                   const lv_area_t *area);
void lv_draw_label_iterate_characters(stand_in_caller *caller, const lv_draw_label_dsc_t *label,
                                      const lv_area_t *coordinates, lv_draw_glyph_cb_t draw);
void lv_draw_sw_fill(stand_in_caller *caller, lv_draw_fill_dsc_t *fill, const lv_area_t *coordinates);
void lv_draw_sw_border(stand_in_caller *caller, const lv_draw_border_dsc_t *border, const lv_area_t *coordinates);
void lv_draw_sw_arc(stand_in_caller *caller, const lv_draw_arc_dsc_t *arc, const lv_area_t *coordinates);
void lv_draw_sw_line(stand_in_caller *caller, const lv_draw_line_dsc_t *line);
#if STAND_IN_MINOR >= 5
void lv_draw_line_iterate(stand_in_caller *caller, lv_draw_line_dsc_t *line,
                          void (*draw)(stand_in_caller *caller, const lv_draw_line_dsc_t *line));
#endif
void lv_draw_sw_triangle(stand_in_caller *caller, const lv_draw_triangle_dsc_t *triangle);
void lv_draw_sw_box_shadow(stand_in_caller *caller, const lv_draw_box_shadow_dsc_t *shadow,
                           const lv_area_t *coordinates);
void lv_draw_sw_mask_rect(stand_in_caller *caller, const lv_draw_mask_rect_dsc_t *mask);
typedef enum {
    LV_DRAW_SW_MASK_RES_TRANSP,
    LV_DRAW_SW_MASK_RES_FULL_COVER,
    LV_DRAW_SW_MASK_RES_CHANGED
} lv_draw_sw_mask_res_t;
typedef struct {
    lv_area_t area;
    int32_t radius;
} lv_draw_sw_mask_radius_param_t;
void lv_draw_sw_mask_radius_init(lv_draw_sw_mask_radius_param_t *corners, const lv_area_t *area, int32_t radius,
                                 bool is_inverse);
lv_draw_sw_mask_res_t lv_draw_sw_mask_apply(void *masks[], lv_opa_t *row, int32_t x, int32_t y, int32_t width);
void lv_draw_sw_mask_free_param(void *mask);
void lv_draw_sw_image(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *coordinates);
void lv_draw_sw_layer(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *coordinates);

#endif
