/* SPDX-License-Identifier: Apache-2.0
 *
 * Which allocation must be where. A plan grows one requirement at a time on the segment map; each
 * requirement may be refused, and a plan (or its tail) can be undone exactly. Nothing else is touched:
 * the allocation table keeps saying where things are until paging has built the operation that moves
 * them and calls residency_has_left / residency_has_arrived, which cannot fail.
 *
 * The journal is the plan: EVICT and PLACE actions in the order in which they must be carried out. One
 * allocation has at most one of each, EVICT first.
 *
 * Order on the paging node is the lock between the actions of a plan: a range may be handed on at once,
 * because the copy out is queued before the copy in. Order against the render node is a fence: `last_fence`
 * of each evicted allocation must be waited for.
 */
#ifndef FIRMWARE_RESIDENCY_H
#define FIRMWARE_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "memory/allocation.h"
#include "memory/segment.h"
#include "memory/share.h"
#include "platform/base.h"

struct policy;

enum residency_action { ACTION_EVICT = 0, ACTION_PLACE = 1, ACTION_MOVE = 2 };

/* What the portion being planned does with an allocation. Any mark forbids its eviction. */
enum residency_mark {
    MARK_READ = 1,
    MARK_WRITE = 2,   /* WriteOperation: may write, and must be where that is allowed */
    MARK_KEPT = 4,    /* its address is loaded in a slot that will not be programmed again: it stays, unless the slot
                         can be bound anew (may_move_bound) */
    MARK_FRESH = 8,   /* used by the group being fitted and by nothing before it in the portion */
    MARK_DIRTIES = 16 /* a packet writes through a row that holds it in this portion */
};

static inline uint32_t residency_marks_of(const struct patch *patch)
{
    return (uint32_t)MARK_READ | patch->flags * (uint32_t)MARK_WRITE | patch->is_written * (uint32_t)MARK_DIRTIES;
}
_Static_assert((int)PATCH_WRITE == 1, "flags is a bit");

/* When a step of a plan may end in the middle of a search for room. */
enum yields {
    YIELDS_NEVER,
    YIELDS_WHEN_LATE, /* when its turn of the main loop has taken as long as it should */
    YIELDS_ALWAYS     /* as soon as anything has been done in it (FORCE.STEP_PLAN) */
};
/* How long a turn should have taken at most before the next piece of work of a plan that cannot rest: a few residents
 * are looked at, a room is searched for, in one piece if the policy knows no other way, or it is cleared. */
enum { LOOK_CYCLES = 6912, SEARCH_CYCLES = 3840, UNBROKEN_CYCLES = 2816, CLEAR_CYCLES = 6144 };

/* What the policy knows of the accepted jobs (policy.h: foresee). */
enum future {
    FUTURE_KNOWN,   /* every use there will be of what is pending destroy, and every other use accepted so far */
    FUTURE_PARTIAL, /* jobs have been accepted since: what was destroyed before them is still seen right */
    FUTURE_STALE    /* there may be uses of anything that it does not know */
};

/* What a job names, and what it has changed that it would find as it was if it ran anew. */
struct job_use {
    uint32_t last_fence;       /* of its newest portion; valid if it has any */
    struct index_set *dirtied; /* what was clean, or had no content, before */
    struct index_set *named;   /* what its allocation list names */
    bool is_in_place; /* each of its words has been patched with the place of something that was where its use is
                         allowed, and nothing that it names has left or moved since */
};
enum { UNFINISHED_JOBS = 8 };

enum { SLOT_EMPTY = 0xffff }; /* in place of a patch entry: nothing is bound in the row of the resource table */

/* What a split costs, in pages copied, unless told otherwise. */
enum { SPLIT_PAGES = 8 };

/* What each policy keeps between two of its calls: its own business. It begins with anything in it. */
enum { POLICY_STATE_BYTES = 1408 };
struct policy_state {
    _Alignas(void *) unsigned char bytes[POLICY_STATE_BYTES];
};
struct policy_tables {
    uint16_t *halfwords[2]; /* each with one per allocation */
    uint8_t *bytes;
    uint8_t *pieces;
};

