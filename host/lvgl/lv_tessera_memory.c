/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Pictures in shared memory are places in one allocation over all of it. Constant
 * images that lie elsewhere are sent once, and kept until they have been unused longest. The rest travels, packed: no
 * bytes between rows.
 */
#include <stdlib.h>
#include <string.h>

#include "lvgl/lv_tessera_heap.h"
#include "lvgl/lv_draw_tessera_internal.h"

enum { SIDES = 2, IMAGES = 64, IMAGE_BYTES = 8 << 20, SEGMENTS = 8 };

/* One side of a task that travels. */
struct side {
    struct tessera_allocation *allocation;
    uint32_t capacity;
};

struct cached {
    struct picture picture; /* first NULL: free */
    struct tessera_allocation *allocation;
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
    if (is_1555_format(format)) return FORMAT_ARGB1555;
    if (is_premultiplied_format(format)) return FORMAT_ARGB8888;
    switch ((uint32_t)format) {
    case LV_COLOR_FORMAT_RGB565: return FORMAT_RGB565;
    case LV_COLOR_FORMAT_RGB888: return FORMAT_RGB888;
    case LV_COLOR_FORMAT_XRGB8888: return FORMAT_XRGB8888;
    case LV_COLOR_FORMAT_ARGB8888: return FORMAT_ARGB8888;
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

static int write_packed(struct tessera_allocation *allocation, const struct picture *picture)
{
    const uint32_t row = row_bytes(picture), bytes = row * picture->height;
    int status = need_packed(bytes);
    if (status != TESSERA_OK) return status;
    for (uint32_t y = 0; y < picture->height; y++)
        memcpy(memory.packed + (size_t)y * row, picture->first + (size_t)y * picture->stride, row);
    lvt_gpu.counts.bytes_in += bytes;
    return tessera_write(lvt_gpu.tessera, allocation, 0, memory.packed, bytes);
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
    if (status == TESSERA_OK && with_content) status = write_packed(memory.sides[side].allocation, picture);
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
    memory.image_bytes -= row_bytes(&image->picture) * image->picture.height;
    memset(image, 0, sizeof *image);
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

static struct cached *keep_image(const struct picture *picture)
{
    const uint32_t bytes = row_bytes(picture) * picture->height;
    const struct tessera_allocation_options options = {.bytes = bytes};
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
    if (tessera_allocation_create(lvt_gpu.tessera, &options, &place->allocation) != TESSERA_OK) return NULL;
    if (write_packed(place->allocation, picture) != TESSERA_OK) {
        (void)tessera_allocation_destroy(lvt_gpu.tessera, place->allocation);
        return NULL;
    }
    place->picture = *picture;
    memory.image_bytes += bytes;
    return place;
}

int lvt_memory_image(const struct picture *image, bool is_constant, struct tessera_surface *surface, bool *is_passing)
{
    *is_passing = false;
    if (lvt_memory_is_shared(image)) {
        *surface = lvt_memory_surface(image, false);
        return TESSERA_OK;
    }
    struct cached *kept = is_constant ? cached_image(image) : NULL;
    if (is_constant && kept == NULL) kept = keep_image(image);
    if (kept != NULL) {
        kept->used = ++memory.clock;
        *surface = packed_surface(kept->allocation, image);
        return TESSERA_OK;
    }
    lvt_queue_finish(); /* what was sent before may still be used */
    *is_passing = true;
    return lvt_memory_side(1, image, true, surface);
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
