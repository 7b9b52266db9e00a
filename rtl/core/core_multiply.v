// SPDX-License-Identifier: Apache-2.0
//
// Products and shifts in one combinational multiplier: 33 x 33 bits signed, four DSP blocks on an ECP5.
//
// A left shift by n is the low half of a product with 2^n. A right shift by n is the high half of a product with
// 2^(32-n). For n = 0 it is the low half of a product with 1. Choosing the power costs a decoder in the operand's
// selection. A barrel shifter would cost about 220 LUTs. STAGE: the factors are registered, and results come a cycle
// later.
`default_nettype none

module core_multiply #(
    parameter STAGE = 0
) (
    input  wire        clk,
    input  wire        shift,           // 1: shift, 0: product
    input  wire [2:0]  funct3,          // of SLL SRL SRA, or of MUL MULH MULHSU MULHU
    input  wire        arithmetic,      // SRA rather than SRL
    input  wire [31:0] a,
    input  wire [31:0] b,               // low 5 bits for shifts
    output wire [31:0] result
);
    wire       right  = funct3[2];
    wire [4:0] amount = right ? 5'd0 - b[4:0] : b[4:0];
    wire [31:0] power = 32'd1 << amount;

    wire a_signed = shift ? arithmetic : funct3[1:0] != 2'd3;
    wire b_signed = !shift && !funct3[1];

    wire [31:0] factor = shift ? power : b;
    wire signed [32:0] a_wide = {a_signed && a[31], a};
    wire signed [32:0] b_wide = {b_signed && b[31], factor};
    wire high = shift ? right && b[4:0] != 5'd0 : funct3[1:0] != 2'd0;

`ifdef CORE_ALTOPS
    // Proofs cannot look into a multiplier. As in riscv-formal, every product is replaced by an expression
    // that keeps operands and operations apart, and shifts by the operator; the real thing is proved or
    // tested by itself (docs/core.md).
    wire [31:0] mask = (funct3[1:0] == 2'd0) ? 32'h5876063e : (funct3[1:0] == 2'd1) ? 32'hf6583fb7 :
                       (funct3[1:0] == 2'd2) ? 32'hecfbe137 : 32'h949ce5e8;
    wire [31:0] sum  = (funct3[1:0] == 2'd2) ? a - b : a + b;
    wire signed [31:0] a_plain = a;
    wire [31:0] sra  = a_plain >>> b[4:0];
    assign result = !shift ? sum ^ mask : !right ? a << b[4:0] : arithmetic ? sra : a >> b[4:0];
    wire unused = &{1'b0, clk, factor, a_wide, b_wide, high};
`else
    wire [66:0] operands;
    generate
        if (STAGE != 0) begin : registered
            reg [66:0] held;
            always @(posedge clk) held <= {high, a_wide, b_wide};
            assign operands = held;
        end else begin : direct
            assign operands = {high, a_wide, b_wide};
            wire unused = &{1'b0, clk};
        end
    endgenerate
    wire signed [32:0] a_factor = operands[65:33], b_factor = operands[32:0];
    wire signed [63:0] product  = a_factor * b_factor;
    assign result = operands[66] ? product[63:32] : product[31:0];
`endif
endmodule

`default_nettype wire
