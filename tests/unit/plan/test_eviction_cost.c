/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices of the look-ahead policy: goal, that what a resident's loss costs follows how it is used, whatever the plan
 * does in between, and that the first room that will do is found by it; method, a segment of four residents.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/residency.h"
#include "policy/eviction_cost.h"
#include "policy/policies.h"
#include "policy/window.h"
#include "table_memory.h"

static struct residency residency;

static void add(uint32_t index, uint32_t pages, uint32_t fence)
{
    residency.table.entry[index] = (struct allocation){
        .flags = (uint32_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = 1, .last_fence = fence};
    residency.table.details[index] = (struct allocation_details){.priority = 0x78000000u, .write_set = 1};
}

/* In use is dearer; behind a slow bus much dearer, if by the newest portion, and not at all if by an older one or if
 * the plan waits for it anyway. Where the firmware limits, and where nothing takes time, it is no matter. */
static void test_price_of_use(void)
{
    enum { RETIRED, OLDER, NEWEST, COUNT };
    const uint16_t sizes[SEGMENT_LIMIT] = {9, 1, 1};
    const uint32_t fence = 0xfffffffeu; /* of the portion to come but two; fences wrap */
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, fence + NEWEST + 1u, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        add(i, 3, fence + i);
        lookahead_of(&residency)->next_use[i] = 50;
    }
    lookahead_of(&residency)->awaited_fence = fence;
    const uint32_t idle = price_step(&residency, RETIRED);
    CHECK(price_step(&residency, OLDER) > idle && price_step(&residency, NEWEST) == price_step(&residency, OLDER));
    residency.is_bus_slow = true;
    CHECK_EQUAL(price_step(&residency, RETIRED), idle);
    CHECK_EQUAL(price_step(&residency, OLDER), idle);
    CHECK(price_step(&residency, NEWEST) >= idle + 4u); /* at least twice as dear */
    lookahead_of(&residency)->awaited_fence = fence + NEWEST;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
    lookahead_of(&residency)->awaited_fence = fence;
    residency.is_bus_slow = false;
    residency.is_firmware_bound = true;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
    residency.is_firmware_bound = residency.is_timed = false;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
}

/* Ten pages with residents of 1, 2, 3 and 1; after the second one page is free, after the third two. */
static void four_residents(const uint32_t uses[4])
{
    enum { COUNT = 4 };
    static const uint32_t pages[COUNT] = {1, 2, 3, 1}, first[COUNT] = {0, 1, 4, 9};
    const uint16_t sizes[SEGMENT_LIMIT] = {10, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        add(i, pages[i], 0);
        residency_plan_placement(&residency, i, 1, first[i]);
    }
    carry_out(&residency);
    residency.is_firmware_bound = true;
    residency_begin(&residency, 2, 0);
    for (uint32_t i = 0; i < COUNT; i++) lookahead_of(&residency)->next_use[i] = (uint16_t)uses[i];
    room_know_prices(&residency, 1, 1);
}

/* The first resident of the run that room_find_quickly would have leave for so many pages; INDEX_NONE: there is no
 * room; none of the map: it cannot tell. */
static uint32_t quick_victim(uint32_t pages)
{
    struct room room;
    lookahead_of(&residency)->rover[0] = (uint16_t)residency.map.none;
    const enum quick quick = room_find_quickly(&residency, 1, pages, &room);
    if (quick != QUICK_FOUND) return quick == QUICK_NONE ? INDEX_NONE : residency.map.none;
    return segment_owner_after(&residency.map, 1, room.before);
}

/* The first run that is long enough, of residents none of which is much dearer than what has to leave anyway, if there
 * is one, and no longer than it has to be. */
static void test_quick_room(void)
{
    four_residents((const uint32_t[]){100, 800, 100, 100});
    CHECK_EQUAL(quick_victim(1), 1);
    CHECK_EQUAL(quick_victim(3), 1); /* with the hole after it */
    CHECK_EQUAL(quick_victim(6), 2); /* with both */
    CHECK_EQUAL(quick_victim(8), 1); /* and the one before */
    CHECK_EQUAL(quick_victim(10), 0);
    CHECK_EQUAL(quick_victim(11), INDEX_NONE);
    four_residents((const uint32_t[]){20, 20, 20, 900});
    CHECK_EQUAL(quick_victim(1), 3);
    four_residents((const uint32_t[]){100, 100, 100, 300});
    CHECK_EQUAL(quick_victim(1), 0);
    residency_mark(&residency, 0, MARK_READ);
    CHECK_EQUAL(quick_victim(1), 1);
    residency_mark(&residency, 2, MARK_READ);
    CHECK_EQUAL(quick_victim(3), 1);
    CHECK_EQUAL(quick_victim(4), INDEX_NONE);
}

