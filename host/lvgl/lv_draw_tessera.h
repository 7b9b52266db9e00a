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
 * the layer it changes (to the GPU only if the result depends on it), and back. Where the program's memory is the GPU's
 * system memory, too (a processor beside it, docs/litex.md), nothing travels: lv_draw_tessera_share. A task that the
 * GPU refuses is marked LV_DRAW_TASK_STATE_FAILED and logged. One thread.
 */
#ifndef LV_DRAW_TESSERA_H
#define LV_DRAW_TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera.h"

struct lv_draw_tessera_counts {
    uint32_t fills, images, failed;
    uint32_t blended;                     /* of fills and images: the result depends on what was there */
    uint32_t in_place;                    /* ... that did not travel */
    uint64_t pixels, bytes_in, bytes_out; /* drawn; to and from the GPU */
};

/* Memory of the program's that is the GPU's system memory, whole pages of it inside tessera_options.own_bytes. What the
 * processor writes there has to be in memory before a register of the GPU is written (a cache that writes through). */
struct lv_draw_tessera_memory {
    void *first;
    uint32_t bytes;
    uint32_t address;                               /* of `first`, in system memory */
    void (*forget)(const void *from, size_t bytes); /* as in transport_mmio.h */
};

/* Register the unit. `tessera` stays the caller's. A status of tessera.h; LVGL is untouched unless it is 0. */
int lv_draw_tessera_init(struct tessera *tessera);
/* From now on a task whose layer and image lie in `memory` (copied) is drawn where they lie, while LVGL goes on with
 * the next; what lies elsewhere travels as before. Between lv_draw_tessera_init and the first task. */
int lv_draw_tessera_share(const struct lv_draw_tessera_memory *memory);
/* Tasks of fewer pixels are left to other units: a submission takes as long as some thousand pixels of theirs. 0, as
 * after lv_draw_tessera_init: none is left; UINT32_MAX: all are. */
void lv_draw_tessera_least(uint32_t pixels);
/* Take what is opaque alone, which comes out exactly as LVGL's own renderer draws it; blending rounds otherwise. */
void lv_draw_tessera_opaque_only(bool is_so);
/* Before lv_deinit and tessera_close: gives back what the unit holds on the GPU; it takes no task from then on. */
void lv_draw_tessera_deinit(void);
struct lv_draw_tessera_counts lv_draw_tessera_counts(void);

#endif
