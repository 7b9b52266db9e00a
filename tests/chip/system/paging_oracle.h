/* SPDX-License-Identifier: Apache-2.0
 *
 * What a swizzled surface looks like, from the table's description alone: tiles of TILE_ROW_BYTES by TILE_ROWS,
 * stored one after the other, row of tiles by row of tiles; each mip level halves pitch and height, rounded up
 * to whole tiles, and follows the level before it.
 */
#ifndef TEST_PAGING_ORACLE_H
#define TEST_PAGING_ORACLE_H

#include <stdint.h>

#include "gpu_spec.h"

static inline uint32_t oracle_level(uint32_t size, uint32_t level, uint32_t unit)
{
    uint32_t halved = size >> level;
    return halved == 0 ? unit : (halved + unit - 1) / unit * unit;
}

static inline uint32_t oracle_surface_bytes(uint32_t pitch, uint32_t height, uint32_t levels)
{
    const uint32_t wide = GPU_LIMIT(TILE_ROW_BYTES), high = GPU_LIMIT(TILE_ROWS);
    uint32_t bytes = 0;
    for (uint32_t level = 0; level < levels; level++)
        bytes += oracle_level(pitch, level, wide) * oracle_level(height, level, high);
    return bytes;
}

static inline void oracle_swizzle(const uint8_t *linear, uint8_t *tiled, uint32_t pitch, uint32_t height,
                                  uint32_t levels)
{
    const uint32_t wide = GPU_LIMIT(TILE_ROW_BYTES), high = GPU_LIMIT(TILE_ROWS);
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t row_bytes = oracle_level(pitch, level, wide), rows = oracle_level(height, level, high);
        for (uint32_t tile_y = 0; tile_y < rows; tile_y += high)
            for (uint32_t tile_x = 0; tile_x < row_bytes; tile_x += wide)
                for (uint32_t y = 0; y < high; y++)
                    for (uint32_t x = 0; x < wide; x++) *tiled++ = linear[(tile_y + y) * row_bytes + tile_x + x];
        linear += row_bytes * rows;
    }
}

#endif
