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
    lv_area_t area, clip_area;
#if STAND_IN_MINOR >= 3
    lv_layer_t *target_layer;
    lv_draw_unit_t *draw_unit;
#endif
    int state;
    void *draw_dsc;
    uint8_t preferred_draw_unit_id, preference_score;
} lv_draw_task_t;

struct lv_draw_unit {
#if STAND_IN_MINOR >= 3
    const char *name;
#else
    lv_layer_t *target_layer;
    const lv_area_t *clip_area;
#endif
    int32_t (*dispatch_cb)(lv_draw_unit_t *unit, lv_layer_t *layer);
    int32_t (*evaluate_cb)(lv_draw_unit_t *unit, lv_draw_task_t *task);
    int32_t (*delete_cb)(lv_draw_unit_t *unit);
};

#define LV_DRAW_UNIT_IDLE (-1)

void *lv_draw_create_unit(size_t size);
#if STAND_IN_MINOR >= 3
lv_draw_task_t *lv_draw_get_available_task(lv_layer_t *layer, lv_draw_task_t *previous, uint8_t unit_id);
#else
lv_draw_task_t *lv_draw_get_next_available_task(lv_layer_t *layer, lv_draw_task_t *previous, uint8_t unit_id);
#endif
void lv_draw_dispatch_request(void);

/* What image functions are handed: the draw unit in 9.2. */
#if STAND_IN_MINOR >= 3
typedef lv_draw_task_t stand_in_caller;
#else
typedef lv_draw_unit_t stand_in_caller;
#endif
typedef struct lv_image_decoder_args lv_image_decoder_args_t;
typedef void (*lv_draw_image_core_cb)(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                      const lv_image_decoder_dsc_t *decoder, lv_draw_image_sup_t *sup,
                                      const lv_area_t *coordinates, const lv_area_t *clipped);
#if STAND_IN_MINOR >= 5
void lv_draw_image_normal_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                 const lv_area_t *coordinates, lv_draw_image_core_cb core,
                                 const lv_image_decoder_args_t *arguments);
#else
void lv_draw_image_normal_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                 const lv_area_t *coordinates, lv_draw_image_core_cb core);
#endif

#endif
