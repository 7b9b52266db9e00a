/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a PALETTE is let through exactly when its 1,024 bytes lie in the allocation, at a multiple of 256; a draw takes
 * colours of INDEX8 only after a PALETTE with no split point between, whoever's palette the node may still hold; each
 * refusal names its status and the packet. Method: cases at either side of each bound, written out; every mode, flag
 * and pair of formats against the golden model's table.
 */
#include "check.h"
#include "job_bench.h"
#include "pixel_model.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1, SLOT_2, SLOT_3 };

static void begin(uint32_t from, uint32_t to)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_1, 0), from, 64, 4096);
    submission_bind(&submission, at(1, SLOT_0, 0), to, 128, 8192);
}

static uint32_t draw(uint32_t mode, uint32_t flags)
{
    return submission_blit(
        &submission,
        (struct blit){
            .mode = mode, .flags = flags, .target = SLOT_0, .source = SLOT_1, .width = 8, .height = 8, .value = 0xffu});
}

static void expect(enum gpu_status status, uint32_t detail)
{
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, status);
    CHECK_EQUAL(verdict.why.detail, detail);
}

static void places(void)
{
    const uint32_t most = bench_bytes(BENCH_A) - 1024u;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t offset = (uint32_t[]){0, most, most + 256u, 128}[i];
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_A), false);
        const uint32_t packet = submission_palette(&submission, at(0, SLOT_2, offset));
        expect((enum gpu_status[]){STATUS_OK, STATUS_OK, STATUS_EXTENT, STATUS_BAD_OPERAND}[i], i < 2 ? 0 : packet);
        if (i == 0) CHECK_EQUAL(verdict.room[0].traffic, 4);
        if (i == 0) CHECK_EQUAL(verdict.room[0].is_written, 0);
    }
    submission_begin(&submission);
    submission_list(&submission, 0, false);
    submission_palette(&submission, at(0, SLOT_2, 0));
    expect(STATUS_NULL_ALLOCATION, 0);
}

/* There, missing, of the portion before, and loaded again. */
static void portions(void)
{
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    expect(STATUS_OK, 0);
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    expect(STATUS_NO_PALETTE, draw(BLIT_COPY, 0));
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    submission_palette(&submission, at(0, SLOT_2, 0));
    (void)draw(BLIT_COPY, 0);
    (void)draw(BLIT_BLEND, 0);
    expect(STATUS_OK, 0);
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    struct reference early = at(0, SLOT_2, 0);
    early.split_offset = 16; /* needed from the second BIND on */
    submission_palette(&submission, early);
    (void)draw(BLIT_COPY, 0);
    expect(STATUS_OK, 0);
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    submission_palette(&submission, at(0, SLOT_2, 0));
    submission_bind(&submission, at(0, SLOT_3, 0), FORMAT_RGB565, 64, 4096);
    expect(STATUS_NO_PALETTE, draw(BLIT_COPY, 0));
    begin(FORMAT_INDEX8, FORMAT_ARGB8888);
    submission_palette(&submission, at(0, SLOT_2, 0));
    submission_bind(&submission, at(0, SLOT_3, 0), FORMAT_RGB565, 64, 4096);
    submission_palette(&submission, at(0, SLOT_2, 0));
    (void)draw(BLIT_COPY, 0);
    expect(STATUS_OK, 0);
    /* A DMA buffer has none of the one before. */
    begin(FORMAT_INDEX8, FORMAT_RGB565);
    expect(STATUS_NO_PALETTE, draw(BLIT_KEY, 0));
    /* Bytes that are moved have no colours. */
    begin(FORMAT_INDEX8, FORMAT_INDEX8);
    (void)draw(BLIT_COPY, 0);
    (void)draw(BLIT_ROP, 0);
    expect(STATUS_OK, 0);
    begin(FORMAT_ARGB8888, FORMAT_INDEX8);
    expect(STATUS_BAD_OPERAND, draw(BLIT_COPY, 0));
}

static void formats(void)
{
    for (uint32_t i = 0; i < 8u * 8u * 8u * 4u; i++) {
        const uint32_t mode = i & 7u, from = i / 8u % 8u, to = i / 64u % 8u, flags = i / 512u << PKT_BLIT_KEYED_LSB;
        begin(from, to);
        submission_palette(&submission, at(0, SLOT_2, 0));
        const uint32_t packet = draw(mode, flags);
        const bool is_legal = pixel_blit_is_legal(submission.dma[packet / 4u], from, to);
        expect(is_legal ? STATUS_OK : STATUS_BAD_OPERAND, is_legal ? 0 : packet);
    }
}

/* A palette takes as long as 2,048 bytes. */
static void work(void)
{
    for (uint32_t i = 0; i < 2; i++) {
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_HUGE), true);
        for (uint32_t left = GPU_LIMIT(DMA_WORK_BYTES) - 2048u + i, bytes; left != 0; left -= bytes) {
            bytes = min_u32(left, bench_bytes(BENCH_HUGE));
            submission_fill(&submission, at(0, SLOT_1, 0), bytes, 0);
        }
        const uint32_t packet = submission_palette(&submission, at(0, SLOT_2, 0));
        expect(i == 0 ? STATUS_OK : STATUS_WORK_LIMIT, i == 0 ? 0 : packet);
    }
}

int main(void)
{
    bench_reset();
    CHECK_RUN(places);
    CHECK_RUN(portions);
    CHECK_RUN(formats);
    CHECK_RUN(work);
    return check_finish();
}
