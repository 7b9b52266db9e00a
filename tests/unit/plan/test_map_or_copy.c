/* SPDX-License-Identifier: Apache-2.0
 *
 * Map or copy. Goal: the look-ahead policy maps what may be mapped, calls in what is read and written often enough
 * behind a slow bus and not before, and lets go at a lock what was not worth its copies; the literal policy keeps the
 * documents' order (ALC-06). Method: one allocation of PAGES pages, costs chosen so that the traffic that is worth a
 * copy is a round number, jobs on both sides of it, and the host's locks.
 */
#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/placement.h"
#include "plan/splitter.h"
#include "policy/policies.h"
#include "table_memory.h"

enum {
    MEMORY = 1,
    APERTURE = 3,
    BOTH = 1 << (MEMORY - 1) | 1 << (APERTURE - 1),
    PAGES = 4,
    COPY_CYCLES = 3000, /* of a page; 1,000 of them its memory's: a copy is worth 1.5 times its pages' traffic */
    PAGE_TRAFFIC = 4096 / TRAFFIC_BYTES,
    WORTH = PAGES * PAGE_TRAFFIC * 3 / 2,
    IT = 5,
    OTHER = 6
};

static struct residency residency;
static struct splitter splitter;
static struct patch patches[2];
static struct job job = {.dma_words = 8, .patches = patches, .patch_count = 1};

