/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressed instructions for the ISA model and the disassembler: each is taken apart by the tables of the
 * specification (chapter "C", instruction listings) and put together again as the base instruction.
 */
#include "isa_model.h"

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((1u << (high - low + 1)) - 1);
}

/* Moves bits [high:low] of `word` to position `to`. */
static uint32_t place(uint32_t word, unsigned high, unsigned low, unsigned to) { return bits(word, high, low) << to; }

static uint32_t sign_from(uint32_t value, unsigned sign_bit)
{
    return value & 1u << sign_bit ? value | ~((1u << sign_bit) - 1) : value;
}

static uint32_t type_i(uint32_t immediate, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
    return immediate << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t type_r(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static uint32_t type_s(uint32_t immediate, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
    return bits(immediate, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(immediate, 4, 0) << 7 | 0x23;
}

static uint32_t type_b(uint32_t offset, uint32_t rs1, uint32_t funct3)
{
    return bits(offset, 12, 12) << 31 | bits(offset, 10, 5) << 25 | rs1 << 15 | funct3 << 12 | bits(offset, 4, 1) << 8 |
           bits(offset, 11, 11) << 7 | 0x63;
}

static uint32_t type_j(uint32_t offset, uint32_t rd)
{
    return bits(offset, 20, 20) << 31 | bits(offset, 10, 1) << 21 | bits(offset, 11, 11) << 20 |
           bits(offset, 19, 12) << 12 | rd << 7 | 0x6f;
}

static bool quadrant0(uint32_t c, uint32_t *out)
{
    uint32_t low = bits(c, 4, 2) + 8, base = bits(c, 9, 7) + 8;
    uint32_t offset = place(c, 12, 10, 3) | place(c, 6, 6, 2) | place(c, 5, 5, 6);
    uint32_t immediate = place(c, 12, 11, 4) | place(c, 10, 7, 6) | place(c, 6, 6, 2) | place(c, 5, 5, 3);
    switch (bits(c, 15, 13)) {
    case 0: *out = type_i(immediate, 2, 0, low, 0x13); return immediate != 0; /* c.addi4spn */
    case 2: *out = type_i(offset, base, 2, low, 0x03); return true;           /* c.lw */
    case 6: *out = type_s(offset, low, base, 2); return true;                 /* c.sw */
    default: return false;
    }
}

static bool arithmetic1(uint32_t c, uint32_t *out)
{
    uint32_t rd = bits(c, 9, 7) + 8, rs2 = bits(c, 4, 2) + 8, amount = bits(c, 6, 2);
    static const uint8_t funct3[4] = {0, 4, 6, 7}; /* sub xor or and */
    switch (bits(c, 11, 10)) {
    case 0: *out = type_i(amount, rd, 5, rd, 0x13); return !bits(c, 12, 12);         /* c.srli */
    case 1: *out = type_i(amount | 0x400, rd, 5, rd, 0x13); return !bits(c, 12, 12); /* c.srai */
    case 2: /* c.andi */ *out = type_i(sign_from(amount | place(c, 12, 12, 5), 5), rd, 7, rd, 0x13); return true;
    default: *out = type_r(bits(c, 6, 5) == 0 ? 0x20 : 0, rs2, rd, funct3[bits(c, 6, 5)], rd); return !bits(c, 12, 12);
    }
}

static bool quadrant1(uint32_t c, uint32_t *out)
{
    uint32_t rd = bits(c, 11, 7);
    uint32_t immediate = sign_from(place(c, 12, 12, 5) | bits(c, 6, 2), 5);
    uint32_t jump = sign_from(place(c, 12, 12, 11) | place(c, 11, 11, 4) | place(c, 10, 9, 8) | place(c, 8, 8, 10) |
                                  place(c, 7, 7, 6) | place(c, 6, 6, 7) | place(c, 5, 3, 1) | place(c, 2, 2, 5),
                              11);
    uint32_t branch = sign_from(
        place(c, 12, 12, 8) | place(c, 11, 10, 3) | place(c, 6, 5, 6) | place(c, 4, 3, 1) | place(c, 2, 2, 5), 8);
    uint32_t stack = sign_from(
        place(c, 12, 12, 9) | place(c, 6, 6, 4) | place(c, 5, 5, 6) | place(c, 4, 3, 7) | place(c, 2, 2, 5), 9);
    switch (bits(c, 15, 13)) {
    case 0: *out = type_i(immediate, rd, 0, rd, 0x13); return true; /* c.addi */
    case 1: *out = type_j(jump, 1); return true;                    /* c.jal */
    case 2: *out = type_i(immediate, 0, 0, rd, 0x13); return true;  /* c.li */
    case 3:
        if (rd == 2) *out = type_i(stack, 2, 0, 2, 0x13); /* c.addi16sp */
        else *out = immediate << 12 | rd << 7 | 0x37;     /* c.lui */
        return immediate != 0;
    case 4: return arithmetic1(c, out);
    case 5: *out = type_j(jump, 0); return true; /* c.j */
    case 6: *out = type_b(branch, bits(c, 9, 7) + 8, 0); return true;
    default: *out = type_b(branch, bits(c, 9, 7) + 8, 1); return true;
    }
}

static bool quadrant2(uint32_t c, uint32_t *out)
{
    uint32_t rd = bits(c, 11, 7), rs2 = bits(c, 6, 2);
    uint32_t load = place(c, 12, 12, 5) | place(c, 6, 4, 2) | place(c, 3, 2, 6);
    uint32_t store = place(c, 12, 9, 2) | place(c, 8, 7, 6);
    switch (bits(c, 15, 13)) {
    case 0: *out = type_i(rs2, rd, 1, rd, 0x13); return !bits(c, 12, 12); /* c.slli */
    case 2: *out = type_i(load, 2, 2, rd, 0x03); return rd != 0;          /* c.lwsp */
    case 4:
        if (rs2 != 0) { /* c.mv, c.add */
            *out = type_r(0, rs2, bits(c, 12, 12) ? rd : 0, 0, rd);
            return true;
        }
        if (rd != 0) { /* c.jr, c.jalr */
            *out = type_i(0, rd, 0, bits(c, 12, 12), 0x67);
            return true;
        }
        *out = 0x00100073; /* c.ebreak */
        return bits(c, 12, 12);
    case 6: *out = type_s(store, rs2, 2, 2); return true; /* c.swsp */
    default: return false;
    }
}

bool isa_expand(uint32_t compressed, uint32_t *instruction)
{
    uint32_t c = compressed & 0xffffu;
    switch (c & 3) {
    case 0: return quadrant0(c, instruction);
    case 1: return quadrant1(c, instruction);
    case 2: return quadrant2(c, instruction);
    default: return false;
    }
}
