/* SPDX-License-Identifier: Apache-2.0
 *
 * Pixel arithmetic of the render node, bit by bit: formats, blending, raster operations. The RTL's pixel
 * path, the engine model and the scenes' reference renderer all answer to these few functions.
 *
 * A *unit* is one pixel as stored (FORMAT group: 1 to 4 bytes, little end first, right aligned in a
 * word). A *colour* is ARGB8888. Formats outside the table are the caller's mistake.
 *
 *   RGB565, ARGB1555 -> colour    bits replicated: c5<<3|c5>>2, g6<<2|g6>>4; alpha 255, or 255 times its bit
 *   XRGB8888, RGB888 -> colour    alpha 255
 *   A8 -> colour                  red, green, blue 255
 *   colour -> RGB565, ARGB1555    truncated; the alpha bit is alpha's top bit
 *   colour -> XRGB8888            bits 31:24 ones
 *   div255(x)           (x + 128 + ((x + 128) >> 8)) >> 8, x/255 to the nearest, exact for 0..255*255
 *
 * That is how a BLIT without TRUNCATED and BY_256 rounds. These two make it what SDL 2's software blits compute, bit
 * for bit: TRUNCATED its general ones, BY_256 its fast blends; both together make BLEND LVGL's. docs/pixels.md says
 * which is which.
 */
#ifndef TESSERA_PIXEL_MODEL_H
#define TESSERA_PIXEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of one unit; 0 for a format that does not exist, or whose units are parts of bytes. */
uint32_t pixel_unit_bytes(uint32_t format);

/* 1, 2, 3: units of 4, 2, 1 bits (A4, A2, A1), so that a byte has 2, 4, 8 of them; 0: the format is another. */
uint32_t pixel_depth(uint32_t format);
/* Unit `place` of a byte of such a format, counted from the byte's high bits, as a unit of A8: its bits repeated. */
uint32_t pixel_part(uint32_t format, uint32_t byte, uint32_t place);

/* Does a render node execute a BLIT with this word 0 between surfaces of these formats? docs/pixels.md has the table.
 */
bool pixel_blit_is_legal(uint32_t word0, uint32_t source_format, uint32_t target_format);

/* x / 255, rounded to the nearest. x <= 255 * 255. */
uint32_t pixel_div255(uint32_t x);

/* The bits of a unit that hold colour: what KEYED compares. The index of INDEX8; 0 for A8 and BYTES. */
uint32_t pixel_colour_mask(uint32_t format);

/* Unit to colour and back. FORMAT_BYTES has no colours, those of FORMAT_INDEX8 are in a palette: the value is returned
 * unchanged. */
uint32_t pixel_expand(uint32_t format, uint32_t unit);
uint32_t pixel_reduce(uint32_t format, uint32_t colour);
/* Unit to colour under other roundings: v of n bits becomes v * 255 / (2^n - 1), rounded down (TRUNCATED), or
 * v << (8 - n) (BY_256, also with both). */
uint32_t pixel_expand_rounded(uint32_t format, uint32_t unit, bool is_truncated, bool is_by_256);

/* Between a colour and the one to its right, and the two below, across and down in 128ths: each channel weighed by
 * both, rounded down. SDL's linear stretch where it has SSE2 or NEON. */
uint32_t pixel_bilinear(const uint32_t colours[4], uint32_t across, uint32_t down);

/* What a BLIT computes with colours: the modes of the BLIT group but ROP; value and flags as in the packet.
 * First the source is scaled: alpha As * K; red, green and blue Cs * their factor: VALUE's with COLOURED, else K with
 * PREMULTIPLIED, else 255; each product is div255. K is VALUE's constant alpha. Then (s, t one channel, as alpha):
 *   COPY, KEY   the scaled source with COLOURED, else the source itself
 *   BLEND       c = div255(s*as + t*(255-as)),                                a = as + div255(At*(255-as))
 *               PREMULTIPLIED: c = min(255, s + div255(t*(255-as))),          a likewise
 *   ADD         c = min(255, t + div255(s*as)); PREMULTIPLIED: min(255, t + s);  a = At
 *   MOD         c = div255(s*t);                                              a = At
 * TRUNCATED: every quotient is rounded down, but for BLEND's, which is rounded towards the target's value:
 *   BLEND       c = t + (s-t)*as/255,  a = as + At - as*At/255,  PREMULTIPLIED: c = min(255, s + t - t*as/255)
 * with the / of C. BY_256: colours of BLEND, and nothing else, are
 *   BLEND       c = t + ((s-t)*as >> 8),                         PREMULTIPLIED: c = min(255, s + (t*(256-as) >> 8))
 * Both: as TRUNCATED, but in BLEND as = As*K >> 8 where K is not 255, and its colours are
 *   BLEND       c = (s*as + t*(255-as)) >> 8,                    PREMULTIPLIED: c = min(255, s + (t*(255-as) >> 8))
 *               as = 0: c = t; as >= 253, is_coarse as = 255: c = s; PREMULTIPLIED likewise, s added to t, or alone
 *               is_by_32, with w = (as + 4)/8 of 32: c = (s*w + t*(32-w)) >> 5; PREMULTIPLIED likewise without s*w */
struct pixel_operation {
    uint32_t mode, value;
    bool is_premultiplied, is_coloured, is_truncated, is_by_256;
    bool is_coarse; /* the target's colours have 5 and 6 bits */
    bool is_by_32;  /* and the source's have too, or it is a mask: LVGL takes 5 bits of alpha there */
};
/* BLEND with TRUNCATED and BY_256, of the units of a source and a target as the node does it: sets is_coarse and
 * is_by_32 and expands the source's unit, of INDEX8 the palette's colour. A source of 5 and 6 bits becomes TRUNCATED's
 * colour, unless the target has 5 and 6 bits as well; onto those the bits below are zeros, but in a mask's white and in
 * a palette. */
bool pixel_is_even(const struct pixel_operation *operation);
uint32_t pixel_expand_even(struct pixel_operation *operation, uint32_t source_format, uint32_t unit,
                           uint32_t target_format);
uint32_t pixel_operate(const struct pixel_operation *operation, uint32_t source, uint32_t target);

/* BLEND with a constant alpha (255 = none). */
uint32_t pixel_blend(uint32_t source, uint32_t target, uint32_t constant_alpha, bool is_premultiplied);

/* Bit i of the result = bit 4*p + 2*s + t of `rop`, with bit i of pattern, source, target (Windows ROP3). */
uint32_t pixel_rop(uint32_t rop, uint32_t pattern, uint32_t source, uint32_t target);

#endif
