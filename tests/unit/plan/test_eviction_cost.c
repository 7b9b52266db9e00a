/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices of the look-ahead policy: goal, that what a resident's loss costs follows how it is used, whatever the plan
 * does in between; method, a segment of four residents.
 */
#include "policy/eviction_cost.h"
#include "residents.h"

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
        add(i, 3, PRIORITY, fence + i);
        lookahead_of(&residency.policy_state)->next_use[i] = 50;
    }
    lookahead_of(&residency.policy_state)->awaited_fence = fence;
    const uint32_t idle = price_step(&residency, RETIRED);
    CHECK(price_step(&residency, OLDER) > idle && price_step(&residency, NEWEST) == price_step(&residency, OLDER));
    residency.outlook.bottleneck = BOTTLENECK_BUS;
    CHECK_EQUAL(price_step(&residency, RETIRED), idle);
    CHECK_EQUAL(price_step(&residency, OLDER), idle);
    CHECK(price_step(&residency, NEWEST) >= idle + 4u); /* at least twice as dear */
    lookahead_of(&residency.policy_state)->awaited_fence = fence + NEWEST;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
    lookahead_of(&residency.policy_state)->awaited_fence = fence;
    residency.outlook.bottleneck = BOTTLENECK_FIRMWARE;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
    residency.outlook.bottleneck = BOTTLENECK_NODES;
    residency.outlook.is_timed = false;
    CHECK_EQUAL(price_step(&residency, NEWEST), idle);
}

/* The walk passes a use of resident 1, which is needed at `next` again. */
static void pass(uint32_t next)
{
    struct patch patch = {.allocation = 1, .next_use = (uint16_t)next};
    const struct job job = {.patches = &patch, .patch_count = 1};
    residency_mark(&residency, 1, MARK_READ);
    residency.policy->passes(&residency, &residency.policy_state, &job, 0, 1);
}

/* What the walk has passed is priced again when the next portion begins, by its use that comes then, or as soon as it
 * is no part of the portion any more. */
static void test_price_after_use(void)
{
    four_residents((const uint32_t[]){100, 100, 100, 100});
    const uint32_t price = lookahead_of(&residency.policy_state)->price[1];
    pass(800);
    CHECK_EQUAL(lookahead_of(&residency.policy_state)->price[1], PRICE_STALE);
    residency_begin(&residency, 3, 0);
    CHECK(price_kept(&residency.policy_state, 1)->is_kept);
    CHECK_EQUAL(lookahead_of(&residency.policy_state)->price[1], price - 3 * STEPS_PER_OCTAVE);

    const uint32_t leaving = price_kept(&residency.policy_state, 1)->leaving[price];
    pass(100);
    residency_unmark(&residency, 1);
    CHECK_EQUAL(lookahead_of(&residency.policy_state)->price[1], price);
    CHECK_EQUAL(price_kept(&residency.policy_state, 1)->leaving[price], leaving + residency.world.map.link[1].count);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_price_of_use);
    CHECK_RUN(test_price_after_use);
    return check_finish();
}
