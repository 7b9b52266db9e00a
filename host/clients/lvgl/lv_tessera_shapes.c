/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. A rectangle with corners: LVGL's own renderer makes the mask of a shape once, with
 * one row and column between its corners, and what lies between them is plain fills. So coverage is LVGL's to the last
 * level, and only mixing rounds otherwise. Arcs, lines, triangles and shadows are seldom the same twice: the renderer
 * draws each as a mask of its own, which the GPU colours in its turn, so that the processor does not wait for pixels.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

/* ------------------------------------------------------------------ fills and masks, clipped */

int lvt_shape_fill(const struct canvas *canvas, int32_t x1, int32_t y1, int32_t x2, int32_t y2, lv_color_t colour,
                   lv_opa_t opacity)
{
    lv_area_t area = {x1, y1, x2, y2};
    if (x1 > x2 || y1 > y2 || !lv_area_intersect(&area, &area, &canvas->area)) return TESSERA_OK;
    if (opacity >= LV_OPA_MAX) return lvt_queue_fill(canvas, &area, colour);
    return lvt_queue_fill_blended(canvas, &area, colour, opacity);
}

/* ------------------------------------------------------------------ shapes */

#if HAS_MASKS
/* Part of a mask, from its pixel x, y on. */
int lvt_shape_paint(const struct canvas *canvas, const struct mask *mask, const lv_area_t *where, int32_t x, int32_t y,
                    lv_color_t colour, lv_opa_t opacity)
{
    lv_area_t area;
    if (where->x1 > where->x2 || where->y1 > where->y2 || !lv_area_intersect(&area, where, &canvas->area))
        return TESSERA_OK;
    return lvt_queue_mask(canvas, &area, &mask->surface, mask->x + (uint32_t)(x + area.x1 - where->x1),
                          mask->y + (uint32_t)(y + area.y1 - where->y1), colour, lvt_opacity(opacity));
}

/* A rectangle's corners: `corner` pixels of each side, less where two of them have not that many. */
struct corners {
    int32_t left, right, top, bottom; /* of the shape */
    int32_t low_right, low_bottom;    /* where right and lower ones begin in the mask */
};

static struct corners corners_of(const lv_area_t *shape, int32_t corner, const struct mask_key *key)
{
    const int32_t width = lv_area_get_width(shape), height = lv_area_get_height(shape);
    struct corners c = {.left = LV_MIN(corner, width / 2), .top = LV_MIN(corner, height / 2)};
    c.right = LV_MIN(corner, width - c.left);
    c.bottom = LV_MIN(corner, height - c.top);
    c.low_right = key->width - c.right;
    c.low_bottom = key->height - c.bottom;
    return c;
}

static int paint_corners(const struct canvas *canvas, const lv_area_t *shape, const struct mask *mask,
                         const struct corners *c, lv_color_t colour, lv_opa_t opacity)
{
    const lv_area_t places[4] = {{shape->x1, shape->y1, shape->x1 + c->left - 1, shape->y1 + c->top - 1},
                                 {shape->x2 - c->right + 1, shape->y1, shape->x2, shape->y1 + c->top - 1},
                                 {shape->x1, shape->y2 - c->bottom + 1, shape->x1 + c->left - 1, shape->y2},
                                 {shape->x2 - c->right + 1, shape->y2 - c->bottom + 1, shape->x2, shape->y2}};
    int status = TESSERA_OK;
    for (unsigned i = 0; i < 4 && status == TESSERA_OK; i++)
        status = lvt_shape_paint(canvas, mask, &places[i], i % 2 != 0 ? c->low_right : 0,
                                 i / 2 != 0 ? c->low_bottom : 0, colour, opacity);
    return status;
}

/* The shape's mask, with at most a row and a column between its corners. */
static struct mask_key shape_key(uint32_t kind, const lv_area_t *shape, int32_t radius, int32_t corner)
{
    struct mask_key key;
    memset(&key, 0, sizeof key);
    key.kind = kind;
    key.width = LV_MIN(lv_area_get_width(shape), 2 * corner + 1);
    key.height = LV_MIN(lv_area_get_height(shape), 2 * corner + 1);
    key.radius = radius;
    return key;
}

int32_t lvt_shape_corner(const lv_area_t *shape, int32_t radius)
{
    return LV_MIN(radius, LV_MIN(lv_area_get_width(shape), lv_area_get_height(shape)) / 2);
}

bool lvt_shape_holds(const lv_area_t *shape, int32_t corner)
{
    const struct mask_key key = shape_key(MASK_FILL, shape, 0, corner);
    return corner == 0 || lvt_masks_hold(key.width, key.height);
}

static int shape_mask(const struct mask_key *key, struct mask *mask, const void *dsc)
{
    uint32_t stride;
    if (lvt_masks_find(key, mask)) return TESSERA_OK;
    uint8_t *first = lvt_masks_add(key, mask, &stride);
    if (first == NULL) return TESSERA_NO_MEMORY;
    const lv_area_t shape = {0, 0, key->width - 1, key->height - 1};
    if (key->kind == MASK_FILL) {
        lv_draw_fill_dsc_t made = *(const lv_draw_fill_dsc_t *)dsc;
        made.opa = LV_OPA_COVER;
        made.radius = key->radius;
        made.color = COVER_COLOUR;
        made.grad.dir = LV_GRAD_DIR_NONE;
        lvt_cover_fill(first, stride, &shape, &made);
    } else {
        lv_draw_border_dsc_t made = *(const lv_draw_border_dsc_t *)dsc;
        made.opa = LV_OPA_COVER;
        made.radius = key->radius;
        made.color = COVER_COLOUR;
        lvt_cover_border(first, stride, &shape, &made);
    }
    return TESSERA_OK;
}

