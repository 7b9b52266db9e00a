/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware as one object: main.c owns the one on the target, a test makes as many as it likes.
 */
#ifndef FIRMWARE_GPU_H
#define FIRMWARE_GPU_H

#include <stdbool.h>

#include "frontend/deferred.h"
#include "schedule/destruction.h"
#include "driver/driver.h"
#include "schedule/manager.h"
#include "schedule/preemption.h"
#include "schedule/recovery.h"
#include "schedule/scheduler.h"
#include "memory/segment_description.h"
#include "memory/tables.h"

struct gpu {
    struct driver driver;
    struct manager manager;
    struct scheduler scheduler;
    struct deferred deferred;
    struct self_test self_test;
    struct destruction destruction;
    bool owes_turn;    /* the last turn was long: in this one nothing is examined */
    bool owes_waiting; /* the last turn left out what waits (deferred.h) */
    bool is_examining; /* a SUBMIT of that tag and client */
    uint32_t examined_tag, examined_client;
    bool has_taken;           /* a SUBMIT has been taken in this turn */
    bool is_put_off;          /* a SUBMIT waits for the next portion, in the host's ring ... */
    bool awaits_examination;  /* ... or for the end of an examination */
    bool is_held_up;          /* the ring's oldest waits until the plan under way is made */
    bool is_deferred_put_off; /* ... or set aside */
    uint32_t clear_to;        /* messages of the ring up to this one, by their number since boot, do not wait in it */
    bool is_busy;             /* the scheduler had something to do in the last turn */
    uint32_t portions, patience; /* submitted when a SUBMIT was done with last; how many more before the next */
    uint32_t waiting;            /* messages that waited when the patience was last thought over */
    uint32_t turns;
    struct tables tables;       /* short: more was asked than there is */
    struct segment_fault fault; /* boot stopped with BAD_SEGMENT_SET: the rule that the driver breaks */
};

/* Boot: checks that hardware, firmware and host agree, queries the driver's segments, sets everything up
 * and tells the host in BOOT_STATUS. False: the boot stopped, and BOOT_STATUS says why. */
bool gpu_init(struct gpu *gpu);

/* The same with another driver, ring start values, a smaller paging buffer or more expensive splits, other policies,
 * for tests and the golden model. The driver must be initialised; `gpu->driver` is for the caller to use or not. */
struct gpu_options {
    const struct ddi *ddi;                /* NULL: ours */
    uint32_t first_fence;                 /* of both nodes: the id before the first one used */
    uint32_t paging_buffer_bytes;         /* 0: as the driver says */
    const struct policy *const *policies; /* by HOST.FORCE.POLICY; NULL: ours */
    uint32_t split_pages; /* what a split costs until that is measured, 1..COST_SPLIT_PAGES_MAX; 0: cost_model.h */
};
bool gpu_init_with(struct gpu *gpu, const struct gpu_options *options);

/* One turn of the main loop; false: there was nothing to do. */
bool gpu_turn(struct gpu *gpu);

/* Cycles after which a turn should be made even without an interrupt. */
uint32_t gpu_patience(const struct gpu *gpu);

/* Every validator of every module. For tests. */
bool gpu_check(const struct gpu *gpu);

#endif
