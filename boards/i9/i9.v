// SPDX-License-Identifier: Apache-2.0
//
// Colorlight i9 v7.2 (ECP5 45F) on its extension board: clocks, pins and serialisers around board_core.v.
// docs/boards.md lists every clock crossing.
//
//   25 MHz --+-- PLL 1: 80 MHz SDRAM, 800 MHz / CLOCK_DIVIDER chip, 80 MHz at 279 degrees for the SDRAM's clock pin
//            +-- PLL 2: 125 MHz serialiser, 25 MHz pixels
//
// Phase of the SDRAM's clock (12.5 ns period): commands leave the pins about 4 ns after the 80 MHz edge and are taken
// 9.7 + 3 ns after it, with 3 ns to the next change. Read data is on the pins from 6 ns after that edge until 3 ns
// after the next one, that is 6.2 ns to 15.7 ns after the 80 MHz edge that follows: the input registers, 3 ns after
// the pins, take what was there at 9.5 ns.
//
// The SDRAM's mask pins and its chip select are tied low on the module, its clock enable high: BYTE_MASKS is 0.
`default_nettype none

module i9 #(
    parameter CLOCK_DIVIDER  = 20,     // of 800 MHz: 40 MHz
    parameter BAUD           = 115200, // of the extension board's USB serial
    parameter TCM_INIT       = "",
    parameter COMMAND_BYTES  = 32768,
    parameter SEGMENT1_BYTES = 49152,
    parameter EXAMINER_LOG2  = 8,
    parameter APERTURE_PAGES = 1024
) (
    input  wire        clk_25mhz,
    input  wire        uart_rx,        // from the PC
    output wire        uart_tx,        // to the PC
    input  wire        button_n,       // low: reset
    output wire        led_n,
    output wire        sdram_clk,
    output wire        sdram_rasn,
    output wire        sdram_casn,
    output wire        sdram_wen,
    output wire [10:0] sdram_a,
    output wire [1:0]  sdram_ba,
    inout  wire [31:0] sdram_d,
    output wire [3:0]  gpdi_dp         // blue, green, red, clock
);
    // ------------------------------------------------------------------ clocks
    wire clk, clk_sdram, clk_sdram_pin, clk_shift, clk_pixel, fed_back, locked1, locked2;
    (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "100", FREQUENCY_PIN_CLKOS2 = "80",
       FREQUENCY_PIN_CLKOS3 = "80" *)
    EHXPLLL #(
        .CLKI_DIV(1), .CLKFB_DIV(4), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"),
        .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"), .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"),
        .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(8), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0),      // 800 MHz / 8, fed back
        .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(CLOCK_DIVIDER), .CLKOS_CPHASE(4), .CLKOS_FPHASE(0),
        .CLKOS2_ENABLE("ENABLED"), .CLKOS2_DIV(10), .CLKOS2_CPHASE(4), .CLKOS2_FPHASE(0), // / 10
        .CLKOS3_ENABLE("ENABLED"), .CLKOS3_DIV(10), .CLKOS3_CPHASE(11), .CLKOS3_FPHASE(6) // 7 6/8 of 10 later
    ) pll1 (
        .CLKI(clk_25mhz), .CLKFB(fed_back), .CLKOP(fed_back), .CLKOS(clk), .CLKOS2(clk_sdram), .CLKOS3(clk_sdram_pin),
        .LOCK(locked1), .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1),
        .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0),
        .ENCLKOS3(1'b0)
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
    wire release_ = locked1 && locked2 && button_n;
    wire rst, rst_sdram, rst_pixel;
    reset_bridge reset_system (.clk(clk), .release_(release_), .rst(rst));
    reset_bridge reset_sdram (.clk(clk_sdram), .release_(release_), .rst(rst_sdram));
    reset_bridge reset_pixel (.clk(clk_pixel), .release_(release_), .rst(rst_pixel));

    // ------------------------------------------------------------------ the board without its vendor
    wire [3:0]  sd_command, sd_dqm;    // chip select and masks are not wired
    wire [12:0] sd_a;
    wire [31:0] sd_dq_out, sd_dq_pin;
    reg  [31:0] sd_dq_in;
    wire        sd_dq_drive;
    wire [7:0]  led;
    wire [9:0]  tmds_red, tmds_green, tmds_blue;
    localparam [63:0] BAUD_STEP = (64'd0 + BAUD << 32) * CLOCK_DIVIDER / 64'd800000000;
    // 8 MB: system memory, segment 2, the firmware's region.
    board_core #(
        .CLOCK_HZ(800000000 / CLOCK_DIVIDER), .BAUD_STEP(BAUD_STEP[31:0]), .TCM_INIT(TCM_INIT),
        .COMMAND_BYTES(COMMAND_BYTES), .SEGMENT1_BYTES(SEGMENT1_BYTES),
        .APERTURE_PAGES(APERTURE_PAGES), .EXAMINER_LOG2(EXAMINER_LOG2),
        .SYSTEM_BYTES(5242880), .SEGMENT2_BYTES(2621440), .FIRMWARE_BYTES(524288),
        .SDRAM_WIDTH(32), .BYTE_MASKS(0), .CAS_LATENCY(2), .READ_DELAY(3), .T_INIT(16000), .T_REFRESH(1100), .T_RFC(6)
    ) board (
        .clk(clk), .rst(rst), .sdram_clk(clk_sdram), .sdram_rst(rst_sdram),
        .pixel_clk(clk_pixel), .pixel_rst(rst_pixel), .uart_rx(uart_rx), .uart_tx(uart_tx),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sdram_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in),
        .tmds_red(tmds_red), .tmds_green(tmds_green), .tmds_blue(tmds_blue), .led(led)
    );
    // It beats while the chip's clock runs and the SDRAM is initialised; without a pause: the firmware has stopped.
    assign led_n = !(led[0] && led[1] || led[3]);

    // ------------------------------------------------------------------ SDRAM pins
    assign {sdram_rasn, sdram_casn, sdram_wen} = sd_command[2:0];
    assign sdram_a = sd_a[10:0];
    ODDRX1F clock_pin (.SCLK(clk_sdram_pin), .RST(1'b0), .D0(1'b1), .D1(1'b0), .Q(sdram_clk));
    genvar i;
    generate
        for (i = 0; i < 32; i = i + 1) begin : data_pin
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
