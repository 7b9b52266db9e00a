/* SPDX-License-Identifier: Apache-2.0
 *
 * See live_gpu.h. The surfaces are those of a played recording (play/play_gpu.h); a frame is waited for when it is
 * shown, since the program does not go on before it has it. It is what the display shows after a flip, or what is read
 * from the GPU's memory where the display cannot show it.
 */
#include "clients/sdl/live/live_gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/cli/option_table.h"
#include "tools/cli/options.h"
#include "clients/sdl/play/play_gpu.h"
#include "clients/sdl/record/drawn.h"
#include "tessera_device.h"

enum { PATIENCE_CYCLES = 400000000, ALL_PAGES = SMALL_SEGMENT1_PAGES + 4096 };

struct live_gpu {
    struct tessera *tessera;
    struct play_gpu *drawing;
    struct play_origin *origin;
    struct live_screen *screen;
    struct recording *recording;
    struct live_result *result;
    int pictures;
    bool spoils;
    uint64_t first_cycle;
    char message[256];
};

struct live_gpu *live_gpu_open(const char *device, const struct option_limits *limits, char message[256])
{
    struct tessera_options options = {.allocations = limits->allocations,
                                      .contexts = limits->contexts,
                                      .seed = 1,
                                      .patience_cycles = PATIENCE_CYCLES};
    const struct tessera_device_options of_device = {.seed = 1};
    struct live_gpu *gpu = calloc(1, sizeof *gpu);
    snprintf(message, 256, "out of memory");
    if (gpu == NULL) return NULL;
    (void)option_policy("", OPTION_POLICY_DEFAULT, &options.force);
    gpu->drawing = play_gpu_create(ALL_PAGES, false);
    gpu->origin = play_origin_create();
    bool is_good = gpu->drawing != NULL && gpu->origin != NULL &&
                   tessera_open_device(&gpu->tessera, device, &of_device, &options, message) == TESSERA_OK;
    if (is_good) {
        is_good =
            play_gpu_enter(gpu->drawing, gpu->tessera) == TESSERA_OK && play_gpu_begin(gpu->drawing) == TESSERA_OK;
        if (!is_good) snprintf(message, 256, "%s", tessera_message(gpu->tessera));
        gpu->screen = is_good ? live_screen_create(gpu->tessera, gpu->drawing) : NULL;
        if (is_good && gpu->screen == NULL) snprintf(message, 256, "out of memory");
        is_good = gpu->screen != NULL;
    }
    if (is_good) return gpu;
    live_gpu_close(gpu);
    return NULL;
}

void live_gpu_close(struct live_gpu *gpu)
{
    if (gpu == NULL) return;
    if (gpu->tessera != NULL) tessera_close(gpu->tessera);
    live_screen_destroy(gpu->screen);
    play_gpu_destroy(gpu->drawing);
    play_origin_destroy(gpu->origin);
    free(gpu);
}

void live_gpu_spoil(struct live_gpu *gpu) { gpu->spoils = true; }

static uint64_t now_microseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

static uint64_t device_cycles(const struct live_gpu *gpu) { return transport_cycles(tessera_transport(gpu->tessera)); }

static bool fail(struct live_gpu *gpu, const char *what)
{
    gpu->result->has_failed = true;
    snprintf(gpu->result->failure, sizeof gpu->result->failure, "%s", what);
    return false;
}

/* ------------------------------------------------------------------ pictures */

/* False: nothing takes them any more. */
static bool write_all(int pipe, const void *bytes, size_t count)
{
    for (const uint8_t *at = bytes; count != 0;) {
        ssize_t written = write(pipe, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        count -= (size_t)written;
    }
    return true;
}

static int take(struct live_gpu *gpu, uint32_t surface, const uint8_t **pixels)
{
    const struct recording_surface *shown = recording_surface(gpu->recording, surface);
    struct play_work work;
    int status = TESSERA_OK;
    if (gpu->spoils && gpu->result->frames == 0) status = play_gpu_spoil(gpu->drawing, surface);
    if (status == TESSERA_OK) status = live_screen_show(gpu->screen, surface, shown, pixels, gpu->result->read_back);
    if (*pixels != NULL || status != TESSERA_OK) {
        gpu->result->flipped += *pixels != NULL;
        return status;
    }
    status = play_gpu_present(gpu->drawing, surface);
    if (status == TESSERA_OK) status = play_gpu_take(gpu->drawing, pixels, &work);
    return status;
}

static bool send(struct live_gpu *gpu, uint32_t surface, const uint8_t *pixels)
{
    const struct recording_surface *shown = recording_surface(gpu->recording, surface);
    const struct drawn_header header = {.frame = recording_frames(gpu->recording) - 1u,
                                        .bytes = shown->width * shown->height *
                                                 recording_unit_bytes((uint32_t)shown->format)};
    gpu->result->frames++;
    gpu->result->shown = play_origin_shown(gpu->origin);
    gpu->result->cycles = device_cycles(gpu) - gpu->first_cycle;
    return write_all(gpu->pictures, &header, sizeof header) && write_all(gpu->pictures, pixels, header.bytes);
}

/* ------------------------------------------------------------------ events */

static bool draw(struct live_gpu *gpu, const struct recording_event *event)
{
    const uint8_t *pixels = NULL;
    const uint64_t begin = now_microseconds();
    bool is_shown = event->kind == RECORDING_PRESENT;
    int status = is_shown ? take(gpu, event->surface, &pixels) : play_gpu_event(gpu->drawing, event);
    gpu->result->microseconds += now_microseconds() - begin;
    if (status != TESSERA_OK) {
        snprintf(gpu->message, sizeof gpu->message, "%.40s: %.200s", tessera_status_name(status),
                 play_gpu_message(gpu->drawing));
        return fail(gpu, gpu->message);
    }
    if (!play_origin_event(gpu->origin, event, true)) return fail(gpu, "out of memory");
    return !is_shown || send(gpu, event->surface, pixels);
}

bool live_gpu_serve(struct live_gpu *gpu, int events, int pictures, struct live_result *result)
{
    struct recording_event event;
    char path[32];
    bool goes_on = true;
    gpu->result = result;
    gpu->pictures = pictures;
    gpu->first_cycle = device_cycles(gpu);
    snprintf(path, sizeof path, "/proc/self/fd/%d", events);
    if (recording_open(&gpu->recording, path, gpu->message) != 0) return fail(gpu, gpu->message);
    /* A program that dies may leave half a chunk behind: that is an end, too. */
    while (goes_on && recording_next(gpu->recording, &event, gpu->message) == 1)
        goes_on = event.kind == RECORDING_LEFT || draw(gpu, &event);
    recording_close(gpu->recording);
    return !result->has_failed;
}
