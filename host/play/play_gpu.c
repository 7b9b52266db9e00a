/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_gpu.h. Where a surface's content is: `pixels` is the host's copy, current unless `is_drawn`; the PLAIN view
 * on the device is always current if it exists; other views exist only while they are current.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pixel_model.h"
#include "play/play_gpu_internal.h"

enum {
    SEGMENT1 = 1,
    SEGMENT2 = 2,
    LOCAL_SEGMENTS = 3, /* bits of a set */
    ALL_SEGMENTS = 7,
    BAND_PAGES = 32,                               /* longest band, where local memory is large enough */
    BANDS_PER_LOCAL = 8,                           /* else local memory holds so many */
    ALLOCATION_ROOM = LIMIT_BITS_ALLOCATIONS - 24, /* used at a time; the device has some more */
};

/* The stream may not go on naming memory that is about to change. */
static int flush_image(struct play_gpu *gpu, const struct image *image)
{
    return image->stream == gpu->stream_number ? play_flush(gpu) : TESSERA_OK;
}

/* ------------------------------------------------------------------ views */

uint32_t image_format(const struct image *image, enum play_view view)
{
    static const uint32_t formats[RECORDING_FORMATS] = {
        [RECORDING_RGB565] = FORMAT_RGB565,     [RECORDING_XRGB8888] = FORMAT_XRGB8888,
        [RECORDING_ARGB8888] = FORMAT_ARGB8888, [RECORDING_RGB888] = FORMAT_RGB888,
        [RECORDING_ARGB1555] = FORMAT_ARGB1555, [RECORDING_XRGB1555] = FORMAT_ARGB1555};
    return view == PLAY_PLAIN ? formats[image->format] : FORMAT_ARGB8888;
}

uint32_t image_pitch(const struct image *image, enum play_view view)
{
    return image->width * (view == PLAY_PLAIN ? image->unit_bytes : 4u);
}

uint32_t image_band_height(const struct image *image, uint32_t band)
{
    uint32_t first = band * image->band_rows;
    return image->height - first < image->band_rows ? image->height - first : image->band_rows;
}

static int drop_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    struct tessera_allocation **bands = image->views[view].bands;
    if (bands == NULL) return TESSERA_OK;
    int status = flush_image(gpu, image);
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++) {
        gpu->allocation_count -= bands[band] != NULL;
        status = tessera_allocation_destroy(gpu->tessera, bands[band]);
    }
    free(bands);
    image->views[view].bands = NULL;
    return status;
}

/* The host's copy takes over what the GPU has drawn. */
static int read_back(struct play_gpu *gpu, struct image *image)
{
    uint32_t row_bytes = image->width * image->unit_bytes;
    int status = play_drain(gpu);
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++)
        status = tessera_read(gpu->tessera, image->views[PLAY_PLAIN].bands[band], 0,
                              image->pixels + (size_t)band * image->band_rows * row_bytes,
                              image_band_height(image, band) * row_bytes);
    image->is_drawn = status != TESSERA_OK;
    return status;
}

/* Write a rectangle of the host's copy into one band of a view. */
static int write_band(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                      const struct recording_rect *rect)
{
    uint32_t top = band * image->band_rows, pitch = image_pitch(image, view);
    uint32_t from = rect->y > top ? rect->y : top, end = top + image_band_height(image, band);
    uint32_t unit = pitch / image->width, source_pitch = image->width * image->unit_bytes;
    struct tessera_allocation *allocation = image->views[view].bands[band];
    if (end > rect->y + rect->height) end = rect->y + rect->height;
    bool is_locked = image->stream != 0; /* the GPU has never seen it: its pages can be written as they are */
    int status = is_locked ? tessera_lock(gpu->tessera, allocation, 0) : TESSERA_OK;
    for (uint32_t y = from; y < end && status == TESSERA_OK; y++) {
        const uint8_t *source = image->pixels + (size_t)y * source_pitch + (size_t)rect->x * image->unit_bytes;
        play_view_row(view, image->format, source, rect->width, gpu->row);
        status =
            tessera_write(gpu->tessera, allocation, (y - top) * pitch + rect->x * unit, gpu->row, rect->width * unit);
    }
    if (status == TESSERA_OK && is_locked) status = tessera_unlock(gpu->tessera, allocation);
    return status;
}

