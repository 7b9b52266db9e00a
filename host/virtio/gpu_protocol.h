/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers and structures of a virtio GPU device (VIRTIO 1.2, 5.7), as far as this device has them. All numbers lie
 * in memory with their low byte first.
 */
#ifndef TESSERA_VIRTIO_GPU_PROTOCOL_H
#define TESSERA_VIRTIO_GPU_PROTOCOL_H

#include <stdint.h>

enum virtio_gpu_command {
    COMMAND_GET_DISPLAY_INFO = 0x100,
    COMMAND_CREATE_2D,
    COMMAND_UNREF,
    COMMAND_SET_SCANOUT,
    COMMAND_FLUSH,
    COMMAND_TRANSFER_TO_HOST_2D,
    COMMAND_ATTACH_BACKING,
    COMMAND_DETACH_BACKING,
    COMMAND_GET_CAPSET_INFO,
    COMMAND_GET_CAPSET,
    COMMAND_GET_EDID,
    COMMAND_CONTEXT_CREATE = 0x200,
    COMMAND_CONTEXT_DESTROY,
    COMMAND_CONTEXT_ATTACH,
    COMMAND_CONTEXT_DETACH,
    COMMAND_CREATE_3D,
    COMMAND_TRANSFER_TO_HOST_3D,
    COMMAND_TRANSFER_FROM_HOST_3D,
    COMMAND_SUBMIT_3D,
    COMMAND_UPDATE_CURSOR = 0x300,
    COMMAND_MOVE_CURSOR,
};

enum virtio_gpu_response {
    RESPONSE_OK = 0x1100,
    RESPONSE_DISPLAY_INFO,
    RESPONSE_CAPSET_INFO,
    RESPONSE_CAPSET,
    RESPONSE_EDID,
    RESPONSE_UNSPECIFIED = 0x1200,
    RESPONSE_OUT_OF_MEMORY,
    RESPONSE_BAD_SCANOUT,
    RESPONSE_BAD_RESOURCE,
    RESPONSE_BAD_CONTEXT,
    RESPONSE_BAD_PARAMETER,
};

/* Of a pixel, the bytes in the order in which they lie in memory. */
enum virtio_gpu_format {
    VIRTIO_BGRA = 1,
    VIRTIO_BGRX = 2,
    VIRTIO_ARGB = 3,
    VIRTIO_XRGB = 4,
    VIRTIO_RGBA = 67,
    VIRTIO_XBGR = 68,
    VIRTIO_ABGR = 121,
    VIRTIO_RGBX = 134,
};

enum {
    VIRTIO_GPU_FEATURE_VIRGL = 0, /* the bits' numbers */
    VIRTIO_GPU_FEATURE_EDID = 1,
    VIRTIO_GPU_FLAG_FENCE = 1,
    VIRTIO_GPU_SCANOUTS_MOST = 16,
    VIRTIO_GPU_EDID_ROOM = 1024,
    VIRTIO_GPU_ENTRIES_MOST = 16384,
    VIRTIO_GPU_CURSOR_SIDE = 64,
};

struct virtio_gpu_header {
    uint32_t type, flags;
    uint64_t fence;
    uint32_t context;
    uint8_t ring, padding[3];
};
struct virtio_gpu_rectangle {
    uint32_t x, y, width, height;
};
struct virtio_gpu_create_2d {
    struct virtio_gpu_header header;
    uint32_t resource, format, width, height;
};
/* UNREF, DETACH_BACKING, CTX_ATTACH and CTX_DETACH_RESOURCE: the resource; GET_EDID: the scanout; GET_CAPSET_INFO: the
 * index; GET_CAPSET: the id, then the version; SUBMIT_3D: the bytes that follow. */
struct virtio_gpu_named {
    struct virtio_gpu_header header;
    uint32_t which, padding;
};
struct virtio_gpu_set_scanout {
    struct virtio_gpu_header header;
    struct virtio_gpu_rectangle rectangle;
    uint32_t scanout, resource;
};
struct virtio_gpu_flush {
    struct virtio_gpu_header header;
    struct virtio_gpu_rectangle rectangle;
    uint32_t resource, padding;
};
struct virtio_gpu_transfer_2d {
    struct virtio_gpu_header header;
    struct virtio_gpu_rectangle rectangle;
    uint64_t offset;
    uint32_t resource, padding;
};
/* `count` entries follow. */
struct virtio_gpu_attach {
    struct virtio_gpu_header header;
    uint32_t resource, count;
};
struct virtio_gpu_entry {
    uint64_t address;
    uint32_t bytes, padding;
};
struct virtio_gpu_cursor {
    struct virtio_gpu_header header;
    uint32_t scanout, x, y, padding;
    uint32_t resource, hot_x, hot_y, more_padding;
};
struct virtio_gpu_display_info {
    struct virtio_gpu_header header;
    struct {
        struct virtio_gpu_rectangle rectangle;
        uint32_t is_enabled, flags;
    } mode[VIRTIO_GPU_SCANOUTS_MOST];
};
struct virtio_gpu_edid {
    struct virtio_gpu_header header;
    uint32_t bytes, padding;
    uint8_t edid[VIRTIO_GPU_EDID_ROOM];
};
struct virtio_gpu_context_create {
    struct virtio_gpu_header header;
    uint32_t name_bytes, kind;
    char name[64];
};
struct virtio_gpu_create_3d {
    struct virtio_gpu_header header;
    uint32_t resource, target, format, bind, width, height, depth, layers, last_level, samples, flags, padding;
};
struct virtio_gpu_transfer_3d {
    struct virtio_gpu_header header;
    uint32_t x, y, z, width, height, depth;
    uint64_t offset;
    uint32_t resource, level, stride, layer_stride;
};
struct virtio_gpu_capset_info {
    struct virtio_gpu_header header;
    uint32_t id, version, bytes, padding;
};
struct virtio_gpu_configuration {
    uint32_t events_read, events_clear, scanouts, capsets;
};

_Static_assert(sizeof(struct virtio_gpu_header) == 24 && sizeof(struct virtio_gpu_create_2d) == 40 &&
                   sizeof(struct virtio_gpu_set_scanout) == 48 && sizeof(struct virtio_gpu_flush) == 48 &&
                   sizeof(struct virtio_gpu_transfer_2d) == 56 && sizeof(struct virtio_gpu_attach) == 32 &&
                   sizeof(struct virtio_gpu_entry) == 16 && sizeof(struct virtio_gpu_cursor) == 56 &&
                   sizeof(struct virtio_gpu_display_info) == 408 && sizeof(struct virtio_gpu_edid) == 1056 &&
                   sizeof(struct virtio_gpu_context_create) == 96 && sizeof(struct virtio_gpu_create_3d) == 72 &&
                   sizeof(struct virtio_gpu_transfer_3d) == 72 && sizeof(struct virtio_gpu_capset_info) == 40,
               "as they lie in memory");

#endif
