// SPDX-License-Identifier: Apache-2.0
//
// A stored unit to its colour, ARGB8888.
//
// Alpha is 255 where the format has none; the colour is white where it has alpha only (docs/pixels.md). Channels of 5
// or 6 bits are replicated to 8. TRUNCATED: v*255/31 or v*255/63, rounded down. BY_256: zeros below.
`default_nettype none

module pixel_expand (
    input  wire [2:0]  format,
    input  wire [1:0]  rounding, // bit 0 TRUNCATED, bit 1 BY_256, but for bits 2:0, 9:8 and 18:16 (pixel_path.v)
    input  wire [31:0] stored,
    output reg  [31:0] colour
);
`include "gpu_spec.vh"
`include "config.vh"
    // v*255/31 = 8v + 7v/31: replication gives 8v + v/4, one more where 7v/31 lies below that.
    function [2:0] below_5(input [4:0] v, input how);
        reg is_less;
        begin
            is_less = v[1:0] != 2'd3 && v[4:2] > {v[1:0], 1'b0};
            below_5 = FORMATS == 0 ? v[4:2] : v[4:2] - {2'd0, how && is_less};
        end
    endfunction
    // v*255/63 = 4v + v/21.
    function [1:0] below_6(input [5:0] v, input how);
        below_6 = FORMATS == 0 || !how ? v[5:4] : v == 6'd63 ? 2'd3 : v >= 6'd42 ? 2'd2 : {1'b0, v >= 6'd21};
    endfunction

    wire [2:0] green_5 = below_5(stored[9:5], rounding[0]) & {!rounding[1], 2'b11};
    wire [4:0] red_5 = format == FORMAT_RGB565[2:0] ? stored[15:11] : stored[14:10];
    always @(*) begin
        colour = stored;
        if (format == FORMAT_RGB565[2:0])
            colour = {8'hff, stored[15:11], below_5(red_5, rounding[0]), stored[10:5],
                      below_6(stored[10:5], rounding[0]), stored[4:0], below_5(stored[4:0], rounding[0])};
        else if (FORMATS != 0)
            case (format)
                FORMAT_ARGB1555[2:0]:
                    colour = {{8{stored[15]}}, stored[14:10], below_5(red_5, rounding[0]), stored[9:5], green_5,
                              stored[4:0], below_5(stored[4:0], rounding[0])};
                FORMAT_XRGB8888[2:0],
                FORMAT_RGB888[2:0]:   colour = {8'hff, stored[23:0]};
                FORMAT_A8[2:0]:       colour = {stored[7:0], 24'hffffff};
                default: ;
            endcase
    end
endmodule

`default_nettype wire
