/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that draw and show. Each judges all of its words before it changes anything. See gpu.h.
 */
#include <string.h>

#include "virtio/gpu.h"

enum { PIXEL_BYTES = 4, SCANOUT_LEAST = 16 };

/* ------------------------------------------------------------------ judging */

/* The place of a picture; VIRTIO_GPU_RESOURCES_MOST: it is none, or a buffer of a program's. */
static uint32_t find(const struct virtio_gpu *gpu, uint32_t id)
{
    const uint32_t place = virtio_gpu_find(gpu, id);
    const bool is_picture = place != VIRTIO_GPU_RESOURCES_MOST && !gpu->resource[place].is_buffer;
    return is_picture ? place : (uint32_t)VIRTIO_GPU_RESOURCES_MOST;
}

static bool is_format(uint32_t format)
{
    switch (format) {
    case VIRTIO_BGRA:
    case VIRTIO_BGRX:
    case VIRTIO_ARGB:
    case VIRTIO_XRGB:
    case VIRTIO_RGBA:
    case VIRTIO_XBGR:
    case VIRTIO_ABGR:
    case VIRTIO_RGBX: return true;
    default: return false;
    }
}

static bool is_inside(const struct virtio_gpu_rectangle *rectangle, uint32_t width, uint32_t height)
{
    return rectangle->x <= width && rectangle->width <= width - rectangle->x && rectangle->y <= height &&
           rectangle->height <= height - rectangle->y;
}

uint64_t virtio_gpu_bytes_of(const struct virtio_gpu_resource *resource)
{
    if (resource->is_buffer) return resource->width;
    return (uint64_t)resource->width * resource->height * PIXEL_BYTES;
}

static bool get(const struct virtio_gpu *gpu, size_t bytes, void *command, size_t size)
{
    return virtio_gpu_get(gpu, bytes, command, size);
}

/* ------------------------------------------------------------------ resources */

static uint32_t create_2d(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_create_2d command;
    uint32_t place = 0;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    if (command.resource == 0 || virtio_gpu_find(gpu, command.resource) != VIRTIO_GPU_RESOURCES_MOST)
        return RESPONSE_BAD_RESOURCE;
    if (!is_format(command.format) || command.width == 0 || command.height == 0) return RESPONSE_BAD_PARAMETER;
    if (!virtio_gpu_room(gpu, false, &place)) return RESPONSE_OUT_OF_MEMORY;
    if (command.width > VIRTIO_GPU_SIDE_MOST || command.height > VIRTIO_GPU_SIDE_MOST) return RESPONSE_OUT_OF_MEMORY;
    const struct virtio_gpu_resource made = {
        .id = command.resource, .format = command.format, .width = command.width, .height = command.height};
    if (virtio_gpu_bytes_of(&made) > gpu->bytes_most - gpu->bytes) return RESPONSE_OUT_OF_MEMORY;
    if (!gpu->painter.create(gpu->painter.context, place, made.width, made.height)) return RESPONSE_OUT_OF_MEMORY;
    virtio_gpu_set_gone(gpu, command.resource, false);
    gpu->bytes += virtio_gpu_bytes_of(&made);
    gpu->resource[place] = made;
    return RESPONSE_OK;
}

static void hide(struct virtio_gpu *gpu, uint32_t scanout)
{
    static const struct virtio_gpu_rectangle nowhere = {0};
    if (gpu->scanout[scanout].place == VIRTIO_GPU_NOTHING) return;
    gpu->scanout[scanout].place = VIRTIO_GPU_NOTHING;
    gpu->display.show(gpu->display.context, scanout, VIRTIO_GPU_NOTHING, 0, &nowhere);
}

void virtio_gpu_drop(struct virtio_gpu *gpu, uint32_t place)
{
    virtio_gpu_part_all(gpu, place);
    if (!gpu->resource[place].is_buffer) gpu->painter.destroy(gpu->painter.context, place);
    else if (gpu->resource[place].has_backing) gpu->programs.detach(gpu->programs.context, place);
    gpu->bytes -= virtio_gpu_bytes_of(&gpu->resource[place]);
    gpu->resource[place].id = 0;
}

