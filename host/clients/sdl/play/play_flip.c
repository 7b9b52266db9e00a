/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames on the device's display. A surface is in bands, each an allocation; what is shown is one allocation: so the
 * GPU copies the bands to one of two of them and flips to it. Each remembers the version of every band that it holds,
 * and only the others are copied.
 */
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/play/play_gpu_internal.h"

static uint32_t mode_of(const struct image *image)
{
    const bool is_shown = image->format == RECORDING_XRGB8888 || image->format == RECORDING_RGB565;
    return is_shown ? tessera_mode_of(image->width, image->height) : TESSERA_DISPLAY_OFF;
}

uint32_t play_gpu_mode(const struct play_gpu *gpu, uint32_t surface) { return mode_of(&gpu->images[surface]); }

/* ------------------------------------------------------------------ mode and surfaces */

int play_drop_screen(struct play_gpu *gpu)
{
    struct play_screen *screen = &gpu->screen;
    if (screen->mode == TESSERA_DISPLAY_OFF) return TESSERA_OK;
    int status = tessera_set_mode(gpu->tessera, TESSERA_DISPLAY_OFF);
    for (uint32_t i = 0; i < PLAY_SCREENS; i++) {
        const int released = play_release(gpu, screen->surfaces[i].allocation);
        if (status == TESSERA_OK) status = released;
        free(screen->surfaces[i].versions);
    }
    memset(screen, 0, sizeof *screen);
    return status;
}

/* Nothing of the image is in them. */
static int create_surfaces(struct play_gpu *gpu, const struct image *image)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < PLAY_SCREENS && status == TESSERA_OK; i++) {
        struct play_screen_surface *surface = &gpu->screen.surfaces[i];
        status = play_create_allocation(gpu, image->width * image->unit_bytes * image->height, LOCAL_SEGMENTS,
                                        &surface->allocation);
        surface->versions = calloc(image->band_count, sizeof *surface->versions);
        if (status == TESSERA_OK && surface->versions == NULL) status = TESSERA_NO_MEMORY;
        if (status == TESSERA_OK) play_name_screen(gpu, image, surface->allocation);
    }
    return status;
}

