/* SPDX-License-Identifier: Apache-2.0
 *
 * What packets may touch. Goal: exactly the legal draws pass, what is written is what a packet writes, bindings end
 * with their buffer, and the largest extents are judged right (DMA-12, SPL-04). Method: all modes, flags and pairs of
 * formats against docs/pixels.md; small jobs beside what they must say of each entry.
 */
#include <string.h>

#include "check.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1, SLOT_2 };

/* The modes legal from one format to another, in words of docs/pixels.md: forward without flags, with KEYED, with
 * COLOURED, and with REVERSE. */
struct legal_modes {
    const char *plain, *keyed, *coloured, *reverse;
};

static struct legal_modes legal_modes(uint32_t source, uint32_t target)
{
    bool is_same = source == target;
    const char *reverse = is_same ? "C" : "";
    if (source == FORMAT_BYTES || target == FORMAT_BYTES || target == FORMAT_A8)
        return (struct legal_modes){is_same ? "CR" : "", "", "", reverse};
    if (source == FORMAT_A8) return (struct legal_modes){"CBAM", "", "CBAM", ""};
    return (struct legal_modes){is_same && source != FORMAT_RGB888 ? "CKBRAM" : "CKBAM", "CBAM", "CBAM", reverse};
}

/* Goal: exactly the legal combinations of mode, flags, formats and REVERSE pass. Method: all of them against the
 * tables above. */
static void every_blit_mode(void)
{
    static const char letters[] = "CKBRAM";
    for (uint32_t formats = 0; formats < 49; formats++)
        for (uint32_t mode = 0; mode < 8; mode++)
            for (uint32_t flags = 0; flags < 8; flags++) {
                uint32_t source = formats / 7, target = formats % 7;
                bool is_keyed = flags & 1u, is_coloured = flags & 2u, is_reverse = flags & 4u;
                submission_begin(&submission);
                submission_list(&submission, bench_handle(BENCH_A), true);
                submission_bind(&submission, at(0, SLOT_1, 0), source, 16, 64);
                submission_bind(&submission, at(0, SLOT_0, 128), target, 16, 64);
                struct blit blit = {.mode = mode, .target = SLOT_0, .source = SLOT_1, .width = 2, .height = 2};
                blit.flags = FIELD_PUT(is_reverse, PKT_BLIT_REVERSE) | FIELD_PUT(is_keyed, PKT_BLIT_KEYED) |
                             FIELD_PUT(is_coloured, PKT_BLIT_COLOURED);
                submission_blit(&submission, blit);
                submission_end(&submission);
                bench_submit(&submission, PATCH_LIMIT, &verdict);
                struct legal_modes legal = legal_modes(source, target);
                bool is_legal = mode < 6 && strchr(legal.plain, letters[mode]) != NULL &&
                                (!is_keyed || strchr(legal.keyed, letters[mode]) != NULL) &&
                                (!is_coloured || strchr(legal.coloured, letters[mode]) != NULL) &&
                                (!is_reverse || (strchr(legal.reverse, letters[mode]) != NULL && flags == 4u));
                CHECK_EQUAL(verdict.is_accepted, is_legal);
                if (!is_legal) {
                    CHECK_EQUAL(verdict.why.status, STATUS_BAD_OPERAND);
                    CHECK_EQUAL(verdict.why.detail, 32);
                }
            }
}

/* Goal: DMA-12, WriteOperation counts for the allocation in the whole buffer. Method: A is listed twice and
 * written through the second entry only; the entry that reads it must carry the mark, B's read must not. What is
 * written is known by packet all the same: through the second and the fourth entry. */
static void write_marks_spread(void)
{
    CASE("DMA-12");
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_A), true);
    submission_list(&submission, bench_handle(BENCH_B), false);
    submission_list(&submission, bench_handle(BENCH_C), true);
    submission_copy(&submission, 0, at(0, 0, 0), at(3, 1, 0), 4);
    submission_copy(&submission, 0, at(2, 2, 0), at(1, 3, 0), 4);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(verdict.room[0].flags, PATCH_WRITE);
    CHECK_EQUAL(verdict.room[1].flags, PATCH_WRITE);
    CHECK_EQUAL(verdict.room[2].flags, 0);
    CHECK_EQUAL(verdict.room[3].flags, PATCH_WRITE);
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(verdict.room[i].is_written, i % 2u);
}

