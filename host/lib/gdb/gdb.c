/* SPDX-License-Identifier: Apache-2.0
 *
 * See gdb.h. The program's transport is replaced by one that takes turns: a wait lets the device work in slices and
 * looks between them at DEBUG.STATUS and at the port. A stopped core is served until gdb lets it go on.
 */
#include "lib/gdb/gdb.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/gdb/gdb_internal.h"
#include "gpu_spec.h"

enum { SLICE = 2000 }; /* device cycles between two looks */

/* ------------------------------------------------------------------ the port */

static void accept_client(struct gdb *gdb)
{
    int yes = 1, client = accept(gdb->listener, NULL, NULL);
    if (client < 0) return;
    if (gdb->client >= 0) { /* one at a time */
        close(client);
        return;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    gdb->client = client;
}

/* Everything the client has sent so far, and whether it is still there. */
static void take_in(struct gdb *gdb)
{
    while (gdb->input_bytes < sizeof gdb->input) {
        size_t room = sizeof gdb->input - gdb->input_bytes;
        ssize_t came = recv(gdb->client, gdb->input + gdb->input_bytes, room, MSG_DONTWAIT);
        if (came < 0 && errno == EINTR) continue;
        if (came < 0 && errno == EAGAIN) return;
        if (came <= 0) {
            gdb_drop_client(gdb);
            return;
        }
        gdb->input_bytes += (size_t)came;
    }
}

/* Take in what has arrived; wait for something if `is_patient`. False when a signal interrupted the waiting. */
static bool listen_to_port(struct gdb *gdb, bool is_patient)
{
    struct pollfd ports[2] = {{gdb->listener, POLLIN, 0}, {gdb->client, POLLIN, 0}};
    if (poll(ports, 2, is_patient ? -1 : 0) < 0) return false;
    if (ports[1].revents != 0) take_in(gdb); /* first: a client that leaves makes room for the next */
    if (ports[0].revents != 0) accept_client(gdb);
    return true;
}

/* ------------------------------------------------------------------ turns */

static int fail(struct gdb *gdb, struct transport *outer, const char *why)
{
    snprintf(outer->error, sizeof outer->error, "%s", why);
    gdb->is_killed = true;
    return TRANSPORT_DEAD;
}

/* Most steps are over at once; no time need pass for them. */
static bool is_stepped(struct gdb *gdb)
{
    enum { LOOKS = 16 };
    uint32_t status = 0;
    for (unsigned i = 0; i < LOOKS && debug_status(&gdb->debug, &status) == DEBUG_OK; i++)
        if (FIELD_GET(status, DEBUG_STATUS_STOPPED) && !FIELD_GET(status, DEBUG_STATUS_BUSY)) return true;
    return false;
}

/* The core is stopped: do what gdb says until it goes on. */
static int serve(struct gdb *gdb, struct transport *outer)
{
    char packet[GDB_PACKET + 1];
    enum debug_result result = DEBUG_OK;
    if (gdb->wants_reply) gdb_say_stopped(gdb);
    gdb->wants_reply = false;
    for (;;) {
        int bytes = gdb_next_packet(gdb, packet);
        if (bytes < 0) {
            if (!listen_to_port(gdb, true)) return fail(gdb, outer, "interrupted");
            continue;
        }
        enum gdb_wish wish = packet[0] == 3 ? GDB_STAY : gdb_packet(gdb, packet, (size_t)bytes);
        if (wish == GDB_STAY) continue;
        if (wish == GDB_KILL) return fail(gdb, outer, "gdb ended the session");
        if (wish == GDB_DETACH) {
            result = debug_detach(&gdb->debug);
            gdb_drop_client(gdb);
        } else {
            result = debug_resume(&gdb->debug, wish == GDB_STEP);
            gdb->wants_reply = true;
        }
        if (result != DEBUG_OK) return fail(gdb, outer, "the debug unit does not answer");
        if (wish != GDB_STEP || !is_stepped(gdb)) return TRANSPORT_OK;
        gdb_say_stopped(gdb);
        gdb->wants_reply = false;
    }
}

/* Between two slices: has the core stopped, does gdb want it to? */
static int look(struct gdb *gdb, struct transport *outer)
{
    char packet[GDB_PACKET + 1];
    uint32_t status = 0;
    bool was_alone = gdb->client < 0;
    if (debug_status(&gdb->debug, &status) != DEBUG_OK) return TRANSPORT_OK; /* the program's own accesses say why */
    if (FIELD_GET(status, DEBUG_STATUS_STOPPED) && !FIELD_GET(status, DEBUG_STATUS_BUSY)) return serve(gdb, outer);
    if (!listen_to_port(gdb, false)) return TRANSPORT_OK;
    bool is_asked = was_alone && gdb->client >= 0;
    for (int bytes; (bytes = gdb_next_packet(gdb, packet)) >= 0;) {
        is_asked = is_asked || packet[0] == 3;
        if (packet[0] != 3 && bytes > 0) gdb_send(gdb, ""); /* it has no say while the core runs */
    }
    return is_asked && debug_stop(&gdb->debug) != DEBUG_OK ? fail(gdb, outer, "the debug unit does not answer")
                                                           : TRANSPORT_OK;
}

/* ------------------------------------------------------------------ the transport's verbs */

struct front {
    struct gdb gdb;
    struct transport *outer;
};

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct front *front = context;
    if (front->gdb.is_killed) return TRANSPORT_DEAD;
    return front->gdb.inner.register_read(front->gdb.inner.context, offset, value);
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    struct front *front = context;
    if (front->gdb.is_killed) return TRANSPORT_DEAD;
    return front->gdb.inner.register_write(front->gdb.inner.context, offset, value);
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct front *front = context;
    return front->gdb.inner.memory_read(front->gdb.inner.context, address, data, bytes);
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct front *front = context;
    return front->gdb.inner.memory_write(front->gdb.inner.context, address, data, bytes);
}

