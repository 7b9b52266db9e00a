/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA buffers from a workload: one BIND per patch location at its split point, and drawings between what is
 * bound, so that the engine really reads or writes every allocation it was given, for about the time the
 * workload says.
 *
 * A drawing writes an allocation that the step may write. What a step only reads is copied into such an
 * allocation or exclusive-ored into the *collector*, a surface of the replay's own in a segment that the
 * workload leaves alone: a read from a wrong place leaves its trace there for good.
 */
#ifndef REPLAY_STREAM_H
#define REPLAY_STREAM_H

#include "tools/replay/pagesim.h"
#include "tools/replay/replay_oracle.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { STREAM_NO_COLLECTOR = -1 };

/* Surfaces: the workload's allocations by their number, then the collector. */
struct stream_setup {
    const struct pagesim *workload;
    struct tessera_allocation *const *allocations; /* by surface; NULL while they do not exist */
    uint32_t collector_pages;
    int collector_slot; /* STREAM_NO_COLLECTOR: there is none */
    double work;        /* bytes to draw per unit of the workload's time */
    uint32_t seed;
};

/* One submission: whole steps of one buffer, usually all of them. */
struct stream_job {
    uint32_t buffer;
    uint32_t first_step, step_count;
    uint32_t *offsets;    /* step_count + 1: where each step starts in the DMA buffer; then its end */
    uint32_t *draw_first; /* step_count + 1: index of each step's first drawing */
    struct draw *draws;
    uint32_t *words; /* the stream as submitted; address words 0 */
    uint32_t patch_count;
    uint64_t draw_bytes; /* drawn in all */
    uint32_t unread;     /* bindings to read for which no drawing was possible */
};

/* Build a job of the steps from `first_step` to before `end_step`, all of one buffer, or as many of them as the
 * limits of a DMA buffer allow, into `stream` (cleared first). A job that starts inside a buffer binds first what the
 * resource table holds there. False: out of memory, or one step alone exceeds the limits; `message` says which. */
bool stream_build(const struct stream_setup *setup, uint32_t first_step, uint32_t end_step,
                  struct tessera_stream *stream, struct stream_job *job, char message[PAGESIM_MESSAGE]);
void stream_job_free(struct stream_job *job);

#endif
