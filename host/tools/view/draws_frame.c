/* SPDX-License-Identifier: Apache-2.0
 *
 * See draws_encode.h: frames, and the life of what encodes them.
 */
#include "tools/view/draws_encode_internal.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ------------------------------------------------------------------ frames */

static void swap(struct draw_bytes *a, struct draw_bytes *b)
{
    struct draw_bytes c = *a;
    *a = *b;
    *b = c;
}

void encode_frame_begin(struct draw_encoder *encoder, uint32_t number)
{
    const struct view *view = encoder->draws->view;
    if (encoder->frame_count % KEY_FRAMES == 0)
        for (uint32_t i = 0; i < encoder->surface_count; i++) encoder->surfaces[i].is_begun = false;
    for (uint32_t i = 0; i < encoder->surface_count; i++) {
        struct encoded_surface *surface = &encoder->surfaces[i];
        if (surface->has_changed) memcpy(surface->begin, surface->now, bytes_of(surface));
        surface->has_changed = false;
    }
    swap(&encoder->rows, &encoder->rows_before);
    swap(&encoder->places, &encoder->places_before);
    swap(&encoder->left, &encoder->left_before);
    if (encoder->frame_count % KEY_FRAMES == 0) encoder->places_before.used = 0;
    encoder->places.used = encoder->left.used = encoder->again = 0;
    encoder->rows.used = encoder->units.used = encoder->textures.used = encoder->expected.used = 0;
    encoder->frame = (struct encoded_frame){.number = number, .begin = view->frames[number].begin, .surface = NOTHING};
    encoder->last_begin = encoder->frame.begin;
}

void encode_picture(struct draw_encoder *encoder, const struct draw_picture *picture)
{
    uint32_t index = encoder->surface_count;
    while (index > 0 && encoder->surfaces[index - 1u].id != picture->surface) index--;
    if (index == 0) return;
    struct encoded_surface *surface = &encoder->surfaces[--index];
    const uint32_t unit = unit_of(surface);
    const size_t bytes = bytes_of(surface);
    encoder->frame.surface = index;
    if (picture->pixels == NULL || !encode_need_units(surface)) return;
    encoder->frame.later = encode_found(encoder, index, 0, surface->height, picture->pixels, surface->width * unit);
    if (picture->expected == NULL) return;
    uint8_t *differences = draw_bytes_add(&encoder->expected, bytes);
    for (size_t i = 0; differences != NULL && i < bytes; i++) differences[i] = surface->now[i] ^ picture->expected[i];
    for (size_t i = 0; differences != NULL && i < bytes; i += unit)
        encoder->frame.wrong += memcmp(differences + i, surface->nothing, unit) != 0;
}

static bool deflate_into(struct draw_encoder *encoder, const uint8_t *data, size_t bytes, struct encoded *encoded)
{
    uLongf room = compressBound(bytes);
    *encoded = (struct encoded){malloc(room), 0};
    if (encoded->data == NULL || compress2(encoded->data, &room, data, bytes, 6) != Z_OK) return false;
    uint8_t *smaller = realloc(encoded->data, room);
    if (smaller != NULL) encoded->data = smaller;
    encoded->bytes = (uint32_t)room;
    encoder->used += room;
    return true;
}

/* The table by columns, each row without what it has of the same row in the frame before, and the units after it. */
static bool deflate_draws(struct draw_encoder *encoder, struct encoded *encoded)
{
    const uint32_t rows = encoder->frame.rows, *table = (const uint32_t *)(const void *)encoder->rows.data;
    const uint32_t *before = (const uint32_t *)(const void *)encoder->rows_before.data;
    const uint32_t known = (uint32_t)(encoder->places_before.used / 4u);
    const size_t bytes = encoder->rows.used + encoder->units.used;
    uint8_t *all = malloc(bytes + 1u);
    if (all == NULL) return false;
    for (uint32_t field = 0; field < DRAW_FIELDS; field++)
        for (uint32_t i = 0; i < rows; i++) {
            const size_t at = (size_t)i * DRAW_FIELDS + field;
            const uint32_t word = table[at] ^ (i < known ? before[at] : 0);
            memcpy(all + ((size_t)field * rows + i) * 4u, &word, 4);
        }
    if (encoder->units.used != 0) memcpy(all + encoder->rows.used, encoder->units.data, encoder->units.used);
    bool is_good = deflate_into(encoder, all, bytes, encoded);
    free(all);
    return is_good;
}

static void free_frame(struct encoded_frame *frame)
{
    free(frame->draws.data);
    free(frame->textures.data);
    free(frame->expected.data);
}

bool encode_frame_end(struct draw_encoder *encoder)
{
    struct encoded_frame *frame = &encoder->frame;
    if (encoder->frame_count == encoder->frame_room) {
        uint32_t room = encoder->frame_room != 0 ? encoder->frame_room * 2u : 64u;
        struct encoded_frame *larger = realloc(encoder->frames, room * sizeof *larger);
        if (larger == NULL) return false;
        encoder->frames = larger;
        encoder->frame_room = room;
    }
    bool is_good = !encoder->is_lost && deflate_draws(encoder, &frame->draws);
    if (is_good && encoder->textures.used != 0)
        is_good = deflate_into(encoder, encoder->textures.data, encoder->textures.used, &frame->textures);
    if (is_good && frame->wrong != 0)
        is_good = deflate_into(encoder, encoder->expected.data, encoder->expected.used, &frame->expected);
    if (!is_good || encoder->used > DRAWS_BYTES) {
        free_frame(frame);
        memset(frame, 0, sizeof *frame);
        return false;
    }
    encoder->frames[encoder->frame_count++] = *frame;
    memset(frame, 0, sizeof *frame);
    return true;
}

/* ------------------------------------------------------------------ life */

struct draw_encoder *encode_create(struct draws *draws)
{
    struct draw_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->draws = draws;
    encoder->surfaces = calloc(DRAW_SURFACES, sizeof *encoder->surfaces);
    if (encoder->surfaces != NULL) return encoder;
    free(encoder);
    return NULL;
}

void encode_destroy(struct draw_encoder *encoder)
{
    if (encoder == NULL) return;
    for (uint32_t i = 0; i < encoder->surface_count; i++) {
        free(encoder->surfaces[i].now);
        free(encoder->surfaces[i].begin);
        free(encoder->surfaces[i].nothing);
    }
    for (uint32_t i = 0; i < encoder->frame_count; i++) free_frame(&encoder->frames[i]);
    free(encoder->surfaces);
    free(encoder->uses);
    free(encoder->frames);
    free(encoder->rows.data);
    free(encoder->units.data);
    free(encoder->textures.data);
    free(encoder->expected.data);
    struct draw_bytes *const kept[] = {&encoder->left, &encoder->left_before, &encoder->places, &encoder->rows_before,
                                       &encoder->places_before};
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) free(kept[i]->data);
    free(encoder);
}

uint32_t encoded_frames(const struct draw_encoder *encoder) { return encoder->frame_count; }
const struct encoded_frame *encoded_frame(const struct draw_encoder *encoder, uint32_t index)
{
    return &encoder->frames[index];
}
uint32_t encoded_surfaces(const struct draw_encoder *encoder) { return encoder->surface_count; }
