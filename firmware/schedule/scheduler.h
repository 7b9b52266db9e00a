/* SPDX-License-Identifier: Apache-2.0
 *
 * The path of a job. Only this module knows the order of the stages.
 *
 *   accept   a SUBMIT message becomes a validated job in private memory, or is refused
 *   step     the current job's next portion: plan, page, grant, commit, patch, submit, revoke
 *   retire   fences that have passed end portions; the last portion of a job ends the job
 *
 * Portions of one job follow each other directly: no other job comes between them (SPL-16). A stage that has to wait
 * is tried again in the next turn. Every wait ends, because each is for something already submitted to a node.
 */
#ifndef FIRMWARE_SCHEDULER_H
#define FIRMWARE_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "schedule/manager.h"
#include "plan/cost_model.h"
#include "plan/splitter.h"
#include "platform/turn.h"
#include "schedule/portion_access.h"
#include "schedule/portion_patch.h"
#include "validate/validate.h"

enum {
    JOB_COUNT = 8,      /* jobs in private memory */
    PORTION_COUNT = 32, /* portions queued on the render node */
    NO_JOB = 0xff,
    NOTHING_COMES = 0xffff,
    PATIENCE = 8, /* portions for which a DMA buffer is not examined while another of its context waits */
    STREAK = 4    /* DMA buffers of one context in a row while contexts of the same priority wait */
};

enum job_state {
    JOB_FREE,
    JOB_QUEUED,   /* accepted; waits for its turn */
    JOB_RUNNING,  /* the current job */
    JOB_DRAINING, /* all its portions are submitted */
    JOB_DONE      /* answered. Its memory is free when all older jobs are done, too */
};

struct job_record {
    struct job job;
    enum job_state state;
    struct refusal result; /* what the host will be told */
    uint32_t portions, evictions, pages_in, pages_out;
    uint32_t pool_end;            /* command RAM of the words, then the patch locations: [job.dma_offset, pool_end) */
    int32_t urgency;              /* with which it was chosen ... */
    uint16_t passed;              /* ... and how often its context had been passed over before */
    bool is_withheld;             /* its portions were taken back before the first one ran: it begins again */
    uint8_t flips;                /* bit per FLIP that waits for it */
    struct job_use *use;          /* the residency's record of what it names and has changed */
    uint32_t signal[3];           /* with SUBMIT_FLAG_POINTS: what it signals when it has completed (timeline.h) */
    uint32_t accepted_at, waited; /* a time; cycles until it was begun, the last time */
};

enum portion_stage {
    STAGE_IDLE,         /* no current job */
    STAGE_FORCED_EVICT, /* FORCE.EVICT's plan is being carried out */
    STAGE_PLAN,
    STAGE_PAGE,
    STAGE_GRANT,
    STAGE_PATCH,
    STAGE_SUBMIT,
    STAGE_REVOKE
};

struct queued_portion {
    uint32_t fence;
    uint32_t paging_fence; /* the portion draws after this fence */
    uint8_t job, client;
    bool is_first; /* of its DMA buffer */
};

/* Watches one node: since when it has made no progress, and since when it has had the same submission. */
struct watch {
    uint32_t progress, since;
    uint32_t fence, fence_since;
    uint32_t asked; /* when it was asked to preempt, because it had timed out */
    bool is_armed, has_asked;
};

/* The preemption of a node, from request to report. */
struct preemption {
    bool is_pending;
    uint32_t fence_id;
    struct ddi_dma_preempted report; /* of the last one that is over */
    uint32_t withheld;               /* submissions it took back */
};

/* What was seen of the messages after the head of the host's ring, by their number since boot. The host may change
 * them until they are taken. */
struct lookout {
    uint32_t at;   /* the SUBMIT being considered, if it is in the ring */
    uint32_t seen; /* the first that was not looked at */
    uint32_t newest[CONTEXT_PRIORITY_MAX - CONTEXT_PRIORITY_MIN + 1]; /* the newest SUBMIT seen of each priority */
};

enum { RECOVERY_TIMES = 15 };

/* Limits of time-out detection, in cycles and counts. None is 0. */
struct recovery_limits {
    uint32_t timeout, preempt_delay, portion;
    uint32_t recoveries, window; /* more than RECOVERY_TIMES recoveries: no limit */
};

