/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the golden model: what one packet does, without ring, RUN or fences of the other node.
 */
#ifndef TESSERA_ENGINE_PACKETS_H
#define TESSERA_ENGINE_PACKETS_H

#include "engine_model.h"

/* Execute a packet other than RUN and WAIT_FENCE whose opcode, privilege, length and reserved bits are right.
 * `is_guarded`: it comes from an unprivileged RUN. Returns FAULT_*; `address` is the first refused byte of a
 * memory fault, else 0. */
uint32_t engine_packet_execute(struct engine_model *engine, unsigned node, const uint32_t *words, bool is_guarded,
                               uint32_t *address);

/* Does a render node execute a BLIT_AFFINE of these words between surfaces of these formats, as pixel_blit_is_legal
 * says of a BLIT? */
bool engine_affine_is_legal(const uint32_t *words, uint32_t source_format, uint32_t target_format);

#endif
