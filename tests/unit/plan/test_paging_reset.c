/* SPDX-License-Identifier: Apache-2.0
 *
 * An adapter reset at any moment of operations that take several paging buffers. Goal: what had been copied out into a
 * buffer that is not complete is lost, and so is what only memory had; the rest is not; what the oldest buffer that is
 * not complete worked on is named; and all that is resident then leaves without a copy. Method: a driver that needs as
 * many buffers as the test says and remembers which operation each holds, a paging node that is any number of buffers
 * after, and a reset after every step of a plan that evicts, moves, fills and brings in. TDR-04, PGB-08, PGB-10.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "page/paging.h"
#include "page/paging_reset.h"
#include "policy/policies.h"
#include "table_memory.h"

enum { PAGES = 40, BUFFER_BYTES = 64, SUBMISSIONS = 128, PIECE = 4096 };
#define FIRST_FENCE 0xfffffff8u /* so that they wrap */
/* The allocations; each of two pages. */
enum { OUT, OTHER_OUT, CLEAN_OUT, MOVED, IN, FILLED, DIRTY, CLEAN, COUNT };
static const bool is_dirty[COUNT] = {[OUT] = true, [OTHER_OUT] = true, [MOVED] = true, [DIRTY] = true};
static const bool is_resident[COUNT] = {
    [OUT] = true, [OTHER_OUT] = true, [CLEAN_OUT] = true, [MOVED] = true, [DIRTY] = true, [CLEAN] = true};

static struct residency residency;
static struct paging paging;
static uint32_t statistics[STAT_COUNT];

/* What the driver has seen: for each submission, and last for the buffer at hand, a bit for each allocation. */
static uint32_t passes, behind, submissions, worked[SUBMISSIONS + 1], copied_out[SUBMISSIONS + 1], gone;

/* ------------------------------------------------------------------ the driver */

static uint32_t completed(void) { return submissions > behind ? submissions - behind : 0; }

static enum ddi_status build(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    uint32_t i = 0;
    (void)adapter;
    while (i < COUNT && allocation_driver_handle(&residency.world.table, i) != arguments->allocation.handle) i++;
    CHECK(i < COUNT);
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    worked[submissions] |= 1u << i;
    if (arguments->operation == DDI_TRANSFER && transfer->transfer_size == 0) {
        gone |= 1u << i;
    } else if (arguments->operation == DDI_TRANSFER && transfer->source.segment_id == 1u &&
               transfer->destination.segment_id == 0u) {
        copied_out[submissions] |= 1u << i;
    }
    CHECK(arguments->dma_size >= 4 && arguments->multipass_offset < passes);
    if (arguments->multipass_offset + 1 < passes) { /* to the end of this one, and more */
        arguments->dma_buffer += arguments->dma_size;
        arguments->multipass_offset++;
        return DDI_INSUFFICIENT_DMA_BUFFER;
    }
    arguments->dma_buffer += 4;
    return DDI_SUCCESS;
}

static bool can_submit(void *adapter, uint32_t node) { return (void)adapter, node == NODE_PAGING; }
static enum ddi_status submit(void *adapter, const struct ddi_submit_command *command)
{
    (void)adapter;
    CHECK_EQUAL(command->submission_fence_id, FIRST_FENCE + submissions + 1);
    CHECK(++submissions < SUBMISSIONS);
    worked[submissions] = copied_out[submissions] = 0;
    return DDI_SUCCESS;
}
static uint32_t current_fence(void *adapter, uint32_t node)
{
    (void)adapter;
    return node == NODE_PAGING ? FIRST_FENCE + completed() : 0;
}

/* ------------------------------------------------------------------ the plan */

static void set_up(uint32_t transfer_bytes)
{
    static struct ddi ddi = {.build_paging_buffer = build,
                             .can_submit = can_submit,
                             .submit_command = submit,
                             .query_current_fence = current_fence};
    static const struct ddi_segment_descriptor segments[SEGMENT_LIMIT] = {{.base_address = 0x10000000}};
    static const uint16_t sizes[SEGMENT_LIMIT] = {PAGES};
    const struct paging_setup setup = {.ddi = &ddi,
                                       .residency = &residency,
                                       .statistics = statistics,
                                       .segments = segments,
                                       .buffer_bytes = BUFFER_BYTES,
                                       .transfer_bytes = transfer_bytes,
                                       .first_fence = FIRST_FENCE};
    struct tables *tables = table_memory();
    residency_init(&residency, tables, sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t flags = (uint32_t)ALLOCATION_EXISTS | (i == FILLED ? (uint32_t)ALLOCATION_UNDEFINED : 0u);
        residency.world.table.entry[i] = (struct allocation){.flags = (uint16_t)flags, .pages = 2, .read_set = 1};
        residency.world.table.details[i] =
            (struct allocation_details){.priority = 0x78000000u, .write_set = 1, .pages_address = 0x1000 * (i + 1)};
        if (is_resident[i]) residency_plan_placement(&residency, i, 1, 4 * i);
    }
    (void)carry_out(&residency);
    for (uint32_t i = 0; i < COUNT; i++)
        if (is_dirty[i]) allocation_set(&residency.world.table.entry[i], ALLOCATION_DIRTY);
    submissions = worked[0] = copied_out[0] = gone = 0;
    memset(statistics, 0, sizeof statistics);
    paging_init(&paging, tables, &setup);
    residency_begin(&residency, 2, 0);
    const struct segment_request request = {2, 1, true};
    struct segment_place place;
    residency_plan_eviction(&residency, OUT);
    residency_plan_eviction(&residency, CLEAN_OUT);
    CHECK(segment_find_hole(&residency.world.map, 1, &request, &place));
    residency_plan_move(residency_planning(&residency), MOVED, &place);
    residency_plan_eviction(&residency, OTHER_OUT);
    residency_plan_placement(&residency, IN, 1, 0);
    residency_plan_placement(&residency, FILLED, 1, 4);
    paging_start(&paging);
}

