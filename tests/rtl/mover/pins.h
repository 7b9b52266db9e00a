/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover's pins as plain C, and the few calls behind which the Verilated class hides. One cycle is:
 * write the inputs, harness_settle (outputs follow), look, harness_clock.
 */
#ifndef MOVER_PINS_H
#define MOVER_PINS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct read_pins {
    uint32_t araddr;
    uint8_t arlen, arsize, arburst, aruser, arvalid, rready; /* from the mover */
    uint8_t arready, rvalid, rresp, rlast;                   /* to the mover */
    uint64_t rdata;
};

struct write_pins {
    uint32_t awaddr;
    uint8_t awlen, awsize, awburst, awuser, awvalid, wstrb, wlast, wvalid, bready;
    uint64_t wdata;
    uint8_t awready, wready, bvalid, bresp;
};

enum { MAP_WORDS = 7 };

struct command_pins {
    uint8_t op, reverse, barrier, mode, source_format, target_format, premultiplied, keyed, coloured, rop, tag, user;
    uint16_t units, rows, source_pitch, target_pitch;
    uint32_t source, target, row_bytes, pattern, key;
    uint8_t mapped, transparent, repeated, filtered;
    uint8_t depth, first_bit, pitch_bits; /* cmd_mask of mover.v */
    uint32_t map[MAP_WORDS];              /* words 6 to 12 of a BLIT_AFFINE */
};

struct mover_pins {
    uint8_t rst, abort, idle;
    uint8_t cmd_valid, cmd_ready;
    struct command_pins cmd;
    uint8_t map_push;
    uint32_t map_word;
    uint8_t load_start, load_done, load_fault;
    uint32_t load_source, load_address; /* the palette's; of the burst that failed */
    uint8_t done_valid, done_tag, done_fault;
    uint32_t done_address;
    struct read_pins read[2]; /* source, target */
    struct write_pins write;
};

struct harness;
struct harness *harness_create(unsigned seed); /* seed: random initial state of registers and RAMs */
void harness_settle(struct harness *harness, struct mover_pins *pins);
void harness_clock(struct harness *harness);
void harness_destroy(struct harness *harness);

#ifdef __cplusplus
}
#endif

#endif
