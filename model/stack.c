/* SPDX-License-Identifier: Apache-2.0
 *
 * See stack.h: ucontext. Sanitizers are told of every change of stacks. swapcontext is not used: the address sanitizer
 * warns of it on stderr whatever it has been told.
 */
#include "stack.h"

#include <stdlib.h>
#include <ucontext.h>

#include "unwind.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
static void begin_switch(void **left, const void *bottom, size_t bytes)
{
    __sanitizer_start_switch_fiber(left, bottom, bytes);
}
static void end_switch(void *here, const void **bottom, size_t *bytes)
{
    __sanitizer_finish_switch_fiber(here, bottom, bytes);
}
/* Frames that were left for ever are still marked. */
static void forget_frames(void *bottom, size_t bytes) { __asan_unpoison_memory_region(bottom, bytes); }
#else
static void begin_switch(void **left, const void *bottom, size_t bytes) { (void)left, (void)bottom, (void)bytes; }
static void end_switch(void *here, const void **bottom, size_t *bytes) { (void)here, (void)bottom, (void)bytes; }
static void forget_frames(void *bottom, size_t bytes) { (void)bottom, (void)bytes; }
#endif

enum { STACK_BYTES = 256 << 10 };

struct one_stack {
    ucontext_t place;
    void *memory, *fake; /* `fake`: the sanitizer's, while it is paused */
    void (*body)(void *context);
    void *context;
    bool is_begun;
};

struct stacks {
    struct one_stack stack[HAL_STACK_COUNT];
    ucontext_t caller;
    const void *caller_bottom;
    size_t caller_bytes;
    struct one_stack *running; /* NULL: the main loop's */
    bool has_left;
};

struct stacks *stacks_create(void)
{
    struct stacks *stacks = calloc(1, sizeof *stacks);
    if (stacks == NULL) return NULL;
    for (unsigned i = 0; i < HAL_STACK_COUNT; i++) {
        stacks->stack[i].memory = malloc(STACK_BYTES);
        if (stacks->stack[i].memory != NULL) continue;
        stacks_destroy(stacks);
        return NULL;
    }
    return stacks;
}

void stacks_destroy(struct stacks *stacks)
{
    if (stacks == NULL) return;
    for (unsigned i = 0; i < HAL_STACK_COUNT; i++) free(stacks->stack[i].memory);
    free(stacks);
}

void stacks_reset(struct stacks *stacks)
{
    for (unsigned i = 0; i < HAL_STACK_COUNT; i++) stacks->stack[i].is_begun = false;
    stacks->running = NULL;
    stacks->has_left = false;
}

/* getcontext returns a second time when `from` is entered again. */
static void change(ucontext_t *from, const ucontext_t *to)
{
    volatile bool is_back = false;
    (void)getcontext(from);
    if (is_back) return;
    is_back = true;
    (void)setcontext(to);
}

/* Back to the caller of stacks_run; with `left` NULL for ever. */
static void go_back(struct stacks *stacks, struct one_stack *stack, void **left)
{
    begin_switch(left, stacks->caller_bottom, stacks->caller_bytes);
    change(&stack->place, &stacks->caller);
}

/* makecontext passes integers. */
static void enter(unsigned low, unsigned high)
{
    struct stacks *stacks = (struct stacks *)((uintptr_t)low | (uintptr_t)high << 16 << 16);
    struct one_stack *stack = stacks->running;
    end_switch(NULL, &stacks->caller_bottom, &stacks->caller_bytes);
    stack->body(stack->context);
    stack->is_begun = false;
    go_back(stacks, stack, NULL);
}

bool stacks_run(struct stacks *stacks, enum hal_stack index, void (*body)(void *context), void *context)
{
    struct one_stack *stack = &stacks->stack[index];
    void *fake = NULL;
    stacks->running = stack;
    if (!stack->is_begun) {
        const uintptr_t self = (uintptr_t)stacks;
        stack->body = body;
        stack->context = context;
        stack->is_begun = true;
        forget_frames(stack->memory, STACK_BYTES);
        (void)getcontext(&stack->place);
        stack->place.uc_stack.ss_sp = stack->memory;
        stack->place.uc_stack.ss_size = STACK_BYTES;
        stack->place.uc_link = NULL;
        makecontext(&stack->place, (void (*)(void))enter, 2, (unsigned)self, (unsigned)(self >> 16 >> 16));
    }
    begin_switch(&fake, stack->memory, STACK_BYTES);
    change(&stacks->caller, &stack->place);
    end_switch(fake, NULL, NULL);
    stacks->running = NULL;
    if (stacks->has_left) unwind_leave();
    return !stack->is_begun;
}

void stacks_pause(struct stacks *stacks)
{
    struct one_stack *stack = stacks->running;
    if (stack == NULL) return;
    go_back(stacks, stack, &stack->fake);
    end_switch(stack->fake, &stacks->caller_bottom, &stacks->caller_bytes);
}

void stacks_leave(struct stacks *stacks)
{
    if (stacks->running == NULL) return;
    stacks->has_left = true;
    stacks->running->is_begun = false;
    go_back(stacks, stacks->running, NULL);
}
