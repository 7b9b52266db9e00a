/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a BLIT_AFFINE is let through exactly when its rectangles lie in what is bound, its formats and mode are the
 * engine's, and its map has an inverse and stays in signed 16.16; each refusal names its status and the word. Method:
 * cases at either side of each bound, written out; random maps against a walk over every unit in wide numbers; every
 * mode, flag and pair of formats against the golden model's table.
 */
#include "check.h"
#include "engine_packets.h"
#include "job_bench.h"

static struct submission submission;
static struct verdict verdict;
static uint32_t drawn; /* byte offset of the packet submitted last by submit_formats */

enum { SLOT_0, SLOT_1, SLOT_2, PACKET = 32 /* two BINDs before it */ };
enum { ONE = 0x10000 };

/* From A (ARGB8888, 16 x 64 units) to B (RGB565, 64 x 64), as it stands, half as large. */
static struct affine usual(void)
{
    return (struct affine){.blit = {.mode = BLIT_COPY, .target = SLOT_0, .source = SLOT_1, .width = 8, .height = 32},
                           .columns = 16,
                           .rows = 64,
                           .map = {0, 0, 2 * ONE, 0, 0, 2 * ONE}};
}

static void submit_formats(const struct affine *affine, uint32_t from, uint32_t to)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_1, 0), from, 64, 4096);
    submission_bind(&submission, at(1, SLOT_0, 0), to, 128, 8192);
    if (from == FORMAT_INDEX8) submission_palette(&submission, at(0, SLOT_2, 0));
    drawn = submission_affine(&submission, affine);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
}

static void expect(const struct affine affine, enum gpu_status status, uint32_t detail)
{
    submit_formats(&affine, FORMAT_ARGB8888, FORMAT_RGB565);
    CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, status);
    CHECK_EQUAL(verdict.why.detail, detail);
}

static void rectangles(void)
{
    struct affine affine = usual();
    expect(affine, STATUS_OK, 0);
    CHECK_EQUAL(verdict.room[1].is_written, 1);
    CHECK_EQUAL(verdict.room[0].is_written, 0);
    affine.blit.source_x = 1;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine.columns = 15;
    expect(affine, STATUS_OK, 0);
    affine.blit.source_y = 1;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine.rows = 63;
    expect(affine, STATUS_OK, 0);
    affine.rows = 0;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine.blit.source_x = affine.blit.source_y = 65535; /* nowhere, but of nothing */
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine = usual();
    affine.columns = 0;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine = usual();
    affine.blit.target_x = 56, affine.blit.target_y = 32;
    expect(affine, STATUS_OK, 0);
    affine.blit.target_x++;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine.blit.target_x--, affine.blit.target_y++;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    affine.blit.width = 0;
    expect(affine, STATUS_OK, 0);
    affine.blit.target = SLOT_1, affine.blit.source = SLOT_0; /* A is read only */
    expect(affine, STATUS_NOT_WRITABLE, PACKET);
    affine.blit.source = 9;
    expect(affine, STATUS_UNBOUND_SLOT, PACKET);
}

/* Word `word` of the packet. */
static uint32_t word_of(uint32_t word) { return PACKET + word * 4u; }

