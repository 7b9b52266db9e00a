/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames in flight are read back, and what they kept is spare then: see play_frame.c.
 */
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

void play_keep_spare(struct play_gpu *gpu, struct tessera_allocation *allocation)
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

bool play_is_to_be_read(const struct flight *flight, const struct image *image)
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
    if (shown->is_own) play_keep_spare(gpu, shown->allocation);
    shown->allocation = NULL;
    if (state->version != shown->version) return;
    memcpy(image->pixels + image_band_offset(image, band), flight->pixels + image_band_offset(image, band),
           image_band_bytes(image, band));
    state->is_drawn = state->is_new = false;
}

/* The LOCK is under way. */
static int read_locked(struct play_gpu *gpu, struct flight *flight, uint32_t band, tessera_ticket ticket)
{
    const struct image *image = flight->image;
    struct tessera_allocation *allocation = flight->bands[band].allocation;
    int status = tessera_wait(gpu->tessera, ticket, NULL);
    if (status != TESSERA_OK) return status;
    status = tessera_read(gpu->tessera, allocation, 0, flight->pixels + image_band_offset(image, band),
                          (uint32_t)image_band_bytes(image, band));
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

int play_read_frame(struct play_gpu *gpu, uint32_t frame)
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
        if (!play_is_to_be_read(play_flight(gpu, frame), image)) continue;
        status = play_read_frame(gpu, frame);
        gpu->counts.reread++;
    }
    return status;
}
