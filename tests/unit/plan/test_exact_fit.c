/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact placement of a small group. Goal: all orders are tried up to the limits of the header, one of those that are
 * alike, and where nothing is found nothing is planned (SPL-16). Method: groups that only some order places, groups
 * with more orders than are tried.
 */
#include "plan/exact_fit.h"
#include "residents.h"

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
            residency.world.table.entry[i].read_set = residency.world.table.details[i].write_set = 1;
            residency.world.table.details[i].alignment_pages_log2 = 4;
            residency_mark(&residency, i, MARK_READ);
        }
        CHECK_EQUAL(pack_group(&residency, members, MEMBERS), at == 1);
        CHECK_EQUAL(residency.plan.journal_count, at == 1 ? MEMBERS : 0);
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
            residency.world.table.entry[i].read_set = residency.world.table.details[i].write_set = (uint8_t)set;
            residency_mark(&residency, i, MARK_READ);
        }
        CHECK_EQUAL(pack_group(&residency, members, MEMBERS), is_alike);
        CHECK_EQUAL(residency.plan.journal_count, is_alike != 0 ? MEMBERS : 0);
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
                residency.plan.steps = 4;
                residency.plan.fail_step = fails == 0 ? 0 : 4 + count + (fails == 1 ? 1 : 0);
                const bool is_placed = runs == PACK_RUNS && count == PACK_MEMBERS && fails < 2;
                CHECK_EQUAL(pack_group(&residency, members, count), is_placed);
                CHECK_EQUAL(residency.plan.journal_count, is_placed ? count : 0);
                for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(residency.world.map.link[i].where, is_placed);
            }
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_exact_limit);
    CHECK_RUN(test_exact_alike);
    CHECK_RUN(test_pack_limits);
    return check_finish();
}
