/* SPDX-License-Identifier: Apache-2.0
 *
 * The manager's side of paging: carries out a residency plan through the DDI. Each action becomes DDI
 * operations, packed one after another into paging buffers that rotate; the INSUFFICIENT, BUSY and
 * synchronous protocols of the documents are run here and nowhere else.
 *
 * A Transfer longer than the driver's limit is cut into sub-transfers, from TransferStart to TransferEnd, and
 * nothing else is transferred in between (PGB-14..PGB-17). Content leaves a memory segment through an aperture of
 * its EvictionSegmentSet when one has room (ALC-05), else straight to its pages.
 *
 * Paging never fails. It may have to wait: for a free paging buffer, for room in the paging node's ring,
 * for an allocation to become idle. paging_step() then says so and goes on at the same place next time.
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
    PAGING_STRIDE = 4096,     /* from one paging buffer to the next: a fresh one is 4 KB aligned (PGB-12) */
    PAGING_PRIVATE_BYTES = 64 /* most private data a driver may ask for, per paging buffer */
};

enum paging_progress {
    PAGING_DONE,   /* the plan is built and submitted, the journal is empty */
    PAGING_WORKED, /* something was done, more remains */
    PAGING_WAITS   /* nothing can be done now */
};

/* An eviction through an aperture is three operations: map the pages there, copy, unmap. */
enum paging_detour { DETOUR_NONE, DETOUR_MAP, DETOUR_COPY, DETOUR_UNMAP };

/* What paging needs to know of the world. */
struct paging_setup {
    const struct ddi *ddi;
    struct residency *residency;
    uint32_t *statistics;
    const struct ddi_segment_descriptor *segments; /* SEGMENT_LIMIT of them */
    uint32_t buffers;                              /* command RAM byte offset of the first, 4 KB aligned */
    uint32_t buffer_bytes;                         /* of each */
    uint32_t private_bytes;
    uint32_t transfer_bytes; /* longest Transfer, whole pages; 0 = any */
    uint32_t dummy_page;
    uint32_t first_fence; /* the paging node's fence register at the start */
};

struct paging {
    struct paging_setup setup;
    uint32_t last_fence;                        /* id of the newest paging submission */
    uint32_t seen_fence[NODE_LIMIT];            /* each node's fence, when it was asked last */
    uint32_t buffer_fence[PAGING_BUFFER_COUNT]; /* of the submission that used the buffer last */
    uint8_t private_data[PAGING_BUFFER_COUNT][PAGING_PRIVATE_BYTES];
    uint32_t buffer;           /* being filled, or to be used next */
    uint32_t cursor;           /* next action of the journal */
    uint32_t render_fence;     /* what the open buffer has to wait for ... */
    bool must_wait_render;     /* ... if anything */
    bool keeps_offered;        /* FORCE.KEEP_OFFERED */
    bool is_active;            /* a journal is being carried out */
    bool is_open;              /* `arguments` describes a buffer in use */
    bool has_operation;        /* arguments.operation was begun */
    bool awaits_idle;          /* the driver said BUSY */
    bool is_full;              /* ... INSUFFICIENT, and the ring had no room for what is there */
    bool is_write_back;        /* no journal: copy out `cursor`, which stays resident */
    enum paging_detour detour; /* of the action at the cursor */
    uint32_t detour_segment, detour_page;
    uint32_t transferred; /* bytes of it that earlier sub-transfers moved */
    bool is_purging;      /* the journal evicts what a reset destroyed: nothing is copied */
    struct ddi_build_paging_buffer arguments;
    /* For resets and preemptions: what the buffers in rotation hold. */
    struct ddi_submit_command submitted[PAGING_BUFFER_COUNT]; /* each buffer's last submission */
    struct index_set *touched[PAGING_BUFFER_COUNT];           /* the allocations that the buffer has ... */
    struct index_set *saved[PAGING_BUFFER_COUNT];             /* ... and those whose content it copies out */
    struct index_set *aborted;                                /* what the buffer that the last purge aborted had */
};

/* Takes what it needs of `tables`; if that is short nothing else may be called. */
void paging_init(struct paging *paging, struct tables *tables, const struct paging_setup *setup);

/* Begin to carry out the residency's journal; paging must be inactive. */
void paging_start(struct paging *paging);
/* Begin to bring an allocation's pages up to date; it stays in its memory segment, clean. Paging must be inactive, the
 * journal empty, and the allocation dirty. */
void paging_start_write_back(struct paging *paging, uint32_t allocation);
enum paging_progress paging_step(struct paging *paging);

/* Operations without a plan (self tests): can paging_build be called now? Not before all that was submitted is
 * complete: they say that what they copy is idle (PGB-28). */
bool paging_can_build(struct paging *paging);
/* Build and submit a few operations of one packet each in a paging buffer of their own; their fence. */
uint32_t paging_build(struct paging *paging, struct ddi_build_paging_buffer *operations, uint32_t count);

static inline bool paging_is_active(const struct paging *paging) { return paging->is_active; }
/* Everything submitted so far is complete. */
bool paging_is_quiet(const struct paging *paging);
/* The node still has a submission behind the one that it carries out. */
bool paging_has_next(const struct paging *paging);
/* Pages, ever, that it was given to carry; one moved inside its segment is read and written there. It may wrap. */
uint32_t paging_built_pages(const struct paging *paging);

#endif
