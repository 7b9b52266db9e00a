/* SPDX-License-Identifier: Apache-2.0
 *
 * stack.h in a browser: WebAssembly has one stack, so long work runs to its end. The page promises no times: its
 * machine is the golden model, in which the firmware takes none. Only FORCE.STEP_PLAN differs, which it does not offer.
 */
#include "stack.h"

#include <stdlib.h>

struct stacks {
    bool is_there; /* C has no empty structure */
};

struct stacks *stacks_create(void) { return calloc(1, sizeof(struct stacks)); }
void stacks_destroy(struct stacks *stacks) { free(stacks); }
void stacks_reset(struct stacks *stacks) { (void)stacks; }
void stacks_pause(struct stacks *stacks) { (void)stacks; }
void stacks_leave(struct stacks *stacks) { (void)stacks; }

bool stacks_run(struct stacks *stacks, enum hal_stack stack, void (*body)(void *context), void *context)
{
    (void)stacks;
    (void)stack;
    body(context);
    return true;
}
