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

#include "memory/allocation.h"
#include "platform/base.h"
#include "memory/segment.h"
#include "plan/share.h"

enum residency_action { ACTION_EVICT = 0, ACTION_PLACE = 1, ACTION_MOVE = 2 };

/* What the portion being planned does with an allocation. Any mark forbids its eviction, but for the estimate of
 * what a split here would save (splitter.c): there only MARK_KEPT, MARK_GROUP and MARK_BOUND do. */
enum residency_mark {
    MARK_READ = 1,
    MARK_WRITE = 2,    /* WriteOperation: may write, and must be where that is allowed */
    MARK_KEPT = 4,     /* stays in place: its address is loaded in a slot that will not be programmed again */
    MARK_FRESH = 8,    /* used by the group being fitted and by nothing before it in the portion */
    MARK_GROUP = 16,   /* used by the group being fitted */
    MARK_BOUND = 32,   /* would stay in place if the portion ended before the group being fitted */
    MARK_LEAVING = 64, /* inside one search: taken as gone (leaving.c) */
    MARK_DIRTIES = 128 /* a packet writes through a row that holds it in this portion */
};
enum { MARK_ANY = 0xff };

/* Time is counted in patch locations from the current job's first; those of queued jobs follow. */
enum { NEXT_USE_UNKNOWN = 0xffff };

/* What next_use says of the accepted jobs. */
enum future {
    FUTURE_KNOWN,  /* every use there will be of what is doomed, and every other use accepted so far */
    FUTURE_BEHIND, /* jobs have been accepted since: what was doomed before them is still seen right */
    FUTURE_STALE   /* there may be uses of anything that it does not know */
};

/* What a job has changed that it would find as it was if it ran anew. */
struct job_use {
    uint32_t last_fence;                     /* of its newest portion; valid if it has any */
    uint32_t dirtied[ALLOCATION_LIMIT / 32]; /* bit per allocation: it was clean, or had no content, before */
};
enum { UNFINISHED_JOBS = 8 };

/* What a split costs, in pages copied, unless told otherwise. */
enum { SPLIT_PAGES = 8 };

/* What evictions lose: pages that the paging node has to copy for it, and these per time until the next use. */
struct room_loss {
    uint32_t pages, rate;
};

/* What room.c needs to know of a segment's residents as a whole: price.h. */
enum { PRICE_STEPS = 72 };
struct price_list {
    uint16_t leaving[PRICE_STEPS]; /* pages of the unmarked, by step */
    uint16_t at, residents;        /* residency->now of the last sweep; how many it found */
    uint8_t lowest;                /* no step below has any */
    bool is_kept;
    bool has_one_rank; /* all of these have the same priority */
    uint32_t rank;     /* the lowest priority of these */
};

/* Residents of a segment in the order in which they leave by the literal policy: leaving.h. */
enum { PRIORITY_CLASSES = 16 };
struct leaving_order {
    uint16_t oldest[PRIORITY_CLASSES], youngest[PRIORITY_CLASSES]; /* of a class that is occupied */
    uint32_t occupied;                                             /* bit per class */
};

