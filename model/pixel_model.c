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
    case FORMAT_INDEX8:
    case FORMAT_A8: return 1;
    case FORMAT_RGB565:
    case FORMAT_ARGB1555: return 2;
    case FORMAT_RGB888: return 3;
    case FORMAT_ARGB8888:
    case FORMAT_XRGB8888: return 4;
    default: return 0;
    }
}

uint32_t pixel_depth(uint32_t format)
{
    switch (format) {
    case FORMAT_A4: return 1;
    case FORMAT_A2: return 2;
    case FORMAT_A1: return 3;
    default: return 0;
    }
}

uint32_t pixel_part(uint32_t format, uint32_t byte, uint32_t place)
{
    const uint32_t bits = 8u >> pixel_depth(format), most = (1u << bits) - 1u;
    return (byte >> (8u - bits * (place + 1u)) & most) * (255u / most);
}

uint32_t pixel_colour_mask(uint32_t format)
{
    switch (format) {
    case FORMAT_RGB565: return 0xffffu;
    case FORMAT_ARGB1555: return 0x7fffu;
    case FORMAT_INDEX8: return 0xffu;
    case FORMAT_RGB888:
    case FORMAT_ARGB8888:
    case FORMAT_XRGB8888: return 0xffffffu;
    default: return 0;
    }
}

uint32_t pixel_div255(uint32_t x) { return (x + 128u + ((x + 128u) >> 8)) >> 8; }

/* Five bits of a unit from `lsb` on, as eight. */
static uint32_t five(uint32_t unit, unsigned lsb)
{
    uint32_t bits = (unit >> lsb) & 31u;
    return bits << 3 | bits >> 2;
}

uint32_t pixel_expand(uint32_t format, uint32_t unit)
{
    uint32_t green = (unit >> 5) & 63u;
    switch (format) {
    case FORMAT_RGB565: return 0xff000000u | five(unit, 11) << 16 | (green << 2 | green >> 4) << 8 | five(unit, 0);
    case FORMAT_ARGB1555:
        return (unit & 0x8000u ? 0xff000000u : 0u) | five(unit, 10) << 16 | five(unit, 5) << 8 | five(unit, 0);
    case FORMAT_XRGB8888:
    case FORMAT_RGB888: return 0xff000000u | (unit & 0xffffffu);
    case FORMAT_A8: return (unit & 255u) << 24 | 0xffffffu;
    default: return unit;
    }
}

static uint32_t channel(uint32_t colour, unsigned lsb) { return (colour >> lsb) & 255u; }

/* What `width` bits, of which eight were made by replication, become. */
static uint32_t padded(uint32_t replicated, unsigned width, bool is_by_256)
{
    uint32_t value = replicated >> (8u - width);
    return is_by_256 ? value << (8u - width) : value * 255u / ((1u << width) - 1u);
}

uint32_t pixel_expand_rounded(uint32_t format, uint32_t unit, bool is_truncated, bool is_by_256)
{
    uint32_t colour = pixel_expand(format, unit);
    if ((!is_truncated && !is_by_256) || (format != FORMAT_RGB565 && format != FORMAT_ARGB1555)) return colour;
    return (colour & 0xff000000u) | padded(channel(colour, 16), 5, is_by_256) << 16 |
           padded(channel(colour, 8), format == FORMAT_RGB565 ? 6 : 5, is_by_256) << 8 |
           padded(channel(colour, 0), 5, is_by_256);
}

bool pixel_is_even(const struct pixel_operation *operation)
{
    return operation->mode == BLIT_BLEND && operation->is_truncated && operation->is_by_256;
}

uint32_t pixel_expand_even(struct pixel_operation *operation, uint32_t source_format, uint32_t unit,
                           uint32_t target_format)
{
    const bool is_mask = source_format == FORMAT_A8, is_coarse = pixel_unit_bytes(target_format) == 2;
    const uint32_t kept = is_coarse && !is_mask && source_format != FORMAT_INDEX8 ? 0xfff8fcf8u : ~0u;
    operation->is_coarse = is_coarse;
    operation->is_by_32 = is_coarse && (is_mask || pixel_unit_bytes(source_format) == 2);
    return pixel_expand_rounded(source_format, unit, true, is_coarse) & kept;
}

