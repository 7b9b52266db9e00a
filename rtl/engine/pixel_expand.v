// SPDX-License-Identifier: Apache-2.0
//
// A unit as stored to the colour it stands for, ARGB8888: bits replicated to eight, alpha 255 where the format has
// none, white where it has alpha alone (docs/engine.md).
`default_nettype none

module pixel_expand #(
    parameter FORMATS = 1 // 0: RGB565 and ARGB8888 only
) (
    input  wire [2:0]  format,
    input  wire [31:0] stored,
    output reg  [31:0] colour
);
`include "gpu_spec.vh"
    always @(*) begin
        colour = stored;
        if (format == FORMAT_RGB565[2:0])
            colour = {8'hff, stored[15:11], stored[15:13], stored[10:5], stored[10:9], stored[4:0], stored[4:2]};
        else if (FORMATS != 0)
            case (format)
                FORMAT_ARGB1555[2:0]: colour = {{8{stored[15]}}, stored[14:10], stored[14:12], stored[9:5], stored[9:7],
                                                stored[4:0], stored[4:2]};
                FORMAT_XRGB8888[2:0],
                FORMAT_RGB888[2:0]:   colour = {8'hff, stored[23:0]};
                FORMAT_A8[2:0]:       colour = {stored[7:0], 24'hffffff};
                default: ;
            endcase
    end
endmodule

`default_nettype wire
