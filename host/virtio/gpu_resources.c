/* SPDX-License-Identifier: Apache-2.0
 *
 * Resources: their places, and which contexts have attached them. See gpu.h.
 */
#include <string.h>

#include "virtio/gpu.h"

uint32_t virtio_gpu_find(const struct virtio_gpu *gpu, uint32_t id)
{
    uint32_t place = 0;
    if (id == 0) return VIRTIO_GPU_RESOURCES_MOST;
    while (place < VIRTIO_GPU_RESOURCES_MOST && gpu->resource[place].id != id) place++;
    return place;
}

bool virtio_gpu_room(const struct virtio_gpu *gpu, bool is_buffer, uint32_t *place)
{
    const uint32_t most = is_buffer ? VIRTIO_GPU_BUFFERS_MOST : VIRTIO_GPU_PICTURES_MOST;
    uint32_t count = 0;
    *place = VIRTIO_GPU_RESOURCES_MOST;
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) {
        const struct virtio_gpu_resource *resource = &gpu->resource[i];
        if (resource->id == 0 && *place == VIRTIO_GPU_RESOURCES_MOST) *place = i;
        count += resource->id != 0 && resource->is_buffer == is_buffer;
    }
    return count < most;
}

bool virtio_gpu_is_gone(const struct virtio_gpu *gpu, uint32_t id)
{
    return id < VIRTIO_GPU_GONE_IDS && (gpu->gone[id / 32u] >> id % 32u & 1u) != 0;
}

void virtio_gpu_set_gone(struct virtio_gpu *gpu, uint32_t id, bool is_gone)
{
    if (id >= VIRTIO_GPU_GONE_IDS) return;
    gpu->gone[id / 32u] &= ~(1u << id % 32u);
    gpu->gone[id / 32u] |= (uint32_t)is_gone << id % 32u;
}

bool virtio_gpu_get(const struct virtio_gpu *gpu, size_t bytes, void *command, size_t size)
{
    if (bytes < size) return false;
    memcpy(command, gpu->command.bytes, size);
    return true;
}

bool virtio_gpu_is_attached(const struct virtio_gpu_resource *resource, uint32_t context)
{
    return (resource->attached[context / 32u] >> context % 32u & 1u) != 0;
}

uint32_t virtio_gpu_attached(const struct virtio_gpu *gpu, uint32_t context, uint32_t id)
{
    const uint32_t place = virtio_gpu_find(gpu, id);
    if (place == VIRTIO_GPU_RESOURCES_MOST) return VIRTIO_GPU_NOTHING;
    const struct virtio_gpu_resource *resource = &gpu->resource[place];
    const bool is_usable = resource->is_buffer && resource->has_backing && virtio_gpu_is_attached(resource, context);
    return is_usable ? place : (uint32_t)VIRTIO_GPU_NOTHING;
}

void virtio_gpu_part(struct virtio_gpu *gpu, uint32_t context, uint32_t place)
{
    struct virtio_gpu_resource *resource = &gpu->resource[place];
    if (!virtio_gpu_is_attached(resource, context)) return;
    resource->attached[context / 32u] &= ~(1u << context % 32u);
    if (resource->is_buffer) gpu->programs.part(gpu->programs.context, context, place);
}

void virtio_gpu_part_all(struct virtio_gpu *gpu, uint32_t place)
{
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST; i++) virtio_gpu_part(gpu, i, place);
}
