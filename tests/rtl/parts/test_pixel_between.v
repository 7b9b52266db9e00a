// SPDX-License-Identifier: Apache-2.0
//
// Weights between four channels and four others: exact at both widths that the filter has, ends included.
`default_nettype none
module test_pixel_between;
`include "bench.vh"
    reg  [59:0] a, b;
    reg  [6:0]  part;
    wire [59:0] narrow;
    wire [87:0] wide;
    integer     i, k;
    pixel_between #(.WIDTH(8)) of_colours (.a(a[31:0]), .b(b[31:0]), .part(part), .result(narrow));
    pixel_between #(.WIDTH(15)) of_sums (.a(a), .b(b), .part(part), .result(wide));
    initial begin
        for (i = 0; i < 600; i = i + 1) begin
            for (k = 0; k < 8; k = k + 1) {a, b} = {a, b, some_byte(1'b0), some_byte(1'b0)};
            part = i[6:0];
            #1;
            for (k = 0; k < 4; k = k + 1) begin
                check(narrow[15*k +: 15], a[8*k +: 8] * (128 - part) + b[8*k +: 8] * part, part);
                check(wide[22*k +: 22], a[15*k +: 15] * (128 - part) + b[15*k +: 15] * part, part);
            end
        end
        finish;
    end
endmodule
`default_nettype wire
