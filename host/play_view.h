/* SPDX-License-Identifier: Apache-2.0
 *
 * How the host stores a row of a surface for the GPU: see play_gpu.h for why there are several views.
 */
#ifndef TESSERA_PLAY_VIEW_H
#define TESSERA_PLAY_VIEW_H

#include <stdint.h>

#include "recording.h"

enum play_view { PLAY_PLAIN, PLAY_SDL32, PLAY_SDL16, PLAY_KEYED, PLAY_VIEWS };

/* The constant alpha with which the engine, dividing by 255, comes nearest to SDL where source and target have the same
 * format: SDL divides by 256 for 32 bits per pixel, and takes 5 bits of alpha for 16. */
uint32_t play_view_alpha(enum recording_format format, uint32_t alpha);

/* Units of a recording's surface to units of the view: as they are, or ARGB8888. */
void play_view_row(enum play_view view, enum recording_format format, uint32_t key, const uint8_t *units,
                   uint32_t count, uint8_t *row);

#endif
