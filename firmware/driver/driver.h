/* SPDX-License-Identifier: Apache-2.0
 *
 * Our display driver: the DDI of ddi.h in packets, rings and registers of this GPU.
 */
#ifndef FIRMWARE_DRIVER_H
#define FIRMWARE_DRIVER_H

#include "driver/driver_state.h"

/* Where things lie in command RAM. */
struct driver_layout {
    uint32_t ring[NODE_LIMIT];
    uint32_t ring_words[NODE_LIMIT];   /* a power of two, RING_WORDS at most */
    uint32_t first_fence[NODE_LIMIT];  /* the id before the first one used */
    uint32_t clobber;                  /* DRIVER_CLOBBER_BYTES for packets that empty binding registers */
    uint32_t system_pages, dummy_page; /* the host's, checked: page numbers below the first are handed to the engine */
    uint32_t dma_bytes, list_entries;  /* most that a context's DMA buffers and lists may have: it wants as much */
};

/* Reads sizes, limits and HOST.BOOT_OPTIONS from the registers, enables both nodes. */
void driver_init(struct driver *driver, const struct driver_layout *layout);

/* The driver's functions, bound to `driver`. */
struct ddi driver_ddi(struct driver *driver);

#endif
