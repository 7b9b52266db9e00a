/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing beside a frame that is still to be read: the band goes on in another allocation (play_frame.c).
 */
#include "clients/sdl/play/play_gpu_internal.h"

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
    return image_create_band(gpu, image, PLAY_PLAIN, band, allocation);
}

/* The youngest frame that is still to be read from this band's allocation; NULL: there is none. */
static struct shown_band *find_shown(struct play_gpu *gpu, const struct image *image, uint32_t band)
{
    struct shown_band *found = NULL;
    for (uint32_t frame = gpu->first_flight; frame != gpu->frame; frame++) {
        struct flight *flight = play_flight(gpu, frame);
        if (play_is_to_be_read(flight, image) && flight->bands[band].allocation == image->views[PLAY_PLAIN].bands[band])
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
    else play_keep_spare(gpu, image->views[PLAY_PLAIN].bands[band]);
    image->views[PLAY_PLAIN].bands[band] = fresh;
    play_show_band(gpu, image, band, fresh);
    gpu->counts.renewed++;
    return TESSERA_OK;
}