struct scheduler {
    struct manager *manager;
    uint32_t oldest_job, job_count;
    uint32_t pool_base, pool_bytes; /* command RAM for DMA buffers and their patch locations, bytes */
    uint8_t current;                /* index in jobs, or NO_JOB */
    uint32_t streak;                /* DMA buffers begun in a row from one context */
    enum portion_stage stage;
    struct work *work; /* where scheduler_step runs, and may be paused */
    struct splitter splitter;
    struct portion portion;
    uint32_t patched_fence; /* for which its words are; if a preemption comes, the fence changes: patched again */
    struct portion_access access;
    uint32_t before[3]; /* EVICTIONS, PAGES_IN, PAGES_OUT when its paging began */
    struct queued_portion queue[PORTION_COUNT];
    uint32_t queue_first, queue_count;
    uint32_t last_fence;      /* newest render fence given out */
    uint32_t retired_fence;   /* the render node's fence when it was last read */
    uint32_t completed_fence; /* the same when jobs were last completed ... */
    bool has_ended;           /* ... and a job has reached its last portion since */
    uint32_t aged;            /* the allocation whose old fence mark was checked last */
    bool has_news;            /* a job was accepted since preemption was last considered */
    uint8_t metered;          /* the client for which the render node works (scheduler_meter) */
    struct cost_model costs;
    uint32_t portion_cycles; /* cycles spent on granting, submitting and revoking this portion */
    struct preemption preemption[NODE_LIMIT];
    struct watch watch[NODE_LIMIT];
    uint32_t seen_fence[NODE_LIMIT]; /* read by recovery_step, last time */
    struct recovery_limits limits;
    uint64_t recovered[RECOVERY_TIMES]; /* recoveries without a context to blame, newest first */
    uint32_t recovered_count;
    struct validation validation;
    bool is_accepting;                /* the DMA buffer at hand is valid, and what it names is noted */
    uint8_t flips, ended_flips;       /* bits of FLIPs that wait for DMA buffers; of those whose DMA buffer has ended */
    uint8_t flip_status[8];           /* and how, by bit */
    void (*arm_flips)(void *display); /* a DMA buffer of FLIPs has ended well, and is answered after this call */
    void *display;                    /* the display's */
    uint32_t coming;                  /* the allocation that the paging node brings in for a FLIP, or NOTHING_COMES */
    uint8_t coming_status;            /* a reset has ended that: why; else OK. The display ends its FLIPs */
    struct lookout lookout;
    struct job_record *jobs; /* JOB_COUNT, a ring in order of acceptance, in command RAM */
};

/* Command RAM of the scheduler. The pool is a byte offset and a size of at least scheduler_job_bytes. The rest is
 * the core's data (hal_command_memory). */
struct scheduler_memory {
    uint32_t pool_base, pool_bytes;
    struct job_record *jobs; /* JOB_COUNT */
    uint16_t *list;          /* one per allocation list entry that is allowed */
};

/* Bytes of the pool that the longest DMA buffer with the longest patch list takes. */
static inline uint32_t scheduler_job_bytes(const struct table_limits *limits)
{
    return limits->dma_bytes + limits->list_entries * (uint32_t)sizeof(struct patch);
}

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. `work`: where
 * scheduler_step runs. */
void scheduler_init(struct scheduler *scheduler, struct manager *manager, struct work *work, struct tables *tables,
                    const struct scheduler_memory *memory, uint32_t first_fence, const struct recovery_limits *limits);

/* Take a SUBMIT message.
 *
 *   LATER      there is no room now: call again
 *   EXAMINING  call scheduler_examine; carry out no other message before it has ended
 *   ENDED      reply->status OK: accepted, or it waits for a point (timeline.h). It is answered when the job is
 *              complete, or the wait has failed. Else refused: answer now */
enum acceptance { ACCEPTANCE_LATER, ACCEPTANCE_EXAMINING, ACCEPTANCE_ENDED };
enum acceptance scheduler_accept(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS],
                                 struct reply *reply);
/* Examine the DMA buffer at hand, and accept it. It takes long, and yields. *reply as when scheduler_accept has ENDED.
 * While scheduler->is_accepting, which is near its end, nothing else may be planned. O(words + patches). */
void scheduler_examine(struct scheduler *scheduler, struct reply *reply);
/* Does a SUBMIT of higher priority than the one at hand wait in the host's ring? Then that is examined to its end. */
bool scheduler_has_urgent_waiting(struct scheduler *scheduler);
/* After how many more portions must this SUBMIT message be accepted?
 *
 *   0         the firmware takes no time (the golden model); or it will be refused; or a SUBMIT of higher priority
 * waits 1         the firmware has work of another context PATIENCE  else, if another job of its own context is ready
 *   0         else, if the present plan would profit from knowing it
 *   1         else
 *
 * So the next job is chosen among those that are examined. `is_in_ring`: the message is the oldest in the ring.
 * Otherwise it was set aside, and the oldest comes after it. A call looks at a few messages only. O(jobs). */
uint32_t scheduler_patience(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool is_in_ring);
/* The next stages of the current job, until one has to wait. It may take long, and yields. False: there was nothing to
 * do. */
bool scheduler_step(struct scheduler *scheduler);
/* Might scheduler_step have something to do? O(jobs). */
bool scheduler_has_work(const struct scheduler *scheduler);
/* What the nodes have completed. O(jobs + portions). False: nothing. */
bool scheduler_retire(struct scheduler *scheduler);
/* The first part of scheduler_retire: remove portions whose fences have passed from the queue. */
bool scheduler_retire_portions(struct scheduler *scheduler);
/* What the render node has done since the last call was for `metered`. From now on it is for this client. O(1). */
void scheduler_meter(struct scheduler *scheduler, uint32_t client);

/* For tests: the words of a job that is in place (job_use) are what Patch would write. */
bool scheduler_check(const struct scheduler *scheduler);

/* May a command make a residency plan? Not while a portion has one. */
bool scheduler_is_between_portions(const struct scheduler *scheduler);
/* Has a plan paused in the middle? */
static inline bool scheduler_is_planning(const struct scheduler *scheduler)
{
    return scheduler->stage == STAGE_PLAN && scheduler->work->is_paused;
}

#endif
