/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the machine at one moment, as the page shows it: read from the firmware's own tables, the nodes' rings
 * and what the view has counted of the trace. It is flat and has no pointers, so that the tape (tape.h) can keep
 * what changes from one to the next.
 */
#ifndef TESSERA_WEB_SNAPSHOT_H
#define TESSERA_WEB_SNAPSHOT_H

#include <stdint.h>

#include "device.h"
#include "tools/view/view_internal.h"

enum {
    SNAPSHOT_ALLOCATIONS = LIMIT_BITS_ALLOCATIONS,
    SNAPSHOT_ENTRIES = LIMIT_BITS_LIST_ENTRIES,
    SNAPSHOT_QUEUE = 64, /* submissions of a node's ring that are shown */
    SNAPSHOT_JOBS = JOB_COUNT,
    SNAPSHOT_CONTEXTS = 4,
    SNAPSHOT_PACKET_WORDS = 6
};

enum snapshot_flag {
    SNAPSHOT_DIRTY = 1,
    SNAPSHOT_LOCKED = 2,
    SNAPSHOT_OFFERED = 4,
    SNAPSHOT_BOUND = 8, /* in a slot of the render node's */
    SNAPSHOT_USED = 16, /* by a portion that is queued or at work */
    SNAPSHOT_NEXT = 32, /* by the portion at hand */
    SNAPSHOT_COMING = 64
};

struct snapshot_allocation {
    uint32_t handle;
    uint16_t pages, page, planned_page; /* page: in `segment`; planned_page: in `planned` */
    uint8_t segment, planned;           /* where the table and where the segment map have it: id, 0 nowhere */
    uint8_t flags, padding;
    uint16_t owner; /* context whose job named it last, or NO_CONTEXT */
};

enum snapshot_state { SNAPSHOT_QUEUED, SNAPSHOT_WAITING, SNAPSHOT_EXECUTING };

/* What one fence of a node's ring stands for. */
struct snapshot_submission {
    uint32_t fence, bytes, plan; /* plan: in the view's list of decisions, or NO_PLAN */
    uint32_t tag;                /* of the DMA buffer, 0: none known */
    uint8_t state, opcode, padding[2];
};

struct snapshot_node {
    uint32_t fence, packets, waits, count;  /* waits: for this fence of the other node, 0: for none */
    uint32_t packet[SNAPSHOT_PACKET_WORDS]; /* done last; all zero: none */
    struct snapshot_submission queue[SNAPSHOT_QUEUE];
};

struct snapshot_job {
    uint32_t tag, context, state, portions, entries, priority, next_entry;
};

struct snapshot_entry {
    uint16_t allocation, split_word, slot, next_use; /* allocation: PATCH_NULL for an unbind */
    uint8_t is_written, padding[3];
};

struct snapshot_context {
    uint32_t id, priority, budget, share, resident, lost, taken;
};

struct snapshot {
    uint64_t cycle;
    uint32_t statistics[STAT_COUNT];
    uint64_t traffic[6]; /* in first, in again, out, moved, filled, mapped */
    uint32_t decisions;  /* portions decided */
    uint32_t is_planning, padding;
    uint32_t segment_pages[LIMIT_BITS_SEGMENT_COUNT + 1];
    uint32_t frame, target; /* drawn last, and into which surface */
    uint32_t finished;      /* frames that the program has read */
    struct snapshot_node node[2];
    struct snapshot_job jobs[SNAPSHOT_JOBS];
    struct snapshot_context contexts[SNAPSHOT_CONTEXTS];
    /* The patch list at hand; tag 0: there has been none. */
    uint32_t tag, bytes, first, count, is_cut, split, entry_count;
    struct snapshot_entry entries[SNAPSHOT_ENTRIES];
    struct snapshot_allocation allocations[SNAPSHOT_ALLOCATIONS];
};

/* What a snapshot needs besides the machine, kept from event to event. */
struct snapshot_memory {
    uint32_t coming[SNAPSHOT_ALLOCATIONS]; /* paging fence after which its content is there; UINT32_MAX: not known yet
                                            */
    uint8_t is_coming[SNAPSHOT_ALLOCATIONS];
    struct {
        uint32_t fence, plan, tag;
    } submitted[2][256];                       /* by node and fence */
    uint16_t bound[LIMIT_BITS_SLOTS];          /* the allocation last found behind a slot's address */
    uint32_t packet[2][SNAPSHOT_PACKET_WORDS]; /* of the packets that the nodes have begun last */
};

void snapshot_memory_init(struct snapshot_memory *memory);
/* The firmware has traced this: what is on its way is remembered. */
void snapshot_note(struct snapshot_memory *memory, const struct view *view, uint32_t event, uint32_t argument);
/* Everything but frame, target and finished, which stay. */
void snapshot_take(struct snapshot *snapshot, struct snapshot_memory *memory, struct device *device,
                   const struct view *view);

#endif
