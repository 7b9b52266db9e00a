// SPDX-License-Identifier: Apache-2.0
//
// Words of a map for a repeated rectangle: reduces a signed 16.16 number modulo `period` units.
//
// One number at a time. It takes one cycle if the number is less than a period from zero, else 17.
`default_nettype none

module mover_fold (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,           // level; number and period stand until ready
    input  wire [31:0] number,
    input  wire [15:0] period,          // units, not 0
    output wire        ready,           // pulse: folded stands for number
    output wire [31:0] folded
);
    // Below zero the units are counted from -1 down: -1 - n stands where period - 1 - n does.
    wire        below = number[31];
    wire [14:0] count = number[30:16] ^ {15{below}};
    wire        is_near = {1'b0, count} < period;

    // Division by hand, for the rest: the count's bits from the top.
    reg         divides;
    reg  [3:0]  left;
    reg  [14:0] bits;
    reg  [15:0] rest;                   // below the period
    wire [16:0] twice = {rest, bits[14]};
    wire [16:0] less  = twice - {1'b0, period};
    wire        ends  = divides && left == 4'd0;
    always @(posedge clk) begin
        if (divides) begin
            left <= left - 4'd1;
            bits <= {bits[13:0], 1'b0};
            rest <= less[16] ? twice[15:0] : less[15:0];
        end else begin
            left <= 4'd15;
            bits <= count;
            rest <= 16'd0;
        end
        divides <= !rst && valid && !is_near && !ends;
    end
    wire [15:0] units = divides ? rest : {1'b0, count};
    assign ready  = valid && (is_near || ends);
    assign folded = {below ? period - 16'd1 - units : units, number[15:0]};
endmodule

`default_nettype wire
