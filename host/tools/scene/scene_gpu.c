/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene on the GPU. How binding slots are used decides what a split can do:
 *
 *   slot 0            the render target, bound once per buffer: it stays in place across every split
 *   ROTATION slots    small textures take them in turn; at a split point up to ROTATION textures are still
 *                     bound and must stay where they are, unless the scene unbinds them (scene.unbinds)
 *   slot 62           large textures, unbound right after their use, so that no split has to keep them (SPL-20)
 *
 * Textures may live in either memory segment, so that every one must be paged in, or also in the aperture, where they
 * are drawn from the host's own pages: the host prefers that unless it knows that all of them fit into local memory.
 */
#include "tools/scene/scene_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "tessera_stream.h"

enum { TARGET_SLOT = 0, LARGE_SLOT = 62, ROTATION = 15, ROTATION_FIRST = 3, ROTATION_STEP = 4, LARGE_PAGES = 8 };
enum { LOCAL_SEGMENTS = 3, ALL_SEGMENTS = 7, SEGMENT1 = 1, SEGMENT2 = 2, APERTURE = 3 };

/* ------------------------------------------------------------------ set up */

/* Most go where there is most room. */
static uint32_t preferred_segments(uint32_t index, bool is_mapped)
{
    if (is_mapped) return tessera_prefer(APERTURE, SEGMENT2, SEGMENT1);
    return index % 8u == 0 ? tessera_prefer(SEGMENT1, SEGMENT2, 0) : tessera_prefer(SEGMENT2, SEGMENT1, 0);
}

static int create_texture(struct scene_gpu *gpu, uint32_t index, bool is_mapped)
{
    const struct scene_texture *texture = &gpu->scene->textures[index];
    struct tessera_allocation_options options = {0};
    options.bytes = texture->pitch * texture->height;
    options.flags = ALLOCATION_CPU_VISIBLE;
    options.read_set = is_mapped ? ALL_SEGMENTS : LOCAL_SEGMENTS;
    options.write_set = LOCAL_SEGMENTS;
    options.preferred = preferred_segments(index, is_mapped);
    int status = tessera_allocation_create(gpu->tessera, &options, &gpu->textures[index]);
    if (status == TESSERA_OK)
        status = tessera_write(gpu->tessera, gpu->textures[index], 0, texture->data, options.bytes);
    return status;
}

int scene_gpu_create(struct scene_gpu *gpu, struct tessera *tessera, const struct scene *scene, bool is_mapped)
{
    struct tessera_allocation_options target = {.bytes = SCENE_FRAME_BYTES,
                                                .flags = ALLOCATION_CPU_VISIBLE,
                                                .read_set = LOCAL_SEGMENTS,
                                                .write_set = LOCAL_SEGMENTS,
                                                .preferred = tessera_prefer(SEGMENT2, SEGMENT1, 0),
                                                .priority = 0xa0000000u};
    memset(gpu, 0, sizeof *gpu);
    gpu->tessera = tessera;
    gpu->scene = scene;
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    gpu->textures = calloc(scene->texture_count + 1u, sizeof *gpu->textures);
    gpu->stream = tessera_stream_create_for(tessera);
    if (gpu->textures == NULL || gpu->stream == NULL) return TESSERA_NO_MEMORY;
    int status = tessera_context_create(tessera, 0, 0, &gpu->contexts[0]);
    for (uint32_t i = 1; i < scene->program_count && status == TESSERA_OK; i++)
        status = tessera_context_create(tessera, 0, 0, &gpu->contexts[i]);
    for (uint32_t i = 0; i < SCENE_TARGETS && status == TESSERA_OK; i++)
        status = tessera_allocation_create(tessera, &target, &gpu->targets[i]);
    for (uint32_t i = 0; i < scene->texture_count && status == TESSERA_OK; i++)
        status = create_texture(gpu, i, is_mapped);
    return status;
}

void scene_gpu_destroy(struct scene_gpu *gpu)
{
    for (uint32_t i = 0; gpu->textures != NULL && i < gpu->scene->texture_count; i++)
        (void)tessera_allocation_destroy(gpu->tessera, gpu->textures[i]);
    for (uint32_t i = 0; i < SCENE_TARGETS; i++) (void)tessera_allocation_destroy(gpu->tessera, gpu->targets[i]);
    for (uint32_t i = 0; i < SCENE_PROGRAMS; i++)
        if (gpu->contexts[i] != 0) (void)tessera_context_destroy(gpu->tessera, gpu->contexts[i]);
    scene_gpu_forget(gpu);
}

