/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the pairing of words and entries does not depend on where they lie, a finished job contains what the host
 * submitted, and the longest are judged as the others (DMA-11). Method: every position instead of chosen cases (those
 * are in test_validate.c).
 */
#include "check.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1, SLOT_2 };

/* ------------------------------------------------------------------ positions */

/* Goal: pairing of address words and entries does not depend on where a packet lies. Method: one COPY after
 * any number of NOPs, sound, then without its last entry, then with that entry one word further on. */
static void every_position(void)
{
    for (uint32_t nops = 0; nops < 200; nops++) {
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_A), true);
        for (uint32_t i = 0; i < nops; i++) submission_nop(&submission);
        submission_copy(&submission, 0, at(0, 0, 0), at(0, 1, 2048), 64);
        submission_nop(&submission);
        submission_end(&submission);
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK(verdict.is_accepted);
        submission.message[MSG_SUBMIT_PATCH_COUNT] = 1;
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK_EQUAL(verdict.why.status, STATUS_UNPATCHED_ADDRESS);
        CHECK_EQUAL(verdict.why.detail, (nops + 2) * 4);
        submission.message[MSG_SUBMIT_PATCH_COUNT] = 2;
        *submission_patch(&submission, 1, PATCH_PATCH_OFFSET) += 4;
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK_EQUAL(verdict.why.status, STATUS_BAD_PATCH_OFFSET);
        CHECK_EQUAL(verdict.why.detail, 1);
    }
}

/* Goal: a patch location in a word that takes no address is refused wherever that word lies. Method: every word of a
 * BLIT, the longest packet, after any number of NOPs. */
static void every_stray_patch(void)
{
    CASE("DMA-11");
    for (uint32_t nops = 0; nops < 70; nops++)
        for (uint32_t word = 0; word < PKT_BLIT_WORDS; word++) {
            submission_begin(&submission);
            submission_list(&submission, bench_handle(BENCH_A), true);
            for (uint32_t i = 0; i < nops; i++) submission_nop(&submission);
            for (uint32_t i = 0; i < PKT_BLIT_WORDS; i++) submission_word(&submission, i == 0 ? PKT_BLIT : 0);
            submission_copy(&submission, 0, at(0, 0, 0), at(0, 1, 2048), 64);
            *submission_patch(&submission, 1, PATCH_PATCH_OFFSET) = (nops + word) * 4;
            submission_end(&submission);
            bench_submit(&submission, PATCH_LIMIT, &verdict);
            CHECK(!verdict.is_accepted);
            CHECK_EQUAL(verdict.why.status, STATUS_BAD_PATCH_OFFSET);
            CHECK_EQUAL(verdict.why.detail, 1);
        }
}

/* ------------------------------------------------------------------ what a finished job contains */

/* Goal: the job carries the submission's numbers and the copy its words. Method: field by field. */
static void job_contents(void)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_list(&submission, bench_handle(BENCH_C), true);
    submission_nop(&submission);
    submission_bind(&submission, at(2, SLOT_0, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_fill_rect(&submission, SLOT_0, 0, 0, 32, 8, 0xf800);
    submission_copy(&submission, 0, at(0, SLOT_1, 8), at(1, SLOT_2, 16), 1024);
    submission_end(&submission);
    submission.message[MSG_SUBMIT_FLAGS] = 1;
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(verdict.job.tag, submission.message[1]);
    CHECK_EQUAL(verdict.job.context, BENCH_CONTEXT);
    CHECK_EQUAL(verdict.job.dma_offset, BENCH_DMA_OFFSET);
    CHECK_EQUAL(verdict.job.dma_words, 13);
    CHECK_EQUAL(verdict.job.flags, 1);
    CHECK_EQUAL(verdict.job.patch_count, 3);
    CHECK(verdict.job.patches == verdict.room);
    static const struct patch expected[3] = {
        {BENCH_C, 2, 1, 1, {0}, SLOT_0, PATCH_WRITE, 0},
        {BENCH_A, 10, 0, 9, {0}, SLOT_1, 0, 8},
        {BENCH_B, 11, 1, 9, {0}, SLOT_2, PATCH_WRITE, 16},
    };
    for (uint32_t i = 0; i < 3; i++) {
        const struct patch *patch = &verdict.room[i];
        CHECK_EQUAL(patch->allocation, expected[i].allocation);
        CHECK_EQUAL(patch->patch_word, expected[i].patch_word);
        CHECK_EQUAL(patch->is_written, expected[i].is_written);
        CHECK_EQUAL(patch->split_word, expected[i].split_word);
        CHECK_EQUAL(patch->slot, expected[i].slot);
        CHECK_EQUAL(patch->flags, expected[i].flags);
        CHECK_EQUAL(patch->offset, expected[i].offset);
    }
    for (uint32_t word = 0; word < submission.dma_words; word++)
        if (word != 2 && word != 10 && word != 11)
            CHECK_EQUAL(bench_command[BENCH_DMA_OFFSET / 4 + word], submission.dma[word]);
}

/* Goal: the largest job passes, with list order unlike buffer order. Method: 1024 FILLs, all 1024 entries
 * with split 0 in reverse order of their words; one entry of room less is BUSY. */
static void largest_job(void)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_D), true);
    for (uint32_t i = 0; i < PATCH_LIMIT; i++) {
        submission_fill(&submission, (struct reference){0, i % 64u, i * 4u, 0}, 4, i);
        for (uint32_t n = 0; n < 4; n++) submission_nop(&submission);
    }
    for (uint32_t i = 0; i < PATCH_LIMIT; i++) {
        *submission_patch(&submission, i, PATCH_PATCH_OFFSET) = ((PATCH_LIMIT - 1u - i) * 8u + 1u) * 4u;
        *submission_patch(&submission, i, PATCH_ALLOCATION_OFFSET) = bench_bytes(BENCH_D) - 4u - i * 4u;
    }
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT - 1, &verdict);
    CHECK(!verdict.is_accepted);
    CHECK_EQUAL(verdict.why.status, STATUS_BUSY);
    CHECK_EQUAL(verdict.why.detail, MSG_SUBMIT_PATCH_COUNT);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(verdict.job.dma_words, DMA_WORD_LIMIT);
    CHECK_EQUAL(verdict.room[1023].patch_word, 1);
}

/* Goal: a walk whose examination was given up is not taken for that of the next job, which nothing but its own words
 * decide. Method: a job that is sound is given up while it is walked; then one that is not, and a sound one. */
static void walk_given_up(void)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_0, 0), FORMAT_RGB565, 128, 8192);
    submission_fill_rect(&submission, SLOT_0, 0, 0, 1, 1, 0);
    submission_end(&submission);
    bench_abandon(&submission);
    submission.dma[PKT_BIND_WORDS] += 1u << PKT_FILL_RECT_TARGET_LSB; /* a slot that is not bound */
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(!verdict.is_accepted);
    CHECK_EQUAL(verdict.why.status, STATUS_UNBOUND_SLOT);
    submission.dma[PKT_BIND_WORDS] -= 1u << PKT_FILL_RECT_TARGET_LSB;
    bench_abandon(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
}

int main(void)
{
    bench_reset();
    CHECK_RUN(job_contents);
    CHECK_RUN(largest_job);
    CHECK_RUN(walk_given_up);
    CHECK_RUN(every_position);
    CHECK_RUN(every_stray_patch);
    return check_finish();
}
