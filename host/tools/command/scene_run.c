/* SPDX-License-Identifier: Apache-2.0
 *
 * See scene_run.h.
 */
#include "tools/command/scene_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/scene/scene_flips.h"
#include "tessera.h"
#include "tools/view/lower_bound.h"

static uint64_t device_cycles(struct tessera *tessera) { return transport_cycles(tessera_transport(tessera)); }

/* ------------------------------------------------------------------ the beginning */

/* For tests of programs: the texture of frame 0's last draw is inverted on the GPU, so frames must differ. */
static int spoil(struct scene_run *run)
{
    struct scene_frame *frame = &run->frame;
    run->scene->frame(run->scene, 0, frame);
    uint32_t last = frame->buffer[frame->buffer_count - 1u].count - 1u;
    uint32_t index = frame->buffer[frame->buffer_count - 1u].draws[last].texture;
    const struct scene_texture *texture = &run->scene->textures[index];
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < texture->pitch * texture->height && status == TESSERA_OK; i++) {
        uint8_t inverted = (uint8_t)~texture->data[i];
        status = tessera_write(run->gpu.tessera, run->gpu.textures[index], i, &inverted, 1);
    }
    return status;
}

static void name_allocations(struct view *view, const struct scene_gpu *gpu)
{
    char name[32];
    for (uint32_t i = 0; i < gpu->scene->texture_count; i++)
        view_name(view, tessera_allocation_handle(gpu->textures[i]), gpu->scene->textures[i].name);
    for (uint32_t i = 0; i < SCENE_TARGETS; i++) {
        snprintf(name, sizeof name, "frame buffer %u", i);
        view_name(view, tessera_allocation_handle(gpu->targets[i]), name);
        view_surface(view, tessera_allocation_handle(gpu->targets[i]),
                     &(struct view_surface){i, SCENE_WIDTH, SCENE_HEIGHT, FORMAT_RGB565, 0, name});
    }
}

/* A chip without a display may be on a board that has one of its own. */
static int begin_showing(struct scene_run *run)
{
    struct tessera_display display = {0};
    int status = run->has_display ? tessera_query_display(run->gpu.tessera, &display) : TESSERA_OK;
    run->gpu.has_display = run->has_display && display.modes == 0;
    if (status == TESSERA_OK && (run->has_flips || display.modes != 0)) status = scene_flips_begin(&run->gpu);
    return status;
}

int scene_run_begin(struct scene_run *run, struct tessera *tessera)
{
    uint64_t begin = device_cycles(tessera);
    int status = scene_gpu_create(&run->gpu, tessera, run->scene, run->is_mapped);
    view_span(run->view, begin, device_cycles(tessera), "create allocations, write textures");
    if (status == TESSERA_OK) status = begin_showing(run);
    if (status == TESSERA_OK) name_allocations(run->view, &run->gpu);
    if (status == TESSERA_OK && run->spoils) status = spoil(run);
    run->bound = run->is_bound ? bound_create() : NULL;
    if (status == TESSERA_OK) scene_gpu_tell(&run->gpu, run->bound, run->is_mapped);
    run->before = view_account(run->view);
    run->record->first_cycle = device_cycles(tessera);
    return status;
}

/* ------------------------------------------------------------------ frames */

static int finish_frame(struct scene_run *run, uint32_t number)
{
    struct frame_record *frame = &run->record->frames[number];
    uint8_t *pixels = run->pixels + (size_t)number * SCENE_FRAME_BYTES;
    const uint8_t *expected = run->expected != NULL ? run->expected + (size_t)number * SCENE_FRAME_BYTES : NULL;
    uint64_t begin = device_cycles(run->gpu.tessera);
    int status = scene_gpu_finish(&run->gpu, number, pixels, &frame->result);
    run->record->failed_buffers += frame->result.failed;
    frame->done_cycle = device_cycles(run->gpu.tessera);
    frame->is_golden = status == TESSERA_OK && (expected == NULL || memcmp(pixels, expected, SCENE_FRAME_BYTES) == 0);
    if (status == TESSERA_OK)
        status = (run->has_display ? scene_flips_show : scene_flips_completed)(&run->gpu, number % SCENE_TARGETS);
    if (status != TESSERA_OK) return status;
    view_span(run->view, begin, frame->done_cycle, "wait for frame, lock, read, unlock");
    view_frame_picture(run->view, number, number % SCENE_TARGETS, pixels, frame->is_golden ? NULL : expected);
    view_frame_end(run->view, number, frame->done_cycle);
    run->finished = number + 1u;
    if (run->on_frame != NULL) run->on_frame(run->context, number, frame, pixels);
    return TESSERA_OK;
}

