/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_view.h. tests/play/test_blend.c holds every combination of levels and alphas against SDL.
 */
#include "play_view.h"

#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"

/* SDL goes by the upper five bits, of 32, and takes 31 for opaque. */
static uint32_t alpha16(uint32_t alpha) { return alpha / 8u == 31u ? 255u : (alpha / 8u * 255u + 16u) / 32u; }

uint32_t play_view_alpha(enum recording_format format, uint32_t alpha)
{
    return format == RECORDING_RGB565 ? (alpha / 8u * 255u + 16u) / 32u : (alpha * 255u + 128u) / 256u;
}

static uint32_t multiplied(uint32_t unit)
{
    uint32_t alpha = unit >> 24, colour = 0;
    if (alpha == 0) return 0;
    if (alpha == 255) return unit;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) colour |= (((unit >> lsb) & 255u) * alpha >> 8) << lsb;
    return (alpha + 1u) << 24 | colour;
}

static uint32_t convert(enum play_view view, enum recording_format format, uint32_t key, uint32_t unit)
{
    switch (view) {
    case PLAY_SDL32:
        return multiplied(unit);
    case PLAY_SDL16:
        return (unit & 0xffffffu) | alpha16(unit >> 24) << 24;
    case PLAY_KEYED:
        return pixel_expand(format == RECORDING_RGB565 ? FORMAT_RGB565 : FORMAT_ARGB8888, unit) &
               (unit == key ? 0xffffffu : UINT32_MAX);
    case PLAY_PLAIN:
    case PLAY_VIEWS:
        break;
    }
    return unit;
}

void play_view_row(enum play_view view, enum recording_format format, uint32_t key, const uint8_t *units,
                   uint32_t count, uint8_t *row)
{
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)format);
    if (view == PLAY_PLAIN) {
        memcpy(row, units, (size_t)count * unit_bytes);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t unit = 0;
        memcpy(&unit, units + (size_t)i * unit_bytes, unit_bytes);
        unit = convert(view, format, key, unit);
        memcpy(row + 4u * i, &unit, 4);
    }
}
