/* SPDX-License-Identifier: Apache-2.0
 *
 * QUERY_SEGMENT: the driver's description of its segments, as the documents' two calls have it.
 */
#ifndef FIRMWARE_QUERY_SEGMENT_H
#define FIRMWARE_QUERY_SEGMENT_H

#include "schedule/manager.h"

/* Answer the message. */
struct reply query_segment(struct manager *manager, const uint32_t message[MESSAGE_WORDS]);

/* What the driver wants for a context's DMA buffers (DMA-01, DMA-02). They live in command RAM, outside every segment.
 * False: there is no room for it. */
bool query_context_room(const struct manager *manager, struct refusal *why);

#endif