/* After `steps` steps; false when the plan was through before. */
static bool run_to(uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++)
        if (paging_step(&paging) == PAGING_DONE) return false;
    return true;
}

static bool is_lost(uint32_t i) { return allocation_is_lost(&residency.world.table, i); }

/* Resets it now, and compares. */
static void reset(void)
{
    const uint32_t done = completed();
    uint32_t pending_out = 0, was_dirty = 0;
    for (uint32_t s = done; s <= submissions; s++) pending_out |= copied_out[s];
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct allocation *entry = &residency.world.table.entry[i];
        if (entry->segment != 0 && (entry->flags & ALLOCATION_DIRTY) != 0u) was_dirty |= 1u << i;
    }
    paging_purge(&paging, FIRST_FENCE + done, 3);
    const uint32_t *aborted = paging.aborted->words;
    CHECK_EQUAL(aborted[0], done < submissions ? worked[done] : 0);
    for (uint32_t i = 1; i < ALLOCATION_LIMIT / 32; i++) CHECK_EQUAL(aborted[i], 0);
    for (uint32_t i = 0; i < COUNT; i++) CHECK_EQUAL(is_lost(i), (pending_out | was_dirty) >> i & 1u);
    uint32_t resident = 0;
    for (uint32_t i = 0; i < COUNT; i++) resident |= (residency.world.table.entry[i].segment != 0 ? 1u : 0u) << i;
    behind = 0;
    passes = 1;
    gone = copied_out[submissions] = 0;
    const uint32_t first = submissions;
    for (uint32_t i = 0; paging_step(&paging) != PAGING_DONE; i++) CHECK(i < 4 * COUNT);
    CHECK_EQUAL(gone, resident);
    for (uint32_t s = first; s <= submissions; s++) CHECK_EQUAL(copied_out[s], 0);
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK(residency.world.table.entry[i].segment == 0 && residency.world.map.link[i].where == 0);
    CHECK(segment_check(&residency.world.map));
    CHECK(!paging_is_active(&paging) && paging_is_quiet(&paging));
}

static void test_every_moment(void)
{
    CASE("TDR-04, PGB-08");
    uint32_t resets = 0;
    for (uint32_t count = 1; count <= 3; count++)
        for (uint32_t late = 0; late < (uint32_t)PAGING_BUFFER_COUNT; late++)
            for (uint32_t steps = 0;; steps++) {
                passes = count, behind = late;
                set_up(steps % 2 == 0 ? PIECE : 0); /* two pieces of a page, or one */
                const bool is_under_way = run_to(steps);
                reset();
                resets++;
                if (!is_under_way && steps % 2 == 0) break; /* the longer one */
            }
    CHECK(resets > 60);
}

/* After the reset the same plan is carried out again, with nothing left of the first try. */
static void test_anew(void)
{
    CASE("TDR-04, PGB-10");
    for (uint32_t round = 2; round < 24; round++) {
        const uint32_t steps = round / 2, pieces = 1 + round % 2, operations = 2 * pieces;
        passes = 3, behind = 2;
        set_up(pieces == 2 ? PIECE : 0);
        CHECK(run_to(steps));
        reset();
        memset(worked, 0, sizeof worked);
        passes = 3;
        residency_begin(&residency, 4, 0);
        residency_plan_placement(&residency, OUT, 1, 0);
        residency_plan_placement(&residency, IN, 1, 2);
        const uint32_t before = submissions;
        paging_start(&paging);
        for (uint32_t i = 0; paging_step(&paging) != PAGING_DONE; i++) CHECK(i < 40);
        CHECK_EQUAL(submissions, before + 2 * operations + 1); /* 3 each, the third of one the first of the next */
        for (uint32_t s = 0; s <= 2 * operations; s++)
            CHECK_EQUAL(worked[before + s], (s <= operations ? 1u << OUT : 0) | (s >= operations ? 1u << IN : 0));
        CHECK(residency.world.table.entry[OUT].segment == 1 && residency.world.table.entry[IN].segment == 1);
    }
}

int main(void)
{
    CHECK_RUN(test_every_moment);
    CHECK_RUN(test_anew);
    return check_finish();
}
