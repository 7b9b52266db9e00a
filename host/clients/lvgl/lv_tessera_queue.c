/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Tasks are put one after the other into a DMA buffer, which is submitted when it is
 * as long as the firmware examines beside another one, when LVGL has no more tasks, or when the processor wants the
 * pixels. A task ends with the buffer that its last packet is in; the GPU keeps the order of buffers, so a task may
 * follow one that it overlaps without a wait.
 */
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

enum {
    BUFFERS = 6,        /* submitted and not waited for */
    TASKS = 128,        /* that have not come to their end */
    LATER = 32,         /* pieces of memory to give back */
    LOOKS = 1000,       /* before a wait that has an end if the GPU has stopped */
    SHORT_BYTES = 7680, /* a longer DMA buffer is not examined beside another */
    SHORT_PATCHES = 900
};

struct buffer {
    tessera_ticket ticket;
    uint32_t tasks; /* of the oldest in `tasks`: those that end with it */
};

struct later {
    uint8_t *bytes;
    uint32_t buffer; /* number of the submission after which it is free */
};

static struct {
    struct tessera_stream *stream;
    struct tessera_surface bound[SLOTS];
    struct buffer buffers[BUFFERS];
    lv_draw_task_t *tasks[TASKS];
    struct later later[LATER];
    uint32_t buffer_count, task_count, ending, later_count; /* ending: tasks that end with the open buffer */
    uint32_t submitted, finished, looks, looks_waiting;
    struct tessera_allocation *scratch; /* NULL: none is recoloured yet */
    uint32_t scratch_bytes;
    bool has_new, is_bad;
} queue;

/* ------------------------------------------------------------------ ends */

void lvt_queue_judge(int status)
{
    if (status == TESSERA_OK) return;
    lvt_gpu.counts.failed++;
    LV_LOG_ERROR("tessera: %s: %s", tessera_status_name(status), tessera_message(lvt_gpu.tessera));
}

static void end_tasks(uint32_t count, bool is_good)
{
    for (uint32_t i = 0; i < count; i++) end_task(queue.tasks[i], is_good);
    queue.task_count -= count;
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    memmove(queue.tasks, queue.tasks + count, queue.task_count * sizeof *queue.tasks);
}

static void give_free(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < queue.later_count; i++) {
        if ((int32_t)(queue.later[i].buffer - queue.finished) <= 0) lvt_memory_give(queue.later[i].bytes);
        else queue.later[kept++] = queue.later[i];
    }
    queue.later_count = kept;
}

/* The oldest that runs, which the GPU finishes first. */
static void finish_first(void)
{
    const struct buffer first = queue.buffers[0];
    int status = tessera_wait(lvt_gpu.tessera, first.ticket, NULL);
    memmove(queue.buffers, queue.buffers + 1, --queue.buffer_count * sizeof *queue.buffers);
    queue.finished++;
    lvt_queue_judge(status);
    queue.is_bad |= status != TESSERA_OK;
    if (lvt_gpu.memory.forget != NULL) lvt_gpu.memory.forget(lvt_gpu.memory.first, lvt_gpu.memory.bytes);
    end_tasks(first.tasks, status == TESSERA_OK);
    give_free();
}

static int submit(void)
{
    tessera_ticket ticket;
    if (tessera_stream_bytes(queue.stream) == 0 && queue.ending == 0) return TESSERA_OK;
    while (queue.buffer_count == BUFFERS) finish_first();
    int status = lvt_masks_send();
    if (status == TESSERA_OK) status = tessera_submit(lvt_gpu.tessera, lvt_gpu.context, queue.stream, 0, &ticket);
    tessera_stream_clear(queue.stream);
    memset(queue.bound, 0, sizeof queue.bound);
    if (status == TESSERA_OK) {
        queue.buffers[queue.buffer_count++] = (struct buffer){ticket, queue.ending};
        queue.submitted++;
        lvt_gpu.counts.submissions++;
    } else {
        lvt_queue_judge(status);
        queue.is_bad = true;
        while (queue.buffer_count > 0) finish_first();
        end_tasks(queue.ending, false);
    }
    queue.ending = 0;
    return status;
}