/* Those of the lowest priority alone: whether there is room otherwise it cannot tell. */
static void test_quick_room_by_priority(void)
{
    four_residents((const uint32_t[]){100, 100, 100, 100});
    for (uint32_t i = 0; i < 3; i++) residency.table.details[i].priority = 0x78000001u;
    price_forget(&residency);
    room_know_prices(&residency, 1, 1);
    CHECK_EQUAL(quick_victim(1), 3);
    CHECK_EQUAL(quick_victim(4), residency.map.none);
}

/* The walk passes a use of resident 1, which is needed at `next` again. */
static void pass(uint32_t next)
{
    struct patch patch = {.allocation = 1, .next_use = (uint16_t)next};
    const struct job job = {.patches = &patch, .patch_count = 1};
    residency_mark(&residency, 1, MARK_READ);
    residency.policy->passes(&residency, &job, 0, 1);
}

/* What the walk has passed is priced again when the next portion begins, by its use that comes then, or as soon as it
 * is no part of the portion any more. */
static void test_price_after_use(void)
{
    four_residents((const uint32_t[]){100, 100, 100, 100});
    const uint32_t price = lookahead_of(&residency)->price[1];
    pass(800);
    CHECK_EQUAL(lookahead_of(&residency)->price[1], PRICE_STALE);
    residency_begin(&residency, 3, 0);
    CHECK(price_kept(&residency, 1)->is_kept);
    CHECK_EQUAL(lookahead_of(&residency)->price[1], price - 3 * STEPS_PER_OCTAVE);

    const uint32_t leaving = price_kept(&residency, 1)->leaving[price];
    pass(100);
    residency_unmark(&residency, 1);
    CHECK_EQUAL(lookahead_of(&residency)->price[1], price);
    CHECK_EQUAL(price_kept(&residency, 1)->leaving[price], leaving + residency.map.link[1].count);
}

/* Residents that leave for resident COUNT, one page, while the patch entries ahead name the two after it. */
enum { MANY = FEW_RESIDENTS + 6, AHEAD = 3 };
static struct patch ahead[AHEAD];

static void many_residents(void)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {MANY, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < MANY + AHEAD; i++) add(i, 1, 0);
    for (uint32_t i = 0; i < MANY; i++) residency_plan_placement(&residency, i, 1, i);
    carry_out(&residency);
    residency.is_firmware_bound = true;
    residency_begin(&residency, 2, 0);
    for (uint32_t i = 0; i < MANY; i++) lookahead_of(&residency)->next_use[i] = 500;
    for (uint32_t i = 0; i < AHEAD; i++) {
        ahead[i] = (struct patch){.allocation = (uint16_t)(MANY + i)};
        lookahead_of(&residency)->next_use[MANY + i] = (uint16_t)i;
    }
    residency.ahead = ahead;
    residency.ahead_first = 1;
    residency.ahead_end = AHEAD;
    residency.portion_limit = 10;
    residency.portion_pages = 1;
}

static uint32_t evicted(void)
{
    const struct candidate candidate = {.id = 1};
    const struct incoming incoming = {.list = &candidate, .count = 1, .pages = 1, .alignment_pages = 1};
    struct made_room made;
    CHECK(residency.policy->make_room(&residency, &incoming, &made));
    CHECK_EQUAL(made.id, 1);
    return residency.journal_count;
}

/* Where the firmware limits one search makes room for what comes next, too: for what is not in memory, may go there
 * anywhere, is not counted already and still belongs to the portion. */
static void test_room_ahead(void)
{
    many_residents();
    CHECK_EQUAL(evicted(), 3);
    many_residents();
    residency.table.details[MANY + 1].alignment_pages_log2 = 1;
    CHECK_EQUAL(evicted(), 1);
    many_residents();
    residency.table.details[MANY + 2].alignment_pages_log2 = 1;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    residency.portion_limit = 2;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    residency.portion_limit = residency.portion_pages;
    CHECK_EQUAL(evicted(), 1);
    many_residents();
    residency.table.entry[MANY + 1].read_set = 2; /* not there: the search ends with it */
    CHECK_EQUAL(evicted(), 1);
    many_residents();
    ahead[1].allocation = 0; /* in memory */
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    ahead[1].allocation = PATCH_NULL;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    ahead[2].allocation = ahead[1].allocation;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    residency.is_firmware_bound = false;
    CHECK_EQUAL(evicted(), 1);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_price_of_use);
    CHECK_RUN(test_quick_room);
    CHECK_RUN(test_quick_room_by_priority);
    CHECK_RUN(test_price_after_use);
    CHECK_RUN(test_room_ahead);
    return check_finish();
}
