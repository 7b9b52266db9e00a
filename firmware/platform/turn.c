/* SPDX-License-Identifier: Apache-2.0
 *
 * When long work pauses: see turn.h.
 */
#include "platform/turn.h"

#include "platform/base.h"

void turn_look(void)
{
    struct turn *turn = hal_turn();
    const uint32_t now = hal_cycles();
    turn->longest = max_u32(turn->longest, now - turn->looked);
    turn->looked = now;
}

/* Cycles until the first look of work that goes on: less when messages have just taken long. */
static uint32_t first_slice(const struct turn *turn)
{
    const uint32_t used = turn->resumed - turn->begun;
    return used < 3u * SLICE_CYCLES / 4u ? SLICE_CYCLES - used : SLICE_CYCLES / 4u;
}

static void resume(struct work *work, bool may_pause)
{
    struct turn *turn = hal_turn();
    ASSERT(!turn->may_pause); /* no work begins other work */
    turn->slice = turn->resumed = hal_cycles();
    turn->may_pause = may_pause;
    turn->limit = max_u32(first_slice(turn), turn->debt);
    if (!may_pause) turn->limit = UINT32_MAX;
    else if (turn->is_stepped) turn->limit = 0;
    work->is_paused = !hal_run(work->stack, work->body, work->context);
    turn->may_pause = false;
    turn->limit = UINT32_MAX;
}

bool turn_run(struct work *work, void (*body)(void *context), void *context)
{
    if (!work->is_paused) {
        work->body = body;
        work->context = context;
    }
    resume(work, true);
    return !work->is_paused;
}

void turn_finish(struct work *work)
{
    if (!work->is_paused) return;
    resume(work, false);
    ASSERT(!work->is_paused);
}

bool turn_has_time(void)
{
    const struct turn *turn = hal_turn();
    return !turn->may_pause || (!turn->is_stepped && hal_cycles() - turn->resumed < (uint32_t)STRETCH_CYCLES);
}

/* A message has come, or was left, or a node has reached a fence. */
static bool is_something_due(void) { return hal_turn()->is_owed || hal_register_read(CORE_IRQ_PENDING_OFFSET) != 0u; }

void turn_wait(void)
{
    struct turn *turn = hal_turn();
    const uint32_t begin = hal_cycles();
    if (turn->may_pause) hal_pause();
    turn->away += hal_cycles() - begin;
}

/* The work has had its time, or goes step by step. */
__attribute__((noinline)) static void pause_if_due(void)
{
    struct turn *turn = hal_turn();
    const uint32_t now = hal_cycles();
    const bool has_time = now - turn->resumed < (uint32_t)STRETCH_CYCLES && turn->limit != 0u;
    if (!has_time || is_something_due()) {
        turn_wait();
        return;
    }
    turn->longest = max_u32(turn->longest, now - turn->looked);
    turn->looked = turn->slice = now;
    turn->limit = SLICE_CYCLES;
}

/* Not inlined: it is called in many places, and core memory has little room. */
__attribute__((noinline)) void yield_if_late(void)
{
    const struct turn *turn = hal_turn();
    if (hal_cycles() - turn->slice >= turn->limit) pause_if_due();
}