/* What a command answers that names no resource. */
static uint32_t missing(const struct virtio_gpu *gpu, uint32_t id)
{
    return virtio_gpu_is_gone(gpu, id) ? RESPONSE_OK : RESPONSE_BAD_RESOURCE;
}

static uint32_t unref(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_named command;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t place = virtio_gpu_find(gpu, command.which);
    if (place == VIRTIO_GPU_RESOURCES_MOST) {
        const bool is_gone = virtio_gpu_is_gone(gpu, command.which);
        virtio_gpu_set_gone(gpu, command.which, false);
        return is_gone ? RESPONSE_OK : RESPONSE_BAD_RESOURCE;
    }
    for (uint32_t i = 0; i < gpu->scanouts; i++)
        if (gpu->scanout[i].place == place) hide(gpu, i);
    virtio_gpu_drop(gpu, place);
    return RESPONSE_OK;
}

static uint32_t attach(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_attach command;
    const struct virtio_gpu_entry *entries = gpu->command.attach.entry;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t place = virtio_gpu_find(gpu, command.resource);
    if (place == VIRTIO_GPU_RESOURCES_MOST) return missing(gpu, command.resource);
    struct virtio_gpu_resource *resource = &gpu->resource[place];
    if (resource->has_backing || command.count > VIRTIO_GPU_ENTRIES_MOST) return RESPONSE_UNSPECIFIED;
    if (bytes - sizeof command < command.count * sizeof *entries) return RESPONSE_UNSPECIFIED;
    resource->has_backing =
        resource->is_buffer
            ? gpu->programs.attach(gpu->programs.context, place, entries, command.count, resource->width)
            : gpu->painter.attach(gpu->painter.context, place, entries, command.count);
    return resource->has_backing ? RESPONSE_OK : RESPONSE_UNSPECIFIED;
}

static uint32_t detach(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_named command;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t place = virtio_gpu_find(gpu, command.which);
    if (place == VIRTIO_GPU_RESOURCES_MOST) return missing(gpu, command.which);
    if (!gpu->resource[place].has_backing) return RESPONSE_BAD_RESOURCE;
    if (gpu->resource[place].is_buffer) gpu->programs.detach(gpu->programs.context, place);
    else gpu->painter.detach(gpu->painter.context, place);
    gpu->resource[place].has_backing = false;
    return RESPONSE_OK;
}

static uint32_t transfer(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_transfer_2d command;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t place = find(gpu, command.resource);
    if (place == VIRTIO_GPU_RESOURCES_MOST || !gpu->resource[place].has_backing) return RESPONSE_BAD_RESOURCE;
    const struct virtio_gpu_resource *resource = &gpu->resource[place];
    if (!is_inside(&command.rectangle, resource->width, resource->height)) return RESPONSE_BAD_PARAMETER;
    if (command.rectangle.width == 0 || command.rectangle.height == 0) return RESPONSE_OK;
    gpu->counts.transfers++;
    gpu->counts.pixels += (uint64_t)command.rectangle.width * command.rectangle.height;
    return gpu->painter.transfer(gpu->painter.context, place, &command.rectangle, command.offset)
               ? RESPONSE_OK
               : RESPONSE_UNSPECIFIED;
}

/* ------------------------------------------------------------------ scanouts */

