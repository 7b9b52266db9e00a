/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Pictures in shared memory are places in one allocation over all of it. Images
 * that lie elsewhere are sent once, and kept until they have been unused longest. Before such an image is drawn, the
 * rows that are drawn are summed up, and those that have changed are sent again: so it is what LVGL's renderer would
 * read, whoever wrote it and however. The rest travels, packed: no bytes between rows.
 */
#include <stdlib.h>
#include <string.h>

#include "clients/lvgl/lv_tessera_heap.h"
#include "clients/lvgl/lv_draw_tessera_internal.h"

enum { SIDES = 2, IMAGES = 64, IMAGE_BYTES = 8 << 20, SEGMENTS = 8 };

/* One side of a task that travels. */
struct side {
    struct tessera_allocation *allocation;
    uint32_t capacity;
};

struct cached {
    struct picture picture; /* first NULL: free */
    struct tessera_allocation *allocation;
    uint64_t *sums; /* of each row, as it was sent */
    bool changes;
    uint32_t used;
};

static struct {
    struct side sides[SIDES];
    struct cached images[IMAGES];
    uint32_t image_bytes, clock;
    uint8_t *packed;
    uint32_t packed_bytes;
} memory;

/* ------------------------------------------------------------------ formats */

uint32_t lvt_memory_engine_format(lv_color_format_t format)
{
    switch ((uint32_t)format) {
    case LV_COLOR_FORMAT_RGB565: return FORMAT_RGB565;
    case LV_COLOR_FORMAT_RGB888: return FORMAT_RGB888;
    case LV_COLOR_FORMAT_XRGB8888: return FORMAT_XRGB8888;
    case LV_COLOR_FORMAT_ARGB8888_PREMULTIPLIED:
    case LV_COLOR_FORMAT_ARGB8888: return FORMAT_ARGB8888;
    case LV_COLOR_FORMAT_ARGB1555: return FORMAT_ARGB1555;
    case LV_COLOR_FORMAT_A8: return FORMAT_A8;
    default: return FORMAT_BYTES;
    }
}

struct picture lvt_memory_picture(const lv_draw_buf_t *buffer)
{
    const lv_color_format_t format = (lv_color_format_t)buffer->header.cf;
    struct picture picture = {.first = buffer->data,
                              .stride = buffer->header.stride,
                              .width = buffer->header.w,
                              .height = buffer->header.h,
                              .unit_bytes = lv_color_format_get_size(format),
                              .format = lvt_memory_engine_format(format)};
    if (picture.stride == 0) picture.stride = picture.width * picture.unit_bytes;
    return picture;
}

