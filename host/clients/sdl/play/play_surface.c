/* SPDX-License-Identifier: Apache-2.0
 *
 * The surfaces of a played recording: their views on the device and the host's copy of their pixels. Where a surface's
 * content is: `pixels` is the host's copy, current but for the bands that `is_drawn`; the PLAIN view on the device is
 * always current if it exists; other views exist only while they are current.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

/* ------------------------------------------------------------------ views */

/* A rectangle of the host's copy, of rows that the band has, into its pages. */
static int write_rows(struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band,
                      const struct recording_rect *rect)
{
    const uint32_t pitch = image_pitch(image, view), unit = pitch / image->width;
    const uint32_t top = band * image->band_rows;
    int status = TESSERA_OK;
    for (uint32_t y = rect->y; y < rect->y + rect->height && status == TESSERA_OK; y++) {
        const uint8_t *source = image->pixels + ((size_t)y * image->width + rect->x) * image->unit_bytes;
        play_view_row(view, image->format, source, rect->width, gpu->row);
        status = tessera_write(gpu->tessera, image->views[view].bands[band], (y - top) * pitch + rect->x * unit,
                               gpu->row, rect->width * unit);
    }
    return status;
}

/* All of a band: what is in it is not needed, so nothing is copied for the LOCK. */
static int write_whole(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                       const struct recording_rect *rect)
{
    bound_host_write(gpu->bound, image->views[view].told + band, true);
    int status = image_flush(gpu, image);
    if (status == TESSERA_OK && view == PLAY_PLAIN) status = play_before_write(gpu, image, band, true);
    struct tessera_allocation *allocation = image->views[view].bands[band];
    if (status == TESSERA_OK) status = tessera_lock(gpu->tessera, allocation, LOCK_DISCARD);
    if (status != TESSERA_OK) return status;
    status = write_rows(gpu, image, view, band, rect);
    int unlocked = tessera_unlock(gpu->tessera, allocation);
    return status == TESSERA_OK ? unlocked : status;
}

/* Of a surface that no draw has named: its pages can be written as they are. */
static int write_pages(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                       const struct recording_rect *rect, bool is_whole)
{
    bound_host_write(gpu->bound, image->views[view].told + band, is_whole);
    int status = view == PLAY_PLAIN ? play_before_write(gpu, image, band, is_whole) : TESSERA_OK;
    return status == TESSERA_OK ? write_rows(gpu, image, view, band, rect) : status;
}

/* Write a rectangle of the host's copy into one band of a view, which is new or not. */
static int write_band(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                      const struct recording_rect *rect, bool is_new)
{
    const uint32_t top = band * image->band_rows, height = image_view_height(image, view, band);
    struct recording_rect part = *rect;
    if (part.y < top) part.y = top;
    part.height = rect->y + rect->height < top + height ? rect->y + rect->height - part.y : top + height - part.y;
    const bool is_whole = part.width == image->width && part.height == height;
    if (image->stream == 0 || is_new) return write_pages(gpu, image, view, band, &part, is_whole);
    if (is_whole && height * image_pitch(image, view) > play_stage_bytes(gpu))
        return write_whole(gpu, image, view, band, &part);
    return play_upload(gpu, image, view, band, &part);
}

static int write_view(struct play_gpu *gpu, struct image *image, enum play_view view, const struct recording_rect *rect,
                      bool is_new)
{
    int status = TESSERA_OK;
    const uint32_t first = view == PLAY_LAPPED && rect->y != 0 ? rect->y - 1u : rect->y;
    for (uint32_t band = first / image->band_rows;
         band <= (rect->y + rect->height - 1u) / image->band_rows && status == TESSERA_OK; band++)
        status = write_band(gpu, image, view, band, rect, is_new);
    return status;
}

static int copy_lapped(struct play_gpu *gpu, struct image *image)
{
    struct tessera_blit copy = {.mode = BLIT_COPY, .width = image->width};
    int status = TESSERA_OK;
    for (uint32_t i = 0; i + 1u < 2u * image->band_count && status == TESSERA_OK; i++) {
        const uint32_t band = i / 2u, from = (i + 1u) / 2u; /* itself, then the next for one row */
        copy.target_y = from == band ? 0 : image->band_rows;
        copy.height = from == band ? image_band_height(image, band) : 1;
        status = play_make_room(gpu);
        if (status == TESSERA_OK) status = play_bind(gpu, image, PLAY_LAPPED, band, true, PLAY_SLOTS, &copy.target);
        if (status == TESSERA_OK) status = play_bind(gpu, image, PLAY_PLAIN, from, false, copy.target, &copy.source);
        if (status == TESSERA_OK) status = tessera_stream_blit(gpu->stream, &copy);
        const uint32_t bytes = copy.height * image_pitch(image, PLAY_PLAIN);
        bound_use(gpu->bound, image->views[PLAY_PLAIN].told + from, bytes, 0, false);
        bound_use(gpu->bound, image->views[PLAY_LAPPED].told + band, 0, bytes, from == band);
        bound_draw(gpu->bound, bytes, bytes, 0);
        gpu->counts.packets++;
    }
    return status;
}

