/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. A gradient across or down a rectangle without corners is a strip of LVGL's own
 * colours, one pixel wide, drawn by a map that goes along it alone; strips are kept. Other gradients LVGL's renderer
 * draws onto a clear picture.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

#if HAS_MAPS
enum { STRIPS = 16 };

struct strip {
    uint8_t *units; /* ARGB8888, or A8; NULL: free */
    lv_grad_dsc_t gradient;
    uint32_t length, used;
    bool is_opaque, is_mask;
};

static struct strip strips[STRIPS];
static uint32_t strip_clock;

static bool is_straight(const lv_draw_fill_dsc_t *dsc)
{
    return !lvt_gpu.is_without_maps && dsc->radius == 0 &&
           (dsc->grad.dir == LV_GRAD_DIR_HOR || dsc->grad.dir == LV_GRAD_DIR_VER);
}

bool lvt_gradient_takes(const lv_draw_fill_dsc_t *dsc) { return is_straight(dsc) || !lvt_gpu.is_without_covers; }

static bool is_same(const lv_grad_dsc_t *a, const lv_grad_dsc_t *b)
{
    if (a->dir != b->dir || a->stops_count != b->stops_count) return false;
    for (uint32_t i = 0; i < a->stops_count; i++) {
        const lv_grad_stop_t *left = &a->stops[i], *right = &b->stops[i];
        if (left->frac != right->frac || left->opa != right->opa || left->color.red != right->color.red ||
            left->color.green != right->color.green || left->color.blue != right->color.blue)
            return false;
    }
    return true;
}

/* Then, and down always, LVGL multiplies the fill's opacity by the colour's, even if that is 255, which makes it one
 * less. */
static bool has_opacities(const lv_grad_dsc_t *gradient)
{
    for (uint32_t i = 0; i < gradient->stops_count; i++)
        if (gradient->stops[i].opa != LV_OPA_COVER) return true;
    return false;
}

/* Of one colour that fades down: a mask, mixed onto RGB565 by 5 bits of alpha as LVGL mixes those rows. */
static bool is_fade(const lv_grad_dsc_t *gradient)
{
    const lv_grad_stop_t *first = &gradient->stops[0];
    bool is_so = gradient->dir == LV_GRAD_DIR_VER && has_opacities(gradient);
    for (uint32_t i = 1; i < gradient->stops_count; i++) is_so &= lv_color_eq(first->color, gradient->stops[i].color);
    return is_so;
}

static uint8_t *alpha_of(const struct strip *strip, uint32_t i)
{
    return strip->units + (strip->is_mask ? i : 4u * i + 3u);
}

static void give(struct strip *strip)
{
    if (strip->units == NULL) return;
    lvt_memory_forget(strip->units);
    lvt_memory_give(strip->units);
    memset(strip, 0, sizeof *strip);
}

/* LVGL's renderer draws the fill as if it were as narrow. */
static int make(struct strip *strip, const lv_draw_fill_dsc_t *dsc, uint32_t length)
{
    lv_draw_fill_dsc_t whole = *dsc;
    lv_draw_task_t task = {.type = LV_DRAW_TASK_TYPE_FILL, .draw_dsc = &whole};
    bool is_unused;
    give(strip);
    uint8_t *units = lvt_memory_take(4u * length, &is_unused);
    if (units == NULL) return TESSERA_NO_MEMORY;
    memset(units, 0, 4u * (size_t)length);
    whole.opa = LV_OPA_COVER;
    if (dsc->grad.dir == LV_GRAD_DIR_HOR) task.area.x2 = (int32_t)length - 1;
    else task.area.y2 = (int32_t)length - 1;
    struct look unused;
    (void)lvt_cover_colours(units, dsc->grad.dir == LV_GRAD_DIR_HOR ? 4u * length : 4u, &task.area, &task, &unused);
    *strip = (struct strip){.units = units, .gradient = dsc->grad, .length = length, .is_opaque = true};
    for (uint32_t i = 0; i < length; i++) strip->is_opaque &= *alpha_of(strip, i) >= LV_OPA_MAX;
    if (is_fade(&dsc->grad)) {
        for (uint32_t i = 0; i < length; i++) units[i] = *alpha_of(strip, i);
        strip->is_mask = true;
    }
    return TESSERA_OK;
}

