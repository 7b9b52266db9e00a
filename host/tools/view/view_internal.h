/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside view.h: the history a run leaves. Lists grow up to their limit; past it `is_cut` says that something is
 * missing, and the sums still count everything.
 */
#ifndef TESSERA_VIEW_INTERNAL_H
#define TESSERA_VIEW_INTERNAL_H

#include "tools/view/account.h"
#include "tools/view/timeline.h"
#include "tools/view/view.h"

enum { TRACK_HOST = 1, TRACK_FIRMWARE, TRACK_RENDER, TRACK_PAGING };
/* In the order of use, which is that of the time line: what works when, then counters, then a group per segment. */
enum { GROUP_GPU = 1, GROUP_COUNTERS = 2, GROUP_SEGMENT = 10 /* plus the segment's id */ };
enum {
    VIEW_NODES = PROBE_NODES,
    VIEW_DEPTH = 2,     /* a RUN and the packet in it */
    VIEW_SEGMENTS = 16, /* ids 1..15 */
    VIEW_KNOWN = 32768, /* allocations, dead ones included: a power of two */
    VIEW_STAYS = 400000,
    VIEW_JOBS = 100000,
    VIEW_DECISIONS = 100000,
    VIEW_SAMPLES = 2048,
    VIEW_FRAMES = 10000,
    VIEW_BLANKS = 100000,
    VIEW_FENCES = 256, /* remembered per node, for waits */
    VIEW_WORDS = 8
};

#define NO_PLAN UINT32_MAX
#define NO_NEXT_USE UINT32_MAX
enum stay_end { STAY_OPEN, STAY_EVICTED, STAY_MOVED };

/* One allocation, as the host's messages told it. */
struct known {
    uint32_t handle, pages;
    char name[24];
    uint32_t stay;     /* index + 1 of where it is now, 0 = not resident */
    uint32_t arrivals; /* times it became resident */
    uint32_t reason;   /* why it is read where it is, PLACE_REASON group + 1; 0: not asked */
};

/* An allocation in one place of one segment. */
struct stay {
    uint64_t begin, end;
    uint32_t known; /* index */
    uint32_t page, pages;
    uint8_t segment, how_ended;
    bool is_again;                /* it had been resident before */
    uint32_t arrived_in, left_in; /* plans: places in the list of decisions; NO_PLAN: not for one, or not yet */
    uint32_t next_use; /* of one that was evicted: TRACE_NEXT_USE; NO_NEXT_USE: the policy does not look ahead */
};

/* A DMA buffer. */
struct view_job {
    uint64_t submitted, accepted, completed;
    uint32_t tag, context, bytes, frame, status;
    uint32_t portions, evictions, pages_in, pages_out;
};

/* A portion: one decision of the firmware. */
struct decision {
    uint64_t begin, planned, submitted; /* planning starts, ends; the portion is in the render node's ring */
    uint32_t job;                       /* index, or ~0 */
    uint32_t fence, first_entry, entries;
    uint32_t evictions, arrivals, pages_in, buffers;
    uint32_t split; /* byte in the DMA buffer where it was cut, 0 = not cut after this portion */
};

/* What happened in a stretch of time. */
struct sample {
    uint64_t begin, end;
    uint64_t beats[3];
    struct node_counters node[VIEW_NODES];
    uint64_t firmware_busy;
    uint64_t firmware_waits[VIEW_NODES]; /* cycles in which a node had nothing to do and the firmware was busy */
    uint32_t resident[VIEW_SEGMENTS];    /* pages, at its end */
    uint32_t queued;                     /* DMA buffers taken and not complete, at its end */
};

/* What changed last in a segment, on its track of the time line; without a name: nothing yet. */
struct change {
    uint64_t begin;
    char name[40], arguments[200];
};

/* Bytes by why they moved. */
struct traffic {
    uint64_t in_first, in_again; /* page-ins, by whether the allocation had been resident before */
    uint64_t paging_in, paging_out, moved, filled, mapped; /* by the paging node's packets */
};

struct view_frame {
    uint64_t begin, end;
};

/* A vertical blank of the display, or a flip that it shows: `late` frames after the one that it asked for. */
struct view_blank {
    uint64_t cycle;
    uint32_t late;
    bool is_flip;
};

struct open_packet {
    uint64_t begin;
    uint32_t words[VIEW_WORDS];
    struct node_counters at; /* counters when it began */
};

/* When a node began to pass a fence. */
struct passed {
    uint32_t fence;
    uint64_t cycle;
};

