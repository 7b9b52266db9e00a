// SPDX-License-Identifier: Apache-2.0
//
// Decoder. In: the instruction, expanded if it was compressed, as it is handed to execute. Out: what execute must
// know, held from the next cycle to the next hand-over. Deciding a cycle early leaves execute one flip-flop for each
// decision.
//
// Every encoding that this core does not have raises `illegal` (core_legal.v), and the other outputs are then
// meaningless. core_csr.v judges the numbers of CSRs.
`default_nettype none

module core_decode #(
    parameter MULTIPLY = 1              // the M extension
) (
    input  wire        clk,
    input  wire        take,            // the instruction is handed over
    input  wire [31:0] instruction,
    input  wire        is_short,        // expanded; of what is not, the bits as fetched: they are there earlier
    input  wire [31:0] raw,
    output reg         illegal,

    // Operands: which registers are read and written, and the immediate of the instruction's format.
    output reg         uses_rs1,
    output reg         uses_rs2,
    output reg         writes,          // rd, and rd is not x0
    output reg  [31:0] immediate,
    output reg         b_immediate,     // operand b is the immediate

    // What it is; at most one. funct3 tells the members of a class apart.
    output reg         is_load,
    output reg         is_store,
    output reg         is_branch,
    output reg         is_jal,
    output reg         is_jalr,
    output reg         is_multiply,
    output reg         is_divide,
    output reg         is_csr,
    output reg         is_fence_i,
    output reg         is_ecall,
    output reg         is_ebreak,
    output reg         is_mret,
    output reg         is_wfi,

    // Arithmetic.
    output reg         subtract,        // the adder subtracts: SUB, comparisons, branches
    output reg         is_unsigned,     // the comparison is
    output reg  [1:0]  logic_op,        // 0 xor, 1 operand b alone, 2 or, 3 and
    output reg  [2:0]  result           // RESULT_*
);
    `include "core_result.vh"

    wire [4:0] opcode = instruction[6:2];
    wire [2:0] funct3 = instruction[14:12];
    wire [6:0] funct7 = instruction[31:25];

    wire op_load   = opcode == 5'b00000;
    wire op_fence  = opcode == 5'b00011;
    wire op_imm    = opcode == 5'b00100;
    wire op_store  = opcode == 5'b01000;
    wire op_reg    = opcode == 5'b01100;
    wire op_lui    = opcode == 5'b01101;
    wire op_branch = opcode == 5'b11000;
    wire op_jalr   = opcode == 5'b11001;
    wire op_system = opcode == 5'b11100;

    wire op_auipc  = opcode == 5'b00101;
    wire op_jal    = opcode == 5'b11011;

    // ---------------------------------------------------------------------------------- arithmetic
    wire funct7_m    = funct7 == 7'd1 && MULTIPLY != 0;
    wire base        = op_imm || (op_reg && !funct7_m);     // not M

    wire shift    = base && funct3[1:0] == 2'b01;
    wire compare  = base && funct3[2:1] == 2'b01;
    wire logical  = op_lui || (base && funct3[2] && funct3 != 3'd5);
    wire multiply = op_reg && funct7_m && !funct3[2];
    wire divide   = op_reg && funct7_m && funct3[2];

    // ---------------------------------------------------------------------------------- system
    wire csr    = op_system && funct3[1:0] != 2'd0;
    wire ecall  = op_system && instruction[31:7] == 25'h0000000;
    wire ebreak = op_system && instruction[31:7] == 25'h0002000;
    wire mret   = op_system && instruction[31:7] == 25'h0604000;
    wire wfi    = op_system && instruction[31:7] == 25'h020a000;

    wire legal;
    core_legal #(.MULTIPLY(MULTIPLY)) whole (.instruction(raw), .legal(legal));

    // ---------------------------------------------------------------------------------- held for execute
    always @(posedge clk)
        if (take) begin
            illegal      <= is_short ? instruction[1:0] != 2'b11 : !legal;  // see core_expand.v
            uses_rs1     <= !(op_lui || op_auipc || op_jal || op_fence || (op_system && (funct3[2] || !csr)));
            uses_rs2     <= op_reg || op_store || op_branch;
            writes       <= !(op_store || op_branch || op_fence || (op_system && !csr)) && instruction[11:7] != 5'd0;
            immediate    <= op_lui ? {instruction[31:12], 12'd0} :
                            {{21{instruction[31]}}, instruction[30:25],
                             op_store ? instruction[11:7] : instruction[24:20]};
            b_immediate  <= !(op_reg || op_branch);
            is_load      <= op_load;
            is_store     <= op_store;
            is_branch    <= op_branch;
            is_jal       <= op_jal;
            is_jalr      <= op_jalr;
            is_multiply  <= multiply;
            is_divide    <= divide;
            is_csr       <= csr;
            is_fence_i   <= op_fence && funct3 == 3'd1;
            is_ecall     <= ecall;
            is_ebreak    <= ebreak;
            is_mret      <= mret;
            is_wfi       <= wfi;
            subtract     <= op_branch || compare || (op_reg && instruction[30] && funct3 == 3'd0);
            is_unsigned  <= op_branch ? funct3[1] : funct3[0];
            logic_op     <= op_lui ? 2'd1 : funct3[1:0];
            result       <= op_jal || op_jalr             ? RESULT_LINK :
                            op_auipc                      ? RESULT_TARGET :
                            logical                       ? RESULT_LOGICAL :
                            compare                       ? RESULT_LESS :
                            shift                         ? RESULT_SHIFT :
                            divide                        ? RESULT_QUOTIENT :
                            csr                           ? RESULT_CSR : RESULT_SUM;
        end

    wire unused = &{1'b0, instruction[19:15]};
endmodule

`default_nettype wire
