/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver keeps: its engines, the segments as it describes them, and what it has submitted and told.
 */
#ifndef FIRMWARE_DRIVER_STATE_H
#define FIRMWARE_DRIVER_STATE_H

#include "platform/base.h"
#include "ddi/ddi.h"
#include "driver/engine.h"

enum { SPACE_BITS = 28, SPACE_COUNT = 3 }; /* of an address inside a memory or the aperture */
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
    struct ddi_context_info context_info;
    uint32_t system_pages;
    uint32_t dummy_page;
    struct driver_preemption preemption[NODE_LIMIT];
    uint32_t submitted[NODE_LIMIT]; /* newest fence id given to the node */
    uint32_t reported[NODE_LIMIT];  /* last completed id that was told */
};

#endif
