/* SPDX-License-Identifier: Apache-2.0
 *
 * Which allocation must be in which pages: the plan of a portion.
 *
 * A plan grows by one requirement at a time on the segment map. Each requirement may be refused. A plan, or its
 * tail, can be undone exactly. Planning changes the map, the marks and the journal. It does not change the
 * allocation table: that says where content is until paging has built the operation that moves it. Paging then calls
 * residency_has_left, _has_arrived or _has_moved, which cannot fail.
 *
 * The journal is the plan: actions in the order in which paging carries them out. An allocation has at most one
 * EVICT and one PLACE or MOVE, EVICT first.
 *
 * Pages may be reused at once inside a plan, because the paging node carries out its submissions in order: the copy
 * out is queued before the copy in. Against the render node a fence is needed: paging waits for `last_fence` of each
 * evicted allocation (SPL-26).
 *
 * Units: sizes and places are 4 KB pages, times are cycles of hal_cycles(), fences are ids of the render node.
 */
#ifndef FIRMWARE_RESIDENCY_H
#define FIRMWARE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "memory/allocation.h"
#include "memory/client.h"
#include "memory/segment.h"
#include "memory/share.h"
#include "platform/base.h"

struct policy;

enum residency_action { ACTION_EVICT = 0, ACTION_PLACE = 1, ACTION_MOVE = 2 };

/* What the portion being planned does with an allocation. Any mark forbids its eviction (SPL-22). */
enum residency_mark {
    MARK_READ = 1,
    MARK_WRITE = 2,   /* WriteOperation: it must be where writing is allowed (ALC-06) */
    MARK_KEPT = 4,    /* its address is in a register that the portion does not load again: it stays (SPL-11), or is
                         rebound (STANDING_MOVES_BOUND) */
    MARK_FRESH = 8,   /* used by the group being fitted, and by no group before it in the portion */
    MARK_DIRTIES = 16 /* a packet of this portion writes through a row that holds it */
};

static inline uint32_t residency_marks_of(const struct patch *patch)
{
    return (uint32_t)MARK_READ | patch->flags * (uint32_t)MARK_WRITE | patch->is_written * (uint32_t)MARK_DIRTIES;
}
_Static_assert((int)PATCH_WRITE == 1, "flags is a bit");

/* What the policy knows of the accepted jobs (policy.h, foresee). */
enum future {
    FUTURE_KNOWN,   /* every use of what is pending destroy, and every use accepted so far */
    FUTURE_PARTIAL, /* jobs were accepted since. What was destroyed before them is still judged rightly */
    FUTURE_STALE    /* there may be uses of anything that the policy does not know */
};

/* What has happened since the policy last looked, a bit each. */
enum news {
    NEWS_PLACES = 1, /* evictions or priorities changed since the last portion, not by a plan */
    NEWS_QUEUE = 2   /* the policy must be told what is queued before it is asked for room */
};

/* What limits the frame rate (cost_model.h). */
enum bottleneck {
    BOTTLENECK_NODES,    /* neither the firmware nor the bus, or nothing was measured */
    BOTTLENECK_FIRMWARE, /* the firmware: plan with less care */
    BOTTLENECK_BUS       /* waiting costs more than copying: keep what the newest portion uses */
};

/* What the group being fitted may ask for. */
enum standing {
    STANDING_LATER,      /* the portion may end before it */
    STANDING_FIRST,      /* it is the portion's first: if it finds no place, the job fails */
    STANDING_MOVES_BOUND /* the same, and what is MARK_KEPT may get another place */
};

/* What clients' limits have kept from a place in this portion (limits.h). */
enum hindrance {
    HINDRANCE_NONE,
    HINDRANCE_LIMIT,  /* something */
    HINDRANCE_MAXIMUM /* something, and the last time a maximum alone */
};

/* Which limits clients have (limits.h). */
enum client_limits { CLIENT_LIMITS_NONE, CLIENT_LIMITS_MAXIMUM, CLIENT_LIMITS_MINIMUM /* and maybe maximums */ };

/* What a job names, and what it has changed and must find as it was if it runs again. */
struct job_use {
    uint32_t last_fence;       /* of its newest portion; valid if it has one */
    struct index_set *dirtied; /* what was clean, or had no content, before the job */
    struct index_set *named;   /* what its allocation list names */
    bool is_in_place; /* all its words hold valid addresses: everything it names was where its use is allowed when its
                         words were patched, and has not moved since */
};
enum { UNFINISHED_JOBS = 8 };

