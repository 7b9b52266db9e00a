/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations of a played recording: room is made for them by what the host can take back.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clients/sdl/play/play_gpu_internal.h"

enum {
    SEGMENT1 = 1,
    SEGMENT2 = 2,
    ALLOCATION_ROOM = LIMIT_BITS_ALLOCATIONS - 24, /* used at a time; the device has some more */
};

int image_flush(struct play_gpu *gpu, const struct image *image)
{
    return image->stream == gpu->stream_number ? play_flush(gpu) : TESSERA_OK;
}

int image_drop_view(struct play_gpu *gpu, struct image *image, enum play_view view)
{
    struct tessera_allocation **bands = image->views[view].bands;
    if (bands == NULL) return TESSERA_OK;
    int status = view == PLAY_PLAIN ? play_settle(gpu, image) : TESSERA_OK;
    if (status == TESSERA_OK) status = image_flush(gpu, image);
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++)
        status = play_release(gpu, bands[band]);
    free(bands);
    image->views[view].bands = NULL;
    return status;
}

int image_read_back(struct play_gpu *gpu, struct image *image)
{
    uint32_t row_bytes = image->width * image->unit_bytes;
    int status = play_drain(gpu);
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++) {
        if (!image->bands[band].is_drawn) continue;
        bound_host_read(gpu->bound, image->views[PLAY_PLAIN].told + band);
        status = tessera_read(gpu->tessera, image->views[PLAY_PLAIN].bands[band], 0,
                              image->pixels + (size_t)band * image->band_rows * row_bytes,
                              image_band_height(image, band) * row_bytes);
        image->bands[band].is_drawn = status != TESSERA_OK;
    }
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
    int status = image_is_drawn(oldest) ? image_read_back(gpu, oldest) : TESSERA_OK;
    for (uint32_t view = 0; view < PLAY_VIEWS && status == TESSERA_OK; view++)
        status = image_drop_view(gpu, oldest, (enum play_view)view);
    gpu->counts.dropped++;
    return status;
}

/* Room for one more allocation: what is being destroyed, what is spare, the surface used longest ago. */
static int make_allocation_room(struct play_gpu *gpu)
{
    if (gpu->answer_count == 0 && !play_drop_spares(gpu)) return drop_oldest(gpu);
    return play_await_answers(gpu);
}

int play_create_allocation(struct play_gpu *gpu, uint32_t bytes, uint32_t segments,
                           struct tessera_allocation **allocation)
{
    const bool is_local = (segments & LOCAL_SEGMENTS) == LOCAL_SEGMENTS;
    const struct tessera_allocation_options options = {.bytes = bytes,
                                                       .flags = ALLOCATION_CPU_VISIBLE,
                                                       .read_set = segments,
                                                       .write_set = segments,
                                                       .preferred =
                                                           is_local ? tessera_prefer(SEGMENT2, SEGMENT1, 0) : 0};
    int status = TESSERA_OK;
    while (gpu->allocation_count >= ALLOCATION_ROOM && status == TESSERA_OK) status = make_allocation_room(gpu);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu->tessera, &options, allocation);
    while (status == TESSERA_NO_MEMORY && make_allocation_room(gpu) == TESSERA_OK)
        status = tessera_allocation_create(gpu->tessera, &options, allocation);
    gpu->allocation_count += status == TESSERA_OK;
    return status;
}

static void name_band(const struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band,
                      const struct tessera_allocation *allocation)
{
    static const char *const views[PLAY_VIEWS] = {"", " premultiplied", " alpha of 5 bits", " to be filtered"};
    char name[64];
    snprintf(name, sizeof name, "surface %u%s, rows %u..", (unsigned)(image - gpu->images), views[view],
             band * image->band_rows);
    view_name(gpu->view, tessera_allocation_handle(allocation), name);
}

void play_show_band(const struct play_gpu *gpu, const struct image *image, uint32_t band,
                    const struct tessera_allocation *allocation)
{
    char name[32];
    const struct view_surface surface = {.id = (uint32_t)(image - gpu->images),
                                         .width = image->width,
                                         .height = image->height,
                                         .format = image_format(image, PLAY_PLAIN),
                                         .row = band * image->band_rows,
                                         .name = name};
    snprintf(name, sizeof name, "surface %u", surface.id);
    view_surface(gpu->view, tessera_allocation_handle(allocation), &surface);
}

void play_name_screen(const struct play_gpu *gpu, const struct image *image,
                      const struct tessera_allocation *allocation)
{
    char name[32];
    snprintf(name, sizeof name, "surface %u, shown", (unsigned)(image - gpu->images));
    view_name(gpu->view, tessera_allocation_handle(allocation), name);
}

int image_create_band(struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band,
                      struct tessera_allocation **allocation)
{
    int status = play_create_allocation(gpu, image_view_height(image, view, band) * image_pitch(image, view),
                                        gpu->surface_set, allocation);
    if (status == TESSERA_OK) name_band(gpu, image, view, band, *allocation);
    if (status == TESSERA_OK && view == PLAY_PLAIN) play_show_band(gpu, image, band, *allocation);
    return status;
}
