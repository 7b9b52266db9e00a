/* SPDX-License-Identifier: Apache-2.0
 *
 * The LVGL draw unit (host/clients/lvgl/) on the golden model, where layers travel and where they lie in the GPU's
 * memory: fills with corners, borders, labels, tiled images, A8 images, layers come out as the stand-in's renderer
 * covers them and as the documented arithmetic mixes; masks and images are made and sent once; many tasks are one DMA
 * buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu_spec.h"
#include "clients/lvgl/lv_tessera_heap.h"
#include "lvgl_bench.h"
#include "pixel_model.h"
#include "stand_in_draw.h"

enum { RED = 0xc8, GREEN = 0x37, BLUE = 0x91 };
static const lv_color_t colour = {BLUE, GREEN, RED};
static const uint32_t colour_argb = (uint32_t)RED << 16 | GREEN << 8 | BLUE;

static uint32_t covered(uint32_t format, uint32_t cover, uint32_t before, uint32_t opacity)
{
    if (cover == 255 && opacity == 255) return pixel_reduce(format, 0xff000000u | colour_argb);
    if (cover == 255) return pixel_reduce(format, bench_fill(format, opacity << 24 | colour_argb, before));
    return pixel_reduce(format, bench_over(format, FORMAT_A8, cover << 24 | colour_argb, before, opacity, false));
}

/* ------------------------------------------------------------------ shapes */

struct shape_case {
    struct stand_in_shape shape;
    lv_area_t area;
    uint32_t format, opacity;
};

static uint32_t expected_shape(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct shape_case *c = context;
    const int32_t corner = c->shape.line > c->shape.radius ? c->shape.line : c->shape.radius;
    const int32_t px = x - c->area.x1, py = y - c->area.y1;
    const bool is_corner =
        (px < corner || c->shape.width - 1 - px < corner) && (py < corner || c->shape.height - 1 - py < corner);
    const uint32_t cover = stand_in_cover(&c->shape, px, py);
    if (cover == 0 && !is_corner) return before;
    if ((cover == 0 || cover == 255) && is_corner)
        return pixel_reduce(c->format,
                            bench_over(c->format, FORMAT_A8, cover << 24 | colour_argb, before, c->opacity, false));
    return covered(c->format, cover, before, c->opacity);
}

static const lv_area_t shapes[] = {{LEFT + 3, TOP + 2, LEFT + 50, TOP + 33},   {LEFT - 6, TOP - 3, LEFT + 30, TOP + 20},
                                   {LEFT + 40, TOP + 30, LEFT + 90, TOP + 60}, {LEFT + 5, TOP + 5, LEFT + 21, TOP + 21},
                                   {LEFT + 5, TOP + 5, LEFT + 20, TOP + 30},   {LEFT + 9, TOP + 9, LEFT + 9, TOP + 9},
                                   {LEFT + 2, TOP + 4, LEFT + 40, TOP + 10}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static void draw_shape(uint32_t target, const lv_area_t *area, int32_t radius, int32_t line, uint8_t side,
                       lv_opa_t opacity)
{
    struct bench_screen screen;
    bench_screen(&screen, target);
    const int32_t width = lv_area_get_width(area), height = lv_area_get_height(area);
    struct shape_case c = {{width, height, least(radius, least(width, height) / 2), line, side},
                           *area,
                           screen.format,
                           opacity >= LV_OPA_MAX ? 255u : opacity};
    lv_draw_fill_dsc_t fill = {.base = {.layer = &screen.layer}, .radius = radius, .opa = opacity, .color = colour};
    lv_draw_border_dsc_t border = {.base = {.layer = &screen.layer},
                                   .radius = radius,
                                   .color = colour,
                                   .width = line,
                                   .opa = opacity,
                                   .side = side};
    lv_draw_task_t task = line == 0 ? bench_task(LV_DRAW_TASK_TYPE_FILL, *area, &fill)
                                    : bench_task(LV_DRAW_TASK_TYPE_BORDER, *area, &border);
    assert_true(bench_offer(&task));
    bench_assert_screen(&screen, area, expected_shape, &c);
    bench_screen_free(&screen);
}

static void test_round_fills(void **state)
{
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++)
        for (int32_t radius = 0; radius < 12; radius += radius < 3 ? 1 : 4)
            for (unsigned i = 0; i < SHAPES; i++) {
                draw_shape(target, &shapes[i], radius, 0, 0, 255);
                draw_shape(target, &shapes[i], radius, 0, 0, 100);
            }
    const unsigned made = stand_in_masks;
    draw_shape(0, &shapes[0], 7, 0, 0, 200);
    assert_int_equal(stand_in_masks, made); /* it is kept */
    lv_draw_tessera_forget(NULL);
    draw_shape(0, &shapes[0], 7, 0, 0, 200);
    assert_int_equal(stand_in_masks, made + 1);
}

