/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a call of the stream builder goes well exactly when its words, patch locations and list entries have room, and
 * one that does not has changed nothing (tessera_stream.h). Method: what each call takes is seen in an empty stream;
 * then it is made in one with exactly that much left, and with one word, location or entry less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tessera_stream.h"
#include "lib/tessera_internal.h"

enum { RESOURCES = 3, LARGE = 3, LARGE_BYTES = 8192, FRESH = 3, FIRST_SLOT = 60 };

static const uint32_t limits[RESOURCES] = {LIMIT_BITS_DMA_BYTES / 4, LIMIT_BITS_LIST_ENTRIES, LIMIT_BITS_LIST_ENTRIES};
static struct tessera_allocation filler[LIMIT_BITS_LIST_ENTRIES], bound, fresh[FRESH], large[LARGE];

struct parts {
    const uint32_t *of[RESOURCES]; /* words, patches, list */
    uint32_t words[RESOURCES];
};

static struct parts parts(const struct tessera_stream *stream)
{
    struct parts all;
    tessera_stream_parts(stream, &all.of[0], &all.words[0], &all.of[2], &all.words[2], &all.of[1], &all.words[1]);
    return all;
}

/* How many words, patch locations and list entries there are. */
static void count(const struct tessera_stream *stream, uint32_t used[RESOURCES])
{
    const struct parts all = parts(stream);
    used[0] = all.words[0];
    used[1] = all.words[1] / LIMIT_BITS_PATCH_ENTRY_WORDS;
    used[2] = all.words[2] / LIMIT_BITS_LIST_ENTRY_WORDS;
}

/* ------------------------------------------------------------------ the calls */

static int call_bind(struct tessera_stream *stream)
{
    return tessera_stream_bind(stream, 5, &(struct tessera_surface){.allocation = &fresh[0], .is_target = true});
}
static int call_bind_large(struct tessera_stream *stream)
{
    fresh[0].bytes = LARGE_BYTES;
    return call_bind(stream);
}
static int call_unbind(struct tessera_stream *stream) { return tessera_stream_unbind(stream, 1); }
static int call_fill_rect(struct tessera_stream *stream) { return tessera_stream_fill_rect(stream, 1, 0, 0, 1, 1, 0); }
static int call_blit(struct tessera_stream *stream)
{
    return tessera_stream_blit(stream, &(struct tessera_blit){.target = 1, .source = 2, .width = 1, .height = 1});
}
static int call_blit_affine(struct tessera_stream *stream)
{
    struct tessera_affine affine = {.blit = {.target = 1, .source = 2, .width = 1, .height = 1}};
    affine.source_width = affine.source_height = 1;
    return tessera_stream_blit_affine(stream, &affine);
}
/* From a surface of indices, whose palette is loaded with the first draw. */
static int call_blit_indexed(struct tessera_stream *stream)
{
    return tessera_stream_blit(stream, &(struct tessera_blit){.target = 1, .source = 3, .width = 1, .height = 1});
}
static int call_copy(struct tessera_stream *stream)
{
    return tessera_stream_copy(stream, &(struct tessera_place){&fresh[0], 0, 5},
                               &(struct tessera_place){&fresh[1], 0, 6}, 16);
}
static int call_copy_large(struct tessera_stream *stream)
{
    fresh[1].bytes = LARGE_BYTES;
    return call_copy(stream);
}
static int call_copy_both_large(struct tessera_stream *stream)
{
    fresh[0].bytes = LARGE_BYTES;
    return call_copy_large(stream);
}
/* Its rows were those of large bindings, which need not be programmed again. */
static int call_copy_over(struct tessera_stream *stream)
{
    return tessera_stream_copy(stream, &(struct tessera_place){&fresh[0], 0, FIRST_SLOT},
                               &(struct tessera_place){&fresh[1], 0, FIRST_SLOT + 1}, 16);
}
static int call_fill(struct tessera_stream *stream)
{
    return tessera_stream_fill(stream, &(struct tessera_place){&fresh[0], 0, 5}, 16, 0);
}
static int call_fill_large(struct tessera_stream *stream)
{
    fresh[0].bytes = LARGE_BYTES;
    return call_fill(stream);
}
static int call_raw(struct tessera_stream *stream)
{
    return tessera_stream_raw(stream, (const uint32_t[3]){1, 2, 3}, 3);
}
static int call_list(struct tessera_stream *stream)
{
    uint32_t index;
    return tessera_stream_list(stream, &fresh[0], true, &index);
}
static int call_patch(struct tessera_stream *stream)
{
    return tessera_stream_patch(stream, (const uint32_t[LIMIT_BITS_PATCH_ENTRY_WORDS]){0});
}

