/* SPDX-License-Identifier: Apache-2.0
 *
 * The packet table as the validator has it. Goal: each opcode, each bit that no field owns, and each length is judged
 * as spec/gpu.def says. Method: loops over all of them; the masks are derived here by other means. DMA-11, DMA-15.
 */
#include "check.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;

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

int main(void)
{
    bench_reset();
    CHECK_RUN(every_opcode);
    CHECK_RUN(every_reserved_bit);
    CHECK_RUN(every_truncation);
    return check_finish();
}