static void test_borders(void **state)
{
    static const uint8_t sides[] = {LV_BORDER_SIDE_FULL, LV_BORDER_SIDE_TOP,
                                    LV_BORDER_SIDE_LEFT | LV_BORDER_SIDE_BOTTOM, LV_BORDER_SIDE_RIGHT};
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++)
        for (int32_t line = 1; line < 7; line += 2)
            for (unsigned i = 0; i < SHAPES; i++)
                for (unsigned j = 0; j < sizeof sides; j++)
                    draw_shape(target, &shapes[i], (int32_t)j * 3, line, sides[j], j == 1 ? 80 : 255);
    assert_int_equal(lv_draw_tessera_counts().failed, 0);
}

struct cover_case {
    uint32_t kind, format, opacity;
};

static uint32_t expected_cover(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct cover_case *c = context;
    const uint32_t source = (uint32_t)stand_in_covered(c->kind, x, y) << 24 | colour_argb;
    if (c->opacity <= LV_OPA_MIN) return before;
    return pixel_reduce(c->format, bench_over(c->format, FORMAT_A8, source, before, c->opacity, false));
}

static lv_draw_triangle_dsc_t triangle_of(struct bench_screen *screen, lv_opa_t opacity, int direction)
{
    return (lv_draw_triangle_dsc_t){
        .base = {.layer = &screen->layer}, .color = colour, .opa = opacity, .grad = {.dir = direction}};
}

/* Arcs and the like, each a mask of its own; what is none is left alone. Before 9.5 the renderer is shown more of a
 * line, by half its width and a pixel. */
static void test_covers(void **state)
{
    static const lv_draw_task_type_t types[] = {LV_DRAW_TASK_TYPE_ARC, LV_DRAW_TASK_TYPE_LINE,
                                                LV_DRAW_TASK_TYPE_TRIANGLE, LV_DRAW_TASK_TYPE_BOX_SHADOW};
    static const lv_opa_t opacities[] = {255, 90, LV_OPA_MIN}; /* the last one draws nothing */
    const lv_area_t area = {LEFT + 7, TOP - 2, LEFT + 44, TOP + 30}, drawn = {LEFT + 7, TOP, LEFT + 44, TOP + 30};
    const lv_area_t more = {LEFT + 3, TOP, LEFT + 48, TOP + 34};
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        struct bench_screen screen;
        bench_screen(&screen, i / 2 % BENCH_TARGETS);
        const uint32_t kind = i % 4 + 1;
        const lv_opa_t opacity = opacities[i / 4 % 3];
        lv_draw_arc_dsc_t arc = {.base = {.layer = &screen.layer}, .color = colour, .opa = opacity};
        lv_draw_line_dsc_t line = {.base = {.layer = &screen.layer}, .color = colour, .opa = opacity, .width = 6};
        lv_draw_triangle_dsc_t triangle = triangle_of(&screen, opacity, LV_GRAD_DIR_NONE);
        lv_draw_box_shadow_dsc_t shadow = {.base = {.layer = &screen.layer}, .color = colour, .opa = opacity};
        void *const dscs[] = {&arc, &line, &triangle, &shadow};
        const struct cover_case c = {kind, screen.format, opacity};
        lv_draw_task_t task = bench_task(types[kind - 1], area, dscs[kind - 1]);
        assert_true(bench_offer(&task));
        bench_assert_screen(&screen, kind == 2 && STAND_IN_MINOR < 5 ? &more : &drawn, expected_cover, &c);
        arc.img_src = &screen;
        line.round_end = true;
        line.opa = 90;
        triangle = triangle_of(&screen, opacity, LV_GRAD_DIR_VER);
        assert_int_equal(bench_offer(&task), kind == 4);
        lv_draw_tessera_without_covers(true);
        assert_false(bench_offer(&task));
        lv_draw_tessera_without_covers(false);
        bench_screen_free(&screen);
    }
}