static const struct {
    const char *name;
    int (*call)(struct tessera_stream *);
} calls[] = {{"bind", call_bind},
             {"bind of a large one", call_bind_large},
             {"unbind", call_unbind},
             {"fill_rect", call_fill_rect},
             {"blit", call_blit},
             {"affine blit", call_blit_affine},
             {"blit of indices", call_blit_indexed},
             {"copy", call_copy},
             {"copy from a large one", call_copy_large},
             {"copy between large ones", call_copy_both_large},
             {"copy over bindings", call_copy_over},
             {"fill", call_fill},
             {"fill of a large one", call_fill_large},
             {"raw", call_raw},
             {"list", call_list},
             {"patch", call_patch}};

/* ------------------------------------------------------------------ the streams */

/* Slots 1 and 2 bound, `large_count` large ones from FIRST_SLOT on, and nothing else but the last `left[i]` free. */
static struct tessera_stream *stream_with(uint32_t large_count, const uint32_t *left)
{
    struct tessera_stream *stream = tessera_stream_create();
    uint32_t used[RESOURCES], index;
    const uint32_t word = 0, entry[LIMIT_BITS_PATCH_ENTRY_WORDS] = {0};
    assert_non_null(stream);
    for (uint32_t i = 0; i < FRESH; i++) fresh[i] = (struct tessera_allocation){.handle = 20 + i, .bytes = PAGE_BYTES};
    tessera_stream_large(stream, LARGE_BYTES);
    for (uint32_t slot = 1; slot <= 2; slot++)
        assert_int_equal(tessera_stream_bind(stream, slot, &(struct tessera_surface){.allocation = &bound}), 0);
    for (uint32_t i = 0; i < large_count; i++)
        assert_int_equal(
            tessera_stream_bind(stream, FIRST_SLOT + i, &(struct tessera_surface){.allocation = &large[i]}), 0);
    const struct tessera_surface indices = {.allocation = &bound, .format = FORMAT_INDEX8};
    assert_int_equal(tessera_stream_bind(stream, 3, &indices), 0);
    assert_int_equal(tessera_stream_palette(stream, &(struct tessera_place){&fresh[2], 0, 7}), 0);
    if (left == NULL) return stream;
    count(stream, used);
    for (; used[0] + left[0] < limits[0]; used[0]++) assert_int_equal(tessera_stream_raw(stream, &word, 1), 0);
    for (; used[1] + left[1] < limits[1]; used[1]++) assert_int_equal(tessera_stream_patch(stream, entry), 0);
    for (; used[2] + left[2] < limits[2]; used[2]++)
        assert_int_equal(tessera_stream_list(stream, &filler[used[2]], false, &index), 0);
    return stream;
}

/* The call in a stream of which only `left` is free. */
static void judge(size_t c, uint32_t large_count, const uint32_t left[RESOURCES], int expected)
{
    struct tessera_stream *stream = stream_with(large_count, left), *same = stream_with(large_count, left);
    int status = calls[c].call(stream);
    if (status != expected)
        fail_msg("%s with %u large bindings and %u words, %u locations, %u entries left: %d", calls[c].name,
                 large_count, left[0], left[1], left[2], status);
    const struct parts found = parts(stream), before = parts(same);
    for (uint32_t i = 0; i < RESOURCES && expected == TESSERA_STREAM_FULL; i++) {
        assert_int_equal(found.words[i], before.words[i]);
        assert_memory_equal(found.of[i], before.of[i], 4u * before.words[i]);
    }
    uint32_t used[RESOURCES];
    count(stream, used);
    for (uint32_t i = 0; i < RESOURCES; i++) assert_int_equal(limits[i] - used[i], expected == 0 ? 0 : left[i]);
    tessera_stream_destroy(stream);
    tessera_stream_destroy(same);
}

static void test_room(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LIMIT_BITS_LIST_ENTRIES; i++) filler[i].handle = 100 + i;
    bound = (struct tessera_allocation){.handle = 1, .bytes = PAGE_BYTES};
    for (uint32_t i = 0; i < LARGE; i++) large[i] = (struct tessera_allocation){.handle = 10 + i, .bytes = LARGE_BYTES};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (uint32_t large_count = 0; large_count <= LARGE; large_count++) {
            uint32_t before[RESOURCES], need[RESOURCES];
            struct tessera_stream *stream = stream_with(large_count, NULL);
            count(stream, before);
            assert_int_equal(calls[c].call(stream), TESSERA_OK);
            count(stream, need);
            tessera_stream_destroy(stream);
            for (uint32_t i = 0; i < RESOURCES; i++) need[i] -= before[i];
            judge(c, large_count, need, TESSERA_OK);
            for (uint32_t i = 0; i < RESOURCES; i++) {
                if (need[i] == 0) continue;
                need[i]--;
                judge(c, large_count, need, TESSERA_STREAM_FULL);
                need[i]++;
            }
        }
}

