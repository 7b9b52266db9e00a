/* SPDX-License-Identifier: Apache-2.0
 *
 * What is the same in every use of the stand-in (lvgl.h): formats, areas, layers, images.
 */
#include "lvgl_private.h"

uint8_t lv_color_format_get_size(lv_color_format_t format)
{
    switch (format) {
    case LV_COLOR_FORMAT_I1:
    case LV_COLOR_FORMAT_L8:
    case LV_COLOR_FORMAT_A8: return 1;
    case LV_COLOR_FORMAT_RGB565A8:
    case LV_COLOR_FORMAT_AL88:
    case LV_COLOR_FORMAT_RGB565_SWAPPED:
    case LV_COLOR_FORMAT_RGB565: return 2;
    case LV_COLOR_FORMAT_RGB888: return 3;
    case LV_COLOR_FORMAT_ARGB1555: return 2;
    case LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED:
    case LV_COLOR_FORMAT_ARGB8888:
    case LV_COLOR_FORMAT_XRGB8888: break;
    }
    return 4;
}

bool lv_color_format_has_alpha(lv_color_format_t format)
{
    if (format == LV_COLOR_FORMAT_ARGB1555 || format == LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED) return true;
    return format == LV_COLOR_FORMAT_ARGB8888 || format == LV_COLOR_FORMAT_A8 || format == LV_COLOR_FORMAT_RGB565A8 ||
           format == LV_COLOR_FORMAT_AL88;
}

int32_t lv_area_get_width(const lv_area_t *area) { return area->x2 - area->x1 + 1; }
int32_t lv_area_get_height(const lv_area_t *area) { return area->y2 - area->y1 + 1; }

bool lv_area_intersect(lv_area_t *result, const lv_area_t *a, const lv_area_t *b)
{
    result->x1 = a->x1 > b->x1 ? a->x1 : b->x1;
    result->y1 = a->y1 > b->y1 ? a->y1 : b->y1;
    result->x2 = a->x2 < b->x2 ? a->x2 : b->x2;
    result->y2 = a->y2 < b->y2 ? a->y2 : b->y2;
    return result->x1 <= result->x2 && result->y1 <= result->y2;
}

void *lv_draw_layer_alloc_buf(lv_layer_t *layer) { return layer->draw_buf->data; }

void *lv_draw_layer_go_to_xy(lv_layer_t *layer, int32_t x, int32_t y)
{
    return layer->draw_buf->data + (size_t)y * layer->draw_buf->header.stride +
           (size_t)x * lv_color_format_get_size(layer->color_format);
}

lv_image_src_t lv_image_src_get_type(const void *source)
{
    return source != NULL ? LV_IMAGE_SRC_VARIABLE : LV_IMAGE_SRC_FILE;
}

int32_t lv_display_get_horizontal_resolution(const lv_display_t *display) { return display->width; }
int32_t lv_display_get_vertical_resolution(const lv_display_t *display) { return display->height; }
lv_draw_buf_t *lv_display_get_buf_active(lv_display_t *display) { return display->buf_act; }
bool lv_display_flush_is_last(lv_display_t *display) { return display->flushing_last; }
void lv_display_set_flush_cb(lv_display_t *display, lv_display_flush_cb_t flush) { display->flush = flush; }
void lv_display_set_flush_wait_cb(lv_display_t *display, lv_display_flush_wait_cb_t wait) { display->wait = wait; }

lv_color_format_t lv_display_get_color_format(lv_display_t *display) { return display->layer_head->color_format; }

static lv_draw_buf_handlers_t handlers, image_handlers;
lv_draw_buf_handlers_t *lv_draw_buf_get_handlers(void) { return &handlers; }
lv_draw_buf_handlers_t *lv_draw_buf_get_image_handlers(void) { return &image_handlers; }

void lv_draw_image_dsc_init(lv_draw_image_dsc_t *image)
{
    *image = (lv_draw_image_dsc_t){.scale_x = LV_SCALE_NONE, .scale_y = LV_SCALE_NONE, .opa = LV_OPA_COVER};
}

void lv_draw_border_dsc_init(lv_draw_border_dsc_t *border)
{
    *border = (lv_draw_border_dsc_t){.opa = LV_OPA_COVER, .side = LV_BORDER_SIDE_FULL};
}

/* ------------------------------------------------------------------ images */

static const lv_area_t *clip_of(stand_in_caller *caller, const lv_draw_image_dsc_t *image)
{
    (void)image;
    return &caller->clip_area;
}

/* What the image covers when it is scaled; 9.2 finds it out itself, here it is all. */
static const lv_area_t *extent_of(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                  const lv_area_t *coordinates)
{
    (void)image;
    (void)coordinates;
    return &caller->_real_area;
}

void lv_draw_image_normal_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image,
                                 const lv_area_t *coordinates, lv_draw_image_core_cb core STAND_IN_ARGUMENTS)
{
    const lv_image_dsc_t *source = image->src;
    const lv_draw_buf_t decoded = {.header = source->header, .data = (uint8_t *)(uintptr_t)source->data};
    const lv_image_decoder_dsc_t decoder = {&decoded};
    lv_area_t clipped;
#if STAND_IN_MINOR >= 5
    CHECK(arguments == NULL);
#endif
    if (lv_area_intersect(&clipped, extent_of(caller, image, coordinates), clip_of(caller, image)))
        core(caller, image, &decoder, NULL, coordinates, &clipped);
}

void lv_draw_image_tiled_helper(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *coordinates,
                                lv_draw_image_core_cb core STAND_IN_ARGUMENTS)
{
    const lv_image_dsc_t *source = image->src;
    const lv_draw_buf_t decoded = {.header = source->header, .data = (uint8_t *)(uintptr_t)source->data};
    const lv_image_decoder_dsc_t decoder = {&decoded};
    const int32_t width = (int32_t)source->header.w, height = (int32_t)source->header.h;
#if STAND_IN_MINOR >= 5
    CHECK(arguments == NULL);
#endif
    (void)clip_of(caller, image);
    for (int32_t y = image->image_area.y1; y <= coordinates->y2; y += height)
        for (int32_t x = image->image_area.x1; x <= coordinates->x2; x += width) {
            const lv_area_t tile = {x, y, x + width - 1, y + height - 1};
            lv_area_t clipped;
            if (lv_area_intersect(&clipped, &tile, coordinates)) core(caller, image, &decoder, NULL, &tile, &clipped);
        }
}
