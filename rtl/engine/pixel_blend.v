// SPDX-License-Identifier: Apache-2.0
//
// One pixel, four cycles long, one a cycle: scale the source's colour, then put it over, onto or times the target's.
// Rounding is that of docs/pixels.md, with div255(x) = (x + 128 + ((x + 128) >> 8)) >> 8.
//
//   cycle 1   products   As*K, Cs*factor
//   cycle 2   sa = div255(As*K), s = div255(Cs*factor)
//   cycle 3   BLEND, straight: s*sa + t*(255-sa) = 255*t + (s-t)*sa     premultiplied, and alpha: 255*t - t*sa
//             ADD: s*sa, premultiplied s*255     MOD: s*t
//   cycle 4   div255 of it, plus: BLEND premultiplied s, alpha sa; ADD t; alpha of ADD and MOD At; at most 255
//
// Without an operation the source passes, unchanged or (`scale`) as it is after cycle 2.
//
//   `truncated`   quotients of cycles 2 and 4 are x/255 rounded down, or up where cycle 3 subtracts (s < t):
//                 (x+254)/255 rounded down
//   `by_256`      colours only: BLEND's cycle 3 starts from 256*t, cycle 4 takes the upper byte
//   both          BLEND: cycle 2 takes the upper byte of As*K unless K is 255. Cycle 3 starts from 255*t, and from
//                 256*t where sa is 0, or at least 253 (`coarse`: 255) and means 256, and with `by_32`, where
//                 (sa+4)/8 of 32 means it
`default_nettype none

module pixel_blend (
    input  wire        clk,
    input  wire        enable,        // the pipeline moves
    input  wire        scale,         // with any operation; without one: COLOURED
    input  wire        blend,         // at most one of these three
    input  wire        add,
    input  wire        multiply,
    input  wire        premultiplied,
    input  wire        truncated,
    input  wire        by_256,
    input  wire        coarse,        // these two only with truncated and by_256
    input  wire        by_32,
    input  wire [7:0]  constant,      // K; 255 = none
    input  wire [23:0] factors,       // ones = none
    input  wire [31:0] source,        // ARGB8888
    input  wire [31:0] target,
    output wire [31:0] result         // four enabled cycles later
);
    // x/255 for x up to 255*255: with y = x + 128 to the nearest, (y + (y >> 8)) >> 8; down, (x + (x >> 8) + 1) >> 8,
    // the one coming in as a carry from below. `plain` is x/256.
    /* verilator lint_off UNUSEDSIGNAL */ // the fraction of the quotient
    function [7:0] quotient(input [15:0] x, input down, input plain);
        reg [15:0] biased;
        reg [16:0] sum;
        begin
            biased   = {x[15:7] + {8'd0, !down && !plain}, x[6:0]};
            sum      = {biased, 1'b1} + {8'd0, plain ? 8'd0 : biased[15:8], down};
            quotient = sum[16:9];
        end
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    // ------------------------------------------------------------------ cycles 1 and 2
    reg        scale_1, shift_1;
    reg [7:0]  what_1, what_2;        // by 32, coarse, by 256, truncated, premultiplied, multiply, add, blend
    reg        truncated_3, by_256_3;
    reg [31:0] source_1, source_2;
    reg [31:0] target_1, target_2;
    wire [31:0] all_factors = {constant, factors};
    always @(posedge clk)
        if (enable) begin
            scale_1              <= scale;
            shift_1              <= by_256 && blend && truncated && constant != 8'hff;
            {what_1, target_1}   <= {by_32, coarse, by_256 && blend, truncated, premultiplied, multiply, add, blend,
                                     target};
            {what_2, target_2}   <= {what_1, target_1};
            {by_256_3, truncated_3} <= what_2[5:4];
            source_1             <= source;
        end
    wire       blend_2 = what_2[0], add_2 = what_2[1], multiply_2 = what_2[2], premultiplied_2 = what_2[3];
    wire       none_2  = what_2[2:0] == 3'd0;
    wire [7:0] alpha   = source_2[31:24];

    wire       even_2  = what_2[5] && what_2[4];
    wire [5:0] eighths = {1'b0, alpha[7:3]} + {5'd0, alpha[2]};
    wire       is_all  = even_2 && alpha[7:2] == 6'h3f && (what_2[6] ? alpha[1:0] == 2'd3 : alpha[1:0] != 2'd0);
    wire       is_less = even_2 && !what_2[7] && !is_all && alpha != 8'd0; // cycle 3 starts from 255*t
    wire [8:0] part    = what_2[7] ? {eighths, 3'd0} : is_all ? 9'h100 : {1'b0, alpha};

    // ------------------------------------------------------------------ one channel each
    genvar channel;
    generate for (channel = 0; channel < 4; channel = channel + 1) begin : channels
        localparam LSB = 8 * channel;
        localparam IS_ALPHA = channel == 3;

        wire       shifts = IS_ALPHA && shift_1;
        reg [15:0] product;
        always @(posedge clk)
            if (enable) begin
                product            <= source[LSB +: 8] * all_factors[LSB +: 8];
                source_2[LSB +: 8] <= scale_1 ? quotient(product, what_1[4] && !shifts, shifts) : source_1[LSB +: 8];
            end

        wire        [7:0]  s = source_2[LSB +: 8];
        wire        [7:0]  t = target_2[LSB +: 8];
        wire               is_plain = IS_ALPHA || none_2 || (blend_2 && premultiplied_2); // nothing of s is weighted
        // 255*t + (s-t)*sa lies in 0..255*255; the subtraction may be negative.
        wire signed [9:0]  above  = {2'd0, is_plain ? 8'd0 : s};
        wire signed [9:0]  below  = {2'd0, blend_2 ? t : 8'd0};
        wire signed [9:0]  delta  = above - below;
        wire signed [9:0]  weight = {1'b0, multiply_2 ? {1'b0, t} : add_2 && premultiplied_2 ? 9'h0ff
                                         : IS_ALPHA ? {1'b0, alpha} : part};
        wire signed [19:0] lerp   = delta * weight;
        wire        [7:0]  less   = what_2[5] && !IS_ALPHA && !is_less ? 8'd0 : t;
        wire               is_up  = what_2[4] && !(what_2[5] && !IS_ALPHA) && delta[9];
        wire        [15:0] base   = blend_2 ? {t, {7{is_up}}, 1'b0} - {8'd0, less} : 16'd0;
        reg         [15:0] mix;
        reg         [7:0]  more;
        reg         [7:0]  value;
        wire               plain  = by_256_3 && !IS_ALPHA;
        wire        [8:0]  sum    = {1'b0, quotient(mix, truncated_3 && !plain, plain)} + {1'b0, more};
        always @(posedge clk)
            if (enable) begin
                mix   <= base + lerp[15:0];
                more  <= none_2 || (blend_2 && is_plain)         ? s
                       : add_2 || (IS_ALPHA && multiply_2) ? t : 8'd0;
                value <= sum[8] ? 8'hff : sum[7:0];
            end
        assign result[LSB +: 8] = value;
        wire unused = &{1'b0, lerp[19:16], 1'b0};
    end endgenerate
endmodule

`default_nettype wire
