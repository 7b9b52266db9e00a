/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Images and layers: as they stand by a BLIT; recoloured in three steps on the GPU;
 * scaled without antialiasing by maps that find what LVGL's renderer finds. What it mixes otherwise than the engine
 * filters (turned, or scaled with antialiasing), cuts out or decodes it draws itself, onto a clear picture, which the
 * GPU mixes in its turn, so that the processor does not wait for pixels.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

/* ------------------------------------------------------------------ which way */

enum way { WAY_LEFT, WAY_PLAIN, WAY_RECOLOURED, WAY_MAPPED, WAY_DRAWN };

static bool is_simple(const lv_draw_image_dsc_t *image)
{
    return image->skew_x == 0 && image->skew_y == 0 && image->clip_radius == 0 && image->bitmap_mask_src == NULL &&
           image->sup == NULL && image->colorkey == NULL;
}

static bool is_unturned(const lv_draw_image_dsc_t *image)
{
    return image->rotation == 0 && image->scale_x == LV_SCALE_NONE && image->scale_y == LV_SCALE_NONE;
}

bool lvt_image_is_plain(const lv_draw_image_dsc_t *image)
{
    return is_simple(image) && is_unturned(image) && image->blend_mode == LV_BLEND_MODE_NORMAL;
}

/* The formats of which LVGL's renderer mixes each channel by 8 bits. */
static bool has_bytes(lv_color_format_t format)
{
    return format == LV_COLOR_FORMAT_RGB888 || format == LV_COLOR_FORMAT_XRGB8888 || format == LV_COLOR_FORMAT_ARGB8888;
}

static bool can_map(const lv_draw_image_dsc_t *image, lv_color_format_t format)
{
    return HAS_MAPS && !lvt_gpu.is_without_maps && image->rotation == 0 && !image->antialias && !image->tile &&
           (has_bytes(format) || format == LV_COLOR_FORMAT_RGB565 || format == LV_COLOR_FORMAT_A8);
}

static enum way simple_way(const lv_draw_image_dsc_t *image, lv_color_format_t format)
{
    const bool is_coloured = format != LV_COLOR_FORMAT_A8 && image->recolor_opa > LV_OPA_MIN;
    if (lvt_memory_engine_format(format) == FORMAT_BYTES) return WAY_LEFT;
    if (is_unturned(image) && !is_coloured) return WAY_PLAIN;
    if (is_unturned(image)) return has_bytes(format) ? WAY_RECOLOURED : WAY_LEFT;
    return !is_coloured && can_map(image, format) ? WAY_MAPPED : WAY_LEFT;
}

/* Onto a clear picture LVGL's renderer draws them without alpha: what it makes of them cannot be mixed. */
static bool is_gray(lv_color_format_t format) { return format == LV_COLOR_FORMAT_L8 || format == LV_COLOR_FORMAT_AL88; }

static enum way way_of(const lv_draw_image_dsc_t *image, lv_color_format_t format)
{
    enum way way = WAY_LEFT;
    if (image->blend_mode != LV_BLEND_MODE_NORMAL) return WAY_LEFT;
    if (is_simple(image)) way = simple_way(image, format);
    const bool can_draw = HAS_MAPS && !lvt_gpu.is_without_covers && !is_gray(format);
    return way == WAY_LEFT && can_draw ? WAY_DRAWN : way;
}

bool lvt_image_takes(const lv_draw_task_t *task)
{
    const lv_draw_image_dsc_t *image = task->draw_dsc;
    if (task->type == LV_DRAW_TASK_TYPE_LAYER) {
        const lv_layer_t *layer = image->src;
        return layer->color_format != LV_COLOR_FORMAT_A8 && way_of(image, layer->color_format) != WAY_LEFT;
    }
    return lv_image_src_get_type(image->src) == LV_IMAGE_SRC_VARIABLE &&
           way_of(image, (lv_color_format_t)image->header.cf) != WAY_LEFT;
}

/* Where LVGL's renderer finds the target's columns, or rows, in the image: in 256ths of a pixel. */
struct axis {
    int32_t *at;
    int32_t count, size; /* target's, image's */
};

