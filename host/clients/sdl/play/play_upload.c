/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host writes into surfaces that the GPU knows: the bytes go into a stage, an allocation of the player's, and
 * a blit in the stream takes them to their place. So a write of N bytes costs N bytes and a packet; the surface stays
 * where it is, and nothing waits for it. Stages are mapped where the device may do so; else a page is copied for each
 * DMA buffer that has uploads.
 *
 * A stage is filled for one DMA buffer, and locked meanwhile. The next time it is used, the LOCK waits until the GPU
 * has read it, which has long been so: the others were used before.
 */
#include "clients/sdl/play/play_gpu_internal.h"

enum { MAPPED_PAGES = 4, ALIGNMENT = 16 };

uint32_t play_stage_bytes(const struct play_gpu *gpu)
{
    return (gpu->is_mappable ? MAPPED_PAGES : 1u) * GPU_LIMIT(PAGE_BYTES);
}

/* The next stage, empty. What has been drawn may be submitted. */
static int open_stage(struct play_gpu *gpu)
{
    int status = TESSERA_OK;
    gpu->stage = (gpu->stage + 1u) % PLAY_STAGES;
    struct stage *stage = &gpu->stages[gpu->stage];
    if (stage->is_open) status = play_flush(gpu);
    if (status == TESSERA_OK && stage->allocation == NULL) {
        stage->told = bound_allocation(gpu->bound, play_stage_bytes(gpu), gpu->is_mappable);
        status = play_create_allocation(gpu, play_stage_bytes(gpu),
                                        gpu->is_mappable ? APERTURE_SEGMENT : gpu->surface_set, &stage->allocation);
    }
    if (status == TESSERA_OK) status = tessera_lock(gpu->tessera, stage->allocation, LOCK_DISCARD);
    if (status != TESSERA_OK) return status;
    bound_host_write(gpu->bound, stage->told, true);
    stage->is_open = true;
    stage->used = 0;
    return TESSERA_OK;
}

/* Room for so many bytes, at most play_stage_bytes. What has been drawn may be submitted. */
static int take_room(struct play_gpu *gpu, uint32_t bytes, struct stage **stage, uint32_t *offset)
{
    const struct stage *now = &gpu->stages[gpu->stage];
    bool has_room = now->is_open && now->used + bytes <= play_stage_bytes(gpu);
    int status = has_room ? TESSERA_OK : open_stage(gpu);
    *stage = &gpu->stages[gpu->stage];
    *offset = (*stage)->used;
    (*stage)->used += (bytes + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
    return status;
}

int play_drop_stages(struct play_gpu *gpu)
{
    int status = play_close_stages(gpu);
    for (uint32_t i = 0; i < PLAY_STAGES && status == TESSERA_OK; i++) {
        status = play_release(gpu, gpu->stages[i].allocation);
        gpu->stages[i].allocation = NULL;
    }
    return status;
}

/* A part of the band that fits into a stage. */
static int upload_part(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                       const struct recording_rect *part)
{
    const uint32_t unit = image_pitch(image, view) / image->width, pitch = part->width * unit;
    const uint32_t bytes = pitch * part->height;
    struct tessera_blit blit = {.mode = BLIT_COPY,
                                .source = PLAY_STAGE_SLOT,
                                .target_x = part->x,
                                .target_y = part->y - band * image->band_rows,
                                .width = part->width,
                                .height = part->height};
    struct stage *stage;
    struct tessera_surface from = {.format = image_format(image, view), .pitch = pitch, .bytes = bytes};
    int status = play_make_room(gpu);
    if (status == TESSERA_OK) status = take_room(gpu, bytes, &stage, &from.offset);
    if (status != TESSERA_OK) return status;
    from.allocation = stage->allocation;
    for (uint32_t y = 0; y < part->height && status == TESSERA_OK; y++) {
        const size_t at = ((size_t)(part->y + y) * image->width + part->x) * image->unit_bytes;
        play_view_row(view, image->format, image->pixels + at, part->width, gpu->row);
        status = tessera_write(gpu->tessera, stage->allocation, from.offset + y * pitch, gpu->row, pitch);
    }
    if (status == TESSERA_OK) status = play_bind(gpu, image, view, band, true, PLAY_SLOTS, &blit.target);
    if (status == TESSERA_OK) status = tessera_stream_bind(gpu->stream, PLAY_STAGE_SLOT, &from);
    if (status == TESSERA_OK) status = tessera_stream_blit(gpu->stream, &blit);
    bound_use(gpu->bound, stage->told, bytes, 0, false);
    bound_use(gpu->bound, image->views[view].told + band, 0, bytes, false);
    bound_draw(gpu->bound, bytes, bytes, 0);
    gpu->counts.packets++;
    gpu->counts.uploads++;
    return status;
}

int play_upload(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                const struct recording_rect *rect)
{
    const uint32_t unit = image_pitch(image, view) / image->width, most = play_stage_bytes(gpu) / unit;
    struct recording_rect part = *rect;
    int status = view == PLAY_PLAIN ? play_before_write(gpu, image, band, false) : TESSERA_OK;
    for (uint32_t x = 0; x < rect->width && status == TESSERA_OK; x += part.width) {
        part.x = rect->x + x;
        part.width = rect->width - x < most ? rect->width - x : most;
        for (uint32_t y = 0; y < rect->height && status == TESSERA_OK; y += part.height) {
            part.y = rect->y + y;
            part.height = rect->height - y < most / part.width ? rect->height - y : most / part.width;
            status = upload_part(gpu, image, view, band, &part);
        }
    }
    return status;
}
