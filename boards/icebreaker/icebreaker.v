// SPDX-License-Identifier: Apache-2.0
//
// iCEBreaker (iCE40 UP5K): clock, pins, lights and the four single-port RAMs around small_system.v. One clock, half
// the board's 12 MHz. Lights on the board: green beats, red says that a command failed; on the detachable part, from
// LED1: the core runs, a byte came over the wire, the mover works.
`default_nettype none

module icebreaker #(
    parameter WIRE_IDLE = 600000,                // 100 ms
    parameter [31:0] BAUD_STEP = 32'd715827883,  // 1 Mbit/s
    parameter TCM_INIT  = ""
) (
    input  wire clk_12mhz,
    input  wire btn_n,                           // low: reset
    input  wire rx,                              // from the PC
    output wire tx,                              // to the PC
    output wire ledr_n,
    output wire ledg_n,
    output wire led1,
    output wire led2,
    output wire led3
);
    reg clk = 1'b0;
    always @(posedge clk_12mhz) clk <= !clk;

    wire rst, received, core_held, busy, failed;
    reset_bridge reset (.clk(clk), .release_(btn_n), .rst(rst));

    wire [13:0] ram_word;
    wire [7:0]  ram_write;
    wire [63:0] ram_wdata, ram_rdata;
    small_system #(.CLOCK_HZ(6000000), .WIRE_IDLE(WIRE_IDLE), .BAUD_STEP(BAUD_STEP), .TCM_INIT(TCM_INIT)) system (
        .clk(clk), .rst(rst), .uart_rx(rx), .uart_tx(tx),
        .ram_word(ram_word), .ram_write(ram_write), .ram_wdata(ram_wdata), .ram_rdata(ram_rdata),
        .received(received), .core_held(core_held), .busy(busy), .failed(failed)
    );

    // 16 bits each, a mask bit for every 4.
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : ram
            wire [1:0] bytes = ram_write[2*i +: 2];
            SB_SPRAM256KA part (
                .CLOCK(clk), .CHIPSELECT(1'b1), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1),
                .ADDRESS(ram_word), .WREN(|bytes), .MASKWREN({{2{bytes[1]}}, {2{bytes[0]}}}),
                .DATAIN(ram_wdata[16*i +: 16]), .DATAOUT(ram_rdata[16*i +: 16])
            );
        end
    endgenerate

    // Short events are stretched to a third of a second.
    reg [22:0] beat;
    reg        wire_light, engine_light;
    wire       fade = beat[20:0] == 21'd0;
    always @(posedge clk)
        if (rst) begin
            beat         <= 23'd0;
            wire_light   <= 1'b0;
            engine_light <= 1'b0;
        end else begin
            beat         <= beat + 23'd1;
            wire_light   <= received || (wire_light && !fade);
            engine_light <= busy || (engine_light && !fade);
        end
    assign ledg_n = !beat[22];
    assign ledr_n = !failed;
    assign led1   = !core_held;
    assign led2   = wire_light;
    assign led3   = engine_light;
endmodule
`default_nettype wire
