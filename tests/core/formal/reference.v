// SPDX-License-Identifier: Apache-2.0
//
// What one instruction has to do, written from the unprivileged specification alone: from the instruction's bits,
// its pc, its operands and the word its load gets, to the register written, the next pc, the memory access and the
// exception. Bus errors, CSR values and trap vectors are core_formal's business. Products and
// quotients are the expressions that CORE_ALTOPS puts in their place (those of riscv-formal).
`default_nettype none

module reference #(
    parameter COMPRESSED = 1
) (
    input  wire [31:0] raw,             // as fetched; a compressed one zero extended
    input  wire [31:0] pc,
    input  wire [31:0] rs1,
    input  wire [31:0] rs2,
    input  wire [31:0] loaded,          // the word at the load's word address
    output wire [31:0] insn,            // expanded
    output reg         legal,           // SYSTEM included, CSR numbers not judged
    output reg         exception,       // traps by itself (illegal, misaligned, ecall, ebreak)
    output reg  [3:0]  cause,
    output reg  [31:0] value,           // mtval
    output reg         uses_rs1,
    output reg         uses_rs2,
    output reg  [4:0]  rd,              // 0: nothing written
    output reg  [31:0] result,
    output reg  [31:0] next_pc,
    output reg  [31:0] address,
    output reg  [3:0]  read_mask,
    output reg  [3:0]  write_mask,
    output reg  [31:0] write_lanes
);
    wire is_short = COMPRESSED != 0 && raw[1:0] != 2'b11;
    // The expander is compared with the C model for all 65,536 inputs (tests/core/core_expand_test.cpp).
    wire [31:0] expanded;
    core_expand expand (.short_form(raw[15:0]), .long_form(expanded));
    assign insn = is_short ? expanded : raw;

    wire [31:0] link  = pc + (is_short ? 32'd2 : 32'd4);
    wire [31:0] imm_i = {{20{insn[31]}}, insn[31:20]};
    wire [31:0] imm_s = {{20{insn[31]}}, insn[31:25], insn[11:7]};
    wire [31:0] imm_b = {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
    wire [31:0] imm_j = {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
    wire [31:0] imm_u = {insn[31:12], 12'd0};
    wire [2:0]  funct3 = insn[14:12];
    wire [6:0]  funct7 = insn[31:25];
    wire signed [31:0] rs1_signed = rs1;
    wire signed [31:0] rs2_signed = rs2;

    // Operand of OP and OP-IMM.
    wire is_op = insn[6:0] == 7'b0110011;
    wire signed [31:0] operand = is_op ? rs2 : imm_i;
    wire [31:0] operand_bits = operand;
    wire [31:0] shifted_arithmetic = rs1_signed >>> operand_bits[4:0];

    reg [31:0] lane;
    reg        misaligned, taken;

    always @(*) begin
        legal = 1'b1; exception = 1'b0; cause = 4'd0; value = 32'd0;
        uses_rs1 = 1'b0; uses_rs2 = 1'b0; rd = 5'd0; result = 32'd0; next_pc = link;
        address = 32'd0; read_mask = 4'd0; write_mask = 4'd0; write_lanes = 32'd0;
        lane = 32'd0; misaligned = 1'b0; taken = 1'b0;
        case (insn[6:0])
            7'b0110111: begin rd = insn[11:7]; result = imm_u; end
            7'b0010111: begin rd = insn[11:7]; result = pc + imm_u; end
            7'b1101111: begin rd = insn[11:7]; result = link; next_pc = pc + imm_j; end
            7'b1100111: begin
                legal = funct3 == 3'd0;
                uses_rs1 = 1'b1;
                rd = insn[11:7]; result = link; next_pc = (rs1 + imm_i) & ~32'd1;
            end
            7'b1100011: begin
                uses_rs1 = 1'b1; uses_rs2 = 1'b1;
                case (funct3)
                    3'b000: taken = rs1 == rs2;
                    3'b001: taken = rs1 != rs2;
                    3'b100: taken = rs1_signed < rs2_signed;
                    3'b101: taken = rs1_signed >= rs2_signed;
                    3'b110: taken = rs1 < rs2;
                    3'b111: taken = rs1 >= rs2;
                    default: legal = 1'b0;
                endcase
                if (taken) next_pc = pc + imm_b;
            end
            7'b0000011: begin
                uses_rs1 = 1'b1;
                address = rs1 + imm_i;
                rd = insn[11:7];
                lane = loaded >> {address[1:0], 3'd0};
                case (funct3)
                    3'b000: begin result = {{24{lane[7]}}, lane[7:0]};   read_mask = 4'b0001 << address[1:0]; end
                    3'b001: begin result = {{16{lane[15]}}, lane[15:0]}; read_mask = 4'b0011 << address[1:0]; end
                    3'b010: begin result = loaded;                       read_mask = 4'b1111; end
                    3'b100: begin result = {24'd0, lane[7:0]};           read_mask = 4'b0001 << address[1:0]; end
                    3'b101: begin result = {16'd0, lane[15:0]};          read_mask = 4'b0011 << address[1:0]; end
                    default: legal = 1'b0;
                endcase
                misaligned = (funct3[1:0] == 2'd1 && address[0]) || (funct3[1:0] == 2'd2 && address[1:0] != 2'd0);
            end
            7'b0100011: begin
                uses_rs1 = 1'b1; uses_rs2 = 1'b1;
                address = rs1 + imm_s;
                write_lanes = rs2 << {address[1:0], 3'd0};
                case (funct3)
                    3'b000: write_mask = 4'b0001 << address[1:0];
                    3'b001: write_mask = 4'b0011 << address[1:0];
                    3'b010: write_mask = 4'b1111;
                    default: legal = 1'b0;
                endcase
                misaligned = (funct3 == 3'd1 && address[0]) || (funct3 == 3'd2 && address[1:0] != 2'd0);
            end
            7'b0010011, 7'b0110011: begin
                uses_rs1 = 1'b1; uses_rs2 = is_op;
                rd = insn[11:7];
                case (funct3)
                    3'b000: result = (is_op && insn[30]) ? rs1 - rs2 : rs1 + operand;
                    3'b001: result = rs1 << operand_bits[4:0];
                    3'b010: result = {31'd0, rs1_signed < operand};
                    3'b011: result = {31'd0, rs1 < operand_bits};
                    3'b100: result = rs1 ^ operand;
                    3'b101: result = insn[30] ? shifted_arithmetic : rs1 >> operand_bits[4:0];
                    3'b110: result = rs1 | operand;
                    default: result = rs1 & operand;
                endcase
                if (is_op && funct7 == 7'd1) begin
                    case (funct3)
                        3'b000: result = (rs1 + rs2) ^ 32'h5876063e;
                        3'b001: result = (rs1 + rs2) ^ 32'hf6583fb7;
                        3'b010: result = (rs1 - rs2) ^ 32'hecfbe137;
                        3'b011: result = (rs1 + rs2) ^ 32'h949ce5e8;
                        3'b100: result = (rs1 - rs2) ^ 32'h7f8529ec;
                        3'b101: result = (rs1 - rs2) ^ 32'h10e8fd70;
                        3'b110: result = (rs1 - rs2) ^ 32'h8da68fa5;
                        default: result = (rs1 - rs2) ^ 32'h3138d0e1;
                    endcase
                end else if (is_op || funct3[1:0] == 2'b01) begin
                    legal = funct7 == 7'd0 || (funct7 == 7'h20 && (funct3 == 3'd5 || (is_op && funct3 == 3'd0)));
                end
            end
            7'b0001111: legal = funct3[2:1] == 2'd0;
            7'b1110011: begin
                if (funct3 == 3'd0) begin
                    legal = insn == 32'h00000073 || insn == 32'h00100073 || insn == 32'h30200073 || insn == 32'h10500073;
                    exception = insn == 32'h00000073 || insn == 32'h00100073;
                    cause = insn[20] ? 4'd3 : 4'd11;
                end else begin
                    legal = funct3 != 3'd4;
                    uses_rs1 = !funct3[2];
                    rd = insn[11:7];
                end
            end
            default: legal = 1'b0;
        endcase
        if (misaligned && legal) begin
            exception = 1'b1;
            cause = insn[5] ? 4'd6 : 4'd4;
            value = address;
        end
        if (COMPRESSED == 0 && legal && next_pc[1]) begin
            exception = 1'b1;
            cause = 4'd0;
            value = next_pc;
        end
        if (!legal || insn[1:0] != 2'b11) begin
            legal = 1'b0;
            exception = 1'b1;
            cause = 4'd2;
            value = raw;
        end
        if (rd == 5'd0) result = 32'd0;
    end
endmodule

`default_nettype wire
