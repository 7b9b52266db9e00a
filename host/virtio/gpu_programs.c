/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands of programs: capability set, contexts, buffers, payloads. See gpu.h.
 */
#include <string.h>

#include "gpu_spec.h"
#include "virtio/gpu.h"

enum { RECORD_BYTES = LIMIT_BITS_COMPLETION_WORDS * 4, ID = PAYLOAD_IS_CAPSET, VERSION = PAYLOAD_IS_VERSION };

/* ------------------------------------------------------------------ contexts */

/* Its place, or VIRTIO_GPU_CONTEXTS_MOST. */
static uint32_t find_context(const struct virtio_gpu *gpu, uint32_t id)
{
    uint32_t place = 0;
    if (id == 0) return VIRTIO_GPU_CONTEXTS_MOST;
    while (place < VIRTIO_GPU_CONTEXTS_MOST && gpu->program[place] != id) place++;
    return place;
}

uint32_t virtio_gpu_contexts(const struct virtio_gpu *gpu)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST; i++) count += gpu->program[i] != 0;
    return count;
}

static void leave(struct virtio_gpu *gpu, uint32_t context)
{
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) {
        if (gpu->resource[i].id != 0) virtio_gpu_part(gpu, context, i);
        if (gpu->resource[i].owner == context + 1u) gpu->resource[i].owner = 0;
    }
    gpu->programs.leave(gpu->programs.context, context);
    gpu->program[context] = 0;
}

void virtio_gpu_leave_all(struct virtio_gpu *gpu)
{
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST; i++)
        if (gpu->program[i] != 0) leave(gpu, i);
}

