// SPDX-License-Identifier: Apache-2.0
//
// One pixel of BLEND, four cycles long, one pixel per cycle: source over target, with the source's own alpha
// and a constant one. The rounding is that of docs/engine.md, with div255(x) = (x + 128 + ((x + 128) >> 8)) >> 8.
//
//   cycle 1   scaled products   As*K, Cs*K
//   cycle 2   sa = div255(As*K), and for premultiplied sources cs = div255(Cs*K), else Cs
//   cycle 3   straight: Cs*sa + Ct*(255-sa) = 255*Ct + (Cs-Ct)*sa    premultiplied: 255*Ct - Ct*sa
//   cycle 4   div255 of it, and for premultiplied + cs, at most 255   (alpha: always like premultiplied)
//
// Without `blend` the source colour passes unchanged.
`default_nettype none

module pixel_blend (
    input  wire        clk,
    input  wire        enable,        // the pipeline moves
    input  wire        blend,
    input  wire        premultiplied,
    input  wire [7:0]  constant,      // 255 = none
    input  wire [31:0] source,        // ARGB8888
    input  wire [31:0] target,
    output wire [31:0] result         // four enabled cycles later
);
    // Of x + 128 only the sum with its own high byte matters.
    /* verilator lint_off UNUSEDSIGNAL */ // the fraction of the quotient
    function [7:0] div255(input [15:0] x);
        reg [15:0] biased;
        reg [15:0] sum;
        begin
            biased = x + 16'd128;
            sum    = biased + {8'd0, biased[15:8]};
            div255 = sum[15:8];
        end
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    // ------------------------------------------------------------------ cycles 1 and 2: the source's weight
    reg        blend_1, blend_2, blend_3;
    reg        premultiplied_1, premultiplied_2, premultiplied_3;
    reg [31:0] source_1, source_2, source_3;
    reg [31:0] target_1, target_2;
    reg [15:0] alpha_product;
    reg [7:0]  alpha;

    always @(posedge clk)
        if (enable) begin
            {blend_1, premultiplied_1, source_1, target_1} <= {blend, premultiplied, source, target};
            {blend_2, premultiplied_2, target_2}           <= {blend_1, premultiplied_1, target_1};
            {blend_3, premultiplied_3, source_3}           <= {blend_2, premultiplied_2, source_2};
            alpha_product <= source[31:24] * constant;
            alpha         <= div255(alpha_product);
            source_2[31:24] <= blend_1 ? div255(alpha_product) : source_1[31:24];
        end

    // ------------------------------------------------------------------ one channel each
    genvar channel;
    generate for (channel = 0; channel < 4; channel = channel + 1) begin : channels
        localparam LSB = 8 * channel;
        localparam IS_ALPHA = channel == 3;

        if (!IS_ALPHA) begin : scale
            reg [15:0] product;
            always @(posedge clk)
                if (enable) begin
                    product <= source[LSB +: 8] * constant;
                    source_2[LSB +: 8] <= blend_1 && premultiplied_1 ? div255(product) : source_1[LSB +: 8];
                end
        end

        // 255*Ct + (Cs-Ct)*sa lies in 0..255*255; the subtraction may be negative.
        wire               adds  = premultiplied_2 || IS_ALPHA;
        wire signed [9:0]  above = {2'd0, adds ? 8'd0 : source_2[LSB +: 8]};
        wire signed [9:0]  below = {2'd0, target_2[LSB +: 8]};
        wire signed [9:0]  delta = above - below;
        wire signed [9:0]  weight = {2'd0, alpha};
        wire signed [19:0] lerp  = delta * weight;
        wire        [15:0] base  = {target_2[LSB +: 8], 8'd0} - {8'd0, target_2[LSB +: 8]};
        reg         [15:0] mix;
        reg                adds_3;
        reg         [7:0]  value;
        wire        [8:0]  sum   = {1'b0, div255(mix)} + (adds_3 ? {1'b0, source_3[LSB +: 8]} : 9'd0);
        always @(posedge clk)
            if (enable) begin
                mix    <= base + lerp[15:0];
                adds_3 <= adds;
                value  <= !blend_3 ? source_3[LSB +: 8] : sum[8] ? 8'hff : sum[7:0];
            end
        assign result[LSB +: 8] = value;
        wire unused = &{1'b0, lerp[19:16], 1'b0};
    end endgenerate

    wire unused_3 = &{1'b0, premultiplied_3, 1'b0};
endmodule

`default_nettype wire
