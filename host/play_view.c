/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_view.h.
 */
#include "play_view.h"

#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"

uint32_t play_view_alpha(enum play_view view, uint32_t alpha)
{
    if (view == PLAY_SHIFT8 && alpha < 255u) return (alpha * 255u + 128u) / 256u;
    if (view == PLAY_SHIFT5 && alpha / 8u < 31u) return (alpha / 8u * 255u + 16u) / 32u;
    return view == PLAY_SHIFT5 ? 255u : alpha;
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
        uint32_t unit = 0, colour;
        memcpy(&unit, units + (size_t)i * unit_bytes, unit_bytes);
        if (view == PLAY_KEYED) {
            colour = pixel_expand(format == RECORDING_RGB565 ? FORMAT_RGB565 : FORMAT_ARGB8888, unit);
            if (unit == key) colour &= 0xffffffu;
        } else {
            colour = (unit & 0xffffffu) | play_view_alpha(view, unit >> 24) << 24;
        }
        memcpy(row + 4u * i, &colour, 4);
    }
}