/* Slots and places that there are not. */
static void test_misuse(void **state)
{
    struct tessera_stream *stream = stream_with(0, NULL);
    struct tessera_surface surface = {.allocation = &bound};
    const struct tessera_place good = {&fresh[0], 0, LIMIT_BITS_SLOTS - 1}, bad = {&fresh[1], 0, LIMIT_BITS_SLOTS};
    struct tessera_blit blit = {.target = 1, .source = 2, .width = 1, .height = 1};
    uint32_t before[RESOURCES], after[RESOURCES];
    (void)state;
    count(stream, before);
    assert_int_equal(tessera_stream_bind(stream, LIMIT_BITS_SLOTS, &surface), TESSERA_MISUSE);
    surface.offset = PAGE_BYTES + 1;
    assert_int_equal(tessera_stream_bind(stream, 1, &surface), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_unbind(stream, LIMIT_BITS_SLOTS), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_copy(stream, &bad, &good, 16), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_copy(stream, &good, &bad, 16), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_copy(stream, &good, &good, 16), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_fill(stream, &bad, 16, 0), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_fill_rect(stream, LIMIT_BITS_SLOTS, 0, 0, 1, 1, 0), TESSERA_MISUSE);
    assert_int_equal(tessera_stream_fill_rect(stream, 4, 0, 0, 1, 1, 0), TESSERA_MISUSE); /* nothing is bound there */
    blit.target = 4;
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_MISUSE);
    blit.target = LIMIT_BITS_SLOTS;
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_MISUSE);
    blit = (struct tessera_blit){.target = 1, .source = LIMIT_BITS_SLOTS};
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_MISUSE);
    struct tessera_affine affine = {.blit = {.target = 1, .source = 2, .mode = BLIT_ROP}};
    assert_int_equal(tessera_stream_blit_affine(stream, &affine), TESSERA_MISUSE);
    affine.blit = (struct tessera_blit){.target = 1, .source = 2, .is_reverse = true};
    assert_int_equal(tessera_stream_blit_affine(stream, &affine), TESSERA_MISUSE);
    affine.blit = (struct tessera_blit){.target = 1, .source = 4};
    assert_int_equal(tessera_stream_blit_affine(stream, &affine), TESSERA_MISUSE);
    count(stream, after);
    assert_memory_equal(before, after, sizeof before);
    /* The last slot, and an offset at the end. */
    surface.offset = PAGE_BYTES;
    assert_int_equal(tessera_stream_bind(stream, LIMIT_BITS_SLOTS - 1, &surface), TESSERA_OK);
    assert_int_equal(tessera_stream_unbind(stream, LIMIT_BITS_SLOTS - 1), TESSERA_OK);
    assert_int_equal(tessera_stream_fill(stream, &good, 16, 0), TESSERA_OK);
    tessera_stream_destroy(stream);
}

/* A palette is loaded once, and again after a split point; not for bytes that are moved; and it has to be there. */
static void test_palette(void **state)
{
    struct tessera_stream *stream = stream_with(0, NULL);
    const struct tessera_place places[] = {{&fresh[1], 128, 7},
                                           {&fresh[1], PAGE_BYTES - 768, 7},
                                           {&fresh[1], 0, LIMIT_BITS_SLOTS},
                                           {&fresh[1], PAGE_BYTES - 1024, 7}};
    const struct tessera_surface indices = {.allocation = &bound, .format = FORMAT_INDEX8};
    uint32_t before[RESOURCES], after[RESOURCES];
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tessera_stream_palette(stream, &places[i]), i < 3 ? TESSERA_MISUSE : TESSERA_OK);
    for (unsigned i = 0; i < 4; i++) {
        if (i == 2) assert_int_equal(tessera_stream_unbind(stream, 9), TESSERA_OK); /* a split point */
        count(stream, before);
        assert_int_equal(call_blit_indexed(stream), TESSERA_OK);
        count(stream, after);
        assert_int_equal(after[0] - before[0], PKT_BLIT_WORDS + (i % 2 == 0 ? PKT_PALETTE_WORDS : 0));
        assert_int_equal(after[1] - before[1], i % 2 == 0);
    }
    assert_int_equal(tessera_stream_bind(stream, 4, &indices), TESSERA_OK);
    count(stream, before);
    const struct tessera_blit moved = {.target = 4, .source = 3, .width = 1, .height = 1};
    assert_int_equal(tessera_stream_blit(stream, &moved), TESSERA_OK);
    count(stream, after);
    assert_int_equal(after[0] - before[0], PKT_BLIT_WORDS);
    assert_int_equal(tessera_stream_bind(stream, 7, &indices), TESSERA_OK); /* takes the palette's row */
    count(stream, before);
    assert_int_equal(call_blit_indexed(stream), TESSERA_MISUSE);
    count(stream, after);
    assert_memory_equal(before, after, sizeof before);
    tessera_stream_destroy(stream);
}

