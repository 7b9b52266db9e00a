/* SPDX-License-Identifier: Apache-2.0
 *
 * An LVGL draw unit that draws on Tessera through libtessera. It is compiled against the user's own LVGL (9.2 to 9.6;
 * make lvgl LVGL_DIR=...), into the user's own program:
 *
 *   lv_init(); tessera_open(&tessera, ...); lv_draw_tessera_init(tessera); ... lv_draw_tessera_deinit();
 *
 * It takes what LVGL's DMA2D unit takes, and premultiplied images: fills without radius and gradient, images without
 * transformation, mask, recolouring or tiling, onto layers of RGB565, RGB888, XRGB8888 and ARGB8888. Everything else
 * is left to the other units.
 *
 * Layers and images lie in the program's memory, so every task travels: the part of the image it needs, the part of
 * the layer it changes (to the GPU only if the result depends on it), and back. A task that the GPU refuses is marked
 * LV_DRAW_TASK_STATE_FAILED and logged. One thread.
 */
#ifndef LV_DRAW_TESSERA_H
#define LV_DRAW_TESSERA_H

#include <stdint.h>

#include "tessera.h"

struct lv_draw_tessera_counts {
    uint32_t fills, images, failed;
    uint64_t pixels, bytes_in, bytes_out; /* drawn; to and from the GPU */
};

/* Register the unit. `tessera` stays the caller's. A status of tessera.h; LVGL is untouched unless it is 0. */
int lv_draw_tessera_init(struct tessera *tessera);
/* Before lv_deinit and tessera_close: gives back what the unit holds on the GPU; it takes no task from then on. */
void lv_draw_tessera_deinit(void);
struct lv_draw_tessera_counts lv_draw_tessera_counts(void);

#endif
