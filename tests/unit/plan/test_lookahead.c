/* SPDX-License-Identifier: Apache-2.0
 *
 * The look-ahead policy makes room for what comes next, too. Goal: for exactly those ahead that are not in memory, may
 * go there and still belong to the portion. Method: a full segment, and patch entries ahead with one of them changed.
 */
#include "policy/eviction_cost.h"
#include "residents.h"

/* Residents that leave for resident MANY, one page, while the patch entries ahead name the two after it. */
enum { MANY = FEW_RESIDENTS + 6, AHEAD = 3 };
static struct patch ahead[AHEAD];

static void many_residents(void)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {MANY, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < MANY + AHEAD; i++) add(i, 1, PRIORITY, 0);
    for (uint32_t i = 0; i < MANY; i++) residency_plan_placement(&residency, i, 1, i);
    carry_out(&residency);
    residency.outlook.bottleneck = BOTTLENECK_FIRMWARE;
    residency_begin(&residency, 2, 0);
    for (uint32_t i = 0; i < MANY; i++) lookahead_of(&residency.policy_state)->next_use[i] = 500;
    for (uint32_t i = 0; i < AHEAD; i++) {
        ahead[i] = (struct patch){.allocation = (uint16_t)(MANY + i)};
        lookahead_of(&residency.policy_state)->next_use[MANY + i] = (uint16_t)i;
    }
    residency.outlook.ahead = ahead;
    residency.outlook.ahead_first = 1;
    residency.outlook.ahead_end = AHEAD;
    residency.outlook.portion_limit = 10;
    residency.plan.portion_pages = 1;
}

static uint32_t evicted(void)
{
    const struct candidate candidate = {.id = 1};
    const struct incoming incoming = {.list = &candidate, .count = 1, .pages = 1, .alignment_pages = 1};
    struct made_room made;
    CHECK(residency.policy->make_room(&residency, &residency.policy_state, residency_planning(&residency), &incoming,
                                      &made));
    CHECK_EQUAL(made.id, 1);
    return residency.plan.journal_count;
}

/* Where the firmware limits one search makes room for what comes next, too: for what is not in memory, may go there
 * anywhere, is not counted already and still belongs to the portion. */
static void test_room_ahead(void)
{
    many_residents();
    CHECK_EQUAL(evicted(), 3);
    many_residents();
    residency.world.table.details[MANY + 1].alignment_pages_log2 = 1;
    CHECK_EQUAL(evicted(), 1);
    many_residents();
    residency.world.table.details[MANY + 2].alignment_pages_log2 = 1;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    residency.outlook.portion_limit = 2;
    CHECK_EQUAL(evicted(), 2);
    many_residents();
    residency.outlook.portion_limit = residency.plan.portion_pages;
    CHECK_EQUAL(evicted(), 1);
    many_residents();
    residency.world.table.entry[MANY + 1].read_set = 2; /* not there: the search ends with it */
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
    residency.outlook.bottleneck = BOTTLENECK_NODES;
    CHECK_EQUAL(evicted(), 1);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_room_ahead);
    return check_finish();
}
