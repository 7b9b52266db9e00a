/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the golden model is right, because everything else is judged by it.
 * Method: every expected value below was worked out by hand from the rules in spec/gpu.def and
 * pixel_model.h; none was printed by the model first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine_model.h"
#include "pixel_model.h"

enum { S1 = 0x10000000, S2 = 0x20000000, AP = 0x30000000, PAGE = 4096 };
#define SYSTEM GPU_LIMIT(ADDR_SYSTEM)

struct rig {
    struct engine_model engine;
    uint8_t segment1[2 * PAGE], segment2[4 * PAGE], system[4 * PAGE];
    uint32_t command[1024], aperture[8];
};

static int setup(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    rig->engine.segment1 = rig->segment1;
    rig->engine.segment2 = rig->segment2;
    rig->engine.system = rig->system;
    rig->engine.segment1_bytes = sizeof rig->segment1;
    rig->engine.segment2_bytes = sizeof rig->segment2;
    rig->engine.system_bytes = sizeof rig->system;
    rig->engine.command = rig->command;
    rig->engine.command_bytes = sizeof rig->command;
    rig->engine.aperture = rig->aperture;
    rig->engine.aperture_pages = 8;
    rig->engine.dummy_page = 3;
    for (unsigned n = 0; n < 2; n++) {
        rig->engine.node[n].ring_base = 2048 + 1024 * n;
        rig->engine.node[n].ring_log2_words = 4;
        rig->engine.node[n].is_enabled = true;
    }
    *state = rig;
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

/* Run packets of a node at command RAM offset 64. */
static uint32_t run(struct rig *rig, unsigned node, bool is_privileged, const uint32_t *words, size_t count)
{
    memcpy(rig->command + 16, words, count * sizeof *words);
    return engine_model_run(&rig->engine, node, 64, (uint32_t)(4 * count), is_privileged);
}
#define RUN_ON(rig, node, privileged, ...) \
    run(rig, node, privileged, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define RUN(rig, privileged, ...) RUN_ON(rig, 0, privileged, __VA_ARGS__)

/* Put words into a node's ring, wrap included. */
static void ring(struct rig *rig, unsigned node, const uint32_t *words, size_t count)
{
    struct engine_node *n = &rig->engine.node[node];
    for (size_t i = 0; i < count; i++, n->tail++) rig->command[n->ring_base / 4 + (n->tail & 15u)] = words[i];
}
#define RING(rig, node, ...) \
    ring(rig, node, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void test_pixel_formats(void **state)
{
    (void)state;
    assert_int_equal(pixel_expand(FORMAT_RGB565, 0xf800), 0xffff0000);
    assert_int_equal(pixel_expand(FORMAT_RGB565, 0x07e0), 0xff00ff00);
    assert_int_equal(pixel_expand(FORMAT_RGB565, 0x001f), 0xff0000ff);
    /* red 16 -> 10000100 = 132, green 32 -> 10000010 = 130, blue 1 -> 00001000 = 8 */
    assert_int_equal(pixel_expand(FORMAT_RGB565, 0x8401), 0xff848208);
    /* truncation: 0xff -> 31, 0x07 -> 0; alpha is dropped */
    assert_int_equal(pixel_reduce(FORMAT_RGB565, 0x12ff0307), 0xf800);
    assert_int_equal(pixel_reduce(FORMAT_RGB565, 0x00848208), 0x8401);
    for (uint32_t unit = 0; unit < 0x10000; unit++)
        assert_int_equal(pixel_reduce(FORMAT_RGB565, pixel_expand(FORMAT_RGB565, unit)), unit);
    /* red 16, green 1, blue 31; the alpha bit is all or nothing */
    assert_int_equal(pixel_expand(FORMAT_ARGB1555, 0x403f), 0x008408ff);
    assert_int_equal(pixel_expand(FORMAT_ARGB1555, 0xc03f), 0xff8408ff);
    assert_int_equal(pixel_reduce(FORMAT_ARGB1555, 0x7f8408ff), 0x403f);
    assert_int_equal(pixel_reduce(FORMAT_ARGB1555, 0x80870fff), 0xc03f);
    for (uint32_t unit = 0; unit < 0x10000; unit++)
        assert_int_equal(pixel_reduce(FORMAT_ARGB1555, pixel_expand(FORMAT_ARGB1555, unit)), unit);
    assert_int_equal(pixel_expand(FORMAT_XRGB8888, 0x12345678), 0xff345678);
    assert_int_equal(pixel_reduce(FORMAT_XRGB8888, 0x12345678), 0xff345678);
    assert_int_equal(pixel_expand(FORMAT_RGB888, 0x345678), 0xff345678);
    assert_int_equal(pixel_reduce(FORMAT_RGB888, 0x12345678), 0x345678);
    assert_int_equal(pixel_expand(FORMAT_A8, 0x5a), 0x5affffff);
    const uint32_t bytes[] = {1, 2, 4, 4, 3, 2, 1, 1};
    for (uint32_t format = 0; format < 8; format++) assert_int_equal(pixel_unit_bytes(format), bytes[format]);
    /* nearest integer, by an independent formula */
    for (uint32_t x = 0; x <= 255 * 255; x++) assert_int_equal(pixel_div255(x), (2 * x + 255) / 510);
}

static void test_pixel_blend(void **state)
{
    (void)state;
    /* alpha 128 over black and white: 255*128/255 = 128; 128*(127)/255 = 63.7 -> 64 */
    assert_int_equal(pixel_blend(0x80ffffff, 0xff000000, 255, false), 0xff808080);
    /* red: (200*128 + 100*127)/255 = 38300/255 = 150.2; green (0+50*127)/255 = 24.9 -> 25; blue 10*128/255 = 5.02
     * alpha: 128 + 64*127/255 = 128 + 31.87 -> 160 = 0xa0 */
    assert_int_equal(pixel_blend(0x80c8000a, 0x40643200, 255, false), 0xa0961905);
    /* a constant alpha halves the source's: 255*128/255 = 128 */
    assert_int_equal(pixel_blend(0xffffffff, 0xff000000, 128, false), 0xff808080);
    assert_int_equal(pixel_blend(0x00ffffff, 0x12345678, 255, false), 0x12345678);
    assert_int_equal(pixel_blend(0xffabcdef, 0x12345678, 255, false), 0xffabcdef);
    /* premultiplied: colours are not multiplied again; 0x60 + 0xc8*127/255 (99.6 -> 100) = 196; saturates at 255 */
    assert_int_equal(pixel_blend(0x80600000, 0xffc80000, 255, true), 0xffc40000);
    assert_int_equal(pixel_blend(0x01ff0000, 0xffff0000, 255, true), 0xffff0000);
    /* constant 128: colour 0x60*128/255 = 48.2 -> 48; alpha 128*128/255 = 64.3 -> 64; 200*191/255 = 149.8 -> 150 */
    assert_int_equal(pixel_blend(0x80600000, 0xffc80000, 128, true), 0xffc60000);
}

static void test_pixel_rop(void **state)
{
    (void)state;
    assert_int_equal(pixel_rop(0xcc, 0x12345678, 0x0ff05a5a, 0xffffffff), 0x0ff05a5a); /* SRCCOPY */
    assert_int_equal(pixel_rop(0xaa, 0x12345678, 0x0ff05a5a, 0xdeadbeef), 0xdeadbeef); /* target unchanged */
    assert_int_equal(pixel_rop(0xf0, 0x12345678, 0x0ff05a5a, 0xdeadbeef), 0x12345678); /* PATCOPY */
    assert_int_equal(pixel_rop(0x66, 0, 0xff00ff00, 0x0ff00ff0), 0xf0f0f0f0);          /* SRCINVERT */
    assert_int_equal(pixel_rop(0x88, 0, 0xff00ff00, 0x0ff00ff0), 0x0f000f00);          /* SRCAND */
    assert_int_equal(pixel_rop(0x55, 0, 0, 0x0ff00ff0), 0xf00ff00f);                   /* DSTINVERT */
}

static void test_copy_and_fill(void **state)
{
    struct rig *rig = *state;
    for (unsigned i = 0; i < 64; i++) rig->segment1[i] = (uint8_t)(i + 1);
    /* odd to odd, across a page of segment 2 */
    assert_int_equal(RUN(rig, true, PKT_COPY, S1 + 3, S2 + PAGE - 5, 11), FAULT_NONE);
    for (unsigned i = 0; i < 11; i++) assert_int_equal(rig->segment2[PAGE - 5 + i], i + 4);
    assert_int_equal(rig->segment2[PAGE - 6], 0);
    assert_int_equal(rig->segment2[PAGE + 6], 0);
    /* overlap, target above source, from the end */
    assert_int_equal(RUN(rig, true, PKT_COPY | 1u << 30, S1 + 0, S1 + 2, 8), FAULT_NONE);
    assert_memory_equal(rig->segment1, ((const uint8_t[]){1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 11}), 11);
    /* the wrong direction: the model moves byte by byte and smears; the engine does not (docs/engine.md, Order) */
    assert_int_equal(RUN(rig, true, PKT_COPY, S1 + 2, S1 + 3, 4), FAULT_NONE);
    assert_memory_equal(rig->segment1, ((const uint8_t[]){1, 2, 1, 1, 1, 1, 1, 6, 7, 8, 11}), 11);
    /* the pattern starts with its low byte at the first byte, wherever that is */
    assert_int_equal(RUN(rig, true, PKT_FILL, SYSTEM + 7, 6, 0x44332211), FAULT_NONE);
    assert_memory_equal(rig->system + 6, ((const uint8_t[]){0, 0x11, 0x22, 0x33, 0x44, 0x11, 0x22, 0}), 8);
    /* zero does nothing, even at an address that does not exist */
    assert_int_equal(RUN(rig, true, PKT_COPY, 0, 0, 0), FAULT_NONE);
}

/* Over page ends that lie elsewhere on both sides: every byte, none beside them, each counted where it is. */
static void test_copy_pages(void **state)
{
    struct rig *rig = *state;
    struct engine_node *node = &rig->engine.node[0];
    enum { FROM = 100, TO = 3000, BYTES = PAGE + 1500 };
    for (uint32_t i = 0; i < sizeof rig->system; i++) rig->system[i] = (uint8_t)(i * 7 + i / 256);
    memset(rig->segment2, 0xee, sizeof rig->segment2);
    assert_int_equal(RUN(rig, true, PKT_COPY, SYSTEM + FROM, S2 + TO, BYTES), FAULT_NONE);
    for (uint32_t i = 0; i < sizeof rig->segment2; i++)
        assert_int_equal(rig->segment2[i], i < TO || i >= TO + BYTES ? 0xee : rig->system[i - TO + FROM]);
    assert_int_equal(node->bytes_read_system, BYTES);
    assert_int_equal(node->bytes_written_local, BYTES);
    assert_int_equal(node->bytes_read_local + node->bytes_written_system, 0);
    assert_int_equal(RUN(rig, true, PKT_COPY, S2 + TO, SYSTEM + FROM, BYTES), FAULT_NONE);
    assert_int_equal(node->bytes_read_local, BYTES);
    assert_int_equal(node->bytes_written_system, BYTES);
    assert_int_equal(node->bytes_read_system + node->bytes_written_local, 2 * BYTES);
}

static void test_copy_2d(void **state)
{
    struct rig *rig = *state;
    for (unsigned i = 0; i < 64; i++) rig->segment1[i] = (uint8_t)i;
    assert_int_equal(RUN(rig, true, PKT_COPY_2D, S1 + 1, S2 + 2, 3u | 2u << 16, 10u | 5u << 16), FAULT_NONE);
    assert_memory_equal(rig->segment2, ((const uint8_t[]){0, 0, 1, 2, 3, 0, 0, 11, 12, 13, 0}), 11);
    /* overlapping scroll down by a row of 4: needs REVERSE */
    assert_int_equal(RUN(rig, true, PKT_COPY_2D | 1u << 30, S1, S1 + 4, 4u | 3u << 16, 4u | 4u << 16), FAULT_NONE);
    assert_memory_equal(rig->segment1, ((const uint8_t[]){0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16}), 17);
}

static void test_tile(void **state)
{
    struct rig *rig = *state;
    /* 64 bytes wide, 16 rows: tiles (0,0) (1,0) / (0,1) (1,1); pitch 72 on the linear side */
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 64; x++) rig->segment1[y * 72 + x] = (uint8_t)(y * 64 + x * 3);
    assert_int_equal(RUN(rig, true, PKT_TILE, S1, S2 + 256, 64u | 16u << 16, 72), FAULT_NONE);
    const uint8_t *tiles = rig->segment2 + 256;
    assert_int_equal(tiles[0], rig->segment1[0]);
    assert_int_equal(tiles[33], rig->segment1[72 + 1]);                    /* row 1 of tile 0 */
    assert_int_equal(tiles[256], rig->segment1[32]);                       /* tile (1,0) */
    assert_int_equal(tiles[512 + 2 * 32 + 5], rig->segment1[10 * 72 + 5]); /* tile (0,1), row 2 */
    assert_int_equal(tiles[768 + 7 * 32 + 31], rig->segment1[15 * 72 + 63]);
    /* and back */
    assert_int_equal(RUN(rig, true, PKT_TILE | 1u << 8, S2 + 256, SYSTEM, 64u | 16u << 16, 64), FAULT_NONE);
    for (unsigned y = 0; y < 16; y++) assert_memory_equal(rig->system + y * 64, rig->segment1 + y * 72, 64);
    assert_int_equal(RUN(rig, true, PKT_TILE, S1, S2 + 128, 64u | 16u << 16, 72), FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, PKT_TILE, S1, S2, 48u | 16u << 16, 72), FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, PKT_TILE, S1, S2, 64u | 12u << 16, 72), FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, PKT_TILE, S1 + 4, S2, 64u | 16u << 16, 72), FAULT_BAD_OPERAND);
}

