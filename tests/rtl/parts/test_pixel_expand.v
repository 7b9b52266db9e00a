// SPDX-License-Identifier: Apache-2.0
//
// Stored units as colours: every thirteenth unit of 16 bits in both formats and roundings, and random ones of the
// others, against the quotients of docs/pixels.md.
`default_nettype none
module test_pixel_expand;
`include "bench.vh"
`include "gpu_spec.vh"
    reg  [2:0]  format;
    reg  [1:0]  rounding;
    reg  [31:0] stored, expected;
    wire [31:0] colour;
    integer     i, k;
    pixel_expand expand (.format(format), .rounding(rounding), .stored(stored), .colour(colour));
    // A channel of 5 or 6 bits: its bits repeated, or the quotient rounded down.
    function [7:0] five(input [4:0] v);
        five = rounding[0] ? v * 255 / 31 : {v, v[4:2]};
    endfunction
    function [7:0] six(input [5:0] v);
        six = rounding[0] ? v * 255 / 63 : {v, v[5:4]};
    endfunction
    initial begin
        for (i = 0; i < 65536; i = i + 13) for (k = 0; k < 2; k = k + 1) begin
            rounding = k;
            stored = {random(1'b0) >> 16, i[15:0]};
            format = FORMAT_RGB565[2:0];
            #1;
            check(colour, {8'hff, five(i[15:11]), six(i[10:5]), five(i[4:0])}, stored);
            format = FORMAT_ARGB1555[2:0];
            #1;
            check(colour, {{8{i[15]}}, five(i[14:10]), five(i[9:5]), five(i[4:0])}, stored);
        end
        rounding = 2'd0;
        for (i = 0; i < 500; i = i + 1) begin
            stored = random(1'b0);
            for (k = 0; k < 4; k = k + 1) begin
                format = k == 0 ? FORMAT_XRGB8888[2:0] : k == 1 ? FORMAT_RGB888[2:0] : k == 2 ? FORMAT_A8[2:0]
                       : FORMAT_ARGB8888[2:0];
                #1;
                check(colour, k < 2 ? {8'hff, stored[23:0]} : k == 2 ? {stored[7:0], 24'hffffff} : stored, stored);
            end
        end
        finish;
    end
endmodule
`default_nettype wire
