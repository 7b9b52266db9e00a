/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtio GPU that a Tessera draws, behind vhost-user: the GPU's system memory is one mapping, in which the library's
 * part comes first, then what is read back, then the driver's own memory.
 */
#ifndef TESSERA_VIRTIO_BACKEND_H
#define TESSERA_VIRTIO_BACKEND_H

#include "virtio/screen.h"
#include "virtio/vhost_user.h"

struct backend_options {
    const char *device;      /* model, simulator, tty:... or tcp:... */
    uint32_t width, height;  /* that the display prefers */
    uint32_t resource_bytes; /* most of all resources */
    uint32_t segment2_pages; /* of local memory at most; 0: all */
};

enum { BACKEND_PICTURE_MOST = 16 << 20 }; /* bytes of a resource: what local memory and aperture hold */

struct backend;

/* NULL after a line in `message`. */
struct backend *backend_create(const struct backend_options *options, char message[256]);
void backend_destroy(struct backend *backend); /* NULL is fine */
const struct vhost_device *backend_device(const struct backend *backend);
struct vhost_memory *backend_memory(struct backend *backend);
struct screen *backend_screen(struct backend *backend);
/* The driver is gone. */
void backend_reset(struct backend *backend);

struct backend_counts {
    struct virtio_gpu_counts gpu;
    struct painter_counts painter;
    uint32_t resources;
    uint64_t bytes; /* of resources */
    uint64_t cycles;
    uint32_t statistics[TESSERA_STATISTICS];
    const char *message; /* what failed last; "" if nothing did */
};
/* False: the GPU does not answer any more. */
bool backend_counts(struct backend *backend, struct backend_counts *counts);

#endif
