// SPDX-License-Identifier: Apache-2.0
//
// Expands a compressed instruction (RV32C without floating point) to the same instruction of 32 bits.
//
// Reserved encodings and those that the core does not have pass unchanged. Their lowest two bits are not 11, so the
// decoder refuses them, and the trap reports the original bits.
`default_nettype none

module core_expand (
    input  wire [15:0] short_form,
    output reg  [31:0] long_form
);
    wire [15:0] s = short_form;

    // Register fields: the three-bit ones name x8..x15.
    wire [4:0] rd_full = s[11:7];
    wire [4:0] rs_full = s[6:2];
    wire [4:0] rd_low  = {2'b01, s[9:7]};       // also the first source
    wire [4:0] rs_low  = {2'b01, s[4:2]};       // also the target of loads and addi4spn

    // Immediates, named after the forms that use them.
    wire [11:0] imm_ci      = {{7{s[12]}}, s[6:2]};
    wire [11:0] imm_16sp    = {{3{s[12]}}, s[4:3], s[5], s[2], s[6], 4'd0};
    wire [11:0] imm_4spn    = {2'd0, s[10:7], s[12:11], s[5], s[6], 2'd0};
    wire [11:0] imm_word    = {5'd0, s[5], s[12:10], s[6], 2'd0};
    wire [11:0] imm_load_sp = {4'd0, s[3:2], s[12], s[6:4], 2'd0};
    wire [11:0] imm_store_sp= {4'd0, s[8:7], s[12:9], 2'd0};
    wire [12:0] imm_branch  = {{5{s[12]}}, s[6:5], s[2], s[11:10], s[4:3], 1'b0};
    wire [20:0] imm_jump    = {{10{s[12]}}, s[8], s[10:9], s[6], s[7], s[2], s[11], s[5:3], 1'b0};

    localparam [6:0] OP_IMM = 7'b0010011, OP = 7'b0110011, LUI = 7'b0110111, LOAD = 7'b0000011,
                     STORE = 7'b0100011, BRANCH = 7'b1100011, JAL = 7'b1101111, JALR = 7'b1100111;

    wire [31:0] reserved = {16'd0, s};
    wire [31:0] jump     = {imm_jump[20], imm_jump[10:1], imm_jump[11], imm_jump[19:12], 4'd0, ~s[15], JAL};

    // The register-register forms of quadrant 1.
    wire [2:0] arith_funct3 = (s[6:5] == 2'b00) ? 3'b000 : (s[6:5] == 2'b01) ? 3'b100 :
                              (s[6:5] == 2'b10) ? 3'b110 : 3'b111;

    always @(*) begin
        long_form = reserved;
        case ({s[1:0], s[15:13]})
            5'b00_000:  // c.addi4spn
                if (s[12:5] != 8'd0) long_form = {imm_4spn, 5'd2, 3'b000, rs_low, OP_IMM};
            5'b00_010:  // c.lw
                long_form = {imm_word, rd_low, 3'b010, rs_low, LOAD};
            5'b00_110:  // c.sw
                long_form = {imm_word[11:5], rs_low, rd_low, 3'b010, imm_word[4:0], STORE};
            5'b01_000:  // c.addi, c.nop
                long_form = {imm_ci, rd_full, 3'b000, rd_full, OP_IMM};
            5'b01_001, 5'b01_101:  // c.jal, c.j: bit 15 is clear when x1 receives the return address
                long_form = jump;
            5'b01_010:  // c.li
                long_form = {imm_ci, 5'd0, 3'b000, rd_full, OP_IMM};
            5'b01_011:  // c.addi16sp, c.lui
                if ({s[12], s[6:2]} != 6'd0)
                    long_form = (rd_full == 5'd2) ? {imm_16sp, 5'd2, 3'b000, 5'd2, OP_IMM}
                                                  : {{15{s[12]}}, s[6:2], rd_full, LUI};
            5'b01_100:
                if (s[11] == 1'b0) begin            // c.srli, c.srai
                    if (!s[12]) long_form = {1'b0, s[10], 5'd0, s[6:2], rd_low, 3'b101, rd_low, OP_IMM};
                end else if (s[10] == 1'b0) begin   // c.andi
                    long_form = {imm_ci, rd_low, 3'b111, rd_low, OP_IMM};
                end else if (!s[12]) begin          // c.sub, c.xor, c.or, c.and
                    long_form = {1'b0, s[6:5] == 2'b00, 5'd0, rs_low, rd_low, arith_funct3, rd_low, OP};
                end
            5'b01_110, 5'b01_111:  // c.beqz, c.bnez
                long_form = {imm_branch[12], imm_branch[10:5], 5'd0, rd_low, 2'b00, s[13],
                             imm_branch[4:1], imm_branch[11], BRANCH};
            5'b10_000:  // c.slli
                if (!s[12]) long_form = {7'd0, s[6:2], rd_full, 3'b001, rd_full, OP_IMM};
            5'b10_010:  // c.lwsp
                if (rd_full != 5'd0) long_form = {imm_load_sp, 5'd2, 3'b010, rd_full, LOAD};
            5'b10_100:
                if (rs_full != 5'd0)                // c.mv, c.add
                    long_form = {7'd0, rs_full, s[12] ? rd_full : 5'd0, 3'b000, rd_full, OP};
                else if (rd_full != 5'd0)           // c.jr, c.jalr
                    long_form = {12'd0, rd_full, 3'b000, 4'd0, s[12], JALR};
                else if (s[12])                     // c.ebreak
                    long_form = 32'h00100073;
            5'b10_110:  // c.swsp
                long_form = {imm_store_sp[11:5], rs_full, 5'd2, 3'b010, imm_store_sp[4:0], STORE};
            default: ;
        endcase
    end

    wire unused = &{1'b0, imm_branch[0], imm_jump[0], imm_store_sp[11]};
endmodule

`default_nettype wire
