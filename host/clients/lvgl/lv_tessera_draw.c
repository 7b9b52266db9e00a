/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Which tasks the unit takes, and what each asks of the GPU: text (a glyph is a mask
 * times a colour) and fills here; images and layers in lv_tessera_images.c, gradients in lv_tessera_gradients.c, what
 * has corners or is a mask of its own in lv_tessera_shapes.c.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

/* ------------------------------------------------------------------ places */

/* LVGL fills it in before the draw units are asked. */
static lv_layer_t *task_layer(const lv_draw_task_t *task)
{
    const lv_draw_dsc_base_t *base = task->draw_dsc;
    return base->layer;
}

static struct canvas canvas_of(const lv_draw_task_t *task, const lv_area_t *area)
{
    lv_layer_t *layer = task_layer(task);
    struct canvas canvas = {.layer = lvt_memory_picture(layer->draw_buf),
                            .area = *area,
                            .layer_left = layer->buf_area.x1,
                            .layer_top = layer->buf_area.y1};
    canvas.layer.format = lvt_memory_engine_format(layer->color_format);
    canvas.layer.unit_bytes = lv_color_format_get_size(layer->color_format);
    canvas.picture = canvas.layer;
    canvas.picture.first = lv_draw_layer_go_to_xy(layer, area->x1 - layer->buf_area.x1, area->y1 - layer->buf_area.y1);
    canvas.picture.width = (uint32_t)lv_area_get_width(area);
    canvas.picture.height = (uint32_t)lv_area_get_height(area);
    return canvas;
}

#if HAS_MASKS
/* ------------------------------------------------------------------ text */

static struct {
    struct canvas *canvas;
    int status;
} text;

static int draw_glyph(lv_draw_glyph_dsc_t *glyph)
{
    struct mask_key key;
    struct mask mask;
    uint32_t stride;
    memset(&key, 0, sizeof key);
    key.font = glyph->g->resolved_font;
    key.kind = MASK_GLYPH;
    key.glyph = glyph->g->gid.index;
    key.width = lv_area_get_width(glyph->letter_coords);
    key.height = lv_area_get_height(glyph->letter_coords);
    if (!lvt_masks_find(&key, &mask)) {
        const lv_draw_buf_t *bitmap = lv_font_get_glyph_bitmap(glyph->g, glyph->_draw_buf);
        uint8_t *first = bitmap != NULL ? lvt_masks_add(&key, &mask, &stride) : NULL;
        if (first == NULL) return bitmap != NULL ? TESSERA_NO_MEMORY : TESSERA_OK;
        for (int32_t y = 0; y < key.height; y++)
            memcpy(first + (size_t)y * stride, bitmap->data + (size_t)y * bitmap->header.stride, (size_t)key.width);
    }
    return lvt_shape_paint(text.canvas, &mask, glyph->letter_coords, 0, 0, glyph->color, glyph->opa);
}

/* A glyph that no mask is of, drawn by the processor in its place between the others. */
static int draw_glyph_beside(lv_draw_task_t *task, lv_draw_glyph_dsc_t *glyph)
{
    int status = lvt_queue_pause(text.canvas);
    if (status != TESSERA_OK) return status;
    lvt_cover_glyph(task, glyph);
    return lvt_queue_resume(text.canvas);
}

static void draw_letter(lv_draw_task_t *task, lv_draw_glyph_dsc_t *glyph, lv_draw_fill_dsc_t *background,
                        const lv_area_t *area)
{
    if (text.status != TESSERA_OK) return;
    if (glyph != NULL) {
        const bool is_mask = glyph->format >= LV_FONT_GLYPH_FORMAT_A1 && glyph->format <= LV_FONT_GLYPH_FORMAT_A8;
        if (is_mask && glyph->rotation % 3600 == 0) text.status = draw_glyph(glyph);
        else text.status = draw_glyph_beside(task, glyph);
    }
    if (background != NULL && area != NULL && text.status == TESSERA_OK && background->opa > LV_OPA_MIN)
        text.status =
            lvt_shape_fill(text.canvas, area->x1, area->y1, area->x2, area->y2, background->color, background->opa);
}