struct residency {
    /* What is touched most comes first: an access within 2 KB of the start is one instruction. */
    const struct policy *policy; /* what is evicted: policy.h */

    /* What is known of time, told before each portion is planned (scheduler.c, cost_model.h). */
    uint32_t retired_fence;                 /* portions up to it are over: what they used can leave at once */
    uint32_t over_fence;                    /* ... for good: none of them will run again (residency_is_dead) */
    uint32_t next_fence;                    /* of the portion: ages are counted back from it, so that fences may wrap */
    uint32_t split_pages;                   /* what a split costs, in pages copied */
    uint32_t portion_limit;                 /* most pages that a portion should use, 0 = any */
    uint32_t copy_cycles;                   /* what a page takes to be copied in, as measured (is_timed) */
    uint32_t page_cycles;                   /* what the slowest memory takes for a page, 0 = not known ... */
    uint32_t segment_cycles[SEGMENT_LIMIT]; /* ... and each: 0 = as long as the slowest */
    uint8_t future;                         /* enum future */
    bool is_timed;                          /* the device counts cycles */
    bool is_bus_slow;                       /* waiting costs more than copying: keep what the newest portion uses */
    bool is_firmware_bound;                 /* the firmware is what limits: plan with less care */
    bool is_careful;                        /* the paging node has enough to do, or nothing takes time: search longer */

    /* The plan: what the portion does with each allocation, and the journal of what has to move for it. */
    bool is_disturbed;     /* since the last portion, by evictions that no portion planned or new priorities */
    bool has_called_in;    /* there is one in called_in, perhaps */
    bool may_move_bound;   /* what is MARK_KEPT may be given another place, for the group at hand */
    bool is_survey_due;    /* the policy has to be told what is queued before it is asked for room */
    bool is_tight;         /* room has had to be made, ever, under this policy */
    bool is_minimum;       /* the group at hand is the portion's first: if it finds no place, the job has failed */
    bool is_flushing;      /* the policy has not taken in yet what the last portion has used */
    uint8_t yields;        /* enum yields: of the step at hand */
    bool has_begun_step;   /* ... in which something has been done, so that it brings the plan forward */
    bool may_yield;        /* the group at hand can be gone on with in another step ... */
    bool has_yielded;      /* ... and has to be: that there is no room says nothing yet */
    bool yields_in_others; /* ... among the segments that are not tried first (no_room) */
    uint16_t journal_count;
    uint16_t no_room;    /* an allocation for which there was no hole when its search for room rested, or INDEX_NONE */
    uint32_t turn_begin; /* hal_cycles() when the turn of the main loop began that the step is part of */
    uint32_t planner;    /* the context that the plan is for, or NO_CONTEXT */
    uint32_t portion_pages;    /* used by the portion, without what it inherits in place */
    uint32_t placed_pages;     /* copied in by its plan */
    uint32_t steps, fail_step; /* FORCE.FAIL_STEP: placements of this job, and from which on they fail (0 = never) */
    const struct patch *ahead; /* the patch entries that come after the group at hand: ... */
    uint32_t ahead_first, ahead_end; /* ... these, of the current job */
    uint32_t candidates;             /* residents looked at in search of room, ever */
    uint32_t *planned;               /* bit per allocation: the journal places or moves it */
    uint8_t *mark;                   /* by allocation; behind them one of no allocation, never 0, which ends a walk */
    uint8_t *marked;   /* the pieces with those that have, or have had, marks of this portion (index_set.h) */
    uint16_t *journal; /* allocation index * 4 + action; two per allocation */

    /* What uses it, and has made its content. */
    struct job_use uses[UNFINISHED_JOBS];              /* ... of the jobs there are ... */
    uint32_t accepted;                                 /* ... bit per one: it is accepted, and not completed */
    struct job_use *current;                           /* the job whose plan is carried out: a Fill is its doing */
    const struct job_use *unfinished[UNFINISHED_JOBS]; /* the same of it and of those before it ... */
    uint32_t unfinished_count;                         /* ... that are not over, when it was planned */

