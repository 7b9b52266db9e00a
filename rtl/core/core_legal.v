// SPDX-License-Identifier: Apache-2.0
//
// Which instructions of 32 bits this core has. core_csr.v judges the numbers of CSRs.
`default_nettype none

module core_legal #(
    parameter MULTIPLY = 1              // the M extension
) (
    input  wire [31:0] instruction,
    output wire        legal
);
    wire [4:0] opcode = instruction[6:2];
    wire [2:0] funct3 = instruction[14:12];
    wire [6:0] funct7 = instruction[31:25];
    wire [24:0] upper = instruction[31:7];

    wire is_zero   = funct7 == 7'd0;
    wire is_other  = funct7 == 7'b0100000;      // SUB, SRA, SRAI
    wire is_m      = funct7 == 7'd1 && MULTIPLY != 0;
    wire immediate = funct3[1:0] != 2'b01 || is_zero || (is_other && funct3[2]);
    wire registers = is_zero || is_m || (is_other && (funct3 == 3'd0 || funct3 == 3'd5));
    wire system    = funct3[1:0] != 2'd0                                // CSRs
                  || upper == 25'h0000000 || upper == 25'h0002000      // ECALL, EBREAK
                  || upper == 25'h0604000 || upper == 25'h020a000;     // MRET, WFI
    reg  known;
    always @(*)
        case (opcode)
            5'b00000: known = funct3 != 3'd3 && funct3[2:1] != 2'b11;   // loads
            5'b00011: known = funct3[2:1] == 2'd0;                      // FENCE, FENCE.I
            5'b00100: known = immediate;
            5'b00101: known = 1'b1;                                     // AUIPC
            5'b01000: known = !funct3[2] && funct3 != 3'd3;             // stores
            5'b01100: known = registers;
            5'b01101: known = 1'b1;                                     // LUI
            5'b11000: known = funct3[2:1] != 2'b01;                     // branches
            5'b11001: known = funct3 == 3'd0;                           // JALR
            5'b11011: known = 1'b1;                                     // JAL
            5'b11100: known = system;
            default:  known = 1'b0;
        endcase
    assign legal = instruction[1:0] == 2'b11 && known;
endmodule

`default_nettype wire
