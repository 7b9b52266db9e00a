/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the LiteX client's picture is the same with every size of local memory and in every order of turns, textures
 * really leave for others, and what is asked of its heap is what its heap can do. Method: the picture on golden models
 * that differ in one thing each, and its known places; the heap with the test's own calls, in random order, each block
 * filled with its number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draw.h"
#include "heap.h"
#include "lib/tdump/tdump.h"
#include "tessera.h"

/* integration/litex/client/heap.c under other names: this program has a heap of its own. */
void *heap_malloc(size_t bytes);
void *heap_calloc(size_t count, size_t bytes);
void heap_free(void *data);
void *heap_realloc(void *data, size_t bytes);

enum { KB = 1024 };
static char said[2048];
static uint8_t pixels[2][PICTURE_BYTES];

static void say(const char *line)
{
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", line);
}

static struct picture drawn(unsigned which, uint32_t segment1, uint32_t segment2, uint32_t seed)
{
    struct picture picture = {.pixels = pixels[which]};
    const struct draw_machine machine = {segment1, segment2, seed};
    said[0] = 0;
    memset(pixels[which], 0, PICTURE_BYTES);
    assert_int_equal(draw_picture(&machine, &picture, say), TESSERA_OK);
    return picture;
}

static void test_same_with_any_memory(void **state)
{
    (void)state;
    const struct picture first = drawn(0, 64 * KB, 256 * KB, 0);
    assert_true(first.evictions > 0);
    assert_true(first.texture_bytes > first.local_bytes);
    const struct {
        uint32_t segment1, segment2, seed;
    } others[] = {{32 * KB, 192 * KB, 0}, {128 * KB, 224 * KB, 0}, {64 * KB, 256 * KB, 7}, {4 * KB, 160 * KB, 1}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct picture other = drawn(1, others[i].segment1, others[i].segment2, others[i].seed);
        assert_true(other.evictions > 0);
        assert_int_equal(other.crc, first.crc);
        assert_memory_equal(pixels[0], pixels[1], PICTURE_BYTES);
    }
}

static void test_what_it_says(void **state)
{
    (void)state;
    char line[80];
    const struct picture picture = drawn(0, 64 * KB, 256 * KB, 0);
    snprintf(line, sizeof line, "picture: 320 x 200, CRC %08x\n", picture.crc);
    assert_non_null(strstr(said, "segment 1: 64 KB\nsegment 2: 256 KB\nsegment 3: 16384 KB of aperture\n"));
    assert_non_null(strstr(said, "textures: 384 KB in 320 KB of local memory, "));
    assert_non_null(strstr(said, line));
    assert_int_equal(picture.crc, picture_crc(pixels[0], PICTURE_BYTES));
}

/* On the chip's display if it has one: every pixel of it. */
static void test_shown(void **state)
{
    (void)state;
    for (int has_display = 0; has_display < 2; has_display++) {
        struct picture picture = {.pixels = pixels[0]};
        bool is_shown = has_display == 0;
        uint32_t crc = 1;
        said[0] = 0;
        assert_int_equal(draw_shown(has_display != 0, &picture, &is_shown, &crc, say), TESSERA_OK);
        assert_int_equal(is_shown, has_display != 0);
        assert_int_equal(crc, has_display != 0 ? picture.crc : 0);
        assert_int_equal(strstr(said, "the chip's display shows it: 0 pixels late\n") != NULL, has_display != 0);
    }
}

/* The row below all textures has the colour of the fill, which hardly shows anywhere else. */
static void test_known_places(void **state)
{
    (void)state;
    drawn(0, 64 * KB, 256 * KB, 0);
    unsigned filled = 0;
    for (unsigned i = 0; i < PICTURE_WIDTH; i++) {
        const uint8_t *unit = pixels[0] + ((PICTURE_HEIGHT - 1) * PICTURE_WIDTH + i) * 2;
        assert_int_equal(unit[0] | unit[1] << 8, 0x18e3);
    }
    for (unsigned i = 0; i < (PICTURE_HEIGHT - 1) * PICTURE_WIDTH; i++)
        filled += (pixels[0][2 * i] | pixels[0][2 * i + 1] << 8) == 0x18e3;
    assert_true(filled < 400);
}

static void test_all_fits(void **state)
{
    (void)state;
    struct picture picture = {.pixels = pixels[0]};
    const struct draw_machine machine = {256 * KB, 512 * KB, 0};
    said[0] = 0;
    assert_int_equal(draw_picture(&machine, &picture, say), TESSERA_MISUSE);
    assert_non_null(strstr(said, "all textures fit into local memory: give the GPU less of it\n"));
}

