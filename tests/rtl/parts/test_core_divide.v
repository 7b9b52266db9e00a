// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of the core, their cycles, and divisions that are given up before, against 64 bits' worth of
// arithmetic. (The proofs of the core put other expressions in its place.)
`default_nettype none
module test_core_divide;
`include "bench.vh"
    reg         rst = 1'b1, start = 1'b0, kill = 1'b0;
    reg  [2:0]  funct3;
    reg  [31:0] a, b, magnitude;
    wire        idle, done;
    wire [31:0] result;
    reg signed [63:0] wide_a, wide_b, expected;
    integer     i, cycles;
    core_divide divide (.clk(clk), .rst(rst), .start(start), .kill(kill), .funct3(funct3), .a(a), .b(b), .idle(idle),
                        .done(done), .result(result));
    task begin_one;
        begin
            {funct3, a, b} = {1'b1, random(1'b0) >> 30, some_word(1'b0), some_word(1'b0)};
            funct3 = {1'b1, i[1:0]};
            start = 1'b1;
            tick;
            start = 1'b0;
        end
    endtask
    task forget;
        begin
            kill = 1'b1;
            tick;
            kill = 1'b0;
            check({idle, done}, 2'b10, {a, b});
        end
    endtask
    initial begin
        tick;
        rst = 1'b0;
        for (i = 0; i < 1500; i = i + 1) begin
            if (pick(4) == 0) begin
                begin_one;
                repeat (pick(20)) tick;
                forget;
            end
            begin_one;
            for (cycles = 1; !done && cycles < 40; cycles = cycles + 1) tick;
            wide_a = {{32{!funct3[0] && a[31]}}, a};
            wide_b = {{32{!funct3[0] && b[31]}}, b};
            if (b == 32'd0) expected = funct3[1] ? wide_a : -64'sd1;
            else expected = funct3[1] ? wide_a % wide_b : wide_a / wide_b;
            check(result, expected[31:0], {a, b});
            magnitude = wide_a < 0 ? 32'd0 - a : a;
            check(cycles, b == 32'd0 || magnitude[31:24] != 0 ? 17 : magnitude[23:16] != 0 ? 14
                          : magnitude[15:8] != 0 ? 11 : 8, {a, b});
            forget;
        end
        finish;
    end
endmodule
`default_nettype wire
