/* SPDX-License-Identifier: Apache-2.0
 *
 * The stacks of the firmware's long work on the host (hal.h, hal_run): stack.c has them by ucontext. In a browser
 * web/stack_web.c runs long work to its end.
 */
#ifndef TESSERA_STACK_H
#define TESSERA_STACK_H

#include <stdbool.h>

#include "platform/hal.h"

struct stacks;

/* NULL: no memory. */
struct stacks *stacks_create(void);
void stacks_destroy(struct stacks *stacks);
/* Nothing is on any stack any more: the core is reset. */
void stacks_reset(struct stacks *stacks);

/* As hal_run and hal_pause. */
bool stacks_run(struct stacks *stacks, enum hal_stack stack, void (*body)(void *context), void *context);
void stacks_pause(struct stacks *stacks);
/* The core stops. On a stack of long work: its stacks_run leaves by unwind_leave(), and this does not return. On the
 * main loop's stack: nothing. */
void stacks_leave(struct stacks *stacks);

#endif