static uint32_t expected_two(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct cover_case *c = context;
    if (x < LEFT + 20) return expected_cover(&c[0], x, y, before);
    return x >= LEFT + 30 ? expected_cover(&c[1], x, y, before) : before;
}

/* Two covers in one DMA buffer, the first of all that is queued: each has its own memory until both are drawn. */
static void test_covers_together(void **state)
{
    const lv_area_t all = {LEFT, TOP, LEFT + 49, TOP + 29};
    struct bench_screen screen;
    (void)state;
    bench_screen(&screen, 2);
    const uint32_t submissions = lv_draw_tessera_counts().submissions;
    lv_draw_arc_dsc_t arc = {.base = {.layer = &screen.layer}, .color = colour, .opa = 255};
    lv_draw_triangle_dsc_t triangle = triangle_of(&screen, 255, LV_GRAD_DIR_NONE);
    lv_draw_task_t tasks[] = {
        bench_task(LV_DRAW_TASK_TYPE_ARC, (lv_area_t){LEFT, TOP, LEFT + 19, TOP + 29}, &arc),
        bench_task(LV_DRAW_TASK_TYPE_TRIANGLE, (lv_area_t){LEFT + 30, TOP, LEFT + 49, TOP + 29}, &triangle)};
    const struct cover_case c[] = {{1, screen.format, 255}, {3, screen.format, 255}};
    (void)bench_offer_all(tasks, 2);
    assert_int_equal(lv_draw_tessera_counts().submissions, submissions + 1);
    bench_assert_screen(&screen, &all, expected_two, c);
    bench_screen_free(&screen);
}

/* What is cut out of a premultiplied layer loses colour with alpha. */
static uint32_t expected_cut(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const lv_draw_mask_rect_dsc_t *cut = context;
    const struct stand_in_shape shape = {lv_area_get_width(&cut->area), lv_area_get_height(&cut->area), cut->radius, 0,
                                         0};
    const int32_t px = x - cut->area.x1, py = y - cut->area.y1;
    uint32_t cover = 0, result = 0;
    if (px >= 0 && py > 0 && px < shape.width && py < shape.height) cover = stand_in_cover(&shape, px, py);
    for (unsigned lsb = 0; lsb < 32; lsb += 8) result |= (before >> lsb & 255) * cover / 255 << lsb;
    return result;
}

static void test_cut_out(void **state)
{
    const lv_area_t all = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1};
    struct bench_screen screen;
    (void)state;
    bench_screen(&screen, BENCH_PREMULTIPLIED);
    lv_draw_mask_rect_dsc_t cut = {{NULL, &screen.layer}, {LEFT + 4, TOP + 6, LEFT + 40, TOP + 33}, 5};
    lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_MASK_RECTANGLE, cut.area, &cut);
    task.target_layer = &screen.layer;
    assert_true(bench_offer(&task));
    bench_assert_screen(&screen, &all, expected_cut, &cut);
    screen.layer.color_format = LV_COLOR_FORMAT_ARGB8888; /* LVGL's own renderer does that */
    assert_false(bench_offer(&task));
    bench_screen_free(&screen);
}

/* ------------------------------------------------------------------ text */

static void draw_text(struct bench_screen *screen, const char *letters, lv_opa_t opacity)
{
    lv_draw_label_dsc_t label = {.base = {.layer = &screen->layer}, .text = letters, .color = colour, .opa = opacity};
    lv_draw_task_t task =
        bench_task(LV_DRAW_TASK_TYPE_LABEL, (lv_area_t){LEFT - 3, TOP + 8, LEFT + LAYER_WIDTH, TOP + 20}, &label);
    assert_true(bench_offer(&task));
}

struct text_case {
    const char *letters;
    uint32_t format, opacity;
};

static uint32_t expected_text(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct text_case *c = context;
    uint32_t unit = before, mask = (1u << (8 * pixel_unit_bytes(c->format) - 1) << 1) - 1u;
    for (int32_t i = 0; c->letters[i] != 0; i++) {
        const int32_t px = x - (LEFT - 3 + STAND_IN_STEP * i), py = y - (TOP + 8);
        if (px < 0 || px >= STAND_IN_GLYPH_SIDE || py < 0 || py >= STAND_IN_GLYPH_SIDE) continue;
        if (c->letters[i] == '*') unit = 0x01010101u * STAND_IN_COLOURED & mask;
        else if (c->letters[i] == '_') unit = covered(c->format, 255, unit, c->opacity);
        else
            unit = pixel_reduce(
                c->format,
                bench_over(c->format, FORMAT_A8,
                           (uint32_t)stand_in_glyph((uint32_t)c->letters[i] - 'a', px, py) << 24 | colour_argb, unit,
                           c->opacity, false));
    }
    return unit;
}