static void add(uint32_t index, uint32_t pages, uint32_t set)
{
    residency.world.table.entry[index] =
        (struct allocation){.flags = (uint32_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = (uint8_t)set};
    residency.world.table.details[index] =
        (struct allocation_details){.priority = 0x78000000u, .preferred = MEMORY, .write_set = (uint8_t)set};
}

static void begin(const struct policy *policy, bool is_bus_slow)
{
    const uint16_t pages[SEGMENT_LIMIT] = {2 * PAGES, 1, PAGES + 1};
    const uint32_t cycles[SEGMENT_LIMIT] = {1000, 500, 0};
    residency_init(&residency, table_memory(), pages, 1000);
    allocation_table_set_apertures(&residency.world.table, 1 << (APERTURE - 1), PAGES + 1);
    residency_set_page_cycles(&residency.outlook, cycles);
    residency_set_policy(&residency, policy);
    residency.outlook.is_timed = true;
    residency.outlook.bottleneck = is_bus_slow ? BOTTLENECK_BUS : BOTTLENECK_NODES;
    share_open(&residency.world.shares, 0, 1);
    residency.outlook.copy_cycles = COPY_CYCLES;
    add(IT, PAGES, BOTH);
    job.patch_count = 1;
}

/* A job with so much traffic through the allocation has been accepted; then all of it is planned and carried out. */
static void accept(uint32_t traffic, bool is_written)
{
    patches[0] =
        (struct patch){.allocation = IT, .traffic = (uint16_t)traffic, .flags = is_written, .is_written = is_written};
    patches[1] = (struct patch){.allocation = OTHER, .slot = 1, .split_word = 4};
    residency_note_job(&residency, &job);
}
static void run(void)
{
    static const struct splitter_modes modes;
    struct portion portion;
    struct refusal why;
    if (residency.policy->foresee != NULL) {
        residency.policy->foresee(&residency, &residency.policy_state, NULL, 0, 0, 100);
        residency.policy->foresee(&residency, &residency.policy_state, &job, 0, job.patch_count, 0);
    }
    splitter_init(&splitter);
    do {
        CHECK(plan_portion(&splitter, &job, &residency, 1, &modes, &portion, &why));
        (void)carry_out(&residency);
        CHECK(segment_check(&residency.world.map));
    } while (!portion.is_last);
}
static uint32_t use(uint32_t traffic, bool is_written)
{
    accept(traffic, is_written);
    run();
    return residency.world.map.link[IT].where;
}

/* Goal: where it goes at first. Method: the host prefers memory. */
static void first_place(void)
{
    CASE("ALC-06");
    begin(&policy_literal, false);
    CHECK_EQUAL(use(1, false), MEMORY);
    begin(&policy_lookahead, false);
    CHECK_EQUAL(use(UINT16_MAX, true), APERTURE);
    begin(&policy_lookahead, false);
    residency.outlook.is_timed = false; /* nothing is known yet: the host's order */
    CHECK_EQUAL(use(1, false), MEMORY);
    begin(&policy_lookahead, false);
    add(IT, PAGES, 1 << (MEMORY - 1));
    CHECK_EQUAL(use(1, false), MEMORY);
    begin(&policy_lookahead, false);
    add(IT, PAGES + 2, BOTH); /* more than the aperture has */
    CHECK_EQUAL(use(1, false), MEMORY);
}

/* Goal: behind a slow bus it is called in by the job with which the traffic is worth a copy, and not by the one before;
 * two copies if it is written. Method: a unit less than that, then one more. */
static void called_in(void)
{
    for (uint32_t is_written = 0; is_written < 2; is_written++) {
        const uint32_t worth = (1 + is_written) * WORTH;
        begin(&policy_lookahead, true);
        CHECK_EQUAL(use(worth - 2, is_written), APERTURE);
        CHECK_EQUAL(use(1, is_written), APERTURE);
        CHECK_EQUAL(use(1, is_written), MEMORY);
        CHECK_EQUAL(use(1, is_written), MEMORY);
        begin(&policy_lookahead, true);
        CHECK_EQUAL(use(worth, is_written), MEMORY); /* the accepted job counts before its first use */
    }
    begin(&policy_lookahead, false); /* a quick bus: never */
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(use(UINT16_MAX, true), APERTURE);
    begin(&policy_lookahead, true); /* the account is full, and is no more than that */
    add(IT, 2 * PAGES, BOTH);
    residency.world.table.entry[IT].pages = 2 * PAGES;
    CHECK_EQUAL(use(UINT16_MAX, false), MEMORY);
}

/* Goal: what is written is what the list says, not what the packets do. Method: WriteOperation, and a job that only
 * reads. */
static void may_be_written(void)
{
    begin(&policy_lookahead, true);
    patches[0] = (struct patch){.allocation = IT, .traffic = WORTH, .flags = (uint32_t)PATCH_WRITE};
    residency_note_job(&residency, &job);
    run();
    CHECK_EQUAL(residency.world.map.link[IT].where, APERTURE);
}

/* Goal: room is made where it is favoured, memory or aperture, before a hole elsewhere is taken; and what leaves pays
 * for the copy that brings it back. Method: both are full of the other; then the two take turns. */
static void room_is_made(void)
{
    begin(&policy_lookahead, false); /* a quick bus: the other fills the aperture, memory has room */
    add(OTHER, PAGES + 1, BOTH);
    residency_plan_placement(&residency, OTHER, APERTURE, 0);
    (void)carry_out(&residency);
    CHECK_EQUAL(use(1, false), APERTURE);
    CHECK_EQUAL(residency.world.map.link[OTHER].where, 0);

    begin(&policy_lookahead, true); /* called in: the other fills memory */
    add(OTHER, 2 * PAGES, 1 << (MEMORY - 1));
    job.patch_count = 2;
    CHECK_EQUAL(use(1, false), APERTURE);
    job.patch_count = 1;
    CHECK_EQUAL(use(WORTH, false), MEMORY);
    CHECK_EQUAL(residency.world.map.link[OTHER].where, 0);

    residency_plan_eviction(&residency, IT); /* it leaves: another copy has to be worth it, less the unit left above */
    (void)carry_out(&residency);
    CHECK_EQUAL(use(1, false), APERTURE);
    CHECK_EQUAL(use(WORTH - 3, false), APERTURE);
    CHECK_EQUAL(use(1, false), MEMORY);

    begin(&policy_lookahead, true); /* accepted twice before it comes: one copy is taken off */
    accept(WORTH, false);
    accept(WORTH, false);
    run();
    CHECK_EQUAL(residency.world.map.link[IT].where, MEMORY);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    residency_note_lock(&residency, IT);
    CHECK(residency_leaves_to_be_read(&residency, IT));
}

/* Goal: what cannot move stays where it is and is used there. Method: pinned; memory that a pinned one fills. */
static void stays(void)
{
    begin(&policy_lookahead, true);
    CHECK_EQUAL(use(1, false), APERTURE);
    residency.world.table.entry[IT].flags |= (uint32_t)ALLOCATION_PINNED;
    CHECK_EQUAL(use(WORTH, false), APERTURE);
    begin(&policy_lookahead, true);
    add(OTHER, 2 * PAGES, 1 << (MEMORY - 1));
    job.patch_count = 2;
    CHECK_EQUAL(use(1, false), APERTURE);
    residency.world.table.entry[OTHER].flags |= (uint32_t)ALLOCATION_PINNED;
    job.patch_count = 1;
    CHECK_EQUAL(use(WORTH, false), APERTURE);
    CHECK_EQUAL(residency.world.map.link[OTHER].where, MEMORY);
}

/* Goal: a lock takes one copy off, and what was not worth it leaves when it is read. Method: both sides of one copy,
 * and an account that a call-in and two locks use up. */
static void locked(void)
{
    begin(&policy_lookahead, true);
    CHECK_EQUAL(use(3 * WORTH, true), MEMORY);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    residency_note_lock(&residency, IT);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    residency_note_lock(&residency, IT);
    CHECK(residency_leaves_to_be_read(&residency, IT));
    CHECK_EQUAL(use(WORTH - 1, true), MEMORY);
    CHECK(residency_leaves_to_be_read(&residency, IT));
    CHECK_EQUAL(use(1, true), MEMORY);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    residency.world.table.entry[IT].flags |= (uint32_t)ALLOCATION_PINNED;
    residency_note_lock(&residency, IT);
    CHECK(!residency_leaves_to_be_read(&residency, IT));

    begin(&policy_lookahead, true); /* called in, and locked before it is used: the account is what counts */
    accept(2 * WORTH, true);
    residency_note_lock(&residency, IT);
    run();
    CHECK_EQUAL(residency.world.map.link[IT].where, APERTURE);
    CHECK_EQUAL(use(WORTH, true), MEMORY);

    begin(&policy_literal, true); /* the documents' way */
    CHECK_EQUAL(use(1, true), MEMORY);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    begin(&policy_lookahead, false); /* a quick bus: it has been in memory since nothing was known */
    residency.outlook.is_timed = false;
    CHECK_EQUAL(use(1, true), MEMORY);
    CHECK(!residency_leaves_to_be_read(&residency, IT));
    residency.outlook.is_timed = true;
    CHECK(residency_leaves_to_be_read(&residency, IT));
    add(IT, PAGES, 1 << (MEMORY - 1));
    CHECK(!residency_leaves_to_be_read(&residency, IT));
}

/* Goal: QUERY names why it is where it is. Method: each reason, and its neighbour: another bus, another set, another
 * policy, traffic on both sides of a copy's worth. */
static void reasons(void)
{
    begin(&policy_lookahead, false);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_PAGES);
    CHECK_EQUAL(use(1, false), APERTURE);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_QUICK);
    residency.outlook.bottleneck = BOTTLENECK_BUS;
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_LITTLE);
    residency.outlook.is_timed = false;
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_ORDER);
    residency.world.table.entry[IT].read_set = 1 << (APERTURE - 1);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_ONLY);

    begin(&policy_lookahead, true);
    CHECK_EQUAL(use(WORTH, false), MEMORY);
    CHECK_EQUAL(use(WORTH - 1, false), MEMORY);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_ELSEWHERE); /* a unit less than a copy is worth */
    CHECK_EQUAL(use(1, false), MEMORY);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_WORTH);
    residency.world.table.entry[IT].read_set = 1 << (MEMORY - 1);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_ONLY);

    begin(&policy_literal, true);
    CHECK_EQUAL(use(WORTH, false), MEMORY);
    CHECK_EQUAL(residency_place_reason(&residency, IT), PLACE_REASON_ORDER);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(first_place);
    CHECK_RUN(called_in);
    CHECK_RUN(may_be_written);
    CHECK_RUN(room_is_made);
    CHECK_RUN(stays);
    CHECK_RUN(locked);
    CHECK_RUN(reasons);
    return check_finish();
}
