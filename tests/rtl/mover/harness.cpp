// SPDX-License-Identifier: Apache-2.0
//
// Copies pins between plain C and the Verilated mover. Nothing else is C++.
#include "Vmover.h"
#define TOP Vmover
#include "harness_top.h"

#define CHANNEL_IN(c, p) \
    top.c##_arready = (p).arready; \
    top.c##_rvalid = (p).rvalid; \
    top.c##_rdata = (p).rdata; \
    top.c##_rresp = (p).rresp; \
    top.c##_rlast = (p).rlast
#define CHANNEL_OUT(c, p) \
    (p).araddr = top.c##_araddr; \
    (p).arlen = top.c##_arlen; \
    (p).arsize = top.c##_arsize; \
    (p).arburst = top.c##_arburst; \
    (p).aruser = top.c##_aruser; \
    (p).arvalid = top.c##_arvalid; \
    (p).rready = top.c##_rready

void harness_settle(struct harness *harness, struct mover_pins *pins)
{
    Vmover &top = *harness->top;
    const struct command_pins &cmd = pins->cmd;
    struct write_pins &write = pins->write;
    top.rst = pins->rst;
    top.__SYM__abort = pins->abort; // Verilator renames what is also a C function
    top.cmd_valid = pins->cmd_valid;
    top.cmd_op = cmd.op;
    top.cmd_source = cmd.source;
    top.cmd_target = cmd.target;
    top.cmd_row_bytes = cmd.row_bytes;
    top.cmd_rows = cmd.rows;
    top.cmd_source_pitch = cmd.source_pitch;
    top.cmd_target_pitch = cmd.target_pitch;
    top.cmd_reverse = cmd.reverse;
    top.cmd_barrier = cmd.barrier;
    top.cmd_pattern = cmd.pattern;
    top.cmd_units = cmd.units;
    top.cmd_mode = cmd.mode;
    top.cmd_source_format = cmd.source_format;
    top.cmd_target_format = cmd.target_format;
    top.cmd_premultiplied = cmd.premultiplied;
    top.cmd_keyed = cmd.keyed;
    top.cmd_coloured = cmd.coloured;
    top.cmd_rop = cmd.rop;
    top.cmd_key = cmd.key;
    top.cmd_tag = cmd.tag;
    top.cmd_user = cmd.user;
    top.cmd_mapped = cmd.mapped;
    top.cmd_mask = (uint8_t)(cmd.depth | cmd.first_bit << 2 | cmd.pitch_bits << 5);
    top.cmd_sampling = (uint8_t)(cmd.transparent | cmd.repeated << 1 | cmd.filtered << 2);
    top.map_push = pins->map_push;
    top.map_word = pins->map_word;
    top.load_start = pins->load_start;
    top.load_source = pins->load_source >> 8;
    CHANNEL_IN(s, pins->read[0]);
    CHANNEL_IN(t, pins->read[1]);
    top.w_awready = write.awready;
    top.w_wready = write.wready;
    top.w_bvalid = write.bvalid;
    top.w_bresp = write.bresp;
    top.eval();
    pins->idle = top.idle;
    pins->cmd_ready = top.cmd_ready;
    pins->done_valid = top.done_valid;
    pins->done_tag = top.done_tag;
    pins->done_fault = top.done_fault;
    pins->done_address = top.done_address;
    pins->load_done = top.load_done;
    pins->load_fault = top.load_fault;
    pins->load_address = top.load_address;
    CHANNEL_OUT(s, pins->read[0]);
    CHANNEL_OUT(t, pins->read[1]);
    write.awaddr = top.w_awaddr;
    write.awlen = top.w_awlen;
    write.awsize = top.w_awsize;
    write.awburst = top.w_awburst;
    write.awuser = top.w_awuser;
    write.awvalid = top.w_awvalid;
    write.wdata = top.w_wdata;
    write.wstrb = top.w_wstrb;
    write.wlast = top.w_wlast;
    write.wvalid = top.w_wvalid;
    write.bready = top.w_bready;
}
