/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the golden model executes the draws that docs/pixels.md's table has and refuses all others, and each leaves the
 * units that spec/gpu.def says and no other byte changed. Method: every mode, flag and pair of formats against that
 * table, written here once more; random draws against a rendition that goes unit by unit over plain arrays; one blend
 * against the formulas of LVGL's renderer.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine_model.h"
#include "gpu_spec.h"
#include "pixel_model.h"

enum {
    SEGMENT_BYTES = 8192,
    PITCH = 64,
    ROWS = 16,
    SURFACE = 1024,
    SIDE = 12,
    FORMATS = FORMAT_INDEX8 + 1,
    DRAWS = 6000
};
enum { PALETTE = 7168 }; /* in segment 1 */
#define FLAG(name) (flags & name ? 1u : 0u)
enum { REVERSE = 1, KEYED = 2, COLOURED = 4, PREMULTIPLIED = 8, TRUNCATED = 16, BY_256 = 32, FLAGS = 64 };

static struct engine_model engine;
static uint8_t segment1[SEGMENT_BYTES], segment2[SEGMENT_BYTES];
static uint32_t command[256], random_state = 1;

static uint32_t pick(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void begin(void)
{
    memset(&engine, 0, sizeof engine);
    engine.segment1 = segment1;
    engine.segment2 = segment2;
    engine.segment1_bytes = engine.segment2_bytes = SEGMENT_BYTES;
    engine.command = command;
    engine.command_bytes = sizeof command;
    memset(engine.node[0].guard, 1, sizeof engine.node[0].guard); /* a palette is read under the guard */
}

static uint32_t colour_of(uint32_t index)
{
    const uint8_t *at = segment1 + PALETTE + 4 * (index % 256u);
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* A BIND of slot 0 to the target or 1 to the source: at the second KB of its segment. */
static uint32_t bind(uint32_t *words, uint32_t slot, uint32_t format)
{
    words[0] = PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT);
    words[PKT_BIND_ADDRESS_WORD] = (slot == 0 ? GPU_LIMIT(ADDR_SEGMENT2) : GPU_LIMIT(ADDR_SEGMENT1)) + SURFACE;
    words[PKT_BIND_PITCH_WORD] = FIELD_PUT(PITCH, PKT_BIND_PITCH);
    words[PKT_BIND_BYTES_WORD] = PITCH * ROWS;
    return PKT_BIND_WORDS;
}

struct draw {
    uint32_t mode, flags, source_format, target_format, source_x, source_y, target_x, target_y, width, height;
    uint32_t value, rop, key;
    /* A BLIT_AFFINE. */
    bool has_map, is_transparent, is_repeated, is_filtered;
    uint32_t columns, rows; /* of the source */
    int32_t map[6];         /* U, V, U_X, V_X, U_Y, V_Y */
};

/* The fault it ends with. */
static uint32_t execute(const struct draw *draw)
{
    const uint32_t flags = draw->flags;
    command[0] = PKT_PALETTE, command[PKT_PALETTE_SOURCE_WORD] = GPU_LIMIT(ADDR_SEGMENT1) + PALETTE;
    uint32_t words = PKT_PALETTE_WORDS;
    words += bind(command + words, 0, draw->target_format);
    words += bind(command + words, 1, draw->source_format);
    uint32_t *blit = command + words;
    blit[0] = PKT_BLIT | FIELD_PUT(0, PKT_BLIT_TARGET) | FIELD_PUT(1, PKT_BLIT_SOURCE) |
              FIELD_PUT(draw->mode, PKT_BLIT_MODE) | FIELD_PUT(FLAG(REVERSE), PKT_BLIT_REVERSE) |
              FIELD_PUT(FLAG(KEYED), PKT_BLIT_KEYED) | FIELD_PUT(FLAG(COLOURED), PKT_BLIT_COLOURED) |
              FIELD_PUT(FLAG(PREMULTIPLIED), PKT_BLIT_PREMULTIPLIED) | FIELD_PUT(FLAG(TRUNCATED), PKT_BLIT_TRUNCATED) |
              FIELD_PUT(FLAG(BY_256), PKT_BLIT_BY_256);
    blit[1] = FIELD_PUT(draw->target_x, PKT_BLIT_TARGET_X) | FIELD_PUT(draw->target_y, PKT_BLIT_TARGET_Y);
    blit[2] = FIELD_PUT(draw->source_x, PKT_BLIT_SOURCE_X) | FIELD_PUT(draw->source_y, PKT_BLIT_SOURCE_Y);
    blit[3] = FIELD_PUT(draw->width, PKT_BLIT_WIDTH) | FIELD_PUT(draw->height, PKT_BLIT_HEIGHT);
    blit[4] = draw->value;
    blit[5] = FIELD_PUT(draw->rop, PKT_BLIT_ROP) | FIELD_PUT(draw->key, PKT_BLIT_KEY);
    if (!draw->has_map) return engine_model_run(&engine, 0, 0, 4 * (words + PKT_BLIT_WORDS), true);
    blit[0] ^= (uint32_t)PKT_BLIT ^ (uint32_t)PKT_BLIT_AFFINE;
    blit[0] |= FIELD_PUT(draw->is_transparent, PKT_BLIT_AFFINE_TRANSPARENT) |
               FIELD_PUT(draw->is_repeated, PKT_BLIT_AFFINE_REPEAT);
    blit[5] |= FIELD_PUT(draw->is_filtered, PKT_BLIT_AFFINE_BILINEAR);
    blit[6] = draw->columns | draw->rows << 16;
    memcpy(blit + 7, draw->map, sizeof draw->map);
    return engine_model_run(&engine, 0, 0, 4 * (words + PKT_BLIT_AFFINE_WORDS), true);
}

/* ------------------------------------------------------------------ which there are */

static bool is_drawn(const struct draw *draw)
{
    const uint32_t source = draw->source_format, target = draw->target_format, flags = draw->flags;
    const bool is_keyed = FLAG(KEYED) != 0, is_coloured = FLAG(COLOURED) != 0;
    const bool has_colours =
        source != FORMAT_BYTES && target != FORMAT_BYTES && target != FORMAT_A8 && target != FORMAT_INDEX8;
    if (draw->mode == BLIT_COPY && source == target && !is_keyed && !is_coloured) return true; /* bytes are moved */
    if (FLAG(REVERSE)) return false;
    switch (draw->mode) {
    case BLIT_COPY:
    case BLIT_BLEND:
    case BLIT_ADD:
    case BLIT_MOD: return has_colours && !(is_keyed && source == FORMAT_A8);
    case BLIT_KEY: return has_colours && !is_keyed && !is_coloured && source != FORMAT_A8;
    case BLIT_ROP: return source == target && source != FORMAT_RGB888 && !is_keyed && !is_coloured;
    default: return false;
    }
}

static bool has_map_drawn(const struct draw *draw)
{
    return is_drawn(draw) && draw->mode != BLIT_ROP && (draw->flags & REVERSE) == 0 &&
           draw->source_format != FORMAT_BYTES && draw->target_format != FORMAT_BYTES &&
           draw->target_format != FORMAT_A8 && draw->target_format != FORMAT_INDEX8;
}

static void test_legal(void **state)
{
    unsigned drawn = 0;
    (void)state;
    begin();
    for (uint32_t mode = 0; mode < 8; mode++)
        for (uint32_t flags = 0; flags < FLAGS; flags++)
            for (uint32_t source = 0; source < FORMATS; source++)
                for (uint32_t target = 0; target < FORMATS; target++) {
                    const struct draw draw = {.mode = mode,
                                              .flags = flags,
                                              .source_format = source,
                                              .target_format = target,
                                              .width = 1,
                                              .height = 1};
                    const uint32_t expected = is_drawn(&draw) ? FAULT_NONE : FAULT_BAD_OPERAND;
                    if (execute(&draw) != expected)
                        fail_msg("mode %u, flags %u, formats %u, %u", mode, flags, source, target);
                    drawn += expected == FAULT_NONE;
                    struct draw mapped = draw;
                    mapped.has_map = true;
                    mapped.columns = mapped.rows = 1;
                    if (execute(&mapped) != (has_map_drawn(&draw) ? FAULT_NONE : FAULT_BAD_OPERAND))
                        fail_msg("mapped, mode %u, flags %u, formats %u, %u", mode, flags, source, target);
                }
    assert_true(drawn > 3000);
}

/* ------------------------------------------------------------------ what they leave */

static uint32_t get(const uint8_t *surface, uint32_t x, uint32_t y, uint32_t bytes)
{
    uint32_t unit = 0;
    for (uint32_t i = 0; i < bytes; i++) unit |= (uint32_t)surface[SURFACE + y * PITCH + x * bytes + i] << 8 * i;
    return unit;
}

static void put(uint8_t *surface, uint32_t x, uint32_t y, uint32_t bytes, uint32_t unit)
{
    for (uint32_t i = 0; i < bytes; i++) surface[SURFACE + y * PITCH + x * bytes + i] = (uint8_t)(unit >> 8 * i);
}

static uint32_t result_of(const struct draw *draw, uint32_t source, uint32_t target)
{
    const uint32_t flags = draw->flags;
    struct pixel_operation operation = {.mode = draw->mode,
                                        .value = draw->value,
                                        .is_premultiplied = FLAG(PREMULTIPLIED),
                                        .is_coloured = FLAG(COLOURED),
                                        .is_truncated = FLAG(TRUNCATED),
                                        .is_by_256 = FLAG(BY_256)};
    if (draw->mode == BLIT_ROP) return pixel_rop(draw->rop, draw->value, source, target);
    /* A unit that is only copied keeps the bits that are no colour. */
    const bool is_copied = (draw->mode == BLIT_COPY || draw->mode == BLIT_KEY) && !FLAG(COLOURED);
    if (is_copied && draw->source_format == draw->target_format) return source;
    const bool is_index = draw->source_format == FORMAT_INDEX8;
    uint32_t s =
        is_index ? colour_of(source) : pixel_expand_rounded(draw->source_format, source, FLAG(TRUNCATED), FLAG(BY_256));
    if (draw->mode == BLIT_BLEND && FLAG(TRUNCATED) && FLAG(BY_256))
        s = pixel_expand_even(&operation, draw->source_format, is_index ? s : source, draw->target_format);
    const uint32_t t = pixel_expand_rounded(draw->target_format, target, FLAG(TRUNCATED), FLAG(BY_256));
    return pixel_reduce(draw->target_format, pixel_operate(&operation, s, t));
}

static void draw_plainly(const struct draw *draw, const uint8_t *from, uint8_t *to)
{
    const uint32_t flags = draw->flags, source_bytes = pixel_unit_bytes(draw->source_format);
    const uint32_t target_bytes = pixel_unit_bytes(draw->target_format);
    for (uint32_t y = 0; y < draw->height; y++)
        for (uint32_t x = 0; x < draw->width; x++) {
            const uint32_t source = get(from, draw->source_x + x, draw->source_y + y, source_bytes);
            const uint32_t target = get(to, draw->target_x + x, draw->target_y + y, target_bytes);
            const uint64_t units = 1ull << 8 * source_bytes;
            if (draw->mode == BLIT_KEY && source == draw->value % units) continue;
            if (FLAG(KEYED) && ((source ^ draw->key) & pixel_colour_mask(draw->source_format)) == 0) continue;
            put(to, draw->target_x + x, draw->target_y + y, target_bytes, result_of(draw, source, target));
        }
}

/* Where a target unit comes from, by division that rounds down. False: it is left out. */
static bool find_source(const struct draw *draw, int64_t x, int64_t y, uint32_t *column, uint32_t *row)
{
    const int64_t one = 0x10000, limits[2] = {draw->columns, draw->rows};
    int64_t found[2];
    bool is_inside = true;
    for (int axis = 0; axis < 2; axis++) {
        int64_t at = draw->map[axis] + x * draw->map[2 + axis] + y * draw->map[4 + axis];
        at = (at - ((at % one) + one) % one) / one;
        if (draw->is_repeated) at = (at % limits[axis] + limits[axis]) % limits[axis];
        is_inside = is_inside && at >= 0 && at < limits[axis];
        found[axis] = at < 0 ? 0 : at >= limits[axis] ? limits[axis] - 1 : at;
    }
    *column = draw->source_x + (uint32_t)found[0], *row = draw->source_y + (uint32_t)found[1];
    return is_inside || !draw->is_transparent;
}

/* One channel between four, in real numbers: exact, since all are below 2^53 and parts 128ths. */
static uint32_t mix(const double four[4], double across, double down)
{
    const double left = four[0] + (four[2] - four[0]) * down, right = four[1] + (four[3] - four[1]) * down;
    return (uint32_t)floor(left + (right - left) * across);
}

/* A unit between four, as a draw of one from a surface of ARGB8888. */
static void draw_filtered(const struct draw *draw, int64_t x, int64_t y, const uint8_t *from, uint8_t *to)
{
    static uint8_t between[SEGMENT_BYTES];
    struct draw one = *draw;
    uint32_t colours[4], made = 0;
    double part[2];
    /* Left out as the unit is whose centre is the nearest. */
    one.map[0] += 0x8000, one.map[1] += 0x8000;
    if (!find_source(&one, x, y, &one.source_x, &one.source_y)) return;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t at = draw->map[axis] + x * draw->map[2 + axis] + y * draw->map[4 + axis];
        part[axis] = (double)(((at % 0x10000) + 0x10000) % 0x10000 / 0x200) / 128.0;
    }
    for (int i = 0; i < 4; i++) {
        struct draw next = *draw;
        uint32_t column, row;
        next.is_transparent = false;
        next.map[0] += i % 2 * 0x10000, next.map[1] += i / 2 * 0x10000;
        (void)find_source(&next, x, y, &column, &row);
        colours[i] = pixel_expand(draw->source_format, get(from, column, row, pixel_unit_bytes(draw->source_format)));
    }
    for (int lsb = 0; lsb < 32; lsb += 8) {
        double four[4];
        for (int i = 0; i < 4; i++) four[i] = colours[i] >> lsb & 255u;
        made |= mix(four, part[0], part[1]) << lsb;
    }
    put(between, 0, 0, 4, made);
    one.source_format = FORMAT_ARGB8888, one.source_x = one.source_y = 0;
    one.target_x += (uint32_t)x, one.target_y += (uint32_t)y, one.width = one.height = 1;
    draw_plainly(&one, between, to);
}

