/* SPDX-License-Identifier: Apache-2.0
 *
 * An LVGL display on the device's display (docs/display.md): each refresh becomes a flip, so no half drawn picture is
 * seen. It works with each of LVGL's render modes.
 *
 *   partial   the GPU copies each part that LVGL flushes onto the surface that is shown next
 *   direct    it copies the areas that have changed
 *   full      it copies the whole picture
 *
 * Two surfaces in local memory take turns. What changed in the refresh before is copied from the one that is shown. The
 * flip is queued with the last area of a refresh. LVGL goes on at once: the device makes the flip after the copy, at
 * the next vertical blank. The next refresh waits until the flip before is shown.
 */
#ifndef LV_TESSERA_DISPLAY_H
#define LV_TESSERA_DISPLAY_H

#include "clients/lvgl/lv_draw_tessera.h"
#include "lvgl.h"

struct lv_tessera_display_counts {
    uint32_t flips, areas, failed; /* refreshes shown; areas copied for them; calls of the device that failed */
    uint32_t repeated;             /* areas that were copied from the surface shown before */
};

/* After lv_draw_tessera_init, and lv_draw_tessera_share if LVGL's buffers lie in shared memory; else the areas travel.
 * The display has the size of a mode (640 x 480, 800 x 600, 1024 x 768, 1280 x 720) and the format RGB565, XRGB8888 or
 * ARGB8888, whose alpha is not looked at. The program still sets draw buffers and render mode. One display at a time:
 * TESSERA_MISUSE, as for another size or format. Other statuses are as of tessera_set_mode. */
int lv_tessera_display_begin(lv_display_t *display);
/* Before lv_draw_tessera_deinit: the device's display is off, and the surfaces are given back. */
void lv_tessera_display_end(void);
struct lv_tessera_display_counts lv_tessera_display_counts(void);

#endif
