/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtio GPU (VIRTIO 1.2, 5.7) with its 2D commands, which knows no transport, takes no memory and reaches what draws
 * and what shows through two tables. Commands are done one after the other; what a fence names is done when it is
 * answered.
 *
 * The driver may be hostile. A command is copied once and judged; one that is refused gets the protocol's error and has
 * changed nothing. How many resources there are, and how many bytes they have, is bounded.
 */
#ifndef TESSERA_VIRTIO_GPU_H
#define TESSERA_VIRTIO_GPU_H

#include "virtio/gpu_protocol.h"
#include "virtio/queue.h"

enum {
    VIRTIO_GPU_RESOURCES_MOST = 480,
    VIRTIO_GPU_SIDE_MOST = 16383, /* a row of 32-bit pixels is shorter than 65,536 bytes */
    VIRTIO_GPU_NOTHING = 0xffffffff,
    VIRTIO_GPU_COMMAND_BYTES = 32 + VIRTIO_GPU_ENTRIES_MOST * 16,
};

/* What draws. Resources are named by their place in a table of VIRTIO_GPU_RESOURCES_MOST; pixels have 32 bits. */
struct virtio_gpu_painter {
    void *context;
    /* All pixels 0. False: there is no room. */
    bool (*create)(void *context, uint32_t place, uint32_t width, uint32_t height);
    void (*destroy)(void *context, uint32_t place);
    /* The driver's memory that transfers read: entries lie in it, one after the other. False: there is no room. */
    bool (*attach)(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count);
    void (*detach)(void *context, uint32_t place);
    /* The rectangle's rows from the driver's memory, the first at `offset`, each a row of the resource further. What is
     * behind the end of that memory is not copied. Done when it returns. False: the GPU failed. */
    bool (*transfer)(void *context, uint32_t place, const struct virtio_gpu_rectangle *rectangle, uint64_t offset);
};

/* What shows: a display unit, or pictures that are read back. */
struct virtio_gpu_display {
    void *context;
    /* Of a resource, or of VIRTIO_GPU_NOTHING, the rectangle is what the scanout shows from now on. */
    void (*show)(void *context, uint32_t scanout, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *rectangle);
    /* This part of the scanout has changed. */
    void (*flush)(void *context, uint32_t scanout, const struct virtio_gpu_rectangle *part);
    /* The cursor is this resource of 64 x 64, or VIRTIO_GPU_NOTHING; its corner is there, less the hot spot. */
    void (*cursor)(void *context, uint32_t scanout, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y);
    void (*move)(void *context, uint32_t scanout, uint32_t x, uint32_t y);
};

struct virtio_gpu_resource {
    uint32_t id; /* 0: none */
    uint32_t format, width, height;
    bool has_backing;
};
struct virtio_gpu_scanout {
    uint32_t place; /* of the resource, or VIRTIO_GPU_NOTHING */
    struct virtio_gpu_rectangle rectangle;
};

struct virtio_gpu_counts {
    uint64_t commands, refused, transfers, flushes, cursors, pixels;
};

struct virtio_gpu {
    struct virtio_gpu_painter painter;
    struct virtio_gpu_display display;
    uint32_t scanouts;      /* 1 to VIRTIO_GPU_SCANOUTS_MOST */
    uint32_t width, height; /* that the displays prefer */
    uint64_t bytes_most;    /* of all resources */
    /* state */
    uint64_t bytes;
    struct virtio_gpu_counts counts;
    struct virtio_gpu_resource resource[VIRTIO_GPU_RESOURCES_MOST];
    struct virtio_gpu_scanout scanout[VIRTIO_GPU_SCANOUTS_MOST];
    /* the command at hand, and its answer */
    union {
        uint8_t bytes[VIRTIO_GPU_COMMAND_BYTES];
        struct {
            struct virtio_gpu_attach head;
            struct virtio_gpu_entry entry[VIRTIO_GPU_ENTRIES_MOST];
        } attach;
    } command;
    uint8_t answer[sizeof(struct virtio_gpu_edid)];
};

/* Before the first command: the tables and limits are set, there is nothing else. */
void virtio_gpu_begin(struct virtio_gpu *gpu);
/* The driver is gone, or there is a new one: nothing is shown, and no resource is there. */
void virtio_gpu_reset(struct virtio_gpu *gpu);
/* Do one of what has been queued; virtio_queue_wait tells whether there is more. False: the ring makes no sense, and no
 * more of it is done. What is in the cursor's queue goes before a command that may take its resource away. */
bool virtio_gpu_control(struct virtio_gpu *gpu, struct virtio_queue *queue);
bool virtio_gpu_cursor(struct virtio_gpu *gpu, struct virtio_queue *queue);
uint32_t virtio_gpu_resources(const struct virtio_gpu *gpu);

/* Inside. The commands that draw and show (gpu_commands.c): the response's type. `bytes` is the command's length. */
uint32_t virtio_gpu_command(struct virtio_gpu *gpu, size_t bytes);
void virtio_gpu_cursor_command(struct virtio_gpu *gpu, size_t bytes);

#endif
