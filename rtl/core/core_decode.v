// SPDX-License-Identifier: Apache-2.0
//
// Decoder: from a 32-bit instruction (expanded if it was compressed) to the controls of the execute
// stage. Purely combinational. Every encoding that is not an instruction of this core raises `illegal`; whether a CSR
// exists is core_csr's to say. With `illegal`, the other outputs are without meaning.
`default_nettype none

module core_decode #(
    parameter MULTIPLY = 1              // 1: the M extension
) (
    input  wire [31:0] instruction,
    output wire        illegal,

    // Operands: which registers are read and written, and the immediate of the instruction's format.
    output wire        uses_rs1,
    output wire        uses_rs2,
    output wire        writes_rd,       // rd may still be x0
    output reg  [31:0] immediate,
    output wire        b_immediate,     // operand b is the immediate

    // What it is; at most one. funct3 tells the members of a class apart.
    output wire        is_load,
    output wire        is_store,
    output wire        is_branch,
    output wire        is_jal,
    output wire        is_jalr,
    output wire        is_auipc,
    output wire        is_shift,
    output wire        is_multiply,     // MUL..MULHU
    output wire        is_divide,       // DIV..REMU
    output wire        is_compare,      // SLT, SLTU and immediate forms
    output wire        is_logic,        // also LUI, with logic_op 1
    output wire        is_csr,
    output wire        is_fence_i,
    output wire        is_ecall,
    output wire        is_ebreak,
    output wire        is_mret,
    output wire        is_wfi,

    output wire        subtract,        // the adder subtracts: SUB, comparisons, branches
    output wire [1:0]  logic_op         // 0 xor, 1 operand b alone, 2 or, 3 and
);
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

    assign is_auipc = opcode == 5'b00101;
    assign is_jal   = opcode == 5'b11011;

    // ---------------------------------------------------------------------------------- arithmetic
    wire funct7_zero = funct7 == 7'd0;
    wire funct7_alt  = funct7 == 7'b0100000;
    wire funct7_m    = funct7 == 7'd1 && MULTIPLY != 0;
    wire base        = op_imm || (op_reg && !funct7_m);     // not M

    assign is_shift    = base && funct3[1:0] == 2'b01;
    assign is_compare  = base && funct3[2:1] == 2'b01;
    assign is_logic    = op_lui || (base && funct3[2] && funct3 != 3'd5);
    assign is_multiply = op_reg && funct7_m && !funct3[2];
    assign is_divide   = op_reg && funct7_m && funct3[2];
    assign subtract    = op_branch || is_compare || (op_reg && instruction[30] && funct3 == 3'd0);
    assign logic_op    = op_lui ? 2'd1 : funct3[1:0];

    wire legal_imm = funct3[1:0] != 2'b01 || funct7_zero || (funct7_alt && funct3[2]);
    wire legal_reg = funct7_zero || funct7_m || (funct7_alt && (funct3 == 3'd0 || funct3 == 3'd5));

    // ---------------------------------------------------------------------------------- memory and jumps
    assign is_load   = op_load;
    assign is_store  = op_store;
    assign is_branch = op_branch;
    assign is_jalr   = op_jalr;
    wire legal_load   = funct3 != 3'd3 && funct3[2:1] != 2'b11;
    wire legal_store  = !funct3[2] && funct3 != 3'd3;
    wire legal_branch = funct3[2:1] != 2'b01;

    // ---------------------------------------------------------------------------------- system
    assign is_fence_i = op_fence && funct3 == 3'd1;
    assign is_csr     = op_system && funct3[1:0] != 2'd0;
    assign is_ecall   = op_system && instruction[31:7] == 25'h0000000;
    assign is_ebreak  = op_system && instruction[31:7] == 25'h0002000;
    assign is_mret    = op_system && instruction[31:7] == 25'h0604000;
    assign is_wfi     = op_system && instruction[31:7] == 25'h020a000;

    assign illegal = instruction[1:0] != 2'b11 || !(
        (op_load && legal_load) || (op_store && legal_store) || (op_branch && legal_branch) ||
        (op_imm && legal_imm) || (op_reg && legal_reg) || op_lui || is_auipc || is_jal ||
        (op_jalr && funct3 == 3'd0) || (op_fence && funct3[2:1] == 2'd0) ||
        is_csr || is_ecall || is_ebreak || is_mret || is_wfi);

    // ---------------------------------------------------------------------------------- operands
    assign uses_rs1  = !(op_lui || is_auipc || is_jal || op_fence || (op_system && (funct3[2] || !is_csr)));
    assign uses_rs2  = op_reg || op_store || op_branch;
    assign writes_rd = !(op_store || op_branch || op_fence || (op_system && !is_csr));
    assign b_immediate = !(op_reg || op_branch);

    always @(*) begin
        immediate = {{21{instruction[31]}}, instruction[30:20]};
        if (op_store) immediate[4:0] = instruction[11:7];
        if (op_lui)   immediate = {instruction[31:12], 12'd0};
    end

    wire unused = &{1'b0, instruction[19:15]};
endmodule

`default_nettype wire