    struct policy_state policy_state;
    struct segment_map map; /* where things are meant to be: ahead of the table while there is a journal */
    struct allocation_table table;
    struct policy_tables policy_tables;
    uint32_t *called_in;       /* bit per allocation: the policy wants it out of its aperture */
    struct index_set *owned;   /* those whose owner is a context, and maybe others */
    struct share_table shares; /* pages in memory segments, as the table says */
};

/* Takes what it needs of `tables`; if that is short nothing else may be called. */
void residency_init(struct residency *residency, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT],
                    uint32_t system_pages);

/* What each segment's memory takes for a page; 0: as long as the slowest, as it is if nothing is told. */
void residency_set_page_cycles(struct residency *residency, const uint32_t cycles[SEGMENT_LIMIT]);

/* The policy from the next portion on. O(1), or what policy->start says if it was another. */
void residency_set_policy(struct residency *residency, const struct policy *policy);

/* Pages that the map has in all apertures. O(segments). */
uint32_t residency_mapped_pages(const struct residency *residency);

/* Would `pages` more in segment `id` keep the limit? Always, for a memory segment. O(segments). */
bool residency_keeps_limit(const struct residency *residency, uint32_t id, uint32_t pages);

/* The next portion begins at patch entry `now` and will have render fence `next_fence`. The plan may go on when
 * residency_flush says true: all marks are forgotten then, O(those that had any); before, each call is a piece of what
 * policy->flush takes. */
void residency_start(struct residency *residency, uint32_t next_fence, uint32_t now);
bool residency_flush(struct residency *residency);
/* Both, to the end. */
void residency_begin(struct residency *residency, uint32_t next_fence, uint32_t now);

/* A step of a plan begins, in the turn that began at `turn_begin` (hal_cycles). */
static inline void residency_begin_step(struct residency *residency, enum yields yields, uint32_t turn_begin)
{
    residency->yields = (uint8_t)yields;
    residency->turn_begin = turn_begin;
    residency->has_begun_step = false;
}

/* A search for room has come to where it can be left: is it, as the turn has taken so many cycles? Then the group is
 * tried again in another step; what has been planned for its other members stays. */
bool residency_yields(struct residency *residency, uint32_t cycles);
/* The turn has taken so many cycles, and the plan goes by the clock: care may be left out, whether it may rest or not.
 */
bool residency_is_late(const struct residency *residency, uint32_t cycles);

/* Add marks: what the portion does with it. The planner owns it from here on. O(1). */
void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks);
/* The same for what some patch entries name, as each says. O(entries). */
void residency_mark_entries(struct residency *residency, const struct patch *entries, uint32_t count);
/* Forget all its marks: the portion does nothing with it after all, and does not inherit it (MARK_KEPT). O(1). */
void residency_unmark(struct residency *residency, uint32_t allocation);

/* Change its priority or offer: that counts from the next portion on. */
void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer);

/* One job that is not over has made the content there is, and nothing has used it since: without it the allocation is
 * as that job found it, in case it runs anew. O(unfinished jobs). */
bool residency_is_own(const struct residency *residency, uint32_t allocation);

/* The segments of the set that the policy would try first; all of them if it does not mind. O(1). */
uint32_t residency_favoured(const struct residency *residency, uint32_t allocation, uint32_t set);

/* Why what reads the allocation finds it in the segment where it is, as the policy sees it now: PLACE_REASON group. */
uint32_t residency_place_reason(const struct residency *residency, uint32_t allocation);

/* A job names it that is accepted and not completed. O(jobs). */
bool residency_is_named(const struct residency *residency, uint32_t allocation);

/* The host has locked it. O(1). */
void residency_note_lock(struct residency *residency, uint32_t allocation);

/* The host wants to read it, and its content has to be copied out of memory for that: should it leave at that, since
 * the policy would map it when it is used next? O(1). */
bool residency_leaves_to_be_read(const struct residency *residency, uint32_t allocation);

/* Should the next job's patch entries say how much is read and written through them (patch->traffic)? */
bool residency_wants_traffic(const struct residency *residency);

/* A job has been accepted; an allocation's destruction is pending; a job runs anew: what the policy knows of the future
 * is worth less now. O(1); of a job whose traffic is wanted O(patches). */
