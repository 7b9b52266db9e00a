// SPDX-License-Identifier: Apache-2.0
//
// The core's shifter: each kind and amount of some words, against the operators of Verilog.
`default_nettype none
module test_core_shift;
`include "bench.vh"
    reg         right, arithmetic;
    reg  [31:0] value;
    reg  [4:0]  amount;
    wire [31:0] result;
    wire signed [31:0] signed_value = value;
    integer     i;
    core_shift shift (.right(right), .arithmetic(arithmetic), .value(value), .amount(amount), .result(result));
    initial begin
        for (i = 0; i < 6000; i = i + 1) begin
            {value, amount} = {some_word(1'b0), i[4:0]};
            {right, arithmetic} = i[6:5] == 2'd1 ? 2'b00 : i[6:5];
            #1;
            if (!right) check(result, {32'd0, value << amount}, {value, 27'd0, amount});
            else if (arithmetic) check(result, {32'd0, $unsigned(signed_value >>> amount)}, {value, 27'd0, amount});
            else check(result, value >> amount, {value, 27'd0, amount});
        end
        finish;
    end
endmodule
`default_nettype wire