static int make_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    const struct recording_rect all = {0, 0, image->width, image->height};
    const bool is_copied = view == PLAY_LAPPED && image->views[PLAY_PLAIN].bands != NULL; /* by the GPU */
    const bool is_read = image_is_drawn(image) && !is_copied;
    gpu->counts.readbacks += is_read;
    int status = is_read ? image_read_back(gpu, image) : TESSERA_OK;
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    struct tessera_allocation **bands = calloc(image->band_count, sizeof *bands);
    if (bands == NULL) return TESSERA_NO_MEMORY;
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++) {
        uint32_t told = bound_allocation(gpu->bound, image_view_height(image, view, band) * image_pitch(image, view),
                                         gpu->is_mappable);
        if (band == 0) image->views[view].told = told;
        status = image_create_band(gpu, image, view, band, &bands[band]);
    }
    image->views[view].bands = bands;
    gpu->counts.views += view != PLAY_PLAIN && !is_copied;
    if (status != TESSERA_OK) return status;
    return is_copied ? copy_lapped(gpu, image) : write_view(gpu, image, view, &all, true);
}

int image_need_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    return image->views[view].bands != NULL ? TESSERA_OK : make_view(gpu, image, view);
}

int image_need_target(struct play_gpu *gpu, struct image *image)
{
    int status = image_need_view(gpu, image, PLAY_PLAIN);
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        if (view != PLAY_PLAIN) status = image_drop_view(gpu, image, (enum play_view)view);
    return status;
}

/* ------------------------------------------------------------------ surfaces */

int image_create(struct play_gpu *gpu, const struct recording_event *event)
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
    image->bands = calloc(image->band_count, sizeof *image->bands);
    const bool is_indexed = image->format == RECORDING_INDEX8;
    if (is_indexed) image->colours = calloc(RECORDING_COLOURS, sizeof *image->colours);
    if (image->pixels == NULL || image->bands == NULL || (is_indexed && image->colours == NULL)) {
        (void)image_destroy(gpu, image); /* there is no such surface */
        return TESSERA_NO_MEMORY;
    }
    for (uint32_t i = 0; is_indexed && i < RECORDING_COLOURS; i++) image->colours[i] = 0xff000000u;
    for (uint32_t band = 0; band < image->band_count; band++) image->bands[band].is_new = true;
    if (image->format == RECORDING_XRGB8888)
        for (size_t i = 0; i < (size_t)image->width * image->height; i++) image->pixels[4 * i + 3] = 255;
    return TESSERA_OK;
}

int play_gpu_places(struct play_gpu *gpu, struct places *places)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < RECORDING_SURFACES; i++) {
        const struct image *image = &gpu->images[i];
        for (uint32_t view = 0; view < PLAY_VIEWS; view++) {
            struct tessera_allocation **bands = image->views[view].bands;
            for (uint32_t band = 0; bands != NULL && band < image->band_count && status == TESSERA_OK; band++)
                status = places_ask(places, gpu->view, gpu->tessera, bands[band]);
        }
    }
    return status;
}

int image_destroy(struct play_gpu *gpu, struct image *image)
{
    int status = TESSERA_OK;
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        status = image_drop_view(gpu, image, (enum play_view)view);
    free(image->pixels);
    free(image->bands);
    free(image->colours);
    memset(image, 0, sizeof *image);
    return status;
}

int image_update(struct play_gpu *gpu, const struct recording_event *event)
{
    struct image *image = &gpu->images[event->surface];
    size_t row_bytes = (size_t)event->rect.width * image->unit_bytes;
    int status = TESSERA_OK;
    for (uint32_t band = event->rect.y / image->band_rows;
         band <= (event->rect.y + event->rect.height - 1u) / image->band_rows; band++)
        image_change(image, band, false);
    for (uint32_t y = 0; y < event->rect.height; y++) {
        uint8_t *row = image->pixels + ((size_t)(event->rect.y + y) * image->width + event->rect.x) * image->unit_bytes;
        memcpy(row, event->pixels + y * row_bytes, row_bytes);
        if (image->format == RECORDING_XRGB8888)
            for (uint32_t x = 0; x < event->rect.width; x++) row[4 * x + 3] = 255;
    }
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        if (image->views[view].bands != NULL)
            status = write_view(gpu, image, (enum play_view)view, &event->rect, false);
    gpu->counts.updates++;
    gpu->counts.update_bytes += row_bytes * event->rect.height;
    return status;
}
