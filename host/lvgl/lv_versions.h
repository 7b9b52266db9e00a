/* SPDX-License-Identifier: Apache-2.0
 *
 * What LVGL 9.2 to 9.6 call differently, as the draw unit calls it.
 */
#ifndef LV_DRAW_TESSERA_VERSIONS_H
#define LV_DRAW_TESSERA_VERSIONS_H

#include "lvgl.h"

#if LVGL_VERSION_MAJOR != 9 || LVGL_VERSION_MINOR < 2
#error "this draw unit is written for LVGL 9.2 to 9.6"
#endif

#if LVGL_VERSION_MINOR >= 3
#include "lvgl_private.h"
#else
#include "src/lvgl_private.h"
#endif

/* The task that runs: 9.2 hands the draw unit to where 9.3 hands the task. */
typedef struct {
    lv_draw_unit_t base_unit;
    lv_draw_task_t *task;
} lv_draw_tessera_unit_t;

#if LVGL_VERSION_MINOR >= 3
typedef lv_draw_task_t image_caller;
static inline lv_draw_task_t *caller_task(image_caller *caller) { return caller; }
#define UNIT_SET_NAME(unit, text) ((unit)->name = (text))
#else
typedef lv_draw_unit_t image_caller;
static inline lv_draw_task_t *caller_task(image_caller *caller)
{
    return ((lv_draw_tessera_unit_t *)(void *)caller)->task;
}
#define UNIT_SET_NAME(unit, text) ((void)(unit))
#endif

static inline lv_draw_task_t *next_task(lv_layer_t *layer, uint8_t unit_id)
{
#if LVGL_VERSION_MINOR >= 3
    return lv_draw_get_available_task(layer, NULL, unit_id);
#else
    return lv_draw_get_next_available_task(layer, NULL, unit_id);
#endif
}

/* The layer and the unit of a task that begins. */
static inline void begin_task(lv_draw_tessera_unit_t *unit, lv_draw_task_t *task, lv_layer_t *layer)
{
    unit->task = task;
    task->state = LV_DRAW_TASK_STATE_IN_PROGRESS;
#if LVGL_VERSION_MINOR >= 3
    (void)layer;
    task->draw_unit = &unit->base_unit;
#else
    unit->base_unit.target_layer = layer;
    unit->base_unit.clip_area = &task->clip_area;
#endif
}

/* Only 9.6 is told that a task has failed; for the others it is done. */
static inline void end_task(lv_draw_task_t *task, bool is_good)
{
#if LVGL_VERSION_MINOR >= 6
    task->state = is_good ? LV_DRAW_TASK_STATE_FINISHED : LV_DRAW_TASK_STATE_FAILED;
#elif LVGL_VERSION_MINOR >= 4
    (void)is_good;
    task->state = LV_DRAW_TASK_STATE_FINISHED;
#else
    (void)is_good;
    task->state = LV_DRAW_TASK_STATE_READY;
#endif
}

/* Decode the image of the task and call `core` with it. */
static inline void decode_image(lv_draw_tessera_unit_t *unit, lv_draw_image_core_cb core)
{
    lv_draw_task_t *task = unit->task;
#if LVGL_VERSION_MINOR >= 5
    lv_draw_image_normal_helper(task, task->draw_dsc, &task->area, core, NULL);
#elif LVGL_VERSION_MINOR >= 3
    lv_draw_image_normal_helper(task, task->draw_dsc, &task->area, core);
#else
    lv_draw_image_normal_helper(&unit->base_unit, task->draw_dsc, &task->area, core);
#endif
}

/* Where the image's first pixel lies. 9.2 fills image_area in for some images only. */
static inline const lv_area_t *image_origin(const lv_draw_image_dsc_t *image, const lv_area_t *coordinates)
{
#if LVGL_VERSION_MINOR >= 3
    (void)coordinates;
    return &image->image_area;
#else
    (void)image;
    return coordinates;
#endif
}

static inline bool has_colour_key(const lv_draw_image_dsc_t *image)
{
#if LVGL_VERSION_MINOR >= 4
    return image->colorkey != NULL;
#else
    (void)image;
    return false;
#endif
}

static inline bool is_premultiplied_format(lv_color_format_t format)
{
#if LVGL_VERSION_MINOR >= 3
    return format == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
#else
    (void)format;
    return false;
#endif
}

static inline bool is_1555_format(lv_color_format_t format)
{
#if LVGL_VERSION_MINOR >= 3
    return format == LV_COLOR_FORMAT_ARGB1555;
#else
    (void)format;
    return false;
#endif
}

#endif