static int write_view(struct play_gpu *gpu, struct image *image, enum play_view view, const struct recording_rect *rect)
{
    int status = flush_image(gpu, image);
    for (uint32_t band = rect->y / image->band_rows;
         band <= (rect->y + rect->height - 1u) / image->band_rows && status == TESSERA_OK; band++)
        status = write_band(gpu, image, view, band, rect);
    return status;
}

/* Allocations are used up: the surface used longest ago lives on the host alone from now on. */
static int drop_oldest(struct play_gpu *gpu)
{
    struct image *oldest = NULL;
    for (uint32_t i = 0; i < RECORDING_SURFACES; i++) {
        struct image *image = &gpu->images[i];
        bool has_view = false;
        for (uint32_t view = 0; view < PLAY_VIEWS; view++) has_view = has_view || image->views[view].bands != NULL;
        if (has_view && image->last_use < gpu->operation && (oldest == NULL || image->last_use < oldest->last_use))
            oldest = image;
    }
    if (oldest == NULL) return TESSERA_NO_MEMORY;
    int status = oldest->is_drawn ? read_back(gpu, oldest) : TESSERA_OK;
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        status = drop_view(gpu, oldest, (enum play_view)view);
    gpu->counts.dropped++;
    return status;
}

static int create_band(struct play_gpu *gpu, const struct tessera_allocation_options *options,
                       struct tessera_allocation **allocation)
{
    int status = TESSERA_OK;
    while (gpu->allocation_count >= ALLOCATION_ROOM && status == TESSERA_OK) status = drop_oldest(gpu);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu->tessera, options, allocation);
    while (status == TESSERA_NO_MEMORY && drop_oldest(gpu) == TESSERA_OK)
        status = tessera_allocation_create(gpu->tessera, options, allocation);
    gpu->allocation_count += status == TESSERA_OK;
    return status;
}

static void name_band(const struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band,
                      const struct tessera_allocation *allocation)
{
    static const char *const views[PLAY_VIEWS] = {"", " premultiplied", " alpha of 5 bits"};
    char name[64];
    snprintf(name, sizeof name, "surface %u%s, rows %u..", (unsigned)(image - gpu->images), views[view],
             band * image->band_rows);
    view_name(gpu->view, tessera_allocation_handle(allocation), name);
}

static int make_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    const struct recording_rect all = {0, 0, image->width, image->height};
    struct tessera_allocation_options options = {.flags = ALLOCATION_CPU_VISIBLE,
                                                 .read_set = gpu->surface_set,
                                                 .write_set = gpu->surface_set,
                                                 .preferred = tessera_prefer(SEGMENT2, SEGMENT1, 0)};
    gpu->counts.readbacks += image->is_drawn;
    int status = image->is_drawn ? read_back(gpu, image) : TESSERA_OK;
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    struct tessera_allocation **bands = calloc(image->band_count, sizeof *bands);
    if (bands == NULL) return TESSERA_NO_MEMORY;
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++) {
        options.bytes = image_band_height(image, band) * image_pitch(image, view);
        status = create_band(gpu, &options, &bands[band]);
        if (status == TESSERA_OK) name_band(gpu, image, view, band, bands[band]);
    }
    image->views[view].bands = bands;
    gpu->counts.views += view != PLAY_PLAIN;
    return status == TESSERA_OK ? write_view(gpu, image, view, &all) : status;
}

static int need_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    return image->views[view].bands != NULL ? TESSERA_OK : make_view(gpu, image, view);
}

/* The surface is about to be drawn: only the PLAIN view stays. */
static int need_target(struct play_gpu *gpu, struct image *image)
{
    int status = need_view(gpu, image, PLAY_PLAIN);
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        if (view != PLAY_PLAIN) status = drop_view(gpu, image, (enum play_view)view);
    image->is_drawn = true;
    return status;
}

/* ------------------------------------------------------------------ drawing */