static void maps(void)
{
    struct affine affine = usual();
    affine.map[2] = affine.map[4] = 0; /* U does not change */
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_X_WORD));
    affine.map[2] = 3 * ONE, affine.map[3] = 6 * ONE, affine.map[4] = (uint32_t)-ONE,
    affine.map[5] = (uint32_t)-2 * ONE;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_X_WORD));
    affine.map[5]++;
    expect(affine, STATUS_OK, 0);
    affine.blit.width = 0; /* no inverse is refused of nothing too */
    affine.map[5]--;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_X_WORD));
    /* The products of the determinant differ above bit 31 alone. */
    affine = usual();
    affine.map[2] = ONE, affine.map[5] = ONE, affine.map[3] = affine.map[4] = 0;
    expect(affine, STATUS_OK, 0);

    /* U reaches 0x7fffffff in unit 7, and no further. */
    affine = usual();
    affine.map[2] = ONE;
    affine.map[0] = 0x7fffffffu - 7u * ONE;
    expect(affine, STATUS_OK, 0);
    affine.map[0]++;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_WORD));
    affine.blit.width = 7;
    expect(affine, STATUS_OK, 0);
    affine.map[4] = 1; /* a little more in each of 31 rows */
    expect(affine, STATUS_OK, 0);
    affine.map[0] = 0x7fffffffu - 6u * ONE - 30u;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_WORD));
    affine.map[0]--;
    expect(affine, STATUS_OK, 0);
    /* V falls to 0x80000000 in row 31. */
    affine = usual();
    affine.map[5] = (uint32_t)-ONE;
    affine.map[1] = 0x80000000u + 31u * ONE;
    expect(affine, STATUS_OK, 0);
    affine.map[1]--;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_V_WORD));
    affine.blit.height = 0;
    expect(affine, STATUS_OK, 0);
    /* Nothing is drawn, so nothing leaves, not before the first unit either. */
    affine = usual();
    affine.map[0] = affine.map[1] = 0x80000000u;
    affine.blit.height = 0;
    expect(affine, STATUS_OK, 0);
    affine.blit.height = 1, affine.blit.width = 0;
    expect(affine, STATUS_OK, 0);
    /* Out in the two middle corners, inside at the last. */
    affine = usual();
    affine.blit.width = affine.blit.height = 2;
    affine.map[0] = 0x7fff0000u;
    affine.map[2] = 2 * ONE, affine.map[4] = (uint32_t)-4 * ONE;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_WORD));
    affine.map[2] = (uint32_t)-4 * ONE, affine.map[4] = 2 * ONE, affine.map[5] = 3 * ONE;
    expect(affine, STATUS_BAD_MAP, word_of(PKT_BLIT_AFFINE_U_WORD));
    affine.map[0] = 0x7ffcffffu;
    expect(affine, STATUS_OK, 0);
}

static uint32_t random_state = 1;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    return random_state ^= random_state << 5;
}

/* Is every unit's coordinate a signed word? */
static bool stays(const struct affine *affine, uint32_t axis)
{
    for (int64_t y = 0; y < affine->blit.height; y++)
        for (int64_t x = 0; x < affine->blit.width; x++) {
            const int64_t at =
                (int32_t)affine->map[axis] + x * (int32_t)affine->map[2 + axis] + y * (int32_t)affine->map[4 + axis];
            if (at != (int32_t)at) return false;
        }
    return true;
}

static void random_maps(void)
{
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        struct affine affine = usual();
        affine.blit.width = 1 + next_random() % 12u, affine.blit.height = 1 + next_random() % 12u;
        for (uint32_t word = 0; word < 6; word++) {
            affine.map[word] = next_random();
            const uint32_t shift = next_random() % 9u;
            affine.map[word] = (uint32_t)((int32_t)affine.map[word] >> shift);
        }
        uint32_t wrong = 0;
        if (!stays(&affine, 0)) wrong = word_of(PKT_BLIT_AFFINE_U_WORD);
        else if (!stays(&affine, 1)) wrong = word_of(PKT_BLIT_AFFINE_V_WORD);
        expect(affine, wrong == 0 ? STATUS_OK : STATUS_BAD_MAP, wrong);
        accepted += wrong == 0;
    }
    CHECK(accepted > 200 && accepted < 1800);
}

static void formats(void)
{
    for (uint32_t i = 0; i < 8u * 8u * 8u * 4u; i++) {
        const uint32_t mode = i & 7u, from = i / 8u % 8u, to = i / 64u % 8u, flags = i / 512u;
        struct affine affine = usual();
        affine.columns = affine.rows = affine.blit.width = affine.blit.height = 2;
        affine.blit.mode = mode;
        affine.blit.flags = flags << PKT_BLIT_KEYED_LSB;
        submit_formats(&affine, from, to);
        const bool is_legal = engine_affine_is_legal(submission.dma + drawn / 4u, from, to);
        CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, is_legal ? STATUS_OK : STATUS_BAD_OPERAND);
    }
}

