/* SPDX-License-Identifier: Apache-2.0
 *
 * LVGL on the processor of a LiteX system with Tessera. The program lies in the last LVGL_OWN_BYTES of the GPU's system
 * memory, so what LVGL draws onto and with is bound where it lies. Its last line is "client: done" or "client: failed".
 */
#include <stdbool.h>
#include <stdio.h>

#include <generated/soc.h>

#include "heap.h"
#include "lvgl.h"
#include "picture.h"
#include "scene.h"
#include "soc.h"
#include "tessera.h"

#ifndef LVGL_LEAST_PIXELS
#define LVGL_LEAST_PIXELS 0
#endif

static unsigned char heap[512 * 1024] SOC_NOT_CLEARED;
static uint16_t screen[SCENE_PIXELS] SOC_NOT_CLEARED, expected[SCENE_PIXELS] SOC_NOT_CLEARED;

/* The linker leads all calls of these here (tessera_litex.client). Two of the demo's three pages are left out: they are
 * not shown, and to make them takes longer than all else together. */
void __real_lv_obj_update_layout(const lv_obj_t *object);
void __wrap_lv_obj_update_layout(const lv_obj_t *object);
void __real_lv_obj_enable_style_refresh(bool is_enabled);
void __wrap_lv_obj_enable_style_refresh(bool is_enabled);
void __wrap_lv_demo_widgets_analytics_create(lv_obj_t *parent);
void __wrap_lv_demo_widgets_shop_create(lv_obj_t *parent);

static bool is_put_off;

void __wrap_lv_obj_update_layout(const lv_obj_t *object)
{
    if (!is_put_off) __real_lv_obj_update_layout(object);
}
void __wrap_lv_obj_enable_style_refresh(bool is_enabled)
{
    if (!is_put_off) __real_lv_obj_enable_style_refresh(is_enabled);
}
void __wrap_lv_demo_widgets_analytics_create(lv_obj_t *parent) { (void)parent; }
void __wrap_lv_demo_widgets_shop_create(lv_obj_t *parent) { (void)parent; }

static void put_off(bool is_so)
{
    if (is_so) __real_lv_obj_enable_style_refresh(false);
    is_put_off = is_so;
    if (!is_so) __real_lv_obj_enable_style_refresh(true);
}

static bool run(struct transport *transport)
{
    const struct tessera_options options = {.own_bytes = LVGL_OWN_BYTES};
    struct scene scene = {.screen = screen,
                          .expected = expected,
                          .memory = {.first = (void *)(TESSERA_SYSTEM_BASE + TESSERA_SYSTEM_BYTES - LVGL_OWN_BYTES),
                                     .bytes = LVGL_OWN_BYTES,
                                     .address = TESSERA_SYSTEM_BYTES - LVGL_OWN_BYTES,
                                     .forget = soc_forget},
                          .least_pixels = LVGL_LEAST_PIXELS,
                          .clock = soc_clock,
                          .say = soc_say,
                          .put_off = put_off};
    struct scene_page pages[SCENE_WAYS];
    char message[256];
    int status = tessera_open_image(&scene.gpu, transport, &options, client_firmware,
                                    (size_t)(client_firmware_end - client_firmware), message);
    if (status != TESSERA_OK) {
        soc_say(message);
        return false;
    }
    soc_say("the GPU's firmware runs");
    return scene_run(&scene, pages);
}

int main(void)
{
    static struct transport transport;
    char line[64];
    soc_say("client: begins");
    soc_hide();
    soc_clock_begin();
    heap_give(heap, sizeof heap);
    soc_transport(&transport);
    const bool is_good = run(&transport);
    soc_show((uint32_t)(uintptr_t)screen);
    snprintf(line, sizeof line, "picture: %d x %d, CRC %08x", SCENE_WIDTH, SCENE_HEIGHT,
             (unsigned)picture_crc((const uint8_t *)screen, sizeof screen));
    soc_say(line);
    soc_say(is_good ? "client: done" : "client: failed");
    return 0;
}
