/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a frame that the display refuses changes nothing, and can be presented and read. Method: a screen larger than
 * local memory, and one without a mode, on the golden model. What the display shows is test_live_gpu's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "device.h"
#include "clients/sdl/play/play_gpu_internal.h"

enum { SMALL, SCREEN, COLUMNS = 640, ROWS = 480, UNIT = 0x1234, PAGES = 16 };

/* Nothing watches. */
void view_reason(struct view *view, uint32_t handle, uint32_t reason)
{
    (void)handle, (void)reason;
    assert_null(view);
}
void view_surface(struct view *view, uint32_t handle, const struct view_surface *surface)
{
    (void)handle, (void)surface;
    assert_null(view);
}
void view_name(struct view *view, uint32_t handle, const char *name)
{
    (void)handle, (void)name;
    assert_null(view);
}

static void create(struct play_gpu *gpu, uint32_t surface, enum recording_format format, uint32_t columns,
                   uint32_t rows)
{
    const struct recording_rect all = {0, 0, columns, rows};
    struct recording_event event = {.kind = RECORDING_SURFACE, .surface = surface, .format = format, .rect = all};
    assert_int_equal(play_gpu_event(gpu, &event), TESSERA_OK);
    event.kind = RECORDING_FILL;
    event.unit = UNIT;
    assert_int_equal(play_gpu_event(gpu, &event), TESSERA_OK);
}

static void test_refused(void **state)
{
    const struct device_options device_options = {.has_display = true};
    const struct tessera_options options = {.segment1_pages = 4, .segment2_pages = PAGES - 4};
    const uint8_t *pixels = NULL;
    struct transport transport;
    struct tessera *tessera;
    struct play_work work;
    char message[256];
    uint64_t middle;
    (void)state;
    struct device *device = device_create(&device_options, message);
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &options, message), TESSERA_OK);
    struct play_gpu *gpu = play_gpu_create(PAGES, true);
    assert_non_null(gpu);
    assert_int_equal(play_gpu_enter(gpu, tessera), TESSERA_OK);
    create(gpu, SMALL, RECORDING_XRGB8888, 160, 120);
    create(gpu, SCREEN, RECORDING_RGB565, COLUMNS, ROWS);
    assert_int_equal(play_gpu_begin(gpu), TESSERA_OK);
    assert_int_equal(play_gpu_mode(gpu, SMALL), TESSERA_DISPLAY_OFF);
    assert_int_equal(play_gpu_flip(gpu, SMALL, &work, &middle), TESSERA_MISUSE);
    assert_int_equal(play_gpu_mode(gpu, SCREEN), TESSERA_DISPLAY_VGA);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(play_gpu_flip(gpu, SCREEN, &work, &middle), TESSERA_STATUS_NO_SEGMENT);
        assert_int_equal(play_gpu_presented(gpu), 0);
        assert_int_equal(play_gpu_counts(gpu)->flips, 0);
    }
    assert_int_equal(play_gpu_present(gpu, SCREEN), TESSERA_OK);
    assert_int_equal(play_gpu_flip(gpu, SCREEN, &work, &middle), TESSERA_MISUSE); /* a frame is left to take */
    assert_int_equal(play_gpu_take(gpu, &pixels, &work), TESSERA_OK);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) assert_int_equal(pixels[2u * i] | pixels[2u * i + 1u] << 8, UNIT);
    assert_int_equal(play_gpu_leave(gpu), TESSERA_OK);
    assert_int_equal(gpu->allocation_count, 0);
    play_gpu_destroy(gpu);
    tessera_close(tessera);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", 1 - failed, failed);
    return failed != 0;
}
