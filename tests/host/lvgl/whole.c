/* SPDX-License-Identifier: Apache-2.0
 *
 * See lvgl_pictures.h. What LVGL draws on layers of their own: objects with a child and a label, turned, scaled, with
 * an opacity of the whole, cut out by a mask or by round corners; labels that are turned, scaled and recoloured.
 * Beside them images that change in each frame in the ways that LVGL knows: a canvas on a buffer of this file's, an
 * image after lv_image_cache_drop, and images of XRGB8888 whose unused byte is anything.
 */
#include "lvgl_pictures.h"

#include "lvgl.h"
#include "src/misc/cache/instance/lv_image_cache.h"

enum { CARDS = 5, LABELS = 4, SIDE = 40, WIDTH = 480, HEIGHT = 320 };

static struct {
    lv_obj_t *cards[CARDS], *labels[LABELS], *canvas, *image;
    uint32_t drawn[SIDE * SIDE], pixels[SIDE * SIDE], still[SIDE * SIDE];
    uint8_t mask[SIDE * 2 * SIDE];
    lv_image_dsc_t picture, fixed, masking;
    bool moves, cuts;
    uint32_t state;
} all;

static uint32_t next(uint32_t bound)
{
    all.state = all.state * 1664525u + 1013904223u;
    return (all.state >> 16) % bound;
}

static lv_color_t some_colour(void)
{
    return lv_color_make((uint8_t)next(256), (uint8_t)next(256), (uint8_t)next(256));
}

static lv_obj_t *some_label(lv_obj_t *parent)
{
    lv_obj_t *label = lv_label_create(parent);
    lv_label_set_text(label, "Turned & scaled");
    lv_obj_set_style_text_color(label, some_colour(), 0);
    return label;
}

static void make_card(unsigned i)
{
    lv_obj_t *card = all.cards[i] = lv_obj_create(lv_screen_active());
    lv_obj_set_size(card, 90, 60);
    lv_obj_set_style_radius(card, i % 2 != 0 ? 14 : 0, 0);
    lv_obj_set_style_clip_corner(card, i % 4 == 3, 0);
    lv_obj_set_style_bg_color(card, some_colour(), 0);
    lv_obj_set_style_bg_opa(card, i % 3 == 0 ? LV_OPA_COVER : 140, 0);
    (void)some_label(card);
    lv_obj_t *image = lv_image_create(card);
    lv_image_set_src(image, &all.fixed);
    lv_obj_set_pos(image, 20, 10);
    if (all.cuts && i == 4) lv_obj_set_style_bitmap_mask_src(card, &all.masking, 0);
}

/* `kinds`: "" all of it; "i": the images alone. */
void whole_begin(const char *kinds)
{
    all.moves = *kinds != 'i';
    all.cuts = all.moves;
    for (size_t i = 0; i < sizeof all.mask; i++) all.mask[i] = (uint8_t)(i * 7);
    all.picture = (lv_image_dsc_t){.header = {.magic = LV_IMAGE_HEADER_MAGIC,
                                              .cf = LV_COLOR_FORMAT_XRGB8888,
                                              .w = SIDE,
                                              .h = SIDE,
                                              .stride = SIDE * 4},
                                   .data = (const uint8_t *)all.pixels,
                                   .data_size = sizeof all.pixels};
    for (unsigned i = 0; i < SIDE * SIDE; i++) all.still[i] = 0xff000000u | next(65536) << 8 | next(256);
    all.fixed = all.picture; /* LVGL's renderer takes the unused byte for alpha on layers: so here it is 255 */
    all.fixed.data = (const uint8_t *)all.still;
    all.masking = (lv_image_dsc_t){.header = {.magic = LV_IMAGE_HEADER_MAGIC,
                                              .cf = LV_COLOR_FORMAT_A8,
                                              .w = 2 * SIDE,
                                              .h = SIDE,
                                              .stride = 2 * SIDE},
                                   .data = all.mask,
                                   .data_size = sizeof all.mask};
    for (unsigned i = 0; i < CARDS && all.moves; i++) make_card(i);
    for (unsigned i = 0; i < LABELS && all.moves; i++) all.labels[i] = some_label(lv_screen_active());
    all.canvas = lv_canvas_create(lv_screen_active());
    lv_canvas_set_buffer(all.canvas, all.drawn, SIDE, SIDE, LV_COLOR_FORMAT_XRGB8888);
    all.image = lv_image_create(lv_screen_active());
    lv_image_set_src(all.image, &all.picture);
    lv_obj_set_pos(all.image, 200, 100);
    lv_obj_set_style_radius(all.image, 12, 0);
    lv_obj_set_style_clip_corner(all.image, true, 0);
}

static void move(lv_obj_t *object, bool is_card)
{
    lv_obj_set_pos(object, (int32_t)next(WIDTH - 60), (int32_t)next(HEIGHT - 60));
    lv_obj_set_style_transform_rotation(object, next(2) != 0 ? (int32_t)next(3600) : 0, 0);
    lv_obj_set_style_transform_scale_x(object, next(2) != 0 ? 100 + (int32_t)next(500) : LV_SCALE_NONE, 0);
    lv_obj_set_style_transform_scale_y(object, next(2) != 0 ? 100 + (int32_t)next(500) : LV_SCALE_NONE, 0);
    lv_obj_set_style_opa_layered(object, is_card && next(2) != 0 ? (lv_opa_t)next(256) : LV_OPA_COVER, 0);
}

void whole_step(void)
{
    for (unsigned i = 0; i < CARDS && all.moves; i++) move(all.cards[i], true);
    for (unsigned i = 0; i < LABELS && all.moves; i++) move(all.labels[i], false);
    lv_canvas_fill_bg(all.canvas, some_colour(), LV_OPA_COVER);
    lv_canvas_set_px(all.canvas, (int32_t)next(SIDE), (int32_t)next(SIDE), some_colour(), LV_OPA_COVER);
    for (unsigned i = 0; i < SIDE * SIDE; i++) all.pixels[i] = next(65536) << 16 | next(65536);
    lv_image_cache_drop(&all.picture);
    lv_obj_invalidate(all.image);
}
