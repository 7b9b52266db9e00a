// SPDX-License-Identifier: Apache-2.0
//
// The control core with its memory, its caches, its debug unit, and the bridge to everything else.
//
//   tcm === core ------- core_bridge --- registers, command RAM
//             |                 |
//             +-- core_caches --+
//                      |
//                    fabric
//
// This file decides where a fetch goes; core_bridge.v decides it for loads and stores.
`default_nettype none
module core_complex #(
    parameter DATA_WIDTH     = 64,          // for all of these see gpu.v
    parameter TCM_BYTES      = 65536,
    parameter TCM_INIT       = "",
    parameter COMMAND_BYTES  = 65536,
    parameter COMMAND_WIDTH  = 16, // bits of a byte offset in it
    parameter FIRMWARE_BYTES = 262144,
    parameter [31:0] FIRMWARE_AT = 32'h10040000, // where the fabric has the region: behind a segment
    parameter LINES_APART    = 0,           // the caches' lines come over f_*, not over m_*
    parameter [31:0] RESET_VECTOR = 32'd0
) (
    input  wire        clk,
    input  wire        rst,

    // While core_held (a level) the core is in reset and the host reaches its memory; see core_bridge.v.
    input  wire        core_held,
    input  wire [31:0] load_address,
    input  wire        load_write,
    input  wire [31:0] load_wdata,
    output wire [31:0] load_rdata,
    output wire        load_busy,

    // Registers of block DEBUG, as on the register bus; see debug_regs.v.
    input  wire        debug_write,
    input  wire [7:0]  debug_offset,
    input  wire [31:0] debug_wdata,
    output wire [31:0] debug_rdata,

    // Interrupts, what retires, and the time; see core.v.
    input  wire        irq_software,
    input  wire        irq_timer,
    input  wire        irq_external,
    input  wire [2:0]  irq_platform,
    output wire        retire_valid,
    output wire [31:0] retire_pc,
    output wire [63:0] instret,
    input  wire [63:0] time_now,

    // Pulses: drop what the bridge's line buffers hold; write back and empty the caches. For the counters of CORE.
    input  wire        invalidate,
    input  wire        cache_flush,
    output wire [6:0]  cache_events,        // I_HITS lowest .. WRITE_BACKS

    // The core's accesses to registers: req with stable payload until gnt; rdata in the cycle after gnt.
    output wire        reg_req,
    output wire        reg_we,
    output wire [11:0] reg_address,
    output wire [31:0] reg_wdata,
    input  wire        reg_gnt,
    input  wire [31:0] reg_rdata,

    // Command RAM's core port: a byte address; rdata in the cycle after.
    output wire [3:0]  command_write,
    output wire [COMMAND_WIDTH-1:0] command_address,
    output wire [31:0] command_wdata,
    input  wire [31:0] command_rdata,

    // The caches' lines, with LINES_APART; see core_caches.v.
    output wire [31:0] f_araddr,
    output wire [7:0]  f_arlen,
    output wire        f_arvalid,
    input  wire        f_arready,
    input  wire [DATA_WIDTH-1:0] f_rdata,
    input  wire [1:0]  f_rresp,
    input  wire        f_rlast,
    input  wire        f_rvalid,

    // The core's master on the fabric; see fabric.v. Answers are taken at once; with a region into a register.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid,
    output wire [31:0] m_awaddr,
    output wire [7:0]  m_awlen,
    output wire [2:0]  m_awsize,
    output wire        m_awvalid,
    input  wire        m_awready,
    output wire [DATA_WIDTH-1:0] m_wdata,
    output wire [DATA_WIDTH/8-1:0] m_wstrb,
    output wire        m_wlast,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid
);
`include "gpu_spec.vh"
`include "config.vh"
    localparam [31:0] TCM_END = TCM_BYTES;
    localparam W_TCM     = $clog2(TCM_BYTES) - 2;
    localparam W_COMMAND = $clog2(COMMAND_BYTES) - 2;

    // ------------------------------------------------------------------ core
    wire        i_req, i_gnt, i_rvalid, i_err, d_req, d_gnt, d_we, d_rvalid, d_frees, d_err, d_loads, fence_i;
    wire [31:0] i_addr, i_rdata, d_addr, d_store_addr, d_load_addr, d_wdata, d_rdata;
    wire [3:0]  d_be, d_store_be;

    wire         debug_halt, debug_on_ebreak, debug_resume, debug_step, debug_write_pc, debug_run;
    wire [31:0]  debug_data, debug_pc, debug_result;
    wire [127:0] debug_breaks;
    wire [63:0]  debug_watches;
    wire         debug_stopped, debug_busy, debug_failed;
    wire [2:0]   debug_reason;
    wire [1:0]   debug_index;
    debug_regs #(.PRESENT(DEBUG)) debug_block (
        .clk(clk), .rst(rst),
        .reg_write(debug_write), .reg_offset(debug_offset), .reg_wdata(debug_wdata), .reg_rdata(debug_rdata),
        .halt(debug_halt), .on_ebreak(debug_on_ebreak), .resume(debug_resume), .step(debug_step),
        .write_pc(debug_write_pc), .run(debug_run), .data(debug_data),
        .breaks(debug_breaks), .watches(debug_watches),
        .stopped(debug_stopped), .busy(debug_busy), .failed(debug_failed),
        .reason(debug_reason), .index(debug_index), .pc(debug_pc), .result(debug_result)
    );

    wire rst_core;
    staged_reset reset_core (.clk(clk), .in(rst || core_held), .out(rst_core));
    core #(.RESET_VECTOR(RESET_VECTOR), .DEBUG(DEBUG),
           .PMP_REGIONS(FIRMWARE_BYTES != 0 ? 8 : 4), .PMP_POWERS(0)) control_core (
        .clk(clk), .rst(rst_core),
        .i_req(i_req), .i_gnt(i_gnt), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(i_rdata), .i_err(i_err),
        .d_req(d_req), .d_gnt(d_gnt), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_store_addr(d_store_addr), .d_store_be(d_store_be), .d_load_addr(d_load_addr), .d_loads(d_loads),
        .d_rvalid(d_rvalid), .d_frees(d_frees), .d_rdata(d_rdata), .d_err(d_err),
        .irq_software(irq_software), .irq_timer(irq_timer), .irq_external(irq_external),
        .irq_platform(irq_platform),
        .fence_i(fence_i),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(time_now),
        .debug_halt(debug_halt), .debug_on_ebreak(debug_on_ebreak), .debug_resume(debug_resume),
        .debug_step(debug_step), .debug_write_pc(debug_write_pc), .debug_run(debug_run), .debug_data(debug_data),
        .debug_breaks(debug_breaks), .debug_watches(debug_watches), .debug_stopped(debug_stopped),
        .debug_busy(debug_busy), .debug_failed(debug_failed), .debug_reason(debug_reason), .debug_index(debug_index),
        .debug_pc(debug_pc), .debug_result(debug_result)
    );

    // ------------------------------------------------------------------ core memory
    // Fetches from core memory are served at once; outside it and the region they answer with an error.
    reg         tcm_answers;
    reg  [31:0] i_addr_d1;
    wire [31:0] tcm_i_rdata;
    wire        tcm_i_err = i_addr_d1 >= TCM_END;
    wire        i_in_region;
    always @(posedge clk) begin
        tcm_answers <= i_req && i_gnt && !i_in_region && !core_held && !rst;
        i_addr_d1   <= i_addr;
    end

    wire [3:0]       tcm_write;
    wire [W_TCM-1:0] tcm_word;
    wire [31:0]      tcm_wdata, tcm_rdata, load_region_rdata;
    tcm #(.BYTES(TCM_BYTES), .INIT(TCM_INIT)) core_memory (
        .clk(clk),
        .i_word(i_addr[W_TCM+1:2]), .i_rdata(tcm_i_rdata),
        .d_write(tcm_write), .d_word(tcm_word), .d_wdata(tcm_wdata), .d_rdata(tcm_rdata)
    );
    assign load_rdata = load_address < TCM_END ? tcm_rdata : load_region_rdata;

    // ------------------------------------------------------------------ bridge and caches
    // b_: the bridge's accesses to the fabric, which go by the caches.
    wire [31:0]             b_araddr, b_awaddr;
    wire [7:0]              b_arlen;
    wire [2:0]              b_arsize, b_awsize;
    wire [DATA_WIDTH-1:0]   b_wdata;
    wire [DATA_WIDTH/8-1:0] b_wstrb;
    wire                    b_arvalid, b_arready, b_rvalid;
    wire                    b_awvalid, b_awready, b_wvalid, b_wready, b_bvalid;
    wire [W_COMMAND-1:0]    command_word;
    assign command_address = {{COMMAND_WIDTH-2-W_COMMAND{1'b0}}, command_word, 2'b00};
    wire                    cache_req, cache_gnt, cache_rvalid, cache_err, cache_busy;
    wire [31:0]             cache_rdata;
    core_bridge #(.DATA_WIDTH(DATA_WIDTH), .TCM_BYTES(TCM_BYTES), .COMMAND_BYTES(COMMAND_BYTES),
                  .FIRMWARE_BYTES(FIRMWARE_BYTES), .FIRMWARE_AT(FIRMWARE_AT)) bridge (
        .clk(clk), .rst(rst),
        .d_req(d_req), .d_gnt(d_gnt), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_store_addr(d_store_addr), .d_store_be(d_store_be), .d_load_addr(d_load_addr), .d_loads(d_loads),
        .d_rvalid(d_rvalid), .d_frees(d_frees), .d_rdata(d_rdata), .d_err(d_err),
        .core_held(core_held), .load_address(load_address), .load_write(load_write), .load_wdata(load_wdata),
        .load_rdata(load_region_rdata), .load_busy(load_busy),
        .cache_req(cache_req), .cache_gnt(cache_gnt), .cache_rvalid(cache_rvalid), .cache_rdata(cache_rdata),
        .cache_err(cache_err), .cache_busy(cache_busy),
        .tcm_write(tcm_write), .tcm_word(tcm_word), .tcm_wdata(tcm_wdata),
        .tcm_rdata(tcm_rdata),
        .reg_req(reg_req), .reg_we(reg_we), .reg_address(reg_address), .reg_wdata(reg_wdata),
        .reg_gnt(reg_gnt), .reg_rdata(reg_rdata),
        .command_write(command_write), .command_word(command_word),
        .command_wdata(command_wdata), .command_rdata(command_rdata),
        .invalidate(invalidate),
        .m_araddr(b_araddr), .m_arlen(b_arlen), .m_arsize(b_arsize), .m_arvalid(b_arvalid), .m_arready(b_arready),
        .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(b_rvalid),
        .m_awaddr(b_awaddr), .m_awsize(b_awsize), .m_awvalid(b_awvalid), .m_awready(b_awready),
        .m_wdata(b_wdata), .m_wstrb(b_wstrb), .m_wvalid(b_wvalid), .m_wready(b_wready),
        .m_bresp(m_bresp), .m_bvalid(b_bvalid)
    );

    // ------------------------------------------------------------------ the firmware's region
    generate if (FIRMWARE_BYTES != 0) begin : region
        localparam        W_REGION = $clog2(FIRMWARE_BYTES);
        localparam [31:0] MASK     = FIRMWARE_BYTES - 1;
        // A fetch from the region is answered when the cache can. Nothing else is fetched before, or while the cache
        // takes nothing. When the core is held, nothing waits for the answer any more.
        wire        gnt, rvalid, err;
        wire [31:0] rdata;
        reg         pending, drop, was_held;
        wire        may = !pending || rvalid;
        assign i_in_region = (i_addr & ~MASK) == LIMIT_ADDR_FIRMWARE;
        assign i_gnt       = may && gnt;
        assign i_rvalid    = tcm_answers || (rvalid && !drop && !core_held);
        assign i_rdata     = pending ? rdata : tcm_i_rdata;
        assign i_err       = pending ? err : tcm_i_err;
        always @(posedge clk) begin
            pending  <= !rst && ((i_req && i_gnt && i_in_region && !core_held) || (pending && !rvalid));
            drop     <= !rst && (drop || core_held) && pending && !rvalid;
            was_held <= core_held;
        end
        core_caches #(.DATA_WIDTH(DATA_WIDTH), .BASE(FIRMWARE_AT), .W_ADDRESS(W_REGION),
                      .I_BYTES(CACHE_BYTES), .D_BYTES(CACHE_BYTES), .LINES_APART(LINES_APART)) caches (
            .clk(clk), .rst(rst),
            .flush(fence_i || cache_flush || (core_held && !was_held)), .restart(core_held), .busy(cache_busy),
            .i_req(i_req && i_in_region && may && !core_held), .i_gnt(gnt), .i_address(i_addr[W_REGION-1:0]),
            .i_rvalid(rvalid), .i_rdata(rdata), .i_err(err),
            .d_req(cache_req), .d_gnt(cache_gnt), .d_we(d_we), .d_address(d_addr[W_REGION-1:0]), .d_be(d_be),
            .d_wdata(d_wdata), .d_rvalid(cache_rvalid), .d_rdata(cache_rdata), .d_err(cache_err),
            .b_araddr(b_araddr), .b_arlen(b_arlen), .b_arsize(b_arsize), .b_arvalid(b_arvalid), .b_arready(b_arready),
            .b_rvalid(b_rvalid), .b_awaddr(b_awaddr), .b_awsize(b_awsize), .b_awvalid(b_awvalid),
            .b_awready(b_awready), .b_wdata(b_wdata), .b_wstrb(b_wstrb), .b_wvalid(b_wvalid), .b_wready(b_wready),
            .b_bvalid(b_bvalid),
            .f_araddr(f_araddr), .f_arlen(f_arlen), .f_arvalid(f_arvalid), .f_arready(f_arready), .f_rdata(f_rdata),
            .f_rresp(f_rresp), .f_rlast(f_rlast), .f_rvalid(f_rvalid),
            .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arvalid(m_arvalid), .m_arready(m_arready),
            .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid),
            .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize), .m_awvalid(m_awvalid), .m_awready(m_awready),
            .m_wdata(m_wdata), .m_wstrb(m_wstrb), .m_wlast(m_wlast), .m_wvalid(m_wvalid), .m_wready(m_wready),
            .m_bresp(m_bresp), .m_bvalid(m_bvalid),
            .counts_i_hit(cache_events[0]), .counts_i_miss(cache_events[1]), .counts_i_stall(cache_events[2]),
            .counts_d_hit(cache_events[3]), .counts_d_miss(cache_events[4]), .counts_d_stall(cache_events[5]),
            .counts_write_back(cache_events[6])
        );
    end else begin : no_region
        assign i_in_region = 1'b0;
        assign {i_gnt, i_rvalid, i_rdata, i_err} = {1'b1, tcm_answers, tcm_i_rdata, tcm_i_err};
        assign {cache_rvalid, cache_rdata, cache_err, cache_busy, cache_events} = 42'd0;
        assign cache_gnt = 1'b1;
        assign {f_araddr, f_arlen, f_arvalid} = 41'd0;
        assign {m_araddr, m_arlen, m_arsize, m_arvalid} = {b_araddr, b_arlen, b_arsize, b_arvalid};
        assign {b_arready, b_rvalid} = {m_arready, m_rvalid};
        assign {m_awaddr, m_awlen, m_awsize, m_awvalid} = {b_awaddr, 8'd0, b_awsize, b_awvalid};
        assign {m_wdata, m_wstrb, m_wlast, m_wvalid}    = {b_wdata, b_wstrb, 1'b1, b_wvalid};
        assign {b_awready, b_wready, b_bvalid} = {m_awready, m_wready, m_bvalid};
        wire unused = &{1'b0, cache_req, fence_i, cache_flush, f_arready, f_rdata, f_rresp, f_rlast, f_rvalid};
    end endgenerate
endmodule
`default_nettype wire
