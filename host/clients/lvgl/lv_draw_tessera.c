/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera.h. LVGL shows every task to the unit, which takes those that the GPU draws, and then calls it
 * again and again to begin what is ready and to end what is done. A task of the unit's may follow an unfinished one of
 * its own that it overlaps, as the GPU keeps their order, but waits for those of others; LVGL has others wait for the
 * unit's.
 */
#include "clients/lvgl/lv_draw_tessera.h"

#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

enum { UNIT_ID = 90, SCORE = 70 };

struct unit_state lvt_gpu;

static bool is_wanted(const lv_draw_task_t *task)
{
    lv_area_t area;
    if (lvt_gpu.is_opaque_only && !lvt_draw_is_opaque(task)) return false;
    if (lvt_gpu.least_pixels == 0) return true;
    return lvt_gpu.least_pixels != UINT32_MAX && lv_area_intersect(&area, &task->area, &task->clip_area) &&
           (uint32_t)lv_area_get_width(&area) * (uint32_t)lv_area_get_height(&area) >= lvt_gpu.least_pixels;
}

static int32_t evaluate(lv_draw_unit_t *unit, lv_draw_task_t *task)
{
    const lv_draw_dsc_base_t *base = task->draw_dsc;
    (void)unit;
    if (lvt_gpu.tessera == NULL || lvt_gpu.least_pixels == UINT32_MAX) return 0;
    if (lvt_draw_can_premultiply(base)) base->layer->color_format = LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
    if (task->preference_score <= SCORE) return 0;
    uint32_t *left = NULL;
    if (!lvt_draw_suits_layer(task)) left = &lvt_gpu.counts.left_layers;
    else if (!lvt_draw_takes(task)) left = &lvt_gpu.counts.left_tasks;
    else if (!is_wanted(task)) left = &lvt_gpu.counts.left_wishes;
    if (left != NULL) {
        (*left)++;
        return 0;
    }
    task->preference_score = SCORE;
    task->preferred_draw_unit_id = UNIT_ID;
    return 1;
}

/* No task before it, but the unit's own that have begun, draws where it does. */
static bool is_free_to_begin(const lv_layer_t *layer, const lv_draw_task_t *task)
{
    lv_area_t common;
    for (const lv_draw_task_t *before = layer->draw_task_head; before != NULL && before != task;
         before = before->next) {
        const bool is_own =
            before->preferred_draw_unit_id == UNIT_ID && before->state == LV_DRAW_TASK_STATE_IN_PROGRESS;
        if (!is_own && !is_finished(before) && lv_area_intersect(&common, &before->_real_area, &task->_real_area))
            return false;
    }
    return true;
}

static lv_draw_task_t *next_task(const lv_layer_t *layer)
{
    for (lv_draw_task_t *task = layer->draw_task_head; task != NULL; task = task->next)
        if (task->preferred_draw_unit_id == UNIT_ID && task->state == LV_DRAW_TASK_STATE_WAITING &&
            is_free_to_begin(layer, task))
            return task;
    return NULL;
}

/* Draw the task, or begin to. */
static void begin(lv_draw_tessera_unit_t *own, lv_draw_task_t *task, lv_layer_t *layer)
{
    lv_area_t area = lvt_draw_extent(task);
    own->task = task;
    task->state = LV_DRAW_TASK_STATE_IN_PROGRESS;
    task->draw_unit = &own->base_unit;
    if (!lv_area_intersect(&area, &area, &task->clip_area) || !lv_area_intersect(&area, &area, &layer->buf_area)) {
        end_task(task, true);
        return;
    }
    const int status = lvt_draw_task(own, task, &area);
    if (status != TESSERA_OK && !is_finished(task)) end_task(task, false);
}

static int32_t dispatch(lv_draw_unit_t *unit, lv_layer_t *layer)
{
    int32_t begun = 0;
    lv_draw_task_t *task;
    if (lvt_gpu.tessera == NULL) return LV_DRAW_UNIT_IDLE;
    const bool has_ended = lvt_queue_look();
    /* Without a buffer LVGL asks again when there is memory. */
    while ((task = next_task(layer)) != NULL && lv_draw_layer_alloc_buf(layer) != NULL) {
        begin((lv_draw_tessera_unit_t *)(void *)unit, task, layer);
        begun++;
    }
    if (begun == 0 && !has_ended && lvt_queue_is_empty()) return LV_DRAW_UNIT_IDLE;
    lv_draw_dispatch_request(); /* for what can begin now, or to look again */
    return begun > 0 || has_ended ? LV_MAX(begun, 1) : LV_DRAW_UNIT_IDLE;
}

static int32_t forget(lv_draw_unit_t *unit)
{
    (void)unit;
    lv_draw_tessera_deinit();
    return 0;
}

/* ------------------------------------------------------------------ begin and end */

int lv_draw_tessera_init(struct tessera *tessera)
{
    uint32_t context = 0, features = 0;
    int status = tessera_features(tessera, &features);
    if (status == TESSERA_OK) status = tessera_context_create(tessera, 0, 0, &context);
    if (status != TESSERA_OK) return status;
    memset(&lvt_gpu, 0, sizeof lvt_gpu);
    lvt_gpu.tessera = tessera;
    lvt_gpu.context = context;
    lvt_gpu.is_without_maps = FIELD_GET(features, MEMORY_FEATURES_MAPS) == 0u;
    status = lvt_queue_begin();
    if (status == TESSERA_OK && (status = lvt_masks_begin()) != TESSERA_OK) lvt_queue_end();
    if (status != TESSERA_OK) {
        (void)tessera_context_destroy(tessera, context);
        lvt_gpu.tessera = NULL;
        return status;
    }
    lv_draw_tessera_unit_t *unit = lv_draw_create_unit(sizeof *unit);
    unit->base_unit.name = "TESSERA";
    unit->base_unit.evaluate_cb = evaluate;
    unit->base_unit.dispatch_cb = dispatch;
    unit->base_unit.delete_cb = forget;
    return TESSERA_OK;
}

void lv_draw_tessera_least(uint32_t pixels) { lvt_gpu.least_pixels = pixels; }
void lv_draw_tessera_without_covers(bool is_so) { lvt_gpu.is_without_covers = is_so; }
void lv_draw_tessera_without_maps(bool is_so) { lvt_gpu.is_without_maps = is_so; }
void lv_draw_tessera_opaque_only(bool is_so) { lvt_gpu.is_opaque_only = is_so; }

int lv_draw_tessera_share(const struct lv_draw_tessera_memory *memory)
{
    int status = lvt_memory_begin(memory);
    if (status != TESSERA_OK) return status;
    lvt_masks_end(); /* those that lie elsewhere */
    return lvt_masks_begin();
}

void lv_draw_tessera_forget(const void *pixels)
{
    if (lvt_gpu.tessera == NULL) return;
    lvt_memory_forget(pixels);
    if (pixels == NULL) lvt_masks_forget();
}

void lv_draw_tessera_finish(void) { lvt_queue_finish(); }

void lv_draw_tessera_deinit(void)
{
    if (lvt_gpu.tessera == NULL) return;
    lvt_queue_finish();
    lvt_masks_end();
    lvt_gradient_end();
    lvt_memory_end();
    lvt_queue_end();
    (void)tessera_context_destroy(lvt_gpu.tessera, lvt_gpu.context);
    lvt_gpu.tessera = NULL;
}

struct lv_draw_tessera_counts lv_draw_tessera_counts(void) { return lvt_gpu.counts; }