static void test_labels(void **state)
{
    static const char *const texts[] = {"abcab", "a_bc", "ab*ca"};
    const lv_area_t all = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1};
    (void)state;
    for (uint32_t target = 0; target < BENCH_TARGETS; target++)
        for (unsigned i = 0; i < 6; i++) {
            struct bench_screen screen;
            bench_screen(&screen, target);
            const struct text_case c = {texts[i / 2], screen.format, i % 2 != 0 ? 128 : 255};
            draw_text(&screen, texts[i / 2], i % 2 != 0 ? 128 : 255);
            bench_assert_screen(&screen, &all, expected_text, &c);
            bench_screen_free(&screen);
        }
    struct bench_screen screen;
    bench_screen(&screen, 0);
    const unsigned asked = stand_in_bitmaps, made = lv_draw_tessera_counts().masks;
    draw_text(&screen, "cabbage", 255);
    /* g, e: the others are kept; 9.2 asks for each by itself. */
    assert_int_equal(stand_in_bitmaps, asked + 2);
    assert_int_equal(lv_draw_tessera_counts().masks, made + 2);
    bench_screen_free(&screen);
}

/* ------------------------------------------------------------------ images */

enum { SIDE = 10 };

struct tile_case {
    const uint8_t *pixels;
    lv_area_t area;
    uint32_t format;
    bool is_mask;
};

static uint32_t expected_tile(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const struct tile_case *c = context;
    const uint8_t *at = c->pixels + ((y - c->area.y1) % SIDE * SIDE + (x - c->area.x1) % SIDE) * (c->is_mask ? 1 : 2);
    if (c->is_mask)
        return pixel_reduce(c->format,
                            bench_over(c->format, FORMAT_A8, (uint32_t)*at << 24 | colour_argb, before, 255, false));
    return bench_copied(c->format, FORMAT_RGB565, at[0] | (uint32_t)at[1] << 8u);
}

static void test_tiles_and_masks(void **state)
{
    const lv_area_t area = {LEFT + 2, TOP + 3, LEFT + 47, TOP + 30}, one = {LEFT + 2, TOP + 3, LEFT + 11, TOP + 12};
    static uint8_t pixels[SIDE * SIDE * 2];
    (void)state;
    bench_random(pixels, sizeof pixels);
    for (uint32_t target = 0; target < BENCH_TARGETS; target++) {
        for (unsigned is_mask = 0; is_mask < 2; is_mask++) {
            struct bench_screen screen;
            bench_screen(&screen, target);
            const lv_image_dsc_t picture = {
                {is_mask ? LV_COLOR_FORMAT_A8 : LV_COLOR_FORMAT_RGB565, SIDE, SIDE, is_mask ? SIDE : 2 * SIDE, 0},
                pixels,
                sizeof pixels};
            const struct tile_case c = {pixels, area, screen.format, is_mask != 0};
            lv_draw_image_dsc_t image = bench_image(&screen, &picture, is_mask ? one : area, colour);
            image.tile = is_mask == 0;
            image.recolor_opa = is_mask ? LV_OPA_COVER : 0;
            lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, is_mask ? one : area, &image);
            assert_true(bench_offer(&task));
            bench_assert_screen(&screen, is_mask ? &one : &area, expected_tile, &c);
            bench_screen_free(&screen);
        }
    }
}

/* Bytes to the GPU for one drawing of the picture more, onto a layer that lies there. */
static uint64_t sent_for(struct bench_screen *screen, const lv_image_dsc_t *picture)
{
    const lv_area_t area = {LEFT, TOP, LEFT + SIDE - 1, TOP + SIDE - 1};
    const uint64_t before = lv_draw_tessera_counts().bytes_in;
    lv_draw_image_dsc_t image = bench_image(screen, picture, area, colour);
    image.recolor_opa = 0;
    lv_draw_task_t task = bench_task(LV_DRAW_TASK_TYPE_IMAGE, area, &image);
    assert_true(bench_offer(&task));
    for (int32_t y = 0; y < SIDE; y++)
        assert_memory_equal(screen->pixels + (size_t)y * screen->buffer.header.stride, picture->data + y * 2 * SIDE,
                            2 * SIDE);
    return lv_draw_tessera_counts().bytes_in - before;
}

