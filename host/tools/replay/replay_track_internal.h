/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the tracker: replay_track.c follows jobs and fences, replay_track_paging.c the paging node's
 * packets, replay_track_list.c has what both use, replay_schedule.c writes the result.
 */
#ifndef REPLAY_TRACK_INTERNAL_H
#define REPLAY_TRACK_INTERNAL_H

#include "gpu_spec.h"
#include "tools/replay/replay_track.h"

enum {
    TRACK_SPACES = 4, /* index = segment id; 0 is no segment */
    TRACK_SPACE_PAGES = LIMIT_BITS_GUARD_SPACE_PAGES,
    TRACK_SYSTEM_PAGES = 1 << 20
};

/* A growing array. */
struct list {
    void *items;
    uint32_t count, room;
};
/* Room for one more item, or NULL: out of memory. */
void *list_add(struct list *list, size_t item_bytes);

/* Where a surface is. */
struct place {
    uint32_t segment; /* 0: nowhere */
    uint32_t page;
};

struct track_surface {
    uint32_t *pages; /* host pages; NULL while it does not exist */
    uint32_t page_count, pattern;
    struct place place;
    bool is_dirty, is_dirty_by_step;
};

/* The paging operation being executed: one action of the manager may take many packets and buffers. */
struct open_operation {
    bool is_open;
    struct track_operation operation;
    uint32_t segment;
    uint64_t bytes_done;
};

/* A fence id and a count at that time. */
struct note {
    uint32_t fence, count;
};

struct expected_job {
    const struct stream_job *job;
    uint32_t base;   /* in command RAM, known from the first portion on */
    uint32_t cursor; /* bytes executed */
};

struct track {
    struct track_setup setup;
    bool is_begun, is_ended;
    char problem[256];
    struct track_surface *surfaces;
    uint32_t *frame_owner;               /* per host page: surface + 1 */
    uint32_t *frame_index;               /* and which of its pages */
    uint32_t *space_owner[TRACK_SPACES]; /* per page of a segment: surface + 1 */
    struct place *initial;               /* per surface, at track_begin */
    struct track_counts counts;
    struct list operations, runs, jobs;
    /* paging node */
    struct open_operation open;
    int64_t paging_wait;          /* run waited for by now, -1 = none */
    struct list paging_fences;    /* notes: operations complete at each paging fence */
    struct list paging_doorbells; /* notes: runs complete at each TRACE PAGING */
    /* render node */
    struct track_run run;
    bool is_in_run;
    uint64_t bound_slots;                      /* since the last run, by ring packets */
    uint32_t run_address, run_bytes, run_seen; /* of command RAM; seen: bytes of packets so far */
    uint32_t run_words[LIMIT_BITS_DMA_BYTES / 4];
    int64_t render_wait;          /* operation waited for by now, -1 = none */
    struct list render_doorbells; /* notes: operations complete at each TRACE PORTION */
    uint32_t runs_done;
    /* per node: a packet whose effect is at its end */
    uint32_t pending_opcode[2], pending_value[2];
};

void track_complain(struct track *track, const char *format, ...) __attribute__((format(printf, 2, 3)));
void track_paging_packet(struct track *track, const uint32_t *words);
/* The note of the newest fence that `fence` has reached; NULL if there is none. */
const struct note *track_note_reached(const struct list *notes, uint32_t fence);
/* The note of exactly this fence; NULL if there is none. */
const struct note *track_note_of(const struct list *notes, uint32_t fence);

#endif
