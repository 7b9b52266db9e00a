/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of draws_encode.h share: draws_surface.c (surfaces, and rows about what was found in them),
 * draws_encode.c (draws) and draws_frame.c (frames, and life).
 */
#ifndef TESSERA_DRAWS_ENCODE_INTERNAL_H
#define TESSERA_DRAWS_ENCODE_INTERNAL_H

#include "pixel_model.h"
#include "tools/view/draws_encode.h"

enum { DRAW_SURFACES = 4096 };

struct rectangle {
    uint32_t x, y, width, height;
};

/* From a DMA buffer on, an allocation holds a surface's rows. */
struct use {
    uint32_t known, job, surface, row;
};

struct draw_encoder {
    struct draws *draws;
    struct encoded_surface *surfaces;
    uint32_t surface_count;
    struct use *uses;
    uint32_t use_count, use_room;
    struct encoded_frame *frames;
    uint32_t frame_count, frame_room;
    uint64_t used; /* bytes of all that is encoded */
    /* of the frame at work */
    struct encoded_frame frame;
    struct draw_bytes rows, units, textures, expected;
    struct draw_bytes left, left_before;                  /* units that the rows have left; those of the frame before */
    struct draw_bytes places, rows_before, places_before; /* where they begin, a word per row */
    uint32_t again; /* the row of the frame before after the last that came again */
    uint64_t last_begin;
    bool is_lost;
};

static inline uint32_t unit_of(const struct encoded_surface *surface) { return pixel_unit_bytes(surface->format); }
static inline size_t bytes_of(const struct encoded_surface *surface)
{
    return (size_t)surface->width * surface->height * unit_of(surface);
}

/* Which surface a binding shows, and from which of its rows on; `known` lies there from `first` on. */
uint32_t encode_surface_of(struct draw_encoder *encoder, uint32_t job, uint32_t known, uint32_t first,
                           const struct engine_binding *binding, uint32_t *row);
/* Room for its units; false: out of memory. */
bool encode_need_units(struct encoded_surface *surface);
/* Before its first row since the last key frame: all of it. False: out of memory. */
bool encode_begin_surface(struct draw_encoder *encoder, uint32_t index);
/* The surface holds these rows: units in rows of `pitch` bytes. Returns how many units were others; a row says so. */
uint32_t encode_found(struct draw_encoder *encoder, uint32_t index, uint32_t top, uint32_t rows, const uint8_t *units,
                      uint32_t pitch);
/* One more row of the frame, zero; NULL: out of memory. */
uint32_t *encode_row(struct draw_encoder *encoder);
/* Bytes after the table. */
void encode_put(struct draw_encoder *encoder, const uint8_t *bytes, size_t count);

#endif
