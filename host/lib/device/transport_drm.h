/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU of a virtual machine (docs/linux.md), for programs in it: a transport whose rings end in this process. A
 * message that the library queues becomes a payload (spec/gpu.def) that the machine's kernel passes on, and its record
 * becomes a completion. Registers say what the capability set says. System memory is a range of addresses of this
 * process: the library's own part is plain memory, and each allocation is a resource of the kernel's, mapped there.
 *
 *   drm:/dev/dri/renderD128
 *
 * Answered here: QUERY_SEGMENT, from the capability set, and QUERY_STATISTICS, with no words, because the counters tell
 * of other programs. A program is a client by itself, so it is client 0 of its own device only: tessera_set_client with
 * another number is answered BAD_MESSAGE.
 */
#ifndef TESSERA_TRANSPORT_DRM_H
#define TESSERA_TRANSPORT_DRM_H

#include <stdbool.h>

#include "transport.h"

/* Descriptors of sync_files. */
struct drm_fences {
    int in; /* the payload is sent after this one; -1: none */
    bool gives_out;
    int out; /* if so: it passes when the payload has been answered */
};

/* The machine's kernel: 0, or a negative errno. `handle` is a resource's for the kernel, `resource` its number in
 * payloads. */
struct drm_kernel {
    void *context;
    int (*capset)(void *context, void *data, uint32_t bytes);
    int (*create)(void *context, uint32_t bytes, uint32_t *handle, uint32_t *resource);
    /* At this address, in the place of what was there. */
    int (*map)(void *context, uint32_t handle, void *at, size_t bytes);
    void (*destroy)(void *context, uint32_t handle);
    /* The resources are kept until the payload has been answered. */
    int (*submit)(void *context, const void *payload, uint32_t bytes, const uint32_t *handles, uint32_t count,
                  struct drm_fences *fences);
    /* Until everything that named the resource has been answered; -EBUSY: not yet. */
    int (*wait)(void *context, uint32_t handle);
    void (*close)(void *context);
};

/* 0, or -1 with one line in `message` that says what to do; then `kernel` is closed. */
int drm_open(struct transport *transport, const struct drm_kernel *kernel, char message[256]);
bool drm_is(const struct transport *transport);
/* Of those: tessera_fence_out and _in (tessera_device.h), a transport_result. */
int drm_fence_out(const struct transport *transport, int *descriptor);
int drm_fence_in(const struct transport *transport, int descriptor);

#endif
