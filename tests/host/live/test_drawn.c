/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a picture that comes back from the GPU is put into a surface of any format so that the surface shows it,
 * nothing else of the surface changes, and what was unlike is counted. Method: units there and back for every format,
 * all of 16 bits and many of more; pictures with known differences; pipes that bring a picture in pieces, a wrong one
 * or none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "clients/sdl/record/drawn.h"

static const struct layout {
    uint32_t bytes, red, green, blue, alpha;
} layouts[] = {
    {2, 0xf800, 0x7e0, 0x1f, 0},
    {2, 0x7c00, 0x3e0, 0x1f, 0},
    {2, 0x7c00, 0x3e0, 0x1f, 0x8000},
    {2, 0xf00, 0xf0, 0xf, 0xf000},
    {2, 0x1f, 0x7e0, 0xf800, 0},
    {3, 0xff0000, 0xff00, 0xff, 0},
    {3, 0xff, 0xff00, 0xff0000, 0},
    {4, 0xff0000, 0xff00, 0xff, 0},
    {4, 0xff, 0xff00, 0xff0000, 0},
    {4, 0xff0000, 0xff00, 0xff, 0xff000000},
    {4, 0xff000000, 0xff0000, 0xff00, 0xff},
    {4, 0x3ff00000, 0xffc00, 0x3ff, 0xc0000000},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts, WIDTH = 7, HEIGHT = 5, PITCH = 40 };

static struct view view_of(const struct layout *layout, uint8_t *pixels)
{
    return (struct view){.width = WIDTH,
                         .height = HEIGHT,
                         .pitch = PITCH,
                         .unit_bytes = layout->bytes,
                         .pixels = pixels,
                         .red = layout->red,
                         .green = layout->green,
                         .blue = layout->blue,
                         .alpha_mask = layout->alpha};
}

/* Channels of ten bits become eight, and back one of four that become the same. */
static bool loses_bits(const struct layout *layout) { return layout->blue == 0x3ff; }

static void units_there_and_back(void **state)
{
    (void)state;
    for (const struct layout *layout = layouts; layout < layouts + LAYOUTS; layout++) {
        struct conversion conversion;
        const struct view view = view_of(layout, NULL);
        const uint32_t mask = layout->red | layout->green | layout->blue | layout->alpha;
        conversion_make(&conversion, &view);
        for (uint32_t i = 0; i < 0x10000; i++) {
            const uint32_t all = layout->bytes == 4 ? 0xffffffffu : (1u << 8 * layout->bytes) - 1u;
            const uint32_t raw = (layout->bytes == 2 ? i : i * 2654435761u) & all, other = ~raw & all;
            const uint32_t unit = conversion_unit(&conversion, raw), back = conversion_back(&conversion, unit, other);
            assert_int_equal(conversion_unit(&conversion, back), unit);
            if (!loses_bits(layout)) assert_int_equal(back & mask, raw & mask);
            assert_int_equal(back & ~mask, other & ~mask);
        }
    }
}

static void palettes_take_the_nearest(void **state)
{
    struct sdl_colour colours[4] = {{0, 0, 0, 255}, {200, 100, 0, 255}, {200, 104, 0, 255}, {255, 255, 255, 255}};
    const struct sdl_palette palette = {4, colours};
    const struct view view = {.unit_bytes = 1, .palette = &palette};
    struct conversion conversion;
    (void)state;
    conversion_make(&conversion, &view);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(conversion_back(&conversion, conversion_unit(&conversion, i), 9), i);
    assert_int_equal(conversion_back(&conversion, 0xffc86500u, 9), 1);
    assert_int_equal(conversion_back(&conversion, 0xffc86600u, 9), 1); /* as near as the next */
    assert_int_equal(conversion_back(&conversion, 0xffc86700u, 9), 2);
    assert_int_equal(conversion_back(&conversion, 0xfff0e0ffu, 9), 3);
    /* A colour that the palette has not is alike where its nearest is shown. */
    uint8_t pixels[2] = {1, 2}, picture[8];
    const struct view two = {
        .width = 2, .height = 1, .pitch = 2, .unit_bytes = 1, .pixels = pixels, .palette = &palette};
    const uint32_t units[2] = {0xffc76401u, 0xff000102u};
    struct link_drawn drawn = {.frames = 0};
    memcpy(picture, units, sizeof picture);
    drawn_put(&drawn, 0, &two, &conversion, picture);
    assert_int_equal(drawn.unlike_pixels, 1);
    assert_int_equal(drawn.unlike[0].x, 1);
    assert_int_equal(drawn.levels, 200);
    assert_int_equal(pixels[0], 1);
    assert_int_equal(pixels[1], 0);
}

