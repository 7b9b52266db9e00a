/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what a replay says that the device did is what it did, and whatever cannot be is said. Method: the tracker
 * alone, its probe called with packets by hand; the operations, runs and counts that come of them are known, and a
 * table of what no device may do has the words of each complaint.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/replay/replay_track_internal.h"

enum { SURFACES = 5, OWN = SURFACES - 1, PAGE = PAGESIM_PAGE_BYTES, PATTERN = 0xabc00000, FOREIGN = 0x200 };
enum { SEGMENT1 = LIMIT_BITS_ADDR_SEGMENT1, SEGMENT2 = LIMIT_BITS_ADDR_SEGMENT2, APERTURE = LIMIT_BITS_ADDR_APERTURE };
static const uint32_t host_pages[SURFACES][3] = {{10, 11}, {20, 21, 22}, {30}, {40, 41}, {50}};
static const uint32_t page_counts[SURFACES] = {2, 3, 1, 2, 1};

/* Surface i's page list is at 64 * i; one of a page that is no surface's at FOREIGN; nothing is after it. */
static uint32_t memory[FOREIGN / 4 + 1];
static int read_memory(void *context, uint32_t address, void *data, size_t bytes)
{
    (void)context;
    if (address + bytes > sizeof memory) return TRANSPORT_IO;
    memcpy(data, (const uint8_t *)memory + address, bytes);
    return TRANSPORT_OK;
}

static struct track *track;
static struct probe probe;
static uint64_t cycle;
static uint32_t steps_seen[8][2], steps_count;
static void on_steps(void *context, const struct stream_job *job, uint32_t first, uint32_t count)
{
    (void)context, (void)job;
    steps_seen[steps_count][0] = first, steps_seen[steps_count++][1] = count;
}

/* A buffer of three steps: 0 needs surface 0, 1 writes it, 2 needs surface 1. */
static struct pagesim_allocation allocations[OWN];
static struct pagesim_patch patches[] = {{0, 0, 0, false}, {0, 0, 0, true}, {1, 1, 0, false}};
static struct pagesim_buffer buffers[] = {{.bytes = 80, .patch_count = 3, .step_count = 3}};
static struct pagesim_member members[] = {{0, false, false}, {0, true, false}, {1, false, false}};
static struct pagesim_step steps[] = {{.start = 0, .end = 32, .first_member = 0, .member_count = 1},
                                      {.start = 32, .end = 48, .first_member = 1, .member_count = 1},
                                      {.start = 48, .end = 80, .first_member = 2, .member_count = 1}};
static const struct pagesim workload = {.allocations = allocations,
                                        .allocation_count = OWN,
                                        .buffers = buffers,
                                        .buffer_count = 1,
                                        .patches = patches,
                                        .patch_count = 3,
                                        .steps = steps,
                                        .step_count = 3,
                                        .members = members,
                                        .member_count = 3};
static uint32_t words[] = {PKT_BIND,      0, 64, 8192,  PKT_FILL_RECT, 1, 2, 3, /* step 0 */
                           PKT_FILL_RECT, 4, 5,  6,                             /* step 1 */
                           PKT_BIND,      0, 64, 12288, PKT_FILL_RECT, 7, 8, 9};
static uint32_t offsets[] = {0, 32, 48, 80};
static struct stream_job job = {.step_count = 3, .offsets = offsets, .words = words};

static const struct transport transport = {.memory_read = read_memory};
static int begin(void **state)
{
    const struct track_setup setup = {&workload, SURFACES, on_steps, NULL, &transport};
    (void)state;
    memory[FOREIGN / 4] = 99;
    track = track_create(&setup);
    assert_non_null(track);
    for (uint32_t i = 0; i < SURFACES; i++) {
        memcpy(memory + 16u * i, host_pages[i], sizeof host_pages[i]);
        assert_true(track_own(track, i, host_pages[i], page_counts[i], PATTERN + i));
        if (i < OWN) allocations[i].pages = page_counts[i];
    }
    track_probe(track, &probe);
    track_begin(track);
    cycle = 0, steps_count = 0;
    return 0;
}
static int end(void **state)
{
    (void)state;
    track_destroy(track);
    return 0;
}

/* ------------------------------------------------------------------ packets */

