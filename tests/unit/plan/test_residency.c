/* SPDX-License-Identifier: Apache-2.0
 *
 * Residency planning: goal, that an incoming allocation displaces exactly those whose loss is the smallest possible,
 * and that a plan undone leaves no trace; method, random memories with fixed and movable residents, judged by trying
 * every place. ALC-06, ALC-08, ALC-11, SEG-19, SEG-21, SPL-12.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/exact_fit.h"
#include "plan/placement.h"
#include "plan/residency.h"
#include "policy/eviction_cost.h"
#include "policy/policies.h"
#include "policy/window.h"
#include "table_memory.h"

enum { OWNERS = 20, INCOMING = 20, NOBODY = 0xff };

static struct residency residency, before;
TABLE_MEMORY_KEEP
TABLE_MEMORY_BACK

/* Everybody is in the segment in which the map says. */
static bool is_placed_as(const struct segment_map *map)
{
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency.map.link[i].where != map->link[i].where) return false;
    return true;
}
static uint32_t random_state = 77, memory_pages;
static uint64_t rank[OWNERS]; /* priority, then age: higher leaves later */
static bool is_fixed[OWNERS];

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

static void add(uint32_t index, uint32_t pages, uint32_t priority, uint32_t fence)
{
    residency.table.entry[index] = (struct allocation){
        .flags = (uint32_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = 1, .last_fence = fence};
    residency.table.details[index] = (struct allocation_details){.priority = priority, .write_set = 1};
}

/* Holes and residents at random; ages are the order of use, which is not the order of placement. */
static void random_memory(void)
{
    static const uint32_t priorities[] = {0x78000000u, 0x78000000u, 0x78000001u, 0x50000000u, 0xA0000000u};
    memory_pages = 6 + pick(26);
    const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)memory_pages, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    for (uint32_t i = 0; i < OWNERS; i++) {
        add(i, 1 + pick(4), priorities[pick(5)], 0);
        residency_begin(&residency, 1, 0);
        residency_mark(&residency, i, MARK_READ);
        if (pick(8) == 0) residency.table.entry[i].flags |= (uint32_t)ALLOCATION_FROM_END;
        struct segment_request request = {residency.table.entry[i].pages, 1, false};
        struct segment_place place;
        if (segment_find_hole(&residency.map, 1, &request, &place)) CHECK(placement_require(&residency, i, false));
        carry_out(&residency);
    }
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < OWNERS; i++) { /* holes */
        if (residency.map.link[i].where == 0 || pick(5) != 0) continue;
        residency_plan_eviction(&residency, i);
        carry_out(&residency);
    }
    uint32_t order[OWNERS];
    for (uint32_t i = 0; i < OWNERS; i++) order[i] = i;
    for (uint32_t i = OWNERS; i-- > 1;) { /* shuffled */
        uint32_t k = pick(i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    uint32_t fence = 0xffffffffu - pick(2 * OWNERS);
    for (uint32_t i = 0; i < OWNERS; i++, fence++)
        if (residency.map.link[order[i]].where != 0) {
            residency_mark(&residency, order[i], MARK_READ);
            residency.table.entry[order[i]].last_fence = fence;
            residency_begin(&residency, fence + 1, 0);
            rank[order[i]] = (uint64_t)residency.table.details[order[i]].priority << 32 | i;
        }
    residency_begin(&residency, fence, 0);
    for (uint32_t i = 0; i < OWNERS; i++) {
        is_fixed[i] = pick(4) == 0;
        if (!is_fixed[i]) continue;
        if (pick(2) != 0) residency_mark(&residency, i, MARK_READ);
        else residency.table.entry[i].flags |= (uint32_t)ALLOCATION_PINNED;
    }
}

/* The smallest highest rank over all places, by trying every one. */
static bool best_place(uint32_t pages, uint32_t alignment, uint64_t *best)
{
    uint8_t owner[64];
    bool is_found = false;
    memset(owner, NOBODY, sizeof owner);
    for (uint32_t i = 0; i < OWNERS; i++)
        for (uint32_t k = 0; residency.map.link[i].where != 0 && k < residency.map.link[i].count; k++)
            owner[residency.map.link[i].first + k] = (uint8_t)i;
    for (uint32_t at = 0; at + pages <= memory_pages; at += alignment) {
        uint64_t highest = 0;
        bool is_legal = true;
        for (uint32_t i = at; i < at + pages; i++) {
            if (owner[i] == NOBODY) continue;
            is_legal = is_legal && !is_fixed[owner[i]];
            if (rank[owner[i]] > highest) highest = rank[owner[i]];
        }
        if (is_legal && (!is_found || highest < *best)) {
            is_found = true;
            *best = highest;
        }
    }
    return is_found;
}

static void test_smallest_loss(void)
{
    CASE("ALC-08, ALC-11, SEG-21, SPL-12");
    uint32_t evicting = 0, hopeless = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        random_memory();
        uint32_t pages = 1 + pick(8), alignment_log2 = pick(3);
        add(INCOMING, pages, 0x78000000u, 0);
        residency.table.details[INCOMING].alignment_pages_log2 = alignment_log2 & 15u;
        if (pick(2) != 0) residency.table.entry[INCOMING].flags |= (uint32_t)ALLOCATION_FROM_END;
        residency_mark(&residency, INCOMING, MARK_READ);
        uint64_t best = 0, worst = 0;
        table_memory_keep(&before, &residency, sizeof residency);
        bool has_place = best_place(pages, 1u << alignment_log2, &best);
        CHECK_EQUAL(placement_require(&residency, INCOMING, false), has_place);
        CHECK(segment_check(&residency.map));
        for (uint32_t i = 0; i < residency.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency, i);
            if (residency_action_kind(&residency, i) == ACTION_PLACE) continue;
            CHECK(!is_fixed[allocation]);
            if (rank[allocation] > worst) worst = rank[allocation];
        }
        CHECK(!has_place || worst == best);
        evicting += residency.journal_count > 1;
        hopeless += !has_place;
        if (has_place) CHECK_EQUAL(residency.map.link[INCOMING].first % (1u << alignment_log2), 0);
        /* Undone, everything is as before. */
        residency_rollback(&residency, 0);
        CHECK(is_placed_as(&before.map));
        CHECK(memcmp(residency.mark, before.mark, ALLOCATION_LIMIT) == 0);
        CHECK(segment_check(&residency.map));
        CHECK_EQUAL(placement_require(&residency, INCOMING, false), has_place);
    }
    CHECK(evicting > 1000 && hopeless > 100);
}

