/* SPDX-License-Identifier: Apache-2.0
 *
 * The connection to gdb: bytes to it, and its end.
 */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/gdb/gdb_internal.h"

void gdb_drop_client(struct gdb *gdb)
{
    if (gdb->client >= 0) close(gdb->client);
    gdb->client = -1;
    gdb->input_bytes = 0;
    gdb->no_acknowledge = gdb->wants_reply = false;
}

void gdb_write(struct gdb *gdb, const char *bytes, size_t count)
{
    while (count > 0 && gdb->client >= 0) {
        ssize_t sent = send(gdb->client, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) {
            gdb_drop_client(gdb);
            return;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
}