static void draw_mapped(const struct draw *draw, const uint8_t *from, uint8_t *to)
{
    for (uint32_t y = 0; y < draw->height; y++)
        for (uint32_t x = 0; x < draw->width; x++) {
            struct draw one = *draw;
            if (draw->is_filtered) {
                draw_filtered(draw, x, y, from, to);
                continue;
            }
            if (!find_source(draw, x, y, &one.source_x, &one.source_y)) continue;
            one.target_x += x, one.target_y += y, one.width = one.height = 1;
            draw_plainly(&one, from, to);
        }
}

static struct draw random_draw(void)
{
    struct draw draw;
    do {
        draw = (struct draw){.mode = pick(6), .flags = pick(FLAGS), .source_format = pick(FORMATS)};
        draw.target_format = pick(3) == 0 ? pick(FORMATS) : draw.source_format;
    } while (!is_drawn(&draw));
    draw.source_x = pick(SIDE), draw.source_y = pick(SIDE), draw.target_x = pick(SIDE), draw.target_y = pick(SIDE);
    draw.width = pick(5), draw.height = pick(5);
    draw.value = pick(1 << 24) << 8 | pick(256), draw.rop = pick(256), draw.key = pick(1 << 24);
    return draw;
}

static void test_random(void **state)
{
    static uint8_t source_before[SEGMENT_BYTES], expected[SEGMENT_BYTES];
    unsigned unwritten = 0;
    (void)state;
    begin();
    for (unsigned n = 0; n < DRAWS; n++) {
        struct draw draw = random_draw();
        for (uint32_t i = 0; i < SEGMENT_BYTES; i++)
            segment1[i] = (uint8_t)(pick(4) == 0 ? pick(256) : 0x5a), segment2[i] = (uint8_t)pick(256);
        if (draw.width != 0 && draw.height != 0 && pick(2) != 0) { /* a key that some unit has, perhaps but for alpha */
            draw.key = get(segment1, draw.source_x, draw.source_y, pixel_unit_bytes(draw.source_format));
            if (draw.mode == BLIT_KEY) draw.value = draw.key ^ (pick(4) == 0 ? 0x80000000u >> pick(32) : 0);
            draw.key = draw.key % (1 << 24) ^ (pick(4) == 0 ? 0x800000u >> pick(24) : 0);
        }
        memcpy(source_before, segment1, SEGMENT_BYTES);
        memcpy(expected, segment2, SEGMENT_BYTES);
        draw_plainly(&draw, segment1, expected);
        unwritten += memcmp(expected, segment2, SEGMENT_BYTES) == 0;
        assert_int_equal(execute(&draw), FAULT_NONE);
        if (memcmp(segment2, expected, SEGMENT_BYTES) != 0)
            fail_msg("draw %u: mode %u, flags %u, formats %u, %u", n, draw.mode, draw.flags, draw.source_format,
                     draw.target_format);
        assert_memory_equal(segment1, source_before, SEGMENT_BYTES);
    }
    assert_true(unwritten < DRAWS / 2);
}

