/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of a run draw by draw, for the report. The packets that a device shows (probe.h) are executed once more by
 * the golden model, on a *copy* of the machine: system memory as the host writes it, both local segments, the aperture,
 * the binding registers. What the model then finds in the target is the picture after the draw; nothing else computes
 * pixels.
 *
 * A draw is kept with its packet's words, its bindings, what it cost and the units that it wrote. When its frame is
 * over it is encoded (draws_encode.h).
 */
#ifndef TESSERA_DRAWS_H
#define TESSERA_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine_model.h"
#include "gpu_spec.h"
#include "tools/view/view_internal.h"

enum { DRAW_WORDS = PKT_BLIT_AFFINE_WORDS, DRAW_CACHES = 256, DRAW_TEXTURES = 16384, DRAW_FOUND = 0, NO_FENCE = 0 };

/* Bytes that grow. */
struct draw_bytes {
    uint8_t *data;
    size_t used, room;
};
/* Room for so many more, zero; NULL: out of memory. */
uint8_t *draw_bytes_add(struct draw_bytes *bytes, size_t count);

/* One draw, or with words[0] == DRAW_FOUND what was in its target before. Rectangles are in units of the binding. */
struct draw {
    uint32_t words[DRAW_WORDS], offset; /* the packet, and where it lies in command RAM */
    struct engine_binding target, source;
    uint32_t texture;    /* number + 1 of what was in the source, 0: none is kept */
    uint64_t begin, end; /* cycles */
    uint32_t moved[4];   /* bytes of units read from local and from system memory, written to both: of the node's
                           own counters, packets that overlap would charge each other */
    uint32_t x, y, width, height;
    size_t units, mask; /* in the portion's bytes: the rectangle after it; a bit per unit that was written */
    uint32_t written;   /* units */
};

/* BLIT and BLIT_AFFINE; the second's fields of a BLIT lie where the BLIT has them. */
static inline bool draw_has_map(uint32_t word0) { return (word0 & 0xffu) == PKT_BLIT_AFFINE; }
static inline bool draw_has_source(uint32_t word0) { return (word0 & 0xffu) == PKT_BLIT || draw_has_map(word0); }

/* What the render node did up to a fence. */
struct draw_portion {
    struct draw *draws;
    uint32_t count, room;
    struct draw_bytes bytes;
    uint32_t job, decision, frame; /* known when the fence is */
    struct draw_portion *next;
};

/* Content of a source, by what it is. */
struct draw_texture {
    uint64_t hash;
    struct engine_binding binding; /* the first that showed it */
    uint8_t *bytes;
    uint32_t frame; /* the detailed frame that needs it first, counted from 0 */
    uint32_t known; /* its allocation, ~0 unknown */
};

/* The target as it was last seen, to notice what writes it besides draws. */
struct draw_cache {
    struct engine_binding binding;
    uint8_t *bytes;
    uint32_t frame; /* the one submitted when it was drawn to last */
};

/* What the host has read of the frame that is over, and what it should be; NULL: not told. */
struct draw_picture {
    bool is_told;
    uint32_t surface;
    const uint8_t *pixels, *expected;
};

struct draws {
    struct view *view;
    uint32_t first, last, first_job; /* frames of interest; jobs before are of none */
    uint32_t lost;                   /* portions whose fence nothing explains */
    bool is_full;                    /* no more room in the report, or out of memory */
    struct engine_model model;       /* the copy; system == NULL: not made yet, or not needed any more */
    bool is_over;
    struct draw_portion *open;             /* the portion at work */
    struct draw_portion *done, **done_end; /* portions whose frames are not over, in order */
    struct draw *current;                  /* the draw whose end is awaited; in open->draws */
    struct draw_cache caches[DRAW_CACHES];
    uint32_t next_cache;
    uint32_t texture_of[64]; /* of a slot's content, 0: not looked at since it was bound */
    struct draw_texture *textures;
    uint32_t texture_count;
    uint64_t texture_bytes;
    struct draw_encoder *encoder;
    struct draw_picture picture;
    struct { /* of the draw that the model executes */
        struct engine_binding target;
        uint32_t x, y, width, unit, written;
        uint8_t *mask;
    } pen;
};

/* Details of frames `first` to `last`. NULL: out of memory. */
struct draws *draws_create(struct view *view, uint32_t first, uint32_t last);

/* The allocation that lay at a GPU address when a portion was planned, and its first byte there; ~0: none known. */
uint32_t draws_allocation_at(const struct draws *draws, uint32_t decision, uint32_t address, uint32_t *first);

/* draws_encode.h has what these make of it. Life, and portion by portion the frames that are over; what the host read
 * of each. False: no room for this frame, or for more. */
struct draw_encoder *encode_create(struct draws *draws);
void encode_destroy(struct draw_encoder *encoder);
void encode_frame_begin(struct draw_encoder *encoder, uint32_t number);
void encode_portion(struct draw_encoder *encoder, const struct draw_portion *portion);
void encode_picture(struct draw_encoder *encoder, const struct draw_picture *picture);
bool encode_frame_end(struct draw_encoder *encoder);

#endif
