/* SPDX-License-Identifier: Apache-2.0
 *
 * Our display driver: the DDI of ddi.h in packets, rings and registers of this GPU.
 */
#ifndef FIRMWARE_DRIVER_H
#define FIRMWARE_DRIVER_H

#include "platform/base.h"
#include "ddi/ddi.h"
#include "driver/engine.h"

enum { DRIVER_BANKS = 4, DRIVER_CLOBBER_BYTES = SLOT_LIMIT * PKT_BIND_WORDS * 4 };

/* A preemption of one node: asked; cut, which waits for the preemption fence; or direct. */
enum driver_preemption_stage { PREEMPTION_NONE, PREEMPTION_ASKED, PREEMPTION_CUT, PREEMPTION_DIRECT };

struct driver_preemption {
    enum driver_preemption_stage stage;
    uint32_t fence_id, last_completed;
};

struct driver {
    struct engine engine[NODE_LIMIT];
    uint32_t clobber; /* command RAM offset: as the layout says */
    struct ddi_segment_descriptor segment[SEGMENT_LIMIT];
    uint32_t segment_count;
    uint32_t bank_end[DRIVER_BANKS - 1]; /* of the segment with banks: bytes from its start */
    struct ddi_driver_caps caps;
    uint32_t paging_buffer_bytes;
    uint32_t system_pages;
    uint32_t dummy_page;
    struct driver_preemption preemption[NODE_LIMIT];
    uint32_t submitted[NODE_LIMIT]; /* newest fence id given to the node */
    uint32_t reported[NODE_LIMIT];  /* last completed id that was told */
};

/* Where things lie in command RAM. */
struct driver_layout {
    uint32_t ring[NODE_LIMIT];
    uint32_t ring_words[NODE_LIMIT];   /* a power of two, RING_WORDS at most */
    uint32_t first_fence[NODE_LIMIT];  /* the id before the first one used */
    uint32_t clobber;                  /* DRIVER_CLOBBER_BYTES for packets that empty binding registers */
    uint32_t system_pages, dummy_page; /* the host's, checked: page numbers below the first are handed to the engine */
};

/* Reads sizes, limits and HOST.BOOT_OPTIONS from the registers, enables both nodes. */
void driver_init(struct driver *driver, const struct driver_layout *layout);

/* Pages between the start of the memory or aperture behind segment `id` and the segment's: what the engine counts
 * from, for MAP, UNMAP and GUARD. */
uint32_t driver_first_page(const struct driver *driver, uint32_t id);

/* The driver's functions, bound to `driver`. */
struct ddi driver_ddi(struct driver *driver);

#endif