static int fill(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *image = &gpu->images[event->surface];
    const struct recording_rect *rect = &event->rect;
    uint32_t unit = image->format == RECORDING_XRGB1555 ? event->unit | 0x8000u : event->unit;
    int status = need_target(gpu, image);
    for (uint32_t done = 0; done < rect->height && status == TESSERA_OK;) {
        uint32_t y = rect->y + done, band = y / image->band_rows, in_band = y % image->band_rows, slot = 0;
        uint32_t rows = image_band_height(image, band) - in_band;
        if (rows > rect->height - done) rows = rect->height - done;
        status = play_make_room(gpu);
        if (status == TESSERA_OK) status = play_bind(gpu, image, PLAY_PLAIN, band, true, PLAY_SLOTS, &slot);
        if (status == TESSERA_OK)
            status = tessera_stream_fill_rect(gpu->stream, slot, rect->x, in_band, rect->width, rows, unit);
        done += rows;
        gpu->counts.packets++;
    }
    gpu->counts.fills++;
    gpu->counts.pixels += (uint64_t)rect->width * rect->height;
    return status;
}

/* Which of SDL's blends is a fast one. All others divide by 255: TRUNCATED. */
static void choose_blend(const struct recording_event *event, enum recording_format source,
                         enum recording_format target, struct tessera_blit *blit, enum play_view *view)
{
    bool is_15 = source == RECORDING_XRGB1555 && target == RECORDING_XRGB1555;
    if (source == RECORDING_ARGB8888 && target == RECORDING_XRGB8888) {
        *view = PLAY_SDL32;
        blit->is_premultiplied = blit->is_by_256 = true;
    } else if (source == RECORDING_ARGB8888 && target == RECORDING_RGB565) {
        *view = PLAY_SDL16;
        blit->is_by_256 = true;
        /* analyse: bugprone-branch-clone: the pairs of formats in the order of SDL's own table */
    } else if (blit->is_keyed) {
        blit->is_truncated = true;
    } else if (source == RECORDING_XRGB8888 && target == RECORDING_XRGB8888) {
        blit->is_by_256 = true;
    } else if (is_15 || (source == RECORDING_RGB565 && target == RECORDING_RGB565)) {
        blit->is_by_256 = true;
        blit->value = event->alpha & ~7u; /* of which SDL takes 5 bits */
    } else {
        blit->is_truncated = true;
    }
}

/* How the engine does what the event says: mode, flags, value and view of the source. */
static void choose(const struct recording_event *event, const struct image *source, const struct image *target,
                   struct tessera_blit *blit, enum play_view *view)
{
    static const uint32_t modes[RECORDING_MODES] = {[RECORDING_COPY] = BLIT_COPY,
                                                    [RECORDING_BLEND] = BLIT_BLEND,
                                                    [RECORDING_ADD] = BLIT_ADD,
                                                    [RECORDING_MOD] = BLIT_MOD};
    *view = PLAY_PLAIN;
    blit->mode = modes[recording_unkeyed(event->mode)];
    blit->is_keyed = recording_is_keyed(event->mode);
    blit->key = event->key & pixel_colour_mask(image_format(source, PLAY_PLAIN));
    blit->value = event->colour << 8 | event->alpha;
    blit->is_coloured = event->colour != RECORDING_WHITE || (blit->mode == BLIT_COPY && event->alpha != 255);
    if (blit->mode == BLIT_BLEND) choose_blend(event, source->format, target->format, blit, view);
    else blit->is_truncated = true;
}

/* Rows [first, first + rows) of the blit, which lie in one band on each side. */
static int blit_rows(struct play_gpu *gpu, const struct recording_event *event, struct tessera_blit *blit,
                     enum play_view view, uint32_t first, uint32_t rows)
{
    struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    uint32_t target_y = event->rect.y + first, source_y = event->source_y + first;
    blit->target_x = event->rect.x;
    blit->target_y = target_y % target->band_rows;
    blit->source_x = event->source_x;
    blit->source_y = source_y % source->band_rows;
    blit->width = event->rect.width;
    blit->height = rows;
    int status = play_make_room(gpu);
    if (status == TESSERA_OK)
        status = play_bind(gpu, target, PLAY_PLAIN, target_y / target->band_rows, true, PLAY_SLOTS, &blit->target);
    if (status == TESSERA_OK)
        status = play_bind(gpu, source, view, source_y / source->band_rows, false, blit->target, &blit->source);
    gpu->counts.packets++;
    return status == TESSERA_OK ? tessera_stream_blit(gpu->stream, blit) : status;
}

