/* SPDX-License-Identifier: Apache-2.0
 *
 * See tessera_device.h: a platform (platform.h) that belongs to the struct tessera on it.
 */
#include "tessera_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/device/installation.h"
#include "lib/device/platform.h"
#include "lib/device/transport_drm.h"
#include "lib/tessera_internal.h"

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* ------------------------------------------------------------------ what is asked for */

/* A board, or the GPU of the virtual machine that this program runs in. */
static bool is_elsewhere(const char *where)
{
    return starts(where, "tty:") || starts(where, "tcp:") || starts(where, "drm:");
}

static const char *wrong_memory(const struct tessera_device_options *device, bool is_board)
{
    const bool is_given = device->memory != NULL || device->memory_descriptor != 0;
    if (is_board && (is_given || device->memory_bytes != 0))
        return "open_device: this device has its own system memory. Leave memory, memory_bytes and memory_descriptor "
               "out.";
    if (device->memory != NULL && device->memory_descriptor != 0)
        return "open_device: memory and memory_descriptor are both given. Leave one out.";
    if (is_given && device->memory_bytes == 0) return "open_device: memory is given without its memory_bytes.";
    if (device->memory_bytes % PAGE_BYTES != 0 || device->memory_bytes > GPU_LIMIT(ADDR_SYSTEM) - PAGE_BYTES)
        return "open_device: memory_bytes is out of range: whole pages of 4096 bytes, below 2 GiB.";
    return NULL;
}

static const char *wrong_device(const struct tessera_device_options *device, bool is_board)
{
    enum { LATENCY_MOST = 10000, STALL_MOST = 90 };
    if (device->latency > LATENCY_MOST)
        return "open_device: latency is out of range, 1 to 10000 cycles is possible, and 0 for the default.";
    if (device->stall_percent > STALL_MOST) return "open_device: stall_percent is out of range, 0 to 90 is possible.";
    return wrong_memory(device, is_board);
}

/* ------------------------------------------------------------------ the event descriptor */

/* An eventfd is readable while its count is not 0. */
static void show_flight(void *context, bool is_any)
{
    const struct platform *platform = context;
    uint64_t count = 1;
    ssize_t moved;
    if (platform->event == 0) return;
    do moved = is_any ? write(platform->event, &count, sizeof count) : read(platform->event, &count, sizeof count);
    while (moved < 0 && errno == EINTR);
}

