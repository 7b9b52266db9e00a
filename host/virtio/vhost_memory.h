/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's memory, as the machine monitor hands it over: pieces of files, mapped into a window of this program's
 * at the driver's own addresses, so that a page has the same place for as long as it is there.
 */
#ifndef TESSERA_VHOST_MEMORY_H
#define TESSERA_VHOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "virtio/queue.h"

enum { VHOST_REGIONS_MOST = 8 };

struct vhost_region {
    uint64_t guest, bytes, user, offset; /* the driver's address, the monitor's, and where in the file */
};

struct vhost_memory {
    uint8_t *window; /* private zeros, where no region is */
    uint64_t window_bytes;
    uint32_t count;
    struct vhost_region region[VHOST_REGIONS_MOST];
};

/* Instead of those before. The files are the caller's. False after a line in `message`: there are none then. */
bool vhost_memory_map(struct vhost_memory *memory, const struct vhost_region *regions, const int *files, uint32_t count,
                      char message[256]);
void vhost_memory_unmap(struct vhost_memory *memory);
/* By the monitor's address; NULL unless all bytes are in one region. */
uint8_t *vhost_memory_user(const struct vhost_memory *memory, uint64_t address, uint64_t bytes);
/* By the driver's, for a queue. */
struct guest_memory vhost_memory_guest(struct vhost_memory *memory);

#endif