/* An image that is scaled without antialiasing. */
struct scaled {
    struct axis columns, rows;
    struct tessera_surface surface;
    lv_color_format_t format;
    const lv_draw_image_dsc_t *image;
};

/* ------------------------------------------------------------------ by the processor */

#if HAS_MAPS
int lvt_image_drawn(const struct canvas *canvas, const lv_draw_task_t *task)
{
    struct picture picture;
    struct look look;
    int status = lvt_memory_cover(canvas, FORMAT_ARGB8888, 4, &picture);
    if (status != TESSERA_OK) return status;
    status = lvt_cover_colours(picture.first, picture.stride, &canvas->area, task, &look);
    if (status == TESSERA_OK) return lvt_queue_cover(canvas, &picture, look, NULL);
    lvt_queue_give_later(picture.first);
    return status;
}

/* ------------------------------------------------------------------ by maps */

/* As lv_draw_sw_transform has it for `count` columns or rows from `first` on: of an image that is scaled alone, its
 * last pixel is not left. */
static void find_axis(struct axis *axis, int32_t from, int32_t count, int32_t first, int32_t pivot, int32_t scale)
{
    const int32_t last = (((axis->size - 1 - pivot) * scale) >> 8) + pivot;
    const int32_t begin = LV_MIN(first, last), end = LV_MIN(first + count - 1, last);
    const int32_t start = (begin - pivot) * 256 * 256 / scale + pivot * 256;
    const int32_t stop = (end - pivot) * 256 * 256 / scale + pivot * 256;
    const int32_t step = count > 1 ? 256 * (stop - start) / (count - 1) : 0;
    for (int32_t i = 0; i < count; i++) axis->at[from + i] = start + 0x80 + ((step * i) >> 8);
}

/* How much of a pixel there it draws, of 255; it fades the outermost half of the image's outermost pixels, by the
 * column if that is one, else by the row. 0: none. 255: it is not one. */
static uint32_t weight_of(const struct axis *axis, int32_t at, lv_color_format_t format)
{
    const int32_t pixel = at >> 8, fraction = at & 255;
    const bool is_before = fraction < 0x80;
    const uint32_t away = (uint32_t)(is_before ? 0x7f - fraction : fraction - 0x80);
    if (pixel < 0 || pixel >= axis->size) return 0;
    if (pixel != (is_before ? 0 : axis->size - 1)) return 255;
    if (format == LV_COLOR_FORMAT_ARGB8888) return 255u * (0x7fu - away) >> 7;
    return 255u * (255u - (has_bytes(format) ? away : 2u * away)) >> 8;
}

/* Neighbours in the target that have one weight and lie on a line in the image. */
struct run {
    int32_t first, count, start, step; /* 16.16, of the map */
    uint32_t weight;
};

/* `is_rough`: what fades so little that it is drawn whole is as what does not fade. */
static struct run run_from(const struct axis *axis, int32_t first, lv_color_format_t format, bool is_rough)
{
    const uint32_t whole = is_rough ? LV_OPA_MAX : 255u;
    const int32_t *at = axis->at;
    const int32_t slope = axis->count > 1 ? (at[axis->count - 1] - at[0]) * 256 / (axis->count - 1) : 0;
    struct run run = {first, 1, at[first] * 256 + 128, slope != 0 ? slope : 1, weight_of(axis, at[first], format)};
    for (int32_t i = 1; first + i < axis->count; i++, run.count++) {
        const uint32_t weight = weight_of(axis, at[first + i], format);
        if ((run.start + run.step * i) >> 16 != at[first + i] >> 8) break;
        if (weight != run.weight && (weight < whole || run.weight < whole)) break;
    }
    return run;
}

