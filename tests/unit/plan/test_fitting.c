/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting a group. Goal: each effort finds what the easier ones cannot, and no more than it may; where it finds
 * nothing, the journal and all places are as they were before the group. Method: for each effort the smallest memory
 * that only it and harder ones can fit; then random groups at every effort, judged by the marks, and by each other.
 */
#include "plan/fitting.h"
#include "random_memory.h"

enum { MEMBERS = 6 };

static struct residency before;
TABLE_MEMORY_KEEP
TABLE_MEMORY_BACK
static struct patch patches[MEMBERS];
static struct job job = {.patches = patches, .patch_count = MEMBERS};
static uint16_t carried[SLOT_LIMIT];

/* The list names these allocations; the portion inherits nothing but `kept`, if it is an entry. */
static struct group group_of(const uint32_t *members, uint32_t count, uint32_t kept, enum effort effort)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) carried[i] = SLOT_EMPTY;
    for (uint32_t i = 0; i < count; i++)
        patches[i] = (struct patch){.allocation = (uint16_t)members[i], .slot = i & 63u};
    if (kept != SLOT_EMPTY) carried[kept] = (uint16_t)kept;
    job.patch_count = count;
    return (struct group){&job, 0, kept == SLOT_EMPTY ? count : kept, carried, residency.plan.journal_count, effort};
}

static void open_memory(uint32_t pages)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)pages, 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    residency_begin(&residency, 1, 0);
}

static void put(uint32_t index, uint32_t pages, uint32_t first)
{
    add(index, pages, PRIORITY, 0);
    residency_plan_placement(&residency, index, 1, first);
    (void)carry_out(&residency);
}

/* The easiest effort, of those without what is bound, that fits the members; the last one: none does. */
static enum effort least_effort(const uint32_t *members, uint32_t count)
{
    static const enum effort efforts[] = {EFFORT_USUAL, EFFORT_CLEAR, EFFORT_PRESSING, EFFORT_EXACT};
    residency_begin(&residency, 2, 0);
    for (uint32_t i = 0; i < count; i++) residency_mark(&residency, members[i], MARK_READ | MARK_FRESH);
    for (uint32_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
        const struct group group = group_of(members, count, SLOT_EMPTY, efforts[i]);
        if (fitting_group(&group, &residency)) return efforts[i];
        CHECK_EQUAL(residency.plan.journal_count, 0);
    }
    return EFFORT_BOUND_EXACT;
}

static void test_least_effort(void)
{
    open_memory(8);
    put(0, 2, 3); /* a hole of three on either side */
    add(1, 3, PRIORITY, 0);
    add(2, 3, PRIORITY, 0);
    CHECK_EQUAL(least_effort((const uint32_t[]){1, 2}, 2), EFFORT_USUAL);

    open_memory(8); /* a member that is in the middle has to move */
    put(0, 2, 3);
    add(1, 6, PRIORITY, 0);
    CHECK_EQUAL(least_effort((const uint32_t[]){0, 1}, 2), EFFORT_CLEAR);

    open_memory(8); /* what is soft pinned leaves only now */
    put(0, 2, 3);
    residency.world.table.details[0].priority = 0xc8000000u; /* the highest */
    add(1, 4, PRIORITY, 0);
    CHECK_EQUAL(least_effort((const uint32_t[]){1}, 1), EFFORT_PRESSING);

    open_memory(
        14); /* runs of 6 and 7: in list order, or by size, the first takes the smaller, and the last has none */
    put(0, 1, 6);
    residency.world.table.entry[0].flags |= (uint32_t)ALLOCATION_PINNED;
    for (uint32_t i = 1; i <= 4; i++) add(i, i == 1 ? 4 : 3, PRIORITY, 0);
    CHECK_EQUAL(least_effort((const uint32_t[]){1, 2, 3, 4}, 4), EFFORT_EXACT);

    open_memory(8);
    add(1, 9, PRIORITY, 0);
    CHECK_EQUAL(least_effort((const uint32_t[]){1}, 1), EFFORT_BOUND_EXACT);
}

/* What a binding register holds moves with an effort that says so, and no other. */
static void test_bound(void)
{
    for (enum effort effort = EFFORT_MOVED; effort <= EFFORT_BOUND_EXACT; effort++) {
        open_memory(8);
        put(0, 2, 3);
        add(1, 6, PRIORITY, 0);
        residency_begin(&residency, 2, 0);
        residency_mark(&residency, 0, MARK_READ | MARK_KEPT);
        residency_mark(&residency, 1, MARK_READ | MARK_FRESH);
        const struct group group = group_of((const uint32_t[]){1, 0}, 2, 1, effort);
        const bool fits = fitting_group(&group, &residency);
        CHECK_EQUAL(fits, effort == EFFORT_MOVED || effort >= EFFORT_BOUND_CLEAR);
        CHECK_EQUAL(residency.world.map.link[0].where, 1);
        CHECK_EQUAL(residency.world.map.link[1].where, fits);
        CHECK(fits || (residency.world.map.link[0].first == 3 && residency.plan.journal_count == 0));
    }
}

/* All that is marked is there at the end, nothing that is fixed has moved, or nothing has changed. */
static void test_random(void)
{
    uint32_t fits[EFFORT_EXACT + 1] = {0};
    for (uint32_t round = 0; round < 1500; round++) {
        uint32_t members[MEMBERS];
        random_memory();
        for (uint32_t i = 0; i < MEMBERS; i++) {
            do members[i] = pick(OWNERS);
            while (is_fixed[members[i]]);
            residency_mark(&residency, members[i], MARK_READ | MARK_FRESH);
        }
        table_memory_keep(&before, &residency, sizeof residency);
        bool was_possible = false;
        for (enum effort effort = EFFORT_USUAL; effort <= EFFORT_EXACT; effort++) {
            if (effort == EFFORT_SLIDING) continue;
            table_memory_back(&residency, &before, sizeof residency);
            const struct group group = group_of(members, MEMBERS, SLOT_EMPTY, effort);
            const bool is_possible = fitting_group(&group, &residency);
            CHECK(segment_check(&residency.world.map));
            for (uint32_t i = 0; i < OWNERS; i++) {
                const struct segment_link *was = &before.world.map.link[i], *is = &residency.world.map.link[i];
                const bool is_same = is->where == was->where && (is->where == 0 || is->first == was->first);
                CHECK(is_same || (is_possible && !is_fixed[i]));
            }
            for (uint32_t i = 0; is_possible && i < MEMBERS; i++)
                CHECK(residency.world.map.link[members[i]].where != 0);
            CHECK(is_possible || residency.plan.journal_count == 0);
            CHECK(is_possible || effort == EFFORT_USUAL || !was_possible); /* harder is not worse */
            was_possible = is_possible;
            fits[effort] += is_possible;
        }
    }
    CHECK(fits[EFFORT_USUAL] < fits[EFFORT_CLEAR] && fits[EFFORT_CLEAR] <= fits[EFFORT_EXACT]);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_least_effort);
    CHECK_RUN(test_bound);
    CHECK_RUN(test_random);
    return check_finish();
}
