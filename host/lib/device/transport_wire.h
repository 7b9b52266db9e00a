/* SPDX-License-Identifier: Apache-2.0
 *
 * A board at the end of a serial line, or of a TCP connection that carries the same bytes (the simulated board):
 * the UARTBone protocol of LiteX (boards/common/wire_bridge.v) as a transport.
 *
 *   tty:/dev/ttyUSB0[@BAUD]   BAUD 3000000 if not given
 *   tcp:HOST:PORT
 *
 * Words are moved up to 255 to a command. Writes are not answered, so an error of the line shows at the next read.
 * After an error of the line, silence included, every verb fails with that error: its answer might still come. `cycles`
 * cannot fail and is then 0.
 * Memory edges that are not whole words are read, changed and written back: the caller owns the words it touches.
 */
#ifndef TESSERA_TRANSPORT_WIRE_H
#define TESSERA_TRANSPORT_WIRE_H

#include "transport.h"

/* Opens the line, checks that a board of ours is at the other end and waits for its memory. 0, or -1 with one line in
 * `message` that says what to do. Silence is an error after `patience_ms` (0: 5 s for a tty; 120 s for tcp, because a
 * simulated board is slower than its line and answers wait for what was written); time that this machine slept is
 * not counted. transport->close() ends it. */
int wire_open(struct transport *transport, const char *device, uint32_t patience_ms, char message[256]);

#endif
