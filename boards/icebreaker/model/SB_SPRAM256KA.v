// SPDX-License-Identifier: Apache-2.0
//
// What the iCE40 UP5K's single-port RAM does, for simulation: 16384 words of 16 bits, a mask bit for every four. The
// primitive's name and ports are the vendor's. A word read is random after a write, and the contents at the start.
`default_nettype none

module SB_SPRAM256KA (
    input  wire        CLOCK,
    input  wire        CHIPSELECT,
    input  wire        STANDBY,
    input  wire        SLEEP,
    input  wire        POWEROFF,  // low: off
    input  wire [13:0] ADDRESS,
    input  wire        WREN,
    input  wire [3:0]  MASKWREN,
    input  wire [15:0] DATAIN,
    output reg  [15:0] DATAOUT
);
    reg [15:0] memory [0:16383];
    wire [15:0] mask = {{4{MASKWREN[3]}}, {4{MASKWREN[2]}}, {4{MASKWREN[1]}}, {4{MASKWREN[0]}}};

    always @(posedge CLOCK)
        if (CHIPSELECT && !STANDBY && !SLEEP && POWEROFF) begin
            if (WREN) memory[ADDRESS] <= (memory[ADDRESS] & ~mask) | (DATAIN & mask);
            DATAOUT <= WREN ? 16'hdead : memory[ADDRESS];
        end
endmodule

`default_nettype wire
