/* SPDX-License-Identifier: Apache-2.0
 *
 * What the device is told without waiting: an allocation is destroyed or unlocked, the stages are closed.
 */
#include "clients/sdl/play/play_gpu_internal.h"

static int await_answer(struct play_gpu *gpu)
{
    const struct answer *answer = &gpu->answers[gpu->first_answer];
    int status = tessera_wait(gpu->tessera, answer->ticket, NULL);
    gpu->allocation_count -= answer->is_destroyed;
    gpu->first_answer = (gpu->first_answer + 1u) % PLAY_ANSWERS;
    gpu->answer_count--;
    return status;
}

int play_await_answers(struct play_gpu *gpu)
{
    int status = TESSERA_OK;
    while (gpu->answer_count != 0 && status >= 0) {
        int waited = await_answer(gpu);
        if (status == TESSERA_OK) status = waited;
    }
    return status;
}

int play_answer_room(struct play_gpu *gpu, struct answer **answer)
{
    int status = gpu->answer_count == PLAY_ANSWERS ? await_answer(gpu) : TESSERA_OK;
    *answer = &gpu->answers[(gpu->first_answer + gpu->answer_count) % PLAY_ANSWERS];
    (*answer)->is_destroyed = false;
    return status;
}

int play_release(struct play_gpu *gpu, struct tessera_allocation *allocation)
{
    struct answer *answer;
    if (allocation == NULL) return TESSERA_OK;
    int status = play_answer_room(gpu, &answer);
    answer->is_destroyed = true;
    if (status == TESSERA_OK) status = tessera_allocation_destroy_begin(gpu->tessera, allocation, &answer->ticket);
    gpu->answer_count += status == TESSERA_OK;
    return status;
}

int play_unlock(struct play_gpu *gpu, struct tessera_allocation *allocation)
{
    struct answer *answer;
    int status = play_answer_room(gpu, &answer);
    if (status == TESSERA_OK) status = tessera_unlock_begin(gpu->tessera, allocation, &answer->ticket);
    gpu->answer_count += status == TESSERA_OK;
    return status;
}

int play_close_stages(struct play_gpu *gpu)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < PLAY_STAGES && status == TESSERA_OK; i++) {
        if (!gpu->stages[i].is_open) continue;
        gpu->stages[i].is_open = false;
        status = play_unlock(gpu, gpu->stages[i].allocation);
    }
    return status;
}
