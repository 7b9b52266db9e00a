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

/* The linker leads all calls here (lvgl.py). */
void __real_lv_obj_update_layout(const lv_obj_t *object);
void __wrap_lv_obj_update_layout(const lv_obj_t *object);
static bool is_put_off;
void __wrap_lv_obj_update_layout(const lv_obj_t *object)
{
    if (!is_put_off) __real_lv_obj_update_layout(object);
}
static void put_off_layout(bool is_so) { is_put_off = is_so; }

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
                          .put_off_layout = put_off_layout};
    struct scene_page pages[SCENE_PAGES];
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