static uint32_t create_context(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_context_create command;
    uint32_t place = 0;
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t id = command.header.context;
    if (id == 0 || find_context(gpu, id) != VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_BAD_CONTEXT;
    while (place < VIRTIO_GPU_CONTEXTS_MOST && gpu->program[place] != 0) place++;
    if (place == VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_OUT_OF_MEMORY;
    gpu->program[place] = id;
    return RESPONSE_OK;
}

static uint32_t destroy_context(struct virtio_gpu *gpu)
{
    const uint32_t place = find_context(gpu, gpu->command.attach.head.header.context);
    if (place == VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_BAD_CONTEXT;
    leave(gpu, place);
    return RESPONSE_OK;
}

/* May the context keep the buffer, which is not attached yet? Always, while more than an eighth of the buffers and
 * of their bytes is left; else if it has less than its share of what is short. */
static bool may_keep(const struct virtio_gpu *gpu, uint32_t context, const struct virtio_gpu_resource *buffer)
{
    uint32_t all = 0, own = 0;
    uint64_t own_bytes = 0;
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) {
        const struct virtio_gpu_resource *resource = &gpu->resource[i];
        if (resource->id == 0 || !resource->is_buffer) continue;
        all++;
        if (resource->owner != context + 1u) continue;
        own++;
        own_bytes += resource->width;
    }
    const bool has_buffers = VIRTIO_GPU_BUFFERS_MOST - all >= VIRTIO_GPU_BUFFERS_MOST / 8;
    const bool has_bytes = gpu->bytes_most - gpu->bytes >= gpu->bytes_most / 8u;
    return (has_buffers || own < VIRTIO_GPU_BUFFERS_MOST / VIRTIO_GPU_SHARES) &&
           (has_bytes || own_bytes + buffer->width <= gpu->bytes_most / VIRTIO_GPU_SHARES);
}

static uint32_t attach(struct virtio_gpu *gpu, uint32_t context, uint32_t place)
{
    struct virtio_gpu_resource *resource = &gpu->resource[place];
    bool is_first = resource->is_buffer && resource->owner == 0;
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST / 32; i++) is_first = is_first && resource->attached[i] == 0;
    if (is_first && !may_keep(gpu, context, resource)) {
        virtio_gpu_set_gone(gpu, resource->id, true);
        virtio_gpu_drop(gpu, place);
        gpu->counts.surplus++;
        return RESPONSE_OK;
    }
    if (is_first) resource->owner = context + 1u;
    resource->attached[context / 32u] |= 1u << context % 32u;
    return RESPONSE_OK;
}

/* What is attached already is attached; what is not is gone. Pictures, too, though no payload can name them. */
static uint32_t attach_or_part(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_named command;
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t context = find_context(gpu, command.header.context);
    const uint32_t place = virtio_gpu_find(gpu, command.which);
    if (context == VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_BAD_CONTEXT;
    if (place == VIRTIO_GPU_RESOURCES_MOST)
        return virtio_gpu_is_gone(gpu, command.which) ? RESPONSE_OK : RESPONSE_BAD_RESOURCE;
    if (command.header.type == COMMAND_CONTEXT_ATTACH) return attach(gpu, context, place);
    virtio_gpu_part(gpu, context, place);
    return RESPONSE_OK;
}

/* ------------------------------------------------------------------ the capability set */

static uint32_t capset_info(struct virtio_gpu *gpu, size_t bytes, size_t *answer_bytes)
{
    struct virtio_gpu_named command;
    const struct virtio_gpu_capset_info info = {.id = ID, .version = VERSION, .bytes = gpu->programs.capset_bytes};
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    if (command.which != 0) return RESPONSE_BAD_PARAMETER;
    memcpy(gpu->answer, &info, sizeof info);
    *answer_bytes = sizeof info;
    return RESPONSE_CAPSET_INFO;
}

static uint32_t capset(struct virtio_gpu *gpu, size_t bytes, size_t *answer_bytes)
{
    struct virtio_gpu_named command;
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    if (command.which != ID || command.padding > VERSION) return RESPONSE_BAD_PARAMETER;
    memcpy(gpu->answer + sizeof command.header, gpu->programs.capset, gpu->programs.capset_bytes);
    *answer_bytes = sizeof command.header + gpu->programs.capset_bytes;
    return RESPONSE_CAPSET;
}

/* ------------------------------------------------------------------ buffers */

/* Bytes alone, in one row. */
static uint32_t create_buffer(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_create_3d command;
    uint32_t place = 0;
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    if (command.resource == 0 || virtio_gpu_find(gpu, command.resource) != VIRTIO_GPU_RESOURCES_MOST)
        return RESPONSE_BAD_RESOURCE;
    if (command.target != 0 || command.width == 0 || command.height != 1 || command.depth != 1 || command.layers != 1)
        return RESPONSE_BAD_PARAMETER;
    if ((command.last_level | command.samples | command.flags) != 0) return RESPONSE_BAD_PARAMETER;
    if (!virtio_gpu_room(gpu, true, &place) || command.width > gpu->bytes_most - gpu->bytes)
        return RESPONSE_OUT_OF_MEMORY;
    virtio_gpu_set_gone(gpu, command.resource, false);
    gpu->bytes += command.width;
    gpu->resource[place] =
        (struct virtio_gpu_resource){.id = command.resource, .width = command.width, .height = 1, .is_buffer = true};
    return RESPONSE_OK;
}

/* Of a buffer all of it; of a picture, what TRANSFER_TO_HOST_2D does. */
static uint32_t transfer(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_transfer_3d command;
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t context = find_context(gpu, command.header.context);
    const uint32_t place = virtio_gpu_find(gpu, command.resource);
    const bool is_from_host = command.header.type == COMMAND_TRANSFER_FROM_HOST_3D;
    if (context == VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_BAD_CONTEXT;
    if (virtio_gpu_is_gone(gpu, command.resource)) return RESPONSE_OK;
    if (place == VIRTIO_GPU_RESOURCES_MOST || !virtio_gpu_is_attached(&gpu->resource[place], context))
        return RESPONSE_BAD_RESOURCE;
    if (!gpu->resource[place].is_buffer) {
        const struct virtio_gpu_transfer_2d of_picture = {
            .header.type = COMMAND_TRANSFER_TO_HOST_2D,
            .rectangle = {command.x, command.y, command.width, command.height},
            .offset = command.offset,
            .resource = command.resource};
        if (is_from_host || command.z != 0 || command.depth != 1 || command.level != 0) return RESPONSE_BAD_PARAMETER;
        memcpy(gpu->command.bytes, &of_picture, sizeof of_picture);
        return virtio_gpu_command(gpu, sizeof of_picture);
    }
    if (!gpu->resource[place].has_backing) return RESPONSE_BAD_RESOURCE;
    if ((command.x | command.y | command.z | command.level | command.offset) != 0 || command.height != 1 ||
        command.depth != 1 || command.width != gpu->resource[place].width)
        return RESPONSE_BAD_PARAMETER;
    gpu->counts.transfers++;
    return gpu->programs.transfer(gpu->programs.context, place, is_from_host) ? RESPONSE_OK : RESPONSE_UNSPECIFIED;
}

/* ------------------------------------------------------------------ payloads */

/* The place of the record, or VIRTIO_GPU_NOTHING. */
static uint32_t find_record(const struct virtio_gpu *gpu, uint32_t context, uint32_t id, uint32_t offset)
{
    const uint32_t place = virtio_gpu_attached(gpu, context, id);
    if (place == VIRTIO_GPU_NOTHING) return VIRTIO_GPU_NOTHING;
    const uint32_t bytes = gpu->resource[place].width;
    const bool is_inside = offset % RECORD_BYTES == 0 && bytes >= RECORD_BYTES && offset <= bytes - RECORD_BYTES;
    return is_inside ? place : (uint32_t)VIRTIO_GPU_NOTHING;
}

/* Everything that can be judged without what draws; STATUS_OK, or a status and its detail. */
static uint32_t judge(struct virtio_gpu_payload *payload, const uint32_t *words, uint32_t count, uint32_t *detail)
{
    const uint64_t lists = (uint64_t)words[PAYLOAD_LIST_COUNT] * LIMIT_BITS_LIST_ENTRY_WORDS;
    const uint64_t patches = (uint64_t)words[PAYLOAD_PATCH_COUNT] * LIMIT_BITS_PATCH_ENTRY_WORDS;
    *detail = PAYLOAD_IS_VERSION;
    if (words[PAYLOAD_VERSION] != PAYLOAD_IS_VERSION) return STATUS_PAYLOAD_VERSION;
    *detail = PAYLOAD_RESERVED;
    if (words[PAYLOAD_RESERVED] != 0) return STATUS_BAD_PAYLOAD;
    *detail = PAYLOAD_WORD_COUNT;
    if (count < PAYLOAD_LIST || lists + patches + words[PAYLOAD_WORD_COUNT] != count - (uint32_t)PAYLOAD_LIST)
        return STATUS_BAD_PAYLOAD;
    payload->message = words + PAYLOAD_MESSAGE;
    payload->list = words + PAYLOAD_LIST;
    payload->patches = payload->list + lists;
    payload->words = payload->patches + patches;
    payload->list_count = words[PAYLOAD_LIST_COUNT];
    payload->patch_count = words[PAYLOAD_PATCH_COUNT];
    payload->word_count = words[PAYLOAD_WORD_COUNT];
    return STATUS_OK;
}

static uint32_t submit(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_named command;
    struct virtio_gpu_payload payload = {.gpu = gpu};
    uint32_t answer[LIMIT_BITS_COMPLETION_WORDS] = {0};
    if (!virtio_gpu_get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    payload.context = find_context(gpu, command.header.context);
    if (payload.context == VIRTIO_GPU_CONTEXTS_MOST) return RESPONSE_BAD_CONTEXT;
    const size_t there = bytes - sizeof command; /* one that is longer than can be was cut: its counts do not add up */
    const uint32_t count = (command.which < there ? command.which : (uint32_t)there) / 4u;
    const uint32_t *words = gpu->command.words + sizeof command / 4u;
    if (count == 1 && words[PAYLOAD_MAGIC] == PAYLOAD_IS_MAGIC) return RESPONSE_OK; /* a fence alone */
    gpu->counts.payloads++;
    const bool has_record =
        count > PAYLOAD_MESSAGE + COMPLETION_TAG && words[PAYLOAD_MAGIC] == PAYLOAD_IS_MAGIC &&
        find_record(gpu, payload.context, words[PAYLOAD_RECORD], words[PAYLOAD_RECORD_OFFSET]) != VIRTIO_GPU_NOTHING;
    if (!has_record) {
        gpu->counts.unrecorded++;
        return RESPONSE_OK;
    }
    gpu->begun = (struct virtio_gpu_begun){VIRTIO_GPU_ENDED, payload.context, words[PAYLOAD_RECORD],
                                           words[PAYLOAD_RECORD_OFFSET], words[PAYLOAD_MESSAGE + 1]};
    answer[COMPLETION_STATUS] = judge(&payload, words, count, &answer[COMPLETION_DETAIL]);
    if (answer[COMPLETION_STATUS] == STATUS_OK) {
        answer[COMPLETION_DETAIL] = 0;
        gpu->begun.ended = gpu->programs.submit(gpu->programs.context, &payload, answer);
    }
    if (gpu->begun.ended == VIRTIO_GPU_ENDED) virtio_gpu_program_ended(gpu, &gpu->begun, answer);
    return RESPONSE_OK;
}

/* The record may have gone meanwhile. */
void virtio_gpu_program_ended(struct virtio_gpu *gpu, const struct virtio_gpu_begun *begun, uint32_t *answer)
{
    const uint32_t place = find_record(gpu, begun->of, begun->record, begun->offset);
    answer[COMPLETION_TAG] = begun->tag;
    if (place != VIRTIO_GPU_NOTHING) gpu->programs.record(gpu->programs.context, place, begun->offset, answer);
    else gpu->counts.unrecorded++;
}

/* ------------------------------------------------------------------ by type */

uint32_t virtio_gpu_program_command(struct virtio_gpu *gpu, size_t bytes, size_t *answer_bytes)
{
    struct virtio_gpu_header header;
    memcpy(&header, gpu->command.bytes, sizeof header);
    if (gpu->programs.context == NULL) return RESPONSE_UNSPECIFIED;
    switch (header.type) {
    case COMMAND_GET_CAPSET_INFO: return capset_info(gpu, bytes, answer_bytes);
    case COMMAND_GET_CAPSET: return capset(gpu, bytes, answer_bytes);
    case COMMAND_CONTEXT_CREATE: return create_context(gpu, bytes);
    case COMMAND_CONTEXT_DESTROY: return destroy_context(gpu);
    case COMMAND_CONTEXT_ATTACH:
    case COMMAND_CONTEXT_DETACH: return attach_or_part(gpu, bytes);
    case COMMAND_CREATE_3D: return create_buffer(gpu, bytes);
    case COMMAND_TRANSFER_TO_HOST_3D:
    case COMMAND_TRANSFER_FROM_HOST_3D: return transfer(gpu, bytes);
    default: return submit(gpu, bytes);
    }
}
