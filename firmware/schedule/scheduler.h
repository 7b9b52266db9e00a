/* SPDX-License-Identifier: Apache-2.0
 *
 * The path of a job: the only place that knows the order of the stages.
 *
 *   accept   a SUBMIT message becomes a validated job in private memory, or a refusal
 *   step     the current job's next portion: plan, page, grant, commit, patch, submit, revoke
 *   retire   fences that have passed end portions; the last portion of a job ends the job
 *
 * Portions of one job go back to back: no other job comes between them (SPL-16). "Not now" is no error: a
 * stage that has to wait is tried again in the next turn. It ends, because every wait is for something
 * already submitted to a node.
 */
#ifndef FIRMWARE_SCHEDULER_H
#define FIRMWARE_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "schedule/manager.h"
#include "plan/cost_model.h"
#include "plan/splitter.h"
#include "schedule/portion_access.h"
#include "schedule/portion_patch.h"
#include "validate/validate.h"

enum {
    JOB_COUNT = 8,      /* jobs in private memory */
    PORTION_COUNT = 32, /* portions queued on the render node */
    NO_JOB = 0xff,
    SLICE_CYCLES = 6144, /* after which a turn of the main loop adds no more to an examination, or a plan */
    PATIENCE = 8,        /* portions for which a DMA buffer is not examined while another of its context waits */
    STREAK = 4           /* DMA buffers of one context in a row while its equals wait */
};

enum job_state {
    JOB_FREE,
    JOB_QUEUED,   /* accepted, waits for its turn */
    JOB_RUNNING,  /* the current job */
    JOB_DRAINING, /* every portion is submitted */
    JOB_DONE      /* answered; its memory is free when all older jobs are done too */
};

struct job_record {
    struct job job;
    enum job_state state;
    struct refusal result; /* what the host will be told */
    uint32_t portions, evictions, pages_in, pages_out;
    uint32_t pool_end;   /* its command RAM is [job.dma_offset, pool_end): the words, then the patch locations */
    int32_t urgency;     /* with which it was picked ... */
    uint16_t passed;     /* ... and its context's count of passes before */
    bool is_withheld;    /* its portions were taken back before the first one ran: it starts anew */
    struct job_use *use; /* what it names and has changed: the residency's */
};

enum portion_stage {
    STAGE_IDLE,         /* no current job */
    STAGE_FORCED_EVICT, /* FORCE.EVICT's plan is being carried out */
    STAGE_PLAN,
    STAGE_WALK,   /* a plan has been begun */
    STAGE_SURVEY, /* it goes on when the policy knows what is queued */
    STAGE_PAGE,
    STAGE_GRANT,
    STAGE_PATCH,
    STAGE_SUBMIT,
    STAGE_REVOKE
};

struct queued_portion {
    uint32_t fence;
    uint32_t paging_fence; /* what it waits for before it draws */
    uint8_t job;
    bool is_first; /* of its DMA buffer */
};

/* The jobs that the policy is told of, in this order, and where that stands. */
struct survey_part {
    uint8_t job;   /* index in jobs */
    uint32_t time; /* when it begins (policy.h, foresee) */
};
struct survey {
    struct survey_part part[JOB_COUNT];
    uint32_t count, next;
    uint32_t left; /* entries of the next one */
};

/* Progress watch of one node: since when it has got nothing done, and worked for the same submission. */
struct watch {
    uint32_t progress, since;
    uint32_t fence, fence_since;
    uint32_t asked; /* when the detection asked it to preempt */
    bool is_armed, has_asked;
};

/* The preemption of a node, from the request to the report. */
struct preemption {
    bool is_pending;
    uint32_t fence_id;
    struct ddi_dma_preempted report; /* of the last one that is over */
    uint32_t withheld;               /* submissions it took back */
};

/* What is known of the messages behind the head of the host's ring, by their number since boot. The host may change
 * them until they are taken. */
struct lookout {
    uint32_t at;                                                      /* the SUBMIT at hand, if it is in the ring */
    uint32_t seen;                                                    /* the first that was not looked at */
    uint32_t newest[CONTEXT_PRIORITY_MAX - CONTEXT_PRIORITY_MIN + 1]; /* SUBMIT of each priority, seen last */
};

enum { RECOVERY_TIMES = 15 };

/* Limits of time-out detection, cycles and counts, none of them 0. */
struct recovery_limits {
    uint32_t timeout, preempt_delay, portion;
    uint32_t recoveries, window; /* more than RECOVERY_TIMES recoveries: no limit */
};

/* What has been done with the DMA buffer at hand. Its acceptance is in several steps, since it looks at every entry
 * twice. */
enum examined {
    EXAMINED_NOT_YET,
    EXAMINED_SOUND, /* it is being patched beforehand ... */
    EXAMINED_PREPATCHED
};

