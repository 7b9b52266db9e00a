/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks of hal.h on the control core. The switch itself is in start.S.
 */
#include <stddef.h>

#include "platform/base.h"
#include "platform/turn.h"

/* start.S: leave this stack, whose place goes to *left, for another. */
void stack_switch(uint32_t *left, uint32_t to);
/* start.S: the first instructions of a body; stack_end is its last call. */
extern const char stack_begin[];
_Noreturn void stack_end(void);
/* linker/gpu.ld. */
extern uint32_t __work_stack_start[], __examine_stack_start[]; /* 64 bytes below its top */

enum { SAVED_RA = 0, SAVED_TP = 1, SAVED_S0 = 2, SAVED_S1 = 3 }; /* of 16 words */

static uint32_t paused[HAL_STACK_COUNT]; /* where each stack has paused; 0: nothing is on it */
static uint32_t main_stack, running;
static struct turn the_turn;

struct turn *hal_turn(void) { return &the_turn; }

static uint32_t new_stack(enum hal_stack stack, void (*body)(void *context), void *context)
{
    uint32_t *const saved = stack == HAL_STACK_WORK ? __work_stack_start : __examine_stack_start;
    saved[SAVED_RA] = (uint32_t)(uintptr_t)stack_begin;
    saved[SAVED_S0] = (uint32_t)(uintptr_t)body;
    saved[SAVED_S1] = (uint32_t)(uintptr_t)context;
    saved[SAVED_TP] = 0; /* no bus error */
    return (uint32_t)(uintptr_t)saved;
}

bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context)
{
    if (paused[stack] == 0u) paused[stack] = new_stack(stack, body, context);
    running = (uint32_t)stack;
    stack_switch(&main_stack, paused[stack]);
    return paused[stack] == 0u;
}

void hal_pause(void) { stack_switch(&paused[running], main_stack); }

_Noreturn void stack_end(void)
{
    uint32_t left;
    paused[running] = 0;
    stack_switch(&left, main_stack);
    hal_assert_failed("");
}
