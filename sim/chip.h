/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated chip as C sees it: a struct of pins and a few verbs. chip.cpp is the only file that knows
 * the generated class.
 *
 * One cycle: set the inputs; chip_cycle; look at the outputs, which show what the chip does in this cycle.
 */
#ifndef TESSERA_CHIP_H
#define TESSERA_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names are sim_top's. Valids, readies and other single bits are 0 or 1. */
struct pins {
    /* inputs */
    uint8_t rst;
    uint16_t h_awaddr, h_araddr;
    uint32_t h_wdata;
    uint8_t h_wstrb, h_awvalid, h_wvalid, h_bready, h_arvalid, h_rready;
    uint8_t m_arready, m_rlast, m_rvalid, m_rresp, m_awready, m_wready, m_bresp, m_bvalid;
    uint64_t m_rdata;
    uint8_t fault_kind, fault_memory, fault_readers, fault_writers; /* fault_gate.v */
    /* outputs */
    uint8_t h_awready, h_wready, h_bresp, h_bvalid, h_arready, h_rresp, h_rvalid, irq;
    uint32_t h_rdata;
    uint32_t m_araddr, m_awaddr;
    uint8_t m_arlen, m_arsize, m_arburst, m_arvalid, m_rready;
    uint8_t m_awlen, m_awsize, m_awburst, m_awvalid, m_wstrb, m_wlast, m_wvalid, m_bready;
    uint64_t m_wdata;
    uint8_t probe_begin, probe_end; /* bit per node */
    uint64_t probe_offset;          /* 32 bits per node */
    uint16_t probe_opcode;          /* 8 bits per node */
    uint32_t ring_base, ring_size;  /* 16 bits per node: byte offset, log2 of words */
    uint8_t trace_valid, console_valid, console_char, exit_valid, retire_valid, core_held, panicked;
    uint32_t trace_event, trace_argument, exit_code, retire_pc;
    uint8_t fault_fired, m_rheld, m_bheld;
    uint8_t node_resetting; /* bit per node */
    uint8_t d_clock;        /* the pixel's clock has an edge with this cycle's; then the others are its cycle's */
    uint8_t d_vsync, d_visible;
    uint32_t d_colour;
};

struct chip;

/* Every register and RAM starts random, from `seed`. NULL when out of memory. */
struct chip *chip_create(uint32_t seed);
void chip_destroy(struct chip *chip);
/* For comparison: every part gets every edge from now on, also where it changes nothing (sleep.v). */
void chip_never_sleep(struct chip *chip);
/* The rising edge that ends the cycle before and begins this one. False when an assertion in the RTL failed about the
 * cycle before (its message is on stderr). */
bool chip_cycle(struct chip *chip, struct pins *pins);

/* One word of command RAM, for reports and timelines. */
uint32_t chip_command_word(const struct chip *chip, uint32_t byte_offset);
/* Flip bits of a word of command RAM, as a fault does. */
void chip_command_flip(struct chip *chip, uint32_t byte_offset, uint32_t bits);

/* A board's memory in place of segment 2's RAM and of the system memory on the pins, which rest then: its bytes from
 * system memory's address 0 on, and how many are system memory's. NULL of the plain chip. */
uint8_t *chip_board_memory(struct chip *chip, uint32_t *system_bytes);
/* False while writes that the chip was told are done are still on their way into it; `queued` is chip_board_queued() of
 * the time from which earlier ones count. True of the plain chip. */
uint32_t chip_board_queued(const struct chip *chip);
bool chip_board_written(const struct chip *chip, uint32_t queued);
/* Its SDRAM has been initialised. True of the plain chip. */
bool chip_board_ready(const struct chip *chip);
/* From now on its wire goes to the memory, too, as often as a host's can. Nothing on the plain chip. */
void chip_board_wire(struct chip *chip);
/* The board's name; NULL: the plain chip. The clock at which that chip, or this one, is placed. */
const char *chip_board(void);
uint32_t chip_clock_hz(void);

struct probe_counters;
/* Counters of both nodes and of the memory ports as they are now; O(1), takes no time of the chip. */
void chip_counters(const struct chip *chip, struct probe_counters *counters);

struct misses_seen;
/* What the core's caches do in this cycle; false: nothing that is to be counted. O(1). */
bool chip_misses(const struct chip *chip, struct misses_seen *seen);
/* The core's 32 registers, as they are in each cycle. */
const uint32_t *chip_registers(const struct chip *chip);

/* Waveform of the cycles from here to the stop. False when the file cannot be written. */
bool chip_trace_start(struct chip *chip, const char *path);
void chip_trace_stop(struct chip *chip);
bool chip_can_trace(void); /* is this the variant with waveforms? */

#ifdef __cplusplus
}
#endif

#endif
