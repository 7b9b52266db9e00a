/* SPDX-License-Identifier: Apache-2.0
 *
 * How the host stores a row of a surface for the GPU: see play_gpu.h for why there are several views.
 */
#ifndef TESSERA_PLAY_VIEW_H
#define TESSERA_PLAY_VIEW_H

#include <stdint.h>

#include "recording.h"

enum play_view { PLAY_PLAIN, PLAY_SHIFT8, PLAY_SHIFT5, PLAY_KEYED, PLAY_VIEWS };

/* The alpha with which the engine, dividing by 255, comes nearest to SDL, dividing by 256 (SHIFT8) or taking 5 bits
 * (SHIFT5). 0 and 255 stay. */
uint32_t play_view_alpha(enum play_view view, uint32_t alpha);

/* Units of a recording's surface to units of the view: as they are, or ARGB8888. */
void play_view_row(enum play_view view, enum recording_format format, uint32_t key, const uint8_t *units,
                   uint32_t count, uint8_t *row);

#endif
