/* SPDX-License-Identifier: Apache-2.0
 *
 * The literal policy. Goal: an incoming allocation displaces exactly those whose loss is the smallest possible, by
 * priority and then by age, and a plan undone leaves no trace. Method: random memories with fixed and movable
 * residents, judged by trying every place. ALC-08, ALC-11, SEG-21, SPL-12.
 */
#include "random_memory.h"

static struct residency before;
TABLE_MEMORY_KEEP

static void test_smallest_loss(void)
{
    CASE("ALC-08, ALC-11, SEG-21, SPL-12");
    uint32_t evicting = 0, hopeless = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        random_memory();
        uint32_t pages = 1 + pick(8), alignment_log2 = pick(3);
        add(INCOMING, pages, 0x78000000u, 0);
        residency.world.table.details[INCOMING].alignment_pages_log2 = alignment_log2 & 15u;
        if (pick(2) != 0) residency.world.table.entry[INCOMING].flags |= (uint32_t)ALLOCATION_FROM_END;
        residency_mark(&residency, INCOMING, MARK_READ);
        uint64_t best = 0, worst = 0;
        table_memory_keep(&before, &residency, sizeof residency);
        bool has_place = best_place(pages, 1u << alignment_log2, &best);
        CHECK_EQUAL(placement_require(&residency, INCOMING, false), has_place);
        CHECK(segment_check(&residency.world.map));
        for (uint32_t i = 0; i < residency.plan.journal_count; i++) {
            uint32_t allocation = residency_action_allocation(&residency.plan, i);
            if (residency_action_kind(&residency.plan, i) == ACTION_PLACE) continue;
            CHECK(!is_fixed[allocation]);
            if (rank[allocation] > worst) worst = rank[allocation];
        }
        CHECK(!has_place || worst == best);
        evicting += residency.plan.journal_count > 1;
        hopeless += !has_place;
        if (has_place) CHECK_EQUAL(residency.world.map.link[INCOMING].first % (1u << alignment_log2), 0);
        /* Undone, everything is as before. */
        residency_rollback(&residency, 0);
        CHECK(is_placed_as(&before.world.map));
        CHECK(memcmp(residency.plan.mark, before.plan.mark, ALLOCATION_LIMIT) == 0);
        CHECK(segment_check(&residency.world.map));
        CHECK_EQUAL(placement_require(&residency, INCOMING, false), has_place);
    }
    CHECK(evicting > 1000 && hopeless > 100);
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
        residency.world.table.entry[i].last_fence = 1;
    }
    carry_out(&residency);
    residency_begin(&residency, 2, 0);
    residency_set_priority(&residency, 0, 0x78000001u, 0);
    for (uint32_t i = 4; i < 8; i++) { /* the first of them is older than the last */
        residency_begin(&residency, 2, 0);
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        CHECK_EQUAL(residency_action_allocation(&residency.plan, 0), i - 3);
        residency.world.table.entry[i].last_fence = 2;
        carry_out(&residency);
    }
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_smallest_loss);
    CHECK_RUN(test_raised_priority);
    return check_finish();
}
