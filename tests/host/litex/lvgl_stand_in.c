/* SPDX-License-Identifier: Apache-2.0
 *
 * See lvgl_stand_in.h. Tasks become ready as in LVGL: none whose area meets that of an earlier one that is not done.
 * Each is offered to the draw unit, and drawn here if that does not take it.
 */
#include "lvgl_stand_in.h"

#include <stdlib.h>
#include <string.h>

#include "demos/lv_demos.h"
#include "lvgl_private.h"

enum { TASKS = 6, IMAGE_SIDE = 90, DONE = LV_DRAW_TASK_STATE_FINISHED, WAITS = LV_DRAW_TASK_STATE_WAITING };

struct stand_in_object {
    bool is_laid_out;
};

/* Opacity 255 and below; `image` is 0: a fill; 1: RGB565, 2: ARGB8888. */
struct wish {
    lv_area_t area;
    uint32_t colour;
    lv_opa_t opacity;
    uint8_t image;
};
static const struct wish wishes[TASKS] = {
    {{0, 0, 319, 199}, 0x204060, 255, 0}, {{0, 0, 319, 44}, 0xf8f8f8, 255, 0}, {{200, 60, 300, 90}, 0x18c040, 70, 0},
    {{270, 50, 359, 139}, 0, 255, 2},     {{90, 110, 179, 199}, 0, 255, 1},    {{10, 5, 14, 9}, 0xc83791, 255, 0},
};

uint32_t stand_in_drawn;
void *stand_in_images;

static enum stand_in_fault fault;
static struct stand_in_display the_display;
static struct stand_in_object the_screen;
static lv_draw_unit_t *unit;
static lv_draw_buf_t buffer;
static lv_layer_t layer;
static lv_image_dsc_t images[3];
static uint16_t pixels_565[IMAGE_SIDE * IMAGE_SIDE];
static uint32_t pixels_8888[IMAGE_SIDE * IMAGE_SIDE];
static lv_draw_task_t tasks[TASKS];
static lv_draw_fill_dsc_t fills[TASKS];
static lv_draw_image_dsc_t pictures[TASKS];
static uint32_t task_count;

/* ------------------------------------------------------------------ display and objects */

void stand_in_begin(enum stand_in_fault wanted)
{
    fault = wanted;
    stand_in_drawn = 0;
    free(unit);
    unit = NULL;
}

static lv_image_dsc_t image(lv_color_format_t format, uint32_t bytes, const void *pixels)
{
    return (lv_image_dsc_t){{(uint32_t)format, IMAGE_SIDE, IMAGE_SIDE, IMAGE_SIDE * bytes, 0}, pixels, 0};
}

void lv_init(void)
{
    uint8_t *place = stand_in_images;
    for (uint32_t i = 0; i < IMAGE_SIDE * IMAGE_SIDE; i++) {
        pixels_565[i] = (uint16_t)(i * 2654435761u >> 12);
        pixels_8888[i] = i * 2246822519u;
    }
    if (place != NULL) {
        memcpy(place, pixels_8888, sizeof pixels_8888);
        memcpy(place + sizeof pixels_8888, pixels_565, sizeof pixels_565);
    }
    images[1] = image(LV_COLOR_FORMAT_RGB565, 2, place != NULL ? (void *)(place + sizeof pixels_8888) : pixels_565);
    images[2] = image(LV_COLOR_FORMAT_ARGB8888, 4, place != NULL ? (void *)place : pixels_8888);
}

void lv_tick_set_cb(uint32_t (*tick)(void)) { CHECK(tick() == 0); }

lv_display_t *lv_display_create(int32_t width, int32_t height)
{
    the_display = (struct stand_in_display){
        .width = width, .height = height, .is_valid = true, .layer_head = &layer, .act_scr = &the_screen};
    layer.buf_area = (lv_area_t){0, 0, width - 1, height - 1};
    return &the_display;
}

void lv_display_set_color_format(lv_display_t *display, lv_color_format_t format)
{
    CHECK(display == &the_display && format == LV_COLOR_FORMAT_RGB565);
    layer.color_format = format;
}

