/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware as one object. main.c has the one of the chip; tests make as many as they like.
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
    bool owes_turn;    /* the last turn was long, so this one examines nothing */
    bool owes_waiting; /* the last turn did not serve the waiting messages (deferred.h) */
    bool is_examining; /* a SUBMIT is examined, of this tag and client */
    uint32_t examined_tag, examined_client;
    bool has_taken;           /* this turn has taken a SUBMIT */
    bool is_put_off;          /* the SUBMIT at the head of the host's ring waits for the next portion */
    bool awaits_examination;  /* it waits for the end of an examination */
    bool is_held_up;          /* the head of the ring waits until the plan under way is made */
    bool is_deferred_put_off; /* a SUBMIT that was set aside waits for the next portion */
    uint32_t clear_to;        /* number since boot: the ring's messages up to this one need not wait in it */
    bool is_busy;             /* the scheduler had work in the last turn */
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

/* Cycles after which a turn must be made even without an interrupt. */
uint32_t gpu_patience(const struct gpu *gpu);

/* For tests: the validators of all modules. */
bool gpu_check(const struct gpu *gpu);

#endif
