// SPDX-License-Identifier: Apache-2.0
//
// What Verilator builds of a board: board_core with the memory of sdram_model.v. The pins left are the serial line,
// the display's symbols and the lights. Delays that a board needs by the million are shortened: the memory's
// power-up wait, the wire's bit (BIT_CYCLES cycles) and the rest after which it forgets half a command. A bit of two
// cycles would be too short: a word's turn in a busy memory may take a hundred, longer than its 40 bits.
`default_nettype none

module board_sim #(
    parameter BIT_CYCLES = 3,
    parameter PERIOD_PS  = 10000,          // of sdram_clk
    parameter COMMAND_BYTES  = 65536,      // the others: what the board's top tells board_core.v
    parameter SEGMENT1_BYTES = 131072,
    parameter APERTURE_PAGES = 1024,
    parameter EXAMINER_LOG2  = 10,
    parameter SEGMENT2_BYTES = 7340032,
    parameter FIRMWARE_BYTES = 1048576,
    parameter [31:0] SYSTEM_BYTES = 25165824,
    parameter SDRAM_WIDTH = 16,
    parameter BYTE_MASKS  = 1,
    parameter CAS_LATENCY = 3
) (
    input  wire       clk,
    input  wire       sdram_clk,
    input  wire       pixel_clk,
    input  wire       release_,            // what a board's PLL says: clocks are steady
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [9:0] tmds_red,
    output wire [9:0] tmds_green,
    output wire [9:0] tmds_blue,
    output wire [7:0] led
);
    localparam [63:0] STEP = ((64'd1 << 32) + BIT_CYCLES - 1) / BIT_CYCLES; // a bit is never longer
    // Rows of 4 KB in four banks; no master asks for one that the board does not have.
    localparam ROW_BITS = $clog2(SYSTEM_BYTES + SEGMENT2_BYTES + FIRMWARE_BYTES) - 12;
    wire        rst, sdram_rst, pixel_rst, sd_dq_drive;
    wire [3:0]  sd_command;
    wire [12:0] sd_a;
    wire [1:0]  sd_ba;
    wire [SDRAM_WIDTH/8-1:0] sd_dqm;
    wire [SDRAM_WIDTH-1:0]   sd_dq_out, sd_dq_in;
    reset_bridge reset_system (.clk(clk), .release_(release_), .rst(rst));
    reset_bridge reset_sdram (.clk(sdram_clk), .release_(release_), .rst(sdram_rst));
    reset_bridge reset_pixel (.clk(pixel_clk), .release_(release_), .rst(pixel_rst));

    board_core #(.BAUD_STEP(STEP[31:0]), .WIRE_IDLE(20000), .COMMAND_BYTES(COMMAND_BYTES),
                 .SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES),
                 .APERTURE_PAGES(APERTURE_PAGES), .EXAMINER_LOG2(EXAMINER_LOG2),
                 .FIRMWARE_BYTES(FIRMWARE_BYTES), .SYSTEM_BYTES(SYSTEM_BYTES[25:0]),
                 .SDRAM_WIDTH(SDRAM_WIDTH), .BYTE_MASKS(BYTE_MASKS), .T_INIT(200),
                 .T_REFRESH((SDRAM_WIDTH == 16 ? 7500000 : 13750000) / PERIOD_PS),
                 .CAS_LATENCY(CAS_LATENCY), .READ_DELAY(CAS_LATENCY + 1)) board (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst),
        .pixel_clk(pixel_clk), .pixel_rst(pixel_rst), .uart_rx(uart_rx), .uart_tx(uart_tx),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sd_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in),
        .tmds_red(tmds_red), .tmds_green(tmds_green), .tmds_blue(tmds_blue), .led(led)
    );
    sdram_model #(.WIDTH(SDRAM_WIDTH), .ROW_BITS(ROW_BITS), .REFRESHES(SDRAM_WIDTH == 16 ? 8192 : 4096),
                  .PERIOD_PS(PERIOD_PS), .INIT_NS(200 * PERIOD_PS / 1000), .CAS_LATENCY(CAS_LATENCY)) sdram (
        .clk(sdram_clk), .rst(sdram_rst), .command(sd_command), .a(sd_a), .ba(sd_ba),
        .dqm(BYTE_MASKS != 0 ? sd_dqm : {(SDRAM_WIDTH/8){1'b0}}), .dq_in(sd_dq_out), .dq_drive(sd_dq_drive),
        .dq_out(sd_dq_in)
    );
endmodule
`default_nettype wire