static void test_draws(void **state)
{
    struct rig *rig = *state;
    uint16_t *target = (void *)rig->segment2, *texture = (void *)rig->segment1;
    const uint16_t crop[] = {0xf81f, 0x1234, 0x0000, 0xffff};
    memcpy(texture, crop, sizeof crop); /* 2 x 2, pitch 4 */
#define BIND(slot, format, address, pitch, bytes) PKT_BIND | (slot) << 8 | (format) << 16, address, pitch, bytes
#define BLIT_WORD0(target, source, mode) (uint32_t)(PKT_BLIT | (target) << 8 | (source) << 16 | (mode) << 24)
    assert_int_equal(RUN(rig, true, BIND(0u, (uint32_t)FORMAT_RGB565, S2, 16, 128),
                         BIND(63u, (uint32_t)FORMAT_RGB565, S1, 4, 8), PKT_FILL_RECT | 0 << 8, 1u | 1u << 16,
                         3u | 2u << 16, 0xdead1111),
                     FAULT_NONE);
    assert_int_equal(target[8], 0);
    assert_int_equal(target[9], 0x1111);
    assert_int_equal(target[11], 0x1111);
    assert_int_equal(target[12], 0);
    assert_int_equal(target[19], 0x1111);
    assert_int_equal(target[25], 0);
    /* KEY: the magenta unit leaves 0x1111 */
    assert_int_equal(
        RUN(rig, true, BLIT_WORD0(0u, 63u, (uint32_t)BLIT_KEY), 1u | 1u << 16, 0, 2u | 2u << 16, 0xf81f, 0),
        FAULT_NONE);
    assert_int_equal(target[9], 0x1111);
    assert_int_equal(target[10], 0x1234);
    assert_int_equal(target[17], 0x0000);
    assert_int_equal(target[18], 0xffff);
    /* BLEND of an ARGB8888 surface over RGB565: half white over black = 0x80 -> 16, 32, 16 */
    uint32_t light = 0x80ffffff;
    memcpy(rig->segment1 + 64, &light, 4);
    assert_int_equal(RUN(rig, true, BIND(5u, (uint32_t)FORMAT_ARGB8888, S1 + 64, 4, 4),
                         BLIT_WORD0(0u, 5u, (uint32_t)BLIT_BLEND), 1u | 2u << 16, 0, 1u | 1u << 16, 255, 0),
                     FAULT_NONE);
    assert_int_equal(target[17], 0x8410);
    /* COPY converts: 0x8410 -> 132, 130, 132 */
    assert_int_equal(RUN(rig, true, BLIT_WORD0(5u, 0u, (uint32_t)BLIT_COPY), 0, 1u | 2u << 16, 1u | 1u << 16, 0, 0),
                     FAULT_NONE);
    memcpy(&light, rig->segment1 + 64, 4);
    assert_int_equal(light, 0xff848284);
    /* ROP needs equal formats; BYTES knows only COPY and ROP; REVERSE only COPY */
    assert_int_equal(RUN(rig, true, BLIT_WORD0(0u, 5u, (uint32_t)BLIT_ROP), 0, 0, 1u | 1u << 16, 0, 0x66),
                     FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, BLIT_WORD0(0u, 63u, (uint32_t)BLIT_ROP), 2u | 1u << 16, 1, 1u | 1u << 16, 0, 0x66),
                     FAULT_NONE);
    assert_int_equal(target[10], 0);
    assert_int_equal(RUN(rig, true, BLIT_WORD0(0u, 63u, (uint32_t)BLIT_KEY) | 1u << 30, 0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, BIND(1u, (uint32_t)FORMAT_BYTES, S1, 4, 8), BLIT_WORD0(0u, 1u, (uint32_t)BLIT_COPY),
                         0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, BLIT_WORD0(0u, 2u, (uint32_t)BLIT_COPY), 0, 0, 1u | 1u << 16, 0, 0), FAULT_UNBOUND);
    /* address 0 unbinds */
    assert_int_equal(RUN(rig, true, BIND(0u, 0u, 0, 0, 0), PKT_FILL_RECT, 0, 1u | 1u << 16, 0), FAULT_UNBOUND);
}