/* Host rings as the host set them up. */
struct ring {
    uint32_t base, log2, count; /* count: entries seen */
};

struct view {
    struct timeline *timeline;
    struct probe probe;
    struct transport *inner, *outer;
    uint64_t now; /* the last cycle anything was heard of */
    bool is_cut, has_left_out, is_closed, shows_pages;
    struct change changes[VIEW_SEGMENTS];
    /* nodes */
    struct open_packet open[VIEW_NODES][VIEW_DEPTH];
    uint32_t depth[VIEW_NODES];
    struct probe_counters counters, sampled; /* the newest, and those of the last sample */
    bool has_counters;
    struct account account;
    uint64_t waits_sampled[VIEW_NODES]; /* of the account, at the last sample */
    uint64_t free_since[VIEW_NODES];    /* with depth 0 and a busy firmware: since when both has been so */
    uint64_t sampled_at;
    struct passed passed[VIEW_NODES][VIEW_FENCES];
    uint32_t waits;
    /* firmware */
    uint64_t stage_begin, idle_begin, idle_cycles, busy_sampled;
    uint32_t last_event, last_argument, place, portion_tag;
    uint32_t next_use; /* of the next that is evicted; NO_NEXT_USE */
    bool is_idle;
    bool is_examining; /* the last VALIDATE was the beginning of a piece */
    struct decision deciding;
    bool is_planning; /* what comes and leaves does so for it */
    /* host */
    struct ring submit, complete;
    uint64_t rung; /* when the doorbell was rung last */
    uint32_t messages, frame;
    struct pending {
        uint32_t tag, code, pages, job; /* job: index + 1 */
        uint32_t handle;
    } pending[256]; /* by tag % 256 */
    /* history */
    struct known *known; /* hash table by handle */
    uint32_t known_count;
    struct stay *stays;
    uint32_t stay_count, stay_room, stay_lost;
    struct view_job *jobs;
    uint32_t job_count, job_room;
    struct decision *decisions;
    uint32_t decision_count, decision_room;
    struct sample *samples;
    uint32_t sample_count, sample_merge; /* each sample is this many PROBE_SAMPLEs */
    struct view_frame *frames;
    uint32_t frame_count;
    struct view_blank *blanks; /* in the order of the firmware's events */
    uint32_t blank_count, blank_room, late;
    struct traffic traffic;
    uint32_t resident[VIEW_SEGMENTS], segment_top[VIEW_SEGMENTS], queued;
    struct draws *draws; /* draw by draw; NULL: not asked for */
};

/* Room for one more entry of a list; NULL at its limit or out of memory (is_cut is set then). */
void *view_append(struct view *view, void **list, uint32_t *count, uint32_t *room, uint32_t limit, size_t bytes);

/* The allocation with this handle, entered if new; NULL when the table is full. */
struct known *view_known(struct view *view, uint32_t handle);
void view_arrived(struct view *view, uint64_t cycle, uint32_t handle);
void view_left(struct view *view, uint64_t cycle, uint32_t handle, enum stay_end how);

/* Both in the time line, after they are in the lists: view_residency.c. At its end, what is still there. */
void view_show_arrival(struct view *view, const struct stay *stay);
void view_show_leaving(struct view *view, const struct stay *stay);
void view_show_residents(struct view *view);

/* Messages and completions of the host, from view_host.c's transport. */
struct view_job *view_job_of(struct view *view, uint32_t tag);

/* The probe's calls. */
void view_packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words);
void view_packet_end(void *context, uint64_t cycle, unsigned node);
void view_counters(void *context, uint64_t cycle, const struct probe_counters *counters);
void view_firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument);

/* End the stretch of time since the last sample. */
void view_sample(struct view *view, uint64_t cycle);
/* The node may have waited for the firmware until now: something begins, or the firmware goes idle. */
void view_firmware_wait(struct view *view, uint64_t cycle, unsigned node);

/* Draw by draw (draws.h); NULL: not asked for. From the probe: a node's packets, with its counters when it began and
 * now, NULL: the device has none. The host writes system memory. A frame has been read. */
void draws_packet_begin(struct draws *draws, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words);
void draws_packet_end(struct draws *draws, uint64_t cycle, unsigned node);
void draws_host_write(struct draws *draws, uint32_t address, const void *data, size_t bytes);
void draws_frame_end(struct draws *draws, uint32_t number);
void draws_destroy(struct draws *draws);

#endif