static void packet(unsigned node, uint32_t offset, uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3)
{
    const uint32_t given[5] = {word0, word1, word2, word3, 0};
    probe.packet_begin(probe.context, cycle++, node, offset, given);
    probe.packet_end(probe.context, cycle++, node);
}
static void paging(uint32_t word0, uint32_t word1, uint32_t word2, uint32_t word3)
{
    packet(1, 0, word0, word1, word2, word3);
}
static uint32_t list_of(uint32_t surface) { return GPU_LIMIT(ADDR_SYSTEM) + 64u * surface; }
/* `pages` of a surface, from its page `first` on, from or to a place where its page `first` is. */
static void page_in(uint32_t surface, uint32_t first, uint32_t pages, uint32_t local)
{
    paging(PKT_COPY_LIST, local, pages * PAGE, list_of(surface) + 4u * first);
}
static void page_out(uint32_t surface, uint32_t first, uint32_t pages, uint32_t local)
{
    paging(PKT_COPY_LIST | FIELD_PUT(1, PKT_COPY_LIST_TO_SYSTEM), local, pages * PAGE, list_of(surface) + 4u * first);
}
static void fill(uint32_t target, uint32_t bytes, uint32_t pattern) { paging(PKT_FILL, target, bytes, pattern); }
static void copy(uint32_t source, uint32_t target, uint32_t bytes) { paging(PKT_COPY, source, target, bytes); }
static void map(uint32_t surface, uint32_t first, uint32_t count, uint32_t at)
{
    paging(PKT_MAP_LIST, at, count, list_of(surface) + 4u * first);
}
static void unmap(uint32_t at, uint32_t count) { paging(PKT_UNMAP, at, count, 0); }
static void fence(unsigned node, uint32_t value) { packet(node, 0, PKT_FENCE, value, 0, 0); }
static void wait_for(unsigned node, uint32_t value) { packet(node, 0, PKT_WAIT_FENCE, value, 0, 0); }
/* The render node runs the job's bytes from `from` to before `to`, which lie from `base` on; the addresses are
 * patched. */
static void run(uint32_t base, uint32_t from, uint32_t to, uint32_t value)
{
    packet(0, 0, PKT_RUN, base + from, to - from, 0);
    for (uint32_t at = from; at < to; at += 16u) {
        const uint32_t *given = words + at / 4u;
        packet(0, base + at, given[0], given[0] == PKT_BIND ? 0x10004000u : given[1], given[2], given[3]);
    }
    fence(0, value);
}

/* ------------------------------------------------------------------ what is as it should be */

struct told {
    enum track_kind kind;
    uint32_t surface, page;
};
static void expect_operations(const struct told *told, uint32_t count)
{
    const struct track_operation *operations = track->operations.items;
    if (track_problem(track) != NULL) fail_msg("%s", track_problem(track));
    assert_int_equal(track_counts(track).operation_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(operations[i].kind, told[i].kind);
        assert_int_equal(operations[i].surface, told[i].surface);
        assert_int_equal(operations[i].page, told[i].page);
    }
}

/* Operations in one packet and in several, in both segments and the aperture. The page of a drop is where the
 * operation that takes the place begins. */
static void test_operations(void **state)
{
    static const struct told told[] = {{TRACK_IN, 0, 4},   {TRACK_FILL, 1, 0},  {TRACK_MAP, 3, 7},  {TRACK_UNMAP, 3, 7},
                                       {TRACK_MOVE, 0, 9}, {TRACK_OUT, 0, 9},   {TRACK_IN, 2, 5},   {TRACK_DROP, 0, 4},
                                       {TRACK_DROP, 2, 4}, {TRACK_IN, 0, 4},    {TRACK_MAP, 3, 8},  {TRACK_UNMAP, 3, 9},
                                       {TRACK_MAP, 2, 9},  {TRACK_UNMAP, 2, 9}, {TRACK_DROP, 1, 0}, {TRACK_MOVE, 0, 0}};
    static const uint64_t pages[TRACK_KINDS] = {5, 3, 2, 6, 4, 5, 5};
    (void)state;
    page_in(0, 0, 1, SEGMENT1 + 4 * PAGE);
    assert_int_equal(track_counts(track).operation_count, 0); /* half of it is there */
    page_in(0, 1, 1, SEGMENT1 + 5 * PAGE);
    fill(SEGMENT2, PAGE, PATTERN + 1);
    fill(SEGMENT2 + PAGE, 2 * PAGE, PATTERN + 1);
    map(3, 0, 2, 7);
    unmap(7, 1);
    unmap(8, 1);
    copy(SEGMENT1 + 4 * PAGE, SEGMENT1 + 9 * PAGE, PAGE);
    copy(SEGMENT1 + 5 * PAGE, SEGMENT1 + 10 * PAGE, PAGE);
    page_out(0, 0, 2, SEGMENT1 + 9 * PAGE);
    page_in(2, 0, 1, SEGMENT1 + 5 * PAGE);
    page_in(0, 0, 2, SEGMENT1 + 4 * PAGE);    /* over surface 2; its own old content is dropped too */
    page_in(OWN, 0, 1, SEGMENT1 + 20 * PAGE); /* the replay's own is not told */
    map(3, 0, 2, 8);
    map(2, 0, 1, 9); /* over the second page of surface 3 */
    unmap(9, 1);
    copy(SEGMENT1 + 4 * PAGE, SEGMENT2, 2 * PAGE); /* over surface 1 */
    paging(PKT_NOP, 0, 0, 0);
    paging(PKT_TOUCH, 0, 0, 0);
    track_end(track);
    page_in(2, 0, 1, SEGMENT1); /* nobody listens any more */
    expect_operations(told, sizeof told / sizeof *told);
    for (uint32_t kind = 0; kind < TRACK_KINDS; kind++) assert_int_equal(track_counts(track).pages[kind], pages[kind]);
}

