/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMA buffers of a played recording: which bands are bound in which slots, when a buffer is full, which are under
 * way. A bound band may have to stay in place over a split, so no more than half of local memory is bound at a time.
 */
#include <stdio.h>
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

enum {
    ROOM_BYTES = 1024, /* of a stream, for one operation on one pair of bands */
    /* Of a DMA buffer. The first of a frame is short, so that drawing begins early. With two of the longest in command
     * RAM no second one is examined while one is drawn. */
    FIRST_BYTES = 4096,
    BUFFER_BYTES = 12288,
    ROOM_PATCHES = PLAY_SLOTS + 4
};

/* ------------------------------------------------------------------ streams */

void play_note_failure(struct play_gpu *gpu, int status, uint32_t frame)
{
    if (status == TESSERA_OK || gpu->has_failed) return;
    gpu->has_failed = true;
    gpu->failed_frame = frame;
    snprintf(gpu->failure, sizeof gpu->failure, "%s", tessera_message(gpu->tessera));
}

static int wait_oldest(struct play_gpu *gpu)
{
    const struct buffer *buffer = &gpu->buffers[gpu->first_buffer];
    struct play_work *work = &play_flight(gpu, buffer->frame)->work;
    struct tessera_completion completion = {0};
    int status = tessera_wait(gpu->tessera, buffer->ticket, &completion);
    play_note_failure(gpu, status, buffer->frame);
    gpu->first_buffer = (gpu->first_buffer + 1u) % PLAY_TICKETS;
    gpu->buffer_count--;
    work->buffers++;
    work->portions += completion.words[REPLY_SUBMIT_PORTIONS - 4];
    work->evictions += completion.words[REPLY_SUBMIT_EVICTIONS - 4];
    work->pages_in += completion.words[REPLY_SUBMIT_PAGED_IN - 4];
    work->pages_out += completion.words[REPLY_SUBMIT_PAGED_OUT - 4];
    return status;
}

/* The first buffer of a frame is submitted: is one of an earlier frame still under way? */
static void note_begun(struct play_gpu *gpu)
{
    if (gpu->begun == gpu->frame + 1u) return;
    gpu->begun = gpu->frame + 1u;
    uint32_t newest = (gpu->first_buffer + gpu->buffer_count + PLAY_TICKETS - 1u) % PLAY_TICKETS;
    if (gpu->buffer_count == 0 || gpu->buffers[newest].frame == gpu->frame) return;
    gpu->counts.overlapped += !tessera_is_done(gpu->tessera, gpu->buffers[newest].ticket);
}

int play_flush(struct play_gpu *gpu)
{
    int status = TESSERA_OK;
    if (tessera_stream_bytes(gpu->stream) == 0) return TESSERA_OK;
    if (gpu->buffer_count == PLAY_TICKETS) status = wait_oldest(gpu);
    if (status == TESSERA_OK) note_begun(gpu);
    if (status == TESSERA_OK) status = play_close_stages(gpu);
    struct buffer *buffer = &gpu->buffers[(gpu->first_buffer + gpu->buffer_count) % PLAY_TICKETS];
    buffer->frame = gpu->frame;
    if (status == TESSERA_OK) status = tessera_submit(gpu->tessera, gpu->context, gpu->stream, 0, &buffer->ticket);
    if (status == TESSERA_OK) gpu->buffer_count++;
    tessera_stream_clear(gpu->stream);
    memset(gpu->bindings, 0, sizeof gpu->bindings);
    gpu->palette = NULL;
    gpu->bound_pages = 0;
    gpu->stream_number++;
    return status;
}

int play_drain(struct play_gpu *gpu)
{
    int status = play_flush(gpu);
    int waited = play_wait_frame(gpu, gpu->frame);
    return status == TESSERA_OK ? waited : status;
}

int play_wait_frame(struct play_gpu *gpu, uint32_t frame)
{
    int status = TESSERA_OK;
    while (gpu->buffer_count != 0 && gpu->buffers[gpu->first_buffer].frame <= frame) {
        int waited = wait_oldest(gpu);
        if (status == TESSERA_OK) status = waited;
        if (waited < 0) return waited;
    }
    return status;
}