/* The look-ahead policy in the same memories: it finds a place whenever moving aside or leaving makes one (more
 * often than the literal policy, never less), moves only who may be moved, and leaves no trace when undone. */
static void test_lookahead(void)
{
    uint32_t sliding = 0, only_by_sliding = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        random_memory();
        residency_set_policy(&residency, &policy_lookahead);
        residency.retired_fence = residency.next_fence - 1u - pick(3); /* the last users of some still run */
        lookahead_of(&residency)->awaited_fence = residency.retired_fence;
        for (uint32_t i = 0; i < OWNERS; i++)
            lookahead_of(&residency)->next_use[i] =
                pick(4) == 0 ? (uint16_t)NEXT_USE_UNKNOWN : (uint16_t)(1 + pick(20));
        for (uint32_t i = 0; i < OWNERS; i++)
            if (pick(3) == 0 && residency.map.link[i].where != 0)
                residency.table.entry[i].flags |= (uint32_t)ALLOCATION_DIRTY;
        uint32_t pages = 1 + pick(8), moved = 0;
        add(INCOMING, pages, 0x78000000u, 0);
        residency_mark(&residency, INCOMING, MARK_READ);
        uint64_t best = 0;
        table_memory_keep(&before, &residency, sizeof residency);
        bool has_place = best_place(pages, 1, &best);
        bool is_placed = placement_require(&residency, INCOMING, false);
        CHECK(is_placed || !has_place);
        CHECK(segment_check(&residency.map));
        for (uint32_t i = 0; i < residency.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency, i);
            enum residency_action action = residency_action_kind(&residency, i);
            bool is_pinned = (residency.table.entry[allocation].flags & ALLOCATION_PINNED) != 0;
            if (action == ACTION_EVICT) CHECK(!is_fixed[allocation]);
            if (action == ACTION_MOVE) CHECK(!is_pinned);
            moved += action == ACTION_MOVE;
        }
        sliding += moved != 0;
        only_by_sliding += is_placed && !has_place;
        residency_rollback(&residency, 0);
        CHECK(is_placed_as(&before.map));
        CHECK(memcmp(residency.mark, before.mark, ALLOCATION_LIMIT) == 0);
        for (uint32_t i = 0; i < OWNERS; i++)
            if (residency.map.link[i].where != 0) CHECK_EQUAL(residency.map.link[i].first, before.map.link[i].first);
        CHECK(segment_check(&residency.map));
    }
    CHECK(sliding > 1000 && only_by_sliding > 100);
}

