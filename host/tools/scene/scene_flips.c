/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene's frames on the device's display: see scene_flips.h.
 */
#include "tools/scene/scene_flips.h"

int scene_flips_begin(struct scene_gpu *gpu)
{
    int status = tessera_set_mode(gpu->tessera, TESSERA_DISPLAY_VGA);
    gpu->has_flips = status == TESSERA_OK;
    return status;
}

/* The overlay, because no mode is as small as a frame. Its last DMA buffer completes last if it has one context. */
static int flip(struct scene_gpu *gpu, uint32_t target, bool is_complete)
{
    struct tessera_flip flip = {.plane = TESSERA_PLANE_OVERLAY,
                                .allocation = gpu->targets[target],
                                .pitch = SCENE_PITCH,
                                .format = FORMAT_RGB565,
                                .when = gpu->tears ? TESSERA_WHEN_NOW : TESSERA_WHEN_NEXT,
                                .x = (SCENE_DISPLAY_WIDTH - SCENE_WIDTH) / 2,
                                .y = (SCENE_DISPLAY_HEIGHT - SCENE_HEIGHT) / 2,
                                .width = SCENE_WIDTH,
                                .height = SCENE_HEIGHT,
                                .mix = TESSERA_MIX_OPAQUE};
    const uint32_t count = gpu->ticket_count[target];
    if (!is_complete && count != 0) {
        flip.context = gpu->contexts[gpu->program];
        flip.after = gpu->tickets[target][count - 1u];
    }
    const int status = tessera_flip(gpu->tessera, &flip, &gpu->flip);
    gpu->is_flipping = status == TESSERA_OK;
    return status;
}

int scene_flips_submitted(struct scene_gpu *gpu, uint32_t target)
{
    return gpu->has_flips && gpu->scene->program_count <= 1 ? flip(gpu, target, false) : TESSERA_OK;
}

int scene_flips_completed(struct scene_gpu *gpu, uint32_t target)
{
    return gpu->has_flips && gpu->scene->program_count > 1 ? flip(gpu, target, true) : TESSERA_OK;
}

int scene_flips_await(struct scene_gpu *gpu)
{
    struct tessera_completion completion;
    if (!gpu->is_flipping) return TESSERA_OK;
    gpu->is_flipping = false;
    return tessera_wait(gpu->tessera, gpu->flip, &completion);
}

int scene_flips_show(struct scene_gpu *gpu, uint32_t target)
{
    if (!gpu->has_flips) return TESSERA_OK;
    int status = flip(gpu, target, true);
    if (status == TESSERA_OK) status = scene_flips_await(gpu);
    if (status == TESSERA_OK) status = tessera_wait_vblank(gpu->tessera, TESSERA_WHEN_NEXT, 0, NULL);
    return status;
}
