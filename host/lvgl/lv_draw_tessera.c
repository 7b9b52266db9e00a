/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera.h. A task is one BLIT or FILL_RECT in a DMA buffer of its own. A side of it that lies in shared
 * memory is a place in the one allocation over that; any other is packed (no bytes between rows) in an allocation that
 * grows as needed. If nothing has to come back, the task runs until a later dispatch finds it done.
 */
#include "lvgl/lv_draw_tessera.h"

#include <stdlib.h>
#include <string.h>

#include "lvgl/lv_versions.h"
#include "tessera_stream.h"

enum { UNIT_ID = 90, SCORE = 70, TARGET = 0, SOURCE = 1, SIDES = 2, RUNNING_LIMIT = 8, LOOKS = 1000, SEGMENTS = 8 };

/* One side of a task on the GPU. */
struct side {
    struct tessera_allocation *allocation;
    uint32_t capacity;
};

/* A task that the GPU draws. */
struct running {
    lv_draw_task_t *task;
    tessera_ticket ticket;
    void *row; /* of a blended fill, to free */
};

static struct {
    struct tessera *tessera; /* NULL: the unit takes nothing */
    struct tessera_stream *stream;
    uint32_t context;
    struct side sides[SIDES];
    uint8_t *packed;
    uint32_t packed_bytes;
    struct lv_draw_tessera_memory memory;
    struct tessera_allocation *shared; /* over `memory`; NULL: none is shared */
    struct running running[RUNNING_LIMIT];
    uint32_t running_count, looks;
    uint32_t least_pixels;
    bool is_opaque_only;
    struct lv_draw_tessera_counts counts;
} gpu;

/* A rectangle of pixels in the program's memory. */
struct picture {
    uint8_t *first;
    uint32_t stride, width, height, unit_bytes, format; /* stride 0: the same row again and again */
};

/* ------------------------------------------------------------------ formats */

/* FORMAT group; FORMAT_BYTES for what the engine does not know. */
static uint32_t engine_format(lv_color_format_t format)
{
    if (is_1555_format(format)) return FORMAT_ARGB1555;
    if (is_premultiplied_format(format)) return FORMAT_ARGB8888;
    switch ((uint32_t)format) {
    case LV_COLOR_FORMAT_RGB565: return FORMAT_RGB565;
    case LV_COLOR_FORMAT_RGB888: return FORMAT_RGB888;
    case LV_COLOR_FORMAT_XRGB8888: return FORMAT_XRGB8888;
    case LV_COLOR_FORMAT_ARGB8888: return FORMAT_ARGB8888;
    default: return FORMAT_BYTES;
    }
}

static bool is_target_format(lv_color_format_t format)
{
    return engine_format(format) != FORMAT_BYTES && !is_1555_format(format) && !is_premultiplied_format(format);
}

static uint32_t unit_bytes(lv_color_format_t format) { return lv_color_format_get_size(format); }

/* A colour as a unit of the format, truncated as the engine truncates. */
static uint32_t colour_unit(uint32_t format, lv_color_t colour)
{
    if (format == FORMAT_RGB565)
        return (uint32_t)(colour.red >> 3) << 11 | (uint32_t)(colour.green >> 2) << 5 | (uint32_t)(colour.blue >> 3);
    return 0xff000000u | (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | (uint32_t)colour.blue;
}

/* ------------------------------------------------------------------ moving pictures */

static uint32_t row_bytes(const struct picture *picture) { return picture->width * picture->unit_bytes; }

/* From its first byte to its last, where it lies. */
static uint32_t extent(const struct picture *picture)
{
    return (picture->height - 1u) * picture->stride + row_bytes(picture);
}

static bool is_shared(const struct picture *picture)
{
    const uintptr_t first = (uintptr_t)picture->first, begin = (uintptr_t)gpu.memory.first;
    return gpu.shared != NULL && first >= begin && first - begin <= gpu.memory.bytes &&
           extent(picture) <= gpu.memory.bytes - (first - begin);
}

static int need_packed(uint32_t bytes)
{
    if (bytes <= gpu.packed_bytes) return TESSERA_OK;
    free(gpu.packed);
    gpu.packed = malloc(bytes);
    gpu.packed_bytes = gpu.packed != NULL ? bytes : 0;
    return gpu.packed != NULL ? TESSERA_OK : TESSERA_NO_MEMORY;
}

static int need_side(struct side *side, uint32_t bytes)
{
    const struct tessera_allocation_options options = {.bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE};
    if (side->allocation != NULL && bytes <= side->capacity) return TESSERA_OK;
    int status = tessera_allocation_destroy(gpu.tessera, side->allocation);
    side->allocation = NULL;
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu.tessera, &options, &side->allocation);
    if (status == TESSERA_OK) side->capacity = bytes;
    return status;
}

