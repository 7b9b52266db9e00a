/* SPDX-License-Identifier: Apache-2.0
 *
 * Records that a recording must not have, and what its reader says to each: test_recording.c. Surfaces 0 to 3 are of
 * 8 x 8 units, of XRGB8888, ARGB8888, RGB565 and INDEX8; `pixels` and `colours` are some.
 */
#ifndef TESSERA_TEST_RECORDING_CASES_H
#define TESSERA_TEST_RECORDING_CASES_H

#include "tools/recording/recording.h"

static uint8_t pixels[64 * 64 * 4];
static uint32_t colours[RECORDING_COLOURS];
enum { WHITE = RECORDING_WHITE };

#define BLIT_REFUSED(to, from, how, by, tint, why) \
    { \
        {.kind = RECORDING_BLIT, \
         .surface = to, \
         .source = from, \
         .rect = {0, 0, 8, 8}, \
         .mode = (enum recording_mode)how, \
         .alpha = by, \
         .colour = tint}, \
            why \
    }
#define MAP_REFUSED(from, columns, rows, first_u, first_v, step_u_x, step_v_x, step_u_y, step_v_y, why) \
    { \
        {.kind = RECORDING_BLIT, \
         .source = from, \
         .rect = {0, 0, 8, 8}, \
         .map = {columns, rows, first_u, first_v, step_u_x, step_v_x, step_u_y, step_v_y, false}, \
         .alpha = 255, \
         .colour = WHITE}, \
            why \
    }
/* The whole source, as it stands, by a filter. */
#define FILTER_REFUSED(to, from, how, by, first_u, why) \
    { \
        {.kind = RECORDING_BLIT, \
         .surface = to, \
         .source = from, \
         .rect = {0, 0, 8, 8}, \
         .map = {8, 8, first_u, 0, 65536, 0, 0, 65536, true}, \
         .mode = (enum recording_mode)how, \
         .alpha = by, \
         .colour = WHITE}, \
            why \
    }
