// SPDX-License-Identifier: Apache-2.0
//
// A part's reset. STAGE: a register of its own, a cycle later, since one wire to every part is a critical path.
`default_nettype none

module staged_reset #(
    parameter STAGE = 0
) (
    input  wire clk,
    input  wire in,
    output wire out
);
    generate if (STAGE != 0) begin : late
        (* keep *) reg held = 1'b1; // the copies are alike, and stay apart
        always @(posedge clk) held <= in;
        assign out = held;
    end else begin : at_once
        assign out = in;
        wire unused = &{1'b0, clk, 1'b0};
    end endgenerate
endmodule

`default_nettype wire
