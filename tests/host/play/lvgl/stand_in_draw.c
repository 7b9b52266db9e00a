/* SPDX-License-Identifier: Apache-2.0
 *
 * What LVGL's renderer and fonts do in the tests of the draw unit (stand_in_draw.h).
 */
#include "stand_in_draw.h"

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* LVGL draws what is all but whole as if it were. */
static uint8_t whole(uint32_t value) { return (uint8_t)value >= LV_OPA_MAX ? 255 : (uint8_t)value; }

uint8_t stand_in_cover(const struct stand_in_shape *shape, int32_t x, int32_t y)
{
    const int32_t from_right = shape->width - 1 - x, from_bottom = shape->height - 1 - y;
    const int32_t dx = least(x, from_right), dy = least(y, from_bottom);
    const int32_t corner = shape->line > shape->radius ? shape->line : shape->radius;
    if (dx < corner && dy < corner)
        return whole((uint32_t)(31 * dx + 17 * dy + shape->radius + 7 * (x < from_right) + 50 * (y < from_bottom)));
    if (shape->line == 0) return 255;
    if (y < shape->line && (shape->side & LV_BORDER_SIDE_TOP) != 0) return 255;
    if (from_bottom < shape->line && (shape->side & LV_BORDER_SIDE_BOTTOM) != 0) return 255;
    if (x < shape->line && (shape->side & LV_BORDER_SIDE_LEFT) != 0) return 255;
    return from_right < shape->line && (shape->side & LV_BORDER_SIDE_RIGHT) != 0 ? 255 : 0;
}

unsigned stand_in_masks, stand_in_bitmaps;

uint8_t stand_in_glyph(uint32_t index, int32_t x, int32_t y)
{
    return (uint8_t)(90 * index + 29 * (uint32_t)x + 5 * (uint32_t)y);
}

unsigned stand_in_pictures, stand_in_opaque, stand_in_unused;

uint32_t stand_in_coloured(uint32_t kind, int32_t x, int32_t y)
{
    const uint32_t mixed = (kind * 977u + (uint32_t)x * 131u + (uint32_t)y * 577u) * 2654435761u;
    return mixed % 5 == 0 ? mixed | 0xff000000u : mixed; /* some of it opaque */
}

static const lv_area_t *clip_of(const stand_in_caller *caller) { return &caller->clip_area; }

/* Onto all of a layer's clip, of alpha times `opacity`; `from`: places are counted from there on, in the direction that
 * is not 0. */
static void colour(stand_in_caller *caller, uint32_t kind, lv_opa_t opacity, const lv_area_t *from, int32_t across,
                   int32_t down)
{
    lv_layer_t *layer = caller->target_layer;
    const lv_area_t *all = clip_of(caller);
    CHECK(lv_color_format_get_size(layer->color_format) == 4);
    CHECK(opacity == LV_OPA_COVER || layer->color_format == LV_COLOR_FORMAT_ARGB8888);
    stand_in_pictures++;
    for (int32_t y = all->y1; y <= all->y2; y++)
        for (int32_t x = all->x1; x <= all->x2; x++) {
            uint32_t unit = stand_in_coloured(kind, (x - from->x1) * across, (y - from->y1) * down);
            if (opacity != LV_OPA_COVER) unit = (unit & 0xffffffu) | ((unit >> 24) * opacity >> 8) << 24;
            memcpy(lv_draw_layer_go_to_xy(layer, x - layer->buf_area.x1, y - layer->buf_area.y1), &unit, 4);
        }
}

/* That much of a mask's pixel: white onto A8; black onto L8, mixed as LVGL does it. */
static void put_cover(lv_layer_t *layer, int32_t x, int32_t y, uint8_t value)
{
    uint8_t *at = lv_draw_layer_go_to_xy(layer, x, y);
    if (layer->color_format == LV_COLOR_FORMAT_A8) *at = value;
    else if (value != 0) *at = value == 255 ? 0 : (uint8_t)(*at * (255 - value) >> 8);
}

static void check_mask(const lv_layer_t *layer, lv_color_t colour, lv_opa_t opacity)
{
    const bool is_a8 = layer->color_format == LV_COLOR_FORMAT_A8;
    CHECK(layer->color_format == (STAND_IN_MINOR >= 5 ? LV_COLOR_FORMAT_A8 : LV_COLOR_FORMAT_L8));
    CHECK(opacity == LV_OPA_COVER && colour.red == (is_a8 ? 255 : 0) && colour.blue == colour.red);
}

static void cover(stand_in_caller *caller, const lv_area_t *area, const struct stand_in_shape *shape)
{
    lv_layer_t *layer = caller->target_layer;
    CHECK(layer->buf_area.x1 == area->x1);
    stand_in_masks++;
    for (int32_t y = 0; y < shape->height; y++)
        for (int32_t x = 0; x < shape->width; x++) put_cover(layer, x, y, stand_in_cover(shape, x, y));
}