void lv_display_set_buffers(lv_display_t *display, void *first, void *second, uint32_t bytes, int mode)
{
    const uint32_t width = (uint32_t)display->width, height = (uint32_t)display->height;
    CHECK(second == NULL && bytes == width * height * 2 && mode == LV_DISPLAY_RENDER_MODE_FULL);
    buffer = (lv_draw_buf_t){{LV_COLOR_FORMAT_RGB565, width, height, width * 2, 0}, first, bytes};
    layer.draw_buf = &buffer;
}

void lv_display_enable_invalidation(lv_display_t *display, bool is_enabled) { display->is_valid = is_enabled; }
void lv_display_flush_ready(lv_display_t *display) { CHECK(display == &the_display); }
lv_obj_t *lv_screen_active(void) { return &the_screen; }
void lv_obj_update_layout(const lv_obj_t *object)
{
    CHECK(object == &the_screen && the_display.is_valid);
    the_screen.is_laid_out = true;
}
void lv_obj_invalidate(const lv_obj_t *object) { CHECK(object == &the_screen && the_display.is_valid); }
void lv_obj_enable_style_refresh(bool is_enabled) { (void)is_enabled; }
void lv_demo_widgets(void)
{
    CHECK(!the_display.is_valid);
    the_screen.is_laid_out = false;
}

/* ------------------------------------------------------------------ tasks */

void *lv_draw_create_unit(size_t size)
{
    CHECK(unit == NULL);
    return unit = calloc(1, size);
}

static bool is_ready(const lv_draw_task_t *task)
{
    lv_area_t common;
    for (const lv_draw_task_t *other = tasks; other < task; other++)
        if (other->state != DONE && lv_area_intersect(&common, &other->area, &task->area)) return false;
    return task->state == WAITS;
}

static lv_draw_task_t *ready_task(uint8_t unit_id)
{
    for (uint32_t i = 0; i < task_count; i++)
        if (tasks[i].preferred_draw_unit_id == unit_id && is_ready(&tasks[i])) return &tasks[i];
    return NULL;
}

lv_display_t *lv_refr_get_disp_refreshing(void) { return &the_display; }
lv_layer_type_t lv_obj_get_layer_type(const lv_obj_t *object)
{
    (void)object;
    return LV_LAYER_TYPE_NONE;
}

lv_obj_t *lv_obj_get_parent(const lv_obj_t *object)
{
    (void)object;
    return NULL;
}

lv_opa_t lv_obj_get_style_bg_opa(const lv_obj_t *object, uint32_t part)
{
    CHECK(object == &the_screen && part == LV_PART_MAIN);
    return LV_OPA_COVER;
}
void lv_draw_dispatch_request(void) {}

/* ------------------------------------------------------------------ the own renderer */

static uint32_t mixed(uint32_t over, uint32_t under, uint32_t alpha)
{
    return (over * alpha + under * (255 - alpha) + 127) / 255;
}

static void draw_pixel(int32_t x, int32_t y, uint32_t colour, uint32_t alpha)
{
    uint16_t *place = (uint16_t *)lv_draw_layer_go_to_xy(&layer, x, y), old = *place;
    const uint32_t red = (uint32_t)(old >> 11) * 33 >> 2, green = (uint32_t)(old >> 5 & 63) * 65 >> 4,
                   blue = (uint32_t)(old & 31) * 33 >> 2;
    *place = (uint16_t)(mixed(colour >> 16 & 255, red, alpha) >> 3 << 11 |
                        mixed(colour >> 8 & 255, green, alpha) >> 2 << 5 | mixed(colour & 255, blue, alpha) >> 3);
}

static void draw_image_pixel(const lv_image_dsc_t *source, uint32_t opacity, uint32_t column, uint32_t row, int32_t x,
                             int32_t y)
{
    uint32_t unit_8888;
    uint16_t unit_565;
    const uint8_t *from = source->data + (size_t)row * source->header.stride;
    if (source->header.cf == LV_COLOR_FORMAT_ARGB8888) {
        memcpy(&unit_8888, from + 4u * column, sizeof unit_8888);
        draw_pixel(x, y, unit_8888, ((unit_8888 >> 24) * opacity + 127) / 255);
        return;
    }
    memcpy(&unit_565, from + 2u * column, sizeof unit_565);
    draw_pixel(x, y,
               (uint32_t)(unit_565 >> 11) * 33 >> 2 << 16 | (uint32_t)(unit_565 >> 5 & 63) * 65 >> 4 << 8 |
                   (uint32_t)(unit_565 & 31) * 33 >> 2,
               opacity);
}