void scene_gpu_forget(struct scene_gpu *gpu)
{
    tessera_stream_destroy(gpu->stream);
    free(gpu->textures);
    memset(gpu, 0, sizeof *gpu);
}

struct tessera_allocation *scene_gpu_allocation(const struct scene_gpu *gpu, uint32_t i)
{
    const uint32_t textures = gpu->scene->texture_count;
    if (i < textures) return gpu->textures[i];
    return i - textures < SCENE_TARGETS ? gpu->targets[i - textures] : NULL;
}

/* Textures have their numbers, after them are the targets. */
void scene_gpu_tell(struct scene_gpu *gpu, struct bound *bound, bool is_mapped)
{
    gpu->bound = bound;
    for (uint32_t i = 0; i < gpu->scene->texture_count; i++)
        (void)bound_allocation(bound, gpu->scene->textures[i].pitch * gpu->scene->textures[i].height, is_mapped);
    for (uint32_t i = 0; i < SCENE_TARGETS; i++) (void)bound_allocation(bound, SCENE_FRAME_BYTES, false);
}

static uint32_t texel_bytes(uint32_t format)
{
    return format == FORMAT_A8 || format == FORMAT_BYTES ? 1 : format == FORMAT_RGB565 ? 2 : 4;
}

/* What a draw reads and writes at least; a key may leave anything out. */
static void tell_draw(struct scene_gpu *gpu, const struct scene_draw *draw)
{
    const uint32_t pixels = draw->width * draw->height, bytes = pixels * texel_bytes(FORMAT_RGB565);
    const uint32_t read = draw->texture == SCENE_FILL || draw->mode == BLIT_COPY || draw->mode == BLIT_KEY ? 0 : bytes;
    const uint32_t written = draw->texture != SCENE_FILL && draw->mode == BLIT_KEY ? 0 : bytes;
    uint32_t from = 0;
    bool is_moved = true; /* whole units */
    if (draw->texture != SCENE_FILL) {
        const uint32_t format = gpu->scene->textures[draw->texture].format;
        from = pixels * texel_bytes(format);
        is_moved = format == FORMAT_RGB565 && read == 0;
        bound_use(gpu->bound, draw->texture, from, 0, false);
    }
    bound_use(gpu->bound, gpu->scene->texture_count + gpu->target, read, written,
              bytes == SCENE_FRAME_BYTES && read == 0);
    bound_draw(gpu->bound, from + read, written, is_moved ? 0 : pixels);
}

/* ------------------------------------------------------------------ one DMA buffer */

static int begin_buffer(struct scene_gpu *gpu, uint32_t target)
{
    const struct tessera_surface surface = {.allocation = gpu->targets[target],
                                            .format = FORMAT_RGB565,
                                            .pitch = SCENE_PITCH,
                                            .bytes = SCENE_FRAME_BYTES,
                                            .is_target = true};
    gpu->target = target;
    memset(gpu->slot_of, 0, sizeof gpu->slot_of);
    memset(gpu->texture_in, 0, sizeof gpu->texture_in);
    tessera_stream_clear(gpu->stream);
    return tessera_stream_bind(gpu->stream, TARGET_SLOT, &surface);
}

/* Wait for the target's oldest DMA buffer that was not waited for. What was refused first is kept. */
static int await_one(struct scene_gpu *gpu, uint32_t target)
{
    struct scene_result *result = &gpu->results[target];
    struct tessera_completion completion = {0};
    int status = tessera_wait(gpu->tessera, gpu->tickets[target][gpu->waited[target]], &completion);
    if (status < 0) return status;
    gpu->waited[target]++;
    if (status != TESSERA_OK && gpu->refusals[target] == TESSERA_OK) gpu->refusals[target] = status;
    result->buffers++;
    result->failed += status != TESSERA_OK;
    result->portions += completion.words[REPLY_SUBMIT_PORTIONS - 4];
    result->evictions += completion.words[REPLY_SUBMIT_EVICTIONS - 4];
    result->pages_in += completion.words[REPLY_SUBMIT_PAGED_IN - 4];
    result->pages_out += completion.words[REPLY_SUBMIT_PAGED_OUT - 4];
    return TESSERA_OK;
}

