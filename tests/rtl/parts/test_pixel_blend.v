// SPDX-License-Identifier: Apache-2.0
//
// One pixel a cycle through every operation, factor and rounding, with bubbles, against the formulas of docs/pixels.md,
// channel by channel.
`default_nettype none
module test_pixel_blend;
`include "bench.vh"
    localparam LENGTH = 4, NONE = 0, BLEND = 1, ADD = 2, MULTIPLY = 3;
    reg         enable = 1'b0, premultiplied, truncated, by_256, scales;
    reg  [1:0]  operation;
    reg  [7:0]  constant;
    reg  [23:0] factors;
    reg  [31:0] source, target;
    wire [31:0] result;
    pixel_blend pixel (
        .clk(clk), .enable(enable), .scale(scales), .blend(operation == BLEND), .add(operation == ADD),
        .multiply(operation == MULTIPLY), .premultiplied(premultiplied), .truncated(truncated), .by_256(by_256),
        .coarse(1'b0), .by_32(1'b0), .constant(constant), .factors(factors), .source(source), .target(target),
        .result(result)
    );
    // To the nearest, or rounded down; up where something was subtracted.
    function integer quotient(input integer x, input is_up);
        quotient = !truncated ? (x + 128 + ((x + 128) >> 8)) >> 8 : is_up ? (x + 254) / 255 : x / 255;
    endfunction
    function [7:0] most(input integer x);
        most = x > 255 ? 255 : x;
    endfunction
    integer k, sa, s, t;
    reg [31:0] all;
    function [31:0] expected(input from);
        begin
            all = {constant, factors};
            sa = scales ? quotient(source[31:24] * constant, from) : source[31:24];
            for (k = 0; k < 4; k = k + 1) begin
                t = target[8*k +: 8];
                s = k == 3 ? sa : scales ? quotient(source[8*k +: 8] * all[8*k +: 8], from) : source[8*k +: 8];
                case (operation)
                    BLEND:
                        if (k == 3 || premultiplied)
                            expected[8*k +: 8] = most(s + (by_256 && k != 3 ? (256*t - t*sa) >> 8
                                                           : quotient(255*t - t*sa, t != 0)));
                        else
                            expected[8*k +: 8] = by_256 ? (256*t + (s - t)*sa) >> 8
                                                 : quotient(255*t + (s - t)*sa, s < t);
                    ADD:
                        expected[8*k +: 8] = k == 3 ? t : most(t + quotient(s * (premultiplied ? 255 : sa), from));
                    MULTIPLY: expected[8*k +: 8] = k == 3 ? t : quotient(s * t, from);
                    default:  expected[8*k +: 8] = s;
                endcase
            end
        end
    endfunction
    reg [31:0] queue [0:LENGTH-1];
    integer    i, filled;
    initial begin
        filled = 0;
        for (i = 0; i < 6000; i = i + 1) begin
            if (i % 50 == 0) {operation, premultiplied, truncated, by_256} = pick(32);
            if (truncated || operation != BLEND) by_256 = 1'b0;
            if (i % 50 == 0) scales = operation != NONE || pick(2);
            for (k = 0; k < 8; k = k + 1) {source, target} = {source, target, some_byte(1'b0)};
            {constant, factors} = pick(3) == 0 ? 32'hffffffff : {some_byte(1'b0), random(1'b0) >> 8};
            if (i % 50 == 0) begin // what is steady changes between two rows
                enable = 1'b1;
                filled = 0;
            end
            if (filled >= LENGTH) check(result, queue[LENGTH - 1], {operation, premultiplied, truncated, by_256});
            for (k = LENGTH - 1; k > 0; k = k - 1) queue[k] = queue[k - 1];
            queue[0] = expected(1'b0);
            filled = filled + 1;
            tick;
            enable = 1'b0;
            repeat (pick(2)) begin
                source = random(1'b0);
                tick;
            end
            enable = 1'b1;
        end
        finish;
    end
endmodule
`default_nettype wire
