// SPDX-License-Identifier: Apache-2.0
//
// What the benches of the board's memory share: boards/common/board_memory.v with the SDRAM of sdram_model.v, whose
// assertions are the data sheet, at any period.
`default_nettype none

module memory_rig #(
    parameter [25:0] SYSTEM_BYTES = 26'h0010000,
    parameter [25:0] LOCAL_BYTES  = 26'h0010000,
    parameter [25:0] SEEN_BYTES   = 26'h1f00000,
    parameter WIDTH       = 16,     // of the SDRAM's data
    parameter BYTE_MASKS  = 1,      // 0: its mask pins are tied low
    parameter PERIOD_PS   = 10000,  // of sdram_clk
    parameter CAS_LATENCY = 3,
    parameter REFRESH_PS  = 7500000,
    parameter ROW_BITS    = 9       // of the SDRAM's 13
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            sdram_clk,
    input  wire            sdram_rst,
    output wire            go,      // the SDRAM is initialised, as clk sees it
    input  wire [5*32-1:0] r_araddr,
    input  wire [5*8-1:0]  r_arlen,
    input  wire [4:0]      r_arvalid,
    output wire [4:0]      r_arready,
    output wire [63:0]     r_rdata,
    output wire [1:0]      r_rresp,
    output wire            r_rlast,
    output wire [4:0]      r_rvalid,
    input  wire [3*32-1:0] w_awaddr,
    input  wire [3*8-1:0]  w_awlen,
    input  wire [2:0]      w_awvalid,
    output wire [2:0]      w_awready,
    input  wire [3*64-1:0] w_wdata,
    input  wire [3*8-1:0]  w_wstrb,
    input  wire [2:0]      w_wvalid,
    output wire [2:0]      w_wready,
    output wire [5:0]      w_bresp,
    output wire [2:0]      w_bvalid,
    input  wire [2:0]      w_bready
);
    wire [3:0]  sd_command;
    wire [12:0] sd_a;
    wire [1:0]  sd_ba;
    wire [WIDTH/8-1:0] sd_dqm;
    wire [WIDTH-1:0]   sd_dq_out, sd_dq_in;
    wire        sd_dq_drive, ready;
    board_memory #(.SYSTEM_BYTES(SYSTEM_BYTES), .LOCAL_BYTES(LOCAL_BYTES), .SEEN_BYTES(SEEN_BYTES), .WIDTH(WIDTH),
                   .BYTE_MASKS(BYTE_MASKS), .CAS_LATENCY(CAS_LATENCY), .READ_DELAY(CAS_LATENCY + 1), .T_INIT(100),
                   .T_REFRESH(REFRESH_PS / PERIOD_PS)) memory (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst), .sdram_ready(ready),
        .urgent(1'b0),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready), .r_rdata(r_rdata),
        .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata),
        .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid),
        .w_bready(w_bready),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sd_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in)
    );
    sdram_model #(.WIDTH(WIDTH), .PERIOD_PS(PERIOD_PS), .INIT_NS(100 * PERIOD_PS / 1000), .CAS_LATENCY(CAS_LATENCY),
                  .ROW_BITS(ROW_BITS)) sdram (
        .clk(sdram_clk), .rst(sdram_rst), .command(sd_command), .a(sd_a), .ba(sd_ba),
        .dqm(BYTE_MASKS != 0 ? sd_dqm : {(WIDTH/8){1'b0}}), .dq_in(sd_dq_out), .dq_drive(sd_dq_drive), .dq_out(sd_dq_in)
    );
    reg [1:0] ready_seen;
    assign    go = ready_seen[1];
    always @(posedge clk) ready_seen <= rst ? 2'b00 : {ready_seen[0], ready};
endmodule
`default_nettype wire
