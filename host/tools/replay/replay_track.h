/* SPDX-License-Identifier: Apache-2.0
 *
 * What the device really did, from its probe: the packets both nodes executed, with their addresses, become
 * whole paging operations (in, fill, out, drop, move, map, unmap) and runs (portions). Nothing is taken from
 * what the device was asked to do; what it executes is compared with what was submitted, word by word.
 *
 * Content that is overwritten or loaded again was dropped: a drop is not a packet, so it is placed right
 * before the operation that takes the pages.
 *
 * Order between the nodes. An operation waits for a run if a WAIT_FENCE packet says so, or if the run's
 * fence had completed when the firmware rang the doorbell for the operation's paging buffer (TRACE PAGING)
 * - from then on nothing could have reversed them. The same holds for runs and TRACE PORTION.
 */
#ifndef REPLAY_TRACK_H
#define REPLAY_TRACK_H

#include "tools/replay/pagesim.h"
#include "lib/device/probe.h"
#include "tools/replay/replay_meter.h"
#include "tools/replay/replay_stream.h"
#include "transport.h"

enum track_kind { TRACK_IN, TRACK_FILL, TRACK_OUT, TRACK_DROP, TRACK_MOVE, TRACK_MAP, TRACK_UNMAP, TRACK_KINDS };

struct track_operation {
    enum track_kind kind;
    uint32_t surface;
    uint32_t page;           /* where to, in its segment */
    int64_t wait_run;        /* explicit wait, -1 = none */
    uint32_t runs_done;      /* when its first packet began */
    uint32_t paging_ordinal; /* its paging buffer: index of the paging fence that follows */
};

struct track_run {
    uint32_t buffer, first_step, step_count;
    bool begins_submission;
    int64_t wait_operation;   /* explicit wait, -1 = none */
    uint32_t operations_done; /* when it began */
    uint64_t bound_slots;     /* loaded again right before it: bit 0 = slot 0 */
    uint32_t fence;
    uint64_t begin_cycle, end_cycle;
};

struct track_counts {
    uint64_t pages[TRACK_KINDS]; /* of the workload's allocations */
    uint64_t dirty_out;          /* pages copied out that a buffer with WriteOperation may have written */
    uint64_t clean_out;          /* all others */
    uint64_t clean_out_by_step;  /* copied out though no step that ran had its write flag set */
    uint32_t operation_count, run_count;
    struct meter meter; /* zero on a device that shows no counters */
};

struct track_setup {
    const struct pagesim *workload;
    uint32_t surface_count; /* the workload's allocations, then the replay's own */
    /* Steps of a job have been executed; called in their order of execution. */
    void (*on_steps)(void *context, const struct stream_job *job, uint32_t first, uint32_t count);
    void *context;
    const struct transport *transport; /* to the device's memory: packets name page lists there */
};

struct track;

struct track *track_create(const struct track_setup *setup); /* NULL: out of memory */
void track_destroy(struct track *track);
void track_probe(struct track *track, struct probe *probe);

/* The surface's host pages (copied) and fill pattern; and their end. */
bool track_own(struct track *track, uint32_t surface, const uint32_t *pages, uint32_t count, uint32_t pattern);
void track_disown(struct track *track, uint32_t surface);

/* Jobs are expected to run in this order. The job must stay until it is complete or abandoned. */
bool track_expect(struct track *track, const struct stream_job *job);
/* The oldest expected job will not go on; returns how many of its steps were executed. */
uint32_t track_abandon(struct track *track, const struct stream_job *job);

/* The schedule starts here, with what is resident now; until now only the places of surfaces were followed.
 * Nothing may be under way. */
void track_begin(struct track *track);
/* Ignore everything from now on. */
void track_end(struct track *track);

/* The first thing that cannot be explained, or NULL. */
const char *track_problem(const struct track *track);
struct track_counts track_counts(const struct track *track);
const struct track_run *track_runs(const struct track *track);

/* The schedule as JSON: {"initial": .., "ops": .., "runs": ..}. False and a message: cannot write. */
bool track_write_schedule(const struct track *track, const char *path, char message[PAGESIM_MESSAGE]);
/* The same keys, and beside them those of a workload: the buffers as they were submitted (replay_submitted.c), which
 * are what the runs count in. */
bool track_write_submitted(const struct track *track, const char *path, char message[PAGESIM_MESSAGE]);

#endif
