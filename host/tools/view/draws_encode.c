/* SPDX-License-Identifier: Apache-2.0
 *
 * See draws_encode.h: the units of a draw, and its row.
 */
#include "tools/view/draws_encode_internal.h"

#include <stdlib.h>
#include <string.h>

#include "affine_model.h"
#include "gpu_spec.h"

/* ------------------------------------------------------------------ a draw's units */

/* What a draw's rectangle is compared with, each of width * height units. */
struct candidates {
    const uint8_t *units[PREDICTORS]; /* NULL: there is none */
    uint8_t *room;                    /* of all of them */
};

static void copy_rectangle(const uint8_t *from, size_t from_pitch, uint8_t *to, uint32_t row_bytes, uint32_t rows)
{
    for (uint32_t y = 0; y < rows; y++) memcpy(to + (size_t)y * row_bytes, from + y * from_pitch, row_bytes);
}

/* The rectangle that a draw reads, in units of its source. */
static struct rectangle source_rectangle(const struct draw *draw)
{
    const uint32_t *words = draw->words;
    struct rectangle read = {FIELD_GET(words[PKT_BLIT_SOURCE_X_WORD], PKT_BLIT_SOURCE_X),
                             FIELD_GET(words[PKT_BLIT_SOURCE_Y_WORD], PKT_BLIT_SOURCE_Y), draw->width, draw->height};
    if (!draw_has_map(words[0])) return read;
    read.width = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD], PKT_BLIT_AFFINE_SOURCE_WIDTH);
    read.height = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_HEIGHT_WORD], PKT_BLIT_AFFINE_SOURCE_HEIGHT);
    return read;
}

/* The source's units, cut or filled up with zeros to the target's. */
static void predict_source(struct draw_encoder *encoder, const struct draw *draw, const uint32_t *row, uint8_t *to,
                           struct candidates *candidates)
{
    const uint32_t unit = pixel_unit_bytes(draw->target.format), source_unit = pixel_unit_bytes(draw->source.format);
    const struct rectangle read = source_rectangle(draw);
    const uint8_t *from = NULL;
    size_t pitch = draw->source.pitch, room = draw->source.bytes;
    if (!draw_has_source(draw->words[0]) || source_unit == 0 || read.width == 0 || read.height == 0) return;
    if (draw->texture != 0) {
        from = encoder->draws->textures[draw->texture - 1u].bytes;
    } else if (row[FIELD_SOURCE_SURFACE] != NOTHING) {
        const struct encoded_surface *surface = &encoder->surfaces[row[FIELD_SOURCE_SURFACE]];
        if (surface->now == NULL || !surface->is_begun || row[FIELD_SOURCE_ROW] >= surface->height) return;
        pitch = (size_t)surface->width * unit_of(surface);
        from = surface->now + row[FIELD_SOURCE_ROW] * pitch;
        room = bytes_of(surface) - row[FIELD_SOURCE_ROW] * pitch;
    }
    if (from == NULL || (read.x + read.width) * source_unit > pitch ||
        (read.y + read.height - 1u) * pitch + (read.x + read.width) * source_unit > room)
        return;
    const uint32_t common = unit < source_unit ? unit : source_unit;
    memset(to, 0, (size_t)draw->width * draw->height * unit);
    for (uint32_t i = 0; i < draw->width * draw->height; i++) {
        uint32_t x = i % draw->width, y = i / draw->width;
        if (draw_has_map(draw->words[0])) (void)affine_nearest(draw->words, x, y, &x, &y);
        memcpy(to + (size_t)i * unit, from + (read.y + y) * pitch + (read.x + x) * (size_t)source_unit, common);
    }
    candidates->units[FROM_SOURCE] = to;
}

static void predict_over(const struct draw *draw, size_t bytes, uint8_t *to, struct candidates *candidates)
{
    const uint8_t *source = candidates->units[FROM_SOURCE], *before = candidates->units[FROM_BEFORE];
    const bool is_premultiplied = FIELD_GET(draw->words[0], PKT_BLIT_PREMULTIPLIED) != 0;
    if (source == NULL || FIELD_GET(draw->words[0], PKT_BLIT_MODE) != BLIT_BLEND ||
        pixel_unit_bytes(draw->target.format) != 4u || pixel_unit_bytes(draw->source.format) != 4u)
        return;
    for (size_t i = 0; i < bytes; i++) {
        const uint32_t alpha = source[i | 3u], weight = is_premultiplied ? 256u : alpha;
        const uint32_t mixed = (source[i] * weight + before[i] * (256u - alpha)) >> 8;
        to[i] = mixed > 255u ? 255u : (uint8_t)mixed;
    }
    candidates->units[FROM_OVER] = to;
}

