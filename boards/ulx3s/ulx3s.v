// SPDX-License-Identifier: Apache-2.0
//
// ULX3S (ECP5): clocks, pins and serialisers around board_core.v. docs/boards.md lists every clock crossing.
//
//   25 MHz --+-- PLL 1: 75 MHz SDRAM, 750 MHz / CLOCK_DIVIDER chip, 75 MHz at 279 degrees for the SDRAM's clock pin
//            +-- PLL 2: 125 MHz serialiser, 25 MHz pixels
//
// Phase of the SDRAM's clock (13.3 ns period): commands leave the pins about 4 ns after the 75 MHz edge and are taken
// 10.3 + 3 ns after it, with 3 ns to the next change. Read data is on the pins from 6 ns after that edge until 3 ns
// after the next one, that is 6 ns to 16.3 ns after the 75 MHz edge that follows: the input registers, 3 ns after the
// pins, take what was there at 10.3 ns.
`default_nettype none

module ulx3s #(
    parameter CLOCK_DIVIDER  = 18,     // of 750 MHz: 41.7 MHz
    parameter TCM_INIT       = "",
    parameter COMMAND_BYTES  = 65536,
    parameter SEGMENT1_BYTES = 131072,
    parameter EXAMINER_LOG2  = 10,
    parameter APERTURE_PAGES = 1024
) (
    input  wire        clk_25mhz,
    input  wire        ftdi_txd,       // from the PC
    output wire        ftdi_rxd,       // to the PC
    input  wire [6:0]  btn,            // btn[0] low: reset
    output wire [7:0]  led,
    output wire        sdram_clk,
    output wire        sdram_cke,
    output wire        sdram_csn,
    output wire        sdram_rasn,
    output wire        sdram_casn,
    output wire        sdram_wen,
    output wire [12:0] sdram_a,
    output wire [1:0]  sdram_ba,
    output wire [1:0]  sdram_dqm,
    inout  wire [15:0] sdram_d,
    output wire [3:0]  gpdi_dp         // blue, green, red, clock
);
    // ------------------------------------------------------------------ clocks
    wire clk, clk_sdram, clk_sdram_pin, clk_shift, clk_pixel, locked1, locked2;
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "75", FREQUENCY_PIN_CLKOS2 = "75" *)
    EHXPLLL #(
        .CLKI_DIV(1), .CLKFB_DIV(3), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"),
        .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(10), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0),   // 750 MHz / 10
        .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(CLOCK_DIVIDER), .CLKOS_CPHASE(4), .CLKOS_FPHASE(0),
        .CLKOS2_ENABLE("ENABLED"), .CLKOS2_DIV(10), .CLKOS2_CPHASE(11), .CLKOS2_FPHASE(6) // 7 6/8 of 10 later
    ) pll1 (
        .CLKI(clk_25mhz), .CLKFB(clk_sdram), .CLKOP(clk_sdram), .CLKOS(clk), .CLKOS2(clk_sdram_pin), .LOCK(locked1),
        .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0)
    );
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "125", FREQUENCY_PIN_CLKOS = "25" *)
    EHXPLLL #(
        .CLKI_DIV(1), .CLKFB_DIV(5), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"),
        .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(5), .CLKOP_CPHASE(2), .CLKOP_FPHASE(0),    // 625 MHz / 5
        .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(25), .CLKOS_CPHASE(2), .CLKOS_FPHASE(0)    // / 25
    ) pll2 (
        .CLKI(clk_25mhz), .CLKFB(clk_shift), .CLKOP(clk_shift), .CLKOS(clk_pixel), .LOCK(locked2),
        .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0)
    );
    wire release_ = locked1 && locked2 && btn[0];
    wire rst, rst_sdram, rst_pixel;
    reset_bridge reset_system (.clk(clk), .release_(release_), .rst(rst));
    reset_bridge reset_sdram (.clk(clk_sdram), .release_(release_), .rst(rst_sdram));
    reset_bridge reset_pixel (.clk(clk_pixel), .release_(release_), .rst(rst_pixel));

    // ------------------------------------------------------------------ the board without its vendor
    wire [3:0]  sd_command;
    wire [15:0] sd_dq_out, sd_dq_pin;
    reg  [15:0] sd_dq_in;
    wire        sd_dq_drive;
    wire [9:0]  tmds_red, tmds_green, tmds_blue;
    localparam [63:0] BAUD_STEP = (64'd3000000 << 32) * CLOCK_DIVIDER / 64'd750000000; // 3 Mbit/s
    board_core #(
        .CLOCK_HZ(750000000 / CLOCK_DIVIDER), .BAUD_STEP(BAUD_STEP[31:0]), .TCM_INIT(TCM_INIT),
        .COMMAND_BYTES(COMMAND_BYTES),
        .SEGMENT1_BYTES(SEGMENT1_BYTES), .APERTURE_PAGES(APERTURE_PAGES),
        .EXAMINER_LOG2(EXAMINER_LOG2),
        .CAS_LATENCY(2), .READ_DELAY(3), .T_INIT(15000), .T_REFRESH(500), .T_RFC(5)
    ) board (
        .clk(clk), .rst(rst), .sdram_clk(clk_sdram), .sdram_rst(rst_sdram),
        .pixel_clk(clk_pixel), .pixel_rst(rst_pixel), .uart_rx(ftdi_txd), .uart_tx(ftdi_rxd),
        .sd_command(sd_command), .sd_a(sdram_a), .sd_ba(sdram_ba), .sd_dqm(sdram_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in),
        .tmds_red(tmds_red), .tmds_green(tmds_green), .tmds_blue(tmds_blue), .led(led)
    );

    // ------------------------------------------------------------------ SDRAM pins
    assign sdram_cke = 1'b1;
    assign {sdram_csn, sdram_rasn, sdram_casn, sdram_wen} = sd_command;
    ODDRX1F clock_pin (.SCLK(clk_sdram_pin), .RST(1'b0), .D0(1'b1), .D1(1'b0), .Q(sdram_clk));
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : data_pin
            BB pin (.I(sd_dq_out[i]), .T(!sd_dq_drive), .O(sd_dq_pin[i]), .B(sdram_d[i]));
        end
    endgenerate
    always @(posedge clk_sdram) sd_dq_in <= sd_dq_pin;

    // ------------------------------------------------------------------ display
    ecp5_display display (
        .clk_pixel(clk_pixel), .rst_pixel(rst_pixel), .clk_shift(clk_shift),
        .tmds_red(tmds_red), .tmds_green(tmds_green), .tmds_blue(tmds_blue), .pins(gpdi_dp)
    );
endmodule
`default_nettype wire