void residency_note_job(struct residency *residency, const struct job *job);
void residency_note_pending_destroy(struct residency *residency);
void residency_note_repeat(struct residency *residency);

/* The context is gone: what it owns belongs to no context. O(those that a context has used). */
void residency_disown(struct residency *residency, uint32_t context);

/* It lies in an aperture, and the policy would rather have it in memory. O(1). */
static inline bool residency_is_called_in(const struct residency *residency, uint32_t allocation)
{
    const uint32_t where = residency->map.link[allocation].where;
    return bit_is_set(residency->called_in, allocation) && where != 0u &&
           allocation_is_aperture(&residency->table, where);
}

/* Plan that it leaves its segment (for locks, destruction, the host's wish). */
void residency_plan_eviction(struct residency *residency, uint32_t allocation);
/* The same by the policy itself, which is not told. */
void residency_plan_own_eviction(struct residency *residency, uint32_t allocation);

/* Plan that it comes in at a page of a segment where it may be and where its pages are free. O(owners). */
void residency_plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first);
/* The same where the place is known to be free. O(1). */
void residency_plan_arrival(struct residency *residency, uint32_t allocation, uint32_t id,
                            const struct segment_place *place);

/* The plan has given it its place, even if that is where the table says. */
static inline bool residency_is_planned(const struct residency *residency, uint32_t allocation)
{
    return bit_is_set(residency->planned, allocation);
}

/* The policy plans that it moves inside its segment, where it stands as the table says; the place may overlap the old
 * one. */
void residency_plan_move(struct residency *residency, uint32_t allocation, struct segment_place *place);

/* The host has destroyed it and nothing accepted needs it any more, as far as the policy can tell: its content may go
 * at once. Of what the portion at hand uses, false. O(unfinished jobs). */
bool residency_is_dead(const struct residency *residency, uint32_t allocation);

/* It is about to be told as evicted (TRACE_EVICT): what the policy knows of its next use, and whether its content has
 * been copied out. Nothing if the policy does not look ahead. O(1). */
void residency_trace_next_use(const struct residency *residency, uint32_t allocation, bool is_copied_out);

/* May pressure evict it: resident, unmarked, not pinned? */
bool residency_is_evictable(const struct residency *residency, uint32_t allocation);

/* The portion that marks it is about to be submitted under `fence`: it is busy until then, and what is written in a
 * memory segment is newer than the host's pages from then on. O(1). */
static inline void residency_use(struct residency *residency, uint32_t allocation, uint32_t fence, bool is_executed)
{
    struct allocation *entry = &residency->table.entry[allocation];
    const uint32_t marks = residency->mark[allocation];
    ASSERT(fence_reached(fence, entry->last_fence)); /* 0x10E / 0x1F: a busy mark only rises */
    ASSERT(marks != 0u);
    entry->last_fence = fence;
    if (!is_executed || (marks & MARK_DIRTIES) == 0u) return;
    if (allocation_is_aperture(&residency->table, entry->segment) || (entry->flags & ALLOCATION_DIRTY) != 0u) return;
    allocation_set(entry, ALLOCATION_DIRTY);
    index_set_add(residency->current->dirtied, allocation);
}

/* Undo the journal's actions from `count` on, last first. */
void residency_rollback(struct residency *residency, uint32_t count);

/* Take back the evictions from `count` on whose room is not needed after all, and those of which the plan, which has
 * made all of it from `count` on, has brought in again where they were. O(actions * ranges). */
void residency_trim(struct residency *residency, uint32_t count);

/* No care is worth its time: the firmware limits, and where the group at hand finds no place the next portion, which
 * has more room, begins with it. */
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

/* Paging has built the operations of an action: the table follows. `is_discarded`: content newer than the
 * pages was dropped. */
void residency_has_left(struct residency *residency, uint32_t allocation, bool is_discarded);
void residency_has_arrived(struct residency *residency, uint32_t allocation);
void residency_has_moved(struct residency *residency, uint32_t allocation);
/* Paging has built the whole journal, or the plan has been given up and undone. */
void residency_finish(struct residency *residency);

/* Validator: the table, the map, and that they agree but for the journal. */
bool residency_check(const struct residency *residency);

#endif
