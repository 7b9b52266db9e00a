/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware as one object. main.c has the one of the chip; tests make as many as they like.
 */
#ifndef FIRMWARE_GPU_H
#define FIRMWARE_GPU_H

#include <stdbool.h>

#include "display/display.h"
#include "frontend/deferred.h"
#include "schedule/destruction.h"
#include "driver/driver.h"
#include "platform/turn.h"
#include "schedule/manager.h"
#include "schedule/preemption.h"
#include "schedule/recovery.h"
#include "schedule/scheduler.h"
#include "memory/segment_description.h"
#include "memory/tables.h"

/* Long work, in the order of a turn. Messages and scheduling share a stack, so that one of them is paused at a time. */
enum gpu_part { PART_MESSAGES, PART_EXAMINATION, PART_SCHEDULING, PART_COUNT };

/* Where a SUBMIT is taken from: the head of the host's ring, the table of what was set aside, what waits for points. */
enum submit_source { SUBMIT_IN_RING, SUBMIT_DEFERRED, SUBMIT_AT_POINT };

/* What nothing may change while work is paused (docs/architecture.md, "Between two turns"). */
struct gpu_paused {
    const struct policy *policy;
    uint32_t journal_count, next_fence, portion_pages, used_pages, allocations, last_fence;
    uint8_t current, stage;
};

struct gpu {
    struct driver driver;
    struct manager manager;
    struct scheduler scheduler;
    struct deferred deferred;
    struct self_test self_test;
    struct destruction destruction;
    struct display *display;  /* NULL: the chip has none */
    struct work work;         /* messages that wait, and the scheduler */
    struct gpu_paused paused; /* as it was when the work paused */
    struct work examination;  /* of a SUBMIT ... */
    bool is_examining;        /* ... of this tag and client */
    uint32_t examined_tag, examined_client;
    enum gpu_part part;      /* of long work: the next one */
    uint32_t messages_end;   /* when the last turn had taken messages */
    uint32_t owed;           /* cycles that long work may have for what messages have taken */
    uint32_t put_off;        /* bit of an enum submit_source: a SUBMIT from there waits for the next portion */
    bool awaits_examination; /* the one in the ring waits for the end of an examination, or of paused work */
    bool has_worked;         /* the part that has ended had something to do */
    bool is_busy;            /* the scheduler had work in the last turn */
    uint32_t clear_to;       /* number since boot: the ring's messages up to this one need not wait in it */
    uint32_t portions,
        patience; /* portions submitted when the last SUBMIT was finished; portions more until the next may be taken */
    uint32_t waiting; /* messages that waited when `patience` was computed */
    uint32_t turns;
    struct tables tables;       /* is short if more was asked for than there is */
    struct segment_fault fault; /* after a boot that ended with BAD_SEGMENT_SET: the rule that the driver breaks */
};

/* Boot: check that hardware, firmware and host agree, ask the driver for its segments, set up everything, and write
 * BOOT_STATUS for the host. False: the boot has failed, and BOOT_STATUS says why. */
bool gpu_init(struct gpu *gpu);

/* The same with other settings, for tests and the golden model. The driver must be initialised. If it is not ours,
 * the caller may use `gpu->driver`. */
struct gpu_options {
    const struct ddi *ddi;                /* the driver; NULL: ours */
    uint32_t first_fence;                 /* of both nodes: the id before the first that is used */
    uint32_t paging_buffer_bytes;         /* 0: as the driver says */
    const struct policy *const *policies; /* indexed by HOST.FORCE.POLICY; NULL: ours */
    uint32_t split_pages; /* cost of a split until it is measured, 1..COST_SPLIT_PAGES_MAX pages; 0: cost_model.h */
};
bool gpu_init_with(struct gpu *gpu, const struct gpu_options *options);

/* One turn of the main loop. False: there was nothing to do. */
bool gpu_turn(struct gpu *gpu);

/* The bodies of long work, each on its stack: called by a turn alone. `context` is the gpu. */
void gpu_messages(void *context);
void gpu_examination(void *context);
void gpu_scheduling(void *context);

/* Cycles after which a turn must be made even without an interrupt. */
uint32_t gpu_patience(const struct gpu *gpu);

/* For tests: the validators of all modules. */
bool gpu_check(const struct gpu *gpu);

#endif