enum { SLOT_EMPTY = 0xffff }; /* in place of a patch entry: the row of the resource table is unbound (SPL-04) */

/* Cost of a split in pages copied, unless it was measured. */
enum { SPLIT_PAGES = 8 };

/* What a policy keeps between two of its calls, and what it says. `bytes` and what the tables hold is private to the
 * policy, and undefined when a policy starts. */
enum { POLICY_STATE_BYTES = 1408 };
struct policy_tables {
    uint16_t *halfwords[2]; /* each has one per allocation */
    uint8_t *bytes;
    uint8_t *pieces;
};
struct policy_state {
    uint32_t *called_in; /* bit per allocation: it wants it in memory, not in an aperture */
    bool has_called_in;  /* called_in may have a member */
    uint32_t candidates; /* residents looked at in searches for room, since boot */
    struct policy_tables tables;
    _Alignas(void *) unsigned char bytes[POLICY_STATE_BYTES];
};

/* What is where, and whose. It lives as long as the device. */
struct world {
    struct segment_map map;    /* where things will be when the journal is carried out */
    struct index_set *owned;   /* allocations whose owner is a context, and maybe others */
    enum client_limits limits; /* of all clients together */
    struct allocation_table table;
    struct share_table shares; /* pages in memory segments, as the table says */
    struct client_table clients;
};

/* The plan at work: the marks of one portion, and the journal. */
struct plan {
    uint8_t *mark;           /* by allocation. One more at the end is never 0 and ends a walk */
    uint8_t *marked;         /* pieces of `mark` that have or had marks of this portion (index_set.h) */
    uint32_t *planned;       /* bit per allocation: the journal places or moves it */
    uint16_t *journal;       /* allocation index * 4 + action; room for two per allocation */
    const uint32_t *guarded; /* bit per allocation: within another client's minimum (limits.h). NULL: none is */
    uint32_t planner;        /* the context planned for, or NO_CONTEXT */
    uint32_t planner_client; /* of the planner (limits_begin); CLIENT_LIMIT: none */
    uint32_t portion_pages;  /* pages used by the portion, without those that it inherits in place */
    uint32_t placed_pages;   /* pages that its plan copies in */
    uint16_t journal_count;
    uint8_t avoided_set; /* segments that the plan does not use; 0 for a portion */
    enum standing group; /* of the group being fitted */
    enum hindrance hindrance;
    uint32_t steps, fail_step; /* FORCE.FAIL_STEP: placements of this job; from which one they fail (0 = never) */
};

/* What the policy is told. Set before each portion is planned (survey.c), `ahead` before each group. */
struct outlook {
    uint32_t retired_fence; /* portions up to it are complete: what they used can leave at once */
    uint32_t next_fence;    /* the portion's. Ages are differences to it, so fences may wrap */
    uint32_t news;          /* enum news */
    enum bottleneck bottleneck;
    enum future future;
    uint32_t portion_limit;                 /* most pages that a portion should use, 0 = any */
    uint32_t split_pages;                   /* cost of a split, in pages copied */
    uint32_t copy_cycles;                   /* measured cycles to copy a page in (is_timed) */
    uint32_t page_cycles;                   /* cycles that the slowest memory takes for a page, 0 = unknown */
    uint32_t segment_cycles[SEGMENT_LIMIT]; /* the same for each segment, 0 = as the slowest */
    const struct patch *ahead;              /* the current job's patch entries, and ... */
    uint32_t ahead_first, ahead_end;        /* ... which of them come after the group */
    bool is_timed;                          /* the device counts cycles */
    bool is_careful;                        /* the paging node is busy enough, or nothing takes time: search longer */
    bool is_tight;                          /* an eviction was needed at least once under this policy */
};

/* Which jobs use an allocation, and which made its content. */
struct uses {
    struct job_use job[UNFINISHED_JOBS]; /* one for each job there can be */
    uint32_t over_fence;                 /* portions up to it will never run again (residency_is_dead) */
    uint32_t accepted;                   /* bit per use: its job is accepted and not completed */
    struct job_use *current;             /* the job whose plan is carried out: content made by a Fill is its own */
    const struct job_use *unfinished[UNFINISHED_JOBS]; /* the current use and those before it ... */
    uint32_t unfinished_count;                         /* ... that were not complete when it was planned */
};