static int blit_forward(struct play_gpu *gpu, const struct recording_event *event, struct tessera_blit *blit,
                        enum play_view view)
{
    const struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    int status = TESSERA_OK;
    for (uint32_t done = 0, rows; done < event->rect.height && status == TESSERA_OK; done += rows) {
        uint32_t in_target = target->band_rows - (event->rect.y + done) % target->band_rows;
        uint32_t in_source = source->band_rows - (event->source_y + done) % source->band_rows;
        rows = event->rect.height - done;
        if (rows > in_target) rows = in_target;
        if (rows > in_source) rows = in_source;
        status = blit_rows(gpu, event, blit, view, done, rows);
    }
    return status;
}

/* From the last row up, for a surface copied down or right onto itself. */
static int blit_backward(struct play_gpu *gpu, const struct recording_event *event, struct tessera_blit *blit)
{
    const struct image *image = &gpu->images[event->surface];
    int status = TESSERA_OK;
    blit->is_reverse = true;
    for (uint32_t left = event->rect.height, rows; left > 0 && status == TESSERA_OK; left -= rows) {
        uint32_t in_target = (event->rect.y + left - 1u) % image->band_rows + 1u;
        uint32_t in_source = (event->source_y + left - 1u) % image->band_rows + 1u;
        rows = left;
        if (rows > in_target) rows = in_target;
        if (rows > in_source) rows = in_source;
        status = blit_rows(gpu, event, blit, PLAY_PLAIN, left - rows, rows);
    }
    return status;
}

static int blit(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    struct tessera_blit packet = {0};
    enum play_view view;
    choose(event, source, target, &packet, &view);
    int status = need_target(gpu, target);
    if (status == TESSERA_OK) status = need_view(gpu, source, view);
    bool is_backward = source == target && (event->rect.y > event->source_y ||
                                            (event->rect.y == event->source_y && event->rect.x > event->source_x));
    if (status == TESSERA_OK)
        status = is_backward ? blit_backward(gpu, event, &packet) : blit_forward(gpu, event, &packet, view);
    gpu->counts.blits[event->mode]++;
    gpu->counts.modulated += event->colour != RECORDING_WHITE;
    gpu->counts.pixels += (uint64_t)event->rect.width * event->rect.height;
    return status;
}

/* ------------------------------------------------------------------ surfaces */

static int make_image(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *image = &gpu->images[event->surface];
    memset(image, 0, sizeof *image);
    image->exists = true;
    image->format = event->format;
    image->width = event->rect.width;
    image->height = event->rect.height;
    image->unit_bytes = recording_unit_bytes((uint32_t)event->format);
    image->band_rows = gpu->band_bytes / (4u * image->width);
    if (image->band_rows == 0) image->band_rows = 1;
    image->band_count = (image->height + image->band_rows - 1u) / image->band_rows;
    image->pixels = calloc((size_t)image->width * image->height, image->unit_bytes);
    if (image->pixels == NULL) return TESSERA_NO_MEMORY;
    if (image->format == RECORDING_XRGB8888)
        for (size_t i = 0; i < (size_t)image->width * image->height; i++) image->pixels[4 * i + 3] = 255;
    return TESSERA_OK;
}

static int free_image(struct play_gpu *gpu, struct image *image)
{
    int status = TESSERA_OK;
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        status = drop_view(gpu, image, (enum play_view)view);
    free(image->pixels);
    memset(image, 0, sizeof *image);
    return status;
}

static int update(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *image = &gpu->images[event->surface];
    size_t row_bytes = (size_t)event->rect.width * image->unit_bytes;
    int status = TESSERA_OK;
    for (uint32_t y = 0; y < event->rect.height; y++) {
        uint8_t *row = image->pixels + ((size_t)(event->rect.y + y) * image->width + event->rect.x) * image->unit_bytes;
        memcpy(row, event->pixels + y * row_bytes, row_bytes);
        if (image->format == RECORDING_XRGB8888)
            for (uint32_t x = 0; x < event->rect.width; x++) row[4 * x + 3] = 255;
    }
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        if (image->views[view].bands != NULL) status = write_view(gpu, image, (enum play_view)view, &event->rect);
    gpu->counts.updates++;
    gpu->counts.update_bytes += row_bytes * event->rect.height;
    return status;
}

