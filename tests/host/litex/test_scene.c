/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the LVGL program of the LiteX SoC (integration/litex/lvgl) finds the draw unit right where it is right and
 * wrong where it is not, and nothing travels where program and GPU share memory. Method: the program's scene with a
 * stand-in for LVGL on the golden model, whose system memory has the layer and the images in it, or has not.
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

enum {
    MEMORY = 8 << 20,
    OWN = 2 << 20,
    IMAGES_AT = 0x1000,
    SCREEN_AT = 0x20002,
    MASKS_AT = 0x80000,
    MASK_BYTES = 1 << 17
};

static char said[2048];
static unsigned forgotten;
static uint32_t now;
static uint8_t *mask_place; /* where the unit's masks lie; NULL: anywhere */

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
    assert_true(mask_place == NULL || bytes <= MASK_BYTES);
    return mask_place != NULL ? mask_place : malloc(bytes);
}
void scene_free(void *data)
{
    if (data != mask_place) free(data);
}

static unsigned is_put_off; /* ... and how often it was asked for */
static void put_off(bool is_so) { assert_int_equal(is_put_off++ % 2, !is_so); }

struct outcome {
    bool is_good;
    struct scene_page pages[SCENE_WAYS];
    struct lv_draw_tessera_counts counts;
    uint32_t drawn_by_lvgl;
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
                          .put_off = put_off};
    said[0] = 0;
    forgotten = 0;
    is_put_off = 0;
    mask_place = in_place ? own + MASKS_AT : NULL;
    stand_in_images = in_place ? own + IMAGES_AT : NULL;
    assert_int_equal(tessera_open(&scene.gpu, &transport, &open_options, message), TESSERA_OK);
    stand_in_begin(fault);
    outcome.is_good = scene_run(&scene, outcome.pages);
    outcome.counts = lv_draw_tessera_counts();
    outcome.drawn_by_lvgl = stand_in_drawn;
    stand_in_begin(STAND_IN_GOOD);
    tessera_close(scene.gpu);
    return outcome;
}

/* Of the stand-in's first page: tasks, and those of them that are opaque. */
enum { ALL = 6, OPAQUE = 4 };

static void check_pages(const struct outcome *outcome)
{
    const struct scene_page *pages = outcome->pages;
    assert_true(outcome->is_good);
    assert_int_equal(pages[SCENE_SOFTWARE].drawn, 0);
    assert_int_equal(pages[SCENE_ALL].drawn, ALL);
    assert_int_equal(pages[SCENE_ALL].blended, ALL - OPAQUE);
    assert_in_range(pages[SCENE_ALL].off, 0, SCENE_BLENDED_LEVELS);
    assert_int_equal(pages[SCENE_OPAQUE].drawn, OPAQUE);
    assert_int_equal(pages[SCENE_OPAQUE].blended, 0);
    assert_int_equal(pages[SCENE_OPAQUE].off, 0);
    for (unsigned way = 0; way < SCENE_WAYS; way++) assert_int_equal(pages[way].cycles, 1000);
    assert_int_equal(outcome->counts.fills + outcome->counts.images, ALL + OPAQUE);
    assert_int_equal(outcome->counts.failed, 0);
    assert_int_equal(is_put_off, 2);
    assert_int_equal(outcome->drawn_by_lvgl, 2 * ALL - OPAQUE);
}

static void test_in_place(void **state)
{
    (void)state;
    const struct outcome outcome = run(true, STAND_IN_GOOD, 0, 0);
    check_pages(&outcome);
    assert_int_equal(outcome.counts.in_place, ALL + OPAQUE);
    assert_int_equal(forgotten, outcome.counts.submissions);
    assert_in_range(outcome.counts.submissions, 2, ALL + OPAQUE);
    assert_int_equal(outcome.counts.bytes_in + outcome.counts.bytes_out, 0);
    assert_non_null(strstr(said, "page in software: 1000 cycles, 0 tasks on the GPU, 0 of them blended, off by 0\n"
                                 "page with the GPU: 1000 cycles, 6 tasks on the GPU, 2 of them blended, off by "));
    assert_non_null(strstr(said, "where opaque: 1000 cycles, 4 tasks on the GPU, 0 of them blended, off by 0\n"));
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
    assert_int_equal(outcome.pages[SCENE_ALL].drawn, 5);
    assert_int_equal(run(true, STAND_IN_GOOD, 9000, 0).pages[SCENE_ALL].drawn, 2);
}

static void test_wrong_pixels(void **state)
{
    (void)state;
    const struct outcome wrong = run(true, STAND_IN_OPAQUE, 0, 0);
    assert_false(wrong.is_good);
    assert_int_equal(wrong.pages[SCENE_OPAQUE].off, 1);
    const struct outcome blended = run(true, STAND_IN_BLENDED, 0, 0);
    assert_false(blended.is_good);
    assert_int_equal(blended.pages[SCENE_OPAQUE].off, 0);
    assert_true(blended.pages[SCENE_ALL].off > SCENE_BLENDED_LEVELS);
}

/* A place that is not the program's is refused in words. */
static void test_wrong_place(void **state)
{
    (void)state;
    static const uint32_t wrong[] = {1, 4096, 0u - 4096u};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct outcome outcome = run(true, STAND_IN_GOOD, 0, wrong[i]);
        assert_false(outcome.is_good);
        assert_int_equal(outcome.drawn_by_lvgl, 0);
        assert_non_null(strstr(said, "are not whole pages of the program's own memory (own_bytes)."));
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
