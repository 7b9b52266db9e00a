/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's two queues: a command is copied out of its chain, done, and answered. See gpu.h.
 */
#include "virtio/gpu.h"

#include <string.h>

#include "gpu_spec.h"
#include "virtio/edid.h"

void virtio_gpu_begin(struct virtio_gpu *gpu)
{
    gpu->bytes = 0;
    memset(&gpu->counts, 0, sizeof gpu->counts);
    memset(gpu->resource, 0, sizeof gpu->resource);
    memset(gpu->program, 0, sizeof gpu->program);
    gpu->late_count = 0;
    for (uint32_t i = 0; i < VIRTIO_GPU_LATE_MOST; i++) gpu->order[i] = (uint16_t)i;
    memset(gpu->gone, 0, sizeof gpu->gone);
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
    for (uint32_t i = 0; i < gpu->late_count; i++) {
        const struct virtio_gpu_late *late = &gpu->late[gpu->order[i]];
        if (late->state == VIRTIO_GPU_UNDER_WAY) gpu->programs.give_up(gpu->programs.context, late->begun.of);
    }
    gpu->late_count = 0;
    virtio_gpu_leave_all(gpu);
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) {
        const struct virtio_gpu_resource *resource = &gpu->resource[i];
        if (resource->id == 0) continue;
        if (!resource->is_buffer) gpu->painter.destroy(gpu->painter.context, i);
        else if (resource->has_backing) gpu->programs.detach(gpu->programs.context, i);
        gpu->resource[i].id = 0;
    }
    memset(gpu->gone, 0, sizeof gpu->gone);
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

/* ------------------------------------------------------------------ what is late */

/* The context whose commands are done in their order; 0: it is of none. */
static uint32_t context_of(const struct virtio_chain *chain, bool *is_fenced)
{
    struct virtio_gpu_header header;
    *is_fenced = false;
    if (virtio_chain_read(chain, 0, &header, sizeof header) < sizeof header) return 0;
    *is_fenced = (header.flags & VIRTIO_GPU_FLAG_FENCE) != 0;
    return is_of_programs(header.type) ? header.context : 0;
}

/* Is one of the context's among the first `count`? */
static bool is_busy(const struct virtio_gpu *gpu, uint32_t context, uint32_t count)
{
    for (uint32_t i = 0; i < count && context != 0; i++) {
        const struct virtio_gpu_late *late = &gpu->late[gpu->order[i]];
        if (late->context == context && late->state != VIRTIO_GPU_DONE) return true;
    }
    return false;
}

static bool has_fence(const struct virtio_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->late_count; i++)
        if (gpu->late[gpu->order[i]].is_fenced) return true;
    return false;
}

/* Do it, now or when its turn comes. The driver can have changed it meanwhile: it is copied and judged here. */
static void run(struct virtio_gpu *gpu, struct virtio_gpu_late *late)
{
    const struct virtio_gpu_counts before = gpu->counts;
    gpu->begun.ended = VIRTIO_GPU_ENDED;
    late->written = answer(gpu, &late->chain);
    late->begun = gpu->begun;
    if (gpu->begun.ended == VIRTIO_GPU_AGAIN) gpu->counts = before;
    else late->state = gpu->begun.ended == VIRTIO_GPU_ENDED ? VIRTIO_GPU_DONE : VIRTIO_GPU_UNDER_WAY;
}

/* A chain that was taken, in the first place of `order` that is free. */
static void accept(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    struct virtio_gpu_late *late = &gpu->late[gpu->order[gpu->late_count]];
    late->context = context_of(&late->chain, &late->is_fenced);
    late->state = VIRTIO_GPU_WAITS;
    if (!is_busy(gpu, late->context, gpu->late_count)) run(gpu, late);
    if (late->state == VIRTIO_GPU_DONE && !(late->is_fenced && has_fence(gpu)))
        virtio_queue_give(queue, late->chain.head, late->written);
    else gpu->late_count++;
}