int play_gpu_event(struct play_gpu *gpu, const struct recording_event *event)
{
    gpu->operation++;
    gpu->images[event->surface].last_use = gpu->operation;
    if (event->kind == RECORDING_BLIT) gpu->images[event->source].last_use = gpu->operation;
    switch (event->kind) {
    case RECORDING_SURFACE: return make_image(gpu, event);
    case RECORDING_FREE: return free_image(gpu, &gpu->images[event->surface]);
    case RECORDING_PIXELS: return update(gpu, event);
    case RECORDING_FILL: return fill(gpu, event);
    case RECORDING_BLIT: return blit(gpu, event);
    case RECORDING_END:
    case RECORDING_PRESENT:
    case RECORDING_KINDS: break;
    }
    return TESSERA_MISUSE;
}

int play_gpu_wait(struct play_gpu *gpu) { return play_drain(gpu); }

int play_gpu_present(struct play_gpu *gpu, uint32_t surface, const uint8_t **pixels)
{
    struct image *image = &gpu->images[surface];
    image->last_use = ++gpu->operation;
    int status = need_view(gpu, image, PLAY_PLAIN);
    if (status == TESSERA_OK) status = read_back(gpu, image);
    *pixels = image->pixels;
    return status;
}

int play_gpu_spoil(struct play_gpu *gpu, uint32_t surface)
{
    struct image *image = &gpu->images[surface];
    uint8_t byte = 0;
    int status = need_view(gpu, image, PLAY_PLAIN);
    if (status == TESSERA_OK) status = play_drain(gpu);
    if (status == TESSERA_OK) status = tessera_read(gpu->tessera, image->views[PLAY_PLAIN].bands[0], 0, &byte, 1);
    byte = (uint8_t)~byte;
    return status == TESSERA_OK ? tessera_write(gpu->tessera, image->views[PLAY_PLAIN].bands[0], 0, &byte, 1) : status;
}

/* ------------------------------------------------------------------ the device */

void play_gpu_watch(struct play_gpu *gpu, struct view *view) { gpu->view = view; }

int play_gpu_enter(struct play_gpu *gpu, struct tessera *tessera)
{
    gpu->tessera = tessera;
    for (uint32_t i = 0; i < RECORDING_SURFACES; i++) gpu->images[i].stream = 0;
    gpu->stream_number = 1;
    return tessera_context_create(tessera, 0, 0, &gpu->context);
}

int play_gpu_leave(struct play_gpu *gpu)
{
    int status = play_drain(gpu);
    for (uint32_t i = 0; i < RECORDING_SURFACES && status == TESSERA_OK; i++) {
        struct image *image = &gpu->images[i];
        if (image->exists && image->is_drawn) status = read_back(gpu, image);
        for (uint32_t view = 0; view < PLAY_VIEWS && image->exists && status == TESSERA_OK; view++)
            status = drop_view(gpu, image, (enum play_view)view);
    }
    if (status == TESSERA_OK) status = tessera_context_destroy(gpu->tessera, gpu->context);
    return status;
}

struct play_gpu *play_gpu_create(uint32_t local_pages, bool is_copied)
{
    uint32_t band_pages = local_pages / BANDS_PER_LOCAL < BAND_PAGES ? local_pages / BANDS_PER_LOCAL : BAND_PAGES;
    struct play_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) return NULL;
    gpu->local_pages = local_pages;
    gpu->surface_set = is_copied ? LOCAL_SEGMENTS : ALL_SEGMENTS;
    gpu->band_bytes = (band_pages != 0 ? band_pages : 1u) * GPU_LIMIT(PAGE_BYTES);
    gpu->stream = tessera_stream_create();
    gpu->row = malloc(4u * RECORDING_SIDE);
    if (gpu->stream != NULL && gpu->row != NULL) return gpu;
    play_gpu_destroy(gpu);
    return NULL;
}

void play_gpu_destroy(struct play_gpu *gpu)
{
    if (gpu == NULL) return;
    for (uint32_t i = 0; i < RECORDING_SURFACES; i++) {
        for (uint32_t view = 0; view < PLAY_VIEWS; view++) free(gpu->images[i].views[view].bands);
        free(gpu->images[i].pixels);
    }
    tessera_stream_destroy(gpu->stream);
    free(gpu->row);
    free(gpu);
}

const struct play_counts *play_gpu_counts(const struct play_gpu *gpu) { return &gpu->counts; }