/* ------------------------------------------------------------------ pictures */

static void scribble(uint8_t *bytes, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
}

static void make_picture(const struct conversion *conversion, const struct view *view, uint8_t *picture)
{
    const size_t row_bytes = (size_t)WIDTH * recording_unit_bytes((uint32_t)conversion->format);
    for (int32_t y = 0; y < HEIGHT; y++)
        conversion_row(conversion, view->pixels + (size_t)y * PITCH, WIDTH, picture + (size_t)y * row_bytes);
}

static void what_is_alike_stays(void **state)
{
    (void)state;
    for (const struct layout *layout = layouts; layout < layouts + LAYOUTS; layout++) {
        uint8_t pixels[PITCH * HEIGHT], before[sizeof pixels], picture[4 * WIDTH * HEIGHT];
        const struct view view = view_of(layout, pixels);
        struct link_drawn drawn = {.frames = 3};
        struct conversion conversion;
        scribble(pixels, sizeof pixels, layout->red);
        memcpy(before, pixels, sizeof pixels);
        conversion_make(&conversion, &view);
        make_picture(&conversion, &view, picture);
        drawn_put(&drawn, 3, &view, &conversion, picture);
        assert_memory_equal(pixels, before, sizeof pixels);
        assert_int_equal(drawn.frames, 4);
        assert_int_equal(drawn.unlike_frames, 0);
    }
}

/* Two units of the picture are another one's: both come, alone. */
static void what_is_unlike_comes(void **state)
{
    (void)state;
    for (const struct layout *layout = layouts; layout < layouts + LAYOUTS; layout++) {
        uint8_t pixels[PITCH * HEIGHT], wanted[sizeof pixels], picture[4 * WIDTH * HEIGHT];
        struct view view = view_of(layout, wanted);
        struct link_drawn drawn = {.frames = 0};
        struct conversion conversion;
        scribble(pixels, sizeof pixels, layout->blue);
        memcpy(wanted, pixels, sizeof pixels);
        uint8_t *second = wanted + 2 * PITCH + 5 * layout->bytes, *last = wanted + 4 * PITCH;
        memset(second, 0, layout->bytes);
        memset(pixels + 2 * PITCH + 5 * layout->bytes, 255, layout->bytes);
        memset(last, 255, layout->bytes);
        memset(pixels + 4 * PITCH, 0, layout->bytes);
        conversion_make(&conversion, &view);
        make_picture(&conversion, &view, picture);
        view.pixels = pixels;
        drawn_put(&drawn, 9, &view, &conversion, picture);
        assert_int_equal(drawn.unlike_frames, 1);
        assert_int_equal(drawn.unlike_pixels, 2);
        assert_int_equal(drawn.levels, 255);
        const struct link_unlike *unlike = &drawn.unlike[0];
        assert_int_equal(unlike->frame, 9);
        assert_int_equal(unlike->pixels, 2);
        assert_int_equal(unlike->x, 5);
        assert_int_equal(unlike->y, 2);
        assert_int_equal(unlike->levels, 255);
        uint8_t shown[sizeof picture];
        make_picture(&conversion, &view, shown);
        assert_memory_equal(shown, picture, (size_t)WIDTH * HEIGHT * recording_unit_bytes((uint32_t)conversion.format));
        memcpy(second, pixels + 2 * PITCH + 5 * layout->bytes, layout->bytes);
        memcpy(last, pixels + 4 * PITCH, layout->bytes);
        assert_memory_equal(pixels, wanted, sizeof pixels);
    }
}