/* Goal: content is dirty when a packet writes, not when the list allows it. Method: the slots of C, B and A may all be
 * written; a blit writes B, reads C, and A is bound again after a fill: its second entry writes nothing. */
static void written_is_what_a_packet_writes(void)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), true);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_list(&submission, bench_handle(BENCH_C), true);
    submission_bind(&submission, at(2, SLOT_0, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_bind(&submission, at(1, SLOT_1, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_bind(&submission, at(0, SLOT_2, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_blit(&submission, (struct blit){.target = SLOT_1, .source = SLOT_0, .width = 4, .height = 4});
    submission_fill_rect(&submission, SLOT_2, 0, 0, 4, 4, 0);
    submission_bind(&submission, at(0, SLOT_2, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_blit(&submission, (struct blit){.target = SLOT_1, .source = SLOT_2, .width = 4, .height = 4});
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    static const bool expected[4] = {false, true, true, false};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(verdict.room[i].flags, PATCH_WRITE);
        CHECK_EQUAL(verdict.room[i].is_written, expected[i]);
    }
}

/* Goal: SPL-04, nothing is bound at the start of a buffer, whatever the last one bound. Method: bind and
 * draw, then a second buffer that only draws. */
static void bindings_end_with_the_buffer(void)
{
    CASE("SPL-04");
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_0, 0), FORMAT_RGB565, 128, 8192);
    submission_fill_rect(&submission, SLOT_0, 0, 0, 1, 1, 0);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    submission_begin(&submission);
    submission_fill_rect(&submission, SLOT_0, 0, 0, 1, 1, 0);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(!verdict.is_accepted);
    CHECK_EQUAL(verdict.why.status, STATUS_UNBOUND_SLOT);
}

/* Goal: of the largest job that the examiner walks, what it found of every entry is told. Method: 1024 BINDs, every
 * third of them drawn into; each entry is as the firmware alone finds it (bench_validate compares), and as drawn. */
static void largest_drawing(void)
{
    const uint64_t before = bench_examined[1];
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_D), true);
    for (uint32_t i = 0; i < PATCH_LIMIT; i++) {
        submission_bind(&submission, at(0, i % 64u, i * 4u), FORMAT_ARGB8888, 64, 64);
        if (i % 3u == 0u) submission_fill_rect(&submission, i % 64u, 0, 0, 1 + i % 16u, 1, i);
        else
            for (uint32_t n = 0; n < PKT_FILL_RECT_WORDS; n++) submission_nop(&submission);
    }
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(bench_examined[1] - before, 1);
    CHECK_EQUAL(verdict.job.dma_words, DMA_WORD_LIMIT);
    for (uint32_t i = 0; i < PATCH_LIMIT; i++) {
        CHECK_EQUAL(verdict.room[i].is_written, i % 3u == 0u);
        CHECK_EQUAL(verdict.room[i].traffic, i % 3u == 0u);
    }
}

/* Goal: 64-bit extents. Method: on an allocation of almost 256 MiB, rectangles and rows on both sides of its
 * last byte, and one whose 32-bit sum would wrap to something small. */
static void huge_extents(void)
{
    const uint32_t bytes = bench_bytes(BENCH_HUGE);
    static const struct {
        uint32_t pitch, y, height;
        bool fits;
    } rows[] = {
        {65535, 0, 4095, true}, {65535, 1, 4096, false}, {65535, 65535, 4, false}, {65535, 65535, 65535, false},
        {65535, 0, 0, true},    {4096, 65534, 1, true},  {4096, 65535, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_HUGE), true);
        submission_bind(&submission, at(0, 0, 0), FORMAT_ARGB8888, rows[i].pitch, bytes);
        submission_fill_rect(&submission, 0, 0, rows[i].y, 1024, rows[i].height, 0);
        submission_end(&submission);
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK_EQUAL(verdict.is_accepted, rows[i].fits);
    }
}

int main(void)
{
    bench_reset();
    CHECK_RUN(every_blit_mode);
    CHECK_RUN(write_marks_spread);
    CHECK_RUN(written_is_what_a_packet_writes);
    CHECK_RUN(bindings_end_with_the_buffer);
    CHECK_RUN(largest_drawing);
    CHECK_RUN(huge_extents);
    return check_finish();
}