/* The same packet in the frame before: row[FIELD_AGAIN], and what it left. NULL: there is none. */
static const uint8_t *find_again(struct draw_encoder *encoder, uint32_t *row)
{
    static const uint8_t same[] = {FIELD_SURFACE, FIELD_ROW, FIELD_TEXTURE, FIELD_SOURCE_SURFACE, FIELD_SOURCE_ROW};
    const uint32_t count = (uint32_t)(encoder->places_before.used / 4u);
    const uint32_t *rows = (const uint32_t *)(const void *)encoder->rows_before.data;
    const uint32_t *places = (const uint32_t *)(const void *)encoder->places_before.data;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = (encoder->again + i) % count;
        const uint32_t *other = rows + (size_t)index * DRAW_FIELDS;
        bool is_same = memcmp(row, other, DRAW_WORDS * sizeof *row) == 0;
        for (size_t k = 0; k < sizeof same && is_same; k++) is_same = row[same[k]] == other[same[k]];
        if (!is_same) continue;
        encoder->again = index + 1u;
        row[FIELD_AGAIN] = index;
        return encoder->left_before.data + places[index];
    }
    return NULL;
}

static bool predict(struct draw_encoder *encoder, const struct draw *draw, uint32_t *row, struct candidates *candidates)
{
    const struct encoded_surface *surface = &encoder->surfaces[row[FIELD_SURFACE]];
    const uint32_t unit = unit_of(surface), row_bytes = draw->width * unit;
    const size_t pitch = (size_t)surface->width * unit, bytes = (size_t)row_bytes * draw->height;
    const size_t at = row[FIELD_TOP] * pitch + row[FIELD_LEFT] * unit;
    memset(candidates, 0, sizeof *candidates);
    candidates->units[FROM_AGAIN] = find_again(encoder, row);
    candidates->room = malloc(PREDICTORS * bytes);
    if (candidates->room == NULL) return false;
    uint8_t *before = candidates->room, *begin = before + bytes, *source = begin + bytes, *colour = source + bytes;
    uint8_t *over = colour + bytes;
    copy_rectangle(surface->now + at, pitch, before, row_bytes, draw->height);
    copy_rectangle(surface->begin + at, pitch, begin, row_bytes, draw->height);
    candidates->units[FROM_BEFORE] = before;
    candidates->units[FROM_BEGIN] = begin;
    predict_source(encoder, draw, row, source, candidates);
    predict_over(draw, bytes, over, candidates);
    if ((draw->words[0] & 0xffu) != PKT_FILL_RECT) return true;
    for (size_t i = 0; i < bytes; i++) colour[i] = (uint8_t)(draw->words[PKT_FILL_RECT_COLOUR_WORD] >> 8u * (i % unit));
    candidates->units[FROM_COLOUR] = colour;
    return true;
}

static bool is_written(const uint8_t *mask, size_t i) { return ((uint32_t)mask[i / 8u] >> i % 8u & 1u) != 0; }

/* About what the differences cost: bytes that are not those of the unit before, of what has changed; no more than
 * `most` are counted. */
static uint32_t cost_of(const struct candidates *candidates, uint32_t predictor, const uint8_t *units,
                        const uint8_t *mask, size_t count, uint32_t unit, uint32_t most, bool *is_exact)
{
    const uint8_t *candidate = candidates->units[predictor], *before = candidates->units[FROM_BEFORE];
    uint8_t last[4] = {0};
    uint32_t cost = 0;
    *is_exact = true;
    for (size_t i = 0; i < count && cost < most; i++) {
        if (!is_written(mask, i)) continue;
        /* analyse: clang-analyzer-core.NonNullParamChecker: there are always the units before */
        if (predictor != FROM_BEFORE && memcmp(units + i * unit, before + i * unit, unit) == 0) {
            *is_exact = *is_exact && memcmp(units + i * unit, candidate + i * unit, unit) == 0;
            continue;
        }
        for (uint32_t byte = 0; byte < unit; byte++) {
            uint8_t difference = candidate[i * unit + byte] ^ units[i * unit + byte];
            cost += difference != last[byte];
            *is_exact = *is_exact && difference == 0;
            last[byte] = difference;
        }
    }
    return cost;
}

