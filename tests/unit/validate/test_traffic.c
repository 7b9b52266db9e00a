/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: each patch entry says how much is read and written through it, in TRAFFIC_BYTES, rounded up for each access,
 * without end at the largest number. Method: a buffer for every packet, with sizes that differ in each factor, judged
 * by products that are written out here.
 */
#include "check.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1 };

static void begin(void)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), true);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_list(&submission, bench_handle(BENCH_D), true);
}

/* What the first and the second entry say. */
static void expect(uint32_t first, uint32_t second)
{
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(verdict.room[0].traffic, first);
    if (verdict.job.patch_count > 1) CHECK_EQUAL(verdict.room[1].traffic, second);
}

static void direct_packets(void)
{
    begin();
    submission_copy(&submission, 0, at(0, SLOT_0, 0), at(1, SLOT_1, 0), 1025);
    expect(5, 5);
    begin();
    submission_fill(&submission, at(0, SLOT_0, 0), 1024, 0);
    expect(4, 0);
    begin();
    submission_copy_2d(&submission, 0, at(0, SLOT_0, 0), at(1, SLOT_1, 0), 100, 11, 128, 256);
    expect(5, 5); /* 1,100 bytes */
    begin();
    submission_copy(&submission, 0, at(0, SLOT_0, 0), at(1, SLOT_1, 0), 0);
    expect(0, 0);
    begin();
    submission_tile(&submission, 0, at(0, SLOT_0, 0), at(1, SLOT_1, 0), GPU_LIMIT(TILE_ROW_BYTES) * 3u,
                    GPU_LIMIT(TILE_ROWS) * 2u, GPU_LIMIT(TILE_ROW_BYTES) * 4u);
    const uint32_t tiled = GPU_LIMIT(TILE_ROW_BYTES) * GPU_LIMIT(TILE_ROWS) * 6u;
    expect((tiled + 255u) / 256u, (tiled + 255u) / 256u);
}

/* Goal: units of the register's own format; a target counts twice where it is blended with. */
static void draws(void)
{
    for (uint32_t mode = BLIT_COPY; mode <= BLIT_BLEND; mode++) {
        if (mode != BLIT_COPY && mode != BLIT_BLEND) continue;
        begin();
        submission_bind(&submission, at(0, SLOT_0, 0), FORMAT_RGB565, 128, 128 * 20);
        submission_bind(&submission, at(1, SLOT_1, 0), mode == BLIT_COPY ? FORMAT_RGB565 : FORMAT_ARGB8888, 256,
                        256 * 12);
        submission_fill_rect(&submission, SLOT_0, 0, 0, 64, 7, 0); /* 896 bytes: 4 */
        submission_blit(&submission,
                        (struct blit){.mode = mode, .target = SLOT_0, .source = SLOT_1, .width = 60, .height = 9});
        /* 540 pixels of 2 bytes are 5, twice that 9; of 4 bytes 9. */
        if (mode == BLIT_COPY) expect(4 + 5, 5);
        else expect(4 + 9, 9);
    }
}

/* Goal: many accesses add up and stop at the largest number. */
static void sums(void)
{
    begin();
    for (uint32_t i = 0; i < 3; i++) submission_fill(&submission, at(0, SLOT_0, 0), 1, 0);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(verdict.room[i].traffic, 1);
    begin();
    const uint32_t rows = bench_bytes(BENCH_D) / 256, fills = UINT16_MAX / rows;
    submission_bind(&submission, at(2, SLOT_0, 0), FORMAT_BYTES, 256, 256 * rows);
    for (uint32_t i = 0; i < fills; i++) submission_fill_rect(&submission, SLOT_0, 0, 0, 256, rows, 0);
    expect(fills * rows, 0);
    begin();
    submission_bind(&submission, at(2, SLOT_0, 0), FORMAT_BYTES, 256, 256 * rows);
    for (uint32_t i = 0; i < fills; i++) submission_fill_rect(&submission, SLOT_0, 0, 0, 256, rows, 0);
    submission_fill_rect(&submission, SLOT_0, 0, 0, 256, rows, 0);
    expect(UINT16_MAX, 0);
}

int main(void)
{
    bench_reset();
    CHECK_RUN(direct_packets);
    CHECK_RUN(draws);
    CHECK_RUN(sums);
    return check_finish();
}
