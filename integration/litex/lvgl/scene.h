/* SPDX-License-Identifier: Apache-2.0
 *
 * The first page of LVGL's widgets demo, drawn by LVGL's own software renderer and by the draw unit on the GPU
 * (host/clients/lvgl), compared and counted. Needs no operating system: the same text runs on the processor of a LiteX
 * system and on the golden model.
 */
#ifndef TESSERA_LITEX_SCENE_H
#define TESSERA_LITEX_SCENE_H

#include "clients/lvgl/lv_draw_tessera.h"

enum { SCENE_WIDTH = 320, SCENE_HEIGHT = 200, SCENE_PIXELS = SCENE_WIDTH * SCENE_HEIGHT };
enum { SCENE_BLENDED_LEVELS = 2 }; /* of a channel, by which a blended pixel may be off: LVGL mixes RGB565 by 5 bits */

/* What draws the page. */
enum scene_way {
    SCENE_SOFTWARE, /* LVGL alone */
    SCENE_ALL,      /* the unit takes all that it can: as far off as SCENE_BLENDED_LEVELS */
    SCENE_OPAQUE,   /* the unit takes what is opaque: the same pixels */
    SCENE_WAYS
};

struct scene {
    struct tessera *gpu;
    struct lv_draw_tessera_memory memory; /* shared with the GPU: layers and images lie in it, or else travel */
    uint16_t *screen, *expected;          /* SCENE_PIXELS of RGB565 each */
    uint32_t least_pixels;                /* lv_draw_tessera_least */
    uint32_t (*clock)(void);              /* of cycles, modulo 2^32 */
    void (*say)(const char *line);
    /* Between true and false neither styles nor layout are worked out, which the demo has done after each step while it
     * is made; they are after it. NULL: it takes its time. */
    void (*put_off)(bool is_so);
};

struct scene_page {
    uint32_t cycles;         /* of the processor, for the whole page */
    uint32_t drawn, blended; /* tasks that the GPU drew, and those of them that blend */
    int off;                 /* the largest difference of a channel from SCENE_SOFTWARE's */
};

/* The page in each way; a line of text for each. True if pixels are as they have to be and the GPU has refused nothing.
 * Once in a program's life. */
bool scene_run(const struct scene *scene, struct scene_page pages[SCENE_WAYS]);

#endif
