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
                         rebound (may_move_bound) */
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

/* What a policy keeps between two of its calls. It is private to the policy, and undefined when a policy starts. */
enum { POLICY_STATE_BYTES = 1408 };
struct policy_state {
    _Alignas(void *) unsigned char bytes[POLICY_STATE_BYTES];
};
struct policy_tables {
    uint16_t *halfwords[2]; /* each has one per allocation */
    uint8_t *bytes;
    uint8_t *pieces;
};

struct residency {
    /* Most used fields first: an access within 2 KB of the start is one instruction. */
    const struct policy *policy; /* decides evictions: policy.h */

    /* Time. Set before each portion is planned (scheduler.c, cost_model.h). */
    uint32_t retired_fence;                 /* portions up to it are complete: what they used can leave at once */
    uint32_t over_fence;                    /* portions up to it will never run again (residency_is_dead) */
    uint32_t next_fence;                    /* the portion's. Ages are differences to it, so fences may wrap */
    uint32_t split_pages;                   /* cost of a split, in pages copied */
    uint32_t portion_limit;                 /* most pages that a portion should use, 0 = any */
    uint32_t copy_cycles;                   /* measured cycles to copy a page in (is_timed) */
    uint32_t page_cycles;                   /* cycles that the slowest memory takes for a page, 0 = unknown */
    uint32_t segment_cycles[SEGMENT_LIMIT]; /* the same for each segment, 0 = as the slowest */
    uint8_t future;                         /* enum future */
    bool is_timed;                          /* the device counts cycles */
    bool is_bus_slow;                       /* waiting costs more than copying: keep what the newest portion uses */
    bool is_firmware_bound;                 /* the firmware limits the frame rate: plan with less care */
    bool is_careful;                        /* the paging node is busy enough, or nothing takes time: search longer */

    /* The plan: marks of the portion, and the journal. */
    bool is_disturbed;   /* evictions or priorities changed since the last portion, not by a plan */
    bool has_called_in;  /* called_in may have a member */
    bool may_move_bound; /* what is MARK_KEPT may get another place, for this group */
    bool is_survey_due;  /* the policy must be told what is queued before it is asked for room */
    bool is_tight;       /* an eviction was needed at least once under this policy */
    uint8_t avoided_set; /* segments that the plan does not use; 0 for a portion */
    bool is_minimum;     /* the group is the portion's first: if it finds no place, the job fails */
    uint16_t journal_count;
    uint32_t planner;                /* the context planned for, or NO_CONTEXT */
    uint32_t portion_pages;          /* pages used by the portion, without those that it inherits in place */
    uint32_t placed_pages;           /* pages that its plan copies in */
    uint32_t steps, fail_step;       /* FORCE.FAIL_STEP: placements of this job; from which one they fail (0 = never) */
    const struct patch *ahead;       /* the current job's patch entries, and ... */
    uint32_t ahead_first, ahead_end; /* ... which of them come after the group */
    uint32_t candidates;             /* residents looked at in searches for room, since boot */
    uint32_t *planned;               /* bit per allocation: the journal places or moves it */
    uint8_t *mark;                   /* by allocation. One more at the end is never 0 and ends a walk */
    uint8_t *marked;                 /* pieces of `mark` that have or had marks of this portion (index_set.h) */
    uint16_t *journal;               /* allocation index * 4 + action; room for two per allocation */

    /* Clients. Here, because loads of what comes before are shorter. */
    uint32_t planner_client; /* of the planner (limits_begin); CLIENT_LIMIT: none */
    bool has_limits;         /* a client has a limit (limits.h) ... */
    bool has_minimums;       /* ... a minimum */
    bool has_news;           /* a client that waits for it may have given way: the clients' table says which */
    bool has_guarded;        /* the clients' table has guarded allocations (limits.h) */
    bool is_over_limit;      /* a limit has kept something of this portion from a place ... */
    bool is_over_maximum;    /* ... the last time a maximum alone */

    /* Which jobs use an allocation, and which made its content. */
    struct job_use uses[UNFINISHED_JOBS]; /* one for each job there can be */
    uint32_t accepted;                    /* bit per use: its job is accepted and not completed */
    struct job_use *current;              /* the job whose plan is carried out: content made by a Fill is its own */
    const struct job_use *unfinished[UNFINISHED_JOBS]; /* the current use and those before it ... */
    uint32_t unfinished_count;                         /* ... that were not complete when it was planned */