static int draw_run(const struct canvas *canvas, const struct scaled *scaled, const struct run *x, const struct run *y)
{
    const uint32_t opacity = lvt_opacity(scaled->image->opa);
    const uint32_t weight = lvt_opacity(x->weight != 255 ? x->weight : y->weight);
    const lv_area_t area = {canvas->area.x1 + x->first, canvas->area.y1 + y->first,
                            canvas->area.x1 + x->first + x->count - 1, canvas->area.y1 + y->first + y->count - 1};
    const struct mapping mapping = {
        (uint32_t)scaled->columns.size, (uint32_t)scaled->rows.size, x->start, y->start, x->step, y->step};
    /* To LVGL what is scaled has alpha, if only for its edges: 255 times the opacity is one less. */
    const bool has_alpha = lv_color_format_has_alpha(scaled->format);
    const bool is_whole = opacity == 255 || (weight == 255 && has_alpha);
    const struct look look = {is_whole ? LV_MIN(weight, opacity) : weight * opacity >> 8, has_alpha, false};
    return lvt_queue_mapped(canvas, &area, &scaled->surface, &mapping, look,
                            scaled->format == LV_COLOR_FORMAT_A8 ? &scaled->image->recolor : NULL);
}

static int draw_runs(const struct canvas *canvas, const struct scaled *scaled)
{
    int status = TESSERA_OK;
    struct run x, y;
    for (int32_t i = 0; i < scaled->rows.count; i += y.count) {
        y = run_from(&scaled->rows, i, scaled->format, true);
        for (int32_t j = 0; j < scaled->columns.count && status == TESSERA_OK && y.weight != 0; j += x.count) {
            x = run_from(&scaled->columns, j, scaled->format, y.weight >= LV_OPA_MAX);
            if (x.weight != 0) status = draw_run(canvas, scaled, &x, &y);
        }
    }
    return status;
}

/* LVGL's renderer begins again with as many rows as have room in its buffer. */
static int32_t rows_at_once(int32_t width, lv_color_format_t format)
{
    lv_display_t *display = lv_refr_get_disp_refreshing();
    const uint32_t unit = format == LV_COLOR_FORMAT_RGB565 ? 3u : format == LV_COLOR_FORMAT_A8 ? 1u : 4u;
    const uint32_t all = 4u * (uint32_t)lv_display_get_horizontal_resolution(display) *
                         lv_color_format_get_size(lv_display_get_color_format(display));
    return LV_MAX((int32_t)(all / ((uint32_t)width * unit)), 1);
}

static int draw_scaled(const struct canvas *canvas, struct scaled *scaled, const lv_area_t *origin)
{
    const lv_area_t *area = &canvas->area;
    const int32_t width = lv_area_get_width(area), height = lv_area_get_height(area);
    const int32_t left = area->x1 - origin->x1, top = area->y1 - origin->y1;
    const int32_t chunk = rows_at_once(width, scaled->format);
    int32_t *places = lv_malloc((size_t)(width + height) * sizeof *places);
    if (places == NULL) return TESSERA_NO_MEMORY;
    scaled->columns.at = places;
    scaled->columns.count = width;
    scaled->rows.at = places + width;
    scaled->rows.count = height;
    find_axis(&scaled->columns, 0, width, left, scaled->image->pivot.x, scaled->image->scale_x);
    for (int32_t y = 0; y < height; y += chunk)
        find_axis(&scaled->rows, y, LV_MIN(chunk, height - y), top + y, scaled->image->pivot.y, scaled->image->scale_y);
    const int status = draw_runs(canvas, scaled);
    lv_free(places);
    lvt_gpu.counts.mapped++;
    return status;
}
#else /* no way leads here */
int lvt_image_drawn(const struct canvas *canvas, const lv_draw_task_t *task)
{
    (void)canvas;
    (void)task;
    return TESSERA_OK;
}

static int draw_scaled(const struct canvas *canvas, struct scaled *scaled, const lv_area_t *origin)
{
    (void)canvas;
    (void)scaled;
    (void)origin;
    return TESSERA_OK;
}
#endif

/* ------------------------------------------------------------------ images */

static struct {
    struct canvas *canvas;
    int status;
} picturing;

