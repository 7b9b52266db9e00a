// SPDX-License-Identifier: Apache-2.0
//
// The same pins as harness.cpp for tests/rtl/dut.v, the mover behind a descriptor port.
#include "Vdut.h"
#define TOP Vdut
#include "harness_top.h"

void harness_settle(struct harness *harness, struct mover_pins *pins)
{
    Vdut &top = *harness->top;
    struct read_pins &read = pins->read[0];
    struct write_pins &write = pins->write;
    top.rst = pins->rst;
    top.d_valid = pins->cmd_valid;
    top.d_src = pins->cmd.source;
    top.d_dst = pins->cmd.target;
    top.d_len = static_cast<uint32_t>(pins->cmd.rows - 1) << 20 | pins->cmd.row_bytes;
    top.d_tag = pins->cmd.tag;
    top.arready = read.arready;
    top.rvalid = read.rvalid;
    top.rdata = read.rdata;
    top.rresp = read.rresp;
    top.rlast = read.rlast;
    top.awready = write.awready;
    top.wready = write.wready;
    top.bvalid = write.bvalid;
    top.bresp = write.bresp;
    top.eval();
    pins->cmd_ready = top.d_ready;
    pins->done_valid = top.s_valid;
    pins->done_tag = top.s_tag;
    pins->done_fault = 0;
    read.araddr = top.araddr;
    read.arlen = top.arlen;
    read.arsize = top.arsize;
    read.arburst = top.arburst;
    read.arvalid = top.arvalid;
    read.rready = top.rready;
    pins->read[1].rready = 1;
    write.awaddr = top.awaddr;
    write.awlen = top.awlen;
    write.awsize = top.awsize;
    write.awburst = top.awburst;
    write.awvalid = top.awvalid;
    write.wdata = top.wdata;
    write.wstrb = top.wstrb;
    write.wlast = top.wlast;
    write.wvalid = top.wvalid;
    write.bready = top.bready;
}
