/* SPDX-License-Identifier: Apache-2.0
 *
 * lvgl FILE: a program of one's own with LVGL, drawn by the golden model. A card with a button lies on a screen; what
 * LVGL shows is written as a PPM file. docs/lvgl.md says how it is built.
 */
#include <stdio.h>
#include <tessera_device.h>

#include "lvgl.h"
#include "clients/lvgl/lv_draw_tessera.h"

enum { WIDTH = 320, HEIGHT = 240, OWN = 4 << 20 };

static uint32_t no_time(void) { return 0; }

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    (void)area;   /* the GPU has drawn it, at `pixels`; */
    (void)pixels; /* a panel would be sent it, or scans it out from there */
    lv_display_flush_ready(display);
}

static void make_page(void)
{
    lv_obj_t *card = lv_obj_create(lv_screen_active()), *button = lv_button_create(card);
    lv_obj_set_size(card, 240, 160);
    lv_obj_center(card);
    lv_obj_center(button);
    lv_label_set_text(lv_label_create(button), "Drawn by Tessera");
}

static int write_ppm(const char *name, const uint8_t *pixels)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL) return 1;
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++, pixels += 4) fprintf(file, "%c%c%c", pixels[2], pixels[1], pixels[0]);
    return fclose(file);
}

int main(int argc, char **argv)
{
    const struct tessera_options options = {.own_bytes = OWN};
    char message[256] = "usage: lvgl FILE";
    struct tessera *gpu = NULL;
    lv_init();
    lv_tick_set_cb(no_time);
    if (argc != 2 || tessera_open_device(&gpu, "model", NULL, &options, message) != 0 || lv_draw_tessera_init(gpu) != 0)
        return fprintf(stderr, "lvgl: %s\n", message), 2;
    const uint32_t place = tessera_transport(gpu)->memory_bytes - OWN;
    const struct lv_draw_tessera_memory memory = {
        .first = (uint8_t *)tessera_device_memory(gpu) + place, .bytes = OWN, .address = place, .is_free = true};
    if (lv_draw_tessera_share(&memory) != 0) return fprintf(stderr, "lvgl: %s\n", tessera_message(gpu)), 2;
    lv_draw_buf_t *buffer = lv_draw_buf_create(WIDTH, HEIGHT, LV_COLOR_FORMAT_XRGB8888, 0); /* lies in `memory` */
    lv_display_t *display = lv_display_create(WIDTH, HEIGHT);
    lv_display_set_color_format(display, LV_COLOR_FORMAT_XRGB8888);
    lv_display_set_draw_buffers(display, buffer, NULL);
    lv_display_set_render_mode(display, LV_DISPLAY_RENDER_MODE_DIRECT);
    lv_display_set_flush_cb(display, flush);
    make_page();
    lv_refr_now(display);
    const int result = write_ppm(argv[1], buffer->data);
    const struct lv_draw_tessera_counts counts = lv_draw_tessera_counts();
    printf("%u fills, %u borders, %u labels in %u DMA buffers; %u bytes sent, %u fetched\n", counts.fills,
           counts.borders, counts.labels, counts.submissions, (unsigned)counts.bytes_in, (unsigned)counts.bytes_out);
    lv_draw_tessera_deinit();
    tessera_close(gpu);
    return result;
}
