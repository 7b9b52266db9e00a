/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtio GPU that a Tessera draws, behind vhost-user: the GPU's system memory is one mapping, in which the library's
 * part comes first, then what is read back, then the driver's own memory.
 */
#ifndef TESSERA_VIRTIO_BACKEND_H
#define TESSERA_VIRTIO_BACKEND_H

#include "virtio/guest_info.h"
#include "virtio/guest_report.h"
#include "virtio/vhost_user.h"

struct backend_options {
    const char *device;      /* model, simulator, tty:... or tcp:... */
    uint32_t width, height;  /* that the display prefers; 0: what scanout_prefer says */
    uint32_t resource_bytes; /* most of all resources */
    uint32_t segment2_pages; /* of local memory at most; 0: all */
    uint32_t timeout_cycles; /* tessera_options */
    const char *report;      /* the folder of guest_report.h; NULL: none */
};

enum { BACKEND_PICTURE_MOST = 16 << 20 }; /* bytes of a resource: what local memory and aperture hold */

struct backend;

/* NULL after a line in `message`. */
struct backend *backend_create(const struct backend_options *options, char message[256]);
/* NULL is fine. False: the report could not be written, after a line in `message`. */
bool backend_destroy(struct backend *backend, char message[256]);
const struct vhost_device *backend_device(const struct backend *backend);
struct vhost_memory *backend_memory(struct backend *backend);
struct scanout *backend_scanout(struct backend *backend);
/* The picture with this number was written. */
void backend_frame(struct backend *backend, uint32_t number);
/* The driver is gone. */
void backend_reset(struct backend *backend);

/* False: the GPU does not answer any more. */
bool backend_counts(struct backend *backend, struct guest_counts *counts);
/* guest_info.h. False: the same. */
bool backend_info(struct backend *backend, FILE *file);
/* device/top_file.h. False: the same. */
bool backend_top(struct backend *backend, FILE *file);

#endif
