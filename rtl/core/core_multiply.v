// SPDX-License-Identifier: Apache-2.0
//
// Products, of four products of half words: four DSP blocks on an ECP5. Those stand in registers after `take`; their
// sum is the product, in the step that follows.
`default_nettype none

module core_multiply (
    input  wire        clk,
    input  wire        take,            // a step: the memory stage moves on
    input  wire [1:0]  operation,       // MUL MULH MULHSU MULHU
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire [31:0] product          // the word of it that was asked for, of the operands a step ago
);
`ifdef CORE_ALTOPS
    // Proofs cannot look into a multiplier. As in riscv-formal, every product is replaced by an expression
    // that keeps operands and operations apart; the real thing is tested by itself (docs/core.md).
    wire [31:0] mask = (operation == 2'd0) ? 32'h5876063e : (operation == 2'd1) ? 32'hf6583fb7 :
                       (operation == 2'd2) ? 32'hecfbe137 : 32'h949ce5e8;
    reg  [31:0] stands;
    always @(posedge clk)
        if (take) stands <= (operation == 2'd2 ? a - b : a + b) ^ mask;
    assign product = stands;
`else
    wire signed [16:0] a_low = {1'b0, a[15:0]}, b_low = {1'b0, b[15:0]};
    wire signed [16:0] a_high = {operation != 2'd3 && a[31], a[31:16]}, b_high = {!operation[1] && b[31], b[31:16]};
    reg signed [33:0] ll, lh, hl, hh;
    reg               is_low;
    always @(posedge clk)
        if (take) begin
            ll     <= a_low * b_low;
            lh     <= a_low * b_high;
            hl     <= a_high * b_low;
            hh     <= a_high * b_high;
            is_low <= operation == 2'd0;
        end
    wire [47:0] sum = {hh[31:0], ll[31:16]} + {{14{lh[33]}}, lh} + {{14{hl[33]}}, hl};
    assign product = is_low ? {sum[15:0], ll[15:0]} : sum[47:16];

    wire unused = &{1'b0, ll[33:32], hh[33:32]};
`endif
endmodule

`default_nettype wire
