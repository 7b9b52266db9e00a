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

static size_t row_bytes(const struct image *image) { return (size_t)image->width * image->unit_bytes; }

static size_t band_offset(const struct image *image, uint32_t band)
{
    return (size_t)band * image->band_rows * row_bytes(image);
}

static size_t band_bytes(const struct image *image, uint32_t band)
{
    return image_band_height(image, band) * row_bytes(image);
}

/* ------------------------------------------------------------------ spare allocations */

static void keep_spare(struct play_gpu *gpu, struct tessera_allocation *allocation)
{
    if (gpu->spare_count < PLAY_SPARES) gpu->spares[gpu->spare_count++] = allocation;
    else (void)play_release(gpu, allocation);
}

bool play_drop_spares(struct play_gpu *gpu)
{
    bool had_any = gpu->spare_count != 0;
    while (gpu->spare_count != 0) (void)play_release(gpu, gpu->spares[--gpu->spare_count]);
    return had_any;
}

/* An allocation as large as the band's, whatever is in it. */
static int take_spare(struct play_gpu *gpu, struct image *image, uint32_t band, struct tessera_allocation **allocation)
{
    uint32_t bytes = tessera_allocation_bytes(image->views[PLAY_PLAIN].bands[band]);
    for (uint32_t i = 0; i < gpu->spare_count; i++) {
        if (tessera_allocation_bytes(gpu->spares[i]) != bytes) continue;
        *allocation = gpu->spares[i];
        gpu->spares[i] = gpu->spares[--gpu->spare_count];
        return TESSERA_OK;
    }
    return image_create_band(gpu, image, band, allocation);
}

/* ------------------------------------------------------------------ reading a frame */

static bool is_to_be_read(const struct flight *flight, const struct image *image)
{
    return flight->is_presented && !flight->is_read && flight->image == image;
}

/* Its rows are in the frame's pixels: the allocation is not needed any more, and the host's copy has them, too, if
 * nothing has changed the band since. */
static void take_rows(struct play_gpu *gpu, struct flight *flight, uint32_t band)
{
    struct image *image = flight->image;
    struct shown_band *shown = &flight->bands[band];
    struct band_state *state = &image->bands[band];
    if (shown->is_own) keep_spare(gpu, shown->allocation);
    shown->allocation = NULL;
    if (state->version != shown->version) return;
    memcpy(image->pixels + band_offset(image, band), flight->pixels + band_offset(image, band),
           band_bytes(image, band));
    state->is_drawn = state->is_new = false;
}

int play_unlock(struct play_gpu *gpu, struct tessera_allocation *allocation)
{
    struct answer *answer;
    int status = play_answer_room(gpu, &answer);
    if (status == TESSERA_OK) status = tessera_unlock_begin(gpu->tessera, allocation, &answer->ticket);
    gpu->answer_count += status == TESSERA_OK;
    return status;
}

/* The LOCK is under way. */
static int read_locked(struct play_gpu *gpu, struct flight *flight, uint32_t band, tessera_ticket ticket)
{
    const struct image *image = flight->image;
    struct tessera_allocation *allocation = flight->bands[band].allocation;
    int status = tessera_wait(gpu->tessera, ticket, NULL);
    if (status != TESSERA_OK) return status;
    status = tessera_read(gpu->tessera, allocation, 0, flight->pixels + band_offset(image, band),
                          (uint32_t)band_bytes(image, band));
    int unlocked = play_unlock(gpu, allocation);
    if (status == TESSERA_OK) take_rows(gpu, flight, band);
    return status == TESSERA_OK ? unlocked : status;
}

/* From *band on, as many as are locked at a time; *band is then the first one that is left. All locks are under way
 * before the first is waited for: the firmware has other things to do between two messages. */
static int read_some(struct play_gpu *gpu, struct flight *flight, uint32_t *band)
{
    uint32_t locked[PLAY_LOCKS], count = 0;
    tessera_ticket tickets[PLAY_LOCKS];
    int status = TESSERA_OK;
    for (; *band < flight->image->band_count && count < PLAY_LOCKS && status == TESSERA_OK; ++*band) {
        if (flight->bands[*band].allocation == NULL) continue;
        status = tessera_lock_begin(gpu->tessera, flight->bands[*band].allocation, LOCK_READ_ONLY, &tickets[count]);
        locked[count] = *band;
        count += status == TESSERA_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        int read = read_locked(gpu, flight, locked[i], tickets[i]);
        play_note_failure(gpu, read, flight->number);
        if (status == TESSERA_OK) status = read;
    }
    return status;
}

/* Frames before it have been read. */
static int read_frame(struct play_gpu *gpu, uint32_t frame)
{
    struct flight *flight = play_flight(gpu, frame);
    if (flight->is_read) return TESSERA_OK;
    int status = play_wait_frame(gpu, frame);
    for (uint32_t band = 0; band < flight->image->band_count && status == TESSERA_OK;)
        status = read_some(gpu, flight, &band);
    play_note_failure(gpu, status, frame);
    flight->is_read = status == TESSERA_OK;
    return status;
}

int play_settle(struct play_gpu *gpu, const struct image *image)
{
    int status = TESSERA_OK;
    for (uint32_t frame = gpu->first_flight; frame != gpu->frame && status == TESSERA_OK; frame++) {
        if (!is_to_be_read(play_flight(gpu, frame), image)) continue;
        status = read_frame(gpu, frame);
        gpu->counts.reread++;
    }
    return status;
}

/* ------------------------------------------------------------------ writing beside it */

/* The youngest frame that is still to be read from this band's allocation; NULL: there is none. */
static struct shown_band *find_shown(struct play_gpu *gpu, const struct image *image, uint32_t band)
{
    struct shown_band *found = NULL;
    for (uint32_t frame = gpu->first_flight; frame != gpu->frame; frame++) {
        struct flight *flight = play_flight(gpu, frame);
        if (is_to_be_read(flight, image) && flight->bands[band].allocation == image->views[PLAY_PLAIN].bands[band])
            found = &flight->bands[band];
    }
    return found;
}

int play_before_write(struct play_gpu *gpu, struct image *image, uint32_t band, bool is_whole)
{
    struct tessera_allocation *fresh = NULL;
    struct shown_band *shown = find_shown(gpu, image, band);
    if (shown == NULL) return TESSERA_OK;
    if (!is_whole) {
        int flushed = play_flush(gpu); /* what is drawn already need not wait for it */
        return flushed == TESSERA_OK ? play_settle(gpu, image) : flushed;
    }
    int status = take_spare(gpu, image, band, &fresh);
    if (status == TESSERA_OK) status = play_unbind(gpu, image, PLAY_PLAIN, band);
    if (status != TESSERA_OK) return status;
    shown = find_shown(gpu, image, band); /* room for the fresh one may have been made by reading frames */
    if (shown != NULL) shown->is_own = true;
    else keep_spare(gpu, image->views[PLAY_PLAIN].bands[band]);
    image->views[PLAY_PLAIN].bands[band] = fresh;
    play_show_band(gpu, image, band, fresh);
    gpu->counts.renewed++;
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ presenting and taking */

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
        memcpy(flight->pixels + band_offset(image, band), image->pixels + band_offset(image, band),
               band_bytes(image, band));
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
    flight->pixels = malloc(row_bytes(image) * image->height);
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
    int status = read_frame(gpu, gpu->first_flight);
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