int scene_run_frame(struct scene_run *run, bool *is_over)
{
    const uint32_t overlap = run->has_display ? 0 : 1, number = run->submitted;
    const uint64_t begin = device_cycles(run->gpu.tessera);
    int status = TESSERA_OK;
    if (number < run->frames) {
        view_frame_begin(run->view, number, begin);
        run->scene->frame(run->scene, number, &run->frame);
        status = scene_flips_await(&run->gpu);
        if (status == TESSERA_OK) status = scene_gpu_submit(&run->gpu, number, &run->frame);
        if (status == TESSERA_OK && !run->has_display)
            status = scene_flips_submitted(&run->gpu, number % SCENE_TARGETS);
        view_span(run->view, begin, device_cycles(run->gpu.tessera), "build and submit");
        run->submitted++;
        if (status == TESSERA_OK && number >= overlap) status = finish_frame(run, number - overlap);
    } else if (run->finished < run->frames) {
        status = finish_frame(run, run->finished);
    }
    *is_over = run->finished == run->frames;
    return status == TESSERA_OK && *is_over ? scene_flips_await(&run->gpu) : status;
}

/* ------------------------------------------------------------------ counters */

static int read_node(struct tessera *tessera, uint32_t node, struct node_counters *counters)
{
    const struct {
        uint32_t offset;
        uint32_t *value;
    } registers[] = {
        {NODE_PACKETS_OFFSET, &counters->packets},          {NODE_BUSY_CYCLES_OFFSET, &counters->busy},
        {NODE_STALL_FETCH_OFFSET, &counters->stall_fetch},  {NODE_STALL_FENCE_OFFSET, &counters->stall_fence},
        {NODE_STALL_READ_OFFSET, &counters->stall_read},    {NODE_STALL_WRITE_OFFSET, &counters->stall_write},
        {NODE_STALL_DRAIN_OFFSET, &counters->stall_drain},  {NODE_READ_LOCAL_OFFSET, &counters->read_local},
        {NODE_READ_SYSTEM_OFFSET, &counters->read_system},  {NODE_WRITE_LOCAL_OFFSET, &counters->write_local},
        {NODE_WRITE_SYSTEM_OFFSET, &counters->write_system}};
    int status = TESSERA_OK;
    for (size_t i = 0; i < sizeof registers / sizeof *registers && status == TESSERA_OK; i++)
        status = tessera_register_read(tessera, registers[i].offset + node * NODE_STRIDE, registers[i].value);
    return status;
}

static int read_counters(struct tessera *tessera, struct run_record *record)
{
    uint32_t low = 0, high = 0;
    int status = tessera_statistics(tessera, record->statistics);
    for (uint32_t node = 0; node < NODE_COUNT && status == TESSERA_OK; node++)
        status = read_node(tessera, node, &record->node[node]);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, CORE_INSTRET_LO_OFFSET, &low);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, CORE_INSTRET_HI_OFFSET, &high);
    record->firmware_instructions = (uint64_t)high << 32 | low;
    return status;
}

/* Of the run and of its frames; without memory for these they are not known. */
static int solve_bound(struct scene_run *run)
{
    uint64_t *frames = calloc(run->frames + 1u, sizeof *frames);
    int status = lower_bound_solve(run->bound, run->gpu.tessera, run->stall_percent, &run->record->least, frames,
                                   frames != NULL ? run->frames : 0);
    for (uint32_t i = 0; frames != NULL && i < run->frames; i++) run->record->frames[i].bound = frames[i];
    free(frames);
    return status;
}

int scene_run_measure(struct scene_run *run)
{
    struct tessera *tessera = run->gpu.tessera;
    const struct account now = view_account(run->view);
    run->record->account = account_since(&now, &run->before);
    run->record->cycles = device_cycles(tessera);
    int status = read_counters(tessera, run->record);
    if (status == TESSERA_OK && run->is_bound) status = solve_bound(run);
    for (uint32_t i = 0; run->asks_why && status == TESSERA_OK; i++) {
        struct tessera_allocation *allocation = scene_gpu_allocation(&run->gpu, i);
        if (allocation == NULL) break;
        status = places_ask(&run->record->places, run->view, tessera, allocation);
    }
    return status;
}

void scene_run_end(struct scene_run *run)
{
    bound_destroy(run->bound);
    run->bound = NULL;
    scene_gpu_forget(&run->gpu);
}
