/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. What LVGL's own renderer draws for the GPU: coverage as a mask, images, layers and
 * fills in all their colours onto a clear picture, and what has to be drawn in its place.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

#if HAS_MASKS
/* A task, as far as LVGL's renderer looks at it, that draws onto `width` x `height` bytes. */
struct cover {
    lv_draw_buf_t buffer;
    lv_layer_t layer;
    lv_draw_task_t task;
};

static lv_draw_task_t *cover_begin(struct cover *cover, uint8_t *first, uint32_t stride, const lv_area_t *shape,
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
    cover->task.target_layer = &cover->layer;
    cover->task.clip_area = *shape;
    for (uint32_t y = 0; y < cover->buffer.header.h && format == LV_COLOR_FORMAT_L8; y++)
        lv_memset(first + (size_t)y * stride, 255, cover->buffer.header.w);
    return &cover->task;
}

/* What was drawn onto L8 as coverage. */
static void cover_end(struct cover *cover)
{
    const lv_image_header_t *header = &cover->buffer.header;
    for (uint32_t y = 0; y < header->h && header->cf == LV_COLOR_FORMAT_L8; y++) {
        uint8_t *row = cover->buffer.data + (size_t)y * header->stride;
        for (uint32_t x = 0; x < header->w; x++) row[x] = (uint8_t)(row[x] % 255 == 0 ? 255 - row[x] : 254 - row[x]);
    }
}

void lvt_cover_fill(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_fill_dsc_t *dsc)
{
    struct cover cover;
    lv_draw_sw_fill(cover_begin(&cover, first, stride, shape, COVER_FORMAT), dsc, shape);
    cover_end(&cover);
}

void lvt_cover_border(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_border_dsc_t *dsc)
{
    struct cover cover;
    lv_draw_sw_border(cover_begin(&cover, first, stride, shape, COVER_FORMAT), dsc, shape);
    cover_end(&cover);
}

/* ------------------------------------------------------------------ arcs, lines, triangles, shadows */

bool lvt_cover_has_one_colour(const lv_draw_task_t *task)
{
    const lv_draw_arc_dsc_t *arc = task->draw_dsc;
    const lv_draw_line_dsc_t *line = task->draw_dsc;
    const lv_draw_triangle_dsc_t *triangle = task->draw_dsc;
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_ARC: return arc->img_src == NULL && (arc->opa >= LV_OPA_MAX || !arc->rounded);
    case LV_DRAW_TASK_TYPE_TRIANGLE: return triangle->grad.dir == LV_GRAD_DIR_NONE;
    case LV_DRAW_TASK_TYPE_LINE:
        return line->opa >= LV_OPA_MAX || (!line->round_start && !line->round_end && !has_points(line));
    default: return true;
    }
}

/* The task drawn onto the mask, by `draw`; `made` is its own description. */
#define COVER_TASK(type, draw) \
    do { \
        type made = *(const type *)task->draw_dsc; \
        *colour = made.color; \
        *opacity = made.opa; \
        made.color = COVER_COLOUR; \
        made.opa = LV_OPA_COVER; \
        draw; \
    } while (0)

void lvt_cover_task(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                    lv_color_t *colour, lv_opa_t *opacity)
{
    struct cover cover;
    lv_draw_task_t *drawn = cover_begin(&cover, first, stride, area, COVER_FORMAT);
    switch ((uint32_t)task->type) {
    case LV_DRAW_TASK_TYPE_ARC: COVER_TASK(lv_draw_arc_dsc_t, lv_draw_sw_arc(drawn, &made, &task->area)); break;
    case LV_DRAW_TASK_TYPE_LINE: COVER_TASK(lv_draw_line_dsc_t, software_line(drawn, &made)); break;
    case LV_DRAW_TASK_TYPE_TRIANGLE: COVER_TASK(lv_draw_triangle_dsc_t, lv_draw_sw_triangle(drawn, &made)); break;
    default: COVER_TASK(lv_draw_box_shadow_dsc_t, lv_draw_sw_box_shadow(drawn, &made, &task->area));
    }
    cover_end(&cover);
}

/* ------------------------------------------------------------------ in all colours */

#if HAS_MAPS
/* LVGL's renderer copies whole pixels of XRGB8888 onto ARGB8888, where their unused byte is an alpha. */
static void fill_unused(uint8_t *pixels, const lv_image_header_t *header)
{
    for (uint32_t y = 0; y < header->h; y++)
        for (uint32_t x = 0; x < header->w; x++) pixels[(size_t)y * header->stride + x * 4u + 3u] = 255;
}

static struct {
    lv_image_dsc_t image; /* data NULL: none was decoded */
} copied;

static void copy_core(lv_draw_task_t *task, const lv_draw_image_dsc_t *image, const lv_image_decoder_dsc_t *decoder,
                      lv_draw_image_sup_t *sup, const lv_area_t *coordinates, const lv_area_t *clipped)
{
    const lv_draw_buf_t *decoded = decoder->decoded;
    (void)task, (void)image, (void)sup, (void)coordinates, (void)clipped;
    if (copied.image.data != NULL) return; /* the next of many tiles */
    lv_image_header_t header = decoded->header;
    if (header.stride == 0) header.stride = header.w * 4u;
    const size_t bytes = (size_t)header.stride * header.h;
    uint8_t *pixels = lv_malloc(bytes);
    if (pixels == NULL) return;
    memcpy(pixels, decoded->data, bytes);
    fill_unused(pixels, &header);
    header.flags = 0;
    copied.image.header = header;
    copied.image.data = pixels;
    copied.image.data_size = (uint32_t)bytes;
}