/* A portion that runs on after another of the same buffer; who waits for whom, and who wrote what. */
static void test_runs(void **state)
{
    (void)state;
    assert_true(track_expect(track, &job));
    page_in(0, 0, 2, SEGMENT1 + 4 * PAGE);
    fence(1, 70);
    wait_for(0, 70);
    uint64_t first_cycle = cycle;
    run(0x400, 0, 32, 100);
    page_out(0, 0, 2, SEGMENT1 + 4 * PAGE); /* step 0 only reads it, but the buffer may write */
    run(0x400, 32, 80, 101);
    wait_for(1, 101);
    page_in(1, 0, 3, SEGMENT2 + 8 * PAGE);
    page_in(0, 0, 2, SEGMENT1 + 4 * PAGE);
    fence(1, 71);
    if (track_problem(track) != NULL) fail_msg("%s", track_problem(track));
    const struct track_run *runs = track_runs(track);
    const struct track_operation *operations = track->operations.items;
    assert_int_equal(track_counts(track).run_count, 2);
    assert_true(runs[0].begins_submission && !runs[1].begins_submission);
    assert_int_equal(runs[0].begin_cycle, first_cycle);
    assert_int_equal(runs[0].end_cycle, first_cycle + 7);
    assert_int_equal(runs[0].fence, 100);
    assert_int_equal(runs[1].fence, 101);
    assert_int_equal(runs[0].first_step, 0);
    assert_int_equal(runs[0].step_count, 1);
    assert_int_equal(runs[1].first_step, 1);
    assert_int_equal(runs[1].step_count, 2);
    assert_int_equal(runs[0].wait_operation, 0);
    assert_int_equal(runs[0].operations_done, 1);
    assert_int_equal(steps_count, 2);
    assert_int_equal(steps_seen[0][0], 0);
    assert_int_equal(steps_seen[0][1], 1);
    assert_int_equal(steps_seen[1][0], 1);
    assert_int_equal(steps_seen[1][1], 2);
    assert_int_equal(operations[0].wait_run, -1);
    assert_int_equal(operations[0].runs_done, 0);
    assert_int_equal(operations[1].runs_done, 1);
    assert_int_equal(operations[2].wait_run, 1);
    assert_int_equal(operations[2].paging_ordinal, 1);
    assert_int_equal(track_counts(track).dirty_out, 2);
    assert_int_equal(track_counts(track).clean_out, 0);
    assert_int_equal(track_counts(track).clean_out_by_step, 2);
    page_out(0, 0, 2, SEGMENT1 + 4 * PAGE); /* nothing has run since it came */
    assert_int_equal(track_counts(track).clean_out, 2);
    assert_int_equal(track_counts(track).clean_out_by_step, 4);
    assert_true(track_expect(track, &job));
    assert_int_equal(track_abandon(track, &job), 0);
    assert_true(track_expect(track, &job));
    run(0x800, 0, 48, 102); /* step 1 writes surface 0 */
    assert_int_equal(track_abandon(track, &job), 2);
    assert_int_equal(track_abandon(track, &job), 3); /* it is not expected: it had run to its end */
    page_out(0, 0, 2, SEGMENT1 + 4 * PAGE);
    assert_int_equal(track_counts(track).dirty_out, 4);
    assert_int_equal(track_counts(track).clean_out_by_step, 4);
    wait_for(1, 100); /* an older one takes nothing back */
    wait_for(0, 71);
    wait_for(0, 70);
    page_out(1, 0, 3, SEGMENT2 + 8 * PAGE);
    const struct track_operation *newest = track->operations.items;
    assert_int_equal(newest[track_counts(track).operation_count - 1u].wait_run, 1);
    assert_int_equal(track->render_wait, 4);
    assert_null(track_problem(track));
}

