/* SPDX-License-Identifier: Apache-2.0
 *
 * What simulator.c (clock, transport) and simulator_report.c (the text after trouble) share.
 */
#ifndef TESSERA_SIMULATOR_INTERNAL_H
#define TESSERA_SIMULATOR_INTERNAL_H

#include <stdbool.h>

#include "chip.h"
#include "gpu_spec.h"
#include "misses.h"
#include "monitor.h"
#include "profile.h"
#include "simulator.h"
#include "symbols.h"
#include "world.h"

enum {
    RETIRED_KEPT = 64,        /* last retired program counters */
    COMMAND_WORDS = 65536,    /* most of command RAM */
    EVENTS_KEPT = 64,         /* last events of the firmware ... */
    EVENT_WORDS = 4,          /* ... and their words, as transport_inside has them */
    CONSOLE_KEPT = 512,       /* last console characters */
    RUN_DEPTH = 2,            /* a RUN and the packet inside it */
    PACKET_WORDS = 16,        /* the longest packet and a little */
    REGISTER_PATIENCE = 20000 /* cycles for one AXI4-Lite transfer; one after a hold waits for the data cache */
};
_Static_assert((int)PKT_BLIT_AFFINE_WORDS <= (int)PACKET_WORDS, "probes are given whole packets");

/* A node's packets under way, outermost first. */
struct node_view {
    unsigned depth;
    struct {
        uint32_t offset;
        uint8_t opcode;
        uint64_t cycle;
    } packet[RUN_DEPTH];
};

/* A fault armed by a test. */
struct fault_state {
    struct simulator_fault what;
    bool has_fired, is_ending;
    uint64_t fired_at, ends_at;
};

struct simulator {
    struct simulator_options options;
    struct probe probe;
    struct chip *chip;
    struct world *world; /* NULL with a board's memory */
    uint8_t *memory;     /* system memory */
    struct symbols *symbols;
    struct profile *profile; /* NULL without symbols */
    struct misses *misses;   /* NULL without TESSERA_MISSES */
    struct pins pins;
    struct monitor monitor;
    uint64_t cycle;
    struct node_view node[2];
    struct fault_state fault;
    uint32_t retired[RETIRED_KEPT];
    uint64_t retired_count;
    uint32_t events[EVENTS_KEPT][EVENT_WORDS];
    uint64_t event_count;
    char console[CONSOLE_KEPT];
    uint64_t console_count;
    bool is_tracing, is_reported, is_reporting, has_digest;
    uint64_t digest;      /* of all pins in all cycles */
    int ended;            /* TRANSPORT_OK while it runs, else why every call fails */
    bool has_reached_end; /* ... options.end_cycle */
    bool has_exited;      /* the firmware wrote CORE_EXIT ... */
    uint32_t exit_code;   /* ... with this */
    char why[200];
    char *error; /* the transport's text, or NULL */
};

/* One clock cycle. False when the simulation has ended. */
bool simulator_cycle(struct simulator *simulator);

/* Before a cycle: the pins that make memories misbehave. */
void simulator_fault_step(struct simulator *simulator);
/* After its edge: the flips of command words. */
void simulator_fault_flip(struct simulator *simulator);

/* A register access over AXI4-Lite; TRANSPORT_OK, TRANSPORT_IO (no answer, or an error answer). */
int simulator_register(struct simulator *simulator, bool is_write, uint32_t offset, uint32_t *value);

/* The words of the packet at `offset`, the ring's end respected. */
void simulator_packet_words(const struct simulator *simulator, unsigned node, uint32_t offset,
                            uint32_t words[PACKET_WORDS]);

#endif
