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

#include "lib/device/installation.h"
#include "lib/device/top_file.h"

enum { PAGE = 4096, LIBRARY_BYTES = 8 << 20, SYSTEM_BYTES = 0x7ffff000, BOARD_WINDOW = 0x40000000 };
enum { ALLOCATIONS = 2048 }; /* two of each picture, one of each buffer, and this program's own */
_Static_assert(2 * VIRTIO_GPU_PICTURES_MOST + VIRTIO_GPU_BUFFERS_MOST + 64 <= ALLOCATIONS, "there is room for all");

struct backend {
    struct platform platform;
    struct tessera *tessera;
    struct painter *painter;
    struct submitter *submitter; /* NULL: the GPU cannot name the guest's pages */
    struct scanout *scanout;
    struct guest_report *report; /* NULL: none */
    const char *name;            /* the device's, as the user gave it */
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
    if (gpu->counts.commands != before)
        guest_report_command(backend->report, begin, cycles(backend), gpu->command.bytes);
    return is_sound;
}

static bool is_late(void *context)
{
    const struct backend *backend = context;
    return virtio_gpu_is_late(&backend->gpu);
}

static void settle(void *context, struct virtio_queue *queue)
{
    struct backend *backend = context;
    virtio_gpu_settle(&backend->gpu, queue);
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

/* As tessera_open_device, which keeps its platform: the display's frames come from there. */
static int open_device(struct backend *backend, const struct backend_options *options, struct platform_options *device,
                       const struct tessera_options *library, char message[256])
{
    struct tessera_options with_firmware = *library;
    struct platform *platform = &backend->platform;
    if (!device->is_model && device->device == NULL && strcmp(options->device, "simulator") != 0) {
        snprintf(message, 256, "there is no device '%.80s': name model, simulator, tty:... or tcp:...",
                 options->device);
        return TESSERA_MISUSE;
    }
    if (options->report != NULL) {
        backend->report = guest_report_open(options->report, message);
        if (backend->report == NULL) return TESSERA_NO_MEMORY;
        return guest_report_device(backend->report, &backend->tessera, platform, device, library, message);
    }
    if (platform_open(platform, device, message) != 0) return TESSERA_LINK;
    with_firmware.firmware = platform->firmware;
    const int status = tessera_open(&backend->tessera, &platform->transport, &with_firmware, message);
    if (status != TESSERA_OK) platform->transport.close(platform->transport.context);
    return status;
}

static bool open_gpu(struct backend *backend, const struct backend_options *options, char message[256])
{
    const uint32_t screen = (uint32_t)LIBRARY_BYTES + (options->resource_bytes + PAGE - 1u) / PAGE * PAGE;
    const uint32_t guest = screen + (uint32_t)PAINTER_SCREEN_BYTES;
    const bool is_near = !is_board(options->device);
    struct platform_options device = {.is_model = strcmp(options->device, "model") == 0,
                                      .device = is_near ? NULL : options->device,
                                      .firmware = installation_firmware(),
                                      .seed = 1};
    struct tessera_options library = {.seed = 1,
                                      .segment2_pages = options->segment2_pages,
                                      .timeout_cycles = options->timeout_cycles,
                                      .force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY)};
    struct painter_options painter = {.screen = screen};
    if (!map(backend, is_near ? (size_t)SYSTEM_BYTES : (size_t)BOARD_WINDOW, message)) return false;
    backend->memory = (struct vhost_memory){.window = backend->mapping, .window_bytes = BOARD_WINDOW};
    if (is_near) {
        device.memory = backend->mapping;
        device.memory_bytes = SYSTEM_BYTES;
        library.own_bytes = (uint32_t)SYSTEM_BYTES - screen;
        library.allocations = ALLOCATIONS;
        painter.system = backend->mapping;
        painter.guest = guest;
        painter.guest_bytes = (uint32_t)SYSTEM_BYTES - guest;
        backend->memory.window = backend->mapping + guest;
        backend->memory.window_bytes = painter.guest_bytes;
    }
    painter.memory = vhost_memory_guest(&backend->memory);
    painter.name = name;
    painter.name_context = backend;
    if (open_device(backend, options, &device, &library, message) != TESSERA_OK) return false;
    backend->painter = painter_create(backend->tessera, &painter, message);
    if (backend->painter == NULL) return false;
    guest_report_name(backend->report, painter_screen(backend->painter), "the screen as it is read back");
    const struct submitter_options programs = {painter.system, painter.guest, painter.guest_bytes};
    if (is_near) backend->submitter = submitter_create(backend->tessera, &programs, message);
    return !is_near || backend->submitter != NULL;
}