static void test_images_are_kept(void **state)
{
    static uint8_t pixels[SIDE * SIDE * 2], many[80][SIDE * SIDE * 2];
    struct bench_screen screen;
    lv_image_dsc_t picture = {{LV_COLOR_FORMAT_RGB565, SIDE, SIDE, 2 * SIDE, 0}, pixels, sizeof pixels};
    (void)state;
    bench_random(pixels, sizeof pixels);
    bench_random(many[0], sizeof many);
    bench_screen(&screen, 0);
    assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
    assert_int_equal(sent_for(&screen, &picture), 0);
    bench_random(pixels, sizeof pixels); /* by whomever, without a word */
    assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
    for (uint32_t y = 0; y < SIDE; y++) { /* then by the row */
        pixels[(2 * y + 1) * SIDE] ^= (uint8_t)(1u << y % 8);
        assert_int_equal(sent_for(&screen, &picture), 2 * SIDE);
    }
    assert_int_equal(sent_for(&screen, &picture), 0);
    for (unsigned i = 0; i < 80; i++) { /* more than are kept */
        picture.data = many[i];
        assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
    }
    picture.data = pixels;
    assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
    for (unsigned i = 0; i < 3; i++) { /* a canvas, or an image that says so */
        picture.header.flags = i % 2 != 0 ? LV_IMAGE_FLAGS_MODIFIABLE : 0;
        bench_random(pixels, sizeof pixels);
        assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
        assert_int_equal(sent_for(&screen, &picture), 0);
    }
    lv_draw_tessera_forget(pixels); /* gives back what is kept */
    assert_int_equal(sent_for(&screen, &picture), sizeof pixels);
    bench_screen_free(&screen);
}

/* ------------------------------------------------------------------ many tasks */

static uint32_t expected_last(const void *context, int32_t x, int32_t y, uint32_t before)
{
    const lv_draw_fill_dsc_t *fills = context;
    for (int32_t i = 39; i >= 0; i--)
        if (x >= LEFT + i && x < LEFT + i + 20 && y >= TOP + i / 2 && y < TOP + i / 2 + 20)
            return pixel_reduce(FORMAT_RGB565, (uint32_t)fills[i].color.red << 16);
    return before;
}

static void test_one_buffer(void **state)
{
    const lv_area_t all = {LEFT, TOP, LEFT + LAYER_WIDTH - 1, TOP + LAYER_HEIGHT - 1};
    static lv_draw_fill_dsc_t fills[40];
    static lv_draw_task_t tasks[40];
    struct bench_screen screen;
    (void)state;
    bench_screen(&screen, 0);
    const struct lv_draw_tessera_counts before = lv_draw_tessera_counts();
    for (int32_t i = 0; i < 40; i++) {
        fills[i] =
            (lv_draw_fill_dsc_t){.base = {.layer = &screen.layer}, .opa = 255, .color = {.red = (uint8_t)(6 * i)}};
        tasks[i] = bench_task(LV_DRAW_TASK_TYPE_FILL,
                              (lv_area_t){LEFT + i, TOP + i / 2, LEFT + i + 19, TOP + i / 2 + 19}, &fills[i]);
    }
    assert_int_equal(bench_offer_all(tasks, 40), 0);
    const struct lv_draw_tessera_counts after = lv_draw_tessera_counts();
    assert_int_equal(after.submissions - before.submissions, 1);
    assert_int_equal(after.in_place - before.in_place, 40);
    assert_int_equal(after.bytes_in - before.bytes_in, 0);
    assert_int_equal(after.bytes_out, 0);
    bench_assert_screen(&screen, &all, expected_last, fills);
    bench_screen_free(&screen);
}

