/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "tessera_stream.h"

enum { MEMORY = 8 << 20, POOL = 0x290000, LINE = 32 };

/* ------------------------------------------------------------------ a host's cache */

/* Lines of the pool of allocations (host/lib/tessera_internal.h); rings and lists, which lie before it, are never kept.
 */
static uint8_t kept[MEMORY - POOL];
static bool is_line_kept[(MEMORY - POOL) / LINE];
static struct transport inner;

static int cached_read(void *context, uint32_t address, void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint32_t at = address + (uint32_t)i - POOL, line = at / LINE * LINE;
        if (address + i < POOL) {
            if (inner.memory_read(context, address + (uint32_t)i, (uint8_t *)data + i, 1) != 0) return TRANSPORT_IO;
            continue;
        }
        if (!is_line_kept[at / LINE] && inner.memory_read(context, POOL + line, kept + line, LINE) != 0)
            return TRANSPORT_IO;
        is_line_kept[at / LINE] = true;
        ((uint8_t *)data)[i] = kept[at];
    }
    return TRANSPORT_OK;
}

static int cached_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (address + i >= POOL) kept[address + i - POOL] = ((const uint8_t *)data)[i];
    return inner.memory_write(context, address, data, bytes);
}

/* ------------------------------------------------------------------ the model */

static struct device *open_model(const struct draw_machine *machine, bool is_kept, bool has_display,
                                 struct transport *transport, struct tessera **gpu, int *status,
                                 void (*say)(const char *line))
{
    const struct device_options options = {.memory_bytes = MEMORY,
                                           .segment1_bytes = machine->segment1_bytes,
                                           .segment2_bytes = machine->segment2_bytes,
                                           .seed = machine->seed,
                                           .has_display = has_display};
    const struct tessera_options none = {.seed = machine->seed};
    char message[256] = "";
    struct device *device = device_create(&options, message);
    *gpu = NULL;
    *status = TESSERA_LINK;
    if (device == NULL) return NULL;
    device_transport(device, transport);
    inner = *transport;
    memset(is_line_kept, 0, sizeof is_line_kept);
    if (is_kept) {
        transport->memory_read = cached_read;
        transport->memory_write = cached_write;
    }
    *status = tessera_open(gpu, transport, &none, message);
    if (*status != TESSERA_OK) say(message);
    return device;
}

static void close_model(struct device *device, struct tessera *gpu)
{
    if (gpu != NULL) tessera_close(gpu);
    else if (device != NULL) device_destroy(device);
}

int draw_picture(const struct draw_machine *machine, struct picture *picture, void (*say)(const char *line))
{
    struct transport transport;
    struct tessera *gpu;
    int status;
    struct device *device = open_model(machine, false, false, &transport, &gpu, &status, say);
    if (status == TESSERA_OK) {
        status = picture_draw(gpu, picture, say);
        (void)tessera_allocation_destroy(gpu, picture->target);
    }
    close_model(device, gpu);
    return status;
}

static void take_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                       uint64_t cycle)
{
    static uint8_t units[PICTURE_BYTES];
    uint32_t *crc = context, used = 0, outside = 0;
    (void)frame, (void)cycle;
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const uint32_t colour = pixels[y * columns + x];
            const bool is_in = x - PICTURE_X < PICTURE_WIDTH && y - PICTURE_Y < PICTURE_HEIGHT;
            const uint32_t unit = (colour >> 19 & 31u) << 11 | (colour >> 10 & 63u) << 5 | (colour >> 3 & 31u);
            outside |= is_in ? 0u : colour;
            if (!is_in) continue;
            units[used++] = (uint8_t)unit;
            units[used++] = (uint8_t)(unit >> 8);
        }
    *crc = used == PICTURE_BYTES && outside == 0u ? picture_crc(units, PICTURE_BYTES) : 0u;
}

int draw_shown(bool has_display, struct picture *picture, bool *is_shown, uint32_t *shown_crc,
               void (*say)(const char *line))
{
    const struct draw_machine machine = {64u << 10, 256u << 10, 0};
    struct transport transport;
    struct tessera *gpu;
    int status;
    struct device *device = open_model(&machine, false, has_display, &transport, &gpu, &status, say);
    *shown_crc = 0;
    if (status == TESSERA_OK) {
        device_display(device)->on_frame = take_frame;
        device_display(device)->context = shown_crc;
        status = picture_draw(gpu, picture, say);
        if (status == TESSERA_OK) status = picture_show(gpu, picture, is_shown, say);
    }
    close_model(device, gpu);
    return status;
}

int draw_agree(bool is_kept, uint32_t *old, void (*say)(const char *line))
{
    const struct draw_machine machine = {64u << 10, 256u << 10, 0};
    struct transport transport;
    struct tessera *gpu;
    int status;
    struct device *device = open_model(&machine, is_kept, false, &transport, &gpu, &status, say);
    if (status == TESSERA_OK) status = picture_agree(gpu, old, say);
    close_model(device, gpu);
    return status;
}

int draw_hung(tessera_dump_sink take, void *context, void (*say)(const char *line))
{
    const struct draw_machine machine = {64u << 10, 256u << 10, 0};
    const struct tessera_allocation_options options = {.bytes = 4096, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct transport transport;
    struct tessera_place place = {NULL, 0, 0};
    struct tessera *gpu;
    tessera_ticket ticket;
    uint32_t gpu_context;
    int status;
    struct device *device = open_model(&machine, false, false, &transport, &gpu, &status, say);
    transport.inside.look = NULL;
    transport.cycles = NULL;
    struct tessera_stream *stream = status == TESSERA_OK ? tessera_stream_create_for(gpu) : NULL;
    if (status == TESSERA_OK) status = tessera_dump_faults(gpu, take, context, true);
    if (status == TESSERA_OK) status = tessera_context_create(gpu, 0, 0, &gpu_context);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu, &options, &place.allocation);
    if (status == TESSERA_OK) status = tessera_stream_fill(stream, &place, 4096, 7);
    if (status == TESSERA_OK) device_hang(device, 0);
    if (status == TESSERA_OK) status = tessera_submit(gpu, gpu_context, stream, 0, &ticket);
    if (status == TESSERA_OK) status = tessera_wait(gpu, ticket, NULL);
    tessera_stream_destroy(stream);
    close_model(device, gpu);
    return status;
}
