/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the LVGL program of the LiteX SoC (integration/litex/lvgl) finds the draw unit right where it is right and wrong
 * where it is not, and nothing travels where program and GPU share memory. Method: the program's scene with a stand-in
 * for LVGL on the golden model, whose system memory has the layer and the images in it, or has not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "lvgl_stand_in.h"
#include "scene.h"
#include "tessera.h"

enum { MEMORY = 8 << 20, OWN = 2 << 20, IMAGES_AT = 0x1000, SCREEN_AT = 0x20002, ROWS_AT = 0x80000, ROW_BYTES = 4096 };

static char said[2048];
static unsigned forgotten;
static uint32_t now;
static uint8_t *row_place; /* where the unit's rows of colour are taken from: NULL: anywhere */

static void say(const char *line)
{
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", line);
}

static uint32_t step_clock(void) { return now += 1000; }

static void note_forgotten(const void *from, size_t bytes)
{
    assert_non_null(from);
    assert_int_equal(bytes, OWN);
    forgotten++;
}

/* The unit's malloc, as on the SoC, where the heap lies in shared memory, too. */
void *scene_malloc(size_t bytes);
void scene_free(void *data);
void *scene_malloc(size_t bytes)
{
    assert_true(row_place == NULL || bytes <= ROW_BYTES);
    return row_place != NULL ? row_place : malloc(bytes);
}
void scene_free(void *data)
{
    if (data != row_place) free(data);
}

static unsigned is_put_off; /* ... and how often it was asked for */
static void put_off(bool is_so)
{
    assert_int_equal(is_put_off++ % 2, !is_so);
}

struct outcome {
    bool is_good;
    struct scene_page pages[SCENE_PAGES];
    struct lv_draw_tessera_counts counts;
};

/* `wrong`: bytes to add to where the program says that it lies. */
static struct outcome run(bool in_place, enum stand_in_fault fault, uint32_t least, uint32_t wrong)
{
    static uint16_t elsewhere[SCENE_PIXELS], expected[SCENE_PIXELS];
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    const struct tessera_options open_options = {.own_bytes = OWN};
    struct transport transport;
    struct outcome outcome = {0};
    char message[256];
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    uint8_t *own = device_engine(device)->system + MEMORY - OWN;
    device_transport(device, &transport);
    struct scene scene = {.memory = {own, OWN, MEMORY - OWN + wrong, note_forgotten},
                          .screen = in_place ? (uint16_t *)(void *)(own + SCREEN_AT) : elsewhere,
                          .expected = expected,
                          .least_pixels = least,
                          .clock = step_clock,
                          .say = say,
                          .put_off_layout = put_off};
    said[0] = 0;
    forgotten = 0;
    is_put_off = 0;
    row_place = in_place ? own + ROWS_AT : NULL;
    stand_in_images = in_place ? own + IMAGES_AT : NULL;
    assert_int_equal(tessera_open(&scene.gpu, &transport, &open_options, message), TESSERA_OK);
    stand_in_begin(fault);
    outcome.is_good = scene_run(&scene, outcome.pages);
    outcome.counts = lv_draw_tessera_counts();
    stand_in_begin(STAND_IN_GOOD);
    tessera_close(scene.gpu);
    return outcome;
}

/* Of the stand-in's pages: tasks, those that are opaque, those that are blended. */
static const uint32_t all[SCENE_PAGES] = {6, 3}, opaque[SCENE_PAGES] = {4, 1};
enum { ALL = 9, OPAQUE = 5 }; /* of both */

static void check_pages(const struct outcome *outcome)
{
    assert_true(outcome->is_good);
    for (unsigned i = 0; i < SCENE_PAGES; i++) {
        const struct scene_page *page = &outcome->pages[i];
        assert_int_equal(page->drawn[SCENE_SOFTWARE], 0);
        assert_int_equal(page->drawn[SCENE_OPAQUE], opaque[i]);
        assert_int_equal(page->drawn[SCENE_ALL], all[i]);
        assert_int_equal(page->blended, all[i] - opaque[i]);
        assert_int_equal(page->off[SCENE_OPAQUE], 0);
        assert_in_range(page->off[SCENE_ALL], 0, SCENE_BLENDED_LEVELS);
        for (unsigned way = 0; way < SCENE_WAYS; way++) assert_int_equal(page->cycles[way], 1000);
    }
    assert_int_equal(outcome->counts.fills + outcome->counts.images, ALL + OPAQUE);
    assert_int_equal(outcome->counts.failed, 0);
    assert_int_equal(is_put_off, 2);
}

static void test_in_place(void **state)
{
    (void)state;
    const struct outcome outcome = run(true, STAND_IN_GOOD, 0, 0);
    check_pages(&outcome);
    assert_int_equal(outcome.counts.in_place, ALL + OPAQUE);
    assert_int_equal(forgotten, ALL + OPAQUE);
    assert_int_equal(outcome.counts.bytes_in + outcome.counts.bytes_out, 0);
    assert_non_null(strstr(said, "LVGL has its widgets\npage 2: 1000 cycles in software, 1000 with 1 opaque tasks on the "
                                 "GPU, off by 0, 1000 with 3, 2 of them blended, off by "));
}

static void test_travelling(void **state)
{
    (void)state;
    const struct outcome outcome = run(false, STAND_IN_GOOD, 0, 0);
    check_pages(&outcome);
    assert_int_equal(outcome.counts.in_place, 0);
    assert_true(outcome.counts.bytes_in > 0 && outcome.counts.bytes_out > 0);
}

static void test_small_ones_are_left(void **state)
{
    (void)state;
    const struct outcome outcome = run(true, STAND_IN_GOOD, 26, 0);
    assert_true(outcome.is_good);
    assert_int_equal(outcome.pages[0].drawn[SCENE_ALL], 5);
    const struct outcome larger = run(true, STAND_IN_GOOD, 9000, 0);
    assert_int_equal(larger.pages[0].drawn[SCENE_ALL], 2);
    assert_int_equal(larger.pages[1].drawn[SCENE_ALL], 1);
}

static void test_wrong_pixels(void **state)
{
    (void)state;
    const struct outcome wrong = run(true, STAND_IN_OPAQUE, 0, 0);
    assert_false(wrong.is_good);
    assert_int_equal(wrong.pages[0].off[SCENE_OPAQUE], 1);
    const struct outcome blended = run(true, STAND_IN_BLENDED, 0, 0);
    assert_false(blended.is_good);
    assert_int_equal(blended.pages[0].off[SCENE_OPAQUE], 0);
    assert_true(blended.pages[0].off[SCENE_ALL] > SCENE_BLENDED_LEVELS);
}

/* A place that is not the program's is refused in words. */
static void test_wrong_place(void **state)
{
    (void)state;
    static const uint32_t wrong[] = {1, 4096, 0u - 4096u};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(run(true, STAND_IN_GOOD, 0, wrong[i]).is_good);
        assert_non_null(strstr(said, "are no whole pages of the program's own memory."));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_place), cmocka_unit_test(test_travelling),
                                       cmocka_unit_test(test_small_ones_are_left), cmocka_unit_test(test_wrong_pixels),
                                       cmocka_unit_test(test_wrong_place)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