/* Draws with a map, and an empty source rectangle. */
static void test_mapped(void **state)
{
    static uint8_t expected[SEGMENT_BYTES];
    unsigned drawn = 0, written = 0;
    (void)state;
    begin();
    while (drawn < DRAWS / 2) {
        struct draw draw = random_draw();
        if (!has_map_drawn(&draw)) continue;
        drawn++;
        draw.has_map = true, draw.is_transparent = pick(2) != 0, draw.rop = 0;
        draw.is_repeated = !draw.is_transparent && pick(2) != 0;
        draw.is_filtered = draw.mode != BLIT_KEY && (draw.flags & KEYED) == 0 && draw.source_format != FORMAT_RGB888 &&
                           draw.source_format != FORMAT_INDEX8 && pick(2) != 0;
        draw.columns = 1 + pick(4), draw.rows = 1 + pick(4);
        for (uint32_t i = 0; i < 6; i++) draw.map[i] = (int32_t)pick(i < 2 ? 0x60000 : 0x40000) - 0x20000;
        for (uint32_t i = 0; i < SEGMENT_BYTES; i++) segment1[i] = (uint8_t)pick(256), segment2[i] = (uint8_t)pick(256);
        memcpy(expected, segment2, SEGMENT_BYTES);
        draw_mapped(&draw, segment1, expected);
        written += memcmp(expected, segment2, SEGMENT_BYTES) != 0;
        assert_int_equal(execute(&draw), FAULT_NONE);
        assert_memory_equal(segment2, expected, SEGMENT_BYTES);
        struct draw both = draw;
        both.is_transparent = both.is_repeated = true;
        assert_int_equal(execute(&both), FAULT_BAD_OPERAND);
        if (draw.mode == BLIT_KEY || (draw.flags & KEYED) != 0 || draw.source_format == FORMAT_RGB888 ||
            draw.source_format == FORMAT_INDEX8) {
            draw.is_filtered = true;
            assert_int_equal(execute(&draw), FAULT_BAD_OPERAND);
            draw.is_filtered = false;
        }
        draw.columns *= drawn & 1u, draw.rows *= ~drawn & 1u;
        assert_int_equal(execute(&draw), FAULT_BAD_OPERAND);
        assert_memory_equal(segment2, expected, SEGMENT_BYTES);
    }
    assert_true(written > DRAWS / 8);
}

