// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a format's unit, minus one.
`default_nettype none

module pixel_size (
    input  wire [2:0] format, // FORMAT group
    output reg  [1:0] size
);
`include "gpu_spec.vh"
    always @(*)
        case (format)
            FORMAT_RGB565[2:0],   FORMAT_ARGB1555[2:0]: size = 2'd1;
            FORMAT_RGB888[2:0]:                         size = 2'd2;
            FORMAT_ARGB8888[2:0], FORMAT_XRGB8888[2:0]: size = 2'd3;
            default:                                    size = 2'd0; // BYTES, A8
        endcase
endmodule

`default_nettype wire
