// SPDX-License-Identifier: Apache-2.0
//
// Units to bytes.
`default_nettype none

module pixel_bytes (
    input  wire [16:0] units,
    input  wire [1:0]  size,  // of a unit, minus one (pixel_size.v)
    output wire [18:0] bytes
);
    wire [18:0] twice = {1'b0, units, 1'b0};
    assign bytes = (size[1] ? twice : 19'd0) + (size[0] ? twice : {2'd0, units});
endmodule

`default_nettype wire
