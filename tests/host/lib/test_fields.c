/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: no call of the stream builder cuts a number. Method: a table of every field of every call, with the last value
 * that is possible and the first that is not. The first goes well; the second is TESSERA_MISUSE with a sentence that
 * names the field, and has changed nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tessera_stream.h"
#include "lib/tessera_internal.h"

enum {
    WIDTH = 100,
    HEIGHT = 80,
    BYTES = 16 * PAGE_BYTES,
    SIZED = 1,
    SOURCE = 2,
    PLAIN = 3,
    PLAIN_SOURCE = 4,
    FREE = 9
};

/* What every call takes its arguments from; each starts as one that is possible. */
struct request {
    uint32_t slot, x, y, width, height, bytes;
    struct tessera_surface surface;
    struct tessera_affine affine;
    struct tessera_place target, source;
};

static struct tessera_allocation allocation, other;

static struct request possible(uint32_t target, uint32_t source)
{
    struct request request = {.slot = target, .width = 1, .height = 1, .bytes = 16};
    request.surface =
        (struct tessera_surface){.allocation = &allocation, .format = FORMAT_ARGB8888, .pitch = 4 * WIDTH};
    request.affine = (struct tessera_affine){.source_width = 1, .source_height = 1, .u_x = 0x10000, .v_y = 0x10000};
    request.affine.blit =
        (struct tessera_blit){.target = target, .source = source, .width = 1, .height = 1, .value = 255};
    request.target = (struct tessera_place){&allocation, 0, 5};
    request.source = (struct tessera_place){&other, 0, 6};
    return request;
}

static int bind(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_bind(stream, request->slot, &request->surface);
}
static int unbind(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_unbind(stream, request->slot);
}
static int fill_rect(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_fill_rect(stream, request->slot, request->x, request->y, request->width, request->height, 0);
}
static int blit(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_blit(stream, &request->affine.blit);
}
static int map(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_blit_affine(stream, &request->affine);
}
static int palette(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_palette(stream, &request->source);
}
static int copy(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_copy(stream, &request->target, &request->source, request->bytes);
}
static int fill(struct tessera_stream *stream, const struct request *request)
{
    return tessera_stream_fill(stream, &request->target, request->bytes, 0);
}

#define AT(member) offsetof(struct request, member)
#define OF(call, member, good, bad, words) \
    { \
        call, PLAIN, AT(member), good, bad, words \
    }
#define IN(call, member, good, bad, words) \
    { \
        call, SIZED, AT(member), good, bad, words \
    }

