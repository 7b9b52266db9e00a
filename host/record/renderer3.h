/* SPDX-License-Identifier: Apache-2.0
 *
 * How a renderer of SDL 3 draws now. It has units of its own in place of SDL 2's: a viewport and a clip rectangle in
 * the program's units, which a scale and a logical size map to pixels.
 */
#ifndef TESSERA_RECORD_RENDERER3_H
#define TESSERA_RECORD_RENDERER3_H

#include "record/renderer.h"

/* All of the state but its target's pixels, which it has. */
void renderer3_look(struct renderer_state *state, void *renderer);

#endif
