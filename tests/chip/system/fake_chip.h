/* SPDX-License-Identifier: Apache-2.0
 *
 * A chip for the simulator (sim/chip.h) that does what a test says, cycle by cycle, for test_simulator.c: only its
 * register port works by itself.
 */
#ifndef TESTS_FAKE_CHIP_H
#define TESTS_FAKE_CHIP_H

#include "chip.h"

struct fake_chip {
    uint32_t registers[1024];
    unsigned delay;   /* cycles before each hand shake */
    uint8_t response; /* of the register port, 0 good */
    bool is_deaf;     /* no register access is answered */
    bool is_broken;   /* an assertion fails */
    bool counts_stalls;
    uint8_t is_held, is_panicked, irq;
    uint32_t ring_base, ring_size;
    void (*each)(struct pins *pins); /* in each cycle but those of reset: sets what else it shows; may be NULL */
    bool can_trace, cannot_create;
    uint8_t *board;                 /* a board's memory, of board_bytes; NULL: there is none */
    uint32_t board_bytes, ready_at; /* ready_at: the cycle from which it is initialised */
    uint32_t queued, written_at;    /* beats on their way into it, all there from this cycle on */
    /* what was seen */
    uint32_t cycles, reset_cycles, reads, writes, read_address, counted, seed, created, destroyed;
    uint32_t trace_from, trace_to, traces, stops, flipped, flipped_bits;
    uint8_t strobes; /* those of all writes together, 0xf when it begins */
    bool never_sleeps;
};
extern struct fake_chip fake;

#endif