/* What the plan costs by the prices before it: those who leave, and a little for every page moved. */
static uint32_t price_of_plan(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < residency.journal_count; i++) {
        uint32_t owner = residency_action_allocation(&residency, i), pages = residency.table.entry[owner].pages;
        enum residency_action action = residency_action_kind(&residency, i);
        if (action == ACTION_EVICT) sum += pages * price_of_step[price_step(&before, owner)];
        if (action == ACTION_MOVE) sum += pages * price_of_step[residency.is_timed ? STEP_MOVE : STEP_MOVE_UNTIMED];
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
            residency.table.details[i].priority = 0x78000000u;
            lookahead_of(&residency)->next_use[i] = (uint16_t)(1 + pick(400));
        }
        add(INCOMING, 1 + pick(8), 0x78000000u, 0);
        residency_mark(&residency, INCOMING, MARK_READ);
        table_memory_keep(&before, &residency, sizeof residency);
        for (uint32_t is_cheap = 0; is_cheap < 2; is_cheap++) {
            uint32_t price[2];
            before.is_timed = is_cheap == 0;
            for (uint32_t is_careful = 0; is_careful < 2; is_careful++) {
                table_memory_back(&residency, &before, sizeof residency);
                residency.is_careful = is_careful != 0;
                bool is_placed = placement_require(&residency, INCOMING, false);
                price[is_careful] = is_placed ? price_of_plan() : 0;
                total[is_cheap][is_careful] += price[is_careful];
                for (uint32_t i = 0; is_careful != 0 && i < residency.journal_count; i++)
                    moves[is_cheap] += residency_action_kind(&residency, i) == ACTION_MOVE;
            }
            better += price[1] < price[0];
            worse += price[1] > price[0];
        }
    }
    CHECK(better > 100 && worse < better / 20);
    for (uint32_t i = 0; i < 2; i++) CHECK(total[i][1] < total[i][0]);
    CHECK(moves[1] > 4 * moves[0] && moves[0] > 0);
}

/* SPL-16: eight members, each at a multiple of 16 pages, have more orders than are tried where none leaves room for the
 * last: the search ends, and plans nothing. With room it ends at the first order; where they have together a page more
 * than there is, before it. */
static void test_exact_limit(void)
{
    CASE("SPL-16");
    enum { MEMBERS = 8, LEAST = 3, SLOT = 16, LAST = SLOT * (MEMBERS - 1) };
    static const uint16_t pages[] = {LAST + LEAST - 1, LAST + LEAST + MEMBERS - 1, MEMBERS * (2 * LEAST + 7) / 2 - 1};
    for (uint32_t at = 0; at < 3; at++) {
        const uint16_t sizes[SEGMENT_LIMIT] = {pages[at], 1, 1};
        uint16_t members[MEMBERS];
        residency_init(&residency, table_memory(), sizes, 1000);
        residency_set_policy(&residency, &policy_literal);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            members[i] = (uint16_t)i;
            add(i, LEAST + i, 1, 0);
            residency.table.entry[i].read_set = residency.table.details[i].write_set = 1;
            residency.table.details[i].alignment_pages_log2 = 4;
            residency_mark(&residency, i, MARK_READ);
        }
        CHECK_EQUAL(pack_group(&residency, members, MEMBERS), at == 1);
        CHECK_EQUAL(residency.journal_count, at == 1 ? MEMBERS : 0);
    }
}

/* SPL-16: of members that are alike one is tried in a place, not each. Seven that may be in either segment are tried
 * before the eighth, for which the first has room only as long as none of them is there: in all their orders they are
 * more placements than are tried. Where each has a set of its own, that is what happens. */