static int wait_in_slices(void *context, uint32_t cycles)
{
    struct front *front = context;
    struct gdb *gdb = &front->gdb;
    int result = gdb->is_killed ? TRANSPORT_DEAD : TRANSPORT_OK;
    for (uint32_t left = cycles; result == TRANSPORT_OK && left > 0;) {
        uint32_t slice = left < SLICE ? left : SLICE, irq = 0, enable = 0;
        result = gdb->inner.wait(gdb->inner.context, slice);
        left -= slice;
        if (result == TRANSPORT_OK) result = look(gdb, front->outer);
        if (result != TRANSPORT_OK) break;
        /* The device's interrupt ends the wait. */
        result = gdb->inner.register_read(gdb->inner.context, HOST_IRQ_STATUS_OFFSET, &irq);
        if (result == TRANSPORT_OK)
            result = gdb->inner.register_read(gdb->inner.context, HOST_IRQ_ENABLE_OFFSET, &enable);
        if ((irq & enable) != 0) break;
    }
    return result;
}

static uint64_t cycles(void *context)
{
    struct front *front = context;
    return front->gdb.inner.cycles(front->gdb.inner.context);
}

static void close_all(void *context)
{
    struct front *front = context;
    if (front->gdb.wants_reply) gdb_send(&front->gdb, "W00"); /* the program has ended */
    gdb_drop_client(&front->gdb);
    close(front->gdb.listener);
    if (front->gdb.inner.close != NULL) front->gdb.inner.close(front->gdb.inner.context);
    free(front);
}

/* ------------------------------------------------------------------ opening */

static int open_port(struct gdb *gdb, uint16_t port, char message[256])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    socklen_t bytes = sizeof address;
    int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    gdb->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (gdb->listener >= 0) setsockopt(gdb->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (gdb->listener < 0 || bind(gdb->listener, (struct sockaddr *)&address, bytes) != 0 ||
        listen(gdb->listener, 1) != 0 || getsockname(gdb->listener, (struct sockaddr *)&address, &bytes) != 0) {
        snprintf(message, 256, "cannot use port %u for gdb: %s. Name another with --port, or 0 for any.", port,
                 strerror(errno));
        if (gdb->listener >= 0) close(gdb->listener);
        return -1;
    }
    gdb->port = ntohs(address.sin_port);
    return 0;
}

struct gdb *gdb_open(struct transport *transport, uint16_t port, char message[256])
{
    struct front *front = calloc(1, sizeof *front);
    if (front == NULL) {
        snprintf(message, 256, "out of memory");
        return NULL;
    }
    struct gdb *gdb = &front->gdb;
    gdb->inner = *transport;
    gdb->client = -1;
    front->outer = transport;
    enum debug_result result = debug_attach(&gdb->debug, &gdb->inner);
    if (result != DEBUG_OK) {
        snprintf(message, 256, "%s",
                 result != DEBUG_ABSENT ? "the device does not answer"
                                        : "this device has no debug unit for gdb. The golden model runs the firmware "
                                          "inside this program: run this program under gdb.");
        free(front);
        return NULL;
    }
    if (open_port(gdb, port, message) != 0) {
        free(front);
        return NULL;
    }
    (void)debug_stop(&gdb->debug);
    transport->context = front;
    transport->register_read = register_read;
    transport->register_write = register_write;
    transport->memory_read = memory_read;
    transport->memory_write = memory_write;
    transport->wait = wait_in_slices;
    transport->cycles = gdb->inner.cycles != NULL ? cycles : NULL;
    transport->close = close_all;
    return gdb;
}

uint16_t gdb_port(const struct gdb *gdb) { return gdb->port; }
