/* SPDX-License-Identifier: Apache-2.0
 *
 * What gdb.c (port, turns with the program), gdb_packet.c (the packets) and gdb_client.c (the connection) share.
 */
#ifndef TESSERA_GDB_INTERNAL_H
#define TESSERA_GDB_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/gdb/debug.h"
#include "transport.h"

enum { GDB_PACKET = 4096 };

/* What a packet asks for beyond its answer. */
enum gdb_wish { GDB_STAY, GDB_CONTINUE, GDB_STEP, GDB_DETACH, GDB_KILL };

struct gdb {
    struct transport inner; /* the device's own verbs */
    struct debug debug;
    int listener, client; /* -1: none */
    uint16_t port;
    bool no_acknowledge;
    bool wants_reply; /* gdb waits for the next stop */
    bool is_killed;
    uint8_t input[2 * GDB_PACKET];
    size_t input_bytes;
};

/* The next packet from what has come in: its text (without frame, unescaped) into `packet`, its length as result; -2
 * when there is none yet. '\3' alone is an interrupt: length 1, text "\3". Acknowledges. */
int gdb_next_packet(struct gdb *gdb, char packet[GDB_PACKET + 1]);
/* Answer it. */
enum gdb_wish gdb_packet(struct gdb *gdb, const char *packet, size_t bytes);
/* Tell why the core stopped. */
void gdb_say_stopped(struct gdb *gdb);
void gdb_send(struct gdb *gdb, const char *text);
/* Raw bytes; a client that is gone becomes -1. */
void gdb_write(struct gdb *gdb, const char *bytes, size_t count);
void gdb_drop_client(struct gdb *gdb);

#endif
