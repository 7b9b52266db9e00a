/* SPDX-License-Identifier: Apache-2.0
 *
 * The LVGL draw unit in a real LVGL (make lvgl-run LVGL_DIR=...): a page of fills and images, opaque and blended, is
 * drawn by LVGL's own software renderer and then by the unit on the golden model. Both pictures must be alike: exactly
 * where nothing is blended, within two levels of a channel where something is: LVGL mixes RGB565 by 5 bits of alpha.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "lvgl/lv_draw_tessera.h"
#include "lvgl.h"
#include "tessera.h"

enum { WIDTH = 160, HEIGHT = 120, SIDE = 40, BLENDED_FROM = 60 /* the row where blends begin */ };

static uint16_t screen[WIDTH * HEIGHT];
static uint16_t image_565[SIDE * SIDE];
static uint32_t image_8888[SIDE * SIDE];

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    (void)area;
    (void)pixels;
    lv_display_flush_ready(display);
}

static void place(lv_obj_t *object, int x, int y)
{
    lv_obj_remove_style_all(object);
    lv_obj_set_pos(object, x, y);
    lv_obj_set_size(object, SIDE, SIDE);
}

static void add_fill(int x, int y, uint32_t colour, lv_opa_t opacity)
{
    lv_obj_t *object = lv_obj_create(lv_screen_active());
    place(object, x, y);
    lv_obj_set_style_bg_color(object, lv_color_hex(colour), 0);
    lv_obj_set_style_bg_opa(object, opacity, 0);
}

static void add_image(int x, int y, const lv_image_dsc_t *source, lv_opa_t opacity)
{
    lv_obj_t *object = lv_image_create(lv_screen_active());
    place(object, x, y);
    lv_image_set_src(object, source);
    lv_obj_set_style_image_opa(object, opacity, 0);
}

static lv_image_dsc_t picture(lv_color_format_t format, uint32_t bytes, const void *pixels)
{
    lv_image_dsc_t result;
    memset(&result, 0, sizeof result);
    result.header.magic = LV_IMAGE_HEADER_MAGIC;
    result.header.cf = format;
    result.header.w = SIDE;
    result.header.h = SIDE;
    result.header.stride = SIDE * bytes;
    result.data_size = SIDE * SIDE * bytes;
    result.data = pixels;
    return result;
}

static int level(uint16_t a, uint16_t b, int low, int bits)
{
    int mask = (1 << bits) - 1;
    return abs((a >> low & mask) - (b >> low & mask));
}

static int difference(uint16_t a, uint16_t b)
{
    int red = level(a, b, 11, 5), green = level(a, b, 5, 6), blue = level(a, b, 0, 5);
    return red > green ? (red > blue ? red : blue) : green > blue ? green : blue;
}

int main(void)
{
    static uint16_t expected[WIDTH * HEIGHT];
    const struct device_options options = {.seed = 1};
    const struct tessera_options open_options = {0};
    struct transport transport;
    struct tessera *tessera;
    char message[256];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        image_565[i] = (uint16_t)(i * 2654435761u >> 12);
        image_8888[i] = i * 2246822519u;
    }
    lv_init();
    lv_display_t *display = lv_display_create(WIDTH, HEIGHT);
    lv_display_set_color_format(display, LV_COLOR_FORMAT_RGB565);
    lv_display_set_buffers(display, screen, NULL, sizeof screen, LV_DISPLAY_RENDER_MODE_FULL);
    lv_display_set_flush_cb(display, flush);
    lv_obj_remove_style_all(lv_screen_active());
    lv_obj_set_style_bg_color(lv_screen_active(), lv_color_hex(0x204060), 0);
    lv_obj_set_style_bg_opa(lv_screen_active(), LV_OPA_COVER, 0);
    const lv_image_dsc_t plain = picture(LV_COLOR_FORMAT_RGB565, 2, image_565);
    const lv_image_dsc_t alpha = picture(LV_COLOR_FORMAT_ARGB8888, 4, image_8888);
    add_fill(10, 10, 0xc83791, LV_OPA_COVER);
    add_image(60, 12, &plain, LV_OPA_COVER);
    add_image(-15, 15, &plain, LV_OPA_COVER); /* clipped by the screen */
    add_fill(10, 65, 0x10f080, LV_OPA_50);
    add_image(60, 66, &plain, LV_OPA_70);
    add_image(110, 70, &alpha, LV_OPA_COVER);
    lv_refr_now(display);
    memcpy(expected, screen, sizeof screen);

    struct device *device = device_create(&options, message);
    if (device == NULL) return 1;
    device_transport(device, &transport);
    if (tessera_open(&tessera, &transport, &open_options, message) != TESSERA_OK ||
        lv_draw_tessera_init(tessera) != TESSERA_OK) {
        printf("%s\n", message);
        return 1;
    }
    memset(screen, 0, sizeof screen);
    lv_obj_invalidate(lv_screen_active());
    lv_refr_now(display);

    int opaque = 0, blended = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int *largest = i / WIDTH < BLENDED_FROM ? &opaque : &blended, found = difference(screen[i], expected[i]);
        if (found > *largest) *largest = found;
    }
    struct lv_draw_tessera_counts counts = lv_draw_tessera_counts();
    lv_draw_tessera_deinit();
    tessera_close(tessera);
    printf("LVGL %d.%d.%d: %u fills, %u images, %u failed; off by %d where opaque, by %d where blended\n",
           LVGL_VERSION_MAJOR, LVGL_VERSION_MINOR, LVGL_VERSION_PATCH, (unsigned)counts.fills, (unsigned)counts.images,
           (unsigned)counts.failed, opaque, blended);
    return counts.fills != 3 || counts.images != 4 || counts.failed != 0 || opaque != 0 || blended > 2;
}
