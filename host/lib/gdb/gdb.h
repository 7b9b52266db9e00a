/* SPDX-License-Identifier: Apache-2.0
 *
 * A gdb-remote server for the control core, in front of any transport: the program goes on using the transport as
 * before, and whenever it lets the device work (a wait), the server looks whether the core has stopped or gdb
 * wants something. While the core is stopped the program's wait does not return.
 *
 * What gdb can do: registers, CSRs, memory (debug.h says how addresses are reached), step, continue, interrupt,
 * hardware breakpoints (4), watched words (2), breakpoints in memory by ebreak (any number), detach and attach again.
 * The port is bound to the loopback address; one client at a time. Whatever a client sends, it gets an answer of the
 * protocol (empty: unknown packet, E16 malformed, E0e the core's access failed, E1c no breakpoint left,
 * E05 the link failed) or, without a valid checksum, a '-'.
 */
#ifndef TESSERA_GDB_H
#define TESSERA_GDB_H

#include <stdint.h>

#include "transport.h"

struct gdb;

/* Put a server on `port` (0: any that is free) in front of `transport`, which stays where it is; its close also closes
 * the server. The core stops before its first instruction (now, if it runs) and the first wait blocks for a client.
 * NULL and a line in `message` when the device has no debug unit or the port cannot be had; `transport` is as
 * before. */
struct gdb *gdb_open(struct transport *transport, uint16_t port, char message[256]);
uint16_t gdb_port(const struct gdb *gdb);

#endif
