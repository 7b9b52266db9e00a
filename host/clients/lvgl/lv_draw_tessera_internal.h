/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the LVGL draw unit, for each other: lv_draw_tessera.c (tasks of LVGL), lv_tessera_draw.c (what each asks
 * of the GPU), lv_tessera_shapes.c (rectangles with corners, arcs and the like), lv_tessera_images.c (images, layers),
 * lv_tessera_gradients.c (strips of colours), lv_tessera_covers.c (what LVGL's renderer draws for the GPU),
 * lv_tessera_queue.c (DMA buffers and waits for them), lv_tessera_masks.c (glyphs, corners), lv_tessera_memory.c (what
 * lies where; lv_tessera_heap.h gives shared memory out in pieces). One struct of state; calls that can fail return a
 * status of tessera.h.
 */
#ifndef LV_DRAW_TESSERA_INTERNAL_H
#define LV_DRAW_TESSERA_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/lvgl/lv_draw_tessera.h"
#include "clients/lvgl/lv_versions.h"
#include "tessera_stream.h"

enum { SLOT_TARGET, SLOT_ONES, SLOT_MASKS, SLOT_IMAGE, SLOT_SCRATCH, SLOTS };

/* The task that it draws now. */
typedef struct {
    lv_draw_unit_t base_unit;
    lv_draw_task_t *task;
} lv_draw_tessera_unit_t;

struct unit_state {
    struct tessera *tessera; /* NULL: the unit takes nothing */
    struct lv_draw_tessera_memory memory;
    struct tessera_allocation *shared; /* over `memory`; NULL: none is shared */
    uint32_t context, least_pixels;
    bool is_opaque_only, is_without_covers, is_without_maps;
    struct lv_draw_tessera_counts counts;
};
extern struct unit_state lvt_gpu;

/* LVGL's renderer draws what is nearly opaque as if it were. */
static inline uint32_t lvt_opacity(uint32_t opacity) { return opacity >= LV_OPA_MAX ? 255u : opacity; }

/* Pixels in the program's memory. */
struct picture {
    uint8_t *first;
    uint32_t stride, width, height, unit_bytes, format;
};

/* Where a task draws: a place of the program's. The GPU draws there, or, if it lies elsewhere, onto a copy of `area`.
 */
struct canvas {
    struct picture layer;   /* all of it; its first pixel is at layer_left, layer_top in LVGL's coordinates */
    struct picture picture; /* the pixels of `area` */
    lv_area_t area;         /* nothing outside it is drawn */
    int32_t layer_left, layer_top;
    int32_t left, top; /* the bound surface's first pixel */
    bool travels;
    bool is_even; /* LVGL mixes onto it as BLEND with both roundings does; onto ARGB8888 it divides by 255 */
};

/* ------------------------------------------------------------------ lv_tessera_memory.c */

/* FORMAT group; FORMAT_BYTES for what the engine does not know. */
uint32_t lvt_memory_engine_format(lv_color_format_t format);
struct picture lvt_memory_picture(const lv_draw_buf_t *buffer);
/* A clear picture of the canvas' size, on which the processor draws what the GPU mixes in its turn; counted among the
 * covers. It is given back by lvt_queue_give_later. */
int lvt_memory_cover(const struct canvas *canvas, uint32_t format, uint32_t unit_bytes, struct picture *cover);
bool lvt_memory_is_shared(const struct picture *picture);
/* A shared picture as a surface. */
struct tessera_surface lvt_memory_surface(const struct picture *picture, bool is_target);
/* The first `bytes` of a side (0: target, 1: image that changes) on the GPU, for a picture that travels. */
int lvt_memory_side(uint32_t side, const struct picture *picture, bool with_content, struct tessera_surface *surface);
int lvt_memory_receive(const struct picture *picture);
/* An image as a surface: where it lies, or sent. *is_passing: what was sent is overwritten next time; nothing of the
 * GPU may use it then. */
int lvt_memory_passing(const struct picture *image, struct tessera_surface *surface, bool *is_passing);
/* The same of an image that is likely to be drawn again: it is kept, and `count` rows from `first` on are what the
 * program has there now. */
int lvt_memory_kept(const struct picture *image, uint32_t first, uint32_t count, struct tessera_surface *surface,
                    bool *is_passing);
/* Memory for masks, GPU-visible without copies if anything is shared; else *is_shared is false. NULL: none. */
uint8_t *lvt_memory_take(uint32_t bytes, bool *is_shared);
void lvt_memory_give(uint8_t *bytes);
int lvt_memory_begin(const struct lv_draw_tessera_memory *memory);
/* What the cache holds of pixels at `data`, all if NULL, is out of date. */
void lvt_memory_forget(const void *data);
void lvt_memory_end(void);

/* ------------------------------------------------------------------ lv_tessera_queue.c */

int lvt_queue_begin(void);
void lvt_queue_end(void);
/* A task is being drawn onto the canvas; `with_content`: the result depends on what is there. */
int lvt_queue_open(struct canvas *canvas, bool with_content);
/* All of it is in the queue: `task` ends when the GPU has drawn it, at once if the canvas travels. */
int lvt_queue_close(const struct canvas *canvas, lv_draw_task_t *task, bool is_good);
/* In the middle of a task: the processor may draw onto the canvas until lvt_queue_resume. */
int lvt_queue_pause(const struct canvas *canvas);
int lvt_queue_resume(const struct canvas *canvas);
/* True: some task has come to its end. What is queued is submitted if nothing came since the last look. */
bool lvt_queue_look(void);
bool lvt_queue_is_empty(void);
/* Submit all and wait for it: from here on the processor may touch what the GPU draws. */
void lvt_queue_finish(void);
/* Give the memory back when the GPU has drawn what is queued now. */
void lvt_queue_give_later(uint8_t *bytes);
void lvt_queue_judge(int status);

/* Drawing. Areas lie inside the canvas. `colour`: ARGB8888; `alpha` 0 to 255. */
int lvt_queue_fill(const struct canvas *canvas, const lv_area_t *area, lv_color_t colour);
int lvt_queue_fill_blended(const struct canvas *canvas, const lv_area_t *area, lv_color_t colour, uint32_t alpha);
/* The colour where the A8 surface says, from its pixel x, y on. */
int lvt_queue_mask(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *mask, uint32_t x,
                   uint32_t y, lv_color_t colour, uint32_t alpha);
struct look {
    uint32_t alpha; /* 255: none of the task's */
    bool has_alpha; /* the image's own */
    bool is_premultiplied;
};
int lvt_queue_image(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image, uint32_t x,
                    uint32_t y, struct look look);
/* Its colours on the way to `recolour`, `mix` of 255; not premultiplied. */
int lvt_queue_recoloured(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image,
                         uint32_t x, uint32_t y, struct look look, lv_color_t recolour, uint32_t mix);
/* All of an image, by a map without turns in 16.16 from the area's corner on; its edges clamp. */
struct mapping {
    uint32_t width, height; /* of the image */
    int32_t u, v, u_x, v_y; /* steps are not 0 */
};
/* `colour`: the image is A8, a mask; else NULL. */
int lvt_queue_mapped(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image,
                     const struct mapping *mapping, struct look look, const lv_color_t *colour);
/* What the processor has drawn onto a cover, all of it; the cover is given back. `colour`: as above. */
int lvt_queue_cover(const struct canvas *canvas, const struct picture *cover, struct look look,
                    const lv_color_t *colour);

/* ------------------------------------------------------------------ lv_tessera_masks.c */

/* What a mask is of: all bytes count, so clear it before. */
struct mask_key {
    const void *font; /* NULL: a shape */
    uint32_t kind, glyph;
    int32_t width, height, radius, line, side;
};
/* A mask on the GPU: pixel x, y of the surface. */
struct mask {
    struct tessera_surface surface;
    uint32_t x, y;
    int32_t width, height;
};
enum { MASK_GLYPH, MASK_FILL, MASK_BORDER };

int lvt_masks_begin(void);
void lvt_masks_end(void);
/* A sheet can hold one of that size. Found: *mask. Else add: room for its rows, `stride` bytes apart and cleared, to be
 * filled before the next call; NULL: no memory. */
bool lvt_masks_hold(int32_t width, int32_t height);
bool lvt_masks_find(const struct mask_key *key, struct mask *mask);
uint8_t *lvt_masks_add(const struct mask_key *key, struct mask *mask, uint32_t *stride);
/* Before the GPU is told to use masks: send what is new, where it has to travel. */
int lvt_masks_send(void);
/* 255s: as many as the widest fill of lvt_queue_fill_blended takes at once. */
enum { MASK_ONES = 2048 };
const struct tessera_surface *lvt_masks_ones(void);
void lvt_masks_forget(void);

/* ------------------------------------------------------------------ lv_tessera_shapes.c */

/* The colour in a rectangle, as far as it lies in the canvas. */
int lvt_shape_fill(const struct canvas *canvas, int32_t x1, int32_t y1, int32_t x2, int32_t y2, lv_color_t colour,
                   lv_opa_t opacity);
/* Part of a mask, from its pixel x, y on, likewise. */
int lvt_shape_paint(const struct canvas *canvas, const struct mask *mask, const lv_area_t *where, int32_t x, int32_t y,
                    lv_color_t colour, lv_opa_t opacity);
/* The radius that LVGL draws. */
int32_t lvt_shape_corner(const lv_area_t *shape, int32_t radius);
/* A mask of corners of that size can be kept. */
bool lvt_shape_holds(const lv_area_t *shape, int32_t corner);
int lvt_shape_round_fill(const struct canvas *canvas, const lv_draw_fill_dsc_t *dsc, const lv_area_t *shape);
int lvt_shape_border(const struct canvas *canvas, const lv_draw_border_dsc_t *dsc, const lv_area_t *shape);
int lvt_shape_cover(const struct canvas *canvas, const lv_draw_task_t *task);

/* ------------------------------------------------------------------ lv_tessera_covers.c */

/* By LVGL's renderer. The coverage of a shape. */
void lvt_cover_fill(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_fill_dsc_t *dsc);
void lvt_cover_border(uint8_t *first, uint32_t stride, const lv_area_t *shape, lv_draw_border_dsc_t *dsc);
/* Each pixel of an arc, line, triangle or shadow has one colour and one opacity: no image or gradient, no parts that
 * overlap and shine through. */
bool lvt_cover_has_one_colour(const lv_draw_task_t *task);
/* What it covers of `area`, with its colour and opacity. */
void lvt_cover_task(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                    lv_color_t *colour, lv_opa_t *opacity);
/* A fill, image or layer in all its colours, onto clear pixels of 32 bits; *look says how they come out. Its alpha is
 * the opacity that they have yet to get: LVGL rounds it in other ways where it draws a row at once, with a mask or by
 * its own alpha, so all is in their alpha where that is apart from the colours. */
int lvt_cover_colours(uint8_t *first, uint32_t stride, const lv_area_t *area, const lv_draw_task_t *task,
                      struct look *look);
/* Onto the task's layer: a glyph that is turned or has colours, and the box of one that is not there. */
void lvt_cover_glyph(lv_draw_task_t *task, lv_draw_glyph_dsc_t *glyph);
/* Onto a premultiplied layer: what a rectangle with corners leaves of it. */
void lvt_cover_mask(lv_draw_task_t *task);

/* ------------------------------------------------------------------ lv_tessera_images.c */

/* An image or a layer of an image's description. */
bool lvt_image_takes(const lv_draw_task_t *task);
/* Not turned, scaled or cut out, and mixed as usual. */
bool lvt_image_is_plain(const lv_draw_image_dsc_t *image);
int lvt_image_draw(struct canvas *canvas, lv_draw_tessera_unit_t *unit);
/* A layer that has been drawn, onto the one below it. */
int lvt_image_draw_layer(struct canvas *canvas, const lv_draw_task_t *task);
/* An image, a layer or a fill, drawn by LVGL's renderer onto a picture of its own, mixed by the GPU. */
int lvt_image_drawn(const struct canvas *canvas, const lv_draw_task_t *task);

/* ------------------------------------------------------------------ lv_tessera_gradients.c */

bool lvt_gradient_takes(const lv_draw_fill_dsc_t *dsc);
int lvt_gradient_draw(const struct canvas *canvas, const lv_draw_task_t *task);
void lvt_gradient_end(void);

/* ------------------------------------------------------------------ lv_tessera_draw.c */

/* Its layer is one that the GPU can mix it onto. */
bool lvt_draw_suits_layer(const lv_draw_task_t *task);
bool lvt_draw_takes(const lv_draw_task_t *task);
/* The task's layer is one that LVGL would mix straight onto one that the GPU draws on, that has no buffer yet and is
 * not turned or scaled: it can be premultiplied, which LVGL's renderer draws onto, too. What is left to LVGL keeps the
 * format that LVGL gave it. */
bool lvt_draw_can_premultiply(const lv_draw_dsc_base_t *base);
/* What the task draws is all there, whatever was there before. */
bool lvt_draw_is_opaque(const lv_draw_task_t *task);
/* Where it may draw: glyphs reach over the edge of their label. */
lv_area_t lvt_draw_extent(const lv_draw_task_t *task);
/* Draw what of the task lies in `area`. */
int lvt_draw_task(lv_draw_tessera_unit_t *unit, lv_draw_task_t *task, const lv_area_t *area);

#endif
