/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what is said of the pixels that are shown is so (play_origin.h): drawn by the GPU, finished by the host, never
 * written. Method: recordings of a few operations on surfaces of 8 x 4, of each the pixels counted by hand; then random
 * operations against a model that holds an origin and a colour for every pixel and knows no rectangle.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "clients/sdl/play/play_origin.h"

enum { WIDTH = 8, HEIGHT = 4, ALL = WIDTH * HEIGHT, SCREEN = 0, SPRITE = 7 };

static struct play_origin *origin;
static uint8_t units[ALL * 4];

static void does(const struct recording_event *event) { assert_true(play_origin_event(origin, event, true)); }

static void surface(uint32_t id, enum recording_format format)
{
    does(&(struct recording_event){
        .kind = RECORDING_SURFACE, .surface = id, .format = format, .rect = {0, 0, WIDTH, HEIGHT}});
}

static void pixels(uint32_t id, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    does(&(struct recording_event){
        .kind = RECORDING_PIXELS, .surface = id, .rect = {x, y, width, height}, .pixels = units});
}

static void fills(uint32_t id, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t unit)
{
    does(&(struct recording_event){.kind = RECORDING_FILL, .surface = id, .rect = {x, y, width, height}, .unit = unit});
}

static struct recording_event blit_of(enum recording_mode mode)
{
    return (struct recording_event){.kind = RECORDING_BLIT,
                                    .surface = SCREEN,
                                    .source = SPRITE,
                                    .rect = {0, 0, WIDTH, HEIGHT},
                                    .mode = mode,
                                    .alpha = 255,
                                    .colour = RECORDING_WHITE};
}

static void present(void) { does(&(struct recording_event){.kind = RECORDING_PRESENT, .surface = SCREEN}); }

static void shows(uint64_t drawn, uint64_t host, uint64_t nothing)
{
    struct play_shown now = play_origin_shown(origin);
    static struct play_shown last;
    if (now.frames == 1) memset(&last, 0, sizeof last);
    assert_int_equal(now.pixels - last.pixels, drawn + host + nothing);
    assert_int_equal(now.drawn - last.drawn, drawn);
    assert_int_equal(now.host - last.host, host);
    assert_int_equal(now.nothing - last.nothing, nothing);
    last = now;
}

static int begin(void **state)
{
    (void)state;
    origin = play_origin_create();
    surface(SCREEN, RECORDING_XRGB8888);
    surface(SPRITE, RECORDING_XRGB8888);
    for (uint32_t i = 0; i < ALL; i++) memcpy(units + 4 * i, &(uint32_t){0xff000000u | (i % 3 == 0 ? 5 : 9)}, 4);
    return origin == NULL;
}

static int end(void **state)
{
    (void)state;
    play_origin_destroy(origin);
    return 0;
}

static void test_simple(void **state)
{
    (void)state;
    present();
    shows(0, 0, ALL);
    pixels(SCREEN, 1, 1, 3, 2);
    present();
    shows(0, 6, ALL - 6);
    fills(SCREEN, 0, 0, 2, HEIGHT, 1);
    present();
    shows(8, 4, ALL - 12);
    present();
    shows(8, 4, ALL - 12);
    assert_int_equal(play_origin_shown(origin).frames, 4);
    assert_int_equal(play_origin_shown(origin).frames_without, 3);
}

/* A frame that the program draws elsewhere and copies is its own; a picture that it loaded before is the GPU's. */
static void test_copies(void **state)
{
    (void)state;
    struct recording_event copy = blit_of(RECORDING_COPY);
    pixels(SPRITE, 0, 0, WIDTH, HEIGHT);
    does(&copy);
    present();
    shows(0, ALL, 0);
    does(&copy);
    present();
    shows(ALL, 0, 0);
    pixels(SPRITE, 2, 1, 3, 1);
    does(&copy);
    present();
    shows(ALL - 3, 3, 0);
    pixels(SPRITE, 0, 0, WIDTH, HEIGHT);
    copy.alpha = 254;
    does(&copy);
    present();
    shows(ALL, 0, 0);
    pixels(SPRITE, 0, 0, WIDTH, HEIGHT);
    copy = blit_of(RECORDING_BLEND);
    does(&copy);
    present();
    shows(ALL, 0, 0);
}

