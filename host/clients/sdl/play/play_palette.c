/* SPDX-License-Identifier: Apache-2.0
 *
 * The palettes of a played recording. Programs that move their colours have another palette in each frame, so what the
 * GPU has of one is never written again: a new one gets memory of its own, and the one used longest ago makes room.
 */
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

enum { PALETTE_BYTES = 4 * RECORDING_COLOURS };

void image_set_palette(struct image *image, const uint32_t *colours) { memcpy(image->colours, colours, PALETTE_BYTES); }

static int drop(struct play_gpu *gpu, struct palette *palette)
{
    int status = play_release(gpu, palette->allocation);
    if (status == TESSERA_OK) palette->allocation = NULL;
    return status;
}

/* In the place that is free, or was unused longest. */
static int make(struct play_gpu *gpu, const uint32_t *colours, struct palette **made)
{
    struct palette *place = &gpu->palettes[0];
    for (uint32_t i = 1; i < PLAY_PALETTES && place->allocation != NULL; i++)
        if (gpu->palettes[i].allocation == NULL || gpu->palettes[i].last_use < place->last_use)
            place = &gpu->palettes[i];
    int status = place->allocation != NULL ? play_flush(gpu) : TESSERA_OK; /* the stream may name it */
    if (status == TESSERA_OK && place->allocation != NULL) status = drop(gpu, place);
    if (status == TESSERA_OK) status = play_create_allocation(gpu, PALETTE_BYTES, gpu->surface_set, &place->allocation);
    if (status != TESSERA_OK) return status;
    memcpy(place->colours, colours, PALETTE_BYTES);
    *made = place;
    return tessera_write(gpu->tessera, place->allocation, 0, colours, PALETTE_BYTES);
}

int play_need_palette(struct play_gpu *gpu, const struct image *image, struct palette **palette)
{
    *palette = NULL;
    for (uint32_t i = 0; i < PLAY_PALETTES && *palette == NULL; i++)
        if (gpu->palettes[i].allocation != NULL && memcmp(gpu->palettes[i].colours, image->colours, PALETTE_BYTES) == 0)
            *palette = &gpu->palettes[i];
    int status = *palette == NULL ? make(gpu, image->colours, palette) : TESSERA_OK;
    if (status == TESSERA_OK) (*palette)->last_use = gpu->operation;
    return status;
}

int play_use_palette(struct play_gpu *gpu, const struct palette *palette)
{
    const struct tessera_place place = {.allocation = palette->allocation, .slot = PLAY_PALETTE_SLOT};
    if (gpu->palette == palette) return TESSERA_OK;
    int status = tessera_stream_palette(gpu->stream, &place);
    if (status == TESSERA_OK) gpu->palette = palette;
    return status;
}

int play_drop_palettes(struct play_gpu *gpu)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < PLAY_PALETTES && status == TESSERA_OK; i++)
        if (gpu->palettes[i].allocation != NULL) status = drop(gpu, &gpu->palettes[i]);
    return status;
}