static int draw_label(struct canvas *canvas, lv_draw_tessera_unit_t *unit)
{
    const lv_draw_label_dsc_t *dsc = unit->task->draw_dsc;
    if (dsc->opa <= LV_OPA_MIN) return TESSERA_OK;
    text.canvas = canvas;
    text.status = TESSERA_OK;
    lv_draw_label_iterate_characters(unit->task, dsc, &unit->task->area, draw_letter);
    return text.status;
}
#endif

static int draw_fill(const struct canvas *canvas, const lv_draw_task_t *task)
{
    const lv_draw_fill_dsc_t *dsc = task->draw_dsc;
    const lv_area_t *shape = &task->area;
    if (dsc->opa <= LV_OPA_MIN) return TESSERA_OK;
    if (dsc->grad.dir != LV_GRAD_DIR_NONE) return lvt_gradient_draw(canvas, task);
#if HAS_MASKS
    if (lvt_shape_corner(shape, dsc->radius) > 0) return lvt_shape_round_fill(canvas, dsc, shape);
#endif
    return lvt_shape_fill(canvas, shape->x1, shape->y1, shape->x2, shape->y2, dsc->color, dsc->opa);
}

/* ------------------------------------------------------------------ what is taken */

/* Onto ARGB8888 the engine mixes as if the target were opaque, or premultiplied: a display may be, a canvas is not. */
static bool can_blend_onto(lv_layer_t *layer)
{
    const lv_display_t *display = lv_refr_get_disp_refreshing();
    if (layer->color_format != LV_COLOR_FORMAT_ARGB8888) return true;
    return display != NULL && display->layer_head == layer && display->act_scr != NULL &&
           lv_obj_get_style_bg_opa(display->act_scr, LV_PART_MAIN) >= LV_OPA_MAX;
}

static bool is_target(lv_layer_t *layer)
{
    const uint32_t format = lvt_memory_engine_format(layer->color_format);
    return format != FORMAT_BYTES && format != FORMAT_A8 && format != FORMAT_ARGB1555;
}

/* A layer that is turned or scaled: of the object that draws, or of the next above it that has a layer. LVGL mixes its
 * pixels with their neighbours, colours apart from alpha, and premultiplied colours of a low alpha are too rough. */
static bool is_transformed(const lv_obj_t *object)
{
    while (object != NULL && lv_obj_get_layer_type(object) == LV_LAYER_TYPE_NONE) object = lv_obj_get_parent(object);
    return object != NULL && lv_obj_get_layer_type(object) == LV_LAYER_TYPE_TRANSFORM;
}

bool lvt_draw_can_premultiply(const lv_draw_dsc_base_t *base)
{
#if HAS_MAPS
    lv_layer_t *layer = base->layer;
    if (lvt_gpu.is_opaque_only || layer->parent == NULL || layer->draw_buf != NULL) return false;
    return layer->color_format == LV_COLOR_FORMAT_ARGB8888 && is_target(layer->parent) &&
           can_blend_onto(layer->parent) && !is_transformed(base->obj);
#else
    (void)base;
    return false;
#endif
}

static bool takes_fill(const lv_draw_task_t *task, const lv_draw_fill_dsc_t *dsc)
{
    if (dsc->grad.dir != LV_GRAD_DIR_NONE) return lvt_gradient_takes(dsc);
#if HAS_MASKS
    return lvt_shape_holds(&task->area, lvt_shape_corner(&task->area, dsc->radius));
#else
    (void)task;
    return dsc->radius == 0;
#endif
}

bool lvt_draw_is_opaque(const lv_draw_task_t *task)
{
    const lv_draw_fill_dsc_t *dsc = task->draw_dsc;
    const lv_draw_image_dsc_t *image = task->draw_dsc;
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_FILL: return dsc->opa >= LV_OPA_MAX && dsc->radius == 0 && dsc->grad.dir == LV_GRAD_DIR_NONE;
    case LV_DRAW_TASK_TYPE_IMAGE:
        return image->opa >= LV_OPA_MAX && image->header.cf != LV_COLOR_FORMAT_A8 && lvt_image_is_plain(image) &&
               !lv_color_format_has_alpha((lv_color_format_t)image->header.cf);
    default: return false;
    }
}