/* Room for the picture on the GPU, with its content if that is wanted. */
static int send(uint32_t slot, const struct picture *picture, bool with_content)
{
    uint32_t row = row_bytes(picture), bytes = row * picture->height;
    if (is_shared(picture)) return TESSERA_OK;
    int status = need_side(&gpu.sides[slot], bytes);
    if (status == TESSERA_OK && with_content) status = need_packed(bytes);
    if (status != TESSERA_OK || !with_content) return status;
    for (uint32_t y = 0; y < picture->height; y++)
        memcpy(gpu.packed + (size_t)y * row, picture->first + (size_t)y * picture->stride, row);
    gpu.counts.bytes_in += bytes;
    return tessera_write(gpu.tessera, gpu.sides[slot].allocation, 0, gpu.packed, bytes);
}

static int receive(const struct picture *picture)
{
    uint32_t row = row_bytes(picture), bytes = row * picture->height;
    int status = need_packed(bytes);
    if (status == TESSERA_OK) status = tessera_read(gpu.tessera, gpu.sides[TARGET].allocation, 0, gpu.packed, bytes);
    for (uint32_t y = 0; y < picture->height && status == TESSERA_OK; y++)
        memcpy(picture->first + (size_t)y * picture->stride, gpu.packed + (size_t)y * row, row);
    gpu.counts.bytes_out += bytes;
    return status;
}

static int bind(uint32_t slot, const struct picture *picture)
{
    const bool in_place = is_shared(picture);
    const struct tessera_surface surface = {.allocation = in_place ? gpu.shared : gpu.sides[slot].allocation,
                                            .offset =
                                                in_place ? (uint32_t)(picture->first - (uint8_t *)gpu.memory.first) : 0,
                                            .format = picture->format,
                                            .pitch = in_place ? picture->stride : row_bytes(picture),
                                            .bytes = in_place ? extent(picture) : row_bytes(picture) * picture->height,
                                            .is_target = slot == TARGET};
    return tessera_stream_bind(gpu.stream, slot, &surface);
}

/* ------------------------------------------------------------------ running */

static void judge(int status)
{
    if (status == TESSERA_OK) return;
    gpu.counts.failed++;
    LV_LOG_ERROR("tessera: %s: %s", tessera_status_name(status), tessera_message(gpu.tessera));
}

/* The oldest that runs, which the GPU finishes first. */
static void finish_first(void)
{
    const struct running first = gpu.running[0];
    int status = tessera_wait(gpu.tessera, first.ticket, NULL);
    memmove(gpu.running, gpu.running + 1, --gpu.running_count * sizeof *gpu.running);
    judge(status);
    free(first.row);
    if (gpu.memory.forget != NULL) gpu.memory.forget(gpu.memory.first, gpu.memory.bytes);
    end_task(first.task, status == TESSERA_OK);
}

/* True: some task has come to its end. Others may have had something to do for the first LOOKS times; then it is waited
 * for, which has an end if the GPU has stopped. */
static bool finish_done(void)
{
    const uint32_t before = gpu.running_count;
    gpu.looks = before > 0 ? gpu.looks + 1u : 0;
    while (gpu.running_count > 0 && (gpu.looks > LOOKS || tessera_is_done(gpu.tessera, gpu.running[0].ticket)))
        finish_first();
    if (gpu.running_count != before) gpu.looks = 0;
    return gpu.running_count != before;
}

/* Submit the stream. `task` is left running if the target lies in shared memory, with `row` to free; else the result is
 * fetched. *is_running: it goes on. */
static int run(lv_draw_task_t *task, const struct picture *target, void *row, bool *is_running)
{
    tessera_ticket ticket;
    gpu.counts.pixels += (uint64_t)target->width * target->height;
    int status = tessera_submit(gpu.tessera, gpu.context, gpu.stream, 0, &ticket);
    if (status != TESSERA_OK) return status;
    *is_running = is_shared(target);
    if (*is_running) {
        gpu.running[gpu.running_count++] = (struct running){task, ticket, row};
        gpu.counts.in_place++;
        return TESSERA_OK;
    }
    status = tessera_wait(gpu.tessera, ticket, NULL);
    return status == TESSERA_OK ? receive(target) : status;
}