/* A palette is of its RUN: the next has none, nor is there one after a RESET or a load that failed. It is read under
 * the guard, from a multiple of 256, by the render node. */
static void test_palette(void **state)
{
    const struct draw draw = {
        .source_format = FORMAT_INDEX8, .target_format = FORMAT_ARGB8888, .width = 2, .height = 1};
    (void)state;
    begin();
    for (uint32_t i = 0; i < SEGMENT_BYTES; i++) segment1[i] = (uint8_t)(i * 7u + i / 256u);
    assert_int_equal(execute(&draw), FAULT_NONE);
    assert_int_equal(get(segment2, 1, 0, 4), colour_of(get(segment1, 1, 0, 1)));
    const uint32_t words = PKT_PALETTE_WORDS + 2 * PKT_BIND_WORDS + PKT_BLIT_WORDS;
    const uint32_t behind = 4 * PKT_PALETTE_WORDS, bytes = 4 * words - behind;
    assert_int_equal(engine_model_run(&engine, 0, behind, bytes, false), FAULT_BAD_OPERAND);
    assert_int_equal(execute(&draw), FAULT_NONE);
    engine_model_reset(&engine, 0);
    assert_false(engine.node[0].has_palette);
    const uint32_t places[][2] = {{GPU_LIMIT(ADDR_SEGMENT1) + PALETTE, FAULT_NONE},
                                  {GPU_LIMIT(ADDR_SEGMENT1) + PALETTE - 128, FAULT_BAD_OPERAND},
                                  {GPU_LIMIT(ADDR_SEGMENT1) + PALETTE + 256, FAULT_READ_BUS},
                                  {GPU_LIMIT(ADDR_SYSTEM), FAULT_READ_GUARD}};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        command[PKT_PALETTE_SOURCE_WORD] = places[i][0];
        assert_int_equal(engine_model_run(&engine, 0, 0, behind, true), places[i][1]);
        assert_int_equal(engine.node[0].has_palette, places[i][1] == FAULT_NONE);
        assert_int_equal(engine_model_run(&engine, 1, 0, behind, true), FAULT_BAD_OPERAND);
    }
    /* Of a filled index nothing is known but its byte. */
    assert_int_equal(pixel_reduce(FORMAT_INDEX8, 0x55u), 0x55u);
}