static uint32_t unwaited(const struct scene_gpu *gpu, uint32_t target)
{
    return gpu->ticket_count[target] - gpu->waited[target];
}

/* Room for one more among those that may be queued; those of the frame before come first. */
static int await_turn(struct scene_gpu *gpu, uint32_t target)
{
    const uint32_t other = (target + 1u) % SCENE_TARGETS;
    int status = TESSERA_OK;
    while (status == TESSERA_OK && gpu->most_queued != 0 &&
           unwaited(gpu, target) + unwaited(gpu, other) >= gpu->most_queued)
        status = await_one(gpu, unwaited(gpu, other) != 0 ? other : target);
    return status;
}

static int await_buffers(struct scene_gpu *gpu, uint32_t target, struct scene_result *result)
{
    int status = TESSERA_OK;
    while (status == TESSERA_OK && unwaited(gpu, target) != 0) status = await_one(gpu, target);
    *result = gpu->results[target];
    if (status != TESSERA_OK) return status;
    status = gpu->refusals[target];
    gpu->results[target] = (struct scene_result){0};
    gpu->refusals[target] = TESSERA_OK;
    gpu->ticket_count[target] = gpu->waited[target] = 0;
    return status;
}

static int end_buffer(struct scene_gpu *gpu, uint32_t target)
{
    uint32_t *count = &gpu->ticket_count[target];
    if (*count == SCENE_TICKETS) return TESSERA_STREAM_FULL;
    int status = await_turn(gpu, target);
    if (status == TESSERA_OK)
        status =
            tessera_submit(gpu->tessera, gpu->contexts[gpu->program], gpu->stream, 0, &gpu->tickets[target][*count]);
    if (status == TESSERA_OK) ++*count;
    return status;
}

static bool is_large(const struct scene_gpu *gpu, uint32_t texture)
{
    return tessera_allocation_bytes(gpu->textures[texture]) >= LARGE_PAGES * GPU_LIMIT(PAGE_BYTES);
}

static bool is_unbound_early(const struct scene_gpu *gpu, uint32_t texture)
{
    return gpu->scene->unbinds || is_large(gpu, texture);
}

/* Bind a texture unless it is bound; *slot tells where. */
static int bind_texture(struct scene_gpu *gpu, uint32_t index, uint32_t *slot)
{
    const struct scene_texture *texture = &gpu->scene->textures[index];
    const struct tessera_surface surface = {.allocation = gpu->textures[index],
                                            .format = texture->format,
                                            .pitch = texture->pitch,
                                            .bytes = texture->pitch * texture->height};
    if (gpu->slot_of[index] != 0) {
        *slot = gpu->slot_of[index] - 1u;
        return TESSERA_OK;
    }
    *slot = LARGE_SLOT;
    if (!is_large(gpu, index)) *slot = ROTATION_FIRST + ROTATION_STEP * (gpu->next_slot++ % ROTATION);
    if (gpu->texture_in[*slot] != 0) gpu->slot_of[gpu->texture_in[*slot] - 1u] = 0;
    gpu->texture_in[*slot] = index + 1u;
    gpu->slot_of[index] = *slot + 1u;
    return tessera_stream_bind(gpu->stream, *slot, &surface);
}

static int unbind_texture(struct scene_gpu *gpu, uint32_t index)
{
    uint32_t slot = gpu->slot_of[index] - 1u;
    gpu->slot_of[index] = 0;
    gpu->texture_in[slot] = 0;
    return tessera_stream_unbind(gpu->stream, slot);
}

static int add_draw(struct scene_gpu *gpu, const struct scene_draw *draw, bool is_last_use)
{
    struct tessera_blit blit = {.target = TARGET_SLOT,
                                .mode = draw->mode,
                                .target_x = draw->target_x,
                                .target_y = draw->target_y,
                                .source_x = draw->source_x,
                                .source_y = draw->source_y,
                                .width = draw->width,
                                .height = draw->height,
                                .value = draw->value,
                                .is_premultiplied = draw->is_premultiplied != 0};
    tell_draw(gpu, draw);
    if (draw->texture == SCENE_FILL)
        return tessera_stream_fill_rect(gpu->stream, TARGET_SLOT, draw->target_x, draw->target_y, draw->width,
                                        draw->height, draw->value);
    int status = bind_texture(gpu, draw->texture, &blit.source);
    if (status == TESSERA_OK) status = tessera_stream_blit(gpu->stream, &blit);
    if (status == TESSERA_OK && is_last_use && is_unbound_early(gpu, draw->texture))
        status = unbind_texture(gpu, draw->texture);
    return status;
}