static const struct {
    struct recording_event event;
    const char *part;
} bad_events[] = {
    {{.kind = RECORDING_KINDS}, "kind is unknown"},
    {{.kind = RECORDING_SURFACE, .surface = 1, .format = RECORDING_RGB565, .rect = {0, 0, 8, 8}}, "the id is in use"},
    {{.kind = RECORDING_SURFACE, .surface = 9, .format = (enum recording_format)8, .rect = {0, 0, 8, 8}},
     "pixel format 8 is unknown"},
    {{.kind = RECORDING_SURFACE, .surface = 9, .format = RECORDING_RGB565, .rect = {0, 0, 0, 8}}, "a side is 0"},
    {{.kind = RECORDING_SURFACE, .surface = 9, .format = RECORDING_RGB565, .rect = {0, 0, 8, 16384}}, "longer than"},
    {{.kind = RECORDING_SURFACE, .surface = 4096, .format = RECORDING_RGB565, .rect = {0, 0, 8, 8}}, "id is too large"},
    {{.kind = RECORDING_FREE, .surface = 9}, "does not exist"},
    {{.kind = RECORDING_PRESENT, .surface = 9}, "does not exist"},
    {{.kind = RECORDING_PIXELS, .format = RECORDING_XRGB8888, .rect = {1, 0, 8, 1}, .pixels = pixels}, "leaves the"},
    {{.kind = RECORDING_PIXELS, .format = RECORDING_RGB565, .rect = {0, 0, 8, 8}, .pixels = pixels}, "its chunk holds"},
    {{.kind = RECORDING_FILL, .rect = {0, 8, 8, 1}}, "leaves the"},
    {{.kind = RECORDING_FILL, .rect = {0, 0, 0, 1}}, "is empty"},
    {{.kind = RECORDING_BLIT, .source = 9, .rect = {0, 0, 8, 8}, .alpha = 255, .colour = WHITE},
     "the source is not a surface"},
    {{.kind = RECORDING_BLIT, .source = 5000, .rect = {0, 0, 8, 8}, .alpha = 255, .colour = WHITE},
     "the source is not a surface"},
    {{.kind = RECORDING_BLIT, .source = 1, .rect = {1, 0, 8, 8}, .alpha = 255, .colour = WHITE}, "leaves its surface"},
    {{.kind = RECORDING_BLIT, .source = 1, .rect = {0, 0, 7, 8}, .source_x = 2, .alpha = 255, .colour = WHITE},
     "leaves its surface"},
    MAP_REFUSED(1, 8, 8, 0, 0, 65536, 0, 0, 0, "has no inverse"),
    MAP_REFUSED(1, 8, 8, 0, 0, 65536, 0, 1, 65536, "does not turn by quarters"),
    MAP_REFUSED(1, 8, 8, 0, 0, 65536, 1, 0, 65536, "does not turn by quarters"),
    MAP_REFUSED(1, 8, 8, 0, 0, 65536 + 9363, 0, 0, 65536, "leaves the source rectangle"),
    MAP_REFUSED(1, 8, 8, -1, 0, 65536, 0, 0, 65536, "leaves the source rectangle"),
    MAP_REFUSED(1, 8, 8, 0, 1 << 19, 65536, 0, 0, -65536, "leaves the source rectangle"),
    MAP_REFUSED(1, 8, 7, 0, 0, 0, 65536, 65536, 0, "leaves the source rectangle"),
    MAP_REFUSED(1, 9, 8, 0, 0, 65536, 0, 0, 65536, "leaves its surface"),
    MAP_REFUSED(0, 8, 8, 0, 0, 65536, 0, 0, 65536, "onto itself"),
    FILTER_REFUSED(0, 1, RECORDING_COPY, 255, -32769, "leaves the source rectangle"),
    FILTER_REFUSED(0, 1, RECORDING_COPY, 255, 32768, "leaves the source rectangle"),
    FILTER_REFUSED(0, 1, RECORDING_KEY, 255, 0, "with a filter"),
    FILTER_REFUSED(0, 1, RECORDING_BLEND, 255, 0, "with a filter"),
    FILTER_REFUSED(1, 2, RECORDING_COPY, 255, 0, "with a filter"),
    FILTER_REFUSED(1, 1, RECORDING_COPY, 255, 0, "onto itself"),
    BLIT_REFUSED(0, 1, 8, 255, WHITE, "mode is unknown"),
    BLIT_REFUSED(0, 0, RECORDING_KEY, 255, WHITE, "onto itself"),
    BLIT_REFUSED(0, 0, RECORDING_COPY, 255, 0x808080, "onto itself"),
    BLIT_REFUSED(0, 1, RECORDING_BLEND, 7, WHITE, "with a key or a constant alpha"),
    BLIT_REFUSED(0, 1, RECORDING_KEYED_BLEND, 255, WHITE, "with a key or a constant alpha"),
    BLIT_REFUSED(0, 2, RECORDING_BLEND, 7, 0xff00ff, "a blend of modulated colours"),
    BLIT_REFUSED(0, 2, RECORDING_BLEND, 255, WHITE, "alpha 255"),
    BLIT_REFUSED(1, 0, RECORDING_BLEND, 9, WHITE, "from XRGB8888 onto ARGB8888"),
    BLIT_REFUSED(0, 2, RECORDING_COPY, 255, WHITE, "from RGB565 to 32 bits"),
    BLIT_REFUSED(3, 0, RECORDING_COPY, 255, WHITE, "onto 8 bits"),
    BLIT_REFUSED(0, 3, RECORDING_COPY, 254, WHITE, "of 8 bits, and neither"),
    BLIT_REFUSED(0, 3, RECORDING_ADD, 255, WHITE, "of 8 bits, and neither"),
    BLIT_REFUSED(0, 3, RECORDING_KEYED_BLEND, 9, 0xfffffe, "of 8 bits, and neither"),
    BLIT_REFUSED(0, 3, RECORDING_BLEND, 255, WHITE, "alpha 255"),
    MAP_REFUSED(3, 8, 8, 0, 0, 65536, 0, 0, 65536, "of 8 bits, and neither"),
    {{.kind = RECORDING_FILL, .surface = 3, .rect = {0, 0, 8, 8}}, "neither filled nor shown"},
    {{.kind = RECORDING_PRESENT, .surface = 3}, "neither filled nor shown"},
    {{.kind = RECORDING_PALETTE, .colours = colours}, "PALETTE: the surface has none"},
};

#endif