/* ------------------------------------------------------------------ what cannot be */

static void foreign_page(void) { paging(PKT_COPY_LIST, SEGMENT1, PAGE, GPU_LIMIT(ADDR_SYSTEM) + FOREIGN); }
static void unreadable_list(void) { paging(PKT_COPY_LIST, SEGMENT1, PAGE, GPU_LIMIT(ADDR_SYSTEM) + FOREIGN + 4); }
static void place_between_pages(void) { page_in(0, 0, 2, SEGMENT1 + 8); }
static void list_and_aperture(void) { page_in(0, 0, 2, APERTURE); }
static void copy_from_system(void) { copy(GPU_LIMIT(ADDR_SYSTEM), SEGMENT1, PAGE); }
static void copy_to_aperture(void) { copy(SEGMENT1, APERTURE, PAGE); }
static void move_of_nothing(void) { copy(SEGMENT1 + 5 * PAGE, SEGMENT1, PAGE); }
static void fill_of_nothing(void) { fill(SEGMENT1, PAGE, PATTERN + SURFACES); }
static void fill_of_aperture(void) { fill(APERTURE, PAGE, PATTERN); }
static void fill_with_gap(void) { fill(SEGMENT1, PAGE, PATTERN + 1), fill(SEGMENT1 + 2 * PAGE, PAGE, PATTERN + 1); }
static void fill_too_long(void) { fill(SEGMENT1, 3 * PAGE, PATTERN); }
static void one_inside_another(void) { page_in(0, 0, 1, SEGMENT1), page_in(2, 0, 1, SEGMENT2); }
static void place_behind_end(void) { page_in(0, 0, 2, SEGMENT1 + (TRACK_SPACE_PAGES - 1) * PAGE); }
static void out_of_nowhere(void) { page_out(0, 0, 2, SEGMENT1); }
static void out_of_elsewhere(void) { page_in(0, 0, 2, SEGMENT1), page_out(0, 0, 2, SEGMENT1 + PAGE); }
static void out_of_other_segment(void) { page_in(0, 0, 2, SEGMENT1), page_out(0, 0, 2, SEGMENT2); }
static void map_of_foreign(void) { paging(PKT_MAP_LIST, 0, 1, GPU_LIMIT(ADDR_SYSTEM) + FOREIGN); }
static void unmap_of_nothing(void) { map(2, 0, 1, 2), unmap(2, 2); }
static void end_inside(void) { page_in(0, 0, 1, SEGMENT1), track_end(track); }
static void of_frames(void) { paging(PKT_MAP, 0, 1, 10); }
static void in_rows(void) { paging(PKT_COPY_2D, 0, 0, 0); }
static void in_tiles(void) { paging(PKT_TILE, 0, 0, 0); }
static void of_a_page_given_back(void) { track_disown(track, 2), page_in(2, 0, 1, SEGMENT1); }
static void run_of_nobody(void) { run(0x400, 0, 80, 100); }
static void run_twice(void) { track_expect(track, &job), run(0x400, 0, 80, 100), run(0x400, 0, 80, 101); }
static void run_elsewhere(void) { track_expect(track, &job), run(0x400, 0, 32, 100), run(0x600, 32, 80, 101); }
static void run_from_the_middle(void) { track_expect(track, &job), run(0x400, 32, 80, 100); }
static void run_between_steps(void) { track_expect(track, &job), run(0x400, 0, 16, 100), run(0x400, 16, 32, 101); }
static void run_cut_short(void)
{
    track_expect(track, &job);
    packet(0, 0, PKT_RUN, 0x400, 32, 0);
    packet(0, 0x400, words[0], 0x10004000, words[2], words[3]);
    fence(0, 100);
}
static void run_with_another_word(void)
{
    track_expect(track, &job);
    packet(0, 0, PKT_RUN, 0x400, 32, 0);
    packet(0, 0x400, words[0], 0x10004000, words[2], words[3]);
    packet(0, 0x410, words[4], words[5], words[6], words[7] ^ 1u);
    fence(0, 100);
}
static void run_with_a_foreign_packet(void)
{
    packet(0, 0, PKT_RUN, 0x400, 32, 0), packet(0, 0x400, PKT_COPY, 0, 0, 0);
}
static void run_with_a_gap(void) { packet(0, 0, PKT_RUN, 0x400, 32, 0), packet(0, 0x410, PKT_BIND, 0, 0, 0); }
/* Packets of 16 bytes up to the end of what a buffer may have, and one more. */
static void run_too_long(void)
{
    packet(0, 0, PKT_RUN, 0x400, LIMIT_BITS_DMA_BYTES + 16, 0);
    for (uint32_t at = 0; at <= LIMIT_BITS_DMA_BYTES; at += 16u) packet(0, 0x400 + at, PKT_BIND, 0, 0, 0);
    fence(0, 100);
}
/* What the node executes after the run, at its very end and further on, is not the run's. */
static void run_and_what_follows(void)
{
    track_expect(track, &job);
    packet(0, 0, PKT_RUN, 0x400, 32, 0);
    packet(0, 0x400, words[0], 0x10004000, words[2], words[3]);
    packet(0, 0x410, words[4], words[5], words[6], words[7]);
    packet(0, 0x420, PKT_GUARD, 0, 0, 0);
    packet(0, 0x430, PKT_GUARD, 0, 0, 0);
    packet(0, 0x3f0, PKT_GUARD, 0, 0, 0); /* and before it */
    fence(0, 100);
    assert_null(track_problem(track));
    assert_int_equal(track_counts(track).run_count, 1);
    of_frames();
}

