/* SPDX-License-Identifier: Apache-2.0
 *
 * Long work pauses here. It has a stack of its own (hal.h). A loop that a host can make long calls yield_if_late() or
 * yield_in_loop(). That goes back to the main loop when the work has had its time and something else is due. Later
 * the work continues after the call. docs/architecture.md, "Between two turns", says what may have changed.
 */
#ifndef FIRMWARE_TURN_H
#define FIRMWARE_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/hal.h"

enum {
    SLICE_CYCLES = 1280,    /* cycles of long work between two looks at what is due */
    STRETCH_CYCLES = 49152, /* cycles of long work after which it pauses, even if nothing is due */
    LOOP_STEPS = 16 /* steps of a loop between two calls of yield_if_late, where a step takes less than 40 cycles */
};

struct turn {
    uint32_t begun;   /* hal_cycles() when the main loop began to take messages */
    uint32_t looked;  /* when it was last asked whether something is due ... */
    uint32_t slice;   /* ... or the work continued */
    uint32_t resumed; /* when the work continued */
    uint32_t longest; /* cycles between two such looks, the most so far */
    uint32_t away;    /* cycles in which long work was paused, since boot; it may wrap */
    uint32_t limit;   /* yield_if_late: cycles since `slice` after which it looks further */
    uint32_t debt;    /* cycles that work may have before anything is due */
    bool may_pause;   /* work is on a stack of its own, and need not come to its end at once */
    bool is_owed;     /* messages were left in the host's ring because time ran out */
    bool is_stepped;  /* FORCE.STEP_PLAN: work pauses at every call */
};

/* Something is due now: a message of the host's ring is looked at. */
void turn_look(void);

/* What is done on a stack of its own. */
struct work {
    enum hal_stack stack;
    void (*body)(void *context); /* while it is paused */
    void *context;
    bool is_paused; /* in the middle */
};
/* Run body(context), or continue what has paused. False: it has paused. From the main loop only. */
bool turn_run(struct work *work, void (*body)(void *context), void *context);
/* Continue what has paused to its end, without another pause. From the main loop only. */
void turn_finish(struct work *work);
/* Does what runs still have time, so that it may begin something more? */
bool turn_has_time(void);
/* Nothing can be done until something has happened: pause, whatever the time. */
void turn_wait(void);

/* Pause here if the work has had its time and something else is due. */
void yield_if_late(void);

/* The same in a loop of short steps: `step` counts them. */
static inline void yield_in_loop(uint32_t step)
{
    if (step % (uint32_t)LOOP_STEPS == 0u) yield_if_late();
}

#endif
