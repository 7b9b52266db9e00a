// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of the execute stage: one adder for sums and comparisons, logic, shifter, divider, and the choice of the
// instruction's result. Combinational, but for the divider. Products come in the memory stage (core_multiply).
`default_nettype none

module core_alu #(
    parameter MULTIPLY = 1,
    parameter SHIFTER  = 1              // 0: operand a comes shifted
) (
    input  wire        clk,
    input  wire        rst,

    // From the decoder.
    input  wire [2:0]  funct3,
    input  wire        arithmetic,      // shift right with the sign
    input  wire        subtract,
    input  wire        is_unsigned,
    input  wire [1:0]  logic_op,
    input  wire [2:0]  result_from,

    // Operands: register 1, register 2, and register 2 or the immediate.
    input  wire [31:0] a,
    input  wire [31:0] r,
    input  wire [31:0] b,
    input  wire [31:0] link,
    input  wire [31:0] target,
    input  wire [31:0] csr_value,

    // Divider: `divide` while its instruction waits, until `divide_done`; `flush` ends or abandons it.
    input  wire        divide,
    input  wire        flush,
    output wire        divide_done,

    output wire        taken,           // the condition of a branch holds
    output reg  [31:0] result
);
    `include "core_result.vh"

    wire [32:0] total = {1'b0, a} + {1'b0, b ^ {32{subtract}}} + {32'd0, subtract};
    wire        less  = !total[32] ^ (!is_unsigned && (a[31] ^ b[31]));
    wire        equal = a == r;
    assign taken = (funct3[2] ? less : equal) ^ funct3[0];

    reg [31:0] logical;
    always @(*)
        case (logic_op)
            2'd0:    logical = a ^ b;
            2'd1:    logical = b;
            2'd2:    logical = a | b;
            default: logical = a & b;
        endcase

    wire [31:0] shifted;
    generate
        if (SHIFTER != 0) begin : shifter
            core_shift shift (.right(funct3[2]), .arithmetic(arithmetic), .value(a), .amount(b[4:0]), .result(shifted));
        end else begin : no_shifter
            assign shifted = a;
            wire unused_arithmetic = &{1'b0, arithmetic};
        end
    endgenerate

    wire [31:0] quotient;
    generate
        if (MULTIPLY != 0) begin : divider
            wire idle;
            core_divide divider (
                .clk    (clk),
                .rst    (rst),
                .start  (divide && idle),
                .kill   (flush),
                .funct3 (funct3),
                .a      (a),
                .b      (r),
                .idle   (idle),
                .done   (divide_done),
                .result (quotient)
            );
        end else begin : no_divider
            assign divide_done = 1'b0;
            assign quotient    = 32'd0;
            wire unused = &{1'b0, clk, rst, divide, flush, funct3[1]};
        end
    endgenerate

    always @(*)
        case (result_from)
            RESULT_LOGICAL:  result = logical;
            RESULT_LESS:     result = {31'd0, less};
            RESULT_SHIFT:    result = shifted;
            RESULT_LINK:     result = link;
            RESULT_TARGET:   result = target;
            RESULT_CSR:      result = csr_value;
            RESULT_QUOTIENT: result = quotient;
            default:         result = total[31:0];
        endcase
endmodule

`default_nettype wire
