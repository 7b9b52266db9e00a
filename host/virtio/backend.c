/* SPDX-License-Identifier: Apache-2.0
 *
 * See backend.h.
 */
#define _GNU_SOURCE
#include "virtio/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/installation.h"
#include "tessera_device.h"

enum { PAGE = 4096, LIBRARY_BYTES = 8 << 20, SYSTEM_BYTES = 0x7ffff000, BOARD_WINDOW = 0x40000000 };

struct backend {
    struct tessera *tessera;
    struct painter *painter;
    struct screen *screen;
    struct guest_report *report; /* NULL: none */
    struct virtio_gpu gpu;
    struct vhost_device device;
    struct vhost_memory memory;
    struct virtio_gpu_configuration configuration;
    uint8_t *mapping;
    size_t mapping_bytes;
};

/* ------------------------------------------------------------------ what the connection asks for */

static void begin(void *context) { backend_reset(context); }

static uint64_t cycles(const struct backend *backend) { return transport_cycles(tessera_transport(backend->tessera)); }

static bool work(void *context, uint32_t index, struct virtio_queue *queue)
{
    struct backend *backend = context;
    struct virtio_gpu *gpu = &backend->gpu;
    const uint64_t before = gpu->counts.commands, begin = cycles(backend);
    const bool is_sound = index == 0 ? virtio_gpu_control(gpu, queue) : virtio_gpu_cursor(gpu, queue);
    struct virtio_gpu_header header;
    memcpy(&header, gpu->command.bytes, sizeof header);
    if (gpu->counts.commands != before) guest_report_command(backend->report, begin, cycles(backend), header.type);
    return is_sound;
}

/* An allocation of the resource at a place, whose identity the command at hand has in its next word. */
static void name(void *context, const struct tessera_allocation *allocation, const char *kind)
{
    const struct backend *backend = context;
    char text[64];
    uint32_t id;
    memcpy(&id, backend->gpu.command.bytes + sizeof(struct virtio_gpu_header), sizeof id);
    snprintf(text, sizeof text, "%s %" PRIu32, kind, id);
    guest_report_name(backend->report, allocation, text);
}

void backend_reset(struct backend *backend) { virtio_gpu_reset(&backend->gpu); }

/* ------------------------------------------------------------------ life */

static bool is_board(const char *device) { return strncmp(device, "tty:", 4) == 0 || strncmp(device, "tcp:", 4) == 0; }

/* A range of addresses; memory is taken as it is touched. */
static bool map(struct backend *backend, size_t bytes, char message[256])
{
    void *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        snprintf(message, 256, "no addresses for %zu bytes of guest memory", bytes);
        return false;
    }
    backend->mapping = mapping;
    backend->mapping_bytes = bytes;
    return true;
}

/* As tessera_open_device, which a report cannot watch. */
static int open_watched(struct backend *backend, const struct backend_options *options,
                        const struct tessera_device_options *device, const struct tessera_options *library,
                        char message[256])
{
    const bool is_model = strcmp(options->device, "model") == 0;
    struct platform_options platform = {.is_model = is_model,
                                        .device = is_board(options->device) ? options->device : NULL,
                                        .firmware = installation_firmware(),
                                        .seed = device->seed,
                                        .memory = device->memory,
                                        .memory_bytes = device->memory_bytes};
    if (!is_model && !is_board(options->device) && strcmp(options->device, "simulator") != 0) {
        snprintf(message, 256, "there is no device '%.80s': name model, simulator, tty:... or tcp:...",
                 options->device);
        return TESSERA_MISUSE;
    }
    backend->report = guest_report_open(options->report, message);
    if (backend->report == NULL) return TESSERA_NO_MEMORY;
    return guest_report_device(backend->report, &backend->tessera, &platform, library, message);
}