/* The differences of what is written; with a mask of the changed ones, of these alone. */
static void put_differences(struct draw_encoder *encoder, const struct candidates *candidates, uint32_t best,
                            const uint8_t *units, const uint8_t *mask, size_t count, uint32_t unit, bool is_sparse)
{
    const uint8_t *before = candidates->units[FROM_BEFORE], *predicted = candidates->units[best];
    size_t changed_bytes = is_sparse ? (count + 7u) / 8u : 0;
    uint8_t *added = draw_bytes_add(&encoder->units, changed_bytes + count * unit), *to = added + changed_bytes;
    if (added == NULL) {
        encoder->is_lost = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_written(mask, i)) continue;
        bool is_changed = memcmp(units + i * unit, before + i * unit, unit) != 0;
        if (is_sparse && is_changed) added[i / 8u] |= (uint8_t)(1u << i % 8u);
        if (is_sparse && !is_changed) continue;
        for (uint32_t byte = 0; byte < unit; byte++) *to++ = units[i * unit + byte] ^ predicted[i * unit + byte];
    }
    encoder->units.used = (size_t)(to - encoder->units.data);
}

static void choose(struct draw_encoder *encoder, const struct candidates *candidates, const struct draw *draw,
                   uint32_t *row, const uint8_t *units, const uint8_t *mask, uint32_t unit)
{
    const size_t count = (size_t)draw->width * draw->height;
    uint32_t best = FROM_BEFORE, least = UINT32_MAX;
    bool is_exact = false, is_this_exact;
    for (uint32_t i = FROM_BEFORE; i < PREDICTORS && !is_exact; i++) {
        if (candidates->units[i] == NULL) continue;
        uint32_t cost = cost_of(candidates, i, units, mask, count, unit, least, &is_this_exact);
        if (cost >= least && !is_this_exact) continue;
        best = i;
        least = cost;
        is_exact = is_this_exact;
    }
    const bool is_masked = draw->written != count, is_sparse = !is_exact && best != FROM_BEFORE;
    row[FIELD_HOW] = best | (is_exact ? HOW_EXACT : 0u) | (is_masked ? HOW_MASKED : 0u) | (is_sparse ? HOW_SPARSE : 0u);
    if (best != FROM_AGAIN) row[FIELD_AGAIN] = NOTHING;
    if (is_masked) encode_put(encoder, mask, (count + 7u) / 8u);
    if (!is_exact) put_differences(encoder, candidates, best, units, mask, count, unit, is_sparse);
}

static void encode_units(struct draw_encoder *encoder, const struct draw *draw, uint32_t *row, const uint8_t *bytes)
{
    struct encoded_surface *surface = &encoder->surfaces[row[FIELD_SURFACE]];
    const uint8_t *units = bytes + draw->units, *mask = bytes + draw->mask;
    const uint32_t unit = unit_of(surface), row_bytes = draw->width * unit;
    struct candidates candidates;
    if (!predict(encoder, draw, row, &candidates)) {
        encoder->is_lost = true;
        return;
    }
    choose(encoder, &candidates, draw, row, units, mask, unit);
    for (size_t i = 0; i < (size_t)draw->width * draw->height; i++) {
        if (!is_written(mask, i)) continue;
        size_t at = ((row[FIELD_TOP] + i / draw->width) * surface->width + row[FIELD_LEFT] + i % draw->width) * unit;
        memcpy(surface->now + at, units + i * unit, unit);
    }
    surface->has_changed = true;
    uint8_t *left = draw_bytes_add(&encoder->left, (size_t)row_bytes * draw->height);
    if (left == NULL) encoder->is_lost = true;
    else
        copy_rectangle(surface->now + ((size_t)row[FIELD_TOP] * surface->width + row[FIELD_LEFT]) * unit,
                       (size_t)surface->width * unit, left, row_bytes, draw->height);
    free(candidates.room);
}

/* ------------------------------------------------------------------ portions */

