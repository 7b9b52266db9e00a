/* SPDX-License-Identifier: Apache-2.0
 *
 * What `tessera info --device guest:SOCKET` prints of a running tessera-gpu. Whoever connects to SOCKET.info gets this
 * text, and the connection ends. Nothing is read from it.
 */
#ifndef TESSERA_VIRTIO_GUEST_INFO_H
#define TESSERA_VIRTIO_GUEST_INFO_H

#include <stdio.h>

#include "virtio/guest_report.h"

#define GUEST_INFO_SUFFIX ".info"
#define GUEST_TOP_SUFFIX ".top" /* the same for `tessera top` (device/top_file.h) */

struct guest_info {
    const struct virtio_gpu *gpu;
    struct painter *painter;
    const struct submitter *submitter; /* NULL: none */
    const struct scanout *scanout;
    const struct guest_counts *counts;
    const char *device;
};

/* The display, the cursor, where each resource is, and the counts. */
void guest_info_print(FILE *file, const struct guest_info *info);

#endif