static bool open_gpu(struct backend *backend, const struct backend_options *options, char message[256])
{
    const uint32_t screen = (uint32_t)LIBRARY_BYTES + (options->resource_bytes + PAGE - 1u) / PAGE * PAGE;
    const uint32_t guest = screen + (uint32_t)PAINTER_SCREEN_BYTES;
    const bool is_near = !is_board(options->device);
    struct tessera_device_options device = {.seed = 1};
    struct tessera_options library = {.seed = 1, .segment2_pages = options->segment2_pages};
    struct painter_options painter = {.screen = screen};
    if (!map(backend, is_near ? (size_t)SYSTEM_BYTES : (size_t)BOARD_WINDOW, message)) return false;
    backend->memory = (struct vhost_memory){.window = backend->mapping, .window_bytes = BOARD_WINDOW};
    if (is_near) {
        device.memory = backend->mapping;
        device.memory_bytes = SYSTEM_BYTES;
        library.own_bytes = (uint32_t)SYSTEM_BYTES - screen;
        painter.system = backend->mapping;
        painter.guest = guest;
        painter.guest_bytes = (uint32_t)SYSTEM_BYTES - guest;
        backend->memory.window = backend->mapping + guest;
        backend->memory.window_bytes = painter.guest_bytes;
    }
    painter.memory = vhost_memory_guest(&backend->memory);
    painter.name = name;
    painter.name_context = backend;
    const int status = options->report != NULL
                           ? open_watched(backend, options, &device, &library, message)
                           : tessera_open_device(&backend->tessera, options->device, &device, &library, message);
    if (status != TESSERA_OK) return false;
    backend->painter = painter_create(backend->tessera, &painter, message);
    return backend->painter != NULL;
}

static void join(struct backend *backend, const struct backend_options *options)
{
    backend->configuration = (struct virtio_gpu_configuration){.scanouts = 1};
    backend->device = (struct vhost_device){.context = backend,
                                            .features = 1ull << VIRTIO_GPU_FEATURE_EDID,
                                            .configuration = &backend->configuration,
                                            .configuration_bytes = sizeof backend->configuration,
                                            .begin = begin,
                                            .work = work};
    painter_table(backend->painter, &backend->gpu.painter);
    screen_table(backend->screen, &backend->gpu.display);
    backend->gpu.scanouts = 1;
    backend->gpu.width = options->width;
    backend->gpu.height = options->height;
    backend->gpu.bytes_most = options->resource_bytes;
    virtio_gpu_begin(&backend->gpu);
}

struct backend *backend_create(const struct backend_options *options, char message[256])
{
    struct backend *backend = calloc(1, sizeof *backend);
    snprintf(message, 256, "out of memory");
    if (backend == NULL) return NULL;
    if (open_gpu(backend, options, message)) {
        backend->screen = screen_create(backend->painter);
        if (backend->screen != NULL) {
            join(backend, options);
            return backend;
        }
    }
    char other[256]; /* the first reason is said */
    (void)backend_destroy(backend, other);
    return NULL;
}

bool backend_destroy(struct backend *backend, char message[256])
{
    struct guest_counts counts = {.message = ""};
    if (backend == NULL) return true;
    if (backend->screen != NULL) (void)backend_counts(backend, &counts);
    char said[256];
    snprintf(said, sizeof said, "%s", counts.message);
    counts.message = said;
    screen_destroy(backend->screen);
    painter_destroy(backend->painter);
    tessera_close(backend->tessera);
    const bool is_good = guest_report_close(backend->report, &counts, message);
    if (backend->mapping != NULL) (void)munmap(backend->mapping, backend->mapping_bytes);
    free(backend);
    return is_good;
}

void backend_frame(struct backend *backend, uint32_t number)
{
    guest_report_frame(backend->report, number, cycles(backend));
}

const struct vhost_device *backend_device(const struct backend *backend) { return &backend->device; }
struct vhost_memory *backend_memory(struct backend *backend) { return &backend->memory; }
struct screen *backend_screen(struct backend *backend) { return backend->screen; }

bool backend_counts(struct backend *backend, struct guest_counts *counts)
{
    counts->gpu = backend->gpu.counts;
    counts->painter = *painter_counts(backend->painter);
    counts->resources = virtio_gpu_resources(&backend->gpu);
    counts->bytes = backend->gpu.bytes;
    counts->cycles = cycles(backend);
    counts->message = painter_message(backend->painter);
    return tessera_statistics(backend->tessera, counts->statistics) == TESSERA_OK;
}
