/* SPDX-License-Identifier: Apache-2.0
 *
 * Making room in a segment: the cheapest window, and the first one that will do. Goal: room is found whenever leaving
 * or sliding makes some, at the lowest cost with care, from those that may go; undone, nothing is left. Method: random
 * memories against every place, and a segment of four residents.
 */
#include "policy/eviction_cost.h"
#include "policy/window.h"
#include "random_memory.h"

static struct residency before;
TABLE_MEMORY_KEEP
TABLE_MEMORY_BACK

/* The look-ahead policy in the same memories: it finds a place whenever moving aside or leaving makes one (more
 * often than the literal policy, never less), moves only who may be moved, and leaves no trace when undone. */
static void test_any_room(void)
{
    uint32_t sliding = 0, only_by_sliding = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        random_memory();
        residency_set_policy(&residency, &policy_lookahead);
        residency.outlook.retired_fence =
            residency.outlook.next_fence - 1u - pick(3); /* the last users of some still run */
        lookahead_of(&residency.policy_state)->awaited_fence = residency.outlook.retired_fence;
        for (uint32_t i = 0; i < OWNERS; i++)
            lookahead_of(&residency.policy_state)->next_use[i] =
                pick(4) == 0 ? (uint16_t)NEXT_USE_UNKNOWN : (uint16_t)(1 + pick(20));
        for (uint32_t i = 0; i < OWNERS; i++)
            if (pick(3) == 0 && residency.world.map.link[i].where != 0)
                residency.world.table.entry[i].flags |= (uint32_t)ALLOCATION_DIRTY;
        uint32_t pages = 1 + pick(8), moved = 0;
        add(INCOMING, pages, 0x78000000u, 0);
        residency_mark(&residency, INCOMING, MARK_READ);
        uint64_t best = 0;
        table_memory_keep(&before, &residency, sizeof residency);
        bool has_place = best_place(pages, 1, &best);
        bool is_placed = placement_require(&residency, INCOMING, false);
        CHECK(is_placed || !has_place);
        CHECK(segment_check(&residency.world.map));
        for (uint32_t i = 0; i < residency.plan.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency.plan, i);
            enum residency_action action = residency_action_kind(&residency.plan, i);
            bool is_pinned = (residency.world.table.entry[allocation].flags & ALLOCATION_PINNED) != 0;
            if (action == ACTION_EVICT) CHECK(!is_fixed[allocation]);
            if (action == ACTION_MOVE) CHECK(!is_pinned);
            moved += action == ACTION_MOVE;
        }
        sliding += moved != 0;
        only_by_sliding += is_placed && !has_place;
        residency_rollback(&residency, 0);
        CHECK(is_placed_as(&before.world.map));
        CHECK(memcmp(residency.plan.mark, before.plan.mark, ALLOCATION_LIMIT) == 0);
        for (uint32_t i = 0; i < OWNERS; i++)
            if (residency.world.map.link[i].where != 0)
                CHECK_EQUAL(residency.world.map.link[i].first, before.world.map.link[i].first);
        CHECK(segment_check(&residency.world.map));
    }
    CHECK(sliding > 1000 && only_by_sliding > 100);
}

/* What the plan costs by the prices before it: those who leave, and a little for every page moved. */
static uint32_t price_of_plan(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < residency.plan.journal_count; i++) {
        uint32_t owner = residency_action_allocation(&residency.plan, i),
                 pages = residency.world.table.entry[owner].pages;
        enum residency_action action = residency_action_kind(&residency.plan, i);
        if (action == ACTION_EVICT) sum += pages * price_of_step[price_step(&before, owner)];
        if (action == ACTION_MOVE)
            sum += pages * price_of_step[residency.outlook.is_timed ? STEP_MOVE : STEP_MOVE_UNTIMED];
    }
    return sum;
}

/* With care some rooms cost less; hardly any more (where nobody slides, fewer leave than the search has counted). Where
 * moves cost little there are more of them. */
static void test_care(void)
{
    uint64_t total[2][2] = {{0}};
    uint32_t moves[2] = {0}, better = 0, worse = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        random_memory();
        residency_set_policy(&residency, &policy_lookahead);
        for (uint32_t i = 0; i < OWNERS; i++) {
            residency.world.table.details[i].priority = 0x78000000u;
            lookahead_of(&residency.policy_state)->next_use[i] = (uint16_t)(1 + pick(400));
        }
        add(INCOMING, 1 + pick(8), 0x78000000u, 0);
        residency_mark(&residency, INCOMING, MARK_READ);
        table_memory_keep(&before, &residency, sizeof residency);
        for (uint32_t is_cheap = 0; is_cheap < 2; is_cheap++) {
            uint32_t price[2];
            before.outlook.is_timed = is_cheap == 0;
            for (uint32_t is_careful = 0; is_careful < 2; is_careful++) {
                table_memory_back(&residency, &before, sizeof residency);
                residency.outlook.is_careful = is_careful != 0;
                bool is_placed = placement_require(&residency, INCOMING, false);
                price[is_careful] = is_placed ? price_of_plan() : 0;
                total[is_cheap][is_careful] += price[is_careful];
                for (uint32_t i = 0; is_careful != 0 && i < residency.plan.journal_count; i++)
                    moves[is_cheap] += residency_action_kind(&residency.plan, i) == ACTION_MOVE;
            }
            better += price[1] < price[0];
            worse += price[1] > price[0];
        }
    }
    CHECK(better > 100 && worse < better / 20);
    for (uint32_t i = 0; i < 2; i++) CHECK(total[i][1] < total[i][0]);
    CHECK(moves[1] > 4 * moves[0] && moves[0] > 0);
}

/* The first resident of the run that room_find_quickly would have leave for so many pages; INDEX_NONE: there is no
 * room; none of the map: it cannot tell. */
static uint32_t quick_victim(uint32_t pages)
{
    struct room room;
    lookahead_of(&residency.policy_state)->rover[0] = (uint16_t)residency.world.map.none;
    const enum quick quick = room_find_quickly(&residency, &residency.policy_state, 1, pages, &room);
    if (quick != QUICK_FOUND) return quick == QUICK_NONE ? INDEX_NONE : residency.world.map.none;
    return segment_owner_after(&residency.world.map, 1, room.before);
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
    for (uint32_t i = 0; i < 3; i++) residency.world.table.details[i].priority = 0x78000001u;
    price_forget(&residency.policy_state);
    room_know_prices(&residency, &residency.policy_state, residency_planning(&residency), 1, 1);
    CHECK_EQUAL(quick_victim(1), 3);
    CHECK_EQUAL(quick_victim(4), residency.world.map.none);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_any_room);
    CHECK_RUN(test_care);
    CHECK_RUN(test_quick_room);
    CHECK_RUN(test_quick_room_by_priority);
    return check_finish();
}