/* By hand: what ADD, MOD, a constant alpha, COLOURED and KEYED do to single pixels. */
static void test_pixel_operate(void **state)
{
    (void)state;
#define OPERATE(mode, value, premultiplied, coloured, source, target) \
    pixel_operate(&(struct pixel_operation){mode, value, premultiplied, coloured, .is_coarse = false}, source, target)
    /* 100 * 128 / 255 = 50.2; 200 + 100.4 > 255; the target's alpha stays */
    assert_int_equal(OPERATE(BLIT_ADD, 255, false, false, 0x8064c800, 0x40c8c805), 0x40faff05);
    assert_int_equal(OPERATE(BLIT_ADD, 128, false, false, 0xff64c800, 0x40c8c805), 0x40faff05);
    assert_int_equal(OPERATE(BLIT_ADD, 255, true, false, 0x80320100, 0x00646464), 0x00966564);
    /* 100 * 200 / 255 = 78.4 */
    assert_int_equal(OPERATE(BLIT_MOD, 255, false, false, 0x0064ff00, 0x40c8c805), 0x404ec800);
    /* white times a colour is the colour: a mask over black, alpha 128 of 255 */
    assert_int_equal(OPERATE(BLIT_BLEND, 0xff8000ff, false, true, 0x80ffffff, 0xff000000), 0xff804000);
    /* COPY: times the colour, alpha times the constant */
    assert_int_equal(OPERATE(BLIT_COPY, 0xff800080, false, true, 0xff646464, 0), 0x80643200);
    assert_int_equal(OPERATE(BLIT_COPY, 0xff800080, true, false, 0x12345678, 0), 0x12345678);
}