static const struct row {
    int (*call)(struct tessera_stream *, const struct request *);
    uint32_t slot; /* PLAIN: surfaces without width and height. SIZED: with */
    size_t member;
    uint32_t good, bad;
    const char *words; /* of the sentence */
} rows[] = {
    OF(bind, slot, 63, 64, "slot 64"),
    OF(bind, surface.format, FORMAT_INDEX8, 8, "format 8"),
    OF(bind, surface.format, FORMAT_A1, 31, "format 31"),
    OF(bind, surface.format, FORMAT_A4, 99, "format 99"),
    OF(bind, surface.pitch, 65535, 65536, "pitch 65536"),
    OF(bind, surface.offset, BYTES, BYTES + 1, "offset 65537"),
    OF(bind, surface.bytes, BYTES, BYTES + 1, "bytes 65537"),
    OF(unbind, slot, 63, 64, "slot 64"),
    OF(fill_rect, slot, PLAIN, 64, "slot 64"),
    OF(fill_rect, slot, PLAIN, FREE, "slot 9"),
    OF(fill_rect, x, 65535, 65536, "x 65536"),
    OF(fill_rect, y, 65535, 65536, "y 65536"),
    OF(fill_rect, width, 65535, 65536, "width 65536"),
    OF(fill_rect, height, 65535, 65536, "height 65536"),
    IN(fill_rect, x, WIDTH - 1, WIDTH, "1 x 1 at 100, 0 leaves"),
    IN(fill_rect, y, HEIGHT - 1, HEIGHT, "1 x 1 at 0, 80 leaves"),
    IN(fill_rect, width, WIDTH, WIDTH + 1, "101 x 1"),
    IN(fill_rect, height, HEIGHT, HEIGHT + 1, "1 x 81"),
    OF(blit, affine.blit.target, PLAIN, 64, "slot 64"),
    OF(blit, affine.blit.target, PLAIN, FREE, "slot 9, the target"),
    OF(blit, affine.blit.source, PLAIN, 64, "slot 64"),
    OF(blit, affine.blit.source, PLAIN, FREE, "slot 9, the source"),
    OF(blit, affine.blit.mode, BLIT_MOD, 6, "mode 6"),
    OF(blit, affine.blit.mode, BLIT_COPY, 77, "mode 77"),
    OF(blit, affine.blit.target_x, 65535, 65536, "target x 65536"),
    OF(blit, affine.blit.target_y, 65535, 65536, "target y 65536"),
    OF(blit, affine.blit.source_x, 65535, 65536, "source x 65536"),
    OF(blit, affine.blit.source_y, 65535, 65536, "source y 65536"),
    OF(blit, affine.blit.width, 65535, 65536, "width 65536"),
    OF(blit, affine.blit.height, 65535, 65536, "height 65536"),
    OF(blit, affine.blit.rop, 255, 256, "rop 256"),
    OF(blit, affine.blit.key, 0xffffff, 0x1000000, "key 16777216"),
    IN(blit, affine.blit.target_x, WIDTH - 1, WIDTH, "target in slot 1"),
    IN(blit, affine.blit.target_y, HEIGHT - 1, HEIGHT, "target in slot 1"),
    IN(blit, affine.blit.source_x, WIDTH - 1, WIDTH, "source in slot 2"),
    IN(blit, affine.blit.source_y, HEIGHT - 1, HEIGHT, "source in slot 2"),
    IN(blit, affine.blit.width, WIDTH, WIDTH + 1, "101 x 1"),
    IN(blit, affine.blit.height, HEIGHT, HEIGHT + 1, "1 x 81"),
    OF(map, affine.blit.mode, BLIT_MOD, 6, "mode 6"),
    OF(map, affine.blit.mode, BLIT_MOD, BLIT_ROP, "ROP"),
    OF(map, affine.blit.target_x, 65535, 65536, "target x 65536"),
    OF(map, affine.blit.width, 65535, 65536, "width 65536"),
    OF(map, affine.blit.height, 65535, 65536, "height 65536"),
    OF(map, affine.blit.source_x, 65535, 65536, "source x 65536"),
    OF(map, affine.blit.source_y, 65535, 65536, "source y 65536"),
    OF(map, affine.blit.key, 0xffffff, 0x1000000, "key 16777216"),
    OF(map, affine.source_width, 65535, 65536, "source width 65536"),
    OF(map, affine.source_height, 65535, 65536, "source height 65536"),
    OF(map, affine.source_width, 1, 0, "source_width"),
    OF(map, affine.source_height, 1, 0, "source_height"),
    IN(map, affine.source_width, WIDTH, WIDTH + 1, "101 x 1"),
    IN(map, affine.source_height, HEIGHT, HEIGHT + 1, "1 x 81"),
    IN(map, affine.blit.target_y, HEIGHT - 1, HEIGHT, "target in slot 1"),
    OF(palette, source.slot, 63, 64, "slot 64"),
    OF(palette, source.offset, BYTES - 1024, BYTES - 768, "1024 bytes from offset 64768"),
    OF(palette, source.offset, 256, 128, "offset 128"),
    OF(copy, target.slot, 63, 64, "slot 64"),
    OF(copy, source.slot, 63, 64, "slot 64"),
    OF(copy, source.slot, 6, 5, "both name 5"),
    OF(copy, target.offset, BYTES - 16, BYTES - 15, "target"),
    OF(copy, source.offset, BYTES - 16, BYTES - 15, "source"),
    OF(copy, bytes, BYTES, BYTES + 1, "65537 bytes"),
    OF(copy, bytes, 0, UINT32_MAX, "4294967295 bytes"),
    OF(fill, target.slot, 63, 64, "slot 64"),
    OF(fill, target.offset, BYTES - 16, BYTES - 15, "offset 65521"),
    OF(fill, bytes, BYTES, BYTES + 1, "65537 bytes"),
};

static struct tessera_stream *stream_made(void)
{
    struct tessera_stream *stream = tessera_stream_create();
    struct request request = possible(PLAIN, PLAIN);
    assert_non_null(stream);
    allocation = (struct tessera_allocation){.handle = 1, .bytes = BYTES};
    other = (struct tessera_allocation){.handle = 2, .bytes = BYTES};
    for (uint32_t slot = SIZED; slot <= PLAIN_SOURCE; slot++) {
        request.surface.width = slot <= SOURCE ? WIDTH : 0;
        request.surface.height = slot <= SOURCE ? HEIGHT : 0;
        assert_int_equal(tessera_stream_bind(stream, slot, &request.surface), TESSERA_OK);
    }
    return stream;
}