/* Of units that are parts of bytes each is drawn as one of A8 would be, wherever a row begins; as targets, keyed, by a
 * map or moved as they are there are none. */
static void test_parts(void **state)
{
    static const struct {
        uint32_t format, bits;
    } kinds[] = {{FORMAT_A4, 4}, {FORMAT_A2, 2}, {FORMAT_A1, 1}};
    (void)state;
    begin();
    for (uint32_t i = 0; i < 3000; i++) {
        const uint32_t format = kinds[i % 3u].format, bits = kinds[i % 3u].bits, pitch = pick(200), x = pick(60),
                       y = pick(9);
        const uint32_t modes[] = {BLIT_COPY, BLIT_BLEND, BLIT_ADD, BLIT_MOD}, mode = modes[pick(4)];
        const uint32_t to = 1u + pick(5), flags = pick(2) * COLOURED | pick(2) * PREMULTIPLIED;
        const uint32_t bytes = pixel_unit_bytes(to);
        for (uint32_t k = 0; k < SEGMENT_BYTES; k++) segment1[k] = (uint8_t)pick(256), segment2[k] = (uint8_t)pick(256);
        memset(command, 0, sizeof command);
        uint32_t *blit = command + 2 * PKT_BIND_WORDS;
        command[0] = PKT_BIND | FIELD_PUT(1, PKT_BIND_SLOT) | FIELD_PUT(to, PKT_BIND_FORMAT);
        command[1] = GPU_LIMIT(ADDR_SEGMENT2) + SURFACE, command[2] = PITCH, command[3] = 4096;
        command[4] = PKT_BIND | FIELD_PUT(2, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT);
        command[5] = GPU_LIMIT(ADDR_SEGMENT1) + SURFACE, command[6] = pitch, command[7] = 4096;
        blit[0] = PKT_BLIT | FIELD_PUT(1, PKT_BLIT_TARGET) | FIELD_PUT(2, PKT_BLIT_SOURCE) |
                  FIELD_PUT(mode, PKT_BLIT_MODE) | FIELD_PUT(FLAG(COLOURED), PKT_BLIT_COLOURED) |
                  FIELD_PUT(FLAG(PREMULTIPLIED), PKT_BLIT_PREMULTIPLIED);
        blit[2] = x | y << 16, blit[3] = SIDE | 3u << 16, blit[4] = pick(1u << 24) << 8 | pick(256);
        uint8_t expected[SEGMENT_BYTES];
        memcpy(expected, segment2, sizeof expected);
        const struct pixel_operation operation = {mode, blit[4], FLAG(PREMULTIPLIED), FLAG(COLOURED),
                                                  .is_coarse = false};
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t column = 0; column < SIDE; column++) {
                uint32_t alpha = 0;
                for (uint32_t bit = 0; bit < 8; bit++) { /* the unit's bits again and again */
                    const uint32_t at = ((y + row) * pitch + x + column) * bits + bit % bits;
                    alpha = alpha << 1 | ((uint32_t)segment1[SURFACE + at / 8u] >> (7u - at % 8u) & 1u);
                }
                const uint32_t old = pixel_expand(to, get(expected, column, row, bytes));
                put(expected, column, row, bytes,
                    pixel_reduce(to, pixel_operate(&operation, alpha << 24 | 0xffffffu, old)));
            }
        const uint32_t words = 2 * PKT_BIND_WORDS + PKT_BLIT_WORDS;
        assert_int_equal(engine_model_run(&engine, 0, 0, 4 * words, true), FAULT_NONE);
        assert_memory_equal(segment2, expected, SEGMENT_BYTES);
        const uint32_t plain = blit[0];
        blit[0] = plain | FIELD_PUT(1, PKT_BLIT_KEYED);
        assert_int_equal(engine_model_run(&engine, 0, 0, 4 * words, true), FAULT_BAD_OPERAND);
        blit[0] = (plain & ~FIELD_PUT(7, PKT_BLIT_MODE)) | FIELD_PUT(pick(2) != 0 ? BLIT_KEY : BLIT_ROP, PKT_BLIT_MODE);
        assert_int_equal(engine_model_run(&engine, 0, 0, 4 * words, true), FAULT_BAD_OPERAND);
        blit[0] = plain;
        command[0] = PKT_BIND | FIELD_PUT(1, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT);
        assert_int_equal(engine_model_run(&engine, 0, 0, 4 * words, true), FAULT_BAD_OPERAND);
        assert_memory_equal(segment2, expected, SEGMENT_BYTES);
    }
    for (uint32_t format = 8; format < 32; format++) {
        command[0] = PKT_BIND | FIELD_PUT(format, PKT_BIND_FORMAT);
        assert_int_equal(engine_model_run(&engine, 0, 0, 4 * PKT_BIND_WORDS, true),
                         pixel_depth(format) != 0 ? FAULT_NONE : FAULT_BAD_OPERAND);
    }
}

