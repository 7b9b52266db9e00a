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

/* What LVGL's functions that draw are handed. */
#if LVGL_VERSION_MINOR >= 3
typedef lv_draw_task_t draw_caller;
static inline draw_caller *caller_of(lv_draw_tessera_unit_t *unit) { return unit->task; }
static inline lv_draw_task_t *caller_task(draw_caller *caller) { return caller; }
#define UNIT_SET_NAME(unit, text) ((unit)->name = (text))
#else
typedef lv_draw_unit_t draw_caller;
static inline draw_caller *caller_of(lv_draw_tessera_unit_t *unit) { return &unit->base_unit; }
static inline lv_draw_task_t *caller_task(draw_caller *caller)
{
    return ((lv_draw_tessera_unit_t *)(void *)caller)->task;
}
#define UNIT_SET_NAME(unit, text) ((void)(unit))
#endif

/* It has not begun, and waits for no layer. */
static inline bool is_waiting(const lv_draw_task_t *task)
{
#if LVGL_VERSION_MINOR >= 4
    return task->state == LV_DRAW_TASK_STATE_WAITING;
#else
    return task->state == LV_DRAW_TASK_STATE_QUEUED;
#endif
}

static inline bool is_finished(const lv_draw_task_t *task)
{
#if LVGL_VERSION_MINOR >= 6
    return task->state == LV_DRAW_TASK_STATE_FINISHED || task->state == LV_DRAW_TASK_STATE_FAILED;
#elif LVGL_VERSION_MINOR >= 4
    return task->state == LV_DRAW_TASK_STATE_FINISHED;
#else
    return task->state == LV_DRAW_TASK_STATE_READY;
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
    const lv_draw_image_dsc_t *image = unit->task->draw_dsc;
#if LVGL_VERSION_MINOR >= 5
    if (image->tile) lv_draw_image_tiled_helper(caller_of(unit), image, &unit->task->area, core, NULL);
    else lv_draw_image_normal_helper(caller_of(unit), image, &unit->task->area, core, NULL);
#else
    if (image->tile) lv_draw_image_tiled_helper(caller_of(unit), image, &unit->task->area, core);
    else lv_draw_image_normal_helper(caller_of(unit), image, &unit->task->area, core);
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

#if LVGL_VERSION_MINOR >= 3
typedef lv_grad_stop_t gradient_stop;
#else
typedef lv_gradient_stop_t gradient_stop;
#endif

static inline int32_t label_line_height(const lv_draw_label_dsc_t *label)
{
    return label->font != NULL ? label->font->line_height : 0;
}

/* How far from its task's area the renderer looks at a skew line: before 9.5 what it cuts off at the right of a row
 * comes out at the left of the next, so it has to be given as much room as it takes. */
static inline int32_t line_reach(const lv_draw_line_dsc_t *line)
{
    return LVGL_VERSION_MINOR < 5 ? line->width / 2 + 1 : 0;
}

/* Its pixels may change: a canvas, a draw buffer. */
static inline bool is_modifiable(const lv_image_dsc_t *image)
{
    return (image->header.flags & LV_IMAGE_FLAGS_MODIFIABLE) != 0;
}

static inline bool is_screen_opaque(const lv_display_t *display)
{
    return display->act_scr != NULL && lv_obj_get_style_bg_opa(display->act_scr, LV_PART_MAIN) >= LV_OPA_MAX;
}

/* Layers that LVGL mixes straight are premultiplied from here on, which its renderer draws, too: before they have a
 * buffer. */
static inline void premultiply_layer(lv_layer_t *layer)
{
#if LVGL_VERSION_MINOR >= 3 && LV_DRAW_SW_SUPPORT_ARGB8888_PREMULTIPLIED
    if (layer->parent != NULL && layer->draw_buf == NULL && layer->color_format == LV_COLOR_FORMAT_ARGB8888)
        layer->color_format = LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
#else
    (void)layer;
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

/* Masks are drawn by LVGL's renderer: in white onto A8, which it knows as a target since 9.5. Before that in black onto
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
#if LV_USE_DRAW_SW && CAN_COVER && !(LV_USE_FREETYPE && LV_USE_VECTOR_GRAPHIC && LV_USE_THORVG)
#define HAS_MASKS 1
/* A caller, as far as LVGL's renderer looks at it, that draws onto `width` x `height` bytes. */
struct cover {
    lv_draw_buf_t buffer;
    lv_layer_t layer;
    draw_caller caller;
};

static inline draw_caller *cover_begin(struct cover *cover, uint8_t *first, uint32_t stride, const lv_area_t *shape,
                                       lv_color_format_t format)
{
    lv_memzero(cover, sizeof *cover);
    cover->buffer.header.cf = format;
    cover->buffer.header.w = (uint32_t)lv_area_get_width(shape);
    cover->buffer.header.h = (uint32_t)lv_area_get_height(shape);
    cover->buffer.header.stride = stride;
    cover->buffer.data = first;
    cover->buffer.data_size = stride * cover->buffer.header.h;
    cover->layer.draw_buf = &cover->buffer;
    cover->layer.color_format = format;
    cover->layer.buf_area = cover->layer._clip_area = *shape;
    cover->caller.target_layer = &cover->layer;
#if LVGL_VERSION_MINOR >= 3
    cover->caller.clip_area = *shape;
#else
    cover->caller.clip_area = &cover->layer._clip_area;
#endif
    for (uint32_t y = 0; y < cover->buffer.header.h && format == LV_COLOR_FORMAT_L8; y++)
        lv_memset(first + (size_t)y * stride, 255, cover->buffer.header.w);
    return &cover->caller;
}

/* What was drawn onto L8 as coverage. */
static inline void cover_end(struct cover *cover)
{
    const lv_image_header_t *header = &cover->buffer.header;
    for (uint32_t y = 0; y < header->h && header->cf == LV_COLOR_FORMAT_L8; y++) {
        uint8_t *row = cover->buffer.data + (size_t)y * header->stride;
        for (uint32_t x = 0; x < header->w; x++) row[x] = (uint8_t)(row[x] % 255 == 0 ? 255 - row[x] : 254 - row[x]);
    }
}

static inline void cover_fill(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_fill_dsc_t *dsc)
{
    struct cover cover;
    lv_draw_sw_fill(cover_begin(&cover, first, stride, shape, COVER_FORMAT), dsc, shape);
    cover_end(&cover);
}

static inline void cover_border(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_border_dsc_t *dsc)
{
    struct cover cover;
    lv_draw_sw_border(cover_begin(&cover, first, stride, shape, COVER_FORMAT), dsc, shape);
    cover_end(&cover);
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

static inline void cover_line(draw_caller *caller, lv_draw_line_dsc_t *line)
{
#if LVGL_VERSION_MINOR >= 5
    lv_draw_line_iterate(caller, line, lv_draw_sw_line);
#else
    lv_draw_sw_line(caller, line);
#endif
}

#if LVGL_VERSION_MINOR >= 3
#define OF_TRIANGLE(member) member
#else
#define OF_TRIANGLE(member) bg_##member
#endif

/* Each of its pixels has one colour and one opacity: no image or gradient, no parts that overlap and shine through. */
static inline bool has_one_colour(const lv_draw_task_t *task)
{
    const lv_draw_arc_dsc_t *arc = task->draw_dsc;
    const lv_draw_line_dsc_t *line = task->draw_dsc;
    const lv_draw_triangle_dsc_t *triangle = task->draw_dsc;
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_ARC: return arc->img_src == NULL && (arc->opa >= LV_OPA_MAX || !arc->rounded);
    case LV_DRAW_TASK_TYPE_TRIANGLE: return triangle->OF_TRIANGLE(grad).dir == LV_GRAD_DIR_NONE;
    case LV_DRAW_TASK_TYPE_LINE:
        return line->opa >= LV_OPA_MAX || (!line->round_start && !line->round_end && !has_points(line));
    default: return true;
    }
}

/* The task drawn onto the mask, by `draw`; `made` is its own description. */
#define COVER_TASK(type, color, opa, draw) \
    do { \
        type made = *(const type *)task->draw_dsc; \
        *colour = made.color; \
        *opacity = made.opa; \
        made.color = COVER_COLOUR; \
        made.opa = LV_OPA_COVER; \
        draw; \
    } while (0)

/* What the task covers of `area`, with its colour and opacity. */
static inline void cover_task(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                              lv_color_t *colour, lv_opa_t *opacity)
{
    struct cover cover;
    draw_caller *drawn = cover_begin(&cover, first, stride, area, COVER_FORMAT);
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_ARC:
        COVER_TASK(lv_draw_arc_dsc_t, color, opa, lv_draw_sw_arc(drawn, &made, &task->area));
        break;
    case LV_DRAW_TASK_TYPE_LINE: COVER_TASK(lv_draw_line_dsc_t, color, opa, cover_line(drawn, &made)); break;
    case LV_DRAW_TASK_TYPE_TRIANGLE:
        COVER_TASK(lv_draw_triangle_dsc_t, OF_TRIANGLE(color), OF_TRIANGLE(opa), lv_draw_sw_triangle(drawn, &made));
        break;
    default: COVER_TASK(lv_draw_box_shadow_dsc_t, color, opa, lv_draw_sw_box_shadow(drawn, &made, &task->area));
    }
    cover_end(&cover);
}

#if LV_DRAW_SW_SUPPORT_ARGB8888 && (LVGL_VERSION_MINOR < 3 || LV_DRAW_SW_SUPPORT_ARGB8888_PREMULTIPLIED)
#define HAS_MAPS 1
/* A fill, image or layer in all its colours, onto clear pixels of 32 bits; *is_premultiplied says how they come out.
 * Returned is the opacity that they have yet to get: LVGL rounds it in other ways where it draws a row at once, with a
 * mask or by its own alpha, so all is in their alpha where that is apart from the colours. */
static inline lv_opa_t cover_colours(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                                     bool *is_premultiplied)
{
    struct cover cover;
    lv_draw_image_dsc_t image;
    lv_opa_t left = LV_OPA_COVER;
    uint32_t format = LV_COLOR_FORMAT_ARGB8888;
    if (task->type != LV_DRAW_TASK_TYPE_FILL) {
        image = *(const lv_draw_image_dsc_t *)task->draw_dsc;
        format = image.header.cf;
        if (task->type == LV_DRAW_TASK_TYPE_LAYER) format = ((const lv_layer_t *)image.src)->draw_buf->header.cf;
    }
    *is_premultiplied = is_premultiplied_format((lv_color_format_t)format);
    draw_caller *drawn = cover_begin(&cover, first, stride, area,
                                     *is_premultiplied ? (lv_color_format_t)format : LV_COLOR_FORMAT_ARGB8888);
    if (task->type == LV_DRAW_TASK_TYPE_FILL) {
        lv_draw_fill_dsc_t fill = *(const lv_draw_fill_dsc_t *)task->draw_dsc;
        lv_draw_sw_fill(drawn, &fill, &task->area);
        return left;
    }
    if (*is_premultiplied) {
        left = image.opa;
        image.opa = LV_OPA_COVER;
    }
    if (task->type == LV_DRAW_TASK_TYPE_LAYER) lv_draw_sw_layer(drawn, &image, &task->area);
    else lv_draw_sw_image(drawn, &image, &task->area);
    return left;
}
#endif

/* In 9.2 glyphs are not turned, and their bitmaps are there when they are asked for. */
static inline const lv_draw_buf_t *glyph_bitmap(lv_draw_glyph_dsc_t *glyph)
{
#if LVGL_VERSION_MINOR >= 3
    glyph->glyph_data = lv_font_get_glyph_bitmap(glyph->g, glyph->_draw_buf);
#endif
    return glyph->glyph_data;
}

static inline bool is_turned(const lv_draw_glyph_dsc_t *glyph)
{
#if LVGL_VERSION_MINOR >= 3
    return glyph->rotation % 3600 != 0;
#else
    (void)glyph;
    return false;
#endif
}

/* As LVGL's renderer draws what is no mask: glyphs that are turned or have colours, and the box of one that is not
 * there. */
static inline void software_glyph(draw_caller *caller, lv_draw_glyph_dsc_t *glyph)
{
    if (glyph->format == LV_FONT_GLYPH_FORMAT_NONE) {
#if LV_USE_FONT_PLACEHOLDER
        lv_draw_border_dsc_t border;
        lv_draw_border_dsc_init(&border);
        border.opa = glyph->opa;
        border.color = glyph->color;
        border.width = 1;
        if (glyph->bg_coords != NULL) lv_draw_sw_border(caller, &border, glyph->bg_coords);
#endif
        return;
    }
    lv_draw_image_dsc_t image;
    lv_draw_image_dsc_init(&image);
    image.src = glyph_bitmap(glyph);
    if (image.src == NULL) return;
    image.opa = glyph->opa;
#if LVGL_VERSION_MINOR >= 3
    image.rotation = glyph->rotation;
    image.recolor = glyph->color;
    image.pivot = (lv_point_t){glyph->pivot.x, glyph->g->box_h + glyph->g->ofs_y};
#endif
    lv_draw_sw_image(caller, &image, glyph->letter_coords);
}

#if LVGL_VERSION_MINOR >= 3
/* A rectangle with corners is left of a premultiplied layer. */
static inline void software_mask(lv_draw_task_t *task)
{
    lv_draw_mask_rect_dsc_t *dsc = task->draw_dsc;
    const lv_area_t *origin = &task->target_layer->buf_area;
    lv_draw_mask_rect_dsc_t square = *dsc;
    lv_draw_sw_mask_radius_param_t corners;
    void *masks[] = {&corners, NULL};
    lv_area_t area;
    square.radius = 0;
    lv_draw_sw_mask_rect(task, &square);
    if (dsc->radius == 0 || !lv_area_intersect(&area, &dsc->area, &task->clip_area)) return;
    const int32_t width = lv_area_get_width(&area);
    lv_opa_t *row = lv_malloc((size_t)width);
    if (row == NULL) return;
    lv_draw_sw_mask_radius_init(&corners, &dsc->area, dsc->radius, false);
    for (int32_t y = area.y1; y <= area.y2; y++) {
        uint8_t *pixel = lv_draw_layer_go_to_xy(task->target_layer, area.x1 - origin->x1, y - origin->y1);
        for (int32_t x = 0; x < width; x++) row[x] = LV_OPA_COVER;
        const lv_draw_sw_mask_res_t result = lv_draw_sw_mask_apply(masks, row, area.x1, y, width);
        for (int32_t x = 0; x < width && result != LV_DRAW_SW_MASK_RES_FULL_COVER; x++, pixel += 4)
            for (unsigned i = 0; i < 4; i++)
                pixel[i] = result == LV_DRAW_SW_MASK_RES_TRANSP ? 0 : (uint8_t)LV_UDIV255((uint32_t)pixel[i] * row[x]);
    }
    lv_draw_sw_mask_free_param(&corners);
    lv_free(row);
}
#endif
#else
#define HAS_MASKS 0
#endif

/* Pictures of all colours need a target with alpha. */
#ifndef HAS_MAPS
#define HAS_MAPS 0
#endif

static inline bool is_antialiased(const lv_draw_image_dsc_t *image) { return image->antialias; }

static inline bool has_colour_key(const lv_draw_image_dsc_t *image)
{
#if LVGL_VERSION_MINOR >= 4
    return image->colorkey != NULL;
#else
    (void)image;
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
