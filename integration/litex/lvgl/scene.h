/* SPDX-License-Identifier: Apache-2.0
 *
 * The first pages of LVGL's widgets demo, drawn by LVGL's own software renderer and by the draw unit on the GPU
 * (host/lvgl), compared and counted. Needs no operating system: the same text runs on the processor of a LiteX system
 * and on the golden model.
 */
#ifndef TESSERA_LITEX_SCENE_H
#define TESSERA_LITEX_SCENE_H

#include "lvgl/lv_draw_tessera.h"

enum { SCENE_WIDTH = 320, SCENE_HEIGHT = 200, SCENE_PIXELS = SCENE_WIDTH * SCENE_HEIGHT, SCENE_PAGES = 2 };
enum { SCENE_BLENDED_LEVELS = 2 }; /* of a channel, by which a blended pixel may be off: LVGL mixes RGB565 by 5 bits */

/* What draws a page. */
enum scene_way {
    SCENE_SOFTWARE, /* LVGL alone, the unit not there */
    SCENE_OPAQUE,   /* the unit takes what is opaque: the same pixels */
    SCENE_ALL,      /* the unit takes all that it can: as far off as SCENE_BLENDED_LEVELS */
    SCENE_WAYS
};

struct scene {
    struct tessera *gpu;
    struct lv_draw_tessera_memory memory; /* shared with the GPU: layers and images lie in it, or else travel */
    uint16_t *screen, *expected;          /* SCENE_PIXELS of RGB565 each */
    uint32_t least_pixels;                /* lv_draw_tessera_least */
    uint32_t (*clock)(void);              /* of cycles, modulo 2^32 */
    void (*say)(const char *line);
    /* Between true and false lv_obj_update_layout does nothing: the demo asks for it again and again while it is made,
     * which is two thirds of the time that takes. NULL: it does. */
    void (*put_off_layout)(bool is_so);
};

struct scene_page {
    uint32_t cycles[SCENE_WAYS], drawn[SCENE_WAYS]; /* of the processor, for the whole page; tasks that the GPU drew */
    uint32_t blended;                               /* of drawn[SCENE_ALL] */
    int off[SCENE_WAYS];                            /* the largest difference of a channel from SCENE_SOFTWARE */
};

/* All pages, the first of them last, so that it stays on the screen; a line of text for each. True if pixels are as
 * they have to be and the GPU has refused nothing. Once in a program's life. */
bool scene_run(const struct scene *scene, struct scene_page pages[SCENE_PAGES]);

#endif
