/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated device shows of its inside, for timelines, reports and progress. Any function may be NULL.
 * `cycle` is device time; calls come in time order.
 */
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#include <stdint.h>

/* Counters of one node since reset, as its registers have them. */
struct node_counters {
    uint32_t packets, busy, stall_fetch, stall_fence, stall_read, stall_write, stall_drain;
    uint32_t read_local, read_system, write_local, write_system; /* bytes */
};

/* Each cycle in which a node was busy, in one of these; a counter of struct node_counters may share its cycles with
 * another. */
struct node_cycles {
    uint64_t works, memory, other_node; /* waits for memory (command words too), for the other node's fence */
};

/* Cycles of a board's SDRAM (sim/board_side.v): all, those in which its pins carry data, those in which it is busy; all
 * 0 of a device without one. */
struct sdram_cycles {
    uint64_t passed, moves, busy;
};

enum { PROBE_NODES = 2, PROBE_PORTS = 3 }; /* render, paging; segment 1, segment 2, system memory */
struct probe_counters {
    struct node_counters node[PROBE_NODES];
    struct node_cycles cycles[PROBE_NODES];
    uint32_t beats[PROBE_PORTS];       /* of 8 bytes, reads and writes */
    uint64_t port_cycles[PROBE_PORTS]; /* the least that these, or the nodes' bytes, take */
    struct sdram_cycles sdram;
};

struct probe {
    void *context;
    /* A node starts / has completed a packet; `offset` is the packet's byte offset in command RAM and
     * `words` its words (valid during the call, as long as the opcode says). */
    void (*packet_begin)(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words);
    void (*packet_end)(void *context, uint64_t cycle, unsigned node);
    /* Before each of these two and of `firmware`, and every PROBE_SAMPLE cycles. The golden model has no such counters
     * and never calls it. */
    void (*counters)(void *context, uint64_t cycle, const struct probe_counters *counters);
    /* The firmware wrote CORE_TRACE (TRACE_* of the table). */
    void (*firmware)(void *context, uint64_t cycle, uint32_t event, uint32_t argument);
    void (*console)(void *context, char character);
};

enum { PROBE_SAMPLE = 16384 };

#endif
