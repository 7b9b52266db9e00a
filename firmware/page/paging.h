/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging: carries out a residency plan through the DDI.
 *
 * Each action of the journal becomes DDI operations. They are packed one after another into paging buffers, which
 * are used in rotation (PGB-11). The documents' protocols INSUFFICIENT, BUSY and synchronous are carried out here
 * only.
 *
 * A Transfer longer than the driver's limit is cut into sub-transfers, from TransferStart to TransferEnd. No other
 * transfer comes between them (PGB-14 to PGB-17). Content leaves a memory segment through an aperture of its
 * EvictionSegmentSet if one has room (ALC-05), else directly to its pages.
 *
 * Paging never fails. It may wait for a free paging buffer, for room in the paging node's ring, or for an allocation
 * to become idle. paging_step() reports that, and continues at the same place next time.
 */
#ifndef FIRMWARE_PAGING_H
#define FIRMWARE_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "ddi/ddi.h"
#include "plan/residency.h"

enum {
    PAGING_BUFFER_COUNT = LIMIT_BITS_PAGING_BUFFERS,
    PAGING_STRIDE = 4096,     /* bytes from one paging buffer to the next: a fresh one is 4 KB aligned (PGB-12) */
    PAGING_PRIVATE_BYTES = 64 /* most private data that a driver may ask for, per paging buffer */
};

enum paging_progress {
    PAGING_DONE,   /* the plan is built and submitted; the journal is empty */
    PAGING_WORKED, /* something was done; more remains */
    PAGING_WAITS   /* nothing can be done now */
};

/* An eviction through an aperture has three operations: map its pages there, copy, unmap. */
enum paging_detour { DETOUR_NONE, DETOUR_MAP, DETOUR_COPY, DETOUR_UNMAP };

/* What paging needs from others. */
struct paging_setup {
    const struct ddi *ddi;
    struct residency *residency;
    uint32_t *statistics;
    const struct ddi_segment_descriptor *segments; /* SEGMENT_LIMIT entries */
    uint32_t buffers;                              /* command RAM byte offset of the first, 4 KB aligned */
    uint32_t buffer_bytes;                         /* of each paging buffer */
    uint32_t private_bytes;
    uint32_t transfer_bytes; /* longest Transfer, whole pages; 0 = any */
    uint32_t dummy_page;
    uint32_t first_fence; /* the paging node's fence register at the start */
};

struct paging {
    struct paging_setup setup;
    uint32_t last_fence;                        /* id of the newest paging submission */
    uint32_t seen_fence[NODE_LIMIT];            /* each node's fence, when it was asked last */
    uint32_t buffer_fence[PAGING_BUFFER_COUNT]; /* of the last submission that used the buffer */
    uint8_t private_data[PAGING_BUFFER_COUNT][PAGING_PRIVATE_BYTES];
    uint32_t buffer;           /* the one being filled, or the next to use */
    uint32_t cursor;           /* next action of the journal */
    uint32_t render_fence;     /* the open buffer runs after this render fence ... */
    bool must_wait_render;     /* ... if this is set */
    bool keeps_offered;        /* FORCE.KEEP_OFFERED */
    bool is_active;            /* a journal is being carried out */
    bool is_open;              /* `arguments` describes a buffer that is being filled */
    bool has_operation;        /* arguments.operation is begun */
    bool awaits_idle;          /* the driver returned BUSY */
    bool is_full;              /* the driver returned INSUFFICIENT, and the ring has no room for what is built */
    bool is_write_back;        /* no journal: copy out allocation `cursor`, which stays resident */
    enum paging_detour detour; /* of the present action */
    uint32_t detour_segment, detour_page;
    uint32_t transferred; /* bytes that its earlier sub-transfers moved */
    bool is_purging;      /* the journal evicts what a reset destroyed: nothing is copied */
    struct ddi_build_paging_buffer arguments;
    /* What the buffers in rotation contain, for resets and preemptions. */
    struct ddi_submit_command submitted[PAGING_BUFFER_COUNT]; /* each buffer's last submission */
    struct index_set *touched[PAGING_BUFFER_COUNT];           /* allocations that the buffer pages ... */
    struct index_set *saved[PAGING_BUFFER_COUNT];             /* ... and those whose content it copies out */
    struct index_set *aborted;                                /* the same of the buffer that the last purge aborted */
};

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. */
void paging_init(struct paging *paging, struct tables *tables, const struct paging_setup *setup);

/* Begin to carry out the residency's journal. Paging must be inactive. */
void paging_start(struct paging *paging);
/* Begin to copy an allocation's content to its pages. It stays in its memory segment and is then clean. Paging must
 * be inactive, the journal empty, and the allocation dirty. */
void paging_start_write_back(struct paging *paging, uint32_t allocation);
enum paging_progress paging_step(struct paging *paging);

/* For self tests: may paging_build be called now? Only when everything submitted is complete, because its operations
 * claim that what they copy is idle (PGB-28). */
bool paging_can_build(struct paging *paging);
/* Build and submit operations of one packet each, in a paging buffer of their own. Returns their fence. */
uint32_t paging_build(struct paging *paging, struct ddi_build_paging_buffer *operations, uint32_t count);

static inline bool paging_is_active(const struct paging *paging) { return paging->is_active; }
/* Does a paging buffer that is open, or not yet carried out, page the allocation? O(buffers). */
bool paging_touches(const struct paging *paging, uint32_t allocation);
/* Is everything submitted so far complete? */
bool paging_is_quiet(const struct paging *paging);
/* Does the node have another submission after the one that it carries out? */
bool paging_has_next(const struct paging *paging);
/* Pages transferred since boot. A page moved inside its segment counts for its read and its write. May wrap. */
uint32_t paging_built_pages(const struct paging *paging);

#endif
