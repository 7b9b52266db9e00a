// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of the execute stage: one adder for sums, addresses, comparisons; logic; multiplier and shifter;
// divider; and the choice of the instruction's result. Combinational, but for the iterative unit.
`default_nettype none

module core_alu #(
    parameter MULTIPLY      = 1,
    parameter FAST_MULTIPLY = 1
) (
    input  wire        clk,
    input  wire        rst,

    // From the decoder.
    input  wire [2:0]  funct3,
    input  wire        arithmetic,      // shift right with the sign
    input  wire        is_shift,
    input  wire        subtract,
    input  wire        is_unsigned,
    input  wire [1:0]  logic_op,
    input  wire [2:0]  result_from,

    // Operands: register 1, register 2, and register 2 or the immediate.
    input  wire [31:0] a,
    input  wire [31:0] r,
    input  wire [31:0] b,
    input  wire [31:0] alternative,
    input  wire [31:0] csr_value,

    // Iterative units: `iterate` while its instruction waits, until `iterate_done`; `flush` ends or abandons it.
    input  wire        iterate,
    input  wire        flush,
    output wire        iterate_done,

    output wire [31:0] sum,
    output wire        taken,           // the condition of a branch holds
    output reg  [31:0] result
);
    `include "core_result.vh"

    wire [32:0] total = {1'b0, a} + {1'b0, b ^ {32{subtract}}} + {32'd0, subtract};
    wire        less  = !total[32] ^ (!is_unsigned && (a[31] ^ b[31]));
    wire        equal = a == r;
    assign sum   = total[31:0];
    assign taken = (funct3[2] ? less : equal) ^ funct3[0];

    reg [31:0] logical;
    always @(*)
        case (logic_op)
            2'd0:    logical = a ^ b;
            2'd1:    logical = b;
            2'd2:    logical = a | b;
            default: logical = a & b;
        endcase

    // Multiplier and shifter: both in one cycle, or the shifter iterates beside the divider.
    wire [31:0] product;
    wire        product_done;
    generate
        if (FAST_MULTIPLY != 0) begin : fast
            core_multiply #(.STAGE(FAST_MULTIPLY == 2)) multiply (
                .clk        (clk),
                .shift      (is_shift),
                .funct3     (funct3),
                .arithmetic (arithmetic),
                .a          (a),
                .b          (b),
                .result     (product)
            );
            // In the second of two cycles the operands are in the multiplier's registers.
            if (FAST_MULTIPLY == 2) begin : staged
                reg second;
                always @(posedge clk) second <= !rst && iterate && result_from == RESULT_PRODUCT && !second;
                assign product_done = second;
            end else begin : at_once
                assign product_done = 1'b0;
            end
        end else begin : slow
            wire idle;
            core_shift shift (
                .clk        (clk),
                .rst        (rst),
                .start      (iterate && is_shift && idle),
                .kill       (flush),
                .right      (funct3[2]),
                .arithmetic (arithmetic),
                .value      (a),
                .amount     (b[4:0]),
                .idle       (idle),
                .done       (product_done),
                .result     (product)
            );
        end
    endgenerate

    wire [31:0] quotient;
    wire        divide_done;
    generate
        if (MULTIPLY != 0) begin : divider
            wire idle;
            core_divide #(.MULTIPLY(FAST_MULTIPLY == 0)) divide (
                .clk    (clk),
                .rst    (rst),
                .start  (iterate && result_from == RESULT_ITERATIVE && idle),
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
            wire unused = &{1'b0, clk, rst, iterate, flush, funct3[1]};
        end
    endgenerate
    assign iterate_done = divide_done || product_done;

    always @(*)
        case (result_from)
            RESULT_LOGICAL:     result = logical;
            RESULT_LESS:        result = {31'd0, less};
            RESULT_PRODUCT:     result = product;
            RESULT_ALTERNATIVE: result = alternative;
            RESULT_CSR:         result = csr_value;
            RESULT_ITERATIVE:   result = quotient;
            default:            result = sum;
        endcase
endmodule

`default_nettype wire