static void test_keys(void **state)
{
    (void)state;
    struct recording_event keyed = blit_of(RECORDING_KEY);
    keyed.key = 0x77000005u; /* the unused byte does not count */
    pixels(SPRITE, 0, 0, WIDTH, HEIGHT);
    pixels(SCREEN, 0, 0, WIDTH, HEIGHT);
    present();
    shows(0, ALL, 0);
    does(&keyed); /* each third pixel of the sprite is left out: 11 of 32 */
    present();
    shows(ALL - 11, 11, 0);
    fills(SCREEN, 0, 0, WIDTH, HEIGHT, 0);
    pixels(SCREEN, 0, 0, WIDTH, HEIGHT);
    keyed.mode = RECORDING_KEYED_BLEND;
    keyed.alpha = 100;
    does(&keyed);
    present();
    shows(ALL - 11, 11, 0);
    fills(SPRITE, 0, 0, WIDTH, HEIGHT, 0xff000005u); /* a fill is known, too */
    pixels(SCREEN, 0, 0, WIDTH, HEIGHT);
    does(&keyed);
    present();
    shows(0, ALL, 0);
    struct recording_event into = blit_of(RECORDING_COPY); /* what is in the sprite now is not */
    into.surface = SPRITE;
    into.source = SCREEN;
    does(&into);
    does(&keyed);
    present();
    shows(ALL, 0, 0);
}

/* Of a surface onto itself, each way: what is moved is as it was before. */
static void test_itself(void **state)
{
    (void)state;
    const int32_t ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {2, 1}, {-2, -1}, {2, -1}, {-2, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct recording_event move = blit_of(RECORDING_COPY);
        fills(SCREEN, 0, 0, WIDTH, HEIGHT, 0);
        present();
        pixels(SCREEN, 3, 2, 1, 1);
        uint32_t from_x = ways[i][0] < 0 ? 2u : 0, from_y = ways[i][1] < 0 ? 1u : 0;
        move.source = SCREEN;
        move.source_x = from_x;
        move.source_y = from_y;
        move.rect = (struct recording_rect){(uint32_t)((int32_t)from_x + ways[i][0]),
                                            (uint32_t)((int32_t)from_y + ways[i][1]), WIDTH - 2, HEIGHT - 1};
        bool covers_old = 3 >= move.rect.x && 3 < move.rect.x + move.rect.width && 2 >= move.rect.y &&
                          2 < move.rect.y + move.rect.height;
        bool takes = 3 >= from_x && 3 < from_x + WIDTH - 2 && 2 >= from_y && 2 < from_y + HEIGHT - 1;
        struct play_shown before = play_origin_shown(origin);
        does(&move);
        present();
        struct play_shown after = play_origin_shown(origin);
        assert_int_equal(after.host - before.host, (takes ? 1 : 0) + (covers_old ? 0 : 1));
    }
}

static void test_what_counts(void **state)
{
    (void)state;
    const struct recording_event show = {.kind = RECORDING_PRESENT, .surface = SCREEN},
                                 left = {.kind = RECORDING_LEFT, .reason = REASON_ODD, .blits = 3},
                                 gone = {.kind = RECORDING_FREE, .surface = SPRITE};
    fills(SCREEN, 0, 0, WIDTH, HEIGHT, 0);
    assert_true(play_origin_event(origin, &show, false));
    assert_int_equal(play_origin_shown(origin).pixels, 0);
    does(&left);
    does(&gone);
    surface(SPRITE, RECORDING_RGB565);
    present();
    assert_int_equal(play_origin_shown(origin).drawn, ALL);
    assert_int_equal(play_origin_shown(origin).frames_without, 1);
    assert_int_equal(play_origin_shown(NULL).pixels, 0);
    play_origin_destroy(NULL);
}

