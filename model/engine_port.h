/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory side of one packet (engine_packets.c), and how what lies side by side in two pages is copied at once.
 */
#ifndef TESSERA_ENGINE_PORT_H
#define TESSERA_ENGINE_PORT_H

#include <string.h>

#include "engine_model.h"

enum access { ACCESS_SOURCE, ACCESS_TARGET, ACCESS_WRITE, ACCESS_KINDS };

/* First fault, and per kind of access the page touched last. */
struct port {
    struct engine_model *engine;
    struct engine_node *node;
    bool is_guarded;
    uint32_t fault, fault_address;
    struct {
        uint32_t page;
        uint8_t *bytes;
        bool is_local;
    } window[ACCESS_KINDS];
};

/* A byte was copied between these addresses: copy what follows it in both pages, at most `bytes`, and count it the same
 * way; how many there were. None within one page, whose bytes may be both source and target. */
static inline uint32_t port_copy_rest(struct port *port, uint32_t source, uint32_t target, uint32_t bytes)
{
    const uint32_t page = GPU_LIMIT(PAGE_BYTES), from = source % page + 1u, to = target % page + 1u;
    const uint32_t room = page - (from > to ? from : to), count = room < bytes ? room : bytes;
    const uint8_t *read = port->window[ACCESS_SOURCE].bytes;
    uint8_t *written = port->window[ACCESS_WRITE].bytes;
    struct engine_node *node = port->node;
    if (port->fault != FAULT_NONE || read == written) return 0;
    memcpy(written + to, read + from, count);
    *(port->window[ACCESS_SOURCE].is_local ? &node->bytes_read_local : &node->bytes_read_system) += count;
    *(port->window[ACCESS_WRITE].is_local ? &node->bytes_written_local : &node->bytes_written_system) += count;
    return count;
}

#endif
