// SPDX-License-Identifier: Apache-2.0
//
// Numbers of 16.16 for a repeated rectangle: the units modulo the period, as if it went on below zero too, the fraction
// as it was; in a cycle near zero, and in 17 elsewhere.
`default_nettype none
module test_mover_fold;
`include "bench.vh"
    reg         rst = 1'b1, valid = 1'b0;
    reg  [31:0] number;
    reg  [15:0] period;
    wire        ready;
    wire [31:0] folded;
    integer     i, cycles, units, rest;
    mover_fold fold (.clk(clk), .rst(rst), .valid(valid), .number(number), .period(period), .ready(ready),
                     .folded(folded));
    initial begin
        tick;
        rst = 1'b0;
        for (i = 0; i < 1500; i = i + 1) begin
            {number, period} = {some_word(1'b0), i[0] ? 16'd1 + pick(65535) : 16'd1 + pick(40)};
            units = $signed(number) >>> 16;
            rest  = units % $signed({16'd0, period});
            if (rest < 0) rest = rest + period;
            valid = 1'b1;
            #1;
            for (cycles = 1; !ready && cycles < 30; cycles = cycles + 1) tick;
            check(folded, {rest[15:0], number[15:0]}, {number, period});
            check(cycles, units < $signed({16'd0, period}) && units >= -$signed({16'd0, period}) ? 1 : 17, number);
            tick;
            valid = pick(2);
            if (valid == 1'b0) tick;
        end
        finish;
    end
endmodule
`default_nettype wire
