// SPDX-License-Identifier: Apache-2.0
//
// Between four channels and four others: a * (128 - part) + b * part, exactly.
`default_nettype none

module pixel_between #(
    parameter WIDTH = 8                 // bits of a channel
) (
    input  wire [4*WIDTH-1:0]  a,
    input  wire [4*WIDTH-1:0]  b,
    input  wire [6:0]          part,
    output wire [4*WIDTH+27:0] result   // channels of 7 bits more
);
    genvar i;
    generate for (i = 0; i < 4; i = i + 1) begin : channels
        wire signed [WIDTH:0]   from = {1'b0, a[WIDTH*i +: WIDTH]};
        wire signed [WIDTH:0]   to   = {1'b0, b[WIDTH*i +: WIDTH]};
        wire signed [WIDTH:0]   step = to - from;
        wire signed [WIDTH+8:0] more = step * $signed({1'b0, part});
        wire        [WIDTH+8:0] sum  = {1'b0, from, 7'd0} + $unsigned(more);
        assign result[(WIDTH+7)*i +: WIDTH+7] = sum[WIDTH+6:0];
        wire unused = &{1'b0, sum[WIDTH+8:WIDTH+7], 1'b0};
    end endgenerate
endmodule

`default_nettype wire
