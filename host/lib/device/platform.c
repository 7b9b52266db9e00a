/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices a program of this repository can open: see platform.h. Both have segment 1 of 256 KB and segment 2 of
 * 16 MB, so that HOST.SEGMENT2_LIMIT alone decides whether local memory is small or large.
 */
#include "lib/device/platform.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "lib/gdb/gdb.h"
#include "lib/device/stream_file.h"
#include "lib/device/top_file.h"
#include "lib/device/drm_kernel.h"
#include "simulator.h"
#include "lib/device/transport_wire.h"
#include "lib/device/dump_file.h"

enum { MODEL_SEGMENT1_BYTES = 256 << 10, MODEL_SEGMENT2_BYTES = 16 << 20 };

static int open_model(struct platform *platform, const struct platform_options *options, char message[256])
{
    const struct device_options device_options = {.memory_bytes = options->memory_bytes,
                                                  .memory = options->memory,
                                                  .segment1_bytes = MODEL_SEGMENT1_BYTES,
                                                  .segment2_bytes = MODEL_SEGMENT2_BYTES,
                                                  .probe = options->probe,
                                                  .seed = options->seed,
                                                  .has_display = true};
    struct device *device = device_create(&device_options, message);
    if (device == NULL) return -1;
    device_transport(device, &platform->transport);
    platform->memory = device_engine(device)->system;
    platform->model = device;
    platform->name = "golden model";
    return 0;
}

static int open_simulator(struct platform *platform, const struct platform_options *options, char message[256])
{
    if (simulator_board() != NULL && (options->latency != PLATFORM_LATENCY || options->stall_percent != 0)) {
        snprintf(message, 256, "--latency and --stall have no effect on the SDRAM of the simulated %s. Leave them out.",
                 simulator_board());
        return -1;
    }
    const struct simulator_options simulator_options = {.memory_bytes = options->memory_bytes,
                                                        .memory = options->memory,
                                                        .read_latency = options->latency,
                                                        .write_latency = options->latency / 2u,
                                                        .stall_percent = options->stall_percent,
                                                        .seed = options->seed,
                                                        .max_cycles = options->max_cycles,
                                                        .end_cycle = options->end_cycle,
                                                        .firmware_elf = options->firmware,
                                                        .fst_path = options->fst_path,
                                                        .fst_from = options->fst_from,
                                                        .fst_to = options->fst_to};
    struct simulator *simulator = simulator_create(&simulator_options, message);
    if (simulator == NULL) return -1;
    simulator_transport(simulator, &platform->transport);
    if (options->probe != NULL) simulator_probe(simulator, options->probe);
    static char name[40] = "simulated hardware";
    if (simulator_board() != NULL) snprintf(name, sizeof name, "simulated %s", simulator_board());
    platform->name = name;
    platform->clock_hz = simulator_clock_hz();
    platform->firmware = options->firmware;
    platform->simulator = simulator;
    platform->memory = options->memory;
    return 0;
}

/* The GPU of the virtual machine that this program runs in, which has its firmware. */
static int open_drm(struct platform *platform, const char *path, char message[256])
{
    struct drm_kernel kernel;
    if (drm_kernel_open(&kernel, path, message) != 0) return -1;
    if (drm_open(&platform->transport, &kernel, message) != 0) return -1;
    platform->name = "GPU of this virtual machine";
    return 0;
}

static bool is_drm(const char *device) { return device != NULL && strncmp(device, "drm:", 4) == 0; }

int platform_open(struct platform *platform, const struct platform_options *options, char message[256])
{
    memset(platform, 0, sizeof *platform);
    stream_file_begin();
    dump_file_begin(NULL);
    top_file_begin();
    int result = is_drm(options->device)   ? open_drm(platform, options->device + 4, message)
                 : options->device != NULL ? wire_open(&platform->transport, options->device, 0, message)
                 : options->is_model       ? open_model(platform, options, message)
                                           : open_simulator(platform, options, message);
    if (options->device != NULL && !is_drm(options->device)) {
        platform->name = "board";
        platform->firmware = options->keeps_firmware ? NULL : options->firmware;
    }
    if (result != 0 || !options->is_debugged) return result;
    const struct gdb *gdb = gdb_open(&platform->transport, options->gdb_port, message);
    if (gdb == NULL) {
        platform->transport.close(platform->transport.context);
        return -1;
    }
    fprintf(stderr,
            "  the core is stopped and waits for gdb on port %u:\n"
            "  gdb-multiarch %s -ex 'target remote :%u'\n",
            gdb_port(gdb), options->firmware, gdb_port(gdb));
    return 0;
}

static void simulator_shows(void *context, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle)
{
    const struct platform *platform = context;
    (void)cycle;
    platform->frame(platform->frame_context, pixels, width, height);
}

static void model_shows(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                        uint64_t cycle)
{
    (void)frame;
    simulator_shows(context, pixels, columns, rows, cycle);
}

bool platform_display(struct platform *platform, platform_frame *frame, void *context)
{
    platform->frame = frame;
    platform->frame_context = context;
    if (platform->simulator != NULL) return simulator_display(platform->simulator, simulator_shows, platform);
    if (platform->model == NULL) return false;
    device_display(platform->model)->on_frame = model_shows;
    device_display(platform->model)->context = platform;
    return true;
}

bool platform_write_profile(const struct platform *platform, const char *path)
{
    const struct profile *profile = platform->simulator != NULL ? simulator_profile(platform->simulator) : NULL;
    return profile == NULL || profile_write_folded(profile, path);
}

uint32_t platform_profile(const struct platform *platform, struct profile_row *rows, uint32_t limit)
{
    const struct profile *profile = platform->simulator != NULL ? simulator_profile(platform->simulator) : NULL;
    return profile != NULL ? profile_rows(profile, rows, limit) : 0;
}

bool platform_reached_end(const struct platform *platform)
{
    return platform->simulator != NULL && simulator_reached_end(platform->simulator);
}

void platform_report(const struct platform *platform)
{
    if (platform->simulator != NULL) simulator_report(platform->simulator);
}