/* A layer or an image whose pixels are at hand, from `origin` on. */
static int draw_pixels(const struct picture *source, const lv_area_t *area, const lv_area_t *origin, bool is_kept,
                       const lv_draw_image_dsc_t *image, lv_color_format_t format)
{
    const struct canvas *canvas = picturing.canvas;
    const uint32_t opacity = lvt_opacity(image->opa);
    const uint32_t x = (uint32_t)(area->x1 - origin->x1), y = (uint32_t)(area->y1 - origin->y1);
    const enum way way = way_of(image, format);
    struct tessera_surface surface;
    bool is_passing;
    const bool is_whole = way == WAY_MAPPED;
    int status =
        is_kept ? lvt_memory_kept(source, is_whole ? 0 : y,
                                  is_whole ? source->height : (uint32_t)lv_area_get_height(area), &surface, &is_passing)
                : lvt_memory_passing(source, &surface, &is_passing);
    if (status != TESSERA_OK) return status;
    const struct look look = {opacity, lv_color_format_has_alpha(format),
                              format == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED};
    struct scaled scaled = {.columns.size = (int32_t)source->width,
                            .rows.size = (int32_t)source->height,
                            .surface = surface,
                            .format = format,
                            .image = image};
    if (way == WAY_MAPPED) status = draw_scaled(canvas, &scaled, origin);
    else if (way == WAY_RECOLOURED)
        status = lvt_queue_recoloured(canvas, area, &surface, x, y, look, image->recolor, image->recolor_opa);
    else if (source->format == FORMAT_A8)
        status = lvt_queue_mask(canvas, area, &surface, x, y, image->recolor, opacity);
    else status = lvt_queue_image(canvas, area, &surface, x, y, look);
    if (is_passing) lvt_queue_finish();
    return status;
}

/* LVGL has decoded the image; `clipped` is the part to draw. */
static void draw_image_core(lv_draw_task_t *task, const lv_draw_image_dsc_t *image,
                            const lv_image_decoder_dsc_t *decoder, lv_draw_image_sup_t *unused,
                            const lv_area_t *coordinates, const lv_area_t *clipped)
{
    const lv_draw_buf_t *decoded = decoder->decoded;
    const lv_image_dsc_t *given = image->src;
    const struct picture source = lvt_memory_picture(decoded);
    const lv_area_t *origin = image->tile ? coordinates : &image->image_area;
    const bool is_copy = decoded->data != given->data;
    lv_area_t area;
    (void)unused;
    (void)task;
    if (picturing.status != TESSERA_OK || source.format == FORMAT_BYTES || image->opa <= LV_OPA_MIN ||
        !lv_area_intersect(&area, clipped, &picturing.canvas->area))
        return;
    picturing.status = draw_pixels(&source, &area, origin, true, image, (lv_color_format_t)decoded->header.cf);
    if (is_copy && lvt_memory_is_shared(&source)) lvt_queue_finish(); /* the decoder's copy is gone when this returns */
}

int lvt_image_draw(struct canvas *canvas, lv_draw_tessera_unit_t *unit)
{
    const lv_draw_image_dsc_t *image = unit->task->draw_dsc;
    if (image->opa <= LV_OPA_MIN) return TESSERA_OK;
    if (way_of(image, (lv_color_format_t)image->header.cf) == WAY_DRAWN) return lvt_image_drawn(canvas, unit->task);
    picturing.canvas = canvas;
    picturing.status = TESSERA_OK;
    decode_image(unit->task, draw_image_core);
    return picturing.status;
}

int lvt_image_draw_layer(struct canvas *canvas, const lv_draw_task_t *task)
{
    const lv_draw_image_dsc_t *image = task->draw_dsc;
    const lv_layer_t *layer = image->src;
    if (layer->draw_buf == NULL || image->opa <= LV_OPA_MIN) return TESSERA_OK;
    const struct picture source = lvt_memory_picture(layer->draw_buf);
    const lv_color_format_t format = (lv_color_format_t)layer->draw_buf->header.cf;
    if (way_of(image, format) == WAY_DRAWN) return lvt_image_drawn(canvas, task);
    picturing.canvas = canvas;
    return draw_pixels(&source, &canvas->area, &task->area, false, image, format);
}
