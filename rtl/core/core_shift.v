// SPDX-License-Identifier: Apache-2.0
//
// Iterative shifter, for cores without the fast multiplier: one bit a cycle.
//
// `start`, then a cycle for each bit, then `done` with the result until `kill`. That is amount + 1 cycles before the
// one that takes it.
`default_nettype none

module core_shift (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,           // operands are valid; only while idle
    input  wire        kill,            // forget the operation, also the end of `done`; wins over start
    input  wire        right,           // stable until done, as is `arithmetic`
    input  wire        arithmetic,      // fill with the sign; only with `right`
    input  wire [31:0] value,
    input  wire [4:0]  amount,
    output wire        idle,
    output wire        done,
    output reg  [31:0] result
);
    reg       active;
    reg [4:0] left_over;

    assign idle = !active;
    assign done = active && left_over == 5'd0;

    always @(posedge clk) begin
        if (start) begin
            result    <= value;
            left_over <= amount;
        end else if (!done) begin
            result    <= right ? {arithmetic && result[31], result[31:1]} : {result[30:0], 1'b0};
            left_over <= left_over - 5'd1;
        end
        if (rst || kill)
            active <= 1'b0;
        else if (start)
            active <= 1'b1;
    end
endmodule

`default_nettype wire
