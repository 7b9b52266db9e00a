/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge of played recordings: the same events drawn by SDL 2's own software blitter, frame by frame.
 *
 * Beside every surface it keeps, for every pixel, its *depth*: how many blends its value has gone through since it was
 * last a copy of something unblended: those of the source, those of the target, and the blend itself, ADD, MOD and
 * modulations among them. (Alpha 0 and 255 are no blends.) SDL 2.26 and the GPU agree in every bit; for versions of SDL
 * with other formulas a channel may differ by the tolerance times the depth, in levels of the surface's format:
 * unblended pixels must be equal, a single blend may be off by one, and a later blend adds at most its own error to an
 * earlier one's.
 */
#ifndef TESSERA_PLAY_CHECK_H
#define TESSERA_PLAY_CHECK_H

#include "tools/recording/recording.h"

struct play_check;
struct check_picture;

struct check_result {
    uint32_t blended;       /* pixels of depth 1 and more */
    uint32_t bad;           /* pixels beyond what is allowed */
    uint32_t exact_bad;     /* of them, of depth 0 */
    uint32_t over_one;      /* pixels that are off by more than one level */
    uint32_t largest;       /* difference of one channel, levels */
    uint32_t largest_depth; /* deepest pixel */
    uint32_t x, y;          /* of the first bad pixel */
};

/* NULL after a line in `message`. */
struct play_check *play_check_create(uint32_t tolerance, char message[256]);
void play_check_destroy(struct play_check *check);
/* "2.26.5" */
const char *play_check_version(const struct play_check *check);
/* Draw one event. 0, or -1 with a line in `message`. */
int play_check_event(struct play_check *check, const struct recording_event *event, char message[256]);
/* The surface as it is now, to be compared when the frame that shows it has been read. NULL: out of memory. */
struct check_picture *play_check_keep(const struct play_check *check, uint32_t surface);
/* Its pixels, rows without padding. */
const uint8_t *play_check_units(const struct check_picture *picture);
/* Compare it with what was played. */
void play_check_kept(const struct play_check *check, const struct check_picture *picture, const uint8_t *pixels,
                     struct check_result *result);
void play_check_forget(struct check_picture *picture); /* NULL is fine */

#endif
