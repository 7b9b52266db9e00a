/* SPDX-License-Identifier: Apache-2.0
 *
 * A refusal of the device as a sentence: what is wrong, where, and what to do. Names of packets, fields and messages
 * are those of the table (spec/gpu.def).
 */
#ifndef TESSERA_REFUSAL_H
#define TESSERA_REFUSAL_H

#include "lib/tessera_internal.h"

enum { REFUSAL_BYTES = 320 };

/* "STATUS: ..." for a message that was answered so. `view`: the DMA buffer of a SUBMIT with its lists; NULL: not known.
 */
void refusal_text(const struct tessera *tessera, const uint32_t message[16], const struct stream_view *view,
                  uint32_t status, uint32_t detail, char text[REFUSAL_BYTES]);

/* The part after "STATUS: " about a DMA buffer; false: the status is not about its words and entries. */
bool refusal_reason(const struct tessera *tessera, const struct stream_view *view, uint32_t status, uint32_t detail,
                    char *text, size_t size);

#endif
