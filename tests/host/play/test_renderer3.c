/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the recorder knows where and how a renderer of SDL 3 draws: viewport, clip and scale in pixels, and its
 * colour. Method: the module alone, over stand-ins of SDL's getters; a table of settings with the rectangles that SDL
 * 3.2 makes of them, worked out by hand. (Where there is an SDL 3, tests/host/play/three.sh compares pictures.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "clients/sdl/record/renderer.h"

struct floats {
    float x, y, width, height;
};

/* ------------------------------------------------------------------ SDL's renderer */

static struct {
    float scale_x, scale_y;
    int logical_width, logical_height, logical_mode;
    struct floats place; /* of the logical size */
    bool is_viewport, is_clip, has_no_logical, has_no_place;
    struct sdl2_rect viewport, clip;
    float red, green, blue, alpha, colour_scale;
    int mode;
} is;
static int renderer; /* any address */

static bool GetRenderLogicalPresentation(void *of, int *width, int *height, int *mode)
{
    assert_ptr_equal(of, &renderer);
    *width = is.logical_width;
    *height = is.logical_height;
    *mode = is.logical_mode;
    return !is.has_no_logical;
}
static bool GetRenderLogicalPresentationRect(void *of, struct floats *place)
{
    assert_ptr_equal(of, &renderer);
    if (is.has_no_place) return false;
    *place = is.place;
    return true;
}
static bool GetRenderScale(void *of, float *x, float *y)
{
    assert_ptr_equal(of, &renderer);
    *x = is.scale_x;
    *y = is.scale_y;
    return true;
}
static bool GetRenderViewport(void *of, struct sdl2_rect *rect)
{
    assert_ptr_equal(of, &renderer);
    *rect = is.viewport;
    return true;
}
static bool RenderViewportSet(void *of) { return of == &renderer && is.is_viewport; }
static bool GetRenderClipRect(void *of, struct sdl2_rect *rect)
{
    assert_ptr_equal(of, &renderer);
    *rect = is.clip;
    return true;
}
static bool RenderClipEnabled(void *of) { return of == &renderer && is.is_clip; }
static bool GetRenderDrawColorFloat(void *of, float *red, float *green, float *blue, float *alpha)
{
    assert_ptr_equal(of, &renderer);
    *red = is.red;
    *green = is.green;
    *blue = is.blue;
    *alpha = is.alpha;
    return true;
}
static bool GetRenderDrawBlendMode(void *of, int *mode)
{
    assert_ptr_equal(of, &renderer);
    *mode = is.mode;
    return true;
}
static bool GetRenderColorScale(void *of, float *scale)
{
    assert_ptr_equal(of, &renderer);
    *scale = is.colour_scale;
    return true;
}

void *sdl_function(const char *name)
{
#define KNOWN(function) \
    if (strcmp(name, "SDL_" #function) == 0) return (void *)(uintptr_t)function;
    KNOWN(GetRenderLogicalPresentation)
    KNOWN(GetRenderLogicalPresentationRect)
    KNOWN(GetRenderScale)
    KNOWN(GetRenderViewport)
    KNOWN(RenderViewportSet)
    KNOWN(GetRenderClipRect)
    KNOWN(RenderClipEnabled)
    KNOWN(GetRenderDrawColorFloat)
    KNOWN(GetRenderDrawBlendMode)
    KNOWN(GetRenderColorScale)
#undef KNOWN
    fail_msg("SDL has no %s", name);
    return NULL;
}

/* ------------------------------------------------------------------ places */

static void usual(void)
{
    memset(&is, 0, sizeof is);
    is.scale_x = is.scale_y = is.colour_scale = 1;
}

static struct renderer_state look(int width, int height)
{
    struct renderer_state state;
    memset(&state, 0x5a, sizeof state);
    state.target.width = width;
    state.target.height = height;
    renderer3_look(&state, &renderer);
    return state;
}

#define IS_RECT(rect, left, top, wide, high) \
    do { \
        assert_int_equal((rect).x, left); \
        assert_int_equal((rect).y, top); \
        assert_int_equal((rect).width, wide); \
        assert_int_equal((rect).height, high); \
    } while (0)

static void test_plain(void **context)
{
    (void)context;
    usual();
    const struct renderer_state state = look(64, 48);
    IS_RECT(state.viewport, 0, 0, 64, 48);
    IS_RECT(state.target.clip, 0, 0, 64, 48);
    assert_true(state.scale_x == 1.0f && state.scale_y == 1.0f);
}

#define NOT \
    { \
        0, 0, 0 \
    }
#define NONE \
    { \
        0, 0, 0, 0 \
    }
#define ALL \
    { \
        0, 0, 64, 48 \
    }
static const struct {
    float scale_x, scale_y;
    int logical[3]; /* width, height, mode */
    struct floats place;
    bool is_viewport, is_clip;
    struct sdl2_rect viewport, clip;               /* the program's */
    struct sdl2_rect viewport_pixels, clip_pixels; /* on a target of 64 x 48 */
    float x, y;                                    /* scale, all in all */
} cases[] = {
    /* a viewport, inside, over each edge, and outside */
    {1, 1, NOT, NONE, true, false, {5, 6, 20, 10}, NONE, {5, 6, 20, 10}, {5, 6, 20, 10}, 1, 1},
    {1, 1, NOT, NONE, true, false, {-5, -6, 20, 10}, NONE, {-5, -6, 20, 10}, {0, 0, 15, 4}, 1, 1},
    {1, 1, NOT, NONE, true, false, {50, 40, 20, 10}, NONE, {50, 40, 20, 10}, {50, 40, 14, 8}, 1, 1},
    {1, 1, NOT, NONE, true, false, {44, 38, 20, 10}, NONE, {44, 38, 20, 10}, {44, 38, 20, 10}, 1, 1},
    {1, 1, NOT, NONE, true, false, {64, 48, 20, 10}, NONE, {64, 48, 20, 10}, {64, 48, 0, 0}, 1, 1},
    {1, 1, NOT, NONE, true, false, {70, 60, 20, 10}, NONE, {70, 60, 20, 10}, {70, 60, 0, 0}, 1, 1},
    {1, 1, NOT, NONE, true, false, {-30, -20, 20, 10}, NONE, {-30, -20, 20, 10}, {0, 0, 0, 0}, 1, 1},
    /* one that is not set is not looked at; nor is a clip */
    {1, 1, NOT, NONE, false, false, {5, 6, 20, 10}, {1, 2, 3, 4}, ALL, ALL, 1, 1},
    /* a clip, from the viewport's corner */
    {1, 1, NOT, NONE, false, true, NONE, {1, 2, 3, 4}, ALL, {1, 2, 3, 4}, 1, 1},
    {1, 1, NOT, NONE, true, true, {5, 6, 20, 10}, {1, 2, 3, 4}, {5, 6, 20, 10}, {6, 8, 3, 4}, 1, 1},
    {1, 1, NOT, NONE, true, true, {5, 6, 20, 10}, {-1, -2, 3, 4}, {5, 6, 20, 10}, {5, 6, 2, 2}, 1, 1},
    {1, 1, NOT, NONE, true, true, {5, 6, 20, 10}, {15, 6, 30, 40}, {5, 6, 20, 10}, {20, 12, 5, 4}, 1, 1},
    {1, 1, NOT, NONE, true, true, {5, 6, 20, 10}, {40, 50, 3, 4}, {5, 6, 20, 10}, {45, 56, 0, 0}, 1, 1},
    /* scaled: corners down, sizes up */
    {2, 3, NOT, NONE, true, true, {5, 6, 20, 10}, {1, 2, 3, 4}, {10, 18, 40, 30}, {12, 24, 6, 12}, 2, 3},
    {1.5f, 0.5f, NOT, NONE, true, true, {5, 7, 11, 9}, {1, 3, 3, 5}, {7, 3, 17, 5}, {8, 4, 5, 3}, 1.5f, 0.5f},
    {1.5f, 0.5f, NOT, NONE, true, false, {-5, -7, 31, 29}, NONE, {-8, -4, 47, 15}, {0, 0, 39, 11}, 1.5f, 0.5f},
    {2, 2, NOT, NONE, false, false, NONE, NONE, ALL, ALL, 2, 2},
    /* a logical size of 32 x 12, shown with bars above and below; one without a mode is none */
    {1, 1, {32, 12, 2}, {0, 12, 64, 24}, false, false, NONE, NONE, {0, 12, 64, 24}, {0, 12, 64, 24}, 2, 2},
    {1, 1, {32, 12, 2}, {0, 12, 64, 24}, true, true, {2, 3, 8, 7}, {1, 1, 4, 9}, {4, 18, 16, 14}, {6, 20, 8, 12}, 2, 2},
    {3, 2, {32, 12, 1}, {8, 12, 64, 48}, true, false, {2, 1, 4, 2}, NONE, {20, 20, 24, 16}, {20, 20, 24, 16}, 6, 8},
    {1, 1, {32, 12, 0}, {0, 12, 64, 24}, false, false, NONE, NONE, ALL, ALL, 1, 1},
    {1, 1, {0, 12, 2}, {0, 12, 64, 24}, false, false, NONE, NONE, ALL, ALL, 1, 1},
    {1, 1, {32, 0, 2}, {0, 12, 64, 24}, false, false, NONE, NONE, ALL, ALL, 1, 1},
    {1, 1, {1, 1, 1}, {0, 12, 64, 24}, false, false, NONE, NONE, {0, 12, 64, 24}, {0, 12, 64, 24}, 64, 24},
};

static void test_places(void **context)
{
    (void)context;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        usual();
        is.scale_x = cases[i].scale_x;
        is.scale_y = cases[i].scale_y;
        is.logical_width = cases[i].logical[0];
        is.logical_height = cases[i].logical[1];
        is.logical_mode = cases[i].logical[2];
        is.place = cases[i].place;
        is.is_viewport = cases[i].is_viewport;
        is.is_clip = cases[i].is_clip;
        is.viewport = cases[i].viewport;
        is.clip = cases[i].clip;
        const struct renderer_state state = look(64, 48);
        if (memcmp(&state.viewport, &cases[i].viewport_pixels, sizeof state.viewport) != 0 ||
            memcmp(&state.target.clip, &cases[i].clip_pixels, sizeof state.target.clip) != 0 ||
            state.scale_x != cases[i].x || state.scale_y != cases[i].y)
            fail_msg("case %zu: viewport %d,%d %dx%d, clip %d,%d %dx%d", i, state.viewport.x, state.viewport.y,
                     state.viewport.width, state.viewport.height, state.target.clip.x, state.target.clip.y,
                     state.target.clip.width, state.target.clip.height);
    }
    usual(); /* getters that fail */
    is.logical_width = is.logical_height = is.logical_mode = 2;
    is.has_no_logical = true;
    is.place = (struct floats){1, 1, 4, 4};
    IS_RECT(look(64, 48).viewport, 0, 0, 64, 48);
    is.has_no_logical = false;
    is.has_no_place = true;
    IS_RECT(look(64, 48).viewport, 0, 0, 64, 48);
}

static void test_colours(void **context)
{
    static const struct {
        float red, green, blue, alpha, scale;
        uint32_t colour;
    } colours[] = {{0, 0, 0, 0, 1, 0},
                   {1, 1, 1, 1, 1, 0xffffffff},
                   {1, 0, 0, 0, 1, 0xff000000},
                   {0, 1, 0, 0, 1, 0x00ff0000},
                   {0, 0, 1, 0, 1, 0x0000ff00},
                   {0, 0, 0, 1, 1, 0x000000ff},
                   {2, -1, 0.5f, 3, 1, 0xff0080ff},
                   {1, 0.5f, 0.25f, 1, 0.5f, 0x804020ff},
                   {1, 0.5f, 0.25f, 0.5f, 2, 0xffff8080}};
    (void)context;
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        usual();
        is.red = colours[i].red;
        is.green = colours[i].green;
        is.blue = colours[i].blue;
        is.alpha = colours[i].alpha;
        is.colour_scale = colours[i].scale;
        is.mode = (int)i;
        const struct renderer_state state = look(64, 48);
        assert_int_equal(state.colour, colours[i].colour);
        assert_int_equal(state.mode, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_colours)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