void lvt_queue_finish(void)
{
    if (lvt_gpu.tessera == NULL) return;
    (void)submit();
    while (queue.buffer_count > 0) finish_first();
}

bool lvt_queue_is_empty(void) { return queue.task_count == 0 && queue.buffer_count == 0; }

bool lvt_queue_look(void)
{
    const uint32_t before = queue.task_count;
    if (!queue.has_new) (void)submit();
    queue.has_new = false;
    queue.looks = queue.buffer_count > 0 ? queue.looks + 1u : 0;
    while (queue.buffer_count > 0 &&
           (queue.looks > LOOKS || tessera_is_done(lvt_gpu.tessera, queue.buffers[0].ticket))) {
        finish_first();
        queue.looks = 0;
    }
    return queue.task_count != before;
}

/* Nothing of the GPU's may still read what the program has. */
static bool is_idle(void)
{
    return lvt_gpu.tessera == NULL || (queue.buffer_count == 0 && tessera_stream_bytes(queue.stream) == 0);
}

void lvt_queue_give_later(uint8_t *bytes)
{
    if (!is_idle() && queue.later_count == LATER) lvt_queue_finish();
    if (is_idle()) lvt_memory_give(bytes);
    else queue.later[queue.later_count++] = (struct later){bytes, queue.submitted + 1u};
}

/* ------------------------------------------------------------------ tasks */

int lvt_queue_open(struct canvas *canvas, bool with_content)
{
    struct tessera_surface surface;
    queue.is_bad = false;
    canvas->travels = !lvt_memory_is_shared(&canvas->layer);
    canvas->is_even = canvas->layer.format != FORMAT_ARGB8888;
    canvas->left = canvas->travels ? canvas->area.x1 : canvas->layer_left;
    canvas->top = canvas->travels ? canvas->area.y1 : canvas->layer_top;
    if (!canvas->travels) return TESSERA_OK;
    lvt_queue_finish();
    return lvt_memory_side(0, &canvas->picture, with_content, &surface);
}

int lvt_queue_pause(const struct canvas *canvas)
{
    lvt_queue_finish();
    return canvas->travels ? lvt_memory_receive(&canvas->picture) : TESSERA_OK;
}

int lvt_queue_resume(const struct canvas *canvas)
{
    struct tessera_surface surface;
    return canvas->travels ? lvt_memory_side(0, &canvas->picture, true, &surface) : TESSERA_OK;
}

