/* SPDX-License-Identifier: Apache-2.0
 *
 * Pixel arithmetic of the render node: see pixel_model.h, which says it all.
 */
#include "pixel_model.h"

#include "gpu_spec.h"

uint32_t pixel_unit_bytes(uint32_t format)
{
    switch (format) {
    case FORMAT_BYTES:
        return 1;
    case FORMAT_RGB565:
        return 2;
    case FORMAT_ARGB8888:
        return 4;
    default:
        return 0;
    }
}

uint32_t pixel_div255(uint32_t x) { return (x + 128u + ((x + 128u) >> 8)) >> 8; }

uint32_t pixel_expand(uint32_t format, uint32_t unit)
{
    if (format != FORMAT_RGB565) return unit;
    uint32_t red = (unit >> 11) & 31u, green = (unit >> 5) & 63u, blue = unit & 31u;
    red = red << 3 | red >> 2;
    green = green << 2 | green >> 4;
    blue = blue << 3 | blue >> 2;
    return 0xff000000u | red << 16 | green << 8 | blue;
}

uint32_t pixel_reduce(uint32_t format, uint32_t colour)
{
    if (format != FORMAT_RGB565) return colour;
    uint32_t red = (colour >> 19) & 31u, green = (colour >> 10) & 63u, blue = (colour >> 3) & 31u;
    return red << 11 | green << 5 | blue;
}

static uint32_t channel(uint32_t colour, unsigned lsb) { return (colour >> lsb) & 255u; }

uint32_t pixel_blend(uint32_t source, uint32_t target, uint32_t constant_alpha, bool is_premultiplied)
{
    uint32_t alpha = pixel_div255(channel(source, 24) * constant_alpha);
    uint32_t rest = 255u - alpha;
    uint32_t result = (alpha + pixel_div255(channel(target, 24) * rest)) << 24;
    for (unsigned lsb = 0; lsb < 24u; lsb += 8u) {
        uint32_t value;
        if (is_premultiplied) {
            value = pixel_div255(channel(source, lsb) * constant_alpha) + pixel_div255(channel(target, lsb) * rest);
            if (value > 255u) value = 255u;
        } else {
            value = pixel_div255(channel(source, lsb) * alpha + channel(target, lsb) * rest);
        }
        result |= value << lsb;
    }
    return result;
}

uint32_t pixel_rop(uint32_t rop, uint32_t pattern, uint32_t source, uint32_t target)
{
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32u; bit++) {
        uint32_t index = ((pattern >> bit) & 1u) << 2 | ((source >> bit) & 1u) << 1 | ((target >> bit) & 1u);
        result |= ((rop >> index) & 1u) << bit;
    }
    return result;
}
