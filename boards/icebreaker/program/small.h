/* SPDX-License-Identifier: Apache-2.0
 *
 * The small system as its program and its tests see it, beyond gpu.def: boards/icebreaker/small_registers.v.
 */
#ifndef BOARDS_SMALL_H
#define BOARDS_SMALL_H

#include <stdint.h>

enum small_register {
    MOVER_SOURCE = 0x800,
    MOVER_TARGET = 0x804,
    MOVER_ROW_BYTES = 0x808,
    MOVER_ROWS = 0x80c,
    MOVER_PITCHES = 0x810,
    MOVER_PATTERN = 0x814,
    MOVER_GO = 0x818,
    MOVER_FAULT = 0x81c
};
enum { MOVER_COPY = 0, MOVER_FILL = 1, MOVER_BUSY = 1, MOVER_FAULT_LSB = 8 };
/* What a command can be at most; beyond it the program answers FAULT_BAD_OPERAND. */
enum { MOVER_ADDRESS_BITS = 18, MOVER_MOST_ROWS = 255, MOVER_MOST_PITCH = 4095 };

/* Local memory; its last 4 KB are the ring: 1024 words that HOST.SUBMIT_TAIL and NODE1.HEAD count. */
enum { SMALL_LOCAL_BYTES = 131072, SMALL_RING_WORDS = 1024, SMALL_RING_AT = SMALL_LOCAL_BYTES - 4 * SMALL_RING_WORDS };

static const uint32_t small_id = 0x53525354; /* HOST.ID: the letters TSRS */

#endif