struct residency {
    /* What is touched most comes first: an access within 2 KB of the start is one instruction. */
    uint32_t policy;        /* POLICY group */
    uint32_t now;           /* where the walk stands */
    uint32_t horizon;       /* where the known future ends */
    uint32_t job_age;       /* grows with every job */
    uint32_t retired_fence; /* portions up to it are over: what they used can leave at once */
    uint32_t over_fence;    /* ... for good: none of them will run again (price_is_dead) */
    uint32_t awaited_fence; /* the plan waits for it anyway; retired_fence, or later */
    uint32_t page_cycles;   /* what the slowest memory takes for a page, 0 = not known */
    uint32_t next_fence;    /* of the portion being planned: ages are counted back from it, so that fences may wrap */
    uint32_t planner;       /* the context that the plan is for, or NO_CONTEXT */
    uint32_t candidates;    /* residents looked at in search of room, ever */
    uint32_t split_pages;   /* what a split costs, in pages copied */
    struct room_loss lost;  /* by the plan's evictions; not counted in a hurry */
    uint32_t short_pages, short_id; /* placed in rooms that had to be made since it was cleared, and where */
    uint32_t member_price;          /* least per page of what the portion has used */
    uint32_t portion_limit;         /* most pages that a portion should use, 0 = any */
    uint32_t portion_pages;         /* used by the portion being planned, without what it inherits in place */
    uint32_t placed_pages;          /* copied in by its plan */
    uint32_t steps, fail_step; /* FORCE.FAIL_STEP: placements of this job, and from which on they fail (0 = never) */
    const struct patch *ahead; /* the patch entries that come after the group at hand */
    uint32_t ahead_first, ahead_end; /* ... as times (patch locations), of the current job */
    uint32_t slide_gap;              /* largest hole that alignment has left below those who slid for a room */
    uint32_t placed_last;            /* of those for whom room was made together; SEGMENT_NO_OWNER: nobody */
    uint16_t journal_count;
    uint8_t future;    /* enum future */
    bool is_bus_slow;  /* waiting costs more than copying: keep what the newest portion uses */
    bool has_to_wait;  /* awaited_fence has moved on since prices were swept */
    bool is_hurried;   /* the firmware is what limits: plan with less care */
    bool is_careful;   /* the paging node has enough to do, or nothing takes time: search longer */
    uint8_t move_step; /* the price of moving a page inside its segment, STEP_MOVE or less */
    bool is_single;    /* in this portion room is made for one newcomer at a time */
    bool has_review;   /* whom to spare is known: at the first search for room of a portion */
    bool owns_late;    /* who is marked changes hands at the end of the plan: it may be made twice */
    bool is_listed;    /* the lists are kept: only the literal policy pays for them */
    uint8_t fast_steps[SEGMENT_LIMIT + 1]; /* by segment id: taken off the price of those in it (price.h) */
    uint16_t rover[SEGMENT_LIMIT];         /* where the next search starts: a resident, or no owner */
    struct price_list prices[SEGMENT_LIMIT];
    uint32_t planned[ALLOCATION_LIMIT / 32]; /* bit per allocation: the journal places or moves it */
    struct job_use *current;                 /* the job whose plan is carried out: what a Fill brings in is its doing */
    const struct job_use *unfinished[UNFINISHED_JOBS]; /* the same of it and of those before it ... */
    uint32_t unfinished_count;                         /* ... that are not over, when it was planned */
    struct leaving_order order[SEGMENT_LIMIT];
    struct share_table shares;                         /* pages in memory segments, as the table says */
    _Alignas(uint32_t) uint8_t mark[ALLOCATION_LIMIT]; /* memset is fast where it is aligned (start.S) */
    union {                                            /* of a resident */
        uint8_t price[ALLOCATION_LIMIT];               /* looking ahead: price.h */
        uint16_t run_other[ALLOCATION_LIMIT]; /* literal (leaving.c): the other end of a run of leaving neighbours */
    };
    union {
        _Alignas(uint32_t) uint16_t next_use[ALLOCATION_LIMIT]; /* looking ahead: the first after `now`, or
                                                                 * NEXT_USE_UNKNOWN */
        uint16_t older[ALLOCATION_LIMIT];                       /* literal: the lists' links, while is_listed */
    };
    union {
        uint16_t place_in_job[ALLOCATION_LIMIT]; /* looking ahead: lookahead_begin_job */
        uint16_t younger[ALLOCATION_LIMIT];      /* literal: the other links */
    };
    uint16_t journal[2 * ALLOCATION_LIMIT]; /* allocation index * 4 + action */
    struct segment_map map;
    struct allocation_table table;
};

void residency_init(struct residency *residency, const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages);

/* What each segment's memory takes for a page; 0: as long as the slowest, as it is if nothing is told. To the price of
 * residents it counts in whole powers of two. */
void residency_set_page_cycles(struct residency *residency, const uint32_t cycles[SEGMENT_LIMIT]);

/* Forget all marks; the next portion will have render fence `next_fence`. O(allocations). */
void residency_begin(struct residency *residency, uint32_t next_fence);

/* Add marks: what the portion does with it. The planner owns it from here on, or with owns_late from the next function
 * on. O(1). */
void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks);
/* The planner owns what is marked but for what the portion inherits in place (MARK_KEPT). O(allocations). */
void residency_own_marked(struct residency *residency);
/* Forget all its marks: the portion does nothing with it after all, and does not inherit it (MARK_KEPT). O(1). */
void residency_unmark(struct residency *residency, uint32_t allocation);

/* The portion that uses it has been submitted under `fence`: it is the youngest of its class now. */
void residency_used(struct residency *residency, uint32_t allocation, uint32_t fence);
/* Change its priority or offer: that counts at once. */
void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer);

/* One job that is not over has made the content there is, and nobody has used it since: without it the allocation is as
 * that job found it, in case it runs anew. O(unfinished jobs). */
bool residency_is_own(const struct residency *residency, uint32_t allocation);

/* A job has been accepted; an allocation has been doomed; a job runs anew: next_use is worth less now. O(1). */
void residency_note_job(struct residency *residency);
void residency_note_doomed(struct residency *residency);
void residency_note_repeat(struct residency *residency);

/* The context is gone: what it owns is nobody's. O(allocations). */
void residency_disown(struct residency *residency, uint32_t context);

/* Plan that it leaves its segment (for locks, destruction, the host's wish). */
void residency_plan_eviction(struct residency *residency, uint32_t allocation);

/* Does the plan, from the journal's `count` on, evict somebody spared? O(actions), O(1) while nobody is spared. */
bool residency_takes_spared(const struct residency *residency, uint32_t count);

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

/* Plan that it moves inside its segment, where it stands as the table says; the place may overlap the old one. */
void residency_plan_move(struct residency *residency, uint32_t allocation, struct segment_place *place);

/* May pressure evict it: resident, unmarked, not pinned? */
bool residency_is_evictable(const struct residency *residency, uint32_t allocation);

/* Undo the journal's actions from `count` on, last first. When all are undone nothing is lost: `lost` is 0. */
void residency_rollback(struct residency *residency, uint32_t count);

/* Take back the evictions from `count` on whose room is not needed after all, and those of whom the plan, which has
 * made all of it from `count` on, has brought in again where they were. O(actions * ranges). */
void residency_trim(struct residency *residency, uint32_t count);

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
/* Paging has built the whole journal. */
void residency_finish(struct residency *residency);

/* Validator: the table, the map, and that they agree but for the journal. */
bool residency_check(const struct residency *residency);

#endif