/* A task after one that is not the unit's, and under it, waits; one beside does not. */
static void test_order(void **state)
{
    struct bench_screen screen;
    (void)state;
    bench_screen(&screen, 0);
    lv_draw_fill_dsc_t fill = {.base = {.layer = &screen.layer}, .opa = 255, .color = colour};
    lv_draw_fill_dsc_t other = fill;
    other.grad.dir = LV_GRAD_DIR_VER;
    lv_draw_tessera_without_covers(true);
    lv_draw_tessera_without_maps(true);
    lv_draw_task_t tasks[] = {
        bench_task(LV_DRAW_TASK_TYPE_FILL, (lv_area_t){LEFT, TOP, LEFT + 9, TOP + 9}, &other),
        bench_task(LV_DRAW_TASK_TYPE_FILL, (lv_area_t){LEFT + 9, TOP + 9, LEFT + 19, TOP + 19}, &fill),
        bench_task(LV_DRAW_TASK_TYPE_FILL, (lv_area_t){LEFT + 20, TOP, LEFT + 29, TOP + 9}, &fill)};
    const uint32_t fills = lv_draw_tessera_counts().fills;
    bench_begin_all(tasks, 3);
    assert_int_equal(lv_draw_tessera_counts().fills, fills + 1);
    assert_int_equal(tasks[0].preferred_draw_unit_id, 0);
    bench_end(&tasks[0]);
    bench_finish_all(tasks, 3);
    assert_int_equal(lv_draw_tessera_counts().fills, fills + 2);
    lv_draw_tessera_without_covers(false);
    lv_draw_tessera_without_maps(false);
    bench_screen_free(&screen);
}

/* ------------------------------------------------------------------ memory */

static void test_heap(void **state)
{
    enum { BYTES = 1 << 16, HELD = 24, STEPS = 20000 };
    static uint8_t memory[BYTES] __attribute__((aligned(HEAP_GRAIN)));
    struct {
        uint8_t *data;
        uint32_t bytes;
    } held[HELD] = {{0}};
    uint32_t seed = 7, refused = 0;
    (void)state;
    lvt_heap_begin(memory, BYTES);
    for (uint32_t step = 0; step < STEPS; step++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t i = (seed >> 8) % HELD;
        if (held[i].data != NULL) {
            for (uint32_t j = 0; j < held[i].bytes; j++) assert_int_equal(held[i].data[j], i);
            lvt_heap_give(held[i].data);
            held[i].data = NULL;
            continue;
        }
        held[i].bytes = (seed >> 16) % 9000u + 1u;
        held[i].data = lvt_heap_take(held[i].bytes);
        if (held[i].data == NULL) refused++;
        else memset(held[i].data, (int)i, held[i].bytes);
        if (held[i].data != NULL)
            assert_true(lvt_heap_holds(held[i].data) && lvt_heap_holds(held[i].data + held[i].bytes - 1));
    }
    assert_in_range(refused, 1, STEPS / 4);
    for (uint32_t i = 0; i < HELD; i++)
        if (held[i].data != NULL) lvt_heap_give(held[i].data);
    assert_non_null(lvt_heap_take(BYTES - HEAP_GRAIN)); /* nothing was lost */
    assert_null(lvt_heap_take(1));
    assert_null(lvt_heap_take(UINT32_MAX));
    assert_false(lvt_heap_holds(memory + BYTES));
    lvt_heap_begin(memory, 0);
}

int main(void)
{
#define SHAPED \
    cmocka_unit_test(test_round_fills), cmocka_unit_test(test_borders), cmocka_unit_test(test_labels), \
        cmocka_unit_test(test_cut_out), cmocka_unit_test(test_covers)
    const struct CMUnitTest travelling[] = {SHAPED, cmocka_unit_test(test_tiles_and_masks)};
    const struct CMUnitTest shared[] = {SHAPED,
                                        cmocka_unit_test(test_covers_together),
                                        cmocka_unit_test(test_tiles_and_masks),
                                        cmocka_unit_test(test_images_are_kept),
                                        cmocka_unit_test(test_one_buffer),
                                        cmocka_unit_test(test_order)};
    const struct CMUnitTest alone[] = {cmocka_unit_test(test_heap)};
    const int failed = cmocka_run_group_tests(travelling, bench_open, bench_close) +
                       cmocka_run_group_tests(shared, bench_open_shared, bench_close) +
                       cmocka_run_group_tests(alone, NULL, NULL);
    printf(
        "%d passed, %d failed\n",
        (int)(sizeof travelling / sizeof *travelling + sizeof shared / sizeof *shared + sizeof alone / sizeof *alone) -
            failed,
        failed);
    return failed;
}