/* ------------------------------------------------------------------ against a model */

enum { ROUNDS = 4000 };
static uint32_t seed = 1;
static uint32_t pick(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

/* 0 nothing, 1 host, 2 host in this frame, 3 GPU; the colour, ~0: not known. */
static struct {
    uint8_t origin[ALL];
    uint32_t colour[ALL];
} model[2];

static void model_blit(const struct recording_event *event)
{
    static uint8_t origins[ALL];
    uint32_t from = event->source == SPRITE, to = event->surface == SPRITE;
    bool is_known = true;
    memcpy(origins, model[from].origin, ALL);
    for (uint32_t i = 0; i < ALL; i++) is_known = is_known && model[from].colour[i] != UINT32_MAX;
    for (uint32_t y = 0; y < event->rect.height; y++) {
        for (uint32_t x = 0; x < event->rect.width; x++) {
            uint32_t s = (event->source_y + y) * WIDTH + event->source_x + x;
            if (event->map.width != 0) {
                int32_t u = event->map.u + (int32_t)x * event->map.u_x + (int32_t)y * event->map.u_y;
                int32_t v = event->map.v + (int32_t)x * event->map.v_x + (int32_t)y * event->map.v_y;
                s = (event->source_y + (uint32_t)(v / 65536)) * WIDTH + event->source_x + (uint32_t)(u / 65536);
            }
            uint32_t t = (event->rect.y + y) * WIDTH + event->rect.x + x;
            bool is_out = recording_is_keyed(event->mode) && is_known && model[from].colour[s] == event->key;
            bool is_plain = recording_unkeyed(event->mode) == RECORDING_COPY && event->alpha == 255;
            if (!is_out) model[to].origin[t] = is_plain && origins[s] == 2 ? 2 : 3;
        }
    }
    memset(model[to].colour, 0xff, sizeof model[to].colour);
}

static struct recording_rect some_rect(void)
{
    struct recording_rect rect = {pick(WIDTH), pick(HEIGHT), 0, 0};
    rect.width = 1 + pick(WIDTH - rect.x);
    rect.height = 1 + pick(HEIGHT - rect.y);
    return rect;
}

static void random_blit(void)
{
    static const enum recording_mode modes[] = {RECORDING_COPY, RECORDING_KEY, RECORDING_KEYED_BLEND, RECORDING_ADD};
    struct recording_event event = blit_of(modes[pick(4)]);
    event.surface = pick(2) ? SCREEN : SPRITE;
    event.source = pick(3) ? SPRITE : SCREEN;
    if (event.surface == event.source) event.mode = RECORDING_COPY;
    else event.alpha = pick(3) ? 255 : 100;
    event.rect = some_rect();
    event.source_x = pick(WIDTH - event.rect.width + 1);
    event.source_y = pick(HEIGHT - event.rect.height + 1);
    event.key = pick(2) ? 5 : 9;
    if (event.surface != event.source && pick(3) == 0) { /* mirrored, and by a quarter turn */
        struct recording_rect part = some_rect();
        int32_t across = (int32_t)(part.width << 16), down = (int32_t)(part.height << 16);
        int32_t columns = (int32_t)event.rect.width, rows = (int32_t)event.rect.height;
        event.source_x = part.x;
        event.source_y = part.y;
        if (pick(2) == 0)
            event.map = (struct recording_map){part.width, part.height, across - 1,  0,    -across / columns,
                                               0,          0,           down / rows, false};
        else
            event.map =
                (struct recording_map){part.width, part.height, 0, 0, 0, down / columns, across / rows, 0, false};
    }
    does(&event);
    model_blit(&event);
}

static void random_write(bool is_fill)
{
    uint32_t id = pick(2) ? SCREEN : SPRITE, m = id == SPRITE, unit = pick(2) ? 5 : 9;
    struct recording_rect rect = some_rect();
    if (is_fill) fills(id, rect.x, rect.y, rect.width, rect.height, 0xff000000u | unit);
    else pixels(id, rect.x, rect.y, rect.width, rect.height);
    bool is_known = true;
    for (uint32_t i = 0; i < ALL; i++) is_known = is_known && model[m].colour[i] != UINT32_MAX;
    for (uint32_t y = 0; y < rect.height; y++) {
        for (uint32_t x = 0; x < rect.width; x++) {
            uint32_t at = (rect.y + y) * WIDTH + rect.x + x, colour = (y * rect.width + x) % 3 == 0 ? 5 : 9;
            model[m].origin[at] = is_fill ? 3 : 2;
            if (is_known) model[m].colour[at] = is_fill ? unit : colour;
        }
    }
}

static void random_present(void)
{
    struct play_shown before = play_origin_shown(origin);
    uint64_t of[4] = {0};
    for (uint32_t i = 0; i < ALL; i++) of[model[0].origin[i]]++;
    for (uint32_t m = 0; m < 2; m++)
        for (uint32_t i = 0; i < ALL; i++)
            if (model[m].origin[i] == 2) model[m].origin[i] = 1;
    present();
    struct play_shown after = play_origin_shown(origin);
    assert_int_equal(after.drawn - before.drawn, of[3]);
    assert_int_equal(after.host - before.host, of[1] + of[2]);
    assert_int_equal(after.nothing - before.nothing, of[0]);
}

static void test_random(void **state)
{
    (void)state;
    memset(model, 0, sizeof model);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t what = pick(10);
        if (what < 3) random_present();
        else if (what < 6) random_write(what == 3);
        else if (what < 9) random_blit();
        else { /* a new surface, whose pixels are known again */
            does(&(struct recording_event){.kind = RECORDING_FREE, .surface = SPRITE});
            surface(SPRITE, RECORDING_XRGB8888);
            memset(&model[1], 0, sizeof model[1]);
        }
    }
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, begin, end)

