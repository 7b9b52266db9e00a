/* SPDX-License-Identifier: Apache-2.0
 *
 * Linux's virtio_gpu driver, as transport_drm.h needs it: a render node, which any user of the group `render` may open.
 */
#ifndef TESSERA_DRM_KERNEL_H
#define TESSERA_DRM_KERNEL_H

#include "lib/device/transport_drm.h"

/* Open the node at this path. 0, or -1 with one line in `message` that says what to do. kernel->close ends it. */
int drm_kernel_open(struct drm_kernel *kernel, const char *path, char message[256]);

#endif
