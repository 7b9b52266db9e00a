/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a surface is unlike the copy that the recorder keeps of it, its shadow.
 */
#ifndef TESSERA_RECORD_DIFFERENCE_H
#define TESSERA_RECORD_DIFFERENCE_H

#include "clients/sdl/record/surface.h"

/* A rectangle inside a surface. */
struct area {
    int32_t x, y, width, height;
};

/* Raw units, rows of `row_bytes`. */
struct shadow {
    const uint8_t *units;
    uint32_t row_bytes;
};

/* The smallest rectangle that holds the units unlike the shadow in the first rows of `area` that have such, until some
 * rows have none; *next is then the first row after it. False: there is none. */
bool difference_next(const struct shadow *shadow, const struct view *view, const struct area *area, struct area *found,
                     int32_t *next);
/* The columns of `area` from *next on that have units unlike the shadow, until some have none; *next is then the first
 * column after them. False: there are none. */
bool difference_columns(const struct shadow *shadow, const struct view *view, const struct area *area,
                        struct area *found, int32_t *next);
/* Has the shadow all units of the area? */
bool difference_is_none(const struct shadow *shadow, const struct view *view, const struct area *area);
/* Are all units of the area alike? */
bool difference_is_flat(const struct view *view, const struct area *area);
/* What both have. False: nothing. */
bool area_shared(const struct area *a, const struct area *b, struct area *part);

#endif
