/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan and its undoing. Goal: undone from any action on, a plan leaves the places that were before it; carried out,
 * table and map agree; what a portion uses is the youngest after it. Method: random evictions, placements and moves in
 * random memories, with the places noted after each.
 */
#include "random_memory.h"

/* Of each kind of action what may be next, at random; false: nothing was found. */
static bool plan_something(void)
{
    const uint32_t i = pick(OWNERS);
    const bool is_there = residency.world.map.link[i].where != 0;
    if (is_there && residency_is_planned(&residency.plan, i))
        return false; /* an action each, but what has left may come again */
    if (is_there && residency_is_evictable(&residency, i) && pick(2) == 0) {
        residency_plan_eviction(&residency, i);
        return true;
    }
    const struct segment_request request = {residency.world.table.entry[i].pages, 1, pick(2) != 0};
    struct segment_place place;
    const bool may_move = is_there && !is_fixed[i] && residency.world.map.link[i].first > 0;
    if (may_move &&
        segment_fits_between(&residency.world.map, 1, &request, residency.world.map.previous[i], i, &place.first)) {
        place.before = residency.world.map.previous[i];
        residency_plan_move(residency_planning(&residency), i, &place);
        return true;
    }
    if (is_there || residency.plan.mark[i] != 0 || !segment_find_hole(&residency.world.map, 1, &request, &place))
        return false;
    residency_mark(&residency, i, MARK_READ);
    residency_plan_placement(&residency, i, 1, place.first);
    return true;
}

static void test_undone(void)
{
    enum { ACTIONS = 12 };
    uint32_t kinds[3] = {0};
    for (uint32_t round = 0; round < 2000; round++) {
        struct segment_link seen[ACTIONS + 1][OWNERS];
        uint32_t count = 0;
        random_memory();
        for (uint32_t tries = 0; tries < 40 && count < ACTIONS; tries++) {
            memcpy(seen[count], residency.world.map.link, sizeof seen[count]);
            count += plan_something();
            CHECK_EQUAL(residency.plan.journal_count, count);
            CHECK(segment_check(&residency.world.map));
        }
        memcpy(seen[count], residency.world.map.link, sizeof seen[count]);
        const uint32_t left = count == 0 ? 0 : pick(count);
        residency_rollback(&residency, left);
        CHECK_EQUAL(residency.plan.journal_count, left);
        for (uint32_t i = 0; i < OWNERS; i++) {
            const struct segment_link *was = &seen[left][i], *is = &residency.world.map.link[i];
            CHECK(is->where == was->where && (is->where == 0 || is->first == was->first));
            CHECK(is->where != 0 || !residency_is_evictable(&residency, i));
        }
        for (uint32_t i = 0; i < left; i++) kinds[residency_action_kind(&residency.plan, i)]++;
        (void)carry_out(&residency);
        CHECK(segment_check(&residency.world.map) && residency.plan.journal_count == 0);
        for (uint32_t i = 0; i < OWNERS; i++)
            CHECK_EQUAL(residency.world.table.entry[i].segment, residency.world.map.link[i].where);
    }
    for (uint32_t i = 0; i < 3; i++) CHECK(kinds[i] > 100);
}

/* What a portion uses is the youngest after it, even if it was tried elsewhere in vain before. */
static void test_age_of_what_came_back(void)
{
    enum { TRIED, OTHER, LAST };
    const uint16_t sizes[SEGMENT_LIMIT] = {4, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    for (uint32_t i = 0; i < 2; i++) {
        add(i, 2, 0x78000000u, 0);
        residency_begin(&residency, i + 1, 0);
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        carry_out(&residency);
        residency.world.table.entry[i].last_fence = i + 1;
    }
    residency.world.table.details[TRIED].write_set = 2; /* where it has no room */
    residency_begin(&residency, 3, 0);
    residency_mark(&residency, TRIED, MARK_READ | MARK_WRITE);
    CHECK(!placement_require(&residency, TRIED, false));
    CHECK_EQUAL(residency.plan.journal_count, 0);
    residency.world.table.entry[TRIED].last_fence = 3;
    residency_begin(&residency, 4, 0);
    add(LAST, 2, 0x78000000u, 0);
    residency_mark(&residency, LAST, MARK_READ);
    CHECK(placement_require(&residency, LAST, false));
    CHECK_EQUAL(residency.world.map.link[TRIED].where, 1);
    CHECK_EQUAL(residency.world.map.link[OTHER].where, 0);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_undone);
    CHECK_RUN(test_age_of_what_came_back);
    return check_finish();
}