/* Most used fields first: an access within 2 KB of the start is one instruction. */
struct residency {
    const struct policy *policy; /* decides evictions: policy.h */
    struct plan plan;
    struct outlook outlook;
    struct uses uses;
    struct policy_state policy_state;
    struct world world;
};

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. */
void residency_init(struct residency *residency, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT],
                    uint32_t system_pages);

/* Cycles that each segment's memory takes for a page. 0: as long as the slowest, which is the default. */
void residency_set_page_cycles(struct outlook *outlook, const uint32_t cycles[SEGMENT_LIMIT]);

/* Use this policy from the next portion on. O(1), or the cost of policy->start if it was another. */
void residency_set_policy(struct residency *residency, const struct policy *policy);

/* Pages mapped in all apertures together, as planned. O(segments). */
uint32_t residency_mapped_pages(const struct world *world);

/* Do `pages` more in segment `id` keep the apertures' limits (SEG-16, SEG-17)? Always true for a memory segment.
 * O(segments). */
bool residency_keeps_limit(const struct world *world, uint32_t id, uint32_t pages);

/* Begin the next portion, at patch entry `now`, with render fence `next_fence`: take in what the last portion used
 * (policy->flush), and forget all marks. O(marks of the last portion). Nothing may be planned before. */
void residency_begin(struct residency *residency, uint32_t next_fence, uint32_t now);

/* Add marks. The planner's context becomes the owner. O(1). */
void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks);
/* Mark what these patch entries name, as each entry says. O(entries). */
void residency_mark_entries(struct residency *residency, const struct patch *entries, uint32_t count);
/* Remove all its marks, MARK_KEPT included: the portion does not use it after all. O(1). */
void residency_unmark(struct residency *residency, uint32_t allocation);

/* Set its priority or offer. Plans use it from the next portion on (ALC-10). */
void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer);

/* Is its content made by one job that is not complete, and unused since? Then the content may be dropped: if that
 * job runs again, it makes the content again. O(unfinished jobs). */
bool residency_is_own(const struct residency *residency, uint32_t allocation);

/* The segments of `set` that the policy tries first; all of `set` if it has no preference. O(1). */
uint32_t residency_favoured(const struct residency *residency, uint32_t allocation, uint32_t set);

/* Why a reader finds it in its present segment, as the policy sees it now: PLACE_REASON group of spec/gpu.def. */
uint32_t residency_place_reason(const struct residency *residency, uint32_t allocation);

/* Does an accepted job that is not completed name it? O(jobs). */
bool residency_is_named(const struct uses *uses, uint32_t allocation);

/* Tell the policy that the host has locked it. O(1). */
void residency_note_lock(struct residency *residency, uint32_t allocation);

/* The host reads it, so its content is copied out. Should it stay in the host's pages after that, because the policy
 * would map it at its next use? O(1). */
bool residency_leaves_to_be_read(const struct residency *residency, uint32_t allocation);

/* Does the policy need patch->traffic of the next job: how much is read and written through each entry? */
bool residency_wants_traffic(const struct residency *residency);

/* What the policy knows of the future is less reliable now, because a job was accepted, an allocation became pending
 * destroy, or a job runs again. O(1); O(patches) for a job whose traffic is wanted. */
void residency_note_job(struct residency *residency, const struct job *job);
void residency_note_pending_destroy(struct outlook *outlook);
void residency_note_repeat(struct outlook *outlook);

/* The context was destroyed: its allocations have no owner. O(allocations with an owner). */
void residency_disown(struct world *world, uint32_t context);

/* Is it in an aperture, while the policy wants it in memory? O(1). */
static inline bool residency_is_called_in(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->world.map.link[allocation].where;
    return bit_is_set(residency->policy_state.called_in, allocation) && where != 0u &&
           allocation_is_aperture(&residency->world.table, where);
}

/* Plan that it leaves its segment, for a lock, a destruction or an EVICT message. */
void residency_plan_eviction(struct residency *residency, uint32_t allocation);

