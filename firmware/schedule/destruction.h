/* SPDX-License-Identifier: Apache-2.0
 *
 * Destruction behind the GPU's back: DESTROY_ALLOCATION takes the handle away at once, so that later messages go
 * on, and is answered when no accepted DMA buffer needs the allocation any more and the paging node is done with its
 * pages. From the message on nothing else can name the allocation: what the queue says of its uses is all there will
 * ever be, and once they are over its content is needed by nothing (residency_is_dead).
 *
 * Rule: "Destroy: VidMm synchronises with the scheduler before video memory is released" (model, section 2.1).
 */
#ifndef FIRMWARE_DESTRUCTION_H
#define FIRMWARE_DESTRUCTION_H

#include "schedule/manager.h"

enum destruction_stage {
    DESTRUCTION_WAITS,  /* for jobs to end */
    DESTRUCTION_EVICTS, /* the evictions of those that go are being built */
    DESTRUCTION_DRAINS  /* the paging node has yet to carry them out */
};

struct destruction {
    struct index_set *pending; /* what has been asked for, and not answered */
    struct index_set *going;   /* of these, those that nothing needs any more and that go now */
    uint32_t paging_fence;     /* while it drains: what the paging node has to reach */
    enum destruction_stage stage;
    bool has_news;       /* a message has come since the last look ... */
    uint32_t ended_jobs; /* ... when so many jobs had ended */
};

/* Takes what it needs of `tables`; if that is short nothing else may be called. */
void destruction_init(struct destruction *destruction, struct tables *tables);

/* A DESTROY_ALLOCATION message. True: it will be answered when the allocation is gone. False: refused, with nothing
 * changed and the reason in `reply`: BAD_HANDLE, or LOCKED. O(1). */
bool destruction_begin(struct destruction *destruction, struct manager *manager, const uint32_t message[MESSAGE_WORDS],
                       struct reply *reply);

/* Some may have become free to go since the last look. */
static inline bool destruction_has_news(const struct destruction *destruction, const struct manager *manager)
{
    return destruction->has_news || manager->statistics[STAT_DMA_BUFFERS] != destruction->ended_jobs;
}

/* Go on: evict those that nothing needs any more, wait for the paging node, answer. `may_page`: no portion holds the
 * residency plan, so that one may be made here. True: something was done. O(pending), and O(1) without news. */
bool destruction_go_on(struct destruction *destruction, struct manager *manager, bool may_page);
static inline bool destruction_has_work(const struct destruction *destruction, const struct manager *manager)
{
    return destruction->stage != DESTRUCTION_WAITS || destruction_has_news(destruction, manager);
}
static inline bool destruction_step(struct destruction *destruction, struct manager *manager, bool may_page)
{
    if (!destruction_has_work(destruction, manager)) return false;
    return destruction_go_on(destruction, manager, may_page);
}

#endif