static void draw_task(lv_draw_task_t *task)
{
    const uint32_t index = (uint32_t)(task - tasks);
    const bool is_fill = task->type == LV_DRAW_TASK_TYPE_FILL;
    const lv_color_t colour = fills[index].color;
    const uint32_t opacity = is_fill ? fills[index].opa : pictures[index].opa;
    const bool is_opaque = opacity == 255 && (is_fill || pictures[index].header.cf == LV_COLOR_FORMAT_RGB565);
    lv_area_t area;
    stand_in_drawn++;
    task->state = DONE;
    if (!lv_area_intersect(&area, &task->area, &task->clip_area)) return;
    for (int32_t y = area.y1; y <= area.y2; y++)
        for (int32_t x = area.x1; x <= area.x2; x++) {
            if (is_fill)
                draw_pixel(x, y, (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | colour.blue, opacity);
            else
                draw_image_pixel(pictures[index].src, opacity, (uint32_t)(x - task->area.x1),
                                 (uint32_t)(y - task->area.y1), x, y);
        }
    uint16_t *first = (uint16_t *)lv_draw_layer_go_to_xy(&layer, area.x2, area.y2);
    if (fault == STAND_IN_OPAQUE && is_opaque) *first ^= 1u << 5;
    if (fault == STAND_IN_BLENDED && !is_opaque) *first = (uint16_t)(*first ^ (3u << 5 | 1u << 8));
}

/* ------------------------------------------------------------------ a frame */

static void make_task(uint32_t index, const struct wish *wish)
{
    lv_draw_task_t *task = &tasks[index];
    const lv_color_t colour = {(uint8_t)wish->colour, (uint8_t)(wish->colour >> 8), (uint8_t)(wish->colour >> 16)};
    fills[index] = (lv_draw_fill_dsc_t){.base = {.layer = &layer}, .opa = wish->opacity, .color = colour};
    pictures[index] = (lv_draw_image_dsc_t){.base = {.layer = &layer},
                                            .src = &images[wish->image],
                                            .header = images[wish->image].header,
                                            .scale_x = LV_SCALE_NONE,
                                            .scale_y = LV_SCALE_NONE,
                                            .opa = wish->opacity,
                                            .image_area = wish->area};
    *task = (lv_draw_task_t){.type = wish->image == 0 ? LV_DRAW_TASK_TYPE_FILL : LV_DRAW_TASK_TYPE_IMAGE,
                             .next = NULL,
                             .area = wish->area,
                             ._real_area = wish->area,
                             .clip_area = layer.buf_area,
                             .state = WAITS,
                             .draw_dsc = wish->image == 0 ? (void *)&fills[index] : (void *)&pictures[index],
                             .preference_score = 100};
    if (index == 0) layer.draw_task_head = task;
    else tasks[index - 1].next = task;
    if (unit != NULL) unit->evaluate_cb(unit, task);
}

/* True: all are done. */
static bool dispatch(void)
{
    bool is_done = true;
    if (unit != NULL) (void)unit->dispatch_cb(unit, &layer);
    lv_draw_task_t *own = ready_task(0);
    if (own != NULL) draw_task(own);
    for (uint32_t i = 0; i < task_count; i++) is_done = is_done && tasks[i].state == DONE;
    return is_done;
}

void lv_refr_now(lv_display_t *display)
{
    CHECK(display == &the_display && the_screen.is_laid_out);
    for (task_count = 0; task_count < TASKS;) {
        make_task(task_count, &wishes[task_count]);
        task_count++;
        (void)dispatch();
    }
    while (!dispatch()) {}
    display->flush(display, &layer.buf_area, buffer.data);
}