/* Every quotient that TRUNCATED and BY_256 compute, against the divisions of C that they stand for. */
static void test_pixel_rounding(void **state)
{
    (void)state;
    for (uint32_t alpha = 0; alpha < 256; alpha += 5)
        for (uint32_t s = 0; s < 256; s++)
            for (uint32_t t = 0; t < 256; t++) {
                struct pixel_operation cut = {.mode = BLIT_BLEND, .value = alpha, .is_truncated = true};
                struct pixel_operation shift = {.mode = BLIT_BLEND, .value = alpha, .is_by_256 = true};
                int difference = (int)s - (int)t, a = (int)alpha;
                uint32_t source = 0xff000000u | s, target = t << 24 | t, over = alpha + t - alpha * t / 255u;
                assert_int_equal(pixel_operate(&cut, source, target) & 0xff0000ffu,
                                 over << 24 | (uint32_t)((int)t + difference * a / 255));
                assert_int_equal(pixel_operate(&shift, source, target) & 255u,
                                 ((t << 8) + (uint32_t)(difference * a)) >> 8 & 255u);
                cut.mode = BLIT_MOD;
                cut.value = 255;
                assert_int_equal(pixel_operate(&cut, source, target) & 255u, s * t / 255u);
                cut.mode = BLIT_ADD;
                assert_int_equal(pixel_operate(&cut, alpha << 24 | s, 0) & 255u, s * alpha / 255u);
            }
    /* premultiplied, by 256: the target's share is of 256 - alpha */
    for (uint32_t alpha = 0; alpha < 256; alpha++)
        for (uint32_t t = 0; t < 256; t++)
            assert_int_equal(pixel_operate(
                                 &(struct pixel_operation){
                                     .mode = BLIT_BLEND, .value = 255, .is_premultiplied = true, .is_by_256 = true},
                                 alpha << 24, t) &
                                 255u,
                             t * (256u - alpha) >> 8);
    for (uint32_t v = 0; v < 32; v++) {
        assert_int_equal(pixel_expand_rounded(FORMAT_RGB565, v, true, false) & 255u, v * 255u / 31u);
        assert_int_equal(pixel_expand_rounded(FORMAT_ARGB1555, v << 10, true, false), (v * 255u / 31u) << 16);
        assert_int_equal(pixel_expand_rounded(FORMAT_RGB565, v << 11, true, true), 0xff000000u | v << 19);
    }
    for (uint32_t v = 0; v < 64; v++) {
        assert_int_equal(pixel_expand_rounded(FORMAT_RGB565, v << 5, true, false), 0xff000000u | v * 255u / 63u << 8);
        assert_int_equal(pixel_expand_rounded(FORMAT_RGB565, v << 5, false, true), 0xff000000u | v << 10);
    }
}

