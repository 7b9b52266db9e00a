/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws as the report holds them. A frame is one deflated piece: a table with a column per field of enum draw_field,
 * each row as the difference (xor) from the same row of the frame before, and after it the units that were written,
 * draw after draw, each as the difference from the value that predicts it best. Surfaces go on from frame to frame;
 * every KEY_FRAMES frames all of them begin again, so that no frame is far from one that can be read by itself.
 * Textures are in a second piece of the frame that needs them first.
 */
#ifndef TESSERA_DRAWS_ENCODE_H
#define TESSERA_DRAWS_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/view/draws.h"

enum { KEY_FRAMES = 64, NOTHING = UINT32_MAX };
/* Of all frames together, before base64 makes four bytes of three: the page stays below 25 MB. */
enum { DRAWS_BYTES = 16500000 };

/* A row of the table, words; what is not known, or is not there, is NOTHING. */
enum draw_field {
    FIELD_WORD,                             /* DRAW_WORDS words of the packet, the first DRAW_FOUND without one */
    FIELD_OFFSET = FIELD_WORD + DRAW_WORDS, /* in command RAM */
    FIELD_SURFACE,                          /* of the target; where the target's first row is in it */
    FIELD_ROW,
    FIELD_TARGET, /* allocation: place in the view's table of them */
    FIELD_TARGET_ADDRESS,
    FIELD_TARGET_PITCH, /* and format << 16 */
    FIELD_TEXTURE,      /* number of what was in the source */
    FIELD_SOURCE,       /* allocation */
    FIELD_SOURCE_ADDRESS,
    FIELD_SOURCE_PITCH,
    FIELD_SOURCE_SURFACE, /* a source that is drawn to, too, and its first row there */
    FIELD_SOURCE_ROW,
    FIELD_PORTION, /* number */
    FIELD_JOB,     /* number */
    FIELD_BEGIN,   /* cycles since the row before; of the first since the frame's begin */
    FIELD_CYCLES,
    FIELD_MOVED,                  /* 4 words, as in struct draw */
    FIELD_LEFT = FIELD_MOVED + 4, /* the rectangle of units in the surface */
    FIELD_TOP,
    FIELD_WIDTH,
    FIELD_HEIGHT,
    FIELD_HOW,   /* enum predictor, and what follows */
    FIELD_AGAIN, /* row of the frame before, FROM_AGAIN */
    DRAW_FIELDS
};
/* What a written unit is the difference from: nothing; the unit before; the one when the frame began; the source's; the
 * packet's colour; what the same packet left in the frame before; the source's over the unit before, both of four bytes
 * with alpha in the last, each byte min(255, (s * k + t * (256 - alpha)) / 256), k being alpha, or 256 if
 * PREMULTIPLIED: near to what every blend leaves. */
enum predictor { FROM_NOTHING, FROM_BEFORE, FROM_BEGIN, FROM_SOURCE, FROM_COLOUR, FROM_AGAIN, FROM_OVER, PREDICTORS };
/* No bytes follow: all are 0; a mask precedes them, else all are written; a mask of those that have changed precedes
 * them, of those written a bit each, and there are bytes of these alone. */
enum { HOW_EXACT = 8, HOW_MASKED = 16, HOW_SPARSE = 32 };

struct encoded {
    uint8_t *data;
    uint32_t bytes; /* deflated */
};

struct encoded_frame {
    uint32_t number, rows;
    uint64_t begin;        /* cycle from which FIELD_BEGIN counts */
    uint32_t surface;      /* what the frame shows, NOTHING: not known */
    uint32_t later, wrong; /* units that the host read otherwise than they were drawn; that are not as they should be */
    struct encoded draws, textures, expected;
};

struct encoded_surface {
    uint32_t id, known, width, height, format; /* id NOTHING: only the allocation is known */
    char name[32];
    uint8_t *now, *begin, *nothing; /* units; when the frame began */
    bool is_begun, has_changed;     /* since the last key frame; since the frame began */
};

uint32_t encoded_frames(const struct draw_encoder *encoder);
const struct encoded_frame *encoded_frame(const struct draw_encoder *encoder, uint32_t index);
uint32_t encoded_surfaces(const struct draw_encoder *encoder);
const struct encoded_surface *encoded_surface(const struct draw_encoder *encoder, uint32_t index);

#endif
