/* SPDX-License-Identifier: Apache-2.0
 *
 * Where one allocation is placed: its sets, preferences and directions. Goal: they are tried in their order, and use
 * that writes is where it may write (ALC-06, SEG-19). Method: small segments, one allocation after the other.
 */
#include "residents.h"

/* ALC-06: read-only use may stay in a read-set segment; written use moves it to a write-set segment, unless
 * it is kept in place. */
static void test_write_set(void)
{
    CASE("ALC-06");
    const uint16_t sizes[SEGMENT_LIMIT] = {4, 4, 4};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    add(0, 2, 1, 0);
    residency.world.table.entry[0].read_set = 7;
    residency.world.table.details[0].write_set = 2;
    residency.world.table.details[0].preferred = 3;
    residency_mark(&residency, 0, MARK_READ);
    CHECK(placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.world.map.link[0].where, 3);
    carry_out(&residency);
    residency_begin(&residency, 1, 0);
    residency_mark(&residency, 0, MARK_READ | MARK_WRITE | MARK_KEPT);
    CHECK(!placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.world.map.link[0].where, 3);
    residency_begin(&residency, 1, 0);
    residency_mark(&residency, 0, MARK_READ | MARK_WRITE);
    CHECK(placement_require(&residency, 0, false));
    CHECK_EQUAL(residency.world.map.link[0].where, 2);
    CHECK_EQUAL(residency.plan.journal_count, 2);
    carry_out(&residency);
    CHECK_EQUAL(residency.world.table.entry[0].segment, 2);
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
        residency.world.table.entry[i].read_set = residency.world.table.details[i].write_set = 7;
        residency.world.table.details[i].preferred = 2u | PREFERENCE_FROM_END | 1u << PREFERENCE_BITS;
        residency_mark(&residency, i, MARK_READ);
        CHECK(placement_require(&residency, i, false));
        CHECK_EQUAL(residency.world.map.link[i].where, where[i]);
        CHECK_EQUAL(residency.world.map.link[i].first, first[i]);
    }
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_write_set);
    CHECK_RUN(test_preferences);
    return check_finish();
}
