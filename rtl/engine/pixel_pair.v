// SPDX-License-Identifier: Apache-2.0
//
// Picks two pixels out of a packed beat and expands them to ARGB8888. RGB565: pixels 0 and 1, or 2 and 3 with
// `upper`; bits are replicated, alpha is 255. ARGB8888: the whole beat.
`default_nettype none

module pixel_pair (
    input  wire [63:0] beat,
    input  wire        is_565,
    input  wire        upper,
    output wire [63:0] colours,
    output wire [31:0] raw       // the two units as stored, RGB565 only
);
    assign raw = upper ? beat[63:32] : beat[31:0];

    function [31:0] expand(input [15:0] unit);
        expand = {8'hff, unit[15:11], unit[15:13], unit[10:5], unit[10:9], unit[4:0], unit[4:2]};
    endfunction

    assign colours = is_565 ? {expand(raw[31:16]), expand(raw[15:0])} : beat;
endmodule

`default_nettype wire
