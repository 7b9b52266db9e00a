// SPDX-License-Identifier: Apache-2.0
//
// Mixes a pass into the ring, one slot a cycle. A slot's pixel becomes a colour, which then covers the ring's by
//     (s*a + d*(255-a)) / 255, to the nearest: y = x + 128, (y + (y >> 8)) >> 8
// A slot without a pixel, or of the key's colour, has a = 0. It changes nothing. The right slot writes a word six
// cycles after the left slot has read it. Reads and writes have a half of the cycles each.
//
//   slot   ring, palette read   1 expand   2 key, difference   3 product   4 sum   5 quotient   6 write
`default_nettype none
module display_mix (
    input  wire        clk,
    input  wire        rst,

    input  wire        valid,               // a slot
    input  wire        is_right,
    input  wire        has_pixel,
    input  wire [9:0]  at,
    input  wire [31:0] raw,
    output wire        busy,

    // Of the pass: steady while busy.
    input  wire        is_rgb565,
    input  wire        is_index8,
    input  wire        by_alpha,            // of the pixel
    input  wire        keyed,
    input  wire [23:0] key,
    input  wire [7:0]  constant,            // alpha, without by_alpha

    input  wire        palette_write,
    input  wire [7:0]  palette_index,
    input  wire [23:0] palette_colour,

    output wire        ring_write,
    output wire [9:0]  ring_index,
    output wire [47:0] ring_data,
    input  wire [47:0] ring_word
);
    reg [23:0] palette [0:255];
    reg [23:0] palette_word;
    always @(posedge clk) begin
        if (palette_write) palette[palette_index] <= palette_colour;
        palette_word <= palette[raw[7:0]];
    end

    // The high bits repeat below, so that full scale stays full scale.
    wire [23:0] of_rgb565 = {raw[15:11], raw[15:13], raw[10:5], raw[10:9], raw[4:0], raw[4:2]};
    reg  [6:1]  is_valid, right;
    reg  [59:0] places;                     // the last six slots', newest low
    reg  [23:0] plain_1, colour_2, under_2, under_3, under_4;
    reg  [7:0]  alpha_1, alpha_2, alpha_3;
    reg         index_1;
    wire        shows_2 = !(keyed && colour_2 == key);
    always @(posedge clk) begin
        is_valid <= rst ? 6'd0 : {is_valid[5:1], valid};
        right    <= {right[5:1], is_right};
        places   <= {places[49:0], at};
        plain_1  <= is_rgb565 ? of_rgb565 : raw[23:0];
        index_1  <= is_index8;
        alpha_1  <= !has_pixel ? 8'd0 : by_alpha ? raw[31:24] : keyed ? 8'd255 : constant;
        colour_2 <= index_1 ? palette_word : plain_1;
        under_2  <= right[1] ? ring_word[47:24] : ring_word[23:0];
        alpha_2  <= alpha_1;
        under_3  <= under_2;
        alpha_3  <= shows_2 ? alpha_2 : 8'd0;
        under_4  <= under_3;
    end

    wire [23:0] result;
    genvar c;
    generate
        for (c = 0; c < 3; c = c + 1) begin : channel
            reg  signed [8:0]  more_3;      // source less what is under it
            reg  signed [17:0] product_4;
            reg  [16:0] sum_5;
            reg  [7:0]  result_6;
            wire [7:0]  under = under_4[8*c +: 8];
            wire [17:0] whole = {2'b00, under, 8'd128} - {10'd0, under};
            wire [17:0] sum   = whole + product_4;
            wire [16:0] quotient = sum_5 + {9'd0, sum_5[15:8]};
            always @(posedge clk) begin
                more_3    <= $signed({1'b0, colour_2[8*c +: 8]}) - $signed({1'b0, under_2[8*c +: 8]});
                product_4 <= more_3 * $signed({1'b0, alpha_3});
                sum_5     <= sum[16:0];
                result_6  <= quotient[15:8];
            end
            assign result[8*c +: 8] = result_6;
            wire unused = &{1'b0, sum[17], quotient[16], quotient[7:0]};
        end
    endgenerate

    reg  [23:0] left_7;
    always @(posedge clk) left_7 <= result;
    assign ring_write = is_valid[6] && right[6];
    assign ring_index = ring_write ? places[59:50] : at;
    assign ring_data  = {result, left_7};
    assign busy       = |is_valid;
`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) assert (!(ring_write && valid && !is_right));
`endif
endmodule
`default_nettype wire