int lvt_queue_close(const struct canvas *canvas, lv_draw_task_t *task, bool is_good)
{
    lvt_gpu.counts.pixels += (uint64_t)canvas->picture.width * canvas->picture.height;
    lvt_gpu.counts.in_place += !canvas->travels;
    if (canvas->travels || !is_good) {
        lvt_queue_finish();
        const int status = queue.is_bad || !canvas->travels ? TESSERA_OK : lvt_memory_receive(&canvas->picture);
        lvt_queue_judge(status);
        end_task(task, is_good && status == TESSERA_OK && !queue.is_bad);
        return status;
    }
    while (queue.task_count == TASKS && queue.buffer_count > 0) finish_first();
    if (queue.task_count == TASKS) lvt_queue_finish();
    queue.tasks[queue.task_count++] = task;
    queue.ending++;
    queue.has_new = true;
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ packets */

/* Room for one more packet with what it binds. */
static int need_room(void)
{
    const bool is_full =
        tessera_stream_bytes(queue.stream) > SHORT_BYTES || tessera_stream_patches(queue.stream) > SHORT_PATCHES;
    return is_full ? submit() : TESSERA_OK;
}

static bool is_same(const struct tessera_surface *a, const struct tessera_surface *b)
{
    return a->allocation == b->allocation && a->offset == b->offset && a->format == b->format && a->pitch == b->pitch &&
           a->bytes == b->bytes && a->is_target == b->is_target;
}

static int bind(uint32_t slot, const struct tessera_surface *surface)
{
    if (is_same(&queue.bound[slot], surface)) return TESSERA_OK;
    const int status = tessera_stream_bind(queue.stream, slot, surface);
    if (status == TESSERA_OK) queue.bound[slot] = *surface;
    return status;
}

static int bind_canvas(const struct canvas *canvas)
{
    struct tessera_surface surface;
    int status = need_room();
    if (status != TESSERA_OK) return status;
    if (!canvas->travels) surface = lvt_memory_surface(&canvas->layer, true);
    else status = lvt_memory_side(0, &canvas->picture, false, &surface);
    return status == TESSERA_OK ? bind(SLOT_TARGET, &surface) : status;
}

/* A colour as a unit of the format, truncated as the engine truncates. */
static uint32_t colour_unit(uint32_t format, lv_color_t colour)
{
    if (format == FORMAT_RGB565)
        return (uint32_t)(colour.red >> 3) << 11 | (uint32_t)(colour.green >> 2) << 5 | (uint32_t)(colour.blue >> 3);
    return 0xff000000u | (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | (uint32_t)colour.blue;
}

int lvt_queue_fill(const struct canvas *canvas, const lv_area_t *area, lv_color_t colour)
{
    int status = bind_canvas(canvas);
    if (status != TESSERA_OK) return status;
    return tessera_stream_fill_rect(queue.stream, SLOT_TARGET, (uint32_t)(area->x1 - canvas->left),
                                    (uint32_t)(area->y1 - canvas->top), (uint32_t)lv_area_get_width(area),
                                    (uint32_t)lv_area_get_height(area), colour_unit(canvas->picture.format, colour));
}

static struct tessera_blit blit_of(const struct canvas *canvas, const lv_area_t *area, uint32_t slot)
{
    return (struct tessera_blit){.target = SLOT_TARGET,
                                 .source = slot,
                                 .mode = BLIT_BLEND,
                                 .target_x = (uint32_t)(area->x1 - canvas->left),
                                 .target_y = (uint32_t)(area->y1 - canvas->top),
                                 .width = (uint32_t)lv_area_get_width(area),
                                 .height = (uint32_t)lv_area_get_height(area),
                                 .is_truncated = canvas->is_even,
                                 .is_by_256 = true,
                                 .is_alpha_zero = true};
}

/* LVGL mixes colours of 5 and 6 bits with those that the target has. */
static void set_colour(struct tessera_blit *blit, const struct canvas *canvas, lv_color_t colour, uint32_t alpha)
{
    const uint32_t unit = colour_unit(FORMAT_XRGB8888, colour) & 0xffffffu;
    blit->is_coloured = true;
    blit->value = (canvas->layer.format == FORMAT_RGB565 ? unit & 0xf8fcf8u : unit) << 8 | alpha;
}

/* LVGL takes an opacity alone as it is; of 255 times the constant alpha the engine takes the upper byte. */
static uint32_t constant_alpha(const struct canvas *canvas, uint32_t alpha)
{
    return canvas->is_even ? LV_MIN(alpha + 1u, 255u) : alpha;
}

int lvt_queue_mask(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *mask, uint32_t x,
                   uint32_t y, lv_color_t colour, uint32_t alpha)
{
    struct tessera_blit blit = blit_of(canvas, area, SLOT_MASKS);
    int status = bind_canvas(canvas);
    if (status == TESSERA_OK) status = bind(SLOT_MASKS, mask);
    if (status != TESSERA_OK) return status;
    blit.source_x = x;
    blit.source_y = y;
    set_colour(&blit, canvas, colour, alpha);
    return tessera_stream_blit(queue.stream, &blit);
}

static int fill_part(const struct canvas *canvas, const lv_area_t *area, lv_color_t colour, uint32_t alpha)
{
    struct tessera_blit blit = blit_of(canvas, area, SLOT_ONES);
    int status = bind_canvas(canvas);
    if (status == TESSERA_OK) status = bind(SLOT_ONES, lvt_masks_ones());
    if (status != TESSERA_OK) return status;
    set_colour(&blit, canvas, colour, constant_alpha(canvas, alpha));
    return tessera_stream_blit(queue.stream, &blit);
}

int lvt_queue_fill_blended(const struct canvas *canvas, const lv_area_t *area, lv_color_t colour, uint32_t alpha)
{
    int status = TESSERA_OK;
    for (lv_area_t part = *area; part.x1 <= area->x2 && status == TESSERA_OK; part.x1 = part.x2 + 1) {
        part.x2 = LV_MIN(area->x2, part.x1 + MASK_ONES - 1);
        status = fill_part(canvas, &part, colour, alpha);
    }
    return status;
}

static void set_look(struct tessera_blit *blit, const struct canvas *canvas, const struct tessera_surface *image,
                     struct look look)
{
    /* Their channels are padded with zeros where blends round by 256 alone, and widened by LVGL as TRUNCATED has it. */
    const bool has_16_bits = image->format == FORMAT_RGB565 || image->format == FORMAT_ARGB1555;
    if (!look.has_alpha && look.alpha == 255) blit->mode = BLIT_COPY;
    if (blit->mode == BLIT_COPY) blit->is_truncated = has_16_bits && image->format != canvas->layer.format;
    blit->is_by_256 = blit->mode == BLIT_BLEND && (canvas->is_even || !has_16_bits);
    if (blit->mode == BLIT_COPY) return;
    blit->value = look.has_alpha ? look.alpha : constant_alpha(canvas, look.alpha);
    blit->is_premultiplied = look.is_premultiplied;
}

int lvt_queue_image(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image, uint32_t x,
                    uint32_t y, struct look look)
{
    struct tessera_blit blit = blit_of(canvas, area, SLOT_IMAGE);
    int status = bind_canvas(canvas);
    if (status == TESSERA_OK) status = bind(SLOT_IMAGE, image);
    if (status != TESSERA_OK) return status;
    blit.source_x = x;
    blit.source_y = y;
    set_look(&blit, canvas, image, look);
    return tessera_stream_blit(queue.stream, &blit);
}

int lvt_queue_mapped(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image,
                     const struct mapping *mapping, struct look look, const lv_color_t *colour)
{
    struct tessera_affine affine = {.blit = blit_of(canvas, area, SLOT_IMAGE),
                                    .source_width = mapping->width,
                                    .source_height = mapping->height,
                                    .u = mapping->u,
                                    .v = mapping->v,
                                    .u_x = mapping->u_x,
                                    .v_y = mapping->v_y};
    int status = bind_canvas(canvas);
    if (status == TESSERA_OK) status = bind(SLOT_IMAGE, image);
    if (status != TESSERA_OK) return status;
    if (colour == NULL) set_look(&affine.blit, canvas, image, look);
    else set_colour(&affine.blit, canvas, *colour, look.alpha);
    return tessera_stream_blit_affine(queue.stream, &affine);
}

/* ------------------------------------------------------------------ recoloured images */

/* The part of an image that is recoloured, on the GPU alone. */
static int need_scratch(const lv_area_t *area, struct tessera_surface *surface)
{
    const uint32_t pitch = 4u * (uint32_t)lv_area_get_width(area);
    const struct tessera_allocation_options options = {.bytes = pitch * (uint32_t)lv_area_get_height(area)};
    if (queue.scratch == NULL || options.bytes > queue.scratch_bytes) {
        lvt_queue_finish();
        int status = tessera_allocation_destroy(lvt_gpu.tessera, queue.scratch);
        queue.scratch = NULL;
        if (status == TESSERA_OK) status = tessera_allocation_create(lvt_gpu.tessera, &options, &queue.scratch);
        if (status != TESSERA_OK) return status;
        queue.scratch_bytes = options.bytes;
    }
    *surface = (struct tessera_surface){
        .allocation = queue.scratch, .format = FORMAT_ARGB8888, .pitch = pitch, .bytes = options.bytes};
    return TESSERA_OK;
}

/* Opaque: the image, weighed 255 less `mix`, mixed into the colour, which is LVGL's sum to the bit. */
static int mix_opaque(struct tessera_blit *blit, lv_color_t colour, uint32_t mix)
{
    int status = tessera_stream_fill_rect(queue.stream, SLOT_SCRATCH, 0, 0, blit->width, blit->height,
                                          colour_unit(FORMAT_XRGB8888, colour));
    blit->mode = BLIT_BLEND;
    blit->value = 256u - mix;
    blit->is_alpha_zero = true;
    blit->is_by_256 = true;
    return status == TESSERA_OK ? tessera_stream_blit(queue.stream, blit) : status;
}

/* With alpha, which stays: colours times 255 less `mix`, then the colour times `mix`, both rounded down. That is a
 * level from LVGL's at most, which divides by 256. */
static int mix_under_alpha(struct tessera_blit *blit, lv_color_t colour, uint32_t mix)
{
    blit->value = 0x01010100u * (255u - mix) | 255u;
    blit->is_coloured = true;
    int status = tessera_stream_blit(queue.stream, blit);
    if (status == TESSERA_OK) status = bind(SLOT_ONES, lvt_masks_ones());
    blit->source = SLOT_ONES;
    blit->mode = BLIT_ADD;
    blit->source_x = blit->source_y = 0;
    blit->is_alpha_zero = true;
    blit->value = (colour_unit(FORMAT_XRGB8888, colour) & 0xffffffu) << 8 | mix;
    return status == TESSERA_OK ? tessera_stream_blit(queue.stream, blit) : status;
}

static int recolour(const lv_area_t *area, const struct tessera_surface *scratch, const struct tessera_surface *image,
                    uint32_t x, uint32_t y, lv_color_t colour, uint32_t mix)
{
    struct tessera_surface target = *scratch;
    struct tessera_blit blit = {.target = SLOT_SCRATCH,
                                .source = SLOT_IMAGE,
                                .mode = BLIT_COPY,
                                .source_x = x,
                                .source_y = y,
                                .width = (uint32_t)lv_area_get_width(area),
                                .height = (uint32_t)lv_area_get_height(area),
                                .is_truncated = true};
    int status = need_room();
    target.is_target = true;
    if (status == TESSERA_OK) status = bind(SLOT_SCRATCH, &target);
    if (status == TESSERA_OK) status = bind(SLOT_IMAGE, image);
    if (status != TESSERA_OK) return status;
    return image->format == FORMAT_ARGB8888 ? mix_under_alpha(&blit, colour, mix) : mix_opaque(&blit, colour, mix);
}

int lvt_queue_recoloured(const struct canvas *canvas, const lv_area_t *area, const struct tessera_surface *image,
                         uint32_t x, uint32_t y, struct look look, lv_color_t colour, uint32_t mix)
{
    int status = TESSERA_OK;
    for (lv_area_t part = *area; part.x1 <= area->x2 && status == TESSERA_OK; part.x1 = part.x2 + 1) {
        struct tessera_surface scratch;
        part.x2 = LV_MIN(area->x2, part.x1 + MASK_ONES - 1);
        status = need_scratch(&part, &scratch);
        if (status == TESSERA_OK)
            status = recolour(&part, &scratch, image, x + (uint32_t)(part.x1 - area->x1), y, colour, lvt_opacity(mix));
        if (status == TESSERA_OK) status = lvt_queue_image(canvas, &part, &scratch, 0, 0, look);
    }
    return status;
}

/* ------------------------------------------------------------------ begin and end */

int lvt_queue_begin(void)
{
    memset(&queue, 0, sizeof queue);
    queue.stream = tessera_stream_create();
    return queue.stream != NULL ? TESSERA_OK : TESSERA_NO_MEMORY;
}

void lvt_queue_end(void)
{
    tessera_stream_destroy(queue.stream);
    (void)tessera_allocation_destroy(lvt_gpu.tessera, queue.scratch);
    memset(&queue, 0, sizeof queue);
}

int lvt_queue_cover(const struct canvas *canvas, const struct picture *cover, struct look look,
                    const lv_color_t *colour)
{
    struct tessera_surface surface;
    bool is_passing;
    int status = lvt_memory_passing(cover, &surface, &is_passing);
    if (status == TESSERA_OK) {
        status = colour != NULL ? lvt_queue_mask(canvas, &canvas->area, &surface, 0, 0, *colour, look.alpha)
                                : lvt_queue_image(canvas, &canvas->area, &surface, 0, 0, look);
        if (is_passing) lvt_queue_finish();
    }
    lvt_queue_give_later(cover->first);
    return status;
}
