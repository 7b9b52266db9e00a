/* SPDX-License-Identifier: Apache-2.0
 *
 * When long work pauses. Goal: not before its slice is over, then if something is due, always after STRETCH_CYCLES,
 * never when it has to come to its end; and the times that are told. Method: a clock that the test sets, on both sides
 * of each limit.
 */
#include "check.h"
#include "fake_hal.h"
#include "platform/base.h"
#include "platform/turn.h"

enum { BEGIN = 0xfffffc00, AWAY = 700 }; /* counters wrap while it works */

static struct work work = {.stack = HAL_STACK_WORK};
static struct turn *turn;

static void begin(void)
{
    fake_hal_reset();
    turn = hal_turn();
    *turn = (struct turn){.limit = UINT32_MAX};
    fake_hal.away = AWAY;
    fake_hal.cycles = turn->begun = turn->looked = BEGIN;
    work.is_paused = false;
}

/* The work's call after so many more cycles: did it pause? */
static bool pauses_after(uint32_t cycles)
{
    const uint32_t before = fake_hal.pauses;
    fake_hal.cycles += cycles;
    yield_if_late();
    return fake_hal.pauses != before;
}

static void nothing_due(void *context)
{
    (void)context;
    CHECK(!pauses_after(SLICE_CYCLES - 1));
    CHECK_EQUAL(turn->longest, 0); /* it has not looked */
    CHECK(!pauses_after(1));
    CHECK_EQUAL(turn->longest, SLICE_CYCLES);
    for (uint32_t i = 2; i <= (uint32_t)STRETCH_CYCLES / SLICE_CYCLES; i++) CHECK(!pauses_after(SLICE_CYCLES));
    CHECK(turn_has_time());
    CHECK(!pauses_after(STRETCH_CYCLES % SLICE_CYCLES - 1));
    CHECK(turn_has_time());
    CHECK(!pauses_after(1)); /* STRETCH_CYCLES, and in the middle of a slice */
    CHECK(!turn_has_time());
    CHECK(!pauses_after(SLICE_CYCLES - STRETCH_CYCLES % SLICE_CYCLES - 1));
    CHECK(pauses_after(1));
    CHECK_EQUAL(turn->away, AWAY);
}

static void due(void *context)
{
    CHECK(!pauses_after(SLICE_CYCLES - 1));
    CHECK(pauses_after(1));
    (void)context;
}

static void stepped(void *context)
{
    (void)context;
    CHECK(pauses_after(0));
    CHECK(!turn_has_time());
}

static void test_pauses(void)
{
    begin();
    CHECK(turn_run(&work, nothing_due, NULL));
    begin();
    turn->is_owed = true;
    CHECK(turn_run(&work, due, NULL));
    begin();
    fake_hal.registers[CORE_IRQ_PENDING_OFFSET / 4] = 4;
    CHECK(turn_run(&work, due, NULL));
    begin();
    turn->is_stepped = true;
    CHECK(turn_run(&work, stepped, NULL));
    CHECK_EQUAL(turn->longest, 0);
    CHECK(!pauses_after(STRETCH_CYCLES)); /* no work runs: the main loop itself never pauses */
    CHECK(turn_has_time());
}

/* The first slice is what the messages before have left of one, a quarter at least; a debt is paid first. */
static uint32_t first_limit;
static void take_limit(void *context)
{
    (void)context;
    first_limit = turn->limit;
}
static void test_first_slice(void)
{
    static const struct {
        uint32_t used, debt, limit;
    } cases[] = {{0, 0, SLICE_CYCLES},
                 {SLICE_CYCLES * 3 / 4 - 1, 0, SLICE_CYCLES / 4 + 1},
                 {SLICE_CYCLES * 3 / 4, 0, SLICE_CYCLES / 4},
                 {SLICE_CYCLES * 3, 0, SLICE_CYCLES / 4},
                 {0, SLICE_CYCLES + 5, SLICE_CYCLES + 5}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin();
        fake_hal.cycles += cases[i].used;
        turn->debt = cases[i].debt;
        CHECK(turn_run(&work, take_limit, NULL));
        CHECK_EQUAL(first_limit, cases[i].limit);
        CHECK_EQUAL(turn->limit, UINT32_MAX);
    }
}

/* Paused work goes on with its own body, and to its end when it is finished. */
static void not_its_own(void *context) { (void)context, hal_assert_failed("another body"); }
static void to_its_end(void *context)
{
    (*(uint32_t *)context)++;
    CHECK(!pauses_after(2 * STRETCH_CYCLES));
    turn_wait(); /* not even then */
    CHECK_EQUAL(fake_hal.pauses, 0);
    CHECK(turn_has_time());
}
static void count(void *context) { (*(uint32_t *)context)++; }
static void test_goes_on(void)
{
    uint32_t runs = 0;
    begin();
    fake_hal.is_left = true;
    CHECK(!turn_run(&work, count, &runs));
    CHECK(!turn_run(&work, not_its_own, NULL));
    CHECK_EQUAL(runs, 2);
    CHECK(FAKE_STOPS(turn_finish(&work))); /* it may not pause again */
    begin();
    work = (struct work){HAL_STACK_WORK, to_its_end, &runs, true};
    turn_finish(&work);
    CHECK(!work.is_paused);
    turn_finish(&work); /* nothing is left to do */
    CHECK_EQUAL(runs, 4);
    begin();
    turn->may_pause = true; /* no work begins other work */
    CHECK(FAKE_STOPS(turn_run(&work, count, &runs)));
    turn->may_pause = false;
}

static void test_look(void)
{
    begin();
    fake_hal.cycles += 3000;
    turn_look();
    fake_hal.cycles += 2000;
    turn_look();
    CHECK(turn->longest == 3000 && turn->looked == fake_hal.cycles);
}

int main(void)
{
    CHECK_RUN(test_pauses);
    CHECK_RUN(test_first_slice);
    CHECK_RUN(test_goes_on);
    CHECK_RUN(test_look);
    return check_finish();
}