bool lvt_draw_suits_layer(const lv_draw_task_t *task)
{
    lv_layer_t *layer = task_layer(task);
    return is_target(layer) && (lvt_draw_is_opaque(task) || can_blend_onto(layer));
}

bool lvt_draw_takes(const lv_draw_task_t *task)
{
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_FILL: return takes_fill(task, task->draw_dsc);
    case LV_DRAW_TASK_TYPE_IMAGE:
    case LV_DRAW_TASK_TYPE_LAYER: return lvt_image_takes(task);
#if HAS_MASKS
    case LV_DRAW_TASK_TYPE_BORDER: {
        const lv_draw_border_dsc_t *dsc = task->draw_dsc;
        return lvt_shape_holds(&task->area, LV_MAX(lvt_shape_corner(&task->area, dsc->radius), dsc->width));
    }
    case LV_DRAW_TASK_TYPE_LABEL: return true;
    case LV_DRAW_TASK_TYPE_MASK_RECTANGLE:
        return task_layer(task)->color_format == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
    case LV_DRAW_TASK_TYPE_ARC:
    case LV_DRAW_TASK_TYPE_LINE:
    case LV_DRAW_TASK_TYPE_TRIANGLE:
    case LV_DRAW_TASK_TYPE_BOX_SHADOW: return !lvt_gpu.is_without_covers && lvt_cover_has_one_colour(task);
#endif
    default: return false;
    }
}

static lv_area_t grown(const lv_area_t *area, int32_t by)
{
    return (lv_area_t){area->x1 - by, area->y1 - by, area->x2 + by, area->y2 + by};
}

lv_area_t lvt_draw_extent(const lv_draw_task_t *task)
{
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_LABEL: {
        const lv_draw_label_dsc_t *label = task->draw_dsc;
        return grown(&task->area, label->font != NULL ? label->font->line_height : 0);
    }
    case LV_DRAW_TASK_TYPE_LINE: return grown(&task->area, line_reach(task->draw_dsc));
    case LV_DRAW_TASK_TYPE_MASK_RECTANGLE: return task->clip_area; /* it clears all around */
    case LV_DRAW_TASK_TYPE_BOX_SHADOW:
    case LV_DRAW_TASK_TYPE_IMAGE:
    case LV_DRAW_TASK_TYPE_LAYER: return task->_real_area;
    default: return task->area;
    }
}

int lvt_draw_task(lv_draw_tessera_unit_t *unit, lv_draw_task_t *task, const lv_area_t *area)
{
    struct canvas canvas = canvas_of(task, area);
    int status = lvt_queue_open(&canvas, !lvt_draw_is_opaque(task));
    if (status != TESSERA_OK) return status;
    lvt_gpu.counts.blended += !lvt_draw_is_opaque(task);
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_FILL:
        lvt_gpu.counts.fills++;
        status = draw_fill(&canvas, task);
        break;
    case LV_DRAW_TASK_TYPE_IMAGE:
        lvt_gpu.counts.images++;
        status = lvt_image_draw(&canvas, unit);
        break;
#if HAS_MASKS
    case LV_DRAW_TASK_TYPE_BORDER:
        lvt_gpu.counts.borders++;
        status = lvt_shape_border(&canvas, task->draw_dsc, &task->area);
        break;
    case LV_DRAW_TASK_TYPE_LABEL:
        lvt_gpu.counts.labels++;
        status = draw_label(&canvas, unit);
        break;
#endif
#if HAS_MASKS
    case LV_DRAW_TASK_TYPE_MASK_RECTANGLE: /* LVGL's takes alpha alone away */
        status = lvt_queue_pause(&canvas);
        if (status == TESSERA_OK) lvt_cover_mask(task);
        if (status == TESSERA_OK) status = lvt_queue_resume(&canvas);
        break;
    case LV_DRAW_TASK_TYPE_ARC:
    case LV_DRAW_TASK_TYPE_LINE:
    case LV_DRAW_TASK_TYPE_TRIANGLE:
    case LV_DRAW_TASK_TYPE_BOX_SHADOW: status = lvt_shape_cover(&canvas, task); break;
#endif
    default: lvt_gpu.counts.layers++; status = lvt_image_draw_layer(&canvas, task);
    }
    lvt_queue_judge(status);
    return lvt_queue_close(&canvas, task, status == TESSERA_OK);
}
