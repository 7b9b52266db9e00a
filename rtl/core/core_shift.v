// SPDX-License-Identifier: Apache-2.0
//
// Barrel shifter for configurations without the fast multiplier: one shifter to the right in five steps, with
// the bits reversed before and after for shifts to the left.
`default_nettype none

module core_shift (
    input  wire        right,
    input  wire        arithmetic,      // fill with the sign; only with `right`
    input  wire [31:0] value,
    input  wire [4:0]  amount,
    output wire [31:0] result
);
    wire [31:0] reversed, back;
    wire        fill = arithmetic && value[31];

    wire [31:0] s0 = right ? value : reversed;
    wire [31:0] s1 = amount[0] ? {fill, s0[31:1]} : s0;
    wire [31:0] s2 = amount[1] ? {{2{fill}}, s1[31:2]} : s1;
    wire [31:0] s3 = amount[2] ? {{4{fill}}, s2[31:4]} : s2;
    wire [31:0] s4 = amount[3] ? {{8{fill}}, s3[31:8]} : s3;
    wire [31:0] s5 = amount[4] ? {{16{fill}}, s4[31:16]} : s4;

    genvar i;
    generate
        for (i = 0; i < 32; i = i + 1) begin : reverse
            assign reversed[i] = value[31 - i];
            assign back[i]     = s5[31 - i];
        end
    endgenerate

    assign result = right ? s5 : back;
endmodule

`default_nettype wire
