// SPDX-License-Identifier: Apache-2.0
//
// One engine node: fetches ring words from command RAM, executes packets in order, drives one mover.
//
//   command RAM -> node_fetch -> node_packet -> node_execute -> mover -> guard -> memory
//                  (prefetch)    (assembly,     (bindings,      (data)    (pages an
//                                 checks)        addresses)               unprivileged RUN may touch)
//                                                     \-> node_retire: HEAD, FENCE, faults, in order
//
// Packets start in order and complete in order; several mover commands are in flight. An error halts the
// node with code, address, packet offset and word 0, after everything before it has completed.
// The paging node (NODE 1) has no target read channel: BLITs that read their target (BLEND, ROP) are
// refused there with FAULT_BAD_OPERAND, and its t_ channel stays silent.
`default_nettype none

module node #(
    parameter NODE           = 0,     // 0 render, 1 paging
    parameter DATA_WIDTH     = 64,    // memory bus, bits
    parameter COMMAND_BYTES  = 65536, // command RAM, at most 65536: RUN ranges outside it are refused
    parameter APERTURE_PAGES = 1024   // MAP and UNMAP ranges outside it are refused
) (
    input  wire                    clk,
    input  wire                    rst,

    // Registers of block NODE. A write happens in the one cycle of reg_write. reg_rdata is combinational
    // from reg_offset (byte offset in the block); reads have no side effect; unknown offsets read zero.
    input  wire                    reg_write,
    input  wire [7:0]              reg_offset,
    input  wire [31:0]             reg_wdata,
    output wire [31:0]             reg_rdata,
    // Level: any bit of IRQ set.
    output wire                    irq,

    // Command words. A request is taken in a cycle with fetch_gnt (which may depend on fetch_req); its word
    // arrives with fetch_rvalid, in order, any number of cycles later. Address: byte offset, word aligned.
    output wire                    fetch_req,
    input  wire                    fetch_gnt,
    output wire [15:0]             fetch_address,
    input  wire                    fetch_rvalid,
    input  wire [31:0]             fetch_rdata,

    // This node's FENCE register, and the other node's for WAIT_FENCE.
    output wire [31:0]             fence,
    input  wire [31:0]             other_fence,

    // Aperture table: held with map_valid until map_ready, which says that all entries are written.
    output wire                    map_valid,
    input  wire                    map_ready,
    output wire [15:0]             map_first,
    output wire [15:0]             map_count,
    output wire [19:0]             map_frame,
    output wire                    map_increment, // entry i points at map_frame + i, else all at map_frame
    output wire                    map_mapped,
    output wire                    map_coherent,

    // AXI4 reads of the source: INCR bursts inside one 4 KiB page, one id, data always taken at once.
    output wire [31:0]             s_araddr,
    output wire [7:0]              s_arlen,
    output wire [2:0]              s_arsize,
    output wire                    s_arvalid,
    input  wire                    s_arready,
    input  wire [DATA_WIDTH-1:0]   s_rdata,
    input  wire [1:0]              s_rresp,
    input  wire                    s_rlast,
    input  wire                    s_rvalid,

    // AXI4 reads of the target (blending, raster operations); the same rules.
    output wire [31:0]             t_araddr,
    output wire [7:0]              t_arlen,
    output wire [2:0]              t_arsize,
    output wire                    t_arvalid,
    input  wire                    t_arready,
    input  wire [DATA_WIDTH-1:0]   t_rdata,
    input  wire [1:0]              t_rresp,
    input  wire                    t_rlast,
    input  wire                    t_rvalid,

    // AXI4 writes: INCR bursts inside one 4 KiB page; data of a burst never before its address was taken.
    output wire [31:0]             w_awaddr,
    output wire [7:0]              w_awlen,
    output wire [2:0]              w_awsize,
    output wire                    w_awvalid,
    input  wire                    w_awready,
    output wire [DATA_WIDTH-1:0]   w_wdata,
    output wire [DATA_WIDTH/8-1:0] w_wstrb,
    output wire                    w_wlast,
    output wire                    w_wvalid,
    input  wire                    w_wready,
    input  wire [1:0]              w_bresp,
    input  wire                    w_bvalid,
    output wire                    w_bready,

    // Timeline: one-cycle pulses, never both in one cycle. A packet begins when everything before it has
    // completed; packets of a RUN begin and end between the RUN's own begin and end.
    output wire                    probe_begin,
    output wire                    probe_end,
    output wire [15:0]             probe_offset, // of the packet that begins: byte offset in command RAM
    output wire [7:0]              probe_opcode
);
    assign reg_rdata = 0;
    assign irq = 0;
    assign {fetch_req, fetch_address, fence} = 0;
    assign {map_valid, map_first, map_count, map_frame, map_increment, map_mapped, map_coherent} = 0;
    assign {s_araddr, s_arlen, s_arsize, s_arvalid} = 0;
    assign {t_araddr, t_arlen, t_arsize, t_arvalid} = 0;
    assign {w_awaddr, w_awlen, w_awsize, w_awvalid} = 0;
    assign {w_wdata, w_wstrb, w_wlast, w_wvalid, w_bready} = 0;
    assign {probe_begin, probe_end, probe_offset, probe_opcode} = 0;
    wire parameters_unused = (NODE + COMMAND_BYTES + APERTURE_PAGES) == 0;
    wire unused = &{1'b0, parameters_unused, clk, rst, reg_write, reg_offset, reg_wdata, fetch_gnt, fetch_rvalid, fetch_rdata,
        other_fence, map_ready, s_arready, s_rdata, s_rresp, s_rlast, s_rvalid, t_arready, t_rdata, t_rresp,
        t_rlast, t_rvalid, w_awready, w_wready, w_bresp, w_bvalid, 1'b0};
endmodule

`default_nettype wire
