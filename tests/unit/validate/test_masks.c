/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: draws from units that are parts of bytes (A4, A2, A1) are let through exactly up to the last unit of the bytes
 * bound, wherever rows begin; what no such surface is for is refused with its packet; a number that is no format is
 * refused at its BIND; and what an engine was built without is UNSUPPORTED at the packet that needs it. Method: cases
 * at either side of each bound; every mode, flag and pair of formats against the golden model's table.
 */
#include "check.h"
#include "job_bench.h"
#include "pixel_model.h"

static struct submission submission;
static struct verdict verdict;

enum { SLOT_0, SLOT_1, SLOT_2, BIND_BYTES = 16, PACKET = 2 * BIND_BYTES };

static const uint32_t parts[] = {FORMAT_A4, FORMAT_A2, FORMAT_A1};

static void begin(uint32_t from, uint32_t pitch, uint32_t bytes, uint32_t to)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_1, 0), from, pitch, bytes);
    submission_bind(&submission, at(1, SLOT_0, 0), to, 128, 8192);
}

static void expect(enum gpu_status status, uint32_t detail)
{
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, status);
    CHECK_EQUAL(verdict.why.detail, detail);
}

static struct blit blit_of(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    return (struct blit){.mode = BLIT_BLEND,
                         .target = SLOT_0,
                         .source = SLOT_1,
                         .source_x = x,
                         .source_y = y,
                         .width = width,
                         .height = height,
                         .value = 0xffu};
}

/* 40 bytes hold 80, 160 or 320 units; rows of 7, so that most begin within a byte. */
static void extents(void)
{
    for (uint32_t depth = 1; depth <= 3; depth++) {
        const uint32_t units = 40u << depth, rows = 5, width = 7, pitch = width, x = units - rows * pitch;
        for (uint32_t more = 0; more < 2; more++) {
            begin(parts[depth - 1u], pitch, 40, FORMAT_ARGB8888);
            (void)submission_blit(&submission, blit_of(x + more, 0, width, rows));
            expect(more == 0 ? STATUS_OK : STATUS_BAD_OPERAND, more == 0 ? 0 : PACKET);
            if (more == 0) CHECK_EQUAL(verdict.room[0].traffic, 1);
        }
        begin(parts[depth - 1u], 1u << depth, 40, FORMAT_RGB565);
        (void)submission_blit(&submission, blit_of(0, 39, 1u << depth, 1));
        expect(STATUS_OK, 0);
        begin(parts[depth - 1u], 1u << depth, 40, FORMAT_RGB565);
        (void)submission_blit(&submission, blit_of(0, 40, 1, 1));
        expect(STATUS_BAD_OPERAND, PACKET);
        begin(parts[depth - 1u], 0xffff, 40, FORMAT_RGB565);
        (void)submission_blit(&submission, blit_of(0xffff, 0xffff, 0xffff, 0xffff));
        expect(STATUS_BAD_OPERAND, PACKET);
        begin(parts[depth - 1u], 8, bench_bytes(BENCH_A) + 1u, FORMAT_RGB565);
        expect(STATUS_EXTENT, 0);
        /* 64 x 64 units are 2,048, 1,024 or 512 bytes of traffic. */
        begin(parts[depth - 1u], 64, 4096, FORMAT_RGB565);
        (void)submission_blit(&submission, blit_of(0, 0, 64, 64));
        expect(STATUS_OK, 0);
        CHECK_EQUAL(verdict.room[0].traffic, 16u >> depth);
        CHECK_EQUAL(verdict.room[0].is_written, 0);
    }
}

static void formats(void)
{
    for (uint32_t i = 0; i < 8u * 11u * 11u * 4u; i++) {
        const uint32_t mode = i & 7u, flags = i / 968u << PKT_BLIT_KEYED_LSB;
        const uint32_t number[] = {i / 8u % 11u, i / 88u % 11u};
        const uint32_t from = number[0] < 8u ? number[0] : parts[number[0] - 8u];
        const uint32_t to = number[1] < 8u ? number[1] : parts[number[1] - 8u];
        if ((number[0] < 8u && number[1] < 8u) || from == FORMAT_INDEX8) continue; /* test_palette has these */
        struct blit blit = blit_of(0, 0, 8, 8);
        blit.mode = mode, blit.flags = flags;
        begin(from, 64, 4096, to);
        (void)submission_blit(&submission, blit);
        const bool is_legal = pixel_blit_is_legal(submission.dma[PACKET / 4u], from, to);
        expect(is_legal ? STATUS_OK : STATUS_BAD_OPERAND, is_legal ? 0 : PACKET);
        CHECK_EQUAL(is_legal && to > FORMAT_INDEX8, 0);
    }
    for (uint32_t depth = 1; depth <= 3; depth++) {
        begin(parts[depth - 1u], 64, 4096, parts[depth - 1u]);
        submission_fill_rect(&submission, SLOT_0, 0, 0, 1, 1, 0);
        expect(STATUS_BAD_OPERAND, PACKET);
        struct affine affine = {
            .blit = blit_of(0, 0, 2, 2), .columns = 2, .rows = 2, .map = {0, 0, 0x10000, 0, 0, 0x10000}};
        begin(parts[depth - 1u], 64, 4096, FORMAT_ARGB8888);
        (void)submission_affine(&submission, &affine);
        expect(STATUS_BAD_OPERAND, PACKET);
    }
    for (uint32_t format = 0; format < 32; format++) {
        const bool is_format = format < 8u || format == FORMAT_A4 || format == FORMAT_A2 || format == FORMAT_A1;
        begin(FORMAT_BYTES, 64, 4096, format);
        expect(is_format ? STATUS_OK : STATUS_BAD_OPERAND, is_format ? 0 : BIND_BYTES);
    }
}

