/* SPDX-License-Identifier: Apache-2.0
 *
 * The map of a BLIT_AFFINE: see affine_model.h.
 */
#include "affine_model.h"

#include "gpu_spec.h"

/* One of the two: a coordinate of the map for (x, y), in 65536ths, and how many units there are along it. */
struct coordinate {
    int64_t at;
    uint32_t count;
    bool is_repeated;
};

/* `axis` is its start, with the steps two and four words after. What is repeated is told within the units there are,
 * else it is a signed word. */
static struct coordinate coordinate_of(const uint32_t *words, const uint32_t *axis, uint32_t count, uint32_t x,
                                       uint32_t y)
{
    const bool is_repeated = FIELD_GET(words[0], PKT_BLIT_AFFINE_REPEAT) != 0;
    const int64_t period = (int64_t)count * 0x10000;
    const int64_t at = (int32_t)axis[0] + (int64_t)x * (int32_t)axis[2] + (int64_t)y * (int32_t)axis[4];
    return (struct coordinate){is_repeated ? (at % period + period) % period : (int32_t)(uint32_t)at, count,
                               is_repeated};
}
static struct coordinate column_of(const uint32_t *words, uint32_t x, uint32_t y)
{
    const uint32_t count = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD], PKT_BLIT_AFFINE_SOURCE_WIDTH);
    return coordinate_of(words, words + PKT_BLIT_AFFINE_U_WORD, count, x, y);
}
static struct coordinate row_of(const uint32_t *words, uint32_t x, uint32_t y)
{
    const uint32_t count = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_HEIGHT_WORD], PKT_BLIT_AFFINE_SOURCE_HEIGHT);
    return coordinate_of(words, words + PKT_BLIT_AFFINE_V_WORD, count, x, y);
}

static int32_t round_down(int64_t at) { return (int32_t)((at - (at % 0x10000 + 0x10000) % 0x10000) / 0x10000); }

/* At an edge the nearest of those there are, or the one that is repeated there. */
static uint32_t edge(const struct coordinate *coordinate, int32_t at)
{
    if (coordinate->is_repeated) return (uint32_t)at % coordinate->count;
    if (at < 0) return 0;
    return (uint32_t)at < coordinate->count ? (uint32_t)at : coordinate->count - 1u;
}

static bool find_nearest(const struct coordinate *coordinate, int64_t middle, uint32_t *unit)
{
    const int32_t at = round_down(coordinate->at + middle);
    *unit = edge(coordinate, at);
    return coordinate->is_repeated || (int32_t)*unit == at;
}

bool affine_nearest(const uint32_t *words, uint32_t x, uint32_t y, uint32_t *column, uint32_t *row)
{
    const bool is_filtered = FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR) != 0;
    const int64_t middle = is_filtered ? 0x8000 : 0;
    const struct coordinate u = column_of(words, x, y), v = row_of(words, x, y);
    const bool has_column = find_nearest(&u, middle, column), has_row = find_nearest(&v, middle, row);
    return has_column && has_row;
}

static uint32_t find_two(const struct coordinate *coordinate, uint32_t two[2])
{
    const int32_t first = round_down(coordinate->at);
    two[0] = edge(coordinate, first);
    two[1] = edge(coordinate, first + 1);
    return (uint32_t)(coordinate->at - first * (int64_t)0x10000) >> 9;
}

struct affine_between affine_between(const uint32_t *words, uint32_t x, uint32_t y)
{
    const struct coordinate u = column_of(words, x, y), v = row_of(words, x, y);
    struct affine_between between;
    between.across = find_two(&u, between.column);
    between.down = find_two(&v, between.row);
    return between;
}
