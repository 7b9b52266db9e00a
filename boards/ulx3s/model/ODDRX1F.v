// SPDX-License-Identifier: Apache-2.0
//
// The ECP5's output register for both edges, for simulation: D0 leaves while the clock is high, D1 while it is low. The
// silicon does so some cycles later, all of them alike.
`default_nettype none

module ODDRX1F (
    input  wire SCLK,
    input  wire RST,
    input  wire D0,
    input  wire D1,
    output wire Q
);
    reg first, second;
    always @(posedge SCLK) {first, second} <= RST ? 2'b00 : {D0, D1};
    assign Q = SCLK ? first : second;
endmodule
`default_nettype wire