/* What KEYED compares is what colours are made of: a bit of a unit that is in the mask changes a colour, another none.
 */
static void test_colour_masks(void **state)
{
    (void)state;
    assert_int_equal(pixel_colour_mask(FORMAT_BYTES), 0);
    assert_int_equal(pixel_colour_mask(FORMAT_INDEX8), 0xff); /* all colours are made of all of it */
    for (uint32_t format = 1; format < FORMATS; format++)
        for (uint32_t bit = 0; bit < 8 * pixel_unit_bytes(format); bit++) {
            const uint32_t colours = pixel_expand(format, 0) ^ pixel_expand(format, 1u << bit);
            if (format == FORMAT_INDEX8) continue;
            assert_int_equal(pixel_colour_mask(format) >> bit & 1u, (colours & 0xffffffu) != 0);
        }
}

/* ------------------------------------------------------------------ LVGL's rounding */

/* LVGL's renderer, one channel: of bytes (lv_color_24_24_mix and its premultiplied sister). */
static uint32_t lvgl_bytes(uint32_t s, uint32_t t, uint32_t mix, bool is_premultiplied)
{
    if (mix == 0) return is_premultiplied ? (s + t > 255 ? 255 : s + t) : t;
    if (mix >= 253) return s;
    const uint32_t c = is_premultiplied ? s + (t * (255 - mix) >> 8) : (s * mix + t * (255 - mix)) >> 8;
    return c > 255 ? 255 : c;
}

