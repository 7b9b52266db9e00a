/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a map of a recording takes the units that recording.h says, and one that would take a unit outside of its
 * source does not fit. Method: maps at and beside every edge, and random ones, against sums in 64 bits, unit by unit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tools/recording/recording.h"

enum { MOST = 9, ONE = 1 << 16, HALF = 1 << 15 };
static uint32_t noise = 3;

static uint32_t pick(uint32_t limit)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise % limit;
}

static int64_t sum(int32_t start, int32_t step_x, int32_t step_y, uint32_t x, uint32_t y)
{
    return start + (int64_t)x * step_x + (int64_t)y * step_y;
}

static int64_t rounded_down(int64_t value) { return value >= 0 ? value / ONE : -((-value + ONE - 1) / ONE); }

/* By its words: all lie inside, it has an inverse, and it is upright or a quarter turn. */
static bool fits(const struct recording_map *map, uint32_t width, uint32_t height)
{
    const bool is_upright = map->u_y == 0 && map->v_x == 0, is_turned = map->u_x == 0 && map->v_y == 0;
    if (map->width == 0 || map->height == 0) return false;
    if (!is_upright && !is_turned) return false;
    if (is_upright ? map->u_x == 0 || map->v_y == 0 : map->u_y == 0 || map->v_x == 0) return false;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const int64_t more = map->is_filtered ? HALF : 0;
            const int64_t column = rounded_down(sum(map->u, map->u_x, map->u_y, x, y) + more);
            const int64_t row = rounded_down(sum(map->v, map->v_x, map->v_y, x, y) + more);
            if (column < 0 || column >= (int64_t)map->width || row < 0 || row >= (int64_t)map->height) return false;
        }
    }
    return true;
}

/* The unit between four; `edge`: the last index. */
static void between(int64_t at, uint32_t edge, uint32_t *first, uint32_t *second, uint32_t *share)
{
    const int64_t low = rounded_down(at), high = low + 1;
    *first = low < 0 ? 0 : (uint32_t)low;
    *second = high > (int64_t)edge ? edge : (uint32_t)high;
    *share = (uint32_t)((at - low * ONE) / 512);
}

static void check_laid(const struct recording_map *map, uint32_t width, uint32_t height, uint32_t unit_bytes)
{
    enum { PITCH = MOST * 4 + 3 };
    static uint8_t source[MOST * PITCH], laid[MOST * PITCH], before[MOST * PITCH];
    for (size_t i = 0; i < sizeof source; i++) source[i] = (uint8_t)pick(256);
    for (size_t i = 0; i < sizeof laid; i++) before[i] = laid[i] = (uint8_t)pick(256);
    recording_map_lay(map, unit_bytes, source, PITCH, width, height, laid, PITCH);
    for (uint32_t y = 0; y < (uint32_t)MOST; y++) {
        for (uint32_t i = 0; i < (uint32_t)PITCH; i++) {
            const uint32_t x = i / unit_bytes;
            if (y >= height || x >= width) {
                assert_int_equal(laid[y * PITCH + i], before[y * PITCH + i]);
                continue;
            }
            const int64_t u = sum(map->u, map->u_x, map->u_y, x, y), v = sum(map->v, map->v_x, map->v_y, x, y);
            uint32_t left, right, above, below, along, down, byte = i % unit_bytes;
            between(u, map->width - 1u, &left, &right, &along);
            between(v, map->height - 1u, &above, &below, &down);
            const uint32_t four[4] = {
                source[above * PITCH + left * unit_bytes + byte], source[above * PITCH + right * unit_bytes + byte],
                source[below * PITCH + left * unit_bytes + byte], source[below * PITCH + right * unit_bytes + byte]};
            const uint32_t mixed = (four[0] * (128u - along) * (128u - down) + four[1] * along * (128u - down) +
                                    four[2] * (128u - along) * down + four[3] * along * down) /
                                   16384u;
            assert_int_equal(laid[y * PITCH + i], map->is_filtered ? mixed : four[0]);
        }
    }
}