static void need_texture(struct draw_encoder *encoder, uint32_t number, uint32_t known)
{
    struct draw_texture *texture = &encoder->draws->textures[number - 1u];
    const struct engine_binding *binding = &texture->binding;
    if (texture->frame != UINT32_MAX) return;
    texture->frame = encoder->frame_count;
    texture->known = known;
    const uint32_t head[5] = {number - 1u, binding->format, binding->pitch, binding->bytes, known};
    uint8_t *added = draw_bytes_add(&encoder->textures, sizeof head + binding->bytes);
    if (added == NULL) {
        encoder->is_lost = true;
        return;
    }
    memcpy(added, head, sizeof head);
    memcpy(added + sizeof head, texture->bytes, binding->bytes);
}

static void fill_source(struct draw_encoder *encoder, const struct draw_portion *portion, const struct draw *draw,
                        uint32_t *row)
{
    uint32_t first;
    row[FIELD_TEXTURE] = row[FIELD_SOURCE] = row[FIELD_SOURCE_SURFACE] = row[FIELD_SOURCE_ROW] = NOTHING;
    row[FIELD_SOURCE_ADDRESS] = draw->source.address;
    row[FIELD_SOURCE_PITCH] = draw->source.pitch | draw->source.format << 16;
    if (!draw_has_source(draw->words[0])) return;
    row[FIELD_SOURCE] = draws_allocation_at(encoder->draws, portion->decision, draw->source.address, &first);
    if (draw->texture != 0) {
        need_texture(encoder, draw->texture, row[FIELD_SOURCE]);
        row[FIELD_TEXTURE] = draw->texture - 1u;
        return;
    }
    if (draw->source.pitch == 0) return;
    row[FIELD_SOURCE_SURFACE] =
        encode_surface_of(encoder, portion->job, row[FIELD_SOURCE], first, &draw->source, &row[FIELD_SOURCE_ROW]);
    if (row[FIELD_SOURCE_SURFACE] != NOTHING && !encode_begin_surface(encoder, row[FIELD_SOURCE_SURFACE]))
        encoder->is_lost = true;
}

static void encode_draw(struct draw_encoder *encoder, const struct draw_portion *portion, const struct draw *draw)
{
    uint32_t first, from;
    const uint32_t known = draws_allocation_at(encoder->draws, portion->decision, draw->target.address, &first);
    const uint32_t index = encode_surface_of(encoder, portion->job, known, first, &draw->target, &from);
    if (index == NOTHING || from >= encoder->surfaces[index].height) return;
    if (draw->words[0] == DRAW_FOUND) {
        (void)encode_found(encoder, index, from, draw->height, portion->bytes.data + draw->units, draw->target.pitch);
        return;
    }
    if (!encode_begin_surface(encoder, index)) {
        encoder->is_lost = true;
        return;
    }
    uint32_t row[DRAW_FIELDS];
    memcpy(row, draw->words, sizeof draw->words);
    row[FIELD_OFFSET] = draw->offset;
    row[FIELD_SURFACE] = index;
    row[FIELD_ROW] = from;
    row[FIELD_TARGET] = known;
    row[FIELD_TARGET_ADDRESS] = draw->target.address;
    row[FIELD_TARGET_PITCH] = draw->target.pitch | draw->target.format << 16;
    fill_source(encoder, portion, draw, row);
    row[FIELD_PORTION] = portion->decision;
    row[FIELD_JOB] = portion->job;
    row[FIELD_BEGIN] = (uint32_t)(draw->begin - encoder->last_begin);
    row[FIELD_CYCLES] = (uint32_t)(draw->end - draw->begin);
    memcpy(&row[FIELD_MOVED], draw->moved, sizeof draw->moved);
    row[FIELD_LEFT] = draw->x;
    row[FIELD_TOP] = from + draw->y;
    row[FIELD_WIDTH] = draw->width;
    row[FIELD_HEIGHT] = draw->height;
    encoder->last_begin = draw->begin;
    if (row[FIELD_TOP] + draw->height > encoder->surfaces[index].height) return;
    uint32_t *added = encode_row(encoder);
    if (added == NULL) return;
    encode_units(encoder, draw, row, portion->bytes.data);
    memcpy(added, row, sizeof row);
}

void encode_portion(struct draw_encoder *encoder, const struct draw_portion *portion)
{
    for (uint32_t i = 0; i < portion->count; i++) encode_draw(encoder, portion, &portion->draws[i]);
}