/* Room for one more draw with its bind and unbind? */
static bool has_room(const struct scene_gpu *gpu) { return tessera_stream_has_room(gpu->stream, 16, 0, 2); }

/* ------------------------------------------------------------------ frames */

/* What the program draws by itself. The GPU may still read what the frame before shows: that is waited for. */
static int touch(struct scene_gpu *gpu, const struct scene_touch *touch)
{
    const struct scene_texture *texture = &gpu->scene->textures[touch->texture];
    bound_host_write(gpu->bound, touch->texture, true);
    return tessera_write(gpu->tessera, gpu->textures[touch->texture], 0, touch->data, texture->pitch * texture->height);
}

int scene_gpu_submit(struct scene_gpu *gpu, uint32_t number, const struct scene_frame *frame)
{
    uint32_t target = number % SCENE_TARGETS;
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < frame->touch_count && status == TESSERA_OK; i++) status = touch(gpu, &frame->touches[i]);
    for (uint32_t b = 0; b < frame->buffer_count && status == TESSERA_OK; b++) {
        const struct scene_draw *draws = frame->buffer[b].draws;
        uint32_t count = frame->buffer[b].count;
        gpu->program = frame->buffer[b].program;
        status = begin_buffer(gpu, target);
        for (uint32_t d = 0; d < count && status == TESSERA_OK; d++) {
            if (!has_room(gpu)) {
                status = end_buffer(gpu, target);
                if (status == TESSERA_OK) status = begin_buffer(gpu, target);
            }
            if (status == TESSERA_OK)
                status = add_draw(gpu, &draws[d], d + 1u == count || draws[d + 1u].texture != draws[d].texture);
        }
        if (status == TESSERA_OK) status = end_buffer(gpu, target);
    }
    bound_host_read(gpu->bound, gpu->scene->texture_count + target);
    bound_frame(gpu->bound);
    return status;
}

/* Scan-out counts a picture when it begins: the one that begins second is drawn from the new address altogether, and
 * when a third has begun it has been shown. */
static int show(struct scene_gpu *gpu, uint32_t target)
{
    enum { PICTURES = 3, LOOK_CYCLES = 100000, MOST_LOOKS = 100000 };
    struct transport *transport = tessera_transport(gpu->tessera);
    uint32_t segment, offset, base, begun, now;
    int status = tessera_where(gpu->tessera, gpu->targets[target], &segment, &offset);
    if (status != TESSERA_OK || segment != SEGMENT2) return status;
    status = tessera_register_read(gpu->tessera, BOARD_LOCAL_BASE_OFFSET, &base);
    if (status == TESSERA_OK)
        status = tessera_register_write(gpu->tessera, BOARD_SCANOUT_ADDRESS_OFFSET, base + offset);
    if (status == TESSERA_OK)
        status = tessera_register_write(gpu->tessera, BOARD_SCANOUT_OFFSET,
                                        FIELD_PUT(1, BOARD_SCANOUT_ENABLE) | FIELD_PUT(1, BOARD_SCANOUT_DOUBLE));
    if (status == TESSERA_OK) status = tessera_register_read(gpu->tessera, BOARD_SCANOUT_FRAMES_OFFSET, &begun);
    for (int looks = 0; status == TESSERA_OK && looks < MOST_LOOKS; looks++) {
        status = tessera_register_read(gpu->tessera, BOARD_SCANOUT_FRAMES_OFFSET, &now);
        if (status == TESSERA_OK && now - begun >= PICTURES) return TESSERA_OK;
        (void)transport->wait(transport->context, LOOK_CYCLES);
    }
    return status != TESSERA_OK ? status : TESSERA_TIMED_OUT;
}

int scene_gpu_finish(struct scene_gpu *gpu, uint32_t number, uint8_t *pixels, struct scene_result *result)
{
    uint32_t target = number % SCENE_TARGETS;
    int status = await_buffers(gpu, target, result);
    if (status == TESSERA_OK && gpu->has_display) status = show(gpu, target);
    if (status != TESSERA_OK) return status;
    return tessera_read(gpu->tessera, gpu->targets[target], 0, pixels, SCENE_FRAME_BYTES);
}