static int32_t near_edge(uint32_t units)
{
    static const int32_t off[] = {0, -1, 1, -HALF, HALF, -HALF - 1, HALF - 1, ONE - 1, 7777};
    return (int32_t)pick(units + 2u) * ONE - ONE * (int32_t)pick(2) + off[pick(9)];
}

static int32_t step(void)
{
    static const int32_t steps[] = {0,    1,     -1,      ONE,      -ONE,  ONE - 1, ONE + 1,
                                    HALF, -HALF, 2 * ONE, -3 * ONE, 40000, -40000};
    return steps[pick(13)];
}

static void test_fits(void **state)
{
    uint32_t good[2][2] = {{0}};
    (void)state;
    for (uint32_t i = 0; i < 400000; i++) {
        struct recording_map map = {.width = pick(MOST), .height = pick(MOST), .is_filtered = pick(2) != 0};
        const bool is_turned = pick(2) != 0, is_slanted = pick(16) == 0;
        const uint32_t width = 1u + pick(4), height = 1u + pick(4);
        map.u = near_edge(map.width);
        map.v = near_edge(map.height);
        if (!is_turned || is_slanted) map.u_x = step(), map.v_y = step();
        if (is_turned || is_slanted) map.u_y = step(), map.v_x = step();
        const bool is_good = fits(&map, width, height);
        if (recording_map_fits(&map, width, height) != is_good)
            fail_msg("%ux%u of %ux%u at %d,%d by %d,%d and %d,%d%s: %d", width, height, map.width, map.height, map.u,
                     map.v, map.u_x, map.v_y, map.u_y, map.v_x, map.is_filtered ? ", filtered" : "", is_good);
        if (!is_good) continue;
        check_laid(&map, width, height, map.is_filtered ? 4u : 1u + pick(4));
        good[is_turned][map.is_filtered]++;
    }
    for (unsigned kind = 0; kind < 4; kind++) assert_true(good[kind / 2u][kind % 2u] > 200u);
}

static void test_sides(void **state)
{
    const struct recording_map usual = {.width = RECORDING_SIDE, .height = RECORDING_SIDE, .u_x = ONE, .v_y = ONE};
    struct recording_map map = usual;
    (void)state;
    assert_true(recording_map_fits(&map, RECORDING_SIDE, RECORDING_SIDE));
    assert_false(recording_map_fits(&map, RECORDING_SIDE + 1, RECORDING_SIDE));
    assert_false(recording_map_fits(&map, RECORDING_SIDE, RECORDING_SIDE + 1));
    map.width++;
    assert_false(recording_map_fits(&map, 1, 1));
    map = usual, map.height++;
    assert_false(recording_map_fits(&map, 1, 1));
    map = usual, map.u_x = INT32_MAX;
    assert_false(recording_map_fits(&map, 3, 3)); /* no sum wraps around */
    map = usual, map.v_y = INT32_MIN;
    assert_false(recording_map_fits(&map, 3, 3));
}

/* A part of a map begins where the whole is at its corner. */
static void test_parts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2000; i++) {
        const struct recording_map map = {5, 6, near_edge(5), near_edge(6), step(), step(), step(), step(), false};
        const uint32_t x = pick(9), y = pick(9);
        const struct recording_map part = recording_map_from(&map, x, y);
        uint32_t column, row, own_column, own_row;
        assert_int_equal(part.width, map.width);
        assert_int_equal(part.height, map.height);
        recording_map_at(&part, 2, 3, &column, &row);
        recording_map_at(&map, x + 2u, y + 3u, &own_column, &own_row);
        assert_int_equal(column, own_column);
        assert_int_equal(row, own_row);
        const int64_t u = rounded_down(sum(map.u, map.u_x, map.u_y, x + 2u, y + 3u));
        const int64_t v = rounded_down(sum(map.v, map.v_x, map.v_y, x + 2u, y + 3u));
        assert_int_equal(column, u < 0 ? 0 : u);
        assert_int_equal(row, v < 0 ? 0 : v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fits), cmocka_unit_test(test_sides),
                                       cmocka_unit_test(test_parts)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
