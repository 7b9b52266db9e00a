/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_gpu.h: the events of a recording as packets, and the device that draws them.
 */
#include <stdlib.h>
#include <string.h>

#include "pixel_model.h"
#include "clients/sdl/play/play_gpu_internal.h"

enum {
    ALL_SEGMENTS = LOCAL_SEGMENTS | APERTURE_SEGMENT,
    BAND_PAGES = 32,     /* longest band, where local memory is large enough */
    BANDS_PER_LOCAL = 8, /* else local memory holds so many */
};

/* ------------------------------------------------------------------ drawing */

/* Does the operation write all of the target's band? */
static bool covers(const struct recording_event *event, const struct image *target, uint32_t band)
{
    uint32_t top = band * target->band_rows, end = top + image_band_height(target, band);
    return event->rect.width == target->width && event->rect.y <= top && event->rect.y + event->rect.height >= end;
}

/* A band is drawn next, and whole if nothing of what is in it will be left; with room for that in the stream. */
static int begin_target(struct play_gpu *gpu, struct image *image, uint32_t band, bool is_whole)
{
    int status = play_before_write(gpu, image, band, is_whole);
    image_change(image, band, true);
    return status == TESSERA_OK ? play_make_room(gpu) : status;
}

static void tell_fill(struct play_gpu *gpu, const struct image *image, uint32_t band, uint32_t bytes, bool is_whole)
{
    bound_use(gpu->bound, image->views[PLAY_PLAIN].told + band, 0, bytes, is_whole);
    bound_draw(gpu->bound, 0, bytes, 0);
}

