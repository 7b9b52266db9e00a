/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the rules of the packet table hold for every opcode, bit and mode, the largest and the longest
 * accesses are judged right, and a finished job contains what the host submitted (DMA-11, DMA-12, SPL-04).
 * Method: exhaustive loops over spec/gpu.def instead of chosen cases (those are in test_validate.c); the
 * masks and the table of legal BLITs are derived here, by other means than the firmware's.
 */
#include <string.h>

#include "check.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1, SLOT_2 };

/* ------------------------------------------------------------------ over the whole table */

enum { ROWS = 256, WORDS = 8 };
enum { PRIVILEGE_USER = 1, PRIVILEGE_RING = 2 };
static const uint8_t words_of[ROWS] = {
#define PKT(name, opcode, words, privilege, doc) [opcode] = words,
#include "gpu.def"
};
static const uint8_t privilege_of[ROWS] = {
#define PKT(name, opcode, words, privilege, doc) [opcode] = PRIVILEGE_##privilege,
#include "gpu.def"
};

/* A bit of a packet that belongs to no field. */
static bool is_reserved(uint32_t opcode, uint32_t word, uint32_t bit)
{
    if (word == 0 && bit < 8) return false;
#define PKT_FIELD(pkt, index, name, lsb, width, kind, doc) \
    if (opcode == PKT_##pkt && word == (index) && bit - (uint32_t)(lsb) < (width)) return false;
#include "gpu.def"
    return true;
}

/* Goal: no opcode but the user packets passes. Method: all 256, as the second packet, with enough words. */
static void every_opcode(void)
{
    CASE("DMA-11, DMA-15");
    for (uint32_t opcode = 0; opcode < ROWS; opcode++) {
        enum gpu_status expected = words_of[opcode] == 0                    ? STATUS_BAD_OPCODE
                                   : privilege_of[opcode] == PRIVILEGE_RING ? STATUS_PRIVILEGED
                                                                            : STATUS_OK;
        submission_begin(&submission);
        submission_nop(&submission);
        submission_word(&submission, opcode);
        for (uint32_t i = 1; i < WORDS; i++) submission_word(&submission, 0);
        submission_end(&submission);
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        if (expected != STATUS_OK) {
            CHECK(!verdict.is_accepted);
            CHECK_EQUAL(verdict.why.status, expected);
            CHECK_EQUAL(verdict.why.detail, 4);
        } else {
            CHECK(verdict.is_accepted ||
                  (verdict.why.status != STATUS_BAD_OPCODE && verdict.why.status != STATUS_PRIVILEGED));
        }
    }
}

/* Goal: every reserved bit of every user packet is checked, and no other bit is. Method: one bit at a time. */
static void every_reserved_bit(void)
{
    CASE("DMA-15");
    for (uint32_t opcode = 0; opcode < ROWS; opcode++)
        for (uint32_t word = 0; privilege_of[opcode] == PRIVILEGE_USER && word < words_of[opcode]; word++)
            for (uint32_t bit = word == 0 ? 8 : 0; bit < 32; bit++) {
                submission_begin(&submission);
                for (uint32_t i = 0; i < words_of[opcode]; i++)
                    submission_word(&submission, (i == 0 ? opcode : 0) | (i == word ? 1u << bit : 0));
                submission_end(&submission);
                bench_submit(&submission, PATCH_LIMIT, &verdict);
                bool is_refused_for_it = !verdict.is_accepted && verdict.why.status == STATUS_RESERVED_BITS;
                CHECK_EQUAL(is_refused_for_it, is_reserved(opcode, word, bit));
                if (is_refused_for_it) CHECK_EQUAL(verdict.why.detail, word * 4u);
            }
}

/* Goal: a buffer that ends anywhere inside a packet is refused at that packet. Method: every user packet,
 * every number of missing words. */
static void every_truncation(void)
{
    CASE("DMA-11, DMA-15");
    for (uint32_t opcode = 0; opcode < ROWS; opcode++)
        for (uint32_t words = 1; privilege_of[opcode] == PRIVILEGE_USER && words < words_of[opcode]; words++) {
            submission_begin(&submission);
            submission_nop(&submission);
            for (uint32_t i = 0; i < words; i++) submission_word(&submission, i == 0 ? opcode : 0);
            submission_end(&submission);
            bench_submit(&submission, PATCH_LIMIT, &verdict);
            CHECK(!verdict.is_accepted);
            CHECK_EQUAL(verdict.why.status, STATUS_TRUNCATED);
            CHECK_EQUAL(verdict.why.detail, 4);
        }
}

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
    CHECK_RUN(every_opcode);
    CHECK_RUN(every_reserved_bit);
    CHECK_RUN(every_truncation);
    CHECK_RUN(every_blit_mode);
    CHECK_RUN(job_contents);
    CHECK_RUN(write_marks_spread);
    CHECK_RUN(written_is_what_a_packet_writes);
    CHECK_RUN(largest_job);
    CHECK_RUN(bindings_end_with_the_buffer);
    CHECK_RUN(largest_drawing);
    CHECK_RUN(walk_given_up);
    CHECK_RUN(huge_extents);
    CHECK_RUN(every_position);
    CHECK_RUN(every_stray_patch);
    return check_finish();
}
