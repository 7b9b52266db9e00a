/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: patching writes base + AllocationOffset into the words of its portion (DMA-10), 0 for an unbind, no
 * other word (DMA-07), as often as it is asked to (DMA-06), and counts what was right already.
 * Method: a validated job of the bench; the whole command RAM is compared with an image computed here.
 */
#include <string.h>

#include "check.h"
#include "job_bench.h"
#include "ddi/patch.h"

static struct submission submission;
static struct verdict verdict;
static uint32_t image[BENCH_COMMAND_BYTES / 4];

/* Where an allocation lies, by the number of the move; asks of the wrong allocations fail. */
static uint32_t address_of(const void *context, uint32_t allocation)
{
    const uint32_t *move = context;
    CHECK(allocation == BENCH_A || allocation == BENCH_B || allocation == BENCH_C);
    return GPU_LIMIT(ADDR_SEGMENT2) + *move * 0x10000u + allocation * 0x4000u;
}

/* Three packets at 0, 16 and 32: BIND slot 4 := C + 256 (entry 0, word 1), COPY A + 12 to B + 20 (entries 1
 * and 2, words 5 and 6), unbind slot 4 (entry 3, word 9). The list is in another order than the words. */
static void prepare(void)
{
    bench_reset();
    memset(bench_command, 0xa5, sizeof bench_command);
    submission_begin(&submission);
    submission_list(&submission, 0, false);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_list(&submission, bench_handle(BENCH_C), true);
    submission_bind(&submission, at(3, 4, 256), FORMAT_BYTES, 64, 64);
    submission_copy(&submission, 0, at(1, 1, 12), at(2, 2, 20), 8);
    submission_bind(&submission, at(0, 4, 77), FORMAT_BYTES, 0, 0);
    uint32_t *first = submission_patch(&submission, 1, PATCH_PATCH_OFFSET);
    uint32_t *second = submission_patch(&submission, 2, PATCH_PATCH_OFFSET);
    uint32_t swap = *first; /* entry 1 now patches the target, entry 2 the source */
    *first = *second, *second = swap;
    *submission_patch(&submission, 1, PATCH_ALLOCATION_INDEX) = 2;
    *submission_patch(&submission, 2, PATCH_ALLOCATION_INDEX) = 1;
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    memcpy(image, bench_command, sizeof image);
    CHECK(verdict.is_accepted);
}

static void expect_word(uint32_t word, uint32_t value) { image[BENCH_DMA_OFFSET / 4 + word] = value; }
static bool is_image(void) { return memcmp(image, bench_command, sizeof image) == 0; }

static void whole_list(void)
{
    CASE("DMA-10");
    prepare();
    const uint32_t move = 1;
    uint32_t base = GPU_LIMIT(ADDR_SEGMENT2) + 0x10000u;
    CHECK_EQUAL(job_patch(&verdict.job, 0, 4, address_of, &move), 0);
    expect_word(1, base + BENCH_C * 0x4000u + 256);
    expect_word(6, base + BENCH_B * 0x4000u + 12);
    expect_word(5, base + BENCH_A * 0x4000u + 20);
    expect_word(9, 0);
    CHECK(is_image());
}

/* DMA-07: each single entry changes its own word and no other. */
static void one_entry_at_a_time(void)
{
    CASE("DMA-07");
    prepare();
    const uint32_t move = 2;
    uint32_t base = GPU_LIMIT(ADDR_SEGMENT2) + 0x20000u;
    static const uint32_t words[4] = {1, 6, 5, 9};
    const uint32_t values[4] = {base + BENCH_C * 0x4000u + 256, base + BENCH_B * 0x4000u + 12,
                                base + BENCH_A * 0x4000u + 20, 0};
    for (uint32_t i = 0; i < 4; i++) {
        job_patch(&verdict.job, i, 1, address_of, &move);
        expect_word(words[i], values[i]);
        CHECK(is_image());
    }
    CHECK_EQUAL(job_patch(&verdict.job, 4, 0, address_of, &move), 0);
    CHECK(is_image());
}

/* DMA-06: again with the same addresses (all right already), then with others, then back. */
static void again_and_again(void)
{
    CASE("DMA-06");
    prepare();
    const uint32_t here = 1, there = 3;
    job_patch(&verdict.job, 0, 4, address_of, &here);
    memcpy(image, bench_command, sizeof image);
    CHECK_EQUAL(job_patch(&verdict.job, 0, 4, address_of, &here), 4);
    CHECK(is_image());
    CHECK_EQUAL(job_patch(&verdict.job, 0, 4, address_of, &there), 1); /* the unbind stays right */
    CHECK(!is_image());
    CHECK_EQUAL(job_patch(&verdict.job, 0, 4, address_of, &here), 1);
    CHECK(is_image());
}