void lv_draw_sw_fill(stand_in_caller *caller, lv_draw_fill_dsc_t *fill, const lv_area_t *area)
{
    const struct stand_in_shape shape = {lv_area_get_width(area), lv_area_get_height(area), fill->radius, 0, 0};
    if (fill->grad.dir == LV_GRAD_DIR_NONE) check_mask(caller->target_layer, fill->color, fill->opa);
    if (fill->grad.dir == LV_GRAD_DIR_NONE) cover(caller, area, &shape);
    else colour(caller, 7, fill->opa, area, fill->grad.dir == LV_GRAD_DIR_HOR, fill->grad.dir == LV_GRAD_DIR_VER);
}

void lv_draw_sw_border(stand_in_caller *caller, const lv_draw_border_dsc_t *border, const lv_area_t *area)
{
    const struct stand_in_shape shape = {lv_area_get_width(area), lv_area_get_height(area), border->radius,
                                         border->width, border->side};
    check_mask(caller->target_layer, border->color, border->opa);
    cover(caller, area, &shape);
}

/* The renderer copies pixels of XRGB8888 with their unused byte, where LVGL has an alpha. */
static void look_at(const lv_image_header_t *header, const uint8_t *pixels)
{
    for (uint32_t i = 0; i < header->w * header->h && header->cf == LV_COLOR_FORMAT_XRGB8888; i++) {
        stand_in_opaque++;
        stand_in_unused += pixels[i / header->w * header->stride + i % header->w * 4 + 3] != 255;
    }
}

void lv_draw_sw_layer(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *area)
{
    const lv_area_t places = {0, 0, 0, 0};
    const lv_draw_buf_t *buffer = ((const lv_layer_t *)image->src)->draw_buf;
    CHECK(lv_area_get_width(area) > 0);
    CHECK(buffer->header.cf != LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED); /* of which it turns colours as if straight */
    look_at(&buffer->header, buffer->data);
    colour(caller, 6, image->opa, &places, 1, 1);
}

/* A glyph with colours: a plain one, straight onto the layer, of no task's. Else an image of the draw unit's. */
void lv_draw_sw_image(stand_in_caller *caller, const lv_draw_image_dsc_t *image, const lv_area_t *area)
{
    const lv_area_t places = {0, 0, 0, 0};
    const lv_image_dsc_t *source = image->src;
    if (image->base.layer != NULL) {
        look_at(&image->header, source->data);
        colour(caller, 5, image->opa, &places, 1, 1);
        return;
    }
    lv_layer_t *layer = ((lv_draw_dsc_base_t *)caller->draw_dsc)->layer;
    CHECK(image->src != NULL);
    for (int32_t y = area->y1; y <= area->y2; y++)
        memset(lv_draw_layer_go_to_xy(layer, area->x1 - layer->buf_area.x1, y - layer->buf_area.y1), STAND_IN_COLOURED,
               (size_t)lv_area_get_width(area) * lv_color_format_get_size(layer->color_format));
}

uint8_t stand_in_covered(uint32_t kind, int32_t x, int32_t y)
{
    return whole(kind * 60 + 13 * (uint32_t)x + 7 * (uint32_t)y);
}

static void cover_by(stand_in_caller *caller, uint32_t kind, lv_color_t colour, lv_opa_t opacity)
{
    lv_layer_t *layer = caller->target_layer;
    const lv_area_t *all = clip_of(caller);
    check_mask(layer, colour, opacity);
    for (int32_t y = all->y1; y <= all->y2; y++)
        for (int32_t x = all->x1; x <= all->x2; x++)
            put_cover(layer, x - layer->buf_area.x1, y - layer->buf_area.y1, stand_in_covered(kind, x, y));
}

void lv_draw_sw_arc(stand_in_caller *caller, const lv_draw_arc_dsc_t *arc, const lv_area_t *area)
{
    CHECK(lv_area_get_width(area) > 0);
    cover_by(caller, 1, arc->color, arc->opa);
}

void lv_draw_sw_line(stand_in_caller *caller, const lv_draw_line_dsc_t *line)
{
    cover_by(caller, 2, line->color, line->opa);
}

#if STAND_IN_MINOR >= 5
void lv_draw_line_iterate(stand_in_caller *caller, lv_draw_line_dsc_t *line,
                          void (*draw)(stand_in_caller *caller, const lv_draw_line_dsc_t *line))
{
    draw(caller, line);
}
#endif

void lv_draw_sw_triangle(stand_in_caller *caller, const lv_draw_triangle_dsc_t *triangle)
{
    cover_by(caller, 3, triangle->color, triangle->opa);
}