static void submit_without(uint32_t feature, uint32_t from, const struct blit *blit, bool is_refused)
{
    begin(from, 64, 4096, FORMAT_ARGB8888);
    const uint32_t packet = blit != NULL ? submission_blit(&submission, *blit) : 0;
    bench_leave_out(feature);
    expect(is_refused ? STATUS_UNSUPPORTED : STATUS_OK, is_refused ? packet : 0);
    bench_leave_out(0);
}

static void features(void)
{
    const uint32_t formats = FIELD_PUT(1, MEMORY_FEATURES_FORMATS), masks = FIELD_PUT(1, MEMORY_FEATURES_MASKS);
    const uint32_t palette = FIELD_PUT(1, MEMORY_FEATURES_PALETTE), maps = FIELD_PUT(1, MEMORY_FEATURES_MAPS);
    for (uint32_t format = 0; format < 8; format++) {
        submit_without(formats, format, NULL, format > FORMAT_ARGB8888);
        submit_without(palette, format, NULL, format == FORMAT_INDEX8);
        submit_without(masks | maps, format, NULL, false);
    }
    for (uint32_t i = 0; i < 3; i++) {
        submit_without(masks, parts[i], NULL, true);
        submit_without(formats, parts[i], NULL, true);
        submit_without(palette | maps, parts[i], NULL, false);
    }
    struct blit blit = blit_of(0, 0, 1, 1);
    submit_without(FEATURES_ALL, FORMAT_RGB565, &blit, false);
    blit.flags = 1u << PKT_BLIT_TRUNCATED_LSB;
    submit_without(formats, FORMAT_RGB565, &blit, true);
    submit_without(masks | maps | palette, FORMAT_RGB565, &blit, false);
    blit.mode = BLIT_COPY; /* rounded where nothing is */
    submit_without(formats, FORMAT_ARGB8888, &blit, false);
    submit_without(formats, FORMAT_RGB565, &blit, true);
    blit.flags = 1u << PKT_BLIT_COLOURED_LSB;
    submit_without(formats, FORMAT_ARGB8888, &blit, true);
    blit.flags = 0, blit.mode = BLIT_ADD;
    submit_without(formats, FORMAT_ARGB8888, &blit, true);
    for (uint32_t i = 0; i < 8; i++) {
        struct affine affine = {
            .blit = blit_of(0, 0, 2, 2), .columns = 2, .rows = 2, .map = {0, 0, 0x10000, 0, 0, 0x10000}};
        const uint32_t left_out =
            i & 1u ? FIELD_PUT(1, MEMORY_FEATURES_REPEAT) : FIELD_PUT(1, MEMORY_FEATURES_BILINEAR);
        affine.blit.flags = (i >> 1 & 1u) << PKT_BLIT_AFFINE_REPEAT_LSB;
        affine.blit.rop = i >> 2;
        for (uint32_t all = 0; all < 2; all++) {
            const bool is_refused = all != 0 || (i & 1u ? i >> 1 & 1u : i >> 2) != 0;
            begin(FORMAT_ARGB8888, 64, 4096, FORMAT_ARGB8888);
            (void)submission_affine(&submission, &affine);
            bench_leave_out(all != 0 ? maps : left_out);
            expect(is_refused ? STATUS_UNSUPPORTED : STATUS_OK, is_refused ? PACKET : 0);
            bench_leave_out(0);
        }
    }
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_palette(&submission, at(0, SLOT_2, 0));
    bench_leave_out(palette);
    expect(STATUS_UNSUPPORTED, 0);
    bench_leave_out(0);
}

int main(void)
{
    bench_reset();
    CHECK_RUN(extents);
    CHECK_RUN(formats);
    CHECK_RUN(features);
    return check_finish();
}