/* Each pixel of the host's has the reason of the PIXELS that wrote it last, also through copies; their sum is all. */
static void test_reasons(void **state)
{
    static const enum recording_reason reasons[] = {REASON_PROGRAM, REASON_FIRST, REASON_COLOURS, REASON_TRIANGLE};
    struct recording_event copy = blit_of(RECORDING_COPY);
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        does(&(struct recording_event){.kind = RECORDING_PIXELS,
                                       .surface = i == 3 ? SCREEN : SPRITE,
                                       .rect = {0, 0, WIDTH - 2 * i, HEIGHT},
                                       .reason = reasons[i],
                                       .pixels = units});
    copy.rect.width = WIDTH - 1;
    copy.source_x = 1;
    copy.rect.height = HEIGHT - 1;
    does(&copy); /* columns 0 to 6 of the upper rows: 3 of COLOURS, 2 of FIRST, 2 of PROGRAM; below 2 of TRIANGLE */
    fills(SCREEN, 0, 0, 1, 1, 5);
    for (uint64_t frame = 1; frame < 3; frame++) {
        present();
        const struct play_shown now = play_origin_shown(origin);
        assert_int_equal(now.finished[REASON_PROGRAM], frame * 6);
        assert_int_equal(now.finished[REASON_FIRST], frame * 6);
        assert_int_equal(now.finished[REASON_COLOURS], frame * 8);
        assert_int_equal(now.finished[REASON_TRIANGLE], frame * 2);
        assert_int_equal(now.host, frame * 22);
        assert_int_equal(now.drawn, frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(test_simple),      WITH(test_copies), WITH(test_keys),    WITH(test_itself),
        WITH(test_what_counts), WITH(test_random), WITH(test_reasons),
    };
    int wrong = cmocka_run_group_tests(tests, NULL, NULL), count = (int)(sizeof tests / sizeof *tests);
    print_message("%d passed, %d failed\n", count - wrong, wrong);
    return wrong != 0;
}