static void join(struct backend *backend, const struct backend_options *options)
{
    backend->configuration = (struct virtio_gpu_configuration){.scanouts = 1};
    backend->device = (struct vhost_device){.context = backend,
                                            .features = 1ull << VIRTIO_GPU_FEATURE_EDID,
                                            .configuration = &backend->configuration,
                                            .configuration_bytes = sizeof backend->configuration,
                                            .begin = begin,
                                            .work = work,
                                            .is_late = is_late,
                                            .settle = settle};
    if (backend->submitter != NULL) {
        submitter_table(backend->submitter, &backend->gpu.programs);
        backend->device.features |= 1ull << VIRTIO_GPU_FEATURE_VIRGL;
        backend->configuration.capsets = 1;
    }
    backend->name = options->device;
    painter_table(backend->painter, &backend->gpu.painter);
    scanout_table(backend->scanout, &backend->gpu.display);
    backend->gpu.scanouts = 1;
    backend->gpu.width = options->width;
    backend->gpu.height = options->height;
    if (options->width == 0) scanout_prefer(backend->scanout, &backend->gpu.width, &backend->gpu.height);
    backend->gpu.bytes_most = options->resource_bytes;
    virtio_gpu_begin(&backend->gpu);
}

struct backend *backend_create(const struct backend_options *options, char message[256])
{
    struct backend *backend = calloc(1, sizeof *backend);
    snprintf(message, 256, "out of memory");
    if (backend == NULL) return NULL;
    if (open_gpu(backend, options, message)) {
        backend->scanout = scanout_create(backend->tessera, backend->painter, &backend->platform);
        if (backend->scanout != NULL) {
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
    if (backend->scanout != NULL) (void)backend_counts(backend, &counts);
    char said[256];
    snprintf(said, sizeof said, "%s", counts.message);
    counts.message = said;
    scanout_destroy(backend->scanout);
    submitter_destroy(backend->submitter);
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
struct scanout *backend_scanout(struct backend *backend) { return backend->scanout; }

bool backend_counts(struct backend *backend, struct guest_counts *counts)
{
    counts->gpu = backend->gpu.counts;
    counts->painter = *painter_counts(backend->painter);
    counts->scanout = *scanout_counts(backend->scanout);
    counts->resources = virtio_gpu_resources(&backend->gpu);
    counts->bytes = backend->gpu.bytes;
    counts->cycles = cycles(backend);
    if (backend->submitter != NULL) counts->programs = *submitter_counts(backend->submitter);
    counts->program_contexts = virtio_gpu_contexts(&backend->gpu);
    counts->message = painter_message(backend->painter);
    return tessera_statistics(backend->tessera, counts->statistics) == TESSERA_OK;
}

bool backend_info(struct backend *backend, FILE *file)
{
    struct guest_counts counts;
    if (!backend_counts(backend, &counts)) return false;
    const struct guest_info info = {&backend->gpu,    backend->painter, backend->submitter,
                                    backend->scanout, &counts,          backend->name};
    guest_info_print(file, &info);
    return true;
}

bool backend_top(struct backend *backend, FILE *file) { return top_print(file, backend->tessera) >= TESSERA_OK; }