int tessera_event_descriptor(struct tessera *tessera)
{
    struct platform *platform = tessera->platform;
    if (platform == NULL) {
        errno = ENOTSUP; /* the program's own transport: it knows what to wait on */
        return -1;
    }
    if (platform->event == 0) {
        const int event = eventfd(tessera->flight_count != 0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (event < 0) return -1;
        platform->event = event;
    }
    return platform->event;
}

static void close_platform(void *context)
{
    const struct platform *platform = context;
    if (platform->event != 0) (void)close(platform->event);
    if (platform->mapped != NULL) (void)munmap(platform->mapped, platform->mapped_bytes);
}

/* ------------------------------------------------------------------ opening */

/* 0, or a status after a line in `message`. */
static int map_memory(struct platform *platform, const struct tessera_device_options *device, char message[256])
{
    if (device->memory_descriptor == 0) return TESSERA_OK;
    void *memory = mmap(NULL, device->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device->memory_descriptor, 0);
    if (memory == MAP_FAILED) {
        snprintf(message, 256, "open_device: cannot map %u bytes of memory_descriptor %d: %s.", device->memory_bytes,
                 device->memory_descriptor, strerror(errno));
        return TESSERA_NO_MEMORY;
    }
    platform->mapped = memory;
    platform->mapped_bytes = device->memory_bytes;
    return TESSERA_OK;
}

/* The device and the library on it; what was mapped stays so. */
static int open_platform(struct tessera **tessera, struct platform *platform,
                         const struct platform_options *of_platform, const struct tessera_options *options,
                         char message[256])
{
    const struct platform before = *platform;
    struct tessera_options of_tessera = *options;
    int status = platform_open(platform, of_platform, message) == 0 ? TESSERA_OK : TESSERA_LINK;
    platform->mapped = before.mapped;
    platform->mapped_bytes = before.mapped_bytes;
    if (status != TESSERA_OK) return status;
    of_tessera.firmware = platform->firmware;
    status = tessera_open(tessera, &platform->transport, &of_tessera, message);
    if (status != TESSERA_OK) platform->transport.close(platform->transport.context);
    return status;
}

/* Everything that `where` needs, in a platform that is empty. */
static int open_named(struct tessera **tessera, struct platform *platform, const char *where,
                      const struct tessera_device_options *device, const struct tessera_options *options,
                      char message[256])
{
    const bool is_board = is_elsewhere(where);
    int status = map_memory(platform, device, message);
    if (status != TESSERA_OK) return status;
    const struct platform_options of_platform = {.is_model = strcmp(where, "model") == 0,
                                                 .device = is_board ? where : NULL,
                                                 .firmware = options->firmware != NULL ? options->firmware
                                                                                       : installation_firmware(),
                                                 .keeps_firmware = device->keeps_firmware,
                                                 .seed = device->seed,
                                                 .memory = platform->mapped != NULL ? platform->mapped : device->memory,
                                                 .memory_bytes = device->memory_bytes,
                                                 .latency = device->latency,
                                                 .stall_percent = device->stall_percent,
                                                 .max_cycles = device->max_cycles};
    status = open_platform(tessera, platform, &of_platform, options, message);
    if (status != TESSERA_OK) close_platform(platform);
    return status;
}

int tessera_open_device(struct tessera **tessera, const char *where, const struct tessera_device_options *device,
                        const struct tessera_options *options, char message[256])
{
    const struct tessera_options of_tessera = options != NULL ? *options : (struct tessera_options){0};
    const struct tessera_device_options of_device = device != NULL ? *device : (struct tessera_device_options){0};
    *tessera = NULL;
    if (where == NULL) where = "";
    const bool is_board = is_elsewhere(where);
    if (strcmp(where, "model") != 0 && !is_board && strcmp(where, "simulator") != 0) {
        snprintf(message, 256, "there is no device '%.80s': name model, simulator, tty:..., tcp:... or drm:...", where);
        return TESSERA_MISUSE;
    }
    const char *wrong = wrong_device(&of_device, is_board);
    if (wrong != NULL) {
        snprintf(message, 256, "%s", wrong);
        return TESSERA_MISUSE;
    }
    struct platform *platform = calloc(1, sizeof *platform);
    if (platform == NULL) {
        snprintf(message, 256, "out of memory");
        return TESSERA_NO_MEMORY;
    }
    int status = open_named(tessera, platform, where, &of_device, &of_tessera, message);
    if (status != TESSERA_OK) {
        free(platform);
        return status;
    }
    (*tessera)->platform = platform;
    (*tessera)->on_flight = show_flight;
    (*tessera)->on_close = close_platform;
    return TESSERA_OK;
}

bool tessera_device_frames(struct tessera *tessera, tessera_frame frame, void *context)
{
    return tessera->platform != NULL && platform_display(tessera->platform, frame, context);
}

void *tessera_device_memory(struct tessera *tessera)
{
    const struct platform *platform = tessera->platform;
    return platform != NULL ? platform->memory : NULL;
}

/* LINK after a line, unless it went well. */
static int fence_result(struct tessera *tessera, int result)
{
    const struct transport *transport = tessera_transport(tessera);
    if (result == TRANSPORT_OK) return TESSERA_OK;
    return tessera_fail(tessera, TESSERA_LINK, "a fence: %s", transport->error);
}

static int no_fences(struct tessera *tessera)
{
    return tessera_fail(tessera, TESSERA_STATUS_UNSUPPORTED, "only a virtual machine's GPU (drm:) has fences.");
}

int tessera_fence_out(struct tessera *tessera, int *descriptor)
{
    const struct transport *transport = tessera_transport(tessera);
    if (!drm_is(transport)) return no_fences(tessera);
    return fence_result(tessera, drm_fence_out(transport, descriptor));
}

int tessera_fence_in(struct tessera *tessera, int descriptor)
{
    const struct transport *transport = tessera_transport(tessera);
    if (!drm_is(transport)) return no_fences(tessera);
    return fence_result(tessera, drm_fence_in(transport, descriptor));
}