int lvt_memory_cover(const struct canvas *canvas, uint32_t format, uint32_t unit_bytes, struct picture *cover)
{
    const uint32_t width = canvas->picture.width, height = canvas->picture.height;
    bool is_unused;
    *cover = (struct picture){
        .stride = width * unit_bytes, .width = width, .height = height, .unit_bytes = unit_bytes, .format = format};
    cover->first = lvt_memory_take(cover->stride * height, &is_unused);
    if (cover->first == NULL) return TESSERA_NO_MEMORY;
    memset(cover->first, 0, (size_t)cover->stride * height);
    lvt_gpu.counts.covers++;
    lvt_gpu.counts.cover_pixels += (uint64_t)width * height;
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ shared memory */

static uint32_t row_bytes(const struct picture *picture) { return picture->width * picture->unit_bytes; }

/* From its first byte to its last, where it lies. */
static uint32_t extent(const struct picture *picture)
{
    return (picture->height - 1u) * picture->stride + row_bytes(picture);
}

static bool is_inside(const void *first, uint32_t bytes)
{
    const uintptr_t at = (uintptr_t)first, begin = (uintptr_t)lvt_gpu.memory.first;
    return lvt_gpu.shared != NULL && at >= begin && at - begin <= lvt_gpu.memory.bytes &&
           bytes <= lvt_gpu.memory.bytes - (at - begin);
}

bool lvt_memory_is_shared(const struct picture *picture) { return is_inside(picture->first, extent(picture)); }

struct tessera_surface lvt_memory_surface(const struct picture *picture, bool is_target)
{
    return (struct tessera_surface){.allocation = lvt_gpu.shared,
                                    .offset = (uint32_t)(picture->first - (uint8_t *)lvt_gpu.memory.first),
                                    .format = picture->format,
                                    .pitch = picture->stride,
                                    .bytes = extent(picture),
                                    .is_target = is_target};
}

/* ------------------------------------------------------------------ travelling */

static int need_packed(uint32_t bytes)
{
    if (bytes <= memory.packed_bytes) return TESSERA_OK;
    free(memory.packed);
    memory.packed = malloc(bytes);
    memory.packed_bytes = memory.packed != NULL ? bytes : 0;
    return memory.packed != NULL ? TESSERA_OK : TESSERA_NO_MEMORY;
}

/* `count` rows of the picture from row `first` on, at their place in the allocation. */
static int write_rows(struct tessera_allocation *allocation, const struct picture *picture, uint32_t first,
                      uint32_t count)
{
    const uint32_t row = row_bytes(picture), bytes = row * count;
    int status = need_packed(bytes);
    if (status != TESSERA_OK) return status;
    for (uint32_t y = 0; y < count; y++)
        memcpy(memory.packed + (size_t)y * row, picture->first + (size_t)(first + y) * picture->stride, row);
    lvt_gpu.counts.bytes_in += bytes;
    return tessera_write(lvt_gpu.tessera, allocation, first * row, memory.packed, bytes);
}

static int need_side(struct side *side, uint32_t bytes)
{
    const struct tessera_allocation_options options = {.bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE};
    if (side->allocation != NULL && bytes <= side->capacity) return TESSERA_OK;
    int status = tessera_allocation_destroy(lvt_gpu.tessera, side->allocation);
    side->allocation = NULL;
    if (status == TESSERA_OK) status = tessera_allocation_create(lvt_gpu.tessera, &options, &side->allocation);
    if (status == TESSERA_OK) side->capacity = bytes;
    return status;
}

static struct tessera_surface packed_surface(struct tessera_allocation *allocation, const struct picture *picture)
{
    return (struct tessera_surface){.allocation = allocation,
                                    .format = picture->format,
                                    .pitch = row_bytes(picture),
                                    .bytes = row_bytes(picture) * picture->height};
}

int lvt_memory_side(uint32_t side, const struct picture *picture, bool with_content, struct tessera_surface *surface)
{
    int status = need_side(&memory.sides[side], row_bytes(picture) * picture->height);
    if (status == TESSERA_OK && with_content)
        status = write_rows(memory.sides[side].allocation, picture, 0, picture->height);
    *surface = packed_surface(memory.sides[side].allocation, picture);
    surface->is_target = side == 0;
    return status;
}

int lvt_memory_receive(const struct picture *picture)
{
    const uint32_t row = row_bytes(picture), bytes = row * picture->height;
    int status = need_packed(bytes);
    if (status == TESSERA_OK)
        status = tessera_read(lvt_gpu.tessera, memory.sides[0].allocation, 0, memory.packed, bytes);
    for (uint32_t y = 0; y < picture->height && status == TESSERA_OK; y++)
        memcpy(picture->first + (size_t)y * picture->stride, memory.packed + (size_t)y * row, row);
    lvt_gpu.counts.bytes_out += bytes;
    return status;
}

/* ------------------------------------------------------------------ images */

static void drop(struct cached *image)
{
    (void)tessera_allocation_destroy(lvt_gpu.tessera, image->allocation);
    free(image->sums);
    memory.image_bytes -= row_bytes(&image->picture) * image->picture.height;
    memset(image, 0, sizeof *image);
}

static uint64_t sum_of(const struct picture *picture, uint32_t y)
{
    const uint8_t *row = picture->first + (size_t)y * picture->stride;
    const uint32_t bytes = row_bytes(picture);
    uint64_t sum = bytes;
    for (uint32_t at = 0; at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, row + at, LV_MIN(bytes - at, 8u));
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

/* The place that is free, or was unused longest. */
static struct cached *oldest(void)
{
    struct cached *found = &memory.images[0];
    for (struct cached *image = memory.images; image < memory.images + IMAGES; image++) {
        if (image->picture.first == NULL) return image;
        if (image->used < found->used) found = image;
    }
    return found;
}

static bool is_same(const struct picture *a, const struct picture *b)
{
    return a->first == b->first && a->stride == b->stride && a->width == b->width && a->height == b->height &&
           a->format == b->format;
}

static struct cached *cached_image(const struct picture *picture)
{
    for (struct cached *image = memory.images; image < memory.images + IMAGES; image++)
        if (is_same(&image->picture, picture)) return image;
    return NULL;
}

/* `changes`: its rows will be written again, so the processor has to reach them. */
static struct cached *keep_image(const struct picture *picture, bool changes)
{
    const uint32_t bytes = row_bytes(picture) * picture->height;
    const struct tessera_allocation_options options = {.bytes = bytes, .flags = changes ? ALLOCATION_CPU_VISIBLE : 0};
    if (bytes > IMAGE_BYTES) return NULL;
    struct cached *place = oldest();
    while (place->picture.first != NULL || memory.image_bytes > IMAGE_BYTES - bytes) {
        struct cached *victim = place;
        for (struct cached *image = memory.images; image < memory.images + IMAGES; image++)
            if (image->picture.first != NULL && (victim->picture.first == NULL || image->used < victim->used))
                victim = image;
        lvt_queue_finish();
        drop(victim);
        place = oldest();
    }
    uint64_t *sums = malloc(picture->height * sizeof *sums);
    if (sums == NULL) return NULL;
    int status = tessera_allocation_create(lvt_gpu.tessera, &options, &place->allocation);
    if (status == TESSERA_OK && write_rows(place->allocation, picture, 0, picture->height) != TESSERA_OK) {
        (void)tessera_allocation_destroy(lvt_gpu.tessera, place->allocation);
        status = TESSERA_NO_MEMORY;
    }
    if (status != TESSERA_OK) {
        free(sums);
        place->allocation = NULL;
        return NULL;
    }
    for (uint32_t y = 0; y < picture->height; y++) sums[y] = sum_of(picture, y);
    place->picture = *picture;
    place->sums = sums;
    place->changes = changes;
    /* analyse: analyzer-malloc-leak: the sums are the place's, freed when it is dropped */
    memory.image_bytes += bytes;
    return place;
}

/* What has changed of `count` rows from `first` on is sent again: all of an image that changes for the first time. The
 * image is where it is kept from then on; NULL: it could not be. */
static struct cached *follow(struct cached *kept, uint32_t first, uint32_t count)
{
    uint32_t from = first + count, end = first;
    for (uint32_t y = first; y < first + count && y < kept->picture.height; y++) {
        const uint64_t sum = sum_of(&kept->picture, y);
        if (sum == kept->sums[y]) continue;
        kept->sums[y] = sum;
        from = LV_MIN(from, y);
        end = y + 1u;
    }
    if (from >= end) return kept;
    lvt_queue_finish(); /* what is queued draws what was there */
    if (kept->changes && write_rows(kept->allocation, &kept->picture, from, end - from) == TESSERA_OK) return kept;
    const struct picture picture = kept->picture;
    drop(kept);
    return keep_image(&picture, true);
}

int lvt_memory_passing(const struct picture *image, struct tessera_surface *surface, bool *is_passing)
{
    *is_passing = !lvt_memory_is_shared(image);
    if (!*is_passing) {
        *surface = lvt_memory_surface(image, false);
        return TESSERA_OK;
    }
    lvt_queue_finish(); /* what was sent before may still be used */
    return lvt_memory_side(1, image, true, surface);
}

int lvt_memory_kept(const struct picture *image, uint32_t first, uint32_t count, struct tessera_surface *surface,
                    bool *is_passing)
{
    if (lvt_memory_is_shared(image)) return lvt_memory_passing(image, surface, is_passing);
    struct cached *kept = cached_image(image);
    kept = kept != NULL ? follow(kept, first, count) : keep_image(image, false);
    if (kept == NULL) return lvt_memory_passing(image, surface, is_passing);
    kept->used = ++memory.clock;
    *surface = packed_surface(kept->allocation, image);
    *is_passing = false;
    return TESSERA_OK;
}

void lvt_memory_forget(const void *data)
{
    lvt_queue_finish();
    for (struct cached *image = memory.images; image < memory.images + IMAGES; image++)
        if (image->picture.first != NULL && (data == NULL || image->picture.first == data)) drop(image);
}

/* ------------------------------------------------------------------ memory that LVGL and masks take */

static void *take_buffer(size_t bytes, lv_color_format_t format)
{
    (void)format;
    void *data = lvt_gpu.tessera != NULL ? lvt_heap_take((uint32_t)bytes + LV_DRAW_BUF_ALIGN - 1u) : NULL;
    return data != NULL ? data : lv_malloc(bytes + LV_DRAW_BUF_ALIGN - 1u);
}

static void give_buffer(void *data)
{
    if (lvt_heap_holds(data)) lvt_queue_give_later(data);
    else {
        if (is_inside(data, 1)) lvt_queue_finish();
        lv_free(data);
    }
}

uint8_t *lvt_memory_take(uint32_t bytes, bool *is_shared)
{
    uint8_t *data = lvt_gpu.memory.is_free ? lvt_heap_take(bytes) : NULL;
    if (data == NULL) data = malloc(bytes);
    *is_shared = data != NULL && is_inside(data, bytes);
    return data;
}

void lvt_memory_give(uint8_t *bytes)
{
    if (lvt_heap_holds(bytes)) lvt_heap_give(bytes);
    else free(bytes);
}

static void lend_buffers(lv_draw_buf_handlers_t *handlers)
{
    handlers->buf_malloc_cb = take_buffer;
    handlers->buf_free_cb = give_buffer;
}

int lvt_memory_begin(const struct lv_draw_tessera_memory *shared)
{
    struct tessera_segment segments[SEGMENTS];
    struct tessera_allocation_options options = {.bytes = shared->bytes, .address = shared->address};
    uint32_t count = sizeof segments / sizeof *segments;
    int status = tessera_query_segments(lvt_gpu.tessera, segments, &count);
    for (uint32_t i = 0; i < count && status == TESSERA_OK; i++)
        if ((segments[i].flags & TESSERA_SEGMENT_APERTURE) != 0) options.read_set |= 1u << i;
    options.write_set = options.read_set;
    if (status == TESSERA_OK) status = tessera_allocation_create(lvt_gpu.tessera, &options, &lvt_gpu.shared);
    if (status != TESSERA_OK) return status;
    lvt_gpu.memory = *shared;
    if (!shared->is_free) return TESSERA_OK;
    lvt_heap_begin(shared->first, shared->bytes);
    lend_buffers(lv_draw_buf_get_handlers());
    lend_buffers(lv_draw_buf_get_image_handlers());
    return TESSERA_OK;
}

void lvt_memory_end(void)
{
    lvt_memory_forget(NULL);
    for (uint32_t i = 0; i < SIDES; i++) (void)tessera_allocation_destroy(lvt_gpu.tessera, memory.sides[i].allocation);
    (void)tessera_allocation_destroy(lvt_gpu.tessera, lvt_gpu.shared);
    lvt_gpu.shared = NULL;
    free(memory.packed);
    memset(&memory, 0, sizeof memory);
}
