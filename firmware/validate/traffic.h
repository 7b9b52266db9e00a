/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a DMA buffer reads and writes through each entry of its patch list, for a policy that weighs that.
 */
#ifndef FIRMWARE_TRAFFIC_H
#define FIRMWARE_TRAFFIC_H

#include "validate/access.h"

/* Adds what the packet that access_check has just accepted reads and writes to patch->traffic of its entries: each
 * operand rounded up to TRAFFIC_BYTES, a target twice if it is blended with. Saturates. O(1). */
void traffic_count(const struct access_state *state);

#endif