static int fill(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *image = &gpu->images[event->surface];
    const struct recording_rect *rect = &event->rect;
    uint32_t unit = image->format == RECORDING_XRGB1555 ? event->unit | 0x8000u : event->unit;
    int status = image_need_target(gpu, image);
    for (uint32_t done = 0; done < rect->height && status == TESSERA_OK;) {
        uint32_t y = rect->y + done, band = y / image->band_rows, in_band = y % image->band_rows, slot = 0;
        uint32_t rows = image_band_height(image, band) - in_band;
        if (rows > rect->height - done) rows = rect->height - done;
        status = begin_target(gpu, image, band, covers(event, image, band));
        if (status == TESSERA_OK) status = play_bind(gpu, image, PLAY_PLAIN, band, true, PLAY_SLOTS, &slot);
        if (status == TESSERA_OK)
            status = tessera_stream_fill_rect(gpu->stream, slot, rect->x, in_band, rect->width, rows, unit);
        tell_fill(gpu, image, band, rect->width * rows * image->unit_bytes, covers(event, image, band));
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
    const bool has_alpha = target->format != RECORDING_XRGB1555; /* a copy would give it that of ARGB1555 */
    blit->value = event->colour << 8 | (blit->mode != BLIT_COPY || has_alpha ? event->alpha : 255u);
    blit->is_alpha_zero = true; /* a program may fade to nothing */
    blit->is_coloured = event->colour != RECORDING_WHITE || (blit->mode == BLIT_COPY && (blit->value & 255u) != 255u);
    if (blit->mode == BLIT_BLEND) choose_blend(event, source->format, target->format, blit, view);
    else blit->is_truncated = true;
}

/* What a packet reads and writes at least, of so many units of the source. How much a key leaves out is not known. */
static void tell_blit(struct play_gpu *gpu, const struct image *source, enum play_view view, const struct image *target,
                      const struct tessera_blit *blit, const uint32_t bands[2], bool is_whole, uint32_t units,
                      bool is_mapped)
{
    const uint32_t pixels = blit->width * blit->height;
    const uint32_t from = units * (image_pitch(source, view) / source->width), to = pixels * target->unit_bytes;
    const uint32_t read = blit->mode == BLIT_COPY ? 0 : to, written = blit->is_keyed ? 0 : to;
    const bool is_moved = blit->mode == BLIT_COPY && !blit->is_coloured && !is_mapped &&
                          image_format(source, view) == image_format(target, PLAY_PLAIN);
    bound_use(gpu->bound, source->views[view].told + bands[1], from, 0, false);
    bound_use(gpu->bound, target->views[PLAY_PLAIN].told + bands[0], read, written, is_whole);
    bound_draw(gpu->bound, from + read, written, is_moved ? 0 : pixels);
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
    uint32_t band = target_y / target->band_rows;
    bool is_whole = blit->mode == BLIT_COPY && !blit->is_keyed && source != target && covers(event, target, band);
    struct palette *palette = NULL;
    int status = source->format == RECORDING_INDEX8 ? play_need_palette(gpu, source, &palette) : TESSERA_OK;
    if (status == TESSERA_OK) status = begin_target(gpu, target, band, is_whole);
    if (status == TESSERA_OK) status = play_bind(gpu, target, PLAY_PLAIN, band, true, PLAY_SLOTS, &blit->target);
    if (status == TESSERA_OK)
        status = play_bind(gpu, source, view, source_y / source->band_rows, false, blit->target, &blit->source);
    if (status == TESSERA_OK && palette != NULL) status = play_use_palette(gpu, palette);
    gpu->counts.packets++;
    tell_blit(gpu, source, view, target, blit, (const uint32_t[]){band, source_y / source->band_rows}, is_whole,
              blit->width * blit->height, false);
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

/* At least so many units of the source that such a step finds. */
static uint32_t distinct(int32_t step, uint32_t count)
{
    const uint64_t size = (uint64_t)(step < 0 ? -(int64_t)step : step);
    return size >= 65536u ? count : (uint32_t)((count - 1u) * size >> 16) + 1u;
}

/* A part of the target's rectangle that lies in one band on each side. */
static int blit_part(struct play_gpu *gpu, const struct recording_event *event, const struct tessera_blit *packet,
                     enum play_view view, const struct recording_rect *part)
{
    struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    const struct recording_map map = recording_map_from(&event->map, part->x, part->y);
    uint32_t column, row;
    recording_map_at(&map, 0, 0, &column, &row);
    const uint32_t target_y = event->rect.y + part->y, source_y = event->source_y + row;
    const uint32_t band = target_y / target->band_rows, read = source_y / source->band_rows;
    const uint32_t begin = read * source->band_rows, end = begin + image_view_height(source, view, read);
    const uint32_t top = begin > event->source_y ? begin : event->source_y;
    const uint32_t bottom = event->source_y + map.height < end ? event->source_y + map.height : end;
    struct tessera_affine affine = {.blit = *packet,
                                    .source_width = map.width,
                                    .source_height = bottom - top,
                                    .u = map.u,
                                    .v = map.v - (int32_t)((top - event->source_y) << 16),
                                    .u_x = map.u_x,
                                    .v_x = map.v_x,
                                    .u_y = map.u_y,
                                    .v_y = map.v_y,
                                    .is_filtered = map.is_filtered};
    affine.blit.target_x = event->rect.x + part->x;
    affine.blit.target_y = target_y % target->band_rows;
    affine.blit.source_x = event->source_x;
    affine.blit.source_y = top - begin;
    affine.blit.width = part->width;
    affine.blit.height = part->height;
    bool is_whole = packet->mode == BLIT_COPY && !packet->is_keyed && covers(event, target, band) &&
                    part->width == target->width && part->height == image_band_height(target, band);
    int status = begin_target(gpu, target, band, is_whole);
    if (status == TESSERA_OK) status = play_bind(gpu, target, PLAY_PLAIN, band, true, PLAY_SLOTS, &affine.blit.target);
    if (status == TESSERA_OK)
        status = play_bind(gpu, source, view, read, false, affine.blit.target, &affine.blit.source);
    gpu->counts.packets++;
    tell_blit(gpu, source, view, target, &affine.blit, (const uint32_t[]){band, read}, is_whole,
              distinct(map.u_x + map.v_x, part->width) * distinct(map.u_y + map.v_y, part->height), true);
    return status == TESSERA_OK ? tessera_stream_blit_affine(gpu->stream, &affine) : status;
}

/* The target by bands, and of each the units whose source is in one band: along the axis that its rows follow. */
static int blit_mapped(struct play_gpu *gpu, const struct recording_event *event, const struct tessera_blit *packet,
                       enum play_view view)
{
    const struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    const bool is_across = event->map.v_x != 0; /* the source's rows follow the target's columns */
    struct recording_rect part = {0, 0, event->rect.width, 0};
    int status = TESSERA_OK;
    for (; part.y < event->rect.height && status == TESSERA_OK; part.y += part.height) {
        uint32_t band_end = target->band_rows - (event->rect.y + part.y) % target->band_rows;
        part.height = event->rect.height - part.y < band_end ? event->rect.height - part.y : band_end;
        const uint32_t most = is_across ? event->rect.width : part.height;
        for (uint32_t done = 0, count; done < most && status == TESSERA_OK; done += count) {
            uint32_t column, row, band = 0;
            for (count = 0; done + count < most; count++) {
                recording_map_at(&event->map, is_across ? done + count : 0, is_across ? 0 : part.y + done + count,
                                 &column, &row);
                uint32_t here = (event->source_y + row) / source->band_rows;
                if (count == 0) band = here;
                if (here != band) break;
            }
            const struct recording_rect piece = is_across
                                                    ? (struct recording_rect){done, part.y, count, part.height}
                                                    : (struct recording_rect){0, part.y + done, part.width, count};
            status = blit_part(gpu, event, packet, view, &piece);
        }
    }
    return status;
}

/* The GPU stores XRGB1555 with alpha, and a copy from units with alpha has brought theirs along: the host puts all of
 * it back before something is drawn from there. */
static int make_opaque(struct play_gpu *gpu, struct image *image)
{
    int status = image_is_drawn(image) ? image_read_back(gpu, image) : TESSERA_OK;
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        status = image_drop_view(gpu, image, (enum play_view)view);
    image->is_clear = image->is_clear && status != TESSERA_OK;
    return status;
}

static int blit(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *target = &gpu->images[event->surface], *source = &gpu->images[event->source];
    struct tessera_blit packet = {0};
    enum play_view view;
    choose(event, source, target, &packet, &view);
    if (event->map.is_filtered && source->band_count > 1) view = PLAY_LAPPED;
    int status = source->is_clear && source != target ? make_opaque(gpu, source) : TESSERA_OK;
    if (status == TESSERA_OK) status = image_need_target(gpu, target);
    if (target->format == RECORDING_XRGB1555 && recording_has_alpha(source->format)) target->is_clear = true;
    if (status == TESSERA_OK) status = image_need_view(gpu, source, view);
    bool is_backward = source == target && (event->rect.y > event->source_y ||
                                            (event->rect.y == event->source_y && event->rect.x > event->source_x));
    if (status == TESSERA_OK && event->map.width != 0) status = blit_mapped(gpu, event, &packet, view);
    else if (status == TESSERA_OK)
        status = is_backward ? blit_backward(gpu, event, &packet) : blit_forward(gpu, event, &packet, view);
    gpu->counts.mapped += event->map.width != 0;
    gpu->counts.blits[event->mode]++;
    gpu->counts.modulated += event->colour != RECORDING_WHITE;
    gpu->counts.pixels += (uint64_t)event->rect.width * event->rect.height;
    return status;
}

int play_gpu_event(struct play_gpu *gpu, const struct recording_event *event)
{
    gpu->operation++;
    gpu->images[event->surface].last_use = gpu->operation;
    if (event->kind == RECORDING_BLIT) gpu->images[event->source].last_use = gpu->operation;
    switch (event->kind) {
    case RECORDING_SURFACE: return image_create(gpu, event);
    case RECORDING_FREE: return image_destroy(gpu, &gpu->images[event->surface]);
    case RECORDING_PIXELS: return image_update(gpu, event);
    case RECORDING_PALETTE: image_set_palette(&gpu->images[event->surface], event->colours); return TESSERA_OK;
    case RECORDING_FILL: return fill(gpu, event);
    case RECORDING_BLIT: return blit(gpu, event);
    case RECORDING_END:
    case RECORDING_PRESENT:
    case RECORDING_LEFT:
    case RECORDING_BECAUSE:
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
    case RECORDING_KINDS: break;
    }
    return TESSERA_MISUSE;
}

int play_gpu_spoil(struct play_gpu *gpu, uint32_t surface)
{
    struct image *image = &gpu->images[surface];
    uint8_t byte = 0;
    int status = image_need_view(gpu, image, PLAY_PLAIN);
    image_change(image, 0, true);
    if (status == TESSERA_OK) status = play_drain(gpu);
    if (status == TESSERA_OK) status = tessera_read(gpu->tessera, image->views[PLAY_PLAIN].bands[0], 0, &byte, 1);
    byte = (uint8_t)~byte;
    return status == TESSERA_OK ? tessera_write(gpu->tessera, image->views[PLAY_PLAIN].bands[0], 0, &byte, 1) : status;
}

/* ------------------------------------------------------------------ the device */

void play_gpu_tell(struct play_gpu *gpu, struct bound *bound) { gpu->bound = bound; }

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
    if (status == TESSERA_OK) status = play_drop_screen(gpu);
    for (uint32_t i = 0; i < RECORDING_SURFACES && status == TESSERA_OK; i++) {
        struct image *image = &gpu->images[i];
        if (image->exists && image_is_drawn(image)) status = image_read_back(gpu, image);
        for (uint32_t view = 0; view < PLAY_VIEWS && image->exists && status == TESSERA_OK; view++)
            status = image_drop_view(gpu, image, (enum play_view)view);
    }
    (void)play_drop_spares(gpu);
    if (status == TESSERA_OK) status = play_drop_palettes(gpu);
    if (status == TESSERA_OK) status = play_drop_stages(gpu);
    if (status == TESSERA_OK) status = play_await_answers(gpu);
    if (status == TESSERA_OK) status = tessera_context_destroy(gpu->tessera, gpu->context);
    return status;
}

struct play_gpu *play_gpu_create(uint32_t local_pages, bool is_copied)
{
    uint32_t band_pages = local_pages / BANDS_PER_LOCAL < BAND_PAGES ? local_pages / BANDS_PER_LOCAL : BAND_PAGES;
    struct play_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) return NULL;
    gpu->local_pages = local_pages;
    gpu->is_mappable = !is_copied;
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
        free(gpu->images[i].bands);
        free(gpu->images[i].colours);
    }
    for (uint32_t i = 0; i <= PLAY_IN_FLIGHT; i++) {
        free(gpu->flights[i].pixels);
        free(gpu->flights[i].bands);
    }
    tessera_stream_destroy(gpu->stream);
    free(gpu->row);
    free(gpu);
}

const struct play_counts *play_gpu_counts(const struct play_gpu *gpu) { return &gpu->counts; }