void lv_draw_sw_box_shadow(stand_in_caller *caller, const lv_draw_box_shadow_dsc_t *shadow, const lv_area_t *area)
{
    CHECK(lv_area_get_width(area) > 0);
    cover_by(caller, 4, shadow->color, shadow->opa);
}

/* ------------------------------------------------------------------ rectangles cut out */

static void clear(lv_layer_t *layer, int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    for (int32_t y = y1; y <= y2 && x1 <= x2; y++)
        memset(lv_draw_layer_go_to_xy(layer, x1 - layer->buf_area.x1, y - layer->buf_area.y1), 0,
               (size_t)(x2 - x1 + 1) * 4);
}

void lv_draw_sw_mask_rect(lv_draw_task_t *task, const lv_draw_mask_rect_dsc_t *mask)
{
    const lv_area_t *all = &task->clip_area, *kept = &mask->area;
    CHECK(mask->radius == 0);
    clear(task->target_layer, all->x1, all->y1, all->x2, kept->y1 - 1);
    clear(task->target_layer, all->x1, kept->y2 + 1, all->x2, all->y2);
    clear(task->target_layer, all->x1, kept->y1, kept->x1 - 1, kept->y2);
    clear(task->target_layer, kept->x2 + 1, kept->y1, all->x2, kept->y2);
}

void lv_draw_sw_mask_radius_init(lv_draw_sw_mask_radius_param_t *corners, const lv_area_t *area, int32_t radius,
                                 bool is_inverse)
{
    CHECK(!is_inverse);
    *corners = (lv_draw_sw_mask_radius_param_t){*area, radius};
}

lv_draw_sw_mask_res_t lv_draw_sw_mask_apply(void *masks[], lv_opa_t *row, int32_t x, int32_t y, int32_t width)
{
    const lv_draw_sw_mask_radius_param_t *corners = masks[0];
    const struct stand_in_shape shape = {lv_area_get_width(&corners->area), lv_area_get_height(&corners->area),
                                         corners->radius, 0, 0};
    const int32_t top = y - corners->area.y1;
    CHECK(masks[1] == NULL);
    if (top >= corners->radius && shape.height - 1 - top >= corners->radius) return LV_DRAW_SW_MASK_RES_FULL_COVER;
    if (top == 0) return LV_DRAW_SW_MASK_RES_TRANSP; /* so that this is tried, too */
    for (int32_t i = 0; i < width; i++)
        row[i] = (uint8_t)(row[i] * stand_in_cover(&shape, x + i - corners->area.x1, top) / 255);
    return LV_DRAW_SW_MASK_RES_CHANGED;
}

void lv_draw_sw_mask_free_param(void *mask) { CHECK(mask != NULL); }

/* ------------------------------------------------------------------ text */

static const lv_font_t the_font;

const void *lv_font_get_glyph_bitmap(lv_font_glyph_dsc_t *glyph, lv_draw_buf_t *unused)
{
    enum { STRIDE = 12 };
    static uint8_t pixels[STRIDE * STAND_IN_GLYPH_SIDE];
    static lv_draw_buf_t bitmap = {
        {LV_COLOR_FORMAT_A8, STAND_IN_GLYPH_SIDE, STAND_IN_GLYPH_SIDE, STRIDE, 0}, pixels, sizeof pixels};
    CHECK(glyph->resolved_font == &the_font && unused == NULL);
    stand_in_bitmaps++;
    for (int32_t y = 0; y < STAND_IN_GLYPH_SIDE; y++)
        for (int32_t x = 0; x < STAND_IN_GLYPH_SIDE; x++)
            pixels[y * STRIDE + x] = stand_in_glyph(glyph->gid.index, x, y);
    return &bitmap;
}

void lv_draw_label_iterate_characters(stand_in_caller *caller, const lv_draw_label_dsc_t *label, const lv_area_t *area,
                                      lv_draw_glyph_cb_t draw)
{
    lv_area_t place = {area->x1, area->y1, area->x1 + STAND_IN_GLYPH_SIDE - 1, area->y1 + STAND_IN_GLYPH_SIDE - 1};
    for (const char *letter = label->text; *letter != 0; letter++) {
        lv_font_glyph_dsc_t glyph = {.resolved_font = &the_font, .gid = {.index = (uint32_t)*letter - 'a'}};
        lv_draw_fill_dsc_t fill = {.opa = label->opa, .color = label->color};
        lv_draw_glyph_dsc_t drawn = {.format = *letter == '*' ? LV_FONT_GLYPH_FORMAT_IMAGE : LV_FONT_GLYPH_FORMAT_A8,
                                     .letter_coords = &place,
                                     .g = &glyph,
                                     .color = label->color,
                                     .opa = label->opa};
        if (*letter == '_') draw(caller, NULL, &fill, &place);
        else draw(caller, &drawn, NULL, NULL);
        place.x1 += STAND_IN_STEP;
        place.x2 += STAND_IN_STEP;
    }
}