/* ------------------------------------------------------------------ drawing */

/* What LVGL says of an image, beside its pixels. */
struct look {
    uint32_t alpha; /* 255: none */
    bool has_alpha; /* the source's own */
    bool is_premultiplied;
};

/* The source onto the target, both of one size. */
static int draw_picture(lv_draw_task_t *task, const struct picture *target, const struct picture *source,
                        struct look look, void *row, bool *is_running)
{
    bool blends = look.has_alpha || look.alpha != 255;
    const struct tessera_blit blit = {.target = TARGET,
                                      .source = SOURCE,
                                      .mode = blends ? BLIT_BLEND : BLIT_COPY,
                                      .width = target->width,
                                      .height = target->height,
                                      .value = blends ? look.alpha : 0,
                                      .is_premultiplied = blends && look.is_premultiplied};
    gpu.counts.blended += blends;
    int status = send(TARGET, target, blends);
    if (status == TESSERA_OK) status = send(SOURCE, source, true);
    tessera_stream_clear(gpu.stream);
    if (status == TESSERA_OK) status = bind(TARGET, target);
    if (status == TESSERA_OK) status = bind(SOURCE, source);
    if (status == TESSERA_OK) status = tessera_stream_blit(gpu.stream, &blit);
    return status == TESSERA_OK ? run(task, target, row, is_running) : status;
}

static int fill_solid(lv_draw_task_t *task, const struct picture *target, lv_color_t colour, bool *is_running)
{
    int status = send(TARGET, target, false);
    tessera_stream_clear(gpu.stream);
    if (status == TESSERA_OK) status = bind(TARGET, target);
    if (status == TESSERA_OK)
        status = tessera_stream_fill_rect(gpu.stream, TARGET, 0, 0, target->width, target->height,
                                          colour_unit(target->format, colour));
    return status == TESSERA_OK ? run(task, target, NULL, is_running) : status;
}

/* A fill that shines through is a picture of one colour, one row of it. */
static int fill_blended(lv_draw_task_t *task, const struct picture *target, lv_color_t colour, uint32_t alpha,
                        bool *is_running)
{
    struct picture source = {
        .width = target->width, .height = target->height, .unit_bytes = 4, .format = FORMAT_XRGB8888};
    uint32_t unit = colour_unit(FORMAT_XRGB8888, colour);
    source.first = malloc((size_t)source.width * 4u);
    if (source.first == NULL) return TESSERA_NO_MEMORY;
    for (size_t i = 0; i < source.width; i++) memcpy(source.first + 4 * i, &unit, 4);
    int status = draw_picture(task, target, &source, (struct look){.alpha = alpha}, source.first, is_running);
    if (!*is_running) free(source.first);
    return status;
}

/* ------------------------------------------------------------------ tasks */

/* LVGL fills it in before the draw units are asked. */
static lv_layer_t *task_layer(const lv_draw_task_t *task)
{
    const lv_draw_dsc_base_t *base = task->draw_dsc;
    return base->layer;
}

/* The part of the layer under `area`, in the layer's coordinates. */
static struct picture layer_picture(lv_layer_t *layer, const lv_area_t *area)
{
    struct picture picture = {.stride = layer->draw_buf->header.stride,
                              .width = (uint32_t)lv_area_get_width(area),
                              .height = (uint32_t)lv_area_get_height(area),
                              .unit_bytes = unit_bytes(layer->color_format),
                              .format = engine_format(layer->color_format)};
    picture.first = lv_draw_layer_go_to_xy(layer, area->x1 - layer->buf_area.x1, area->y1 - layer->buf_area.y1);
    return picture;
}

static void draw_fill(lv_draw_task_t *task, const lv_area_t *area)
{
    const lv_draw_fill_dsc_t *fill = task->draw_dsc;
    struct picture target = layer_picture(task_layer(task), area);
    bool is_running = false;
    gpu.counts.fills++;
    if (fill->opa <= LV_OPA_MIN) return;
    if (fill->opa >= LV_OPA_MAX) judge(fill_solid(task, &target, fill->color, &is_running));
    else judge(fill_blended(task, &target, fill->color, fill->opa, &is_running));
}

