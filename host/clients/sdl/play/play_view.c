/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_view.h. tests/host/play/blends.c holds every combination of levels and alphas against SDL.
 */
#include "clients/sdl/play/play_view.h"

#include <string.h>

/* SDL first drops what the target cannot hold, goes by the upper five bits of alpha, of 32, and takes 31 for
 * opaque. For the engine, which has no alpha of 256, opaque colours end in ones: t + ((s-t)*255 >> 8) is then s or s-1,
 * which reduces to s. */
static uint32_t reduced(uint32_t unit)
{
    uint32_t alpha = unit >> 27;
    return alpha == 31u ? unit | 0xff070307u : alpha << 27 | (unit & 0xf8fcf8u);
}

static uint32_t multiplied(uint32_t unit)
{
    uint32_t alpha = unit >> 24, colour = 0;
    if (alpha == 0) return 0;
    if (alpha == 255) return unit;
    for (unsigned lsb = 0; lsb < 24; lsb += 8) colour |= (((unit >> lsb) & 255u) * alpha >> 8) << lsb;
    return (alpha + 1u) << 24 | colour;
}

void play_view_row(enum play_view view, enum recording_format format, const uint8_t *units, uint32_t count,
                   uint8_t *row)
{
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)format);
    memcpy(row, units, (size_t)count * unit_bytes);
    if (play_view_is_plain(view) && format != RECORDING_XRGB1555) return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t unit = 0;
        memcpy(&unit, units + (size_t)i * unit_bytes, unit_bytes);
        unit = view == PLAY_SDL32 ? multiplied(unit) : view == PLAY_SDL16 ? reduced(unit) : unit | 0x8000u;
        memcpy(row + (size_t)i * unit_bytes, &unit, unit_bytes);
    }
}