int lvt_shape_round_fill(const struct canvas *canvas, const lv_draw_fill_dsc_t *dsc, const lv_area_t *shape)
{
    const int32_t corner = lvt_shape_corner(shape, dsc->radius);
    const struct mask_key key = shape_key(MASK_FILL, shape, corner, corner);
    const struct corners c = corners_of(shape, corner, &key);
    struct mask mask;
    int status = shape_mask(&key, &mask, dsc);
    if (status == TESSERA_OK) status = paint_corners(canvas, shape, &mask, &c, dsc->color, dsc->opa);
    if (status == TESSERA_OK)
        status = lvt_shape_fill(canvas, shape->x1 + c.left, shape->y1, shape->x2 - c.right, shape->y1 + c.top - 1,
                                dsc->color, dsc->opa);
    if (status == TESSERA_OK)
        status =
            lvt_shape_fill(canvas, shape->x1, shape->y1 + c.top, shape->x2, shape->y2 - c.bottom, dsc->color, dsc->opa);
    if (status == TESSERA_OK)
        status = lvt_shape_fill(canvas, shape->x1 + c.left, shape->y2 - c.bottom + 1, shape->x2 - c.right, shape->y2,
                                dsc->color, dsc->opa);
    return status;
}

/* The border's straight parts at both ends of `area`, above and below or left and right; they may meet. */
static int fill_sides(const struct canvas *canvas, const lv_draw_border_dsc_t *dsc, bool has_first, bool has_last,
                      bool is_across, const lv_area_t *area)
{
    lv_area_t first = *area, last = *area;
    if (is_across) {
        first.x2 = LV_MIN(area->x1 + dsc->width - 1, area->x2);
        last.x1 = LV_MAX(area->x2 - dsc->width + 1, has_first ? first.x2 + 1 : area->x1);
    } else {
        first.y2 = LV_MIN(area->y1 + dsc->width - 1, area->y2);
        last.y1 = LV_MAX(area->y2 - dsc->width + 1, has_first ? first.y2 + 1 : area->y1);
    }
    int status = TESSERA_OK;
    if (has_first) status = lvt_shape_fill(canvas, first.x1, first.y1, first.x2, first.y2, dsc->color, dsc->opa);
    if (has_last && status == TESSERA_OK)
        status = lvt_shape_fill(canvas, last.x1, last.y1, last.x2, last.y2, dsc->color, dsc->opa);
    return status;
}

int lvt_shape_border(const struct canvas *canvas, const lv_draw_border_dsc_t *dsc, const lv_area_t *shape)
{
    const int32_t corner = LV_MAX(lvt_shape_corner(shape, dsc->radius), dsc->width), width = dsc->width;
    struct mask_key key = shape_key(MASK_BORDER, shape, lvt_shape_corner(shape, dsc->radius), corner);
    key.line = width;
    key.side = (int32_t)dsc->side;
    const struct corners c = corners_of(shape, corner, &key);
    const int32_t top = shape->y1 + c.top, bottom = shape->y2 - c.bottom;
    struct mask mask;
    if (dsc->opa <= LV_OPA_MIN || width == 0 || dsc->side == LV_BORDER_SIDE_NONE) return TESSERA_OK;
    int status = shape_mask(&key, &mask, dsc);
    if (status == TESSERA_OK) status = paint_corners(canvas, shape, &mask, &c, dsc->color, dsc->opa);
    if (status == TESSERA_OK)
        status =
            fill_sides(canvas, dsc, (dsc->side & LV_BORDER_SIDE_TOP) != 0, (dsc->side & LV_BORDER_SIDE_BOTTOM) != 0,
                       false, &(lv_area_t){shape->x1 + c.left, shape->y1, shape->x2 - c.right, shape->y2});
    if (status == TESSERA_OK)
        status =
            fill_sides(canvas, dsc, (dsc->side & LV_BORDER_SIDE_LEFT) != 0, (dsc->side & LV_BORDER_SIDE_RIGHT) != 0,
                       true, &(lv_area_t){shape->x1, top, shape->x2, bottom});
    return status;
}

/* ------------------------------------------------------------------ what is drawn as a mask each time */

int lvt_shape_cover(const struct canvas *canvas, const lv_draw_task_t *task)
{
    struct picture picture;
    lv_color_t colour = lv_color_white();
    lv_opa_t opacity = 0;
    const int status = lvt_memory_cover(canvas, FORMAT_A8, 1, &picture);
    if (status != TESSERA_OK) return status;
    lvt_cover_task(picture.first, picture.stride, &canvas->area, task, &colour, &opacity);
    if (opacity > LV_OPA_MIN)
        return lvt_queue_cover(canvas, &picture, (struct look){.alpha = lvt_opacity(opacity)}, &colour);
    lvt_queue_give_later(picture.first);
    return TESSERA_OK;
}
#endif