/* RGB888, A8 and KEYED through packets: units of three bytes, a mask with a colour, a key without alpha. */
static void test_bind_formats(void **state)
{
    struct rig *rig = *state;
    const uint8_t mask[] = {255, 0, 128};
    memcpy(rig->segment1, mask, sizeof mask);
    memset(rig->segment2, 0, 64);
    assert_int_equal(RUN(rig, true, BIND(1u, (uint32_t)FORMAT_A8, S1, 4, 8),
                         BIND(2u, (uint32_t)FORMAT_RGB888, S2, 12, 24), PKT_FILL_RECT | 2 << 8, 0, 4u | 1u << 16,
                         0x00302010u, BLIT_WORD0(2u, 1u, (uint32_t)BLIT_BLEND) | 1u << PKT_BLIT_COLOURED_LSB, 0, 0,
                         3u | 1u << 16, 0x0080ffffu, 0),
                     FAULT_NONE);
    /* colour 0080ff; half of it over 302010: red 24, green 80, blue 136 */
    const uint8_t blended[] = {0xff, 0x80, 0, 0x10, 0x20, 0x30, 136, 80, 24, 0x10, 0x20, 0x30, 0};
    assert_memory_equal(rig->segment2, blended, sizeof blended);
    const uint32_t texture[] = {0x7fff00ff, 0x80102030};
    memcpy(rig->segment1, texture, sizeof texture);
    assert_int_equal(RUN(rig, true, BIND(3u, (uint32_t)FORMAT_ARGB8888, S1, 8, 8),
                         BLIT_WORD0(2u, 3u, (uint32_t)BLIT_COPY) | 1u << PKT_BLIT_KEYED_LSB, 0, 0, 2u | 1u << 16, 0,
                         0xff00ffu << 8),
                     FAULT_NONE);
    assert_memory_equal(rig->segment2, ((const uint8_t[]){0xff, 0x80, 0, 0x30, 0x20, 0x10}), 6);
    /* a mask is no target of colours, and has no key */
    assert_int_equal(RUN(rig, true, BLIT_WORD0(1u, 3u, (uint32_t)BLIT_COPY), 0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, BLIT_WORD0(2u, 1u, (uint32_t)BLIT_KEY), 0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, BLIT_WORD0(2u, 2u, (uint32_t)BLIT_ROP), 0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_BAD_OPERAND);
}

static void test_scroll_overlap(void **state)
{
    struct rig *rig = *state;
    for (unsigned i = 0; i < 16; i++) rig->segment2[i] = (uint8_t)i;
    assert_int_equal(RUN(rig, true, BIND(0u, 0u, S2, 4, 16), BLIT_WORD0(0u, 0u, (uint32_t)BLIT_COPY) | 1u << 30,
                         0u | 1u << 16, 0, 4u | 3u << 16, 0, 0),
                     FAULT_NONE);
    assert_memory_equal(rig->segment2, ((const uint8_t[]){0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), 16);
}

static void test_aperture(void **state)
{
    struct rig *rig = *state;
    rig->system[1 * PAGE] = 0xaa;
    rig->system[2 * PAGE + 1] = 0xbb;
    uint8_t value = 0;
    /* at reset: the dummy page */
    assert_int_equal(RUN(rig, true, PKT_FILL, AP + 5 * PAGE, 1, 0x77), FAULT_NONE);
    assert_int_equal(rig->system[3 * PAGE], 0x77);
    assert_int_equal(rig->engine.dummy_hits, 1);
    /* MAP 2 pages, then an access through each */
    assert_int_equal(RUN(rig, true, PKT_MAP | 1u << 8, 4, 2, 1), FAULT_NONE);
    assert_int_equal(rig->aperture[5], 2u | 1u << 20 | 1u << 21 | 1u << 22);
    assert_true(engine_model_read(&rig->engine, AP + 4 * PAGE, &value));
    assert_int_equal(value, 0xaa);
    assert_true(engine_model_read(&rig->engine, AP + 5 * PAGE + 1, &value));
    assert_int_equal(value, 0xbb);
    assert_int_equal(RUN(rig, true, PKT_UNMAP, 5, 1, 3), FAULT_NONE);
    assert_int_equal(rig->aperture[5], 3u | 1u << 20);
    assert_true(engine_model_read(&rig->engine, AP + 5 * PAGE, &value));
    assert_int_equal(value, 0x77);
    /* past the table, past system memory */
    assert_int_equal(RUN(rig, true, PKT_MAP, 7, 2, 0), FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, PKT_MAP, 7, 1, 4, PKT_FILL, AP + 7 * PAGE, 1, 0), FAULT_WRITE_BUS);
    assert_int_equal(RUN(rig, true, PKT_FILL, AP + 8 * PAGE, 1, 0), FAULT_WRITE_BUS);
}

/* The list is in page 3 and names pages 2 and 1; entry 2 is not below the bound, entry 3 has a bit too many. */
static void test_page_lists(void **state)
{
    struct rig *rig = *state;
    const struct engine_node *node = &rig->engine.node[1];
    const uint32_t list[] = {2, 1, 3, 0x80000001}, at = SYSTEM + 3 * PAGE + 20;
    memcpy(rig->system + 3 * PAGE + 20, list, sizeof list);
    rig->engine.node[1].page_bound = 3;
    rig->system[2 * PAGE] = 0xaa;
    rig->system[1 * PAGE + 1] = 0xbb;
    rig->system[1 * PAGE + 2] = 0xcc;
    /* 4098 bytes: a page, and two bytes of the next */
    assert_int_equal(RUN_ON(rig, 1, true, PKT_COPY_LIST, S2 + 8, PAGE + 2, at), FAULT_NONE);
    assert_int_equal(rig->segment2[8], 0xaa);
    assert_int_equal(rig->segment2[8 + PAGE + 1], 0xbb);
    assert_int_equal(rig->segment2[8 + PAGE + 2], 0);
    rig->segment1[0] = 0x11;
    rig->segment1[PAGE] = 0x22;
    assert_int_equal(RUN_ON(rig, 1, true, PKT_COPY_LIST | 1u << 8, S1, 2 * PAGE, at), FAULT_NONE);
    assert_int_equal(rig->system[2 * PAGE], 0x11);
    assert_int_equal(rig->system[1 * PAGE], 0x22);
    assert_int_equal(rig->system[1 * PAGE + 2], 0);
    /* a bad entry: what is before it is done, its index is named */
    assert_int_equal(RUN_ON(rig, 1, true, PKT_COPY_LIST, S2, 3 * PAGE, at), FAULT_BAD_PAGE);
    assert_int_equal(node->error_address, 2);
    assert_int_equal(rig->segment2[PAGE], 0x22);
    assert_int_equal(RUN_ON(rig, 1, true, PKT_COPY_LIST, S2, 1, at + 12), FAULT_BAD_PAGE);
    assert_int_equal(node->error_address, 0);
    assert_int_equal(RUN_ON(rig, 1, true, PKT_MAP_LIST | 1u << 8, 4, 3, at), FAULT_BAD_PAGE);
    assert_int_equal(node->error_address, 2);
    assert_int_equal(rig->aperture[4], 2u | 1u << 20 | 1u << 21 | 1u << 22);
    assert_int_equal(rig->aperture[5], 1u | 1u << 20 | 1u << 21 | 1u << 22);
    assert_int_equal(rig->aperture[6], 0);
    /* the list ends with system memory; it is whole entries of system memory; the range is the table's */
    assert_int_equal(RUN_ON(rig, 1, true, PKT_MAP_LIST, 0, 2, SYSTEM + 4 * PAGE - 4), FAULT_READ_BUS);
    assert_int_equal(node->error_address, SYSTEM + 4 * PAGE);
    assert_int_equal(RUN_ON(rig, 1, true, PKT_MAP_LIST, 0, 1, at + 2), FAULT_BAD_OPERAND);
    assert_int_equal(RUN_ON(rig, 1, true, PKT_COPY_LIST, S1, 1, S2), FAULT_BAD_OPERAND);
    assert_int_equal(RUN_ON(rig, 1, true, PKT_MAP_LIST, 7, 2, at), FAULT_BAD_OPERAND);
    /* for the paging node's privileged buffers only */
    assert_int_equal(RUN_ON(rig, 1, false, PKT_COPY_LIST, S1, 1, at), FAULT_PRIVILEGE);
    assert_int_equal(RUN_ON(rig, 0, true, PKT_COPY_LIST, S1, 1, at), FAULT_BAD_OPERAND);
    assert_int_equal(RUN_ON(rig, 0, true, PKT_MAP_LIST, 0, 1, at), FAULT_BAD_OPERAND);
}

static void test_faults_and_guard(void **state)
{
    struct rig *rig = *state;
    struct engine_node *node = &rig->engine.node[0];
    assert_int_equal(RUN(rig, true, PKT_NOP, 0x55), FAULT_BAD_OPCODE);
    assert_int_equal(node->error_packet, 68);
    assert_int_equal(node->error_word, 0x55);
    assert_int_equal(RUN(rig, false, PKT_FENCE, 1), FAULT_PRIVILEGE);
    assert_int_equal(RUN(rig, true, PKT_RUN, 0, 0), FAULT_PRIVILEGE);
    assert_int_equal(RUN(rig, true, PKT_FILL, S1, 4), FAULT_TRUNCATED);
    assert_int_equal(RUN(rig, true, PKT_NOP | 0x100u), FAULT_BAD_OPERAND);
    assert_int_equal(RUN(rig, true, PKT_FENCE, 7, PKT_TOUCH | 9u << 9, S1), FAULT_BAD_OPERAND);
    assert_int_equal(node->fence, 7);
    assert_int_equal(RUN(rig, true, PKT_COPY, S1 + 2 * PAGE - 1, S2, 2), FAULT_READ_BUS);
    assert_int_equal(node->error_address, S1 + 2 * PAGE);
    assert_int_equal(RUN(rig, true, PKT_COPY, 0x40000000, S2, 2), FAULT_READ_BUS);
    assert_int_equal(RUN(rig, true, PKT_FILL, S2 + 4 * PAGE, 1, 0), FAULT_WRITE_BUS);
    assert_int_equal(RUN(rig, true, PKT_FILL, SYSTEM + 4 * PAGE, 1, 0), FAULT_WRITE_BUS);
    /* nothing granted; then read of one page, write of the next */
    assert_int_equal(RUN(rig, false, PKT_COPY, S2, S2 + PAGE, 8), FAULT_READ_GUARD);
    assert_int_equal(RUN(rig, true, PKT_GUARD | 1u << 8, 4096, 1, PKT_GUARD | 2u << 8, 4097, 1), FAULT_NONE);
    assert_int_equal(RUN(rig, false, PKT_COPY, S2, S2 + PAGE, 8), FAULT_NONE);
    assert_int_equal(RUN(rig, false, PKT_COPY, S2 + PAGE, S2 + PAGE, 8), FAULT_READ_GUARD);
    assert_int_equal(RUN(rig, false, PKT_FILL, S2 + 2 * PAGE - 4, 8, 0), FAULT_WRITE_GUARD);
    assert_int_equal(node->error_address, S2 + 2 * PAGE);
    /* privileged spaces are nobody's to grant; a grant is no bus */
    assert_int_equal(RUN(rig, false, PKT_FILL, SYSTEM, 1, 0), FAULT_WRITE_GUARD);
    assert_int_equal(RUN(rig, true, PKT_GUARD | 3u << 8, 0, 0x3000), FAULT_NONE);
    assert_int_equal(RUN(rig, false, PKT_FILL, SYSTEM, 1, 0), FAULT_WRITE_GUARD);
    assert_int_equal(RUN(rig, false, PKT_FILL, S1 + 2 * PAGE, 1, 0), FAULT_WRITE_BUS);
    assert_int_equal(RUN(rig, true, PKT_GUARD | 3u << 8, 0x2fff, 2), FAULT_BAD_OPERAND);
    /* a blended draw reads its target */
    assert_int_equal(RUN(rig, true, PKT_GUARD | 2u << 8, 4096, 1), FAULT_NONE);
    assert_int_equal(RUN(rig, false, BIND(0u, 2u, S2, 4, 16), BIND(1u, 2u, S1, 4, 16),
                         BLIT_WORD0(0u, 1u, (uint32_t)BLIT_COPY), 0, 0, 1u | 1u << 16, 0, 0),
                     FAULT_NONE);
    assert_int_equal(RUN(rig, false, BLIT_WORD0(0u, 1u, (uint32_t)BLIT_BLEND), 0, 0, 1u | 1u << 16, 255, 0),
                     FAULT_READ_GUARD);
    assert_int_equal(node->error_address, S2);
}

static void count_packet(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)node;
    (void)offset;
    (void)words;
    ++*(unsigned *)context;
}