/* LVGL has decoded the image; `clipped` is the part to draw. */
static void draw_image_core(image_caller *caller, const lv_draw_image_dsc_t *image,
                            const lv_image_decoder_dsc_t *decoder, lv_draw_image_sup_t *unused,
                            const lv_area_t *coordinates, const lv_area_t *clipped)
{
    const lv_draw_buf_t *decoded = decoder->decoded;
    lv_color_format_t format = (lv_color_format_t)decoded->header.cf;
    const lv_area_t *origin = image_origin(image, coordinates);
    struct picture target = layer_picture(task_layer(caller_task(caller)), clipped), source = target;
    (void)unused;
    source.format = engine_format(format);
    source.unit_bytes = unit_bytes(format);
    source.stride = decoded->header.stride != 0 ? decoded->header.stride : source.unit_bytes * decoded->header.w;
    source.first = decoded->data + (size_t)(clipped->y1 - origin->y1) * source.stride +
                   (size_t)(clipped->x1 - origin->x1) * source.unit_bytes;
    gpu.counts.images++;
    if (source.format == FORMAT_BYTES || image->opa <= LV_OPA_MIN) return;
    const struct look look = {image->opa >= LV_OPA_MAX ? 255 : image->opa, lv_color_format_has_alpha(format),
                              is_premultiplied_format(format)};
    bool is_running = false;
    judge(draw_picture(caller_task(caller), &target, &source, look, NULL, &is_running));
    /* A copy that LVGL's decoder has made is gone when this returns. */
    if (is_running && decoded->data != ((const lv_image_dsc_t *)image->src)->data)
        while (gpu.running_count > 0) finish_first();
}

/* ------------------------------------------------------------------ the unit */

static bool takes_fill(const lv_draw_fill_dsc_t *fill)
{
    return fill->radius == 0 && fill->grad.dir == LV_GRAD_DIR_NONE && is_target_format(fill->base.layer->color_format);
}

static bool takes_image(const lv_draw_image_dsc_t *image)
{
    bool is_plain = image->rotation == 0 && image->skew_x == 0 && image->skew_y == 0 &&
                    image->scale_x == LV_SCALE_NONE && image->scale_y == LV_SCALE_NONE && image->clip_radius == 0;
    bool is_unchanged = image->bitmap_mask_src == NULL && image->sup == NULL && !has_colour_key(image) &&
                        image->recolor_opa <= LV_OPA_MIN && image->blend_mode == LV_BLEND_MODE_NORMAL;
    return is_plain && is_unchanged && !image->tile && lv_image_src_get_type(image->src) == LV_IMAGE_SRC_VARIABLE &&
           engine_format((lv_color_format_t)image->header.cf) != FORMAT_BYTES &&
           is_target_format(image->base.layer->color_format);
}

/* An image's own alpha counts, whatever its pixels have. */
static bool is_opaque(const lv_draw_task_t *task)
{
    const lv_draw_fill_dsc_t *fill = task->draw_dsc;
    const lv_draw_image_dsc_t *image = task->draw_dsc;
    if (task->type == LV_DRAW_TASK_TYPE_FILL) return fill->opa >= LV_OPA_MAX;
    return image->opa >= LV_OPA_MAX && !lv_color_format_has_alpha((lv_color_format_t)image->header.cf);
}

static bool is_wanted(const lv_draw_task_t *task)
{
    lv_area_t area;
    if (gpu.is_opaque_only && !is_opaque(task)) return false;
    if (gpu.least_pixels == 0) return true;
    return gpu.least_pixels != UINT32_MAX && lv_area_intersect(&area, &task->area, &task->clip_area) &&
           (uint32_t)lv_area_get_width(&area) * (uint32_t)lv_area_get_height(&area) >= gpu.least_pixels;
}

static int32_t evaluate(lv_draw_unit_t *unit, lv_draw_task_t *task)
{
    (void)unit;
    if (gpu.tessera == NULL || task->preference_score <= SCORE) return 0;
    if (!(task->type == LV_DRAW_TASK_TYPE_FILL && takes_fill(task->draw_dsc)) &&
        !(task->type == LV_DRAW_TASK_TYPE_IMAGE && takes_image(task->draw_dsc)))
        return 0;
    if (!is_wanted(task)) return 0;
    task->preference_score = SCORE;
    task->preferred_draw_unit_id = UNIT_ID;
    return 1;
}

