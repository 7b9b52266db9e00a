/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's two queues: a command is copied out of its chain, done, and answered. See gpu.h.
 */
#include "virtio/gpu.h"

#include <string.h>

#include "virtio/edid.h"

void virtio_gpu_begin(struct virtio_gpu *gpu)
{
    gpu->bytes = 0;
    memset(&gpu->counts, 0, sizeof gpu->counts);
    memset(gpu->resource, 0, sizeof gpu->resource);
    memset(gpu->program, 0, sizeof gpu->program);
    for (uint32_t i = 0; i < VIRTIO_GPU_SCANOUTS_MOST; i++) gpu->scanout[i].place = VIRTIO_GPU_NOTHING;
}

void virtio_gpu_reset(struct virtio_gpu *gpu)
{
    static const struct virtio_gpu_rectangle nowhere = {0};
    for (uint32_t i = 0; i < gpu->scanouts; i++) {
        gpu->display.cursor(gpu->display.context, i, VIRTIO_GPU_NOTHING, 0, 0, 0);
        if (gpu->scanout[i].place == VIRTIO_GPU_NOTHING) continue;
        gpu->display.show(gpu->display.context, i, VIRTIO_GPU_NOTHING, 0, &nowhere);
        gpu->scanout[i].place = VIRTIO_GPU_NOTHING;
    }
    virtio_gpu_leave_all(gpu);
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) {
        const struct virtio_gpu_resource *resource = &gpu->resource[i];
        if (resource->id == 0) continue;
        if (!resource->is_buffer) gpu->painter.destroy(gpu->painter.context, i);
        else if (resource->has_backing) gpu->programs.detach(gpu->programs.context, i);
        gpu->resource[i].id = 0;
    }
    gpu->bytes = 0;
}

uint32_t virtio_gpu_resources(const struct virtio_gpu *gpu)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) count += gpu->resource[i].id != 0;
    return count;
}

/* ------------------------------------------------------------------ questions */

static uint32_t display_info(struct virtio_gpu *gpu, size_t *answer_bytes)
{
    struct virtio_gpu_display_info info = {0};
    for (uint32_t i = 0; i < gpu->scanouts; i++) {
        info.mode[i].rectangle.width = gpu->width;
        info.mode[i].rectangle.height = gpu->height;
        info.mode[i].is_enabled = i == 0; /* the first is plugged in */
    }
    memcpy(gpu->answer, &info, sizeof info);
    *answer_bytes = sizeof info;
    return RESPONSE_DISPLAY_INFO;
}

static uint32_t edid(struct virtio_gpu *gpu, size_t bytes, size_t *answer_bytes)
{
    struct virtio_gpu_named command;
    struct virtio_gpu_edid answer = {.bytes = EDID_BYTES};
    if (bytes < sizeof command) return RESPONSE_UNSPECIFIED;
    memcpy(&command, gpu->command.bytes, sizeof command);
    if (command.which >= gpu->scanouts) return RESPONSE_BAD_PARAMETER;
    edid_make(answer.edid, gpu->width, gpu->height);
    memcpy(gpu->answer, &answer, sizeof answer);
    *answer_bytes = sizeof answer;
    return RESPONSE_EDID;
}

/* ------------------------------------------------------------------ the queues */

/* The answer's header repeats the command's fence. */
static void head_answer(struct virtio_gpu *gpu, const struct virtio_gpu_header *command, uint32_t type)
{
    struct virtio_gpu_header header = {.type = type};
    if ((command->flags & VIRTIO_GPU_FLAG_FENCE) != 0) {
        header.flags = VIRTIO_GPU_FLAG_FENCE;
        header.fence = command->fence;
        header.context = command->context;
    }
    memcpy(gpu->answer, &header, sizeof header);
}

static bool is_of_programs(uint32_t type)
{
    return type == COMMAND_GET_CAPSET_INFO || type == COMMAND_GET_CAPSET ||
           (type >= COMMAND_CONTEXT_CREATE && type <= COMMAND_SUBMIT_3D);
}

static uint32_t answer(struct virtio_gpu *gpu, const struct virtio_chain *chain)
{
    struct virtio_gpu_header header;
    size_t answer_bytes = sizeof header;
    const size_t bytes = virtio_chain_read(chain, 0, gpu->command.bytes, sizeof gpu->command.bytes);
    uint32_t type = RESPONSE_UNSPECIFIED;
    memset(&header, 0, sizeof header);
    gpu->counts.commands++;
    if (bytes >= sizeof header) {
        memcpy(&header, gpu->command.bytes, sizeof header);
        if (header.type == COMMAND_GET_DISPLAY_INFO) type = display_info(gpu, &answer_bytes);
        else if (header.type == COMMAND_GET_EDID) type = edid(gpu, bytes, &answer_bytes);
        else if (is_of_programs(header.type)) type = virtio_gpu_program_command(gpu, bytes, &answer_bytes);
        else type = virtio_gpu_command(gpu, bytes);
    }
    if (type >= RESPONSE_UNSPECIFIED) gpu->counts.refused++;
    head_answer(gpu, &header, type);
    return (uint32_t)virtio_chain_write(chain, gpu->answer, answer_bytes);
}

static uint32_t move_cursor(struct virtio_gpu *gpu, const struct virtio_chain *chain)
{
    const size_t bytes = virtio_chain_read(chain, 0, gpu->command.bytes, sizeof gpu->command.bytes);
    gpu->counts.commands++;
    virtio_gpu_cursor_command(gpu, bytes);
    return 0;
}

static bool take_one(struct virtio_gpu *gpu, struct virtio_queue *queue,
                     uint32_t (*done)(struct virtio_gpu *gpu, const struct virtio_chain *chain))
{
    struct virtio_chain chain;
    const enum virtio_taken taken = virtio_queue_take(queue, &chain);
    if (taken == VIRTIO_BROKEN) return false;
    if (taken == VIRTIO_NOTHING) return true;
    if (taken == VIRTIO_MALFORMED) gpu->counts.refused++;
    virtio_queue_give(queue, chain.head, taken == VIRTIO_CHAIN ? done(gpu, &chain) : 0);
    return true;
}

bool virtio_gpu_control(struct virtio_gpu *gpu, struct virtio_queue *queue) { return take_one(gpu, queue, answer); }
bool virtio_gpu_cursor(struct virtio_gpu *gpu, struct virtio_queue *queue) { return take_one(gpu, queue, move_cursor); }