/* The display has the image's mode, and two surfaces of its size and format. */
static int need_screen(struct play_gpu *gpu, struct image *image)
{
    struct play_screen *screen = &gpu->screen;
    if (screen->image == image && image->is_on_screen) return TESSERA_OK;
    int status = play_drop_screen(gpu);
    if (status == TESSERA_OK) status = tessera_set_mode(gpu->tessera, mode_of(image));
    if (status != TESSERA_OK) return status;
    screen->mode = mode_of(image);
    status = create_surfaces(gpu, image);
    if (status != TESSERA_OK) {
        (void)play_drop_screen(gpu);
        return status;
    }
    screen->image = image;
    image->is_on_screen = true;
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ copying */

/* A version, other than that of a surface without content. */
static uint64_t version_of(const struct image *image, uint32_t band) { return image->bands[band].version + 1u; }

static bool holds_all(const struct play_screen_surface *surface, const struct image *image)
{
    bool is_equal = true;
    for (uint32_t band = 0; band < image->band_count; band++)
        is_equal = is_equal && surface->versions[band] == version_of(image, band);
    return is_equal;
}

/* `bound`: the stream in which the screen's slot has the surface. */
static int copy_band(struct play_gpu *gpu, struct image *image, uint32_t band, uint64_t *bound)
{
    struct play_screen_surface *back = &gpu->screen.surfaces[gpu->screen.back];
    const uint32_t pitch = image_pitch(image, PLAY_PLAIN);
    const struct tessera_surface surface = {.allocation = back->allocation,
                                            .format = image_format(image, PLAY_PLAIN),
                                            .pitch = pitch,
                                            .bytes = pitch * image->height,
                                            .is_target = true};
    struct tessera_blit copy = {.mode = TESSERA_COPY,
                                .target = PLAY_SCREEN_SLOT,
                                .target_y = band * image->band_rows,
                                .width = image->width,
                                .height = image_band_height(image, band)};
    int status = play_make_room(gpu);
    if (status == TESSERA_OK && *bound != gpu->stream_number)
        status = tessera_stream_bind(gpu->stream, PLAY_SCREEN_SLOT, &surface);
    *bound = gpu->stream_number;
    if (status == TESSERA_OK) status = play_bind(gpu, image, PLAY_PLAIN, band, false, PLAY_SLOTS, &copy.source);
    if (status == TESSERA_OK) status = tessera_stream_blit(gpu->stream, &copy);
    if (status == TESSERA_OK) back->versions[band] = version_of(image, band);
    return status;
}

/* And submit it. */
static int copy_changes(struct play_gpu *gpu, struct image *image)
{
    const struct play_screen_surface *back = &gpu->screen.surfaces[gpu->screen.back];
    uint64_t bound = 0;
    int status = TESSERA_OK;
    for (uint32_t band = 0; band < image->band_count && status == TESSERA_OK; band++)
        if (back->versions[band] != version_of(image, band)) status = copy_band(gpu, image, band, &bound);
    return status == TESSERA_OK ? play_flush(gpu) : status;
}

/* ------------------------------------------------------------------ flips */

/* The back surface is shown after the last DMA buffer; *since: its first blank. */
static int flip(struct play_gpu *gpu, const struct image *image, struct tessera_blank *since)
{
    struct play_screen *screen = &gpu->screen;
    const uint32_t last = (gpu->first_buffer + gpu->buffer_count + PLAY_TICKETS - 1u) % PLAY_TICKETS;
    struct tessera_flip flip = {.plane = TESSERA_PLANE_PRIMARY,
                                .allocation = screen->surfaces[screen->back].allocation,
                                .pitch = image_pitch(image, PLAY_PLAIN),
                                .format = image_format(image, PLAY_PLAIN),
                                .when = TESSERA_WHEN_NEXT};
    struct tessera_completion completion;
    tessera_ticket ticket;
    if (gpu->buffer_count != 0) {
        flip.context = gpu->context;
        flip.after = gpu->buffers[last].ticket;
    }
    int status = tessera_flip(gpu->tessera, &flip, &ticket);
    if (status != TESSERA_OK) return status;
    const int drawn = play_wait_frame(gpu, gpu->frame); /* the flip is dropped when that fails */
    status = tessera_wait(gpu->tessera, ticket, &completion);
    if (drawn != TESSERA_OK || status != TESSERA_OK) return drawn != TESSERA_OK ? drawn : status;
    since->frame = completion.words[REPLY_FLIP_FRAME - 4];
    since->cycle = (uint64_t)completion.words[REPLY_FLIP_TIME_HI - 4] << 32 | completion.words[REPLY_FLIP_TIME_LO - 4];
    screen->back = 1u - screen->back;
    gpu->counts.flips++;
    return TESSERA_OK;
}

/* *middle: see play_gpu_flip. */
static int show(struct play_gpu *gpu, struct image *image, uint64_t *middle)
{
    const bool is_shown = holds_all(&gpu->screen.surfaces[1u - gpu->screen.back], image);
    struct tessera_blank since = {0}, end = {0};
    *middle = 0;
    if (is_shown) { /* by the last flip */
        const int drawn = play_drain(gpu);
        return drawn == TESSERA_OK ? tessera_wait_vblank(gpu->tessera, TESSERA_WHEN_NEXT, 0, NULL) : drawn;
    }
    int status = copy_changes(gpu, image);
    if (status == TESSERA_OK) status = flip(gpu, image, &since);
    if (status == TESSERA_OK) status = tessera_wait_vblank(gpu->tessera, TESSERA_WHEN_FRAME, since.frame + 1u, &end);
    if (status == TESSERA_OK) *middle = since.cycle + (end.cycle - since.cycle) / 2u;
    return status;
}

int play_gpu_flip(struct play_gpu *gpu, uint32_t surface, struct play_work *work, uint64_t *middle)
{
    struct image *image = &gpu->images[surface];
    if (play_gpu_presented(gpu) != 0 || mode_of(image) == TESSERA_DISPLAY_OFF) return TESSERA_MISUSE;
    image->last_use = ++gpu->operation;
    int status = image_need_view(gpu, image, PLAY_PLAIN);
    if (status == TESSERA_OK) status = need_screen(gpu, image);
    if (status == TESSERA_OK) status = show(gpu, image, middle);
    if (status != TESSERA_OK) return status;
    *work = play_flight(gpu, gpu->frame)->work;
    play_end_frame(gpu);
    return TESSERA_OK;
}
