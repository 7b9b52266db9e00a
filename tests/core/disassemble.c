/* SPDX-License-Identifier: Apache-2.0
 *
 * A table would be longer than the switch: RV32IMC has few formats, and names follow from funct3.
 */
#include "disassemble.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "isa_model.h"

static const char *const register_names[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                               "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                               "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static int32_t sign(uint32_t value, unsigned bits_kept)
{
    uint32_t top = 1u << (bits_kept - 1);
    return (int32_t)((value & (top | (top - 1))) - ((value & top) << 1));
}

static void name_csr(uint32_t number, char *text, size_t text_bytes)
{
    static const struct {
        uint16_t number;
        const char *name;
    } names[] = {{0x300, "mstatus"},  {0x301, "misa"},      {0x304, "mie"},      {0x305, "mtvec"},
                 {0x340, "mscratch"}, {0x341, "mepc"},      {0x342, "mcause"},   {0x343, "mtval"},
                 {0x344, "mip"},      {0x3a0, "pmpcfg0"},   {0x3b0, "pmpaddr0"}, {0x3b1, "pmpaddr1"},
                 {0x3b2, "pmpaddr2"}, {0x3b3, "pmpaddr3"},  {0xb00, "mcycle"},   {0xb02, "minstret"},
                 {0xb80, "mcycleh"},  {0xb82, "minstreth"}, {0xc00, "cycle"},    {0xc01, "time"},
                 {0xc02, "instret"},  {0xf14, "mhartid"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].number == number) {
            snprintf(text, text_bytes, "%s", names[i].name);
            return;
        }
    }
    snprintf(text, text_bytes, "0x%03x", number);
}

static void system_text(uint32_t word, char *text, size_t text_bytes)
{
    static const char *const names[8] = {"", "csrrw", "csrrs", "csrrc", "", "csrrwi", "csrrsi", "csrrci"};
    uint32_t funct3 = word >> 12 & 7, source = word >> 15 & 31;
    char csr[16];
    name_csr(word >> 20, csr, sizeof csr);
    switch (word) {
    case 0x00000073: snprintf(text, text_bytes, "ecall"); return;
    case 0x00100073: snprintf(text, text_bytes, "ebreak"); return;
    case 0x30200073: snprintf(text, text_bytes, "mret"); return;
    case 0x10500073: snprintf(text, text_bytes, "wfi"); return;
    default: break;
    }
    const char *rd = register_names[word >> 7 & 31];
    if ((funct3 & 3) == 0) snprintf(text, text_bytes, ".word 0x%08x", word);
    else if (funct3 & 4) snprintf(text, text_bytes, "%s %s, %s, %u", names[funct3], rd, csr, source);
    else snprintf(text, text_bytes, "%s %s, %s, %s", names[funct3], rd, csr, register_names[source]);
}

static void base_text(uint32_t word, uint32_t pc, char *text, size_t text_bytes)
{
    static const char *const loads[8] = {"lb", "lh", "lw", "", "lbu", "lhu", "", ""};
    static const char *const stores[4] = {"sb", "sh", "sw", ""};
    static const char *const branches[8] = {"beq", "bne", "", "", "blt", "bge", "bltu", "bgeu"};
    static const char *const arith[8] = {"add", "sll", "slt", "sltu", "xor", "srl", "or", "and"};
    static const char *const muldiv[8] = {"mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"};
    uint32_t funct3 = word >> 12 & 7;
    const char *rd = register_names[word >> 7 & 31], *rs1 = register_names[word >> 15 & 31];
    const char *rs2 = register_names[word >> 20 & 31];
    int32_t imm_i = sign(word >> 20, 12), imm_s = sign((word >> 25) << 5 | (word >> 7 & 31), 12);
    uint32_t imm_b =
        (uint32_t)sign((word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1, 13);
    uint32_t imm_j = (uint32_t)sign(
        (word >> 31) << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1, 21);
    const char *name = "";
    switch (word & 0x7f) {
    case 0x37: snprintf(text, text_bytes, "lui %s, 0x%x", rd, word >> 12); return;
    case 0x17: snprintf(text, text_bytes, "auipc %s, 0x%x", rd, word >> 12); return;
    case 0x6f: snprintf(text, text_bytes, "jal %s, 0x%x", rd, pc + imm_j); return;
    case 0x67: snprintf(text, text_bytes, "jalr %s, %d(%s)", rd, imm_i, rs1); return;
    case 0x63:
        name = branches[funct3];
        snprintf(text, text_bytes, "%s %s, %s, 0x%x", name, rs1, rs2, pc + imm_b);
        break;
    case 0x03:
        name = loads[funct3];
        snprintf(text, text_bytes, "%s %s, %d(%s)", name, rd, imm_i, rs1);
        break;
    case 0x23:
        name = stores[funct3 & 3];
        snprintf(text, text_bytes, "%s %s, %d(%s)", name, rs2, imm_s, rs1);
        break;
    case 0x13:
        name = arith[funct3];
        if ((funct3 & 3) == 1)
            snprintf(text, text_bytes, "%si %s, %s, %d", word >> 30 & 1 ? "sra" : name, rd, rs1, imm_i & 31);
        else
            snprintf(text, text_bytes, "%si%s %s, %s, %d", funct3 == 3 ? "slt" : name, funct3 == 3 ? "u" : "", rd, rs1,
                     imm_i);
        break;
    case 0x33:
        name = word >> 25 == 1 ? muldiv[funct3] : arith[funct3];
        if (word >> 25 == 0x20) name = funct3 == 0 ? "sub" : "sra";
        snprintf(text, text_bytes, "%s %s, %s, %s", name, rd, rs1, rs2);
        break;
    case 0x0f: snprintf(text, text_bytes, funct3 == 1 ? "fence.i" : "fence"); return;
    case 0x73: system_text(word, text, text_bytes); return;
    default: break;
    }
    if (name[0] == 0) snprintf(text, text_bytes, ".word 0x%08x", word);
}

void disassemble(uint32_t word, uint32_t pc, char *text, size_t text_bytes)
{
    uint32_t expanded;
    if ((word & 3) == 3) {
        base_text(word, pc, text, text_bytes);
    } else if (isa_expand(word, &expanded) && text_bytes > 2) {
        memcpy(text, "c.", 2);
        base_text(expanded, pc, text + 2, text_bytes - 2);
    } else {
        snprintf(text, text_bytes, ".half 0x%04x", word & 0xffff);
    }
}
