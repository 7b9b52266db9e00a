// SPDX-License-Identifier: Apache-2.0
//
// The mover behind the port list of a descriptor-driven DMA bench: descriptor {src, dst, len} in, one pulse per
// completed descriptor out. tests/rtl/mover/bench.c drives it (make bench-engine); so does any bench with
// these ports, which is why they keep their names. Descriptors are plain copies; len[31:20] = rows - 1 with
// both pitches 4096 when that field is not zero. BARRIER 1 makes every descriptor wait for the writes
// of those before it.
`default_nettype none

module dut #(
    parameter BARRIER = 0, // 1: each descriptor waits for the writes of the earlier ones
    parameter ROWS    = 1
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] d_src,
    input  wire [31:0] d_dst,
    input  wire [31:0] d_len,
    input  wire [7:0]  d_tag,
    input  wire        d_valid,
    output wire        d_ready,
    output wire        d_start,    // the engine starts on a descriptor
    output wire        s_valid,    // a descriptor is complete
    output wire [7:0]  s_tag,

    output wire [31:0] araddr,
    output wire [7:0]  arlen,
    output wire [2:0]  arsize,
    output wire [1:0]  arburst,
    output wire [3:0]  arid,
    output wire        arvalid,
    input  wire        arready,
    input  wire [63:0] rdata,
    input  wire [1:0]  rresp,
    input  wire        rlast,
    input  wire        rvalid,
    input  wire [3:0]  rid,
    output wire        rready,

    output wire [31:0] awaddr,
    output wire [7:0]  awlen,
    output wire [2:0]  awsize,
    output wire [1:0]  awburst,
    output wire [3:0]  awid,
    output wire        awvalid,
    input  wire        awready,
    output wire [63:0] wdata,
    output wire [7:0]  wstrb,
    output wire        wlast,
    output wire        wvalid,
    input  wire        wready,
    input  wire [1:0]  bresp,
    input  wire [3:0]  bid,
    input  wire        bvalid,
    output wire        bready
);
    localparam [0:0] HAS_BARRIER = BARRIER != 0;
    wire        aruser, awuser, idle, stall_read, stall_write, stall_drain;
    wire [7:0]  done_fault;
    wire [31:0] done_address;
    wire        t_aruser, t_arvalid, t_rready, load_done;
    wire [7:0]  load_fault;
    wire [31:0] load_address;
    wire [31:0] t_araddr;
    wire [7:0]  t_arlen;
    wire [2:0]  t_arsize;
    wire [1:0]  t_arburst;

    mover #(.FILLS(0), .ROWS(ROWS), .REVERSE(0), .TILES(0), .PIXELS(0)) mover (
        .clk               (clk),
        .rst               (rst),
        .abort             (1'b0),
        .idle              (idle),
        .cmd_valid         (d_valid),
        .cmd_ready         (d_ready),
        .cmd_op            (4'd0),
        .cmd_source        (d_src),
        .cmd_target        (d_dst),
        .cmd_row_bytes     ({12'd0, d_len[19:0]}),
        .cmd_rows          ({4'd0, d_len[31:20]} + 16'd1),
        .cmd_source_pitch  (16'd4096),
        .cmd_target_pitch  (16'd4096),
        .cmd_reverse       (1'b0),
        .cmd_barrier       (HAS_BARRIER),
        .cmd_pattern       (32'd0),
        .cmd_units         (16'd0),
        .cmd_mode          (3'd0),
        .cmd_source_format (3'd0),
        .cmd_mask          (8'd0),
        .cmd_target_format (3'd0),
        .cmd_premultiplied (1'b0),
        .cmd_keyed         (1'b0),
        .cmd_coloured      (1'b0),
        .cmd_rop           (8'd0),
        .cmd_key           (24'd0),
        .cmd_tag           (d_tag),
        .cmd_user          (1'b0),
        .cmd_mapped        (1'b0),
        .cmd_sampling      (3'd0),
        .load_start        (1'b0),
        .load_source       (24'd0),
        .load_done         (load_done),
        .load_fault        (load_fault),
        .load_address      (load_address),
        .map_push          (1'b0),
        .map_word          (32'd0),
        .done_valid        (s_valid),
        .done_tag          (s_tag),
        .done_fault        (done_fault),
        .done_address      (done_address),
        .stall_read        (stall_read),
        .stall_write       (stall_write),
        .stall_drain       (stall_drain),
        .s_araddr          (araddr),
        .s_arlen           (arlen),
        .s_arsize          (arsize),
        .s_arburst         (arburst),
        .s_aruser          (aruser),
        .s_arvalid         (arvalid),
        .s_arready         (arready),
        .s_rdata           (rdata),
        .s_rresp           (rresp),
        .s_rlast           (rlast),
        .s_rvalid          (rvalid),
        .s_rready          (rready),
        .t_araddr          (t_araddr),
        .t_arlen           (t_arlen),
        .t_arsize          (t_arsize),
        .t_arburst         (t_arburst),
        .t_aruser          (t_aruser),
        .t_arvalid         (t_arvalid),
        .t_arready         (1'b0),
        .t_rdata           (64'd0),
        .t_rresp           (2'd0),
        .t_rlast           (1'b0),
        .t_rvalid          (1'b0),
        .t_rready          (t_rready),
        .w_awaddr          (awaddr),
        .w_awlen           (awlen),
        .w_awsize          (awsize),
        .w_awburst         (awburst),
        .w_awuser          (awuser),
        .w_awvalid         (awvalid),
        .w_awready         (awready),
        .w_wdata           (wdata),
        .w_wstrb           (wstrb),
        .w_wlast           (wlast),
        .w_wvalid          (wvalid),
        .w_wready          (wready),
        .w_bresp           (bresp),
        .w_bvalid          (bvalid),
        .w_bready          (bready)
    );

    reg is_open; // a descriptor is at the ports and its start has been told
    always @(posedge clk)
        if (rst) is_open <= 1'b0;
        else     is_open <= d_valid && !d_ready && (is_open || d_start);
    assign d_start = d_valid && !is_open;
    assign arid    = 4'd0;
    assign awid    = 4'd0;

    wire unused = &{1'b0, aruser, awuser, idle, stall_read, stall_write, stall_drain, done_fault, done_address,
                    load_done, load_fault, load_address,
                    t_aruser, t_arvalid, t_rready, t_araddr, t_arlen, t_arsize, t_arburst, rid, bid, 1'b0};
endmodule

`default_nettype wire
