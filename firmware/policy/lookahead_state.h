/* SPDX-License-Identifier: Apache-2.0
 *
 * What the look-ahead policy keeps. Its own files only: lookahead.c (next uses, room for several allocations, splits),
 * eviction_cost.c (what it costs that a resident leaves), window.c (the cheapest room of a segment), map_or_copy.c.
 *
 * The patch list of a DMA buffer is its whole reference string, and those of queued buffers continue it. One pass from
 * the far end to the near one gives every entry and every allocation its next use; whoever walks the list forward then
 * knows each allocation's next use at any time.
 */
#ifndef FIRMWARE_LOOKAHEAD_STATE_H
#define FIRMWARE_LOOKAHEAD_STATE_H

#include "plan/policy.h"
#include "plan/residency.h"

/* Time is counted in patch locations from the current job's first; those of queued jobs follow. */
enum { NEXT_USE_UNKNOWN = 0xffff };

/* A segment's residents as a whole: eviction_cost.h. */
enum { PRICE_STEPS = 72 };
struct price_list {
    uint16_t leaving[PRICE_STEPS]; /* pages of the unmarked, by step */
    uint16_t residents;            /* how many the last sweep found */
    uint8_t lowest;                /* no step below has any */
    bool is_kept;
    bool has_one_rank; /* all of these have the same priority */
    uint32_t rank;     /* the lowest priority of these */
};

/* What may be evicted, what may slide. Nothing marked leaves; what is pinned does not slide either, nor what is
 * MARK_KEPT unless the plan may move it. */
struct room_rules {
    bool is_pressing; /* soft-pinned allocations may leave */
    bool may_slide;
    bool takes_protected; /* those within their shares may leave too: room_search_harder */
    bool is_near;   /* only a room that costs about what it would without addresses is wanted, where that is known */
    uint64_t limit; /* only a room that costs less is wanted; UINT64_MAX: any */
};

/* A window: the owners between `before` and `after` (`none` of the map: the segment's ends). */
struct room {
    uint32_t id, before, after;
    uint32_t threshold;      /* step of price up to which its owners leave */
    bool is_slid;            /* some owners slide */
    struct room_rules rules; /* those of the search */
    uint64_t cost;           /* lower is better; comparable between segments */
};

/* A room that has been found and is not cleared yet. */
struct found_room {
    struct room room;
    struct segment_request request;
    uint32_t ahead; /* pages of it that are for what comes next; 0: it is for the allocation alone */
};

struct lookahead {
    /* By allocation. */
    uint16_t *next_use;                    /* the first after `now`, or NEXT_USE_UNKNOWN */
    uint8_t *price;                        /* of a resident */
    uint16_t *place_in_job;                /* of the first entry in the last job that named it */
    uint8_t *foreseen;                     /* the pieces with those that may have a next use (index_set.h) */
    uint32_t now;                          /* where the walk is */
    uint32_t horizon;                      /* where the known future ends */
    uint32_t job_age;                      /* grows with every job */
    uint32_t awaited_fence;                /* the plan waits for it anyway; retired_fence, or later */
    bool has_to_wait;                      /* awaited_fence has moved on since prices were swept */
    bool has_places;                       /* place_in_job is of the job at hand, too */
    bool is_single;                        /* in this portion room is made for one allocation at a time */
    bool has_review;                       /* what is protected is known: at the first search for room of a portion */
    uint8_t fast_steps[SEGMENT_LIMIT + 1]; /* by segment id: taken off the price of those in it */
    uint16_t rover[SEGMENT_LIMIT];         /* where the next search starts: a resident, or no owner */
    struct price_list prices[SEGMENT_LIMIT];
};
_Static_assert(sizeof(struct lookahead) <= POLICY_STATE_BYTES, "what it keeps has room");

static inline struct lookahead *lookahead_of(struct policy_state *state) { return (void *)state->bytes; }
static inline const struct lookahead *lookahead_in(const struct residency *residency)
{
    return (const void *)residency->policy_state.bytes;
}

#endif