struct scheduler {
    struct manager *manager;
    uint32_t oldest_job, job_count;
    uint32_t pool_base, pool_bytes; /* command RAM for DMA buffers and their patch locations */
    uint8_t current;                /* index in jobs, or NO_JOB */
    uint32_t streak;                /* DMA buffers in a row of the context whose one was begun last */
    enum portion_stage stage;
    struct splitter splitter;
    struct splitter_modes modes; /* of the plan at hand */
    struct survey survey;
    uint32_t plan_cycles; /* that the plan has taken in earlier steps ... */
    uint32_t step_begin;  /* ... and when this one began */
    struct portion portion;
    struct portion_patch patch; /* for a fence that is another one if a preemption takes it before */
    struct portion_access access;
    uint32_t before[3]; /* EVICTIONS, PAGES_IN, PAGES_OUT when paging began */
    struct queued_portion queue[PORTION_COUNT];
    uint32_t queue_first, queue_count;
    uint32_t last_fence;      /* newest render fence id given out */
    uint32_t retired_fence;   /* the render node's fence when last looked at */
    uint32_t completed_fence; /* what it was when jobs were completed last ... */
    bool has_ended;           /* ... and a job has come to its last portion since */
    uint32_t aged;            /* the allocation whose old fence mark was looked at last */
    bool has_news;            /* a job was accepted since the last look whether it is worth a preemption */
    struct cost_model costs;
    uint32_t portion_cycles; /* spent on granting, submitting, revoking the portion at hand */
    struct preemption preemption[NODE_LIMIT];
    struct watch watch[NODE_LIMIT];
    uint32_t seen_fence[NODE_LIMIT]; /* by recovery_step, at its last look */
    struct recovery_limits limits;
    uint64_t recovered[RECOVERY_TIMES]; /* when no context was to blame, newest first */
    uint32_t recovered_count;
    struct validation validation;
    enum examined examined; /* of the DMA buffer at hand */
    uint32_t prepatched;    /* ... as far as these entries */
    struct lookout lookout;
    struct job_record *jobs; /* JOB_COUNT, a ring in order of acceptance; in command RAM */
};

/* What the scheduler has in command RAM: the pool as byte offset and size, scheduler_job_bytes at least; the
 * rest as the core's data (hal_command_memory). */
struct scheduler_memory {
    uint32_t pool_base, pool_bytes;
    struct job_record *jobs; /* JOB_COUNT */
    uint16_t *list;          /* as many as an allocation list may have entries */
};

/* What the longest DMA buffer with the longest patch list takes of the pool. */
static inline uint32_t scheduler_job_bytes(const struct table_limits *limits)
{
    return limits->dma_bytes + limits->list_entries * (uint32_t)sizeof(struct patch);
}

/* Takes what it needs of `tables`; if that is short nothing else may be called. */
void scheduler_init(struct scheduler *scheduler, struct manager *manager, struct tables *tables,
                    const struct scheduler_memory *memory, uint32_t first_fence, const struct recovery_limits *limits);

/* A SUBMIT message. LATER: there is no room now, ask again. EXAMINING: ask scheduler_examine, until which no other
 * message may be carried out. ENDED: *reply->status tells whether it was accepted (STATUS_OK: it will be answered when
 * it is complete) or refused (to be answered now). */
enum acceptance { ACCEPTANCE_LATER, ACCEPTANCE_EXAMINING, ACCEPTANCE_ENDED };
enum acceptance scheduler_accept(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS],
                                 struct reply *reply);
/* Examine the DMA buffer at hand: until SLICE_CYCLES and a piece (validate.h) of the turn have gone by, or to the end
 * if a SUBMIT of a higher priority waits behind it in the host's ring. EXAMINING or ENDED; what is accepted then costs
 * O(patches) more. */
enum acceptance scheduler_examine(struct scheduler *scheduler, struct reply *reply);
/* After how many portions a SUBMIT message should be accepted at the latest. 0 where the firmware takes no time (the
 * golden model), for what will be refused, and for what stands before a higher priority in the host's ring; 1 with
 * anything of another context's here; PATIENCE if another job of its own context is ready to follow; else 0 if the plan
 * at hand would be the better for knowing it, or 1. So what comes next is chosen among what has been examined.
 * The ring is looked at a few messages a call, so that no cost depends on how many wait. `is_in_ring`: it is the ring's
 * oldest, else it was set aside and the oldest is behind it; so it is seen until the next call. O(jobs). */
uint32_t scheduler_patience(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool is_in_ring);
/* Each does a bounded piece of work; false: nothing could be done. */
bool scheduler_step(struct scheduler *scheduler);
bool scheduler_retire(struct scheduler *scheduler);
/* The next step is short: there is no job to go on with, or nothing but rights to take back. */
static inline bool scheduler_is_brief(const struct scheduler *scheduler)
{
    return scheduler->stage == STAGE_IDLE || scheduler->stage == STAGE_REVOKE;
}
/* Only the first part of it: take the portions whose fences have passed off the queue. */
bool scheduler_retire_portions(struct scheduler *scheduler);

/* Validator: the words of a job that is in place (job_use) are what Patch would write. For tests. */
bool scheduler_check(const struct scheduler *scheduler);

/* May a command make a residency plan? Not while a portion has one. */
bool scheduler_is_between_portions(const struct scheduler *scheduler);
/* A plan has been begun and is not made yet: a command may read, and change nothing (splitter_step). */
static inline bool scheduler_is_planning(const struct scheduler *scheduler)
{
    return scheduler->stage == STAGE_WALK || scheduler->stage == STAGE_SURVEY;
}

#endif
