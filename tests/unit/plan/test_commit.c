/* SPDX-License-Identifier: Apache-2.0
 *
 * The apertures' common limit. Goal: more than the limit is never mapped, and those of least rank leave first (SEG-16,
 * SEG-17). Method: apertures full up to the limit, and one more that comes.
 */
#include "plan/commit.h"
#include "residents.h"

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
        allocation_table_set_apertures(&residency.world.table, 1u << (APERTURE - 1), LIMIT);
        for (uint32_t i = 0; i <= MAPPED; i++) {
            add(i, i < MAPPED ? 2 : pages, 0x78000000u, 0);
            residency.world.table.entry[i].read_set = residency.world.table.details[i].write_set = 1u << (APERTURE - 1);
            residency_begin(&residency, i + 1, 0);
            residency_mark(&residency, i, MARK_READ);
            CHECK(placement_require(&residency, i, true));
            if (i == MAPPED) break;
            residency.world.table.entry[i].last_fence = i + 1;
            carry_out(&residency);
        }
        uint32_t mapped = 2 * MAPPED, leaving = (pages + 1) / 2;
        CHECK_EQUAL(residency.plan.journal_count, leaving + 1);
        for (uint32_t i = 0; i < residency.plan.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency.plan, i);
            bool is_placing = residency_action_kind(&residency.plan, i) == ACTION_PLACE;
            CHECK_EQUAL(is_placing, i == leaving);
            mapped += is_placing ? pages : 0u - residency.world.table.entry[allocation].pages;
            CHECK(mapped <= LIMIT);
        }
    }
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_commit_limit);
    return check_finish();
}
