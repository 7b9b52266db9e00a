/* SPDX-License-Identifier: Apache-2.0
 *
 * What LVGL 9.4 and 9.5 call differently, as the draw unit calls it; and 9.6, as far as its development branch shows
 * it. Here is what depends on the version or on how LVGL is configured, and nothing else.
 */
#ifndef LV_DRAW_TESSERA_VERSIONS_H
#define LV_DRAW_TESSERA_VERSIONS_H

#include "lvgl.h"

#if LVGL_VERSION_MAJOR != 9 || LVGL_VERSION_MINOR < 4
#error "This draw unit needs LVGL 9.4 or 9.5. Check out one of these."
#endif

#include "lvgl_private.h"

static inline bool is_finished(const lv_draw_task_t *task)
{
#if LVGL_VERSION_MINOR >= 6
    if (task->state == LV_DRAW_TASK_STATE_FAILED) return true;
#endif
    return task->state == LV_DRAW_TASK_STATE_FINISHED;
}

/* 9.6 is told that a task has failed; for the others it is done. */
static inline void end_task(lv_draw_task_t *task, bool is_good)
{
    task->state = LV_DRAW_TASK_STATE_FINISHED;
#if LVGL_VERSION_MINOR >= 6
    if (!is_good) task->state = LV_DRAW_TASK_STATE_FAILED;
#endif
    (void)is_good;
}

/* Decode the image of a task and call `core` with it. */
static inline void decode_image(lv_draw_task_t *task, lv_draw_image_core_cb core)
{
    const lv_draw_image_dsc_t *image = task->draw_dsc;
#if LVGL_VERSION_MINOR >= 5
    if (image->tile) lv_draw_image_tiled_helper(task, image, &task->area, core, NULL);
    else lv_draw_image_normal_helper(task, image, &task->area, core, NULL);
#else
    if (image->tile) lv_draw_image_tiled_helper(task, image, &task->area, core);
    else lv_draw_image_normal_helper(task, image, &task->area, core);
#endif
}

/* How far from its task's area the renderer looks at a skew line: what 9.4 cuts off at the right of a row comes out at
 * the left of the next, so it has to be given as much room as it takes. */
static inline int32_t line_reach(const lv_draw_line_dsc_t *line)
{
    return LVGL_VERSION_MINOR < 5 ? line->width / 2 + 1 : 0;
}

/* Lines of many points are there from 9.5 on. */
static inline bool has_points(const lv_draw_line_dsc_t *line)
{
#if LVGL_VERSION_MINOR >= 5
    return line->points != NULL;
#else
    (void)line;
    return false;
#endif
}

static inline void software_line(lv_draw_task_t *task, lv_draw_line_dsc_t *line)
{
#if LVGL_VERSION_MINOR >= 5
    lv_draw_line_iterate(task, line, lv_draw_sw_line);
#else
    lv_draw_sw_line(task, line);
#endif
}

/* Masks are drawn by LVGL's renderer: in white onto A8, which it knows as a target since 9.5. 9.4 draws in black onto
 * white L8: of what is there it keeps 255 less the coverage, and a level less where that is not all, so that no
 * coverage is lost (a level of white on black would be). Outlines of fonts are only its own. */
#if LVGL_VERSION_MINOR >= 5
#define COVER_FORMAT LV_COLOR_FORMAT_A8
#define COVER_COLOUR lv_color_white()
#define CAN_COVER LV_DRAW_SW_SUPPORT_A8
#else
#define COVER_FORMAT LV_COLOR_FORMAT_L8
#define COVER_COLOUR lv_color_black()
#define CAN_COVER LV_DRAW_SW_SUPPORT_L8
#endif

#define HAS_MASKS (LV_USE_DRAW_SW && CAN_COVER && !(LV_USE_FREETYPE && LV_USE_VECTOR_GRAPHIC && LV_USE_THORVG))
/* Pictures of all colours need a target with alpha. */
#define HAS_MAPS (HAS_MASKS && LV_DRAW_SW_SUPPORT_ARGB8888 && LV_DRAW_SW_SUPPORT_ARGB8888_PREMULTIPLIED)

#endif