static void test_exact_alike(void)
{
    CASE("SPL-16");
    enum { MEMBERS = 8, ALIKE = 3, LAST = 6 };
    for (uint32_t is_alike = 0; is_alike < 2; is_alike++) {
        const uint16_t sizes[SEGMENT_LIMIT] = {LAST, ALIKE * MEMBERS, 1, 1, 1, 1, 1, 1};
        uint16_t members[MEMBERS];
        residency_init(&residency, table_memory(), sizes, 1000);
        residency_set_policy(&residency, &policy_literal);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            const bool is_last = i == MEMBERS - 1;
            const uint32_t set = is_last ? 1 : is_alike != 0 ? 3 : 3 | (i & 1) << 3 | (i & 2) << 3 | (i & 4) << 3;
            members[i] = (uint16_t)i;
            add(i, is_last ? LAST : ALIKE, 1, 0);
            residency.table.entry[i].read_set = residency.table.details[i].write_set = (uint8_t)set;
            residency_mark(&residency, i, MARK_READ);
        }
        CHECK_EQUAL(pack_group(&residency, members, MEMBERS), is_alike);
        CHECK_EQUAL(residency.journal_count, is_alike != 0 ? MEMBERS : 0);
    }
}

/* A larger group than is searched, more free runs than are, and a placement that is to fail: nothing is planned,
 * however much room there is. One less of each is placed. */
static void test_pack_limits(void)
{
    enum { PAGE_RUNS = PACK_RUNS + 1, FIRST = 20, MEMBERS = PACK_MEMBERS + 1 };
    uint16_t members[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) members[i] = (uint16_t)i;
    for (uint32_t runs = PACK_RUNS; runs <= PAGE_RUNS; runs++)
        for (uint32_t count = PACK_MEMBERS; count <= MEMBERS; count++)
            for (uint32_t fails = 0; fails < 3; fails++) { /* never, at the last of these, before */
                const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)(2 * runs), 0, 0};
                residency_init(&residency, table_memory(), sizes, 1000);
                residency_set_policy(&residency, &policy_literal);
                residency_begin(&residency, 1, 0);
                for (uint32_t i = 0; i < runs; i++) { /* every other page is taken */
                    add(FIRST + i, 1, 1, 0);
                    residency_plan_placement(&residency, FIRST + i, 1, 2 * i + 1);
                }
                carry_out(&residency);
                for (uint32_t i = 0; i < count; i++) {
                    add(i, 1, 1, 0);
                    residency_mark(&residency, i, MARK_READ);
                }
                residency.steps = 4;
                residency.fail_step = fails == 0 ? 0 : 4 + count + (fails == 1 ? 1 : 0);
                const bool is_placed = runs == PACK_RUNS && count == PACK_MEMBERS && fails < 2;
                CHECK_EQUAL(pack_group(&residency, members, count), is_placed);
                CHECK_EQUAL(residency.journal_count, is_placed ? count : 0);
                for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(residency.map.link[i].where, is_placed);
            }
}

/* ALC-06: read-only use may stay in a read-set segment; written use moves it to a write-set segment, unless
 * it is kept in place. */
static void test_write_set(void)
{
    CASE("ALC-06");
    const uint16_t sizes[SEGMENT_LIMIT] = {4, 4, 4};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    add(0, 2, 1, 0);
    residency.table.entry[0].read_set = 7;
    residency.table.details[0].write_set = 2;
    residency.table.details[0].preferred = 3;
    residency_mark(&residency, 0, MARK_READ);
    CHECK(placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.map.link[0].where, 3);
    carry_out(&residency);
    residency_begin(&residency, 1, 0);
    residency_mark(&residency, 0, MARK_READ | MARK_WRITE | MARK_KEPT);
    CHECK(!placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.map.link[0].where, 3);
    residency_begin(&residency, 1, 0);
    residency_mark(&residency, 0, MARK_READ | MARK_WRITE);
    CHECK(placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.map.link[0].where, 2);
    CHECK_EQUAL(residency.journal_count, 2);
    carry_out(&residency);
    CHECK_EQUAL(residency.table.entry[0].segment, 2);
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
        residency.table.entry[i].last_fence = i + 1;
    }
    residency.table.details[TRIED].write_set = 2; /* where it has no room */
    residency_begin(&residency, 3, 0);
    residency_mark(&residency, TRIED, MARK_READ | MARK_WRITE);
    CHECK(!placement_require(&residency, TRIED, false));
    CHECK_EQUAL(residency.journal_count, 0);
    residency.table.entry[TRIED].last_fence = 3;
    residency_begin(&residency, 4, 0);
    add(LAST, 2, 0x78000000u, 0);
    residency_mark(&residency, LAST, MARK_READ);
    CHECK(placement_require(&residency, LAST, false));
    CHECK_EQUAL(residency.map.link[TRIED].where, 1);
    CHECK_EQUAL(residency.map.link[OTHER].where, 0);
}

