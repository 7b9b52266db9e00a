/* SPDX-License-Identifier: Apache-2.0
 *
 * An LVGL draw unit that draws on Tessera through libtessera. It is compiled against the user's own LVGL (9.4 or 9.5;
 * make lvgl LVGL_DIR=...), into the user's own program:
 *
 *   lv_init(); tessera_open(&tessera, ...); lv_draw_tessera_init(tessera); ... lv_draw_tessera_deinit();
 *
 * It takes, onto layers of RGB565, RGB888, XRGB8888 and ARGB8888: fills and borders with and without corners, labels,
 * images and layers (tiled, scaled and turned ones, A8 with a colour, opacity, recoloured ones), gradients, and arcs,
 * lines, triangles and shadows of one colour. Everything else is left to the other units.
 *
 * Where memory of the program's is the GPU's system memory, too (a processor beside it, docs/litex.md; the golden
 * model), lv_draw_tessera_share has layers drawn where they lie, and nothing travels but images from elsewhere, once.
 * Layers outside it travel, task by task: the part that it changes (to the GPU only if the result depends on it), and
 * back. A task that the GPU refuses is marked LV_DRAW_TASK_STATE_FAILED and logged. One thread.
 *
 * Layers with alpha that LVGL makes for itself (an opacity of an object with its children) are ARGB8888_PREMULTIPLIED
 * from the first task on, which LVGL's renderer draws onto, too. A display of ARGB8888 is drawn where its screen is
 * opaque.
 */
#ifndef LV_DRAW_TESSERA_H
#define LV_DRAW_TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera.h"

struct lv_draw_tessera_counts {
    uint32_t fills, borders, labels, images, layers, failed; /* tasks */
    uint32_t covers;                                         /* ... of which the processor makes a picture each time */
    uint32_t mapped;                                         /* ... that are drawn by maps */
    uint32_t blended;                                        /* of them: the result depends on what was there */
    uint32_t in_place;                                       /* ... that did not travel */
    uint32_t left_layers, left_tasks, left_wishes;           /* to other units: docs/lvgl.md */
    uint32_t submissions, masks;                             /* DMA buffers; masks that were made */
    uint64_t pixels, cover_pixels;                           /* drawn; of them: of `covers` */
    uint64_t bytes_in, bytes_out;                            /* to and from the GPU */
};

/* Memory of the program's that is the GPU's system memory, whole pages of it inside tessera_options.own_bytes. What the
 * processor writes there has to be in memory before a register of the GPU is written (a cache that writes through). */
struct lv_draw_tessera_memory {
    void *first;
    uint32_t bytes;
    uint32_t address;                               /* of `first`, in system memory */
    void (*forget)(const void *from, size_t bytes); /* as in transport_mmio.h */
    bool is_free; /* nothing lies there yet: LVGL's draw buffers are taken from it, and what the unit keeps */
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
/* Leave arcs, lines, triangles and shadows to other units, and turned images and the like: LVGL's renderer draws each
 * of them as a mask, which the GPU colours, or as a picture, which it mixes, and that pays where a wait for the GPU
 * costs more than the mask. */
void lv_draw_tessera_without_covers(bool is_so);
/* As if the GPU had no BLIT_AFFINE (MAPS 0 of rtl/config.vh; lv_draw_tessera_init asks): what needs it is drawn as a
 * picture of the processor's. */
void lv_draw_tessera_without_maps(bool is_so);
/* Images that lie elsewhere are sent once and kept, and what changes of them is sent again: they need no call. This
 * gives back what is kept of the image at `pixels`, or of all images and glyphs (NULL): after a font has ended, as
 * another one may be at its place. */
void lv_draw_tessera_forget(const void *pixels);
/* All that LVGL has given to the unit so far is drawn when this returns. LVGL waits by itself before it flushes. */
void lv_draw_tessera_finish(void);
/* Before lv_deinit and tessera_close: gives back what the unit holds on the GPU; it takes no task from then on. */
void lv_draw_tessera_deinit(void);
struct lv_draw_tessera_counts lv_draw_tessera_counts(void);

#endif