static void test_ring_fences_and_waits(void **state)
{
    struct rig *rig = *state;
    struct engine_model *engine = &rig->engine;
    unsigned seen = 0;
    engine->on_packet = count_packet;
    engine->context = &seen;
    assert_false(engine_model_step(engine, 0));
    /* node 0 waits for fence 5 of node 1 inside a privileged RUN, after one FILL */
    memcpy(rig->command, (const uint32_t[]){PKT_FILL, S1, 1, 0x11, PKT_WAIT_FENCE, 5, PKT_FILL, S1 + 1, 1, 0x22}, 40);
    RING(rig, 0, PKT_RUN | 1u << 8, 0, 40, PKT_FENCE | 1u << 8, 9);
    assert_true(engine_model_step(engine, 0));
    assert_int_equal(rig->segment1[0], 0x11);
    assert_false(engine_model_step(engine, 0));
    assert_int_equal(engine->node[0].head, 0);
    RING(rig, 1, PKT_FENCE, 4, PKT_FENCE, 5);
    assert_true(engine_model_step(engine, 1));
    assert_false(engine_model_step(engine, 0));
    assert_true(engine_model_step(engine, 1));
    assert_true(engine_model_step(engine, 0));
    assert_int_equal(rig->segment1[1], 0x22);
    assert_int_equal(engine->node[0].head, 3);
    assert_true(engine_model_step(engine, 0));
    assert_int_equal(engine->node[0].fence, 9);
    assert_int_equal(engine->node[0].irq, 1);
    assert_int_equal(engine->node[1].irq, 0);
    assert_int_equal(seen, 7); /* RUN, FILL, WAIT, FILL, FENCE; FENCE, FENCE */
    /* 16-word ring: this FILL wraps; a packet only half written is not taken */
    RING(rig, 0, PKT_NOP, PKT_NOP, PKT_NOP, PKT_NOP, PKT_NOP, PKT_NOP, PKT_NOP, PKT_NOP, PKT_FILL, S1, 1);
    for (unsigned i = 0; i < 8; i++) assert_true(engine_model_step(engine, 0));
    assert_false(engine_model_step(engine, 0));
    RING(rig, 0, 0x99);
    assert_true(engine_model_step(engine, 0));
    assert_int_equal(rig->segment1[0], 0x99);
    assert_int_equal(engine->node[0].head, 17);
    /* signed fence order: 0xffffffff has not reached 1, 2 has */
    engine->node[1].fence = 0xffffffffu;
    RING(rig, 0, PKT_WAIT_FENCE, 1);
    assert_false(engine_model_step(engine, 0));
    engine->node[1].fence = 2;
    assert_true(engine_model_step(engine, 0));
    /* an error halts until reset */
    RING(rig, 0, 0x77, PKT_NOP);
    assert_true(engine_model_step(engine, 0));
    assert_true(engine->node[0].is_halted);
    assert_int_equal(engine->node[0].irq, 3);
    assert_int_equal(engine->node[0].error_packet, 2048 + 4 * 3);
    assert_false(engine_model_step(engine, 0));
    engine_model_reset(engine, 0);
    assert_int_equal(engine->node[0].head, engine->node[0].tail);
    RING(rig, 0, PKT_NOP);
    engine->node[0].is_paused = true;
    assert_false(engine_model_step(engine, 0));
    engine->node[0].is_paused = false;
    assert_true(engine_model_step(engine, 0));
    RING(rig, 0, PKT_RUN, 2, 4);
    assert_true(engine_model_step(engine, 0));
    assert_int_equal(engine->node[0].error, FAULT_BAD_OPERAND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixel_formats),
        cmocka_unit_test(test_pixel_blend),
        cmocka_unit_test(test_pixel_rounding),
        cmocka_unit_test(test_pixel_rop),
        cmocka_unit_test_setup_teardown(test_copy_pages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_and_fill, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy_2d, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_draws, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pixel_operate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bind_formats, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scroll_overlap, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aperture, setup, teardown),
        cmocka_unit_test_setup_teardown(test_page_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(test_faults_and_guard, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring_fences_and_waits, setup, teardown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