/* One edge; a filter between units that are not compared and lie in a beat each. */
static void sampling(void)
{
    for (uint32_t i = 0; i < 8u * 8u * 6u; i++) {
        const uint32_t edges = i & 3u, filter = i >> 2 & 1u, from = i / 8u % 8u, mode = i / 64u;
        struct affine affine = usual();
        affine.columns = affine.rows = affine.blit.width = affine.blit.height = 2;
        affine.blit.mode = mode;
        affine.blit.flags = edges << PKT_BLIT_AFFINE_TRANSPARENT_LSB;
        affine.blit.rop = filter;
        submit_formats(&affine, from, FORMAT_ARGB8888);
        const bool is_legal = engine_affine_is_legal(submission.dma + drawn / 4u, from, FORMAT_ARGB8888);
        const bool is_written_out = edges != 3 && mode != BLIT_ROP && from != FORMAT_BYTES &&
                                    !(mode == BLIT_KEY && (from == FORMAT_A8 || filter != 0)) &&
                                    !(filter != 0 && (from == FORMAT_RGB888 || from == FORMAT_INDEX8));
        CHECK_EQUAL(is_legal, is_written_out);
        CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, is_legal ? STATUS_OK : STATUS_BAD_OPERAND);
        if (!is_legal) CHECK_EQUAL(verdict.why.detail, drawn);
    }
    struct affine affine = usual();
    affine.blit.rop = 1;
    expect(affine, STATUS_OK, 0);
    affine.blit.flags = 1u << PKT_BLIT_AFFINE_KEYED_LSB;
    expect(affine, STATUS_BAD_OPERAND, PACKET);
    /* Offset and pitch: multiples of the unit. */
    for (uint32_t i = 0; i < 3u * 4u * 4u; i++) {
        const uint32_t from = (uint32_t[]){FORMAT_ARGB8888, FORMAT_RGB565, FORMAT_A8}[i / 16u], unit = 4u >> i / 16u;
        const uint32_t offset = i & 3u, pitch = 64u + (i >> 2 & 3u);
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_A), false);
        submission_list(&submission, bench_handle(BENCH_B), true);
        submission_bind(&submission, at(0, SLOT_1, offset), from, pitch, 4096 - offset);
        submission_bind(&submission, at(1, SLOT_0, 0), FORMAT_RGB565, 128, 8192);
        affine = usual();
        affine.columns = affine.rows = affine.blit.width = affine.blit.height = 2;
        affine.blit.rop = 1;
        submission_affine(&submission, &affine);
        submission_end(&submission);
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK_EQUAL(verdict.is_accepted, offset % unit == 0 && pitch % unit == 0);
    }
}

/* The engine needs as long for a unit as for eight bytes. */
static void work(void)
{
    struct affine affine = usual();
    affine.blit.width = 64, affine.blit.height = 64; /* 4,096 units are 32,768 bytes: 4 times 8,192 */
    expect(affine, STATUS_OK, 0);
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_1, 0), FORMAT_ARGB8888, 64, 4096);
    submission_bind(&submission, at(1, SLOT_0, 0), FORMAT_RGB565, 128, 8190);
    affine.blit.width = 63;
    submission_affine(&submission, &affine); /* 32,256 */
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK(verdict.is_accepted);
    CHECK_EQUAL(verdict.room[0].traffic, 126); /* a beat a unit */
    CHECK_EQUAL(verdict.room[1].traffic, 32);  /* 2 bytes a unit, rounded up */
    affine.blit.height = 65, affine.blit.width = 64;
    affine.blit.target_y = 0;
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_A), false);
    submission_list(&submission, bench_handle(BENCH_B), true);
    submission_bind(&submission, at(0, SLOT_1, 0), FORMAT_ARGB8888, 64, 4096);
    submission_bind(&submission, at(1, SLOT_0, 0), FORMAT_RGB565, 126, 8192); /* rows overlap */
    submission_affine(&submission, &affine);
    submission_end(&submission);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, STATUS_WORK_LIMIT);
    CHECK_EQUAL(verdict.why.detail, PACKET);
}

/* With a filter a unit counts four times in what a DMA buffer may ask for: 4096 x 4096 units are all of it. */
static void work_filtered(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct affine affine = usual();
        affine.blit.width = 4096, affine.blit.height = 4096 + (i == 2);
        affine.blit.rop = i != 0;
        submission_begin(&submission);
        submission_list(&submission, bench_handle(BENCH_A), false);
        submission_list(&submission, bench_handle(BENCH_HUGE), true);
        submission_bind(&submission, at(0, SLOT_1, 0), FORMAT_ARGB8888, 64, 4096);
        submission_bind(&submission, at(1, SLOT_0, 0), FORMAT_RGB565, 8192, 0x10000000 - 0x1000);
        submission_affine(&submission, &affine);
        submission_end(&submission);
        bench_submit(&submission, PATCH_LIMIT, &verdict);
        CHECK_EQUAL(verdict.is_accepted ? STATUS_OK : verdict.why.status, i == 2 ? STATUS_WORK_LIMIT : STATUS_OK);
        CHECK_EQUAL(verdict.why.detail, i == 2 ? PACKET : 0);
    }
}

int main(void)
{
    bench_reset();
    CHECK_RUN(rectangles);
    CHECK_RUN(maps);
    CHECK_RUN(random_maps);
    CHECK_RUN(formats);
    CHECK_RUN(sampling);
    CHECK_RUN(work);
    CHECK_RUN(work_filtered);
    return check_finish();
}
