// SPDX-License-Identifier: Apache-2.0
//
// What Verilator builds of a ULX3S, pins outwards: the top, RTL or mapped netlist, with model/ in the place of the
// vendor's cells, and the SDRAM at its pins, on the clock at its clock pin. No delays but those that the PLLs' phases
// make: zero-delay pins give the SDRAM and the top's input registers the same words as the delays that the top's comment
// works out.
//
// Time is an input, 30 ticks to the nanosecond, because it has no other way in: whoever drives it steps from edge to edge
// (`to_edge`) and never past one.
`default_nettype none

module ulx3s_sim (
    input  wire [63:0] now,
    output wire [31:0] to_edge,         // ticks until a clock changes next
    input  wire        ftdi_txd,
    output wire        ftdi_rxd,
    output wire [7:0]  led,
    output wire [3:0]  gpdi_dp
);
    wire        sdram_clk, sdram_cke, sdram_csn, sdram_rasn, sdram_casn, sdram_wen;
    wire [12:0] sdram_a;
    wire [1:0]  sdram_ba, sdram_dqm;
    wire [15:0] sdram_d, from_sdram;
    ulx3s board (
        .clk_25mhz(1'b0), .ftdi_txd(ftdi_txd), .ftdi_rxd(ftdi_rxd), .btn(7'd1), .led(led),
        .sdram_clk(sdram_clk), .sdram_cke(sdram_cke), .sdram_csn(sdram_csn), .sdram_rasn(sdram_rasn),
        .sdram_casn(sdram_casn), .sdram_wen(sdram_wen), .sdram_a(sdram_a), .sdram_ba(sdram_ba), .sdram_dqm(sdram_dqm),
        .sdram_d(sdram_d), .gpdi_dp(gpdi_dp)
    );
    assign to_edge = board.pll1.to_edge < board.pll2.to_edge ? board.pll1.to_edge : board.pll2.to_edge;

    // Who drives the bus cannot be seen at the pins here; that a write arrives shows that the pins obey.
    assign sdram_d = board.sd_dq_drive ? 16'hzzzz : from_sdram;
    // The model divides by whole nanoseconds: 195,000 / 13 are the 15,000 cycles of 200 us.
    sdram_model #(.PERIOD_PS(13333), .INIT_NS(195000), .CAS_LATENCY(2)) sdram (
        .clk(sdram_clk), .rst(!board.locked1), .command({sdram_csn, sdram_rasn, sdram_casn, sdram_wen}), .a(sdram_a),
        .ba(sdram_ba), .dqm(sdram_dqm), .dq_in(sdram_d), .dq_drive(board.sd_dq_drive), .dq_out(from_sdram)
    );
    wire unused = sdram_cke;
endmodule
`default_nettype wire