/* Of 5 bits, s and t: lv_color_16_16_mix, of a colour or an image of 16 bits, and lv_color_24_16_mix of another. */
static uint32_t lvgl_five(uint32_t s, uint32_t t, uint32_t mix)
{
    if (mix == 255) return s;
    return mix == 0 ? t : (((s - t) * ((mix + 4) >> 3) >> 5) + t) & 31u;
}

static uint32_t lvgl_onto_five(uint32_t s, uint32_t t, uint32_t mix)
{
    if (mix == 255) return s;
    return mix == 0 ? t : (s * mix + t * (255 - mix)) >> 8;
}

static uint32_t blended(uint32_t from, uint32_t unit, uint32_t to, uint32_t before, uint32_t value, uint32_t flags)
{
    struct pixel_operation operation = {.mode = BLIT_BLEND,
                                        .value = value,
                                        .is_premultiplied = (flags & 1u) != 0,
                                        .is_coloured = (flags & 2u) != 0,
                                        .is_truncated = true,
                                        .is_by_256 = true};
    const uint32_t source = pixel_expand_even(&operation, from, unit, to);
    return pixel_reduce(to, pixel_operate(&operation, source, pixel_expand_rounded(to, before, true, true)));
}

/* BLEND with TRUNCATED and BY_256 is what LVGL's renderer computes: onto bytes, onto 5 bits, with an opacity. */
static void test_pixel_even(void **state)
{
    (void)state;
    for (uint32_t mix = 0; mix < 256; mix++) {
        for (uint32_t s = 0; s < 256; s += 3)
            for (uint32_t t = 0; t < 256; t += 5) {
                const uint32_t unit = mix << 24 | s;
                assert_int_equal(blended(FORMAT_ARGB8888, unit, FORMAT_XRGB8888, t, 255, 0) & 255u,
                                 lvgl_bytes(s, t, mix, false));
                assert_int_equal(blended(FORMAT_ARGB8888, unit, FORMAT_RGB888, t, 255, 1), lvgl_bytes(s, t, mix, true));
                assert_int_equal(blended(FORMAT_A8, mix, FORMAT_RGB888, t, s << 8 | 255u, 2),
                                 lvgl_bytes(s, t, mix, false));
                /* an opacity: LV_OPA_MIX2 */
                assert_int_equal(blended(FORMAT_A8, t, FORMAT_RGB888, 255 - s, s << 8 | mix, 2),
                                 lvgl_bytes(s, 255 - s, mix == 255 ? t : t * mix >> 8, false));
            }
        for (uint32_t s = 0; s < 32; s++)
            for (uint32_t t = 0; t < 32; t++) {
                assert_int_equal(blended(FORMAT_A8, mix, FORMAT_RGB565, t << 11, s << 27 | 255u, 2) >> 11,
                                 lvgl_five(s, t, mix));
                assert_int_equal(blended(FORMAT_ARGB8888, mix << 24 | s << 3 | 7u, FORMAT_RGB565, t, 255, 0),
                                 lvgl_onto_five(s, t, mix));
                /* an image of 16 bits with an opacity: of 255, one more stands for it */
                if (mix < 252)
                    assert_int_equal(blended(FORMAT_RGB565, s, FORMAT_RGB565, t, mix + 1u, 0), lvgl_five(s, t, mix));
            }
        /* 5 bits become bytes as LVGL has it */
        for (uint32_t s = 0; s < 32; s++)
            if (mix < 252)
                assert_int_equal(blended(FORMAT_RGB565, s, FORMAT_RGB888, 255 - s, mix + 1u, 0) & 255u,
                                 lvgl_bytes(s * 2106 >> 8, 255 - s, mix, false));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pixel_even),   cmocka_unit_test(test_legal),
                                       cmocka_unit_test(test_random),       cmocka_unit_test(test_mapped),
                                       cmocka_unit_test(test_colour_masks), cmocka_unit_test(test_palette),
                                       cmocka_unit_test(test_parts)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL), all = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", all - failed, failed);
    return failed != 0;
}
