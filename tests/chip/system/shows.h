/* SPDX-License-Identifier: Apache-2.0
 *
 * What shows.c (on the chip) and test_shows.c (the host) agree on: the settings at SHOWS_MAIL in system memory, the
 * bytes of segment 2, and what each frame shows.
 */
#ifndef TEST_SHOWS_H
#define TEST_SHOWS_H

#include <stdint.h>

#include "gpu_spec.h"

#define SHOWS_MAIL 0x00001000u
#define SHOWS_NOISE 0x00020000u /* in system memory, repeated in segment 2 from its start on */
#define SHOWS_NOISE_BYTES 0x00020000u
#define SHOWS_FILLED 0x00400000u /* bytes of segment 2 with noise; above them, engines copy */
#define SHOWS_COPIED 0x00100000u /* bytes that they copy over there */

/* Words from SHOWS_MAIL on. */
enum shows_setting {
    SHOWS_H_SHOW,
    SHOWS_H_LINE,
    SHOWS_V_SHOW,
    SHOWS_V_LINE,
    SHOWS_LEAD,
    SHOWS_KHZ,
    SHOWS_FORMAT, /* of the primary plane */
    SHOWS_PITCH,
    SHOWS_OVERLAY, /* 1: an overlay of RGB565, 160 x 100 */
    SHOWS_HOSTILE, /* 1: engines and core keep the memory busy */
    SHOWS_FRAMES,  /* then it stops */
    SHOWS_SEED,    /* of how the engines and the core begin */
    SHOWS_SETTINGS
};

enum { SHOWS_OVERLAY_WIDTH = 160, SHOWS_OVERLAY_HEIGHT = 100, SHOWS_OVERLAY_X = 31, SHOWS_OVERLAY_Y = 17 };
enum { SHOWS_OVERLAY_AT = 0x00012340, SHOWS_OVERLAY_PITCH = 512, SHOWS_ALPHA = 100 };
enum { SHOWS_CURSOR_AT = 0x00300000 };

/* Of the frame after blank `frame`. */
static inline uint32_t shows_primary(uint32_t frame) { return GPU_LIMIT(ADDR_SEGMENT2) + (frame & 7u) * 0x1980u; }
static inline int32_t shows_cursor_x(uint32_t frame) { return (int32_t)(frame * 13u % 100u) - 40; }
static inline int32_t shows_cursor_y(uint32_t frame) { return (int32_t)(frame * 7u % 80u) - 40; }

#endif
