/* SPDX-License-Identifier: Apache-2.0
 *
 * Pixel arithmetic of the render node, bit by bit: formats, blending, raster operations. The RTL's pixel
 * path, the engine model and the scenes' reference renderer all answer to these few functions.
 *
 * A *unit* is one pixel as stored (FORMAT group: 1, 2 or 4 bytes, little end first, right aligned in a
 * word). A *colour* is ARGB8888. Formats outside the table are the caller's mistake.
 *
 *   RGB565 -> colour    bits replicated: r5<<3|r5>>2, g6<<2|g6>>4, b5<<3|b5>>2; alpha 255
 *   colour -> RGB565    truncated
 *   div255(x)           (x + 128 + ((x + 128) >> 8)) >> 8, x/255 to the nearest, exact for 0..255*255
 */
#ifndef TESSERA_PIXEL_MODEL_H
#define TESSERA_PIXEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of one unit; 0 for a format that does not exist. */
uint32_t pixel_unit_bytes(uint32_t format);

/* x / 255, rounded to the nearest. x <= 255 * 255. */
uint32_t pixel_div255(uint32_t x);

/* Unit to colour and back. FORMAT_BYTES has no colours; both return the value unchanged. */
uint32_t pixel_expand(uint32_t format, uint32_t unit);
uint32_t pixel_reduce(uint32_t format, uint32_t colour);

/* Source colour over target colour, with a constant alpha (255 = none).
 * Straight:       sa = div255(As * constant), c = div255(Cs*sa + Ct*(255-sa)),           a = sa + div255(At*(255-sa))
 * Premultiplied:  sa, cs scaled by constant,  c = min(255, cs + div255(Ct*(255-sa))),    a likewise */
uint32_t pixel_blend(uint32_t source, uint32_t target, uint32_t constant_alpha, bool is_premultiplied);

/* Bit i of the result = bit 4*p + 2*s + t of `rop`, with bit i of pattern, source, target (Windows ROP3). */
uint32_t pixel_rop(uint32_t rop, uint32_t pattern, uint32_t source, uint32_t target);

#endif