/* Pre-patching writes what `address` knows, and 0 for an unbind; it says whether that was all. */
static uint32_t address_before(const void *context, const struct patch *patch)
{
    return patch->allocation == BENCH_B ? 0 : address_of(context, patch->allocation);
}
static uint32_t address_of_entry(const void *context, const struct patch *patch)
{
    return address_of(context, patch->allocation);
}

static void before_the_portion(void)
{
    CASE("DMA-04");
    prepare();
    const uint32_t move = 2;
    uint32_t base = GPU_LIMIT(ADDR_SEGMENT2) + 0x20000u;
    CHECK(!job_prepatch(&verdict.job, 0, verdict.job.patch_count, address_before, &move));
    expect_word(1, base + BENCH_C * 0x4000u + 256);
    expect_word(5, base + BENCH_A * 0x4000u + 20);
    expect_word(9, 0);
    CHECK(is_image());
    CHECK(job_prepatch(&verdict.job, 0, verdict.job.patch_count, address_of_entry, &move));
    CHECK_EQUAL(job_patch(&verdict.job, 0, 4, address_of, &move), 4);
}

/* The driver's Patch: a range that leaves the list, a portion that leaves the buffer, a location before the portion or
 * after the buffer are refused with nothing written; the limits themselves are not. */
static void selection_is_checked(void)
{
    CASE("DMA-07");
    prepare();
    const uint32_t move = 1, bytes = 48;
    static const struct {
        uint32_t start, end, first, count;
        bool is_good;
    } rows[] = {
        {0, 48, 0, 4, true},                      /* the whole list */
        {4, 48, 0, 4, true},                      /* the first location is word 1 */
        {8, 48, 0, 4, false}, {0, 4, 0, 4, true}, /* a location after the portion's end, not after the buffer's */
        {48, 48, 4, 0, true}, {0, 49, 0, 4, false}, {40, 36, 4, 0, false},         {36, 36, 3, 1, true},
        {0, 48, 5, 0, false}, {0, 48, 4, 1, false}, {0, 48, 1, 0xffffffff, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ddi_patch arguments = {.dma_buffer = verdict.job.dma_offset,
                                      .dma_buffer_size = bytes,
                                      .submission_start_offset = rows[i].start,
                                      .submission_end_offset = rows[i].end,
                                      .patch_location_list = verdict.job.patches,
                                      .patch_location_list_size = 4,
                                      .patch_location_list_submission_start = rows[i].first,
                                      .patch_location_list_submission_length = rows[i].count,
                                      .address = address_of,
                                      .context = &move};
        memcpy(image, bench_command, sizeof image);
        CHECK_EQUAL(patch_portion(&arguments), rows[i].is_good);
        if (!rows[i].is_good) CHECK(is_image());
    }
    struct ddi_patch behind = {.dma_buffer = verdict.job.dma_offset,
                               .dma_buffer_size = 36,
                               .submission_end_offset = 36,
                               .patch_location_list = verdict.job.patches,
                               .patch_location_list_size = 4,
                               .patch_location_list_submission_length = 4,
                               .address = address_of,
                               .context = &move};
    CHECK(!patch_portion(&behind)); /* word 9 is the first after a buffer of 36 bytes */
    behind.dma_buffer_size = 40;
    CHECK(patch_portion(&behind));
}

/* Each field of an entry at its least, its largest and in between, beside all others at theirs. */
static void entries_by_words(void)
{
    static const uint32_t allocations[] = {0, 1, 0x7ffe, PATCH_NULL}, offsets[] = {0, 4, 0x8888, 0x1fffc},
                          slots[] = {0, 21, SLOT_LIMIT - 1}, starts[] = {0, 1, 0x1555555, 0x1ffffff};
    for (uint32_t i = 0; i < 4 * 4 * 4 * 3 * 2 * 4; i++) {
        const uint32_t allocation = allocations[i % 4], patch_offset = offsets[i / 4 % 4],
                       split_offset = offsets[i / 16 % 4], slot = slots[i / 64 % 3], start = starts[i / 384];
        const bool may_write = i / 192 % 2 != 0;
        const struct patch patch = patch_of(allocation, patch_offset, split_offset, slot, may_write, start);
        CHECK_EQUAL(patch.allocation, allocation);
        CHECK_EQUAL(patch.patch_word, patch_offset / 4);
        CHECK_EQUAL(patch.is_written, 0);
        CHECK_EQUAL(patch.split_word, split_offset / 4);
        CHECK_EQUAL(patch.traffic, 0);
        CHECK_EQUAL(patch.slot, slot);
        CHECK_EQUAL(patch.flags, may_write ? PATCH_WRITE : 0);
        CHECK_EQUAL(patch.offset, start);
    }
}

int main(void)
{
    CHECK_RUN(entries_by_words);
    CHECK_RUN(selection_is_checked);
    CHECK_RUN(whole_list);
    CHECK_RUN(one_entry_at_a_time);
    CHECK_RUN(again_and_again);
    CHECK_RUN(before_the_portion);
    return check_finish();
}
