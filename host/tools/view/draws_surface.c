/* SPDX-License-Identifier: Apache-2.0
 *
 * See draws_encode_internal.h: surfaces, and what was found in them.
 */
#include "tools/view/draws_encode_internal.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

/* ------------------------------------------------------------------ surfaces */

static uint32_t enter_surface(struct draw_encoder *encoder, const struct encoded_surface *wanted)
{
    for (uint32_t i = encoder->surface_count; i-- > 0;) {
        const struct encoded_surface *surface = &encoder->surfaces[i];
        if (surface->id == wanted->id && (wanted->id != NOTHING || surface->known == wanted->known) &&
            surface->width == wanted->width && surface->height == wanted->height && surface->format == wanted->format)
            return i;
    }
    if (encoder->surface_count == DRAW_SURFACES) return NOTHING;
    encoder->surfaces[encoder->surface_count] = *wanted;
    return encoder->surface_count++;
}

/* Room for its units; false: out of memory. */
bool encode_need_units(struct encoded_surface *surface)
{
    const size_t bytes = bytes_of(surface);
    if (surface->now == NULL) {
        surface->now = calloc(1, bytes + 1u);
        /* analyse: analyzer-malloc-leak: the surface's, freed with it */
        surface->begin = calloc(1, bytes + 1u);
        /* analyse: analyzer-malloc-leak: the surface's, freed with it */
        surface->nothing = calloc(1, bytes + 1u);
    }
    return surface->now != NULL && surface->begin != NULL && surface->nothing != NULL;
}

void view_surface(struct view *view, uint32_t handle, const struct view_surface *surface)
{
    struct known *known = view != NULL && view->draws != NULL ? view_known(view, handle) : NULL;
    if (known == NULL) return;
    struct draw_encoder *encoder = view->draws->encoder;
    struct encoded_surface wanted = {surface->id, NOTHING, surface->width, surface->height, surface->format, "", 0, 0,
                                     0,           false,   false};
    snprintf(wanted.name, sizeof wanted.name, "%s", surface->name);
    if (encoder->use_count == encoder->use_room) {
        uint32_t room = encoder->use_room != 0 ? encoder->use_room * 2u : 256u;
        struct use *larger = realloc(encoder->uses, room * sizeof *larger);
        if (larger == NULL) return;
        encoder->uses = larger;
        encoder->use_room = room;
    }
    encoder->uses[encoder->use_count++] =
        (struct use){(uint32_t)(known - view->known), view->job_count, enter_surface(encoder, &wanted), surface->row};
}

/* Which surface a binding shows, and from which of its rows on. */
uint32_t encode_surface_of(struct draw_encoder *encoder, uint32_t job, uint32_t known, uint32_t first,
                           const struct engine_binding *binding, uint32_t *row)
{
    const uint32_t unit = pixel_unit_bytes(binding->format);
    struct encoded_surface wanted = {
        NOTHING, known, binding->pitch / unit, binding->bytes / binding->pitch, binding->format, "", 0, 0, 0,
        false,   false};
    for (uint32_t i = encoder->use_count; i-- > 0 && known != NOTHING;) {
        const struct use *use = &encoder->uses[i];
        if (use->known != known || use->job > job || use->surface == NOTHING) continue;
        const struct encoded_surface *surface = &encoder->surfaces[use->surface];
        if (unit_of(surface) != unit || surface->width * unit != binding->pitch) break;
        *row = use->row + (binding->address - first) / binding->pitch;
        return use->surface;
    }
    *row = 0;
    if (known != NOTHING) snprintf(wanted.name, sizeof wanted.name, "%s", encoder->draws->view->known[known].name);
    return enter_surface(encoder, &wanted);
}

/* ------------------------------------------------------------------ one row */

uint32_t *encode_row(struct draw_encoder *encoder)
{
    const uint32_t place = (uint32_t)encoder->left.used;
    uint32_t *row = (uint32_t *)(void *)draw_bytes_add(&encoder->rows, DRAW_FIELDS * sizeof *row);
    uint8_t *places = draw_bytes_add(&encoder->places, sizeof place);
    encoder->is_lost = encoder->is_lost || row == NULL || places == NULL;
    if (encoder->is_lost) return NULL;
    memcpy(places, &place, sizeof place);
    encoder->frame.rows++;
    return row;
}