static void remove_late(struct virtio_gpu *gpu, uint32_t index)
{
    const uint16_t place = gpu->order[index];
    gpu->late_count--;
    memmove(gpu->order + index, gpu->order + index + 1, (gpu->late_count - index) * sizeof *gpu->order);
    gpu->order[gpu->late_count] = place;
}

static void poll(struct virtio_gpu *gpu, struct virtio_gpu_late *late)
{
    uint32_t words[LIMIT_BITS_COMPLETION_WORDS] = {0};
    const enum virtio_gpu_ended ended = gpu->programs.poll(gpu->programs.context, late->begun.of, words);
    if (ended == VIRTIO_GPU_NOT_YET) return;
    late->state = ended == VIRTIO_GPU_AGAIN ? VIRTIO_GPU_WAITS : VIRTIO_GPU_DONE;
    if (ended == VIRTIO_GPU_ENDED) virtio_gpu_program_ended(gpu, &late->begun, words);
}

/* See how far all are, begin at most one that waits, and give back what may be. */
static void advance(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    bool has_run = false, is_fenced = false; /* an earlier fence has not passed */
    for (uint32_t i = 0; i < gpu->late_count;) {
        struct virtio_gpu_late *late = &gpu->late[gpu->order[i]];
        if (late->state == VIRTIO_GPU_UNDER_WAY) poll(gpu, late);
        else if (late->state == VIRTIO_GPU_WAITS && !has_run && !is_busy(gpu, late->context, i)) {
            run(gpu, late);
            has_run = true;
        }
        if (late->state == VIRTIO_GPU_DONE && !(late->is_fenced && is_fenced)) {
            virtio_queue_give(queue, late->chain.head, late->written);
            remove_late(gpu, i);
            continue;
        }
        is_fenced |= late->is_fenced;
        i++;
    }
}

static bool is_under_way(const struct virtio_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->late_count; i++)
        if (gpu->late[gpu->order[i]].state == VIRTIO_GPU_UNDER_WAY) return true;
    return false;
}

bool virtio_gpu_is_late(const struct virtio_gpu *gpu) { return gpu->late_count != 0; }

void virtio_gpu_settle(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    while (gpu->late_count != 0) {
        if (is_under_way(gpu)) gpu->programs.work(gpu->programs.context);
        advance(gpu, queue);
    }
}

/* ------------------------------------------------------------------ one of each queue */

/* The GPU works when nothing else is queued. A driver that queues without end does not hold it up. */
bool virtio_gpu_control(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    enum { CHAINS = 32 }; /* at most, between two times that it works */
    enum virtio_taken taken = VIRTIO_NOTHING;
    struct virtio_chain *chain =
        gpu->late_count < VIRTIO_GPU_LATE_MOST ? &gpu->late[gpu->order[gpu->late_count]].chain : NULL;
    if (chain != NULL) taken = virtio_queue_take(queue, chain);
    if (taken == VIRTIO_BROKEN) return false;
    if (taken == VIRTIO_CHAIN) accept(gpu, queue);
    if (taken == VIRTIO_MALFORMED) {
        gpu->counts.refused++;
        virtio_queue_give(queue, chain->head, 0);
    }
    if (gpu->late_count == 0) return true;
    gpu->unworked++;
    if ((taken == VIRTIO_NOTHING || gpu->unworked >= CHAINS) && is_under_way(gpu)) {
        gpu->programs.work(gpu->programs.context);
        gpu->unworked = 0;
    }
    advance(gpu, queue);
    return true;
}

bool virtio_gpu_cursor(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    struct virtio_chain chain;
    const enum virtio_taken taken = virtio_queue_take(queue, &chain);
    if (taken == VIRTIO_BROKEN) return false;
    if (taken == VIRTIO_NOTHING) return true;
    if (taken == VIRTIO_MALFORMED) gpu->counts.refused++;
    virtio_queue_give(queue, chain.head, taken == VIRTIO_CHAIN ? move_cursor(gpu, &chain) : 0);
    return true;
}