    struct policy_state policy_state;
    struct segment_map map; /* where things will be when the journal is carried out */
    struct allocation_table table;
    struct policy_tables policy_tables;
    uint32_t *called_in;       /* bit per allocation: the policy wants it in memory, not in an aperture */
    struct index_set *owned;   /* allocations whose owner is a context, and maybe others */
    struct share_table shares; /* pages in memory segments, as the table says */
    struct client_table clients;
};

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. */
void residency_init(struct residency *residency, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT],
                    uint32_t system_pages);

/* Cycles that each segment's memory takes for a page. 0: as long as the slowest, which is the default. */
void residency_set_page_cycles(struct residency *residency, const uint32_t cycles[SEGMENT_LIMIT]);

/* Use this policy from the next portion on. O(1), or the cost of policy->start if it was another. */
void residency_set_policy(struct residency *residency, const struct policy *policy);

/* Pages mapped in all apertures together, as planned. O(segments). */
uint32_t residency_mapped_pages(const struct residency *residency);

/* Do `pages` more in segment `id` keep the apertures' limits (SEG-16, SEG-17)? Always true for a memory segment.
 * O(segments). */
bool residency_keeps_limit(const struct residency *residency, uint32_t id, uint32_t pages);

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
bool residency_is_named(const struct residency *residency, uint32_t allocation);

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
void residency_note_pending_destroy(struct residency *residency);
void residency_note_repeat(struct residency *residency);

/* The context was destroyed: its allocations have no owner. O(allocations with an owner). */
void residency_disown(struct residency *residency, uint32_t context);

/* Is it in an aperture, while the policy wants it in memory? O(1). */
static inline bool residency_is_called_in(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->map.link[allocation].where;
    return bit_is_set(residency->called_in, allocation) && where != 0u &&
           allocation_is_aperture(&residency->table, where);
}

/* Plan that it leaves its segment, for a lock, a destruction or an EVICT message. */
void residency_plan_eviction(struct residency *residency, uint32_t allocation);
/* The same for the policy itself, which is then not told about it. */
void residency_plan_own_eviction(struct residency *residency, uint32_t allocation);

/* Plan that it comes in at `place`. The segment must allow it and the pages must be free. O(owners). */
void residency_plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first);
/* The same where the place is known to be free. O(1). */
void residency_plan_arrival(struct residency *residency, uint32_t allocation, uint32_t id,
                            const struct segment_place *place);

/* Has the plan given it a place, even the one that it had? */
static inline bool residency_is_planned(const struct residency *residency, uint32_t allocation)
{
    return bit_is_set(residency->planned, allocation);
}

/* For the policy: plan a move inside its segment. It must still be where the table says. The new place may overlap
 * the old one. */
void residency_plan_move(struct residency *residency, uint32_t allocation, struct segment_place *place);

/* Has the host destroyed it, and does nothing accepted need it, as far as the policy can tell? Then its content may
 * go at once. False for what this portion uses. O(unfinished jobs). */
bool residency_is_dead(const struct residency *residency, uint32_t allocation);

/* Before TRACE_EVICT: trace its next use, as far as the policy knows, and whether its content was copied out.
 * Nothing if the policy does not look ahead. O(1). */
void residency_trace_next_use(const struct residency *residency, uint32_t allocation, bool is_copied_out);

/* Is it within the minimum of another client than the planner's? It may slide, and not leave. O(1). */
static inline bool residency_is_guarded(const struct residency *residency, uint32_t allocation)
{
    return residency->has_guarded && bit_is_set(residency->clients.guarded, allocation);
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
    return residency->is_firmware_bound && !residency->is_minimum;
}

/* Read the journal. */
static inline uint32_t residency_action_allocation(const struct residency *residency, uint32_t i)
{
    return residency->journal[i] / 4u;
}
static inline enum residency_action residency_action_kind(const struct residency *residency, uint32_t i)
{
    return (enum residency_action)(residency->journal[i] & 3u);
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