static int draw_image(lv_draw_task_t *drawn, lv_draw_image_dsc_t *image, const lv_draw_task_t *task)
{
    if (image->header.cf != LV_COLOR_FORMAT_XRGB8888) {
        lv_draw_sw_image(drawn, image, &task->area);
        return TESSERA_OK;
    }
    lv_draw_task_t decoding = *task;
    lv_memzero(&copied, sizeof copied);
    decode_image(&decoding, copy_core);
    if (copied.image.data == NULL) return TESSERA_NO_MEMORY;
    image->src = &copied.image;
    lv_draw_sw_image(drawn, image, &task->area);
    lv_free((void *)(uintptr_t)copied.image.data);
    return TESSERA_OK;
}

/* LVGL's renderer takes the alpha of a layer alone away where a mask says so, and mixes what it turns as it stands
 * apart from its alpha: so a premultiplied layer is as LVGL would have it from here on. */
static void straighten(lv_layer_t *layer)
{
    lv_draw_buf_t *buffer = layer->draw_buf;
    for (uint32_t y = 0; y < buffer->header.h; y++) {
        uint8_t *pixel = buffer->data + (size_t)y * buffer->header.stride;
        for (uint32_t x = 0; x < buffer->header.w; x++, pixel += 4) {
            const uint32_t alpha = pixel[3];
            for (unsigned i = 0; i < 3 && alpha != 0 && alpha != 255; i++) {
                const uint32_t straight = (pixel[i] * 255u + alpha / 2u) / alpha;
                pixel[i] = (uint8_t)LV_MIN(straight, 255u);
            }
        }
    }
    buffer->header.cf = LV_COLOR_FORMAT_ARGB8888;
    layer->color_format = LV_COLOR_FORMAT_ARGB8888;
}

static void draw_layer(lv_draw_task_t *drawn, const lv_draw_image_dsc_t *image, const lv_draw_task_t *task)
{
    lv_layer_t *layer = (lv_layer_t *)(uintptr_t)image->src;
    if (layer->draw_buf->header.cf == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED) straighten(layer);
    else if (layer->draw_buf->header.cf == LV_COLOR_FORMAT_XRGB8888)
        fill_unused(layer->draw_buf->data, &layer->draw_buf->header);
    lv_draw_sw_layer(drawn, image, &task->area);
}

int lvt_cover_colours(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                      struct look *look)
{
    struct cover cover;
    lv_color_format_t format = LV_COLOR_FORMAT_ARGB8888;
    *look = (struct look){.alpha = LV_OPA_COVER, .has_alpha = true};
    if (task->type == LV_DRAW_TASK_TYPE_FILL) {
        lv_draw_fill_dsc_t fill = *(const lv_draw_fill_dsc_t *)task->draw_dsc;
        lv_draw_sw_fill(cover_begin(&cover, first, stride, area, format), &fill, &task->area);
        return TESSERA_OK;
    }
    lv_draw_image_dsc_t image = *(const lv_draw_image_dsc_t *)task->draw_dsc;
    if (task->type == LV_DRAW_TASK_TYPE_LAYER) {
        draw_layer(cover_begin(&cover, first, stride, area, format), &image, task);
        return TESSERA_OK;
    }
    look->is_premultiplied = image.header.cf == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
    if (look->is_premultiplied) {
        format = LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED;
        look->alpha = lvt_opacity(image.opa);
        image.opa = LV_OPA_COVER;
    }
    return draw_image(cover_begin(&cover, first, stride, area, format), &image, task);
}
#endif

/* ------------------------------------------------------------------ in its place */

/* The box of a glyph that is not there. */
static void draw_placeholder(lv_draw_task_t *task, const lv_draw_glyph_dsc_t *glyph)
{
#if LV_USE_FONT_PLACEHOLDER
    lv_draw_border_dsc_t border;
    lv_draw_border_dsc_init(&border);
    border.opa = glyph->opa;
    border.color = glyph->color;
    border.width = 1;
    if (glyph->bg_coords != NULL) lv_draw_sw_border(task, &border, glyph->bg_coords);
#else
    (void)task;
    (void)glyph;
#endif
}

void lvt_cover_glyph(lv_draw_task_t *task, lv_draw_glyph_dsc_t *glyph)
{
    if (glyph->format == LV_FONT_GLYPH_FORMAT_NONE) {
        draw_placeholder(task, glyph);
        return;
    }
    lv_draw_image_dsc_t image;
    lv_draw_image_dsc_init(&image);
    glyph->glyph_data = lv_font_get_glyph_bitmap(glyph->g, glyph->_draw_buf);
    image.src = glyph->glyph_data;
    if (image.src == NULL) return;
    image.opa = glyph->opa;
    image.rotation = glyph->rotation;
    image.recolor = glyph->color;
    image.pivot = (lv_point_t){glyph->pivot.x, glyph->g->box_h + glyph->g->ofs_y};
    lv_draw_sw_image(task, &image, glyph->letter_coords);
}

void lvt_cover_mask(lv_draw_task_t *task)
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