void encode_put(struct draw_encoder *encoder, const uint8_t *bytes, size_t count)
{
    uint8_t *added = draw_bytes_add(&encoder->units, count);
    if (added == NULL) encoder->is_lost = true;
    else memcpy(added, bytes, count);
}

/* A row about what the surface held without any draw. */
static uint32_t *found_row(struct draw_encoder *encoder, uint32_t surface, const struct rectangle *where, uint32_t how)
{
    uint32_t *row = encode_row(encoder);
    if (row == NULL) return NULL;
    for (uint32_t i = FIELD_OFFSET; i < DRAW_FIELDS; i++) row[i] = NOTHING;
    row[FIELD_BEGIN] = row[FIELD_CYCLES] = 0;
    for (uint32_t i = 0; i < 4; i++) row[FIELD_MOVED + i] = 0;
    row[FIELD_SURFACE] = surface;
    row[FIELD_ROW] = 0;
    row[FIELD_LEFT] = where->x;
    row[FIELD_TOP] = where->y;
    row[FIELD_WIDTH] = where->width;
    row[FIELD_HEIGHT] = where->height;
    row[FIELD_HOW] = how;
    return row;
}

/* The first row of a surface since the last key frame: all of it. */
bool encode_begin_surface(struct draw_encoder *encoder, uint32_t index)
{
    struct encoded_surface *surface = &encoder->surfaces[index];
    const struct rectangle whole = {0, 0, surface->width, surface->height};
    if (!encode_need_units(surface)) return false;
    if (surface->is_begun) return true;
    surface->is_begun = true;
    memcpy(surface->begin, surface->now, bytes_of(surface));
    surface->has_changed = false;
    if (memcmp(surface->now, surface->nothing, bytes_of(surface)) == 0) return true;
    if (found_row(encoder, index, &whole, FROM_NOTHING) != NULL) encode_put(encoder, surface->now, bytes_of(surface));
    return !encoder->is_lost;
}

/* The surface holds these rows: units in rows of `pitch` bytes. Returns how many units were others; a row says so. */
uint32_t encode_found(struct draw_encoder *encoder, uint32_t index, uint32_t top, uint32_t rows, const uint8_t *units,
                      uint32_t pitch)
{
    struct encoded_surface *surface = &encoder->surfaces[index];
    const uint32_t unit = unit_of(surface), width = surface->width, row_bytes = width * unit;
    if (!encode_begin_surface(encoder, index)) return 0;
    if (top >= surface->height) return 0;
    if (rows > surface->height - top) rows = surface->height - top;
    uint32_t left = width, right = 0, first = rows, last = 0, count = 0;
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *now = surface->now + (size_t)(top + y) * row_bytes, *found = units + (size_t)y * pitch;
        if (memcmp(now, found, row_bytes) == 0) continue;
        if (first == rows) first = y;
        last = y;
        for (uint32_t x = 0; x < width; x++) {
            if (memcmp(now + x * unit, found + x * unit, unit) == 0) continue;
            if (x < left) left = x;
            if (x > right) right = x;
            count++;
        }
    }
    if (count == 0) return 0;
    const struct rectangle where = {left, top + first, right - left + 1u, last - first + 1u};
    uint8_t *differences = draw_bytes_add(&encoder->units, (size_t)where.width * where.height * unit);
    if (differences == NULL || found_row(encoder, index, &where, FROM_BEFORE) == NULL) {
        encoder->is_lost = true;
        return count;
    }
    for (uint32_t y = 0; y < where.height; y++) {
        uint8_t *now = surface->now + ((size_t)(where.y + y) * width + left) * unit;
        const uint8_t *found = units + (size_t)(first + y) * pitch + left * unit;
        for (uint32_t i = 0; i < where.width * unit; i++) *differences++ = now[i] ^ found[i];
        memcpy(now, found, where.width * unit);
    }
    surface->has_changed = true;
    return count;
}

const struct encoded_surface *encoded_surface(const struct draw_encoder *encoder, uint32_t index)
{
    return &encoder->surfaces[index];
}