static void test_complaints(void **state)
{
    static const struct {
        void (*act)(void);
        const char *words;
    } cases[] = {
        {foreign_page, "used system page 99, which belongs to no allocation"},
        {unreadable_list, "used system page 4294967295,"},
        {place_between_pages, "used system page 10,"},
        {list_and_aperture, "copied between a page list and 0x3"},
        {copy_from_system, "copied from 0x80000000 to 0x10000000"},
        {copy_to_aperture, "copied from 0x10000000 to 0x3"},
        {move_of_nothing, "moved page 5 of segment 1, which is empty"},
        {fill_of_nothing, "filled 0x10000000 with a pattern"},
        {fill_of_aperture, "filled 0x3"},
        {fill_with_gap, "the fill of allocation 1 has a gap"},
        {fill_too_long, "on allocation 0 moved more than the allocation"},
        {one_inside_another, "on allocation 0 was not finished"},
        {place_behind_end, "allocation 0 was placed outside of segment 1"},
        {out_of_nowhere, "allocation 0 was copied out of a place where it is not"},
        {out_of_elsewhere, "allocation 0 was copied out of a place where it is not"},
        {out_of_other_segment, "allocation 0 was copied out of a place where it is not"},
        {map_of_foreign, "system page 99 was mapped"},
        {unmap_of_nothing, "page 3 of the aperture was unmapped, which is not mapped"},
        {end_inside, "on allocation 0 was not finished"},
        {of_frames, "executed packet 0x05"},
        {in_rows, "executed packet 0x12"},
        {in_tiles, "executed packet 0x13"},
        {of_a_page_given_back, "used system page 30,"},
        {run_of_nobody, "executed 80 bytes that do not continue a submitted buffer"},
        {run_twice, "executed 80 bytes that do not continue a submitted buffer"},
        {run_elsewhere, "executed 48 bytes that do not continue a submitted buffer"},
        {run_from_the_middle, "executed 48 bytes that do not continue a submitted buffer"},
        {run_between_steps, "a portion of buffer 0 ends inside of a step"},
        {run_cut_short, "a portion of 32 bytes ended after 16 bytes"},
        {run_with_another_word, "executed 32 bytes that do not continue a submitted buffer"},
        {run_with_a_foreign_packet, "executed a packet 0x10 that was not submitted"},
        {run_with_a_gap, "executed a packet 0x20 that was not submitted"},
        {run_too_long, "bytes ended after"},
        {run_and_what_follows, "executed packet 0x05"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i != 0) end(state), begin(state);
        cases[i].act();
        const char *problem = track_problem(track);
        if (problem == NULL || strstr(problem, cases[i].words) == NULL)
            fail_msg("'%s' is not said, but '%s'", cases[i].words, problem != NULL ? problem : "nothing");
        for (uint32_t k = 0; k < steps_count; k++) assert_true(steps_seen[k][0] < 3 && steps_seen[k][1] <= 3);
        char kept[256];
        memcpy(kept, track->problem, sizeof kept);
        of_frames(), map_of_foreign();
        assert_string_equal(track_problem(track), kept); /* the first one matters */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_operations, begin, end),
                                       cmocka_unit_test_setup_teardown(test_runs, begin, end),
                                       cmocka_unit_test_setup_teardown(test_complaints, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