/* The packet's words, each in its place; the second one waits for what the first writes. */
static void test_affine_words(void **state)
{
    struct tessera_stream *stream = stream_with(0, NULL);
    struct tessera_affine affine = {.blit = {.target = 1,
                                             .source = 2,
                                             .mode = BLIT_BLEND,
                                             .target_x = 3,
                                             .target_y = 4,
                                             .source_x = 5,
                                             .source_y = 6,
                                             .width = 7,
                                             .height = 8,
                                             .value = 9,
                                             .key = 10,
                                             .rop = 11,
                                             .is_keyed = true},
                                    .source_width = 12,
                                    .source_height = 13,
                                    .u = -1,
                                    .v = 15,
                                    .u_x = 16,
                                    .v_x = 17,
                                    .u_y = 18,
                                    .v_y = 19,
                                    .is_transparent = true};
    const uint32_t word0 = PKT_BLIT_AFFINE | 1u << 8 | 2u << 16 | 1u << 22 | BLIT_BLEND << 24 | 1u << 28;
    const uint32_t words[2 * PKT_BLIT_AFFINE_WORDS] = {word0,
                                                       3 | 4 << 16,
                                                       5 | 6 << 16,
                                                       7 | 8 << 16,
                                                       9,
                                                       10 << 8,
                                                       12 | 13 << 16,
                                                       0xffffffffu,
                                                       15,
                                                       16,
                                                       17,
                                                       18,
                                                       19,
                                                       word0 | 1u << 31,
                                                       3 | 4 << 16,
                                                       5 | 6 << 16,
                                                       7 | 8 << 16,
                                                       9,
                                                       10 << 8,
                                                       12 | 13 << 16,
                                                       0xffffffffu,
                                                       15,
                                                       16,
                                                       17,
                                                       18,
                                                       19};
    (void)state;
    const uint32_t before = parts(stream).words[0];
    assert_int_equal(tessera_stream_blit_affine(stream, &affine), TESSERA_OK);
    assert_int_equal(tessera_stream_blit_affine(stream, &affine), TESSERA_OK);
    const struct parts after = parts(stream);
    assert_int_equal(after.words[0] - before, 2 * PKT_BLIT_AFFINE_WORDS);
    assert_memory_equal(after.of[0] + before, words, sizeof words);
    tessera_stream_destroy(stream);
}

/* Where a source unit goes: mirrored, then a quarter at a time, in sizes that change places. */
static void move(uint32_t *x, uint32_t *y, uint32_t width, uint32_t height, uint32_t quarters, bool is_mirrored)
{
    if (is_mirrored) *x = width - 1 - *x;
    for (uint32_t i = 0; i < quarters; i++) {
        const uint32_t right = height - 1 - *y;
        *y = *x, *x = right;
        const uint32_t old_width = width;
        width = height, height = old_width;
    }
}

/* Each source unit is taken for the units of the target that it is enlarged to, `times` each way. */
static void test_fit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4u * 2u * 3u * 12u * 12u; i++) {
        const uint32_t quarters = i & 3u, times = 1 + i / 8u % 3u, width = 1 + i / 24u % 12u, height = 1 + i / 288u;
        const bool is_mirrored = (i & 4u) != 0;
        struct tessera_affine affine = {.source_width = width, .source_height = height};
        affine.blit.width = (quarters % 2u != 0 ? height : width) * times;
        affine.blit.height = (quarters % 2u != 0 ? width : height) * times;
        tessera_affine_fit(&affine, quarters, is_mirrored);
        for (uint32_t y = 0; y < affine.blit.height; y++)
            for (uint32_t x = 0; x < affine.blit.width; x++) {
                const int32_t u = affine.u + (int32_t)x * affine.u_x + (int32_t)y * affine.u_y;
                const int32_t v = affine.v + (int32_t)x * affine.v_x + (int32_t)y * affine.v_y;
                uint32_t to_x = (uint32_t)u >> 16, to_y = (uint32_t)v >> 16;
                assert_true(to_x < width && to_y < height);
                move(&to_x, &to_y, width, height, quarters, is_mirrored);
                assert_int_equal(to_x, x / times);
                assert_int_equal(to_y, y / times);
            }
    }
    struct tessera_affine widest = {.source_width = 32767, .source_height = 1};
    widest.blit.width = 1, widest.blit.height = 32767;
    tessera_affine_fit(&widest, 0, true);
    assert_int_equal(widest.u >> 16, 16383);
    assert_int_equal(widest.v + 32766 * widest.v_y < 1 << 16, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room), cmocka_unit_test(test_misuse),
                                       cmocka_unit_test(test_affine_words), cmocka_unit_test(test_palette),
                                       cmocka_unit_test(test_fit)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL), all = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", all - failed, failed);
    return failed != 0;
}