/* Preferences are tried in their order and direction, then the rest of the set. */
static void test_preferences(void)
{
    CASE("SEG-19");
    const uint16_t sizes[SEGMENT_LIMIT] = {2, 2, 2};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    static const uint32_t where[] = {2, 2, 1, 1, 3, 3}, first[] = {1, 0, 0, 1, 0, 1};
    for (uint32_t i = 0; i < 6; i++) {
        add(i, 1, 1, 0);
        residency.table.entry[i].read_set = residency.table.details[i].write_set = 7;
        residency.table.details[i].preferred = 2u | PREFERENCE_FROM_END | 1u << PREFERENCE_BITS;
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        CHECK_EQUAL(residency.map.link[i].where, where[i]);
        CHECK_EQUAL(residency.map.link[i].first, first[i]);
    }
}

/* With the aperture's limit reached, those who leave do so before the incoming one comes: carried out action by
 * action the plan never has more pages mapped than the limit. */
static void test_commit_limit(void)
{
    CASE("SEG-16");
    enum { APERTURE = 3, LIMIT = 6, MAPPED = 3 };
    const uint16_t sizes[SEGMENT_LIMIT] = {1, 1, 16};
    for (uint32_t pages = 1; pages <= LIMIT; pages++) {
        residency_init(&residency, table_memory(), sizes, 1000);
        residency_set_policy(&residency, &policy_literal);
        allocation_table_set_apertures(&residency.table, 1u << (APERTURE - 1), LIMIT);
        for (uint32_t i = 0; i <= MAPPED; i++) {
            add(i, i < MAPPED ? 2 : pages, 0x78000000u, 0);
            residency.table.entry[i].read_set = residency.table.details[i].write_set = 1u << (APERTURE - 1);
            residency_begin(&residency, i + 1, 0);
            residency_mark(&residency, i, MARK_READ);
            CHECK(placement_require(&residency, i, true));
            if (i == MAPPED) break;
            residency.table.entry[i].last_fence = i + 1;
            carry_out(&residency);
        }
        uint32_t mapped = 2 * MAPPED, leaving = (pages + 1) / 2;
        CHECK_EQUAL(residency.journal_count, leaving + 1);
        for (uint32_t i = 0; i < residency.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency, i);
            bool is_placing = residency_action_kind(&residency, i) == ACTION_PLACE;
            CHECK_EQUAL(is_placing, i == leaving);
            mapped += is_placing ? pages : 0u - residency.table.entry[allocation].pages;
            CHECK(mapped <= LIMIT);
        }
    }
}

/* One of several that are as old as one another gets a higher priority: the others leave before it, in their order.
 * (The list of the literal policy was sorted for ever.) */
static void test_raised_priority(void)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {4, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    for (uint32_t i = 0; i < 8; i++) add(i, 1, 0x78000000u, 0);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < 4; i++) {
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        residency.table.entry[i].last_fence = 1;
    }
    carry_out(&residency);
    residency_begin(&residency, 2, 0);
    residency_set_priority(&residency, 0, 0x78000001u, 0);
    for (uint32_t i = 4; i < 8; i++) { /* the first of them is older than the last */
        residency_begin(&residency, 2, 0);
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        CHECK_EQUAL(residency_action_allocation(&residency, 0), i - 3);
        residency.table.entry[i].last_fence = 2;
        carry_out(&residency);
    }
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_commit_limit);
    CHECK_RUN(test_smallest_loss);
    CHECK_RUN(test_lookahead);
    CHECK_RUN(test_care);
    CHECK_RUN(test_exact_limit);
    CHECK_RUN(test_exact_alike);
    CHECK_RUN(test_pack_limits);
    CHECK_RUN(test_write_set);
    CHECK_RUN(test_age_of_what_came_back);
    CHECK_RUN(test_preferences);
    CHECK_RUN(test_raised_priority);
    return check_finish();
}