/* ------------------------------------------------------------------ bindings */

static int unbind(struct play_gpu *gpu, uint32_t slot)
{
    gpu->bound_pages -= gpu->bindings[slot].pages;
    gpu->bindings[slot].image = NULL;
    gpu->bindings[slot].pages = 0;
    return tessera_stream_unbind(gpu->stream, slot);
}

/* The slot used longest ago, other than `kept`; PLAY_SLOTS if there is none. */
static uint32_t oldest(const struct play_gpu *gpu, uint32_t kept)
{
    uint32_t found = PLAY_SLOTS;
    for (uint32_t slot = 0; slot < PLAY_SLOTS; slot++) {
        if (slot == kept || gpu->bindings[slot].image == NULL) continue;
        if (found == PLAY_SLOTS || gpu->bindings[slot].last_use < gpu->bindings[found].last_use) found = slot;
    }
    return found;
}

static uint32_t free_slot(const struct play_gpu *gpu)
{
    uint32_t slot = 0;
    while (slot < PLAY_SLOTS && gpu->bindings[slot].image != NULL) slot++;
    return slot;
}

static uint32_t find_binding(const struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band)
{
    uint32_t slot = 0;
    while (slot < PLAY_SLOTS &&
           (gpu->bindings[slot].image != image || gpu->bindings[slot].view != view || gpu->bindings[slot].band != band))
        slot++;
    return slot;
}

int play_unbind(struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band)
{
    uint32_t slot = find_binding(gpu, image, view, band);
    return slot < PLAY_SLOTS ? unbind(gpu, slot) : TESSERA_OK;
}

/* Bind a band of a view; the slot `kept` stays as it is. */
int play_bind(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band, bool is_target,
              uint32_t kept, uint32_t *slot)
{
    struct tessera_allocation *allocation = image->views[view].bands[band];
    const struct tessera_surface surface = {.allocation = allocation,
                                            .format = image_format(image, view),
                                            .pitch = image_pitch(image, view),
                                            .bytes = image_view_height(image, view, band) * image_pitch(image, view),
                                            .is_target = is_target};
    uint32_t pages = tessera_allocation_bytes(allocation) / GPU_LIMIT(PAGE_BYTES), old;
    int status = TESSERA_OK;
    *slot = find_binding(gpu, image, view, band);
    if (*slot < PLAY_SLOTS && (gpu->bindings[*slot].is_target || !is_target)) {
        gpu->bindings[*slot].last_use = ++gpu->clock;
        return TESSERA_OK;
    }
    if (*slot == PLAY_SLOTS) {
        while (gpu->bound_pages + pages > gpu->local_pages / 2u && (old = oldest(gpu, kept)) < PLAY_SLOTS &&
               status == TESSERA_OK)
            status = unbind(gpu, old);
        *slot = free_slot(gpu);
        if (*slot == PLAY_SLOTS) {
            *slot = oldest(gpu, kept);
            gpu->bound_pages -= gpu->bindings[*slot].pages;
        }
        gpu->bound_pages += pages;
    }
    gpu->bindings[*slot] = (struct binding){image, view, band, pages, is_target, ++gpu->clock};
    gpu->counts.binds++;
    image->stream = gpu->stream_number;
    return status == TESSERA_OK ? tessera_stream_bind(gpu->stream, *slot, &surface) : status;
}

int play_make_room(struct play_gpu *gpu)
{
    uint32_t most = gpu->begun == gpu->frame + 1u ? BUFFER_BYTES : FIRST_BYTES;
    bool has_room = tessera_stream_bytes(gpu->stream) + ROOM_BYTES <= most &&
                    tessera_stream_patches(gpu->stream) + ROOM_PATCHES <= GPU_LIMIT(LIST_ENTRIES);
    return has_room ? TESSERA_OK : play_flush(gpu);
}
