/* SPDX-License-Identifier: Apache-2.0
 *
 * How the host stores a row of a surface for the GPU: see play_gpu.h for why there are several views.
 */
#ifndef TESSERA_PLAY_VIEW_H
#define TESSERA_PLAY_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/recording/recording.h"

enum play_view { PLAY_PLAIN, PLAY_SDL32, PLAY_SDL16, PLAY_LAPPED, PLAY_VIEWS };
static inline bool play_view_is_plain(enum play_view view) { return view == PLAY_PLAIN || view == PLAY_LAPPED; }

/* Units of a recording's surface to units of the view: as they are (XRGB1555: with alpha), or ARGB8888 to ARGB8888. */
void play_view_row(enum play_view view, enum recording_format format, const uint8_t *units, uint32_t count,
                   uint8_t *row);

#endif
