// SPDX-License-Identifier: Apache-2.0
//
// Multiplier, divider and shifter of the core side by side, for arithmetic_test.cpp.
`default_nettype none

module arithmetic_pieces (
    input  wire        clk,
    input  wire        rst,
    input  wire [2:0]  funct3,
    input  wire [31:0] a,
    input  wire [31:0] b,
    input  wire        take,
    output wire [31:0] product,
    input  wire        start,
    input  wire        kill,
    output wire        idle,
    output wire        done,
    output wire [31:0] quotient,
    input  wire        arithmetic,
    output wire [31:0] shifted
);
    core_multiply multiply (.clk(clk), .take(take), .operation(funct3[1:0]), .a(a), .b(b), .product(product));
    core_divide divide (.clk(clk), .rst(rst), .start(start), .kill(kill), .funct3(funct3), .a(a), .b(b), .idle(idle),
                        .done(done), .result(quotient));
    core_shift shift (.right(funct3[2]), .arithmetic(arithmetic), .value(a), .amount(b[4:0]), .result(shifted));
endmodule

`default_nettype wire
