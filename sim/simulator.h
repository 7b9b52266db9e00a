/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated GPU and the world around it (system memory with latency and back-pressure, segment 2's
 * RAM, console, clock), as a transport. Plain C interface; only chip.cpp knows the generated class.
 */
#ifndef TESSERA_SIMULATOR_H
#define TESSERA_SIMULATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/device/probe.h"
#include "transport.h"

struct simulator_options {
    uint32_t memory_bytes;     /* system memory; 0 = 64 MiB; a board's chip has its own */
    void *memory;              /* the caller's, which outlives the simulator; NULL: its own */
    uint32_t read_latency;     /* AR handshake to first R beat, cycles; 0 = 20 */
    uint32_t write_latency;    /* last W beat to B; 0 = 10 */
    uint32_t stall_percent;    /* cycles in which a ready or valid of the memory is withheld at random */
    uint32_t seed;             /* latency jitter, stalls, random initial state of every register and RAM */
    uint64_t max_cycles;       /* then TRANSPORT_TIMEOUT and a report; 0 = none */
    uint64_t end_cycle;        /* then TRANSPORT_DEAD without a word: it was the wish; 0 = none */
    const char *firmware_elf;  /* for symbols in reports; may be NULL */
    const char *fst_path;      /* waveform of [fst_from, fst_to); NULL = none; needs make SIM_TRACE=1 */
    uint64_t fst_from, fst_to; /* cycles; fst_to 0 = until the end */
};

/* With TESSERA_DIGEST in the environment a digest of all pins in every cycle, and of the counters and system memory at
 * the end, goes to stderr when the simulator is closed. Parts of the chip sleep while their clock would change nothing
 * (sleep.v); with TESSERA_DIGEST=plain none does. Both ways the digest is the same (tests/chip/system/sleep.sh).
 * With TESSERA_MISSES=FILE what missed the core's caches is written there when the simulator is closed (misses.h). */
struct simulator;

/* NULL and a message in `error` (at least 256 bytes) when an option is impossible. */
struct simulator *simulator_create(const struct simulator_options *options, char *error);
void simulator_transport(struct simulator *simulator, struct transport *transport);
void simulator_probe(struct simulator *simulator, const struct probe *probe);
/* Core program counter with symbol, what each node is doing (packet, waiting for what), host and ring
 * state; to stderr. Called by itself on time-outs, panics and failed RTL assertions. */
void simulator_report(const struct simulator *simulator);

/* A frame that the display has shown: rows of pixels without gaps, red in bits 23:16, green, blue; `cycle`: when it
 * ended. The pixels are the simulator's until the function returns. */
typedef void (*simulator_frame)(void *context, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle);
/* The function that is given frames from now on; NULL: none, then they are not kept. False when out of memory. */
bool simulator_display(struct simulator *simulator, simulator_frame frame, void *context);

struct profile;
/* Where the firmware's cycles went so far; NULL without a firmware ELF. The simulator's. */
const struct profile *simulator_profile(const struct simulator *simulator);

/* The board whose memory this simulator has in place of its own models, or NULL: then latencies and stalls count. The
 * clock, in Hz, at which the chip is placed on it, or on the ULX3S. */
const char *simulator_board(void);
uint32_t simulator_clock_hz(void);
/* From now on the board's wire goes to its memory, too, as often as a host's can: it writes in the second 8 MB. Nothing
 * on the plain chip, which has no wire. */
void simulator_wire(struct simulator *simulator);

/* Has the firmware written CORE_EXIT, and with what? From then on every call answers TRANSPORT_DEAD. */
bool simulator_exited(const struct simulator *simulator, uint32_t *code);

/* Has the simulation ended because `end_cycle` was reached? */
bool simulator_reached_end(const struct simulator *simulator);

/* ------------------------------------------------------------------ faults, for tests */

enum simulator_fault_kind { /* the memories' as fault_gate.v numbers them */
                            SIMULATOR_NO_FAULT,
                            SIMULATOR_HOLD_READS,     /* the node's read data does not come */
                            SIMULATOR_HOLD_ANSWERS,   /* its writes are not answered */
                            SIMULATOR_HOLD_ADDRESSES, /* the memory takes no address, whoever shows it */
                            SIMULATOR_READ_ERROR,     /* the node's next burst is answered SLVERR */
                            SIMULATOR_WRITE_ERROR,
                            SIMULATOR_COMMAND_WORD /* bits flip in the DMA buffer that the render node runs, ahead of
                                                      the packet at work */
};

struct simulator_fault {
    enum simulator_fault_kind kind;
    unsigned memory; /* 2 segment 2, 0 system memory */
    unsigned node;   /* 0 render, 1 paging */
    uint64_t at;     /* cycle from which it may strike */
    uint64_t cycles; /* holds end so long after they struck; 0 = up to 255 cycles (pick) after a node's reset */
    uint32_t pick;   /* which word; how long */
    uint32_t bits;   /* COMMAND_WORD: which bits */
};

/* Arms a fault in place of any other; NULL: none. It strikes once. */
void simulator_inject(struct simulator *simulator, const struct simulator_fault *fault);
/* Has the fault armed last struck? */
bool simulator_fault_fired(const struct simulator *simulator);

#endif