static uint32_t size_of(const struct tessera_stream *stream)
{
    const uint32_t *parts[3];
    uint32_t words[3];
    tessera_stream_parts(stream, &parts[0], &words[0], &parts[1], &words[1], &parts[2], &words[2]);
    return words[0] + words[1] + words[2];
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct tessera_stream *stream = stream_made();
        struct request request = possible(row->slot, row->slot + 1u);
        const uint32_t before = size_of(stream);
        memcpy((char *)&request + row->member, &row->bad, sizeof row->bad);
        const int status = row->call(stream, &request);
        if (status != TESSERA_MISUSE || strstr(tessera_stream_message(stream), row->words) == NULL ||
            size_of(stream) != before)
            fail_msg("row %zu, '%s': status %d, '%s'", i, row->words, status, tessera_stream_message(stream));
        memcpy((char *)&request + row->member, &row->good, sizeof row->good);
        if (row->call(stream, &request) != TESSERA_OK)
            fail_msg("row %zu, '%s': %u is refused: '%s'", i, row->words, row->good, tessera_stream_message(stream));
        tessera_stream_destroy(stream);
    }
}

/* A surface says how large it is: what has no room in its bytes is refused, and so is none at all. */
static void test_surfaces(void **state)
{
    static const struct {
        uint32_t format, pitch, width, height, bytes;
        bool is_good;
    } sizes[] = {{FORMAT_ARGB8888, 400, 100, 80, 32000, true},
                 {FORMAT_ARGB8888, 400, 101, 80, 32000, false},
                 {FORMAT_ARGB8888, 400, 100, 81, 32000, false},
                 {FORMAT_RGB888, 300, 100, 80, 24000, true},
                 {FORMAT_RGB888, 300, 100, 80, 23999, false},
                 {FORMAT_A4, 3, 3, 3, 5, true},
                 {FORMAT_A4, 3, 3, 3, 4, false},
                 {FORMAT_A1, 9, 9, 7, 8, true},
                 {FORMAT_A1, 9, 9, 8, 8, false}};
    struct tessera_stream *stream = stream_made();
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct tessera_surface surface = {.allocation = &allocation,
                                                .format = sizes[i].format,
                                                .pitch = sizes[i].pitch,
                                                .bytes = sizes[i].bytes,
                                                .width = sizes[i].width,
                                                .height = sizes[i].height};
        assert_int_equal(tessera_stream_bind(stream, 1, &surface) == TESSERA_OK, sizes[i].is_good);
    }
    assert_int_equal(tessera_stream_bind(stream, 1, &(struct tessera_surface){0}), TESSERA_MISUSE);
    tessera_stream_destroy(stream);
}

/* BLEND and ADD with value 0 would draw nothing. */
static void test_alpha(void **state)
{
    struct tessera_stream *stream = stream_made();
    (void)state;
    for (uint32_t mode = BLIT_COPY; mode <= BLIT_MOD; mode++) {
        struct request request = possible(SIZED, SOURCE);
        const bool has_alpha = mode == BLIT_BLEND || mode == BLIT_ADD;
        request.affine.blit.mode = mode;
        request.affine.blit.value = 0;
        const int expected = has_alpha ? TESSERA_MISUSE : TESSERA_OK;
        assert_int_equal(blit(stream, &request), expected);
        if (mode != BLIT_ROP) assert_int_equal(map(stream, &request), expected);
        if (has_alpha) assert_non_null(strstr(tessera_stream_message(stream), "is_alpha_zero"));
        request.affine.blit.is_alpha_zero = true;
        assert_int_equal(blit(stream, &request), TESSERA_OK);
    }
    tessera_stream_destroy(stream);
}

static void test_fit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4u; i++)
        for (unsigned k = 0; k < 3u; k++) {
            struct request request = possible(SIZED, SOURCE);
            struct tessera_affine *affine = &request.affine, before;
            uint32_t *const fields[] = {&affine->source_width, &affine->source_height, &affine->blit.width,
                                        &affine->blit.height};
            *fields[i] = (const uint32_t[]){0, 32768, 32767}[k];
            before = *affine;
            assert_int_equal(tessera_affine_fit(affine, 0, false), k < 2u ? TESSERA_MISUSE : TESSERA_OK);
            if (k < 2u) assert_memory_equal(affine, &before, sizeof before);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_alpha), cmocka_unit_test(test_fit)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
