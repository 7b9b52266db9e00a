/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the map of a BLIT_AFFINE finds the units that (x, y) of its target rectangle is made of: columns and rows of
 * the source rectangle, as docs/pixels.md says it. `words` are the packet's; the rectangle is not empty. What draws and
 * what tells of draws ask here.
 */
#ifndef TESSERA_AFFINE_MODEL_H
#define TESSERA_AFFINE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* One unit; with BILINEAR that whose centre is the nearest. False: the map leaves the rectangle there, and it is the
 * nearest inside. */
bool affine_nearest(const uint32_t *words, uint32_t x, uint32_t y, uint32_t *column, uint32_t *row);

/* The four around, in two columns and two rows, and how far between these in 128ths. */
struct affine_between {
    uint32_t column[2], row[2], across, down;
};
struct affine_between affine_between(const uint32_t *words, uint32_t x, uint32_t y);

#endif