/* Plan that it comes in at `place`. The segment must allow it and the pages must be free. O(owners). */
void residency_plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first);
/* The same where the place is known to be free. O(1). */
void residency_plan_arrival(struct residency *residency, uint32_t allocation, uint32_t id,
                            const struct segment_place *place);

/* Has the plan given it a place, even the one that it had? */
static inline bool residency_is_planned(const struct plan *plan, uint32_t allocation)
{
    return bit_is_set(plan->planned, allocation);
}

/* The right to plan while the planner waits: what a policy gets in make_room, and in no other call. It is the
 * residency, but these functions are all that can be done with it. */
struct planning;
static inline struct planning *residency_planning(struct residency *residency) { return (struct planning *)residency; }

/* Plan an eviction, as above. The policy is not told about it. */
void residency_plan_own_eviction(struct planning *planning, uint32_t allocation);
/* Plan a move inside its segment. It must still be where the table says. The new place may overlap the old one. */
void residency_plan_move(struct planning *planning, uint32_t allocation, struct segment_place *place);
/* Decide which contexts are within their shares, for `pages` pages more (share_review). */
void residency_review_shares(struct planning *planning, uint32_t pages);

/* Has the host destroyed it, and does nothing accepted need it, as far as the policy can tell? Then its content may
 * go at once. False for what this portion uses. O(unfinished jobs). */
bool residency_is_dead(const struct residency *residency, uint32_t allocation);

/* Before TRACE_EVICT: trace its next use, as far as the policy knows, and whether its content was copied out.
 * Nothing if the policy does not look ahead. O(1). */
void residency_trace_next_use(const struct residency *residency, uint32_t allocation, bool is_copied_out);

/* Is it within the minimum of another client than the planner's? It may slide, and not leave. O(1). */
static inline bool residency_is_guarded(const struct plan *plan, uint32_t allocation)
{
    return plan->guarded != NULL && bit_is_set(plan->guarded, allocation);
}

/* Pages of the client's allocations in segment `id` when the plan is carried out. Yields. O(journal). */
uint32_t residency_held(const struct residency *residency, uint32_t id, uint32_t client);

/* May memory pressure evict it: resident, unmarked, not pinned (ALC-11), not guarded? */
bool residency_is_evictable(const struct residency *residency, uint32_t allocation);

/* The portion that marks it is submitted under `fence`. It is busy until then. If the portion writes it in a memory
 * segment, its content is newer than the host's pages from now on. The fence never goes back (SPL-25). O(1). */
void residency_use(struct residency *residency, uint32_t allocation, uint32_t fence, bool is_executed);
/* The same for what `count` patch entries name. O(count). */
void residency_use_entries(struct residency *residency, const struct patch *entries, uint32_t count, uint32_t fence,
                           bool is_executed);

/* Undo the journal's actions from number `count` on, the last one first. */
void residency_rollback(struct residency *residency, uint32_t count);

/* Drop needless actions from `count` on: evictions whose room is not used, and allocations evicted and brought in
 * again at the same place. O(actions * ranges). */
void residency_trim(struct residency *residency, uint32_t count);

/* Is care not worth its time? True while the firmware limits and the group can begin the next portion instead. */
static inline bool residency_gives_up_soon(const struct residency *residency)
{
    return residency->outlook.bottleneck == BOTTLENECK_FIRMWARE && residency->plan.group == STANDING_LATER;
}

/* Read the journal. */
static inline uint32_t residency_action_allocation(const struct plan *plan, uint32_t i)
{
    return plan->journal[i] / 4u;
}
static inline enum residency_action residency_action_kind(const struct plan *plan, uint32_t i)
{
    return (enum residency_action)(plan->journal[i] & 3u);
}

/* Paging has built the operations of an action, so the table follows. `is_discarded`: content newer than the host's
 * pages was dropped. */
void residency_has_left(struct residency *residency, uint32_t allocation, bool is_discarded);
void residency_has_arrived(struct residency *residency, uint32_t allocation);
void residency_has_moved(struct residency *residency, uint32_t allocation);
/* The journal is carried out, or the plan was given up and undone. */
void residency_finish(struct residency *residency);

/* For tests: table and map are valid, and agree except for the journal. */
bool residency_check(const struct residency *residency);

#endif