/* The strip of that gradient, from before or made now; NULL: no memory. */
static struct strip *strip_of(const lv_draw_fill_dsc_t *dsc, uint32_t length)
{
    struct strip *oldest = &strips[0];
    for (struct strip *strip = strips; strip < strips + STRIPS; strip++) {
        if (strip->units != NULL && strip->length == length && is_same(&strip->gradient, &dsc->grad)) {
            strip->used = ++strip_clock;
            return strip;
        }
        if (strip->units == NULL || (oldest->units != NULL && strip->used < oldest->used)) oldest = strip;
    }
    if (make(oldest, dsc, length) != TESSERA_OK) return NULL;
    oldest->used = ++strip_clock;
    return oldest;
}

/* LVGL leaves out the rows that are all but clear. */
static bool is_drawn(const struct strip *strip, int32_t row, uint32_t opacity)
{
    const uint32_t alpha = *alpha_of(strip, (uint32_t)row);
    return (opacity == 255 ? alpha : alpha * opacity >> 8) > LV_OPA_MIN;
}

/* Down the rectangle that begins at `top`. */
static int draw_rows(const struct canvas *canvas, const struct strip *strip, int32_t top,
                     const struct tessera_surface *surface, struct look look)
{
    lv_area_t part = canvas->area;
    int status = TESSERA_OK;
    for (int32_t y = part.y1; y <= canvas->area.y2 && status == TESSERA_OK; y++) {
        const bool is_last = y == canvas->area.y2, is_seen = is_drawn(strip, y - top, look.alpha);
        const struct mapping mapping = {1, strip->length, 0, (part.y1 - top) * 65536, 1, 65536};
        part.y2 = is_seen ? y : y - 1;
        if (part.y2 >= part.y1 && (is_last || !is_seen))
            status = lvt_queue_mapped(canvas, &part, surface, &mapping, look,
                                      strip->is_mask ? &strip->gradient.stops[0].color : NULL);
        if (!is_seen) part.y1 = y + 1;
    }
    return status;
}

int lvt_gradient_draw(const struct canvas *canvas, const lv_draw_task_t *task)
{
    const lv_draw_fill_dsc_t *dsc = task->draw_dsc;
    const bool is_across = dsc->grad.dir == LV_GRAD_DIR_HOR;
    const lv_area_t *area = &canvas->area;
    struct tessera_surface surface;
    bool is_passing;
    if (!is_straight(dsc)) return lvt_image_drawn(canvas, task);
    const uint32_t length = (uint32_t)(is_across ? lv_area_get_width(&task->area) : lv_area_get_height(&task->area));
    const struct strip *strip = strip_of(dsc, length);
    if (strip == NULL) return TESSERA_NO_MEMORY;
    struct picture picture = {strip->units, 4, 1, length, 4, FORMAT_ARGB8888};
    if (strip->is_mask) picture = (struct picture){strip->units, 1, 1, length, 1, FORMAT_A8};
    if (is_across) picture = (struct picture){strip->units, 4u * length, length, 1, 4, FORMAT_ARGB8888};
    int status = lvt_memory_kept(&picture, 0, picture.height, &surface, &is_passing);
    if (status != TESSERA_OK) return status;
    struct look look = {.alpha = lvt_opacity(dsc->opa), .has_alpha = !strip->is_opaque};
    look.has_alpha |= look.alpha != 255 && (!is_across || has_opacities(&dsc->grad));
    if (is_across) {
        const struct mapping mapping = {length, 1, (area->x1 - task->area.x1) * 65536, 0, 65536, 1};
        status = lvt_queue_mapped(canvas, area, &surface, &mapping, look, NULL);
    } else status = draw_rows(canvas, strip, task->area.y1, &surface, look);
    if (is_passing) lvt_queue_finish();
    lvt_gpu.counts.mapped++;
    return status;
}

void lvt_gradient_end(void)
{
    for (struct strip *strip = strips; strip < strips + STRIPS; strip++) give(strip);
}
#else
bool lvt_gradient_takes(const lv_draw_fill_dsc_t *dsc)
{
    (void)dsc;
    return false;
}

int lvt_gradient_draw(const struct canvas *canvas, const lv_draw_task_t *task)
{
    (void)canvas;
    (void)task;
    return TESSERA_OK; /* none is taken */
}

void lvt_gradient_end(void) {}
#endif