/* Of more frames than are named all are counted; of two units the one that is farther off. */
static void many_frames_are_unlike(void **state)
{
    uint8_t pixels[PITCH * HEIGHT] = {0}, picture[4 * WIDTH * HEIGHT];
    const struct view view = view_of(&layouts[7], pixels);
    struct link_drawn drawn = {.frames = 0};
    struct conversion conversion;
    (void)state;
    conversion_make(&conversion, &view);
    for (uint32_t frame = 0; frame < LINK_UNLIKE + 3u; frame++) {
        make_picture(&conversion, &view, picture);
        picture[0] = (uint8_t)(picture[0] + 1u + frame);
        picture[8] = (uint8_t)(picture[8] + 1u);
        drawn_put(&drawn, frame, &view, &conversion, picture);
        if (frame < LINK_UNLIKE) assert_int_equal(drawn.unlike[frame].levels, frame + 1);
    }
    assert_int_equal(drawn.frames, LINK_UNLIKE + 3);
    assert_int_equal(drawn.unlike_frames, LINK_UNLIKE + 3);
    assert_int_equal(drawn.unlike_pixels, 2 * (LINK_UNLIKE + 3));
    assert_int_equal(drawn.unlike[LINK_UNLIKE - 1].frame, LINK_UNLIKE - 1);
    assert_int_equal(drawn.levels, LINK_UNLIKE + 3);
}

/* ------------------------------------------------------------------ pipes */

static void send(int pipe, uint32_t frame, uint32_t bytes, const uint8_t *picture, size_t sent)
{
    const struct drawn_header header = {frame, bytes};
    assert_int_equal(write(pipe, &header, sizeof header), sizeof header);
    assert_int_equal(write(pipe, picture, sent), sent);
}

/* One process has one pipe: all in their order. */
static void pictures_come_through_a_pipe(void **state)
{
    uint8_t picture[600];
    struct link_drawn drawn = {.frames = 0};
    int ends[2];
    (void)state;
    snprintf(drawn.pictures, sizeof drawn.pictures, "/proc/self/fd/none");
    assert_null(drawn_take(&drawn, 0, 10));
    assert_int_equal(pipe(ends), 0);
    snprintf(drawn.pictures, sizeof drawn.pictures, "/proc/self/fd/%d", ends[0]);
    scribble(picture, sizeof picture, 1);
    send(ends[1], 0, 600, picture, 600);
    const uint8_t *taken = drawn_take(&drawn, 0, 600);
    assert_non_null(taken);
    assert_memory_equal(taken, picture, 600);
    send(ends[1], 1, 4, picture + 7, 4);
    taken = drawn_take(&drawn, 1, 4);
    assert_non_null(taken);
    assert_memory_equal(taken, picture + 7, 4);
    send(ends[1], 3, 4, picture, 0); /* another frame's */
    assert_null(drawn_take(&drawn, 2, 4));
    send(ends[1], 2, 5, picture, 0); /* of another size */
    assert_null(drawn_take(&drawn, 2, 4));
    send(ends[1], 2, 4, picture, 3); /* cut off */
    assert_int_equal(close(ends[1]), 0);
    assert_null(drawn_take(&drawn, 2, 4));
    assert_null(drawn_take(&drawn, 2, 4)); /* the end */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_there_and_back),   cmocka_unit_test(palettes_take_the_nearest),
        cmocka_unit_test(what_is_alike_stays),    cmocka_unit_test(what_is_unlike_comes),
        cmocka_unit_test(many_frames_are_unlike), cmocka_unit_test(pictures_come_through_a_pipe),
    };
    int wrong = cmocka_run_group_tests(tests, NULL, NULL), count = (int)(sizeof tests / sizeof *tests);
    print_message("%d passed, %d failed\n", count - wrong, wrong);
    return wrong != 0;
}