static uint32_t set_scanout(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_set_scanout command;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    if (command.scanout >= gpu->scanouts) return RESPONSE_BAD_SCANOUT;
    if (command.resource == 0) {
        hide(gpu, command.scanout);
        return RESPONSE_OK;
    }
    const uint32_t place = find(gpu, command.resource);
    if (place == VIRTIO_GPU_RESOURCES_MOST) return RESPONSE_BAD_RESOURCE;
    const struct virtio_gpu_resource *resource = &gpu->resource[place];
    const struct virtio_gpu_rectangle *shown = &command.rectangle;
    if (shown->width < SCANOUT_LEAST || shown->height < SCANOUT_LEAST ||
        !is_inside(shown, resource->width, resource->height))
        return RESPONSE_BAD_PARAMETER;
    gpu->scanout[command.scanout] = (struct virtio_gpu_scanout){place, *shown};
    gpu->display.show(gpu->display.context, command.scanout, place, resource->format, shown);
    return RESPONSE_OK;
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* What of the rectangle the scanout shows, in its own coordinates; false: nothing. */
static bool part_of(const struct virtio_gpu_rectangle *shown, const struct virtio_gpu_rectangle *changed,
                    struct virtio_gpu_rectangle *part)
{
    const uint32_t left = larger(shown->x, changed->x), top = larger(shown->y, changed->y);
    const uint32_t right = lesser(shown->x + shown->width, changed->x + changed->width);
    const uint32_t bottom = lesser(shown->y + shown->height, changed->y + changed->height);
    if (left >= right || top >= bottom) return false;
    *part = (struct virtio_gpu_rectangle){left - shown->x, top - shown->y, right - left, bottom - top};
    return true;
}

static uint32_t flush(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_flush command;
    struct virtio_gpu_rectangle part;
    if (!get(gpu, bytes, &command, sizeof command)) return RESPONSE_UNSPECIFIED;
    const uint32_t place = find(gpu, command.resource);
    if (place == VIRTIO_GPU_RESOURCES_MOST) return RESPONSE_BAD_RESOURCE;
    const struct virtio_gpu_resource *resource = &gpu->resource[place];
    if (!is_inside(&command.rectangle, resource->width, resource->height)) return RESPONSE_BAD_PARAMETER;
    gpu->counts.flushes++;
    for (uint32_t i = 0; i < gpu->scanouts; i++)
        if (gpu->scanout[i].place == place && part_of(&gpu->scanout[i].rectangle, &command.rectangle, &part))
            gpu->display.flush(gpu->display.context, i, &part);
    return RESPONSE_OK;
}

/* ------------------------------------------------------------------ by type */

uint32_t virtio_gpu_command(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_header header;
    memcpy(&header, gpu->command.bytes, sizeof header);
    switch (header.type) {
    case COMMAND_CREATE_2D: return create_2d(gpu, bytes);
    case COMMAND_UNREF: return unref(gpu, bytes);
    case COMMAND_SET_SCANOUT: return set_scanout(gpu, bytes);
    case COMMAND_FLUSH: return flush(gpu, bytes);
    case COMMAND_TRANSFER_TO_HOST_2D: return transfer(gpu, bytes);
    case COMMAND_ATTACH_BACKING: return attach(gpu, bytes);
    case COMMAND_DETACH_BACKING: return detach(gpu, bytes);
    default: return RESPONSE_UNSPECIFIED;
    }
}

void virtio_gpu_cursor_command(struct virtio_gpu *gpu, size_t bytes)
{
    struct virtio_gpu_cursor command;
    const struct virtio_gpu_display *display = &gpu->display;
    bool is_update = false, is_good = get(gpu, bytes, &command, sizeof command);
    uint32_t place = VIRTIO_GPU_NOTHING, format = 0;
    if (is_good) {
        is_update = command.header.type == COMMAND_UPDATE_CURSOR;
        is_good = (is_update || command.header.type == COMMAND_MOVE_CURSOR) && command.scanout < gpu->scanouts;
    }
    if (is_good && is_update && command.resource != 0) {
        place = find(gpu, command.resource);
        is_good = place != VIRTIO_GPU_RESOURCES_MOST && gpu->resource[place].width == VIRTIO_GPU_CURSOR_SIDE &&
                  gpu->resource[place].height == VIRTIO_GPU_CURSOR_SIDE;
        format = is_good ? gpu->resource[place].format : 0;
    }
    if (!is_good) {
        gpu->counts.refused++;
        return;
    }
    gpu->counts.cursors++;
    if (is_update) display->cursor(display->context, command.scanout, place, format, command.hot_x, command.hot_y);
    display->move(display->context, command.scanout, command.x, command.y);
}