uint32_t pixel_reduce(uint32_t format, uint32_t colour)
{
    uint32_t red = channel(colour, 16), green = channel(colour, 8), blue = channel(colour, 0);
    switch (format) {
    case FORMAT_RGB565: return (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3;
    case FORMAT_ARGB1555: return (colour >> 31) << 15 | (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3;
    case FORMAT_XRGB8888: return 0xff000000u | colour;
    case FORMAT_RGB888: return colour & 0xffffffu;
    case FORMAT_A8: return colour >> 24;
    default: return colour;
    }
}

bool pixel_blit_is_legal(uint32_t word0, uint32_t source_format, uint32_t target_format)
{
    uint32_t mode = FIELD_GET(word0, PKT_BLIT_MODE);
    bool is_keyed = FIELD_GET(word0, PKT_BLIT_KEYED) != 0, is_coloured = FIELD_GET(word0, PKT_BLIT_COLOURED) != 0;
    bool is_equal = source_format == target_format;
    bool has_bytes = source_format == FORMAT_BYTES || target_format == FORMAT_BYTES;
    bool is_plain = mode == BLIT_COPY && is_equal && !is_keyed && !is_coloured;
    if (pixel_depth(target_format) != 0) return false;
    if (pixel_depth(source_format) != 0) { /* as A8, but there is no target of the same format */
        source_format = FORMAT_A8;
        is_equal = is_plain = false;
    }
    if (FIELD_GET(word0, PKT_BLIT_REVERSE) && !is_plain) return false;
    switch (mode) {
    case BLIT_ROP: return is_equal && source_format != FORMAT_RGB888 && !is_keyed && !is_coloured;
    case BLIT_KEY:
        if (is_keyed || is_coloured || source_format == FORMAT_A8) return false;
        break;
    case BLIT_COPY:
    case BLIT_BLEND:
    case BLIT_ADD:
    case BLIT_MOD: break;
    default: return false;
    }
    if (is_plain) return true;
    has_bytes = has_bytes || target_format == FORMAT_INDEX8;
    return !has_bytes && target_format != FORMAT_A8 && !(is_keyed && source_format == FORMAT_A8);
}

/* x / 255 as the operation rounds it. */
static uint32_t quotient(const struct pixel_operation *operation, uint32_t x)
{
    return operation->is_truncated ? x / 255u : pixel_div255(x);
}

static uint32_t scale(const struct pixel_operation *operation, uint32_t source, uint32_t factors)
{
    const uint32_t constant = operation->value & 255u, product = channel(source, 24) * constant;
    const bool is_shifted = pixel_is_even(operation) && constant != 255u;
    uint32_t result = (is_shifted ? product >> 8 : quotient(operation, product)) << 24;
    for (unsigned lsb = 0; lsb < 24u; lsb += 8u)
        result |= quotient(operation, channel(source, lsb) * channel(factors, lsb)) << lsb;
    return result;
}

static uint32_t at_most_255(uint32_t value) { return value > 255u ? 255u : value; }

/* From t towards s, as far as alpha says. */
static uint32_t weigh(uint32_t s, uint32_t t, uint32_t alpha, bool is_truncated)
{
    if (!is_truncated) return pixel_div255(s * alpha + t * (255u - alpha));
    return s < t ? t - (t - s) * alpha / 255u : t + (s - t) * alpha / 255u;
}

/* The 256ths that s and t weigh. */
struct weights {
    uint32_t of_source, of_target;
};

static struct weights weights_of(const struct pixel_operation *operation, uint32_t alpha)
{
    const uint32_t all = operation->is_coarse ? 255u : 253u;
    uint32_t weight = alpha;
    if (!pixel_is_even(operation)) return (struct weights){alpha, 256u - alpha};
    if (operation->is_by_32) weight = (alpha + 4u) / 8u * 8u;
    else if (alpha >= all) weight = 256u;
    else if (alpha != 0) return (struct weights){alpha, 255u - alpha};
    return (struct weights){weight, 256u - weight};
}

static uint32_t over(const struct pixel_operation *operation, uint32_t source, uint32_t target)
{
    uint32_t alpha = channel(source, 24);
    const struct weights weights = weights_of(operation, alpha);
    uint32_t result = (alpha + weigh(0, channel(target, 24), alpha, operation->is_truncated)) << 24;
    for (unsigned lsb = 0; lsb < 24u; lsb += 8u) {
        uint32_t s = channel(source, lsb), t = channel(target, lsb), weighed = operation->is_premultiplied ? 0 : s;
        uint32_t c = operation->is_by_256 ? (weighed * weights.of_source + t * weights.of_target) >> 8
                                          : weigh(weighed, t, alpha, operation->is_truncated);
        result |= at_most_255(c + (operation->is_premultiplied ? s : 0)) << lsb;
    }
    return result;
}

static uint32_t add(const struct pixel_operation *operation, uint32_t source, uint32_t target)
{
    uint32_t result = target & 0xff000000u;
    for (unsigned lsb = 0; lsb < 24u; lsb += 8u) {
        uint32_t s = channel(source, lsb);
        if (!operation->is_premultiplied) s = quotient(operation, s * channel(source, 24));
        result |= at_most_255(channel(target, lsb) + s) << lsb;
    }
    return result;
}

static uint32_t mod(const struct pixel_operation *operation, uint32_t source, uint32_t target)
{
    uint32_t result = target & 0xff000000u;
    for (unsigned lsb = 0; lsb < 24u; lsb += 8u)
        result |= quotient(operation, channel(source, lsb) * channel(target, lsb)) << lsb;
    return result;
}

static uint32_t between(uint32_t a, uint32_t b, uint32_t part) { return a * (128u - part) + b * part; }

uint32_t pixel_bilinear(const uint32_t colours[4], uint32_t across, uint32_t down)
{
    uint32_t result = 0;
    for (uint32_t lsb = 0; lsb < 32u; lsb += 8u) {
        const uint32_t left = between(colours[0] >> lsb & 255u, colours[2] >> lsb & 255u, down);
        const uint32_t right = between(colours[1] >> lsb & 255u, colours[3] >> lsb & 255u, down);
        result |= between(left, right, across) / (128u * 128u) << lsb;
    }
    return result;
}

uint32_t pixel_operate(const struct pixel_operation *operation, uint32_t source, uint32_t target)
{
    uint32_t alpha = operation->value & 255u, factors = 0xffffffu;
    if (operation->is_coloured) factors = operation->value >> 8;
    else if (operation->is_premultiplied) factors = alpha << 16 | alpha << 8 | alpha;
    uint32_t scaled = scale(operation, source, factors);
    switch (operation->mode) {
    case BLIT_BLEND: return over(operation, scaled, target);
    case BLIT_ADD: return add(operation, scaled, target);
    case BLIT_MOD: return mod(operation, scaled, target);
    default: /* COPY, KEY */ return operation->is_coloured ? scaled : source;
    }
}

uint32_t pixel_blend(uint32_t source, uint32_t target, uint32_t constant_alpha, bool is_premultiplied)
{
    const struct pixel_operation operation = {
        .mode = BLIT_BLEND, .value = constant_alpha, .is_premultiplied = is_premultiplied};
    return pixel_operate(&operation, source, target);
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
