// SPDX-License-Identifier: Apache-2.0
//
// The firmware's region as the core sees it: an instruction cache, a data cache (core_cache.v), and the fabric master
// that they share with core_bridge_bus.v. LINES_APART 1: lines are read over f_*, and nothing else is.
//
// Reads and writes of the master are independent. Turns: burst by burst for the bridge, line by line for a cache. Data
// (the data cache before the bridge) and instructions take turns. While the core waits for the bridge it does not use
// the data cache. The data cache waits for at most one line that the bridge reads ahead.
//
// A fabric address is BASE plus the region's offset. `flush` writes back all changes and then empties both caches;
// instruction fetches from the region wait until it is done.
`default_nettype none
module core_caches #(
    parameter DATA_WIDTH = 64,
    parameter [31:0] BASE = 32'h10040000,   // multiple of 32
    parameter W_ADDRESS  = 17,              // bits of an offset; the caller checks it against the region's size
    parameter I_BYTES    = 4096,
    parameter D_BYTES    = 4096,
    parameter LINES_APART = 0
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        flush,               // pulse
    input  wire        restart,             // level: the core is held
    output wire        busy,                // a flush or an access is under way

    // Instructions and data: see core_cache.v.
    input  wire        i_req,
    output wire        i_gnt,
    input  wire [W_ADDRESS-1:0] i_address,
    output wire        i_rvalid,
    output wire [31:0] i_rdata,
    output wire        i_err,
    input  wire        d_req,
    output wire        d_gnt,
    input  wire        d_we,
    input  wire [W_ADDRESS-1:0] d_address,
    input  wire [3:0]  d_be,
    input  wire [31:0] d_wdata,
    output wire        d_rvalid,
    output wire [31:0] d_rdata,
    output wire        d_err,

    // The bridge's accesses: one read and one write at a time; a write's address and data are asked for in one cycle.
    input  wire [31:0] b_araddr,
    input  wire [7:0]  b_arlen,
    input  wire [2:0]  b_arsize,
    input  wire        b_arvalid,
    output wire        b_arready,
    output wire        b_rvalid,            // with m_rdata, m_rresp, m_rlast
    input  wire [31:0] b_awaddr,
    input  wire [2:0]  b_awsize,
    input  wire        b_awvalid,
    output wire        b_awready,
    input  wire [DATA_WIDTH-1:0] b_wdata,
    input  wire [DATA_WIDTH/8-1:0] b_wstrb,
    input  wire        b_wvalid,
    output wire        b_wready,
    output wire        b_bvalid,            // with m_bresp

    // Lines, with LINES_APART; without it this port rests. As m_*, whole beats.
    output wire [31:0] f_araddr,
    output wire [7:0]  f_arlen,
    output wire        f_arvalid,
    input  wire        f_arready,
    input  wire [DATA_WIDTH-1:0] f_rdata,
    input  wire [1:0]  f_rresp,
    input  wire        f_rlast,
    input  wire        f_rvalid,

    // Fabric.
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
    input  wire        m_bvalid,

    // For counters: pulses, but what stalls is a level.
    output wire        counts_i_hit,
    output wire        counts_i_miss,
    output wire        counts_i_stall,      // an access waits longer than for a hit
    output wire        counts_d_hit,
    output wire        counts_d_miss,
    output wire        counts_d_stall,
    output wire        counts_write_back
);
    localparam BEATS  = 256 / DATA_WIDTH;
    localparam W_BEAT = $clog2(BEATS);
    localparam W_BYTE = 5 - W_BEAT;
    localparam LAST   = BEATS - 1;

    // An adder only where BASE is no multiple of the region's size.
    function [31:0] on_fabric(input [W_ADDRESS-1:0] offset);
        on_fabric = BASE[W_ADDRESS-1:0] == {W_ADDRESS{1'b0}} ? {BASE[31:W_ADDRESS], offset}
                    : BASE + {{32-W_ADDRESS{1'b0}}, offset};
    endfunction

    wire i_fill, i_arvalid, i_arready, i_fill_rvalid, d_fill, d_arvalid, d_arready, d_fill_rvalid;
    wire [W_ADDRESS-1:0] i_araddr, d_araddr;
    wire [7:0] i_arlen, d_arlen;
    wire i_busy, d_busy, d_empties, i_empties;
    wire back_valid, back_done;
    wire [W_ADDRESS-1:5]  back_line;
    reg  [W_BEAT-1:0]     back_beat;
    wire [DATA_WIDTH-1:0] back_data;
    assign busy = i_busy || d_busy;

    wire i_back_valid;
    wire [W_ADDRESS-1:5]  i_back_line;
    wire [DATA_WIDTH-1:0] i_back_data;
    core_cache #(.DATA_WIDTH(DATA_WIDTH), .BYTES(I_BYTES), .W_ADDRESS(W_ADDRESS),
                 .WRITES(0)) instructions (
        .clk(clk), .rst(rst),
        .req(i_req), .gnt(i_gnt), .we(1'b0), .address(i_address), .be(4'd0), .wdata(32'd0),
        .rvalid(i_rvalid), .rdata(i_rdata), .err(i_err),
        .flush(flush), .hold(d_empties), .restart(restart), .empties(i_empties), .busy(i_busy),
        .fill_busy(i_fill), .fill_arvalid(i_arvalid), .fill_araddr(i_araddr), .fill_arlen(i_arlen),
        .fill_arready(i_arready), .fill_rvalid(i_fill_rvalid), .fill_rdata(line_data), .fill_rerror(line_error),
        .back_valid(i_back_valid), .back_line(i_back_line), .back_beat({W_BEAT{1'b0}}), .back_data(i_back_data),
        .back_done(1'b0), .back_error(1'b0),
        .counts_hit(counts_i_hit), .counts_miss(counts_i_miss), .counts_stall(counts_i_stall)
    );
    core_cache #(.DATA_WIDTH(DATA_WIDTH), .BYTES(D_BYTES), .W_ADDRESS(W_ADDRESS), .WRITES(1)) data (
        .clk(clk), .rst(rst),
        .req(d_req), .gnt(d_gnt), .we(d_we), .address(d_address), .be(d_be), .wdata(d_wdata),
        .rvalid(d_rvalid), .rdata(d_rdata), .err(d_err),
        .flush(flush), .hold(1'b0), .restart(restart), .empties(d_empties), .busy(d_busy),
        .fill_busy(d_fill), .fill_arvalid(d_arvalid), .fill_araddr(d_araddr), .fill_arlen(d_arlen),
        .fill_arready(d_arready), .fill_rvalid(d_fill_rvalid), .fill_rdata(line_data), .fill_rerror(line_error),
        .back_valid(back_valid), .back_line(back_line), .back_beat(back_beat), .back_data(back_data),
        .back_done(back_done), .back_error(m_bresp[1]),
        .counts_hit(counts_d_hit), .counts_miss(counts_d_miss), .counts_stall(counts_d_stall)
    );

    // ------------------------------------------------------------------ reads
    // Whoever has the master keeps it until its last beat.
    localparam [1:0] NOBODY = 2'd0, BRIDGE = 2'd1, DATA = 2'd2, INSTRUCTIONS = 2'd3;
    reg  [1:0] reader;
    reg        data_was_last;
    wire data_asks  = b_arvalid || d_fill;
    wire takes_data = data_asks && !(i_fill && data_was_last);
    wire [1:0] reads = reader != NOBODY ? reader : takes_data ? (d_fill ? DATA : BRIDGE)
                       : i_fill ? INSTRUCTIONS : NOBODY;
    always @(posedge clk)
        if (rst) begin
            reader        <= NOBODY;
            data_was_last <= 1'b0;
        end else begin
            if (reader == BRIDGE)            reader <= m_rvalid && m_rlast ? NOBODY : BRIDGE;
            else if (reader == DATA)         reader <= d_fill ? DATA : NOBODY;
            else if (reader == INSTRUCTIONS) reader <= i_fill ? INSTRUCTIONS : NOBODY;
            else                             reader <= reads;
            if (reader == NOBODY && reads != NOBODY) data_was_last <= reads != INSTRUCTIONS;
        end

    wire [W_ADDRESS-1:0] from = reads == DATA ? d_araddr : i_araddr;
    wire line_asks   = (reads == DATA && d_arvalid) || (reads == INSTRUCTIONS && i_arvalid);
    wire line_ready  = LINES_APART != 0 ? f_arready : m_arready;
    wire line_valid  = LINES_APART != 0 ? f_rvalid : m_rvalid;
    wire line_error  = LINES_APART != 0 ? f_rresp[1] : m_rresp[1];
    wire [DATA_WIDTH-1:0] line_data = LINES_APART != 0 ? f_rdata : m_rdata;
    assign f_araddr  = on_fabric(from);
    assign f_arlen   = reads == DATA ? d_arlen : i_arlen;
    assign f_arvalid = LINES_APART != 0 && line_asks;
    assign m_araddr  = reads == BRIDGE ? b_araddr : f_araddr;
    assign m_arlen   = reads == BRIDGE ? b_arlen : f_arlen;
    assign m_arsize  = reads == BRIDGE ? b_arsize : W_BYTE[2:0];
    assign m_arvalid = (reads == BRIDGE && b_arvalid) || (LINES_APART == 0 && line_asks);
    assign b_arready = reads == BRIDGE && m_arready;
    assign d_arready = reads == DATA && line_ready;
    assign i_arready = reads == INSTRUCTIONS && line_ready;
    assign b_rvalid      = reader == BRIDGE && m_rvalid;
    assign d_fill_rvalid = reader == DATA && line_valid;
    assign i_fill_rvalid = reader == INSTRUCTIONS && line_valid;

    // ------------------------------------------------------------------ writes
    reg  writing, writes_back;              // a write is under way until its answer; it is the buffer's
    reg  addressed, sent;                   // of the buffer's: address, data have gone
    wire is_back = writing ? writes_back : back_valid;
    wire is_bridge = !is_back && (writing || b_awvalid);
    always @(posedge clk)
        if (rst) begin
            {writing, writes_back, addressed, sent} <= 4'd0;
            back_beat <= {W_BEAT{1'b0}};
        end else begin
            writing     <= (writing || is_back || is_bridge) && !m_bvalid;
            writes_back <= is_back;
            addressed   <= is_back && !back_done && (addressed || m_awready);
            sent        <= is_back && !back_done && (sent || (m_wready && m_wlast));
            if (is_back && m_wvalid && m_wready) back_beat <= back_beat + 1'b1;
        end
    assign m_awaddr  = is_back ? on_fabric({back_line, 5'd0}) : b_awaddr;
    assign m_awlen   = is_back ? LAST[7:0] : 8'd0;
    assign m_awsize  = is_back ? W_BYTE[2:0] : b_awsize;
    assign m_awvalid = is_back ? !addressed : b_awvalid;
    assign m_wdata   = is_back ? back_data : b_wdata;
    assign m_wstrb   = is_back ? {DATA_WIDTH/8{1'b1}} : b_wstrb;
    assign m_wlast   = is_back ? &back_beat : 1'b1;
    assign m_wvalid  = is_back ? !sent : b_wvalid;
    assign b_awready = is_bridge && m_awready;
    assign b_wready  = is_bridge && m_wready;
    assign b_bvalid  = writing && !writes_back && m_bvalid;
    assign back_done = writing && writes_back && m_bvalid;

    assign counts_write_back = back_done;

    wire unused = &{1'b0, i_back_valid, i_back_line, i_back_data, i_empties, m_rresp, f_rresp[0], f_rlast,
                    m_bresp[0], 1'b0};

`ifdef GPU_ASSERT
    reg [31:0] before_araddr, before_awaddr;
    reg        before_ar, before_aw;
    always @(posedge clk) begin
        before_araddr <= m_araddr;
        before_awaddr <= m_awaddr;
        before_ar     <= !rst && m_arvalid && !m_arready;
        before_aw     <= !rst && m_awvalid && !m_awready;
        if (!rst) begin
            // What was asked for and not taken is still asked for.
            assert (!before_ar || (m_arvalid && m_araddr == before_araddr));
            assert (!before_aw || (m_awvalid && m_awaddr == before_awaddr));
            // Data and answers come only to whoever waits for them.
            assert (!m_rvalid || (LINES_APART != 0 ? reader == BRIDGE : reader != NOBODY));
            assert (!f_rvalid || (LINES_APART != 0 && (reader == DATA || reader == INSTRUCTIONS)));
            assert (!m_bvalid || writing);
        end
    end
`endif
endmodule
`default_nettype wire