static void test_agree(void **state)
{
    (void)state;
    uint32_t old = 1;
    said[0] = 0;
    assert_int_equal(draw_agree(false, &old, say), TESSERA_OK);
    assert_int_equal(old, 0);
    assert_string_equal(said, "caches: 0 of 4096 bytes are old\n");
    assert_int_equal(draw_agree(true, &old, say), TESSERA_OK);
    assert_true(old > 0);
}

/* A whole dump of it, as `tessera dump` takes it. */
static void take_dump(void *context, const void *bytes, size_t count)
{
    static struct tdump dump;
    uint32_t *dumps = context;
    assert_int_equal(tdump_read(&dump, bytes, count), TDUMP_OK);
    assert_int_equal(dump.about[ABOUT_REASON], TDUMP_TIMEOUT);
    assert_int_equal(dump.buffer_count, 1);
    assert_int_equal(dump.allocation_count, 1);
    assert_true(dump.register_count > 0);
    ++*dumps;
}

static void test_dump(void **state)
{
    (void)state;
    uint32_t dumps = 0;
    said[0] = 0;
    assert_int_equal(draw_hung(take_dump, &dumps, say), STATUS_TIMEOUT);
    assert_int_equal(dumps, 1);
}

/* "123456789": what every table of CRCs has for this one. */
static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(picture_crc((const uint8_t *)"123456789", 9), 0xcbf43926u);
}

/* ------------------------------------------------------------------ heap */

enum { BLOCKS = 24, TURNS = 4000 };
static _Alignas(8) uint8_t memory[64 * KB];

static uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void check_block(const uint8_t *block, size_t bytes, uint8_t mark)
{
    for (size_t i = 0; i < bytes; i++) assert_int_equal(block[i], mark);
}

static void test_heap(void **state)
{
    (void)state;
    uint8_t *blocks[BLOCKS] = {NULL};
    size_t bytes[BLOCKS] = {0};
    uint32_t random = 5, refused = 0;
    heap_give(memory, sizeof memory);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const unsigned i = random_next(&random) % BLOCKS;
        if (blocks[i] != NULL) check_block(blocks[i], bytes[i], (uint8_t)i);
        heap_free(blocks[i]);
        bytes[i] = random_next(&random) % (turn % 64u == 0 ? 16000u : 4000u);
        blocks[i] = turn % 2u != 0 ? heap_malloc(bytes[i]) : heap_calloc(bytes[i], 1);
        refused += blocks[i] == NULL;
        if (blocks[i] == NULL) continue;
        assert_int_equal((uintptr_t)blocks[i] % 8u, 0);
        assert_true(blocks[i] > memory && blocks[i] + bytes[i] <= memory + sizeof memory);
        if (turn % 2u == 0) check_block(blocks[i], bytes[i], 0);
        memset(blocks[i], (int)i, bytes[i]);
    }
    assert_true(refused > 0 && refused < TURNS / 2);
    assert_true(heap_most() > sizeof memory / 2 && heap_most() <= sizeof memory);
    for (unsigned i = 0; i < BLOCKS; i++) heap_free(blocks[i]);
}

/* What has been freed is one piece again; nothing is larger than all. */
static void test_heap_joins(void **state)
{
    (void)state;
    test_heap(NULL);
    assert_null(heap_malloc(sizeof memory));
    assert_null(heap_calloc(SIZE_MAX, 2));
    assert_null(heap_malloc(SIZE_MAX));
    uint8_t *all = heap_malloc(sizeof memory - 8);
    assert_ptr_equal(all, memory + 8);
    assert_null(heap_malloc(0));
    heap_free(all);
    uint8_t *block = heap_realloc(NULL, 40);
    memset(block, 7, 40);
    block = heap_realloc(block, 4000);
    check_block(block, 40, 7);
    assert_null(heap_realloc(block, sizeof memory));
    check_block(block, 40, 7);
    heap_free(heap_realloc(block, 8));
    all = heap_malloc(sizeof memory - 8);
    assert_ptr_equal(all, memory + 8);
    heap_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_with_any_memory),
        cmocka_unit_test(test_what_it_says),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_known_places),
        cmocka_unit_test(test_all_fits),
        cmocka_unit_test(test_agree),
        cmocka_unit_test(test_dump),
        cmocka_unit_test(test_crc),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_heap_joins),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
