/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames in flight. A frame that has been presented keeps the allocations that it shows until it is done and read;
 * the next one is drawn meanwhile. Each band of the surface shown is in one of three states:
 *
 *   nothing was drawn since a frame read it    its rows are those of the host's copy: no LOCK at all
 *   the next frame leaves it alone, so far     it is read from the allocation that it is in
 *   the next frame is about to write it        whole: the frame keeps this allocation, the surface goes on in a spare
 *                                              one, and nothing waits; in part: the frame is waited for and read first
 *
 * A LOCK overtakes the DMA buffers that do not name its allocation (docs/security.md), and allocations that a frame
 * keeps are named by no later buffer: so a frame is read while the next one is examined and drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

/* What the flight shows of a band: rows that the host has, or the allocation to read them from. */
static void show_band(struct play_gpu *gpu, struct flight *flight, uint32_t band)
{
    struct image *image = flight->image;
    const struct band_state *state = &image->bands[band];
    struct shown_band *shown = &flight->bands[band];
    *shown = (struct shown_band){.version = state->version};
    if (state->is_new) {
        shown->allocation = image->views[PLAY_PLAIN].bands[band];
        bound_host_read(gpu->bound, image->views[PLAY_PLAIN].told + band);
    } else {
        memcpy(flight->pixels + image_band_offset(image, band), image->pixels + image_band_offset(image, band),
               image_band_bytes(image, band));
    }
}

static void begin_flight(struct play_gpu *gpu)
{
    struct flight *flight = play_flight(gpu, gpu->frame);
    free(flight->pixels);
    free(flight->bands);
    *flight = (struct flight){.number = gpu->frame};
}

int play_gpu_begin(struct play_gpu *gpu)
{
    int status = play_drain(gpu);
    bound_clear(gpu->bound);
    gpu->frame = gpu->first_flight = gpu->begun = 0;
    begin_flight(gpu);
    return status;
}

int play_gpu_present(struct play_gpu *gpu, uint32_t surface)
{
    struct image *image = &gpu->images[surface];
    struct flight *flight = play_flight(gpu, gpu->frame);
    if (gpu->frame - gpu->first_flight >= PLAY_IN_FLIGHT) return TESSERA_MISUSE;
    image->last_use = ++gpu->operation;
    int status = image_need_view(gpu, image, PLAY_PLAIN);
    if (status == TESSERA_OK) status = play_flush(gpu);
    if (status != TESSERA_OK) return status;
    flight->image = image;
    flight->pixels = malloc(image_row_bytes(image) * image->height);
    flight->bands = calloc(image->band_count, sizeof *flight->bands);
    if (flight->pixels == NULL || flight->bands == NULL) return TESSERA_NO_MEMORY;
    for (uint32_t band = 0; band < image->band_count; band++) show_band(gpu, flight, band);
    flight->is_presented = true;
    bound_frame(gpu->bound);
    gpu->frame++;
    begin_flight(gpu);
    return TESSERA_OK;
}

void play_end_frame(struct play_gpu *gpu)
{
    struct flight *flight = play_flight(gpu, gpu->frame);
    flight->is_presented = flight->is_read = true;
    bound_frame(gpu->bound);
    gpu->first_flight = ++gpu->frame;
    begin_flight(gpu);
}

uint32_t play_gpu_presented(const struct play_gpu *gpu) { return gpu->frame - gpu->first_flight; }

int play_gpu_take(struct play_gpu *gpu, const uint8_t **pixels, struct play_work *work)
{
    struct flight *flight = play_flight(gpu, gpu->first_flight);
    if (play_gpu_presented(gpu) == 0) return TESSERA_MISUSE;
    int status = play_read_frame(gpu, gpu->first_flight);
    if (status != TESSERA_OK) return status;
    *pixels = flight->pixels;
    *work = flight->work;
    gpu->first_flight++;
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ failures */

uint32_t play_gpu_failed_frame(const struct play_gpu *gpu) { return gpu->has_failed ? gpu->failed_frame : gpu->frame; }

const char *play_gpu_message(const struct play_gpu *gpu)
{
    return gpu->has_failed ? gpu->failure : tessera_message(gpu->tessera);
}