/* Draw the task, or begin to. */
static void begin(lv_draw_tessera_unit_t *own, lv_draw_task_t *task, lv_layer_t *layer)
{
    const uint32_t failed = gpu.counts.failed, running = gpu.running_count;
    lv_area_t area;
    begin_task(own, task, layer);
    if (lv_area_intersect(&area, &task->area, &task->clip_area)) {
        if (task->type == LV_DRAW_TASK_TYPE_FILL) draw_fill(task, &area);
        else decode_image(own, draw_image_core);
    }
    if (gpu.running_count <= running) end_task(task, gpu.counts.failed == failed);
}

static int32_t dispatch(lv_draw_unit_t *unit, lv_layer_t *layer)
{
    if (gpu.tessera == NULL) return LV_DRAW_UNIT_IDLE;
    const bool has_ended = finish_done();
    lv_draw_task_t *task = gpu.running_count < RUNNING_LIMIT ? next_task(layer, UNIT_ID) : NULL;
    if (task != NULL && lv_draw_layer_alloc_buf(layer) == NULL) task = NULL; /* LVGL asks again when there is memory */
    if (task != NULL) begin((lv_draw_tessera_unit_t *)(void *)unit, task, layer);
    if (task == NULL && !has_ended && gpu.running_count == 0) return LV_DRAW_UNIT_IDLE;
    lv_draw_dispatch_request(); /* for what can begin now, or to look again */
    return task != NULL || has_ended ? 1 : LV_DRAW_UNIT_IDLE;
}

static int32_t forget(lv_draw_unit_t *unit)
{
    (void)unit;
    lv_draw_tessera_deinit();
    return 0;
}

int lv_draw_tessera_init(struct tessera *tessera)
{
    uint32_t context = 0;
    int status = tessera_context_create(tessera, 0, 0, &context);
    struct tessera_stream *stream = status == TESSERA_OK ? tessera_stream_create() : NULL;
    if (status == TESSERA_OK && stream == NULL) {
        (void)tessera_context_destroy(tessera, context);
        status = TESSERA_NO_MEMORY;
    }
    if (status != TESSERA_OK) return status;
    memset(&gpu, 0, sizeof gpu);
    gpu.tessera = tessera;
    gpu.stream = stream;
    gpu.context = context;
    lv_draw_tessera_unit_t *unit = lv_draw_create_unit(sizeof *unit);
    UNIT_SET_NAME(&unit->base_unit, "TESSERA");
    unit->base_unit.evaluate_cb = evaluate;
    unit->base_unit.dispatch_cb = dispatch;
    unit->base_unit.delete_cb = forget;
    return TESSERA_OK;
}

void lv_draw_tessera_least(uint32_t pixels) { gpu.least_pixels = pixels; }
void lv_draw_tessera_opaque_only(bool is_so) { gpu.is_opaque_only = is_so; }

int lv_draw_tessera_share(const struct lv_draw_tessera_memory *memory)
{
    struct tessera_segment segments[SEGMENTS];
    struct tessera_allocation_options options = {.bytes = memory->bytes, .address = memory->address};
    uint32_t count = sizeof segments / sizeof *segments;
    int status = tessera_query_segments(gpu.tessera, segments, &count);
    for (uint32_t i = 0; i < count && status == TESSERA_OK; i++)
        if ((segments[i].flags & TESSERA_SEGMENT_APERTURE) != 0) options.read_set |= 1u << i;
    options.write_set = options.read_set;
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu.tessera, &options, &gpu.shared);
    if (status == TESSERA_OK) gpu.memory = *memory;
    return status;
}

void lv_draw_tessera_deinit(void)
{
    if (gpu.tessera == NULL) return;
    while (gpu.running_count > 0) finish_first();
    (void)tessera_allocation_destroy(gpu.tessera, gpu.shared);
    gpu.shared = NULL;
    for (uint32_t i = 0; i < SIDES; i++) (void)tessera_allocation_destroy(gpu.tessera, gpu.sides[i].allocation);
    (void)tessera_context_destroy(gpu.tessera, gpu.context);
    tessera_stream_destroy(gpu.stream);
    free(gpu.packed);
    gpu.tessera = NULL;
    gpu.stream = NULL;
    gpu.packed = NULL;
    gpu.packed_bytes = 0;
    memset(gpu.sides, 0, sizeof gpu.sides);
}

struct lv_draw_tessera_counts lv_draw_tessera_counts(void) { return gpu.counts; }
