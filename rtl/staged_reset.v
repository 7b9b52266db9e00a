// SPDX-License-Identifier: Apache-2.0
//
// A part's reset, a cycle later, in a register of its own. One wire to every part would be a critical path.
`default_nettype none

module staged_reset (
    input  wire clk,
    input  wire in,
    output wire out
);
    (* keep *) reg held = 1'b1; // the copies are alike, and stay apart
    always @(posedge clk) held <= in;
    assign out = held;
endmodule

`default_nettype wire
