// SPDX-License-Identifier: Apache-2.0
//
// Products of the core, against those of 64 bits. Between the operands and the product it waits at random, with other
// operands. (The proofs of the core put other expressions in its place.)
`default_nettype none
module test_core_multiply;
`include "bench.vh"
    reg         take = 1'b0;
    reg  [1:0]  operation;
    reg  [31:0] a, b, x, y;
    reg  [63:0] wide;
    wire [31:0] product;
    integer     i;
    core_multiply multiply (.clk(clk), .take(take), .operation(operation), .a(a), .b(b), .product(product));
    initial begin
        for (i = 0; i < 3000; i = i + 1) begin
            {operation, a, b} = {i[1:0], some_word(1'b0), some_word(1'b0)};
            {x, y} = {a, b};
            wide = {{32{operation != 2'd3 && x[31]}}, x} * {{32{!operation[1] && y[31]}}, y};
            take = 1'b1;
            tick;
            take = 1'b0;
            repeat (pick(3)) begin
                {operation, a, b} = {random(1'b0), random(1'b0), random(1'b0)};
                tick;
            end
            check(product, i[1:0] == 2'd0 ? wide[31:0] : wide[63:32], {x, y});
        end
        finish;
    end
endmodule
`default_nettype wire
